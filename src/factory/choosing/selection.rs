//! A card and a few stories to a question: which question is asked in the place of a data set that a card describes.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::factory::choosing::offered::{KnownOffers, SceneOffers, Setting};
use crate::factory::choosing::profile::{CLOSENESS, KnownSteps, NEAR, Profile, SAME_KINDS, Shapes};
use crate::factory::choosing::schedule::{AnswerClass, FormCell, Matching, Wanted};
use crate::language::words::lexicon::Lexicon;
use crate::simulate::story::{Story, Timepoint};
use crate::simulate::transitions::compiled_layout::Kind;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Stories that a count or other question is chosen from, so that answers spread.
const POOLED: usize = 4;
/// How many questions of one story, form and label are looked at to find two of equal profile.
const LOOKED_AT: usize = 32;

/// From plans of so many actions on, fewer questions are looked at.
const LONG: usize = 64;

/// A question of a story: the story's number, the scene, and the question's index.
pub type QuestionKey = (usize, Timepoint, usize);

/// A question chosen.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The story's number.
    pub told: usize,
    /// The scene.
    pub scene: Timepoint,
    /// Index into [`TransitionSystem::questions`](crate::simulate::transitions::compiled_layout::CompiledLayout::questions).
    pub question: usize,
    /// Indices into [`TransitionSystem::answers`](crate::simulate::transitions::compiled_layout::CompiledLayout::answers).
    pub answers: Vec<usize>,
    /// Does the initial situation give the same answer?
    pub trivial: bool,
}

impl Selection {
    /// Where it is asked.
    pub fn asked(&self) -> QuestionKey {
        (self.told, self.scene, self.question)
    }
}

/// Stories of one layout and what may be asked of them.
pub struct Candidates<'a> {
    /// The layout's terms.
    pub engine: &'a TransitionSystem,
    /// The layout's phrases.
    pub lexicon: &'a Lexicon,
    /// The stories.
    pub stories: Vec<&'a Story>,
    /// What was asked before.
    pub used: &'a HashSet<QuestionKey>,
    /// The shapes of the layout's questions.
    pub shapes: &'a Shapes,
    /// By story, which steps name which objects, once it is known.
    pub(crate) named: &'a KnownSteps,
    /// What the stories offer, once it is known.
    pub(crate) offers: &'a KnownOffers,
    /// May this story's question have these answers?
    pub sayable: &'a dyn Fn(usize, usize, &[&Term]) -> bool,
}

/// A verify question that can be asked, with what others can see of it.
pub(crate) struct Profiled {
    pub(crate) asked: QuestionKey,
    pub(crate) trivial: bool,
    pub(crate) profile: Profile,
}

impl Profiled {
    /// Is the answer the initial one because no action names an object of the question, or another because of what
    /// an action did?
    pub(crate) fn is_settled(&self) -> bool {
        self.trivial == self.profile.touch.is_none()
    }
}

/// Which two questions may be a pair: the closeness of their profiles, and whether the initial situation answers the
/// one with yes and the one with no rightly.
pub(crate) type Match = (usize, bool, bool);

impl Candidates<'_> {
    /// What one question of a story offers to a card.
    fn offer(
        &self,
        offers: &SceneOffers,
        (told, scene, question): QuestionKey,
        kind: Kind,
        card: Wanted,
    ) -> Option<Selection> {
        let offer = offers.offer(told, question)?;
        if card.trivial.is_some_and(|t| t != offer.trivial)
            || (kind == Kind::Verify && offer.yes != card.yes)
            || self.used.contains(&(told, scene, question))
        {
            return None;
        }
        let answers = self.answers((told, scene, question));
        if kind != Kind::Verify {
            let terms: Vec<&Term> = answers.iter().map(|a| &self.engine.answers[*a].answer).collect();
            if !card.takes(AnswerClass::of(kind, &terms)) || !(self.sayable)(told, question, &terms) {
                return None;
            }
        }
        Some(Selection { told, scene, question, answers, trivial: offer.trivial })
    }

    /// Chooses a question for a card: a story, then an answer that the story offers, then a question with it.
    pub fn choose(&self, kind: Kind, card: Wanted, rng: &mut ChaCha8Rng) -> Option<Selection> {
        let start = rng.random_range(0..self.stories.len());
        let in_turn = (0..self.stories.len()).map(|n| (start + n) % self.stories.len());
        let mut found = in_turn.map(|told| self.of_story(told, kind, card)).filter(|all| !all.is_empty());
        let mut choices = match kind {
            Kind::Verify => found.next()?,
            Kind::Count | Kind::Other => self.spread(found.take(POOLED).flatten().collect(), rng)?,
        };
        let pick = rng.random_range(0..choices.len());
        Some(choices.swap_remove(pick))
    }

    /// The classes of all answers that questions of a form have, and whether the initial situation gives them.
    pub fn classes(&self, kind: Kind, cell: FormCell) -> BTreeSet<(AnswerClass, bool)> {
        let offers = self.offers(cell.scene);
        let mut found = BTreeSet::new();
        for question in self.lexicon.questions_of(kind, cell.voice) {
            offers.add_classes((self.engine.compiled(), kind), *question, &mut found);
        }
        found
    }

    /// Chooses two verify questions for a card, the one answered yes first: of a profile as close as can be, so that
    /// the actions alone do not tell them apart, and such that the initial situation does not, either.
    ///
    /// The closest profiles agree within one story only. So the stories are looked at one after the other, and no more of
    /// them than it takes to find two such questions. After half of the stories two will do in which the actions do the same
    /// to what is asked about; all are looked at where there are none of these, either.
    pub fn choose_two(&self, card: Wanted, rng: &mut ChaCha8Rng) -> Option<(Selection, Selection)> {
        let turns = Turns::draw(rng);
        let best = turns.matches(card).next()?;
        // Where it is taken at once, it must be known that both kinds of pairs are to be had.
        let mut both = OfferedKinds::new(card);
        let mut all = [Vec::new(), Vec::new()];
        let mut found: Option<(Selection, Selection)> = None;
        let half = self.stories.len().div_ceil(2);
        for (looked_at, told) in self.in_random_order(rng).into_iter().enumerate() {
            let may_be_taken = !turns.depends(card) || both.are_offered();
            if looked_at == half && found.is_none() && may_be_taken {
                found = self.closest(&turns, card, &mut all, NEAR, rng);
            }
            if found.is_some() && may_be_taken {
                return found;
            }
            let mut some = self.profiled_of(told, card.cell, rng);
            some.iter_mut().for_each(|questions| questions.shuffle(rng));
            if card.matching == Matching::Settled {
                some.iter_mut().for_each(|questions| questions.retain(Profiled::is_settled));
            }
            let [no, yes] = &some;
            both.see(yes, no);
            if best.0 == 0 && found.is_none() {
                let pair = pairs(yes, no, best).choose(rng).copied();
                found = pair.map(|(y, n)| (self.selection(&yes[y]), self.selection(&no[n])));
            }
            all.iter_mut().zip(some).for_each(|(all, some)| all.extend(some));
        }
        let matching = match card.matching {
            Matching::Settled if !both.are_offered() => return None,
            Matching::Balanced if !both.are_offered() => Matching::Mixed,
            matching => matching,
        };
        if found.is_some() && matching == card.matching {
            return found;
        }
        self.closest(&turns, Wanted { matching, ..card }, &mut all, CLOSENESS, rng)
    }

    /// Two of some questions answered no and some answered yes: of the kinds of pairs that will do for a card, the best.
    /// `closer` than that their profiles have to be.
    fn closest(
        &self,
        turns: &Turns,
        card: Wanted,
        all: &mut [Vec<Profiled>; 2],
        closer: usize,
        rng: &mut ChaCha8Rng,
    ) -> Option<(Selection, Selection)> {
        all.iter_mut().for_each(|questions| questions.shuffle(rng));
        let [no, yes] = all;
        let (first, second) = turns
            .matches(card)
            .filter(|(closeness, ..)| *closeness < closer)
            .find_map(|wanted| pairs(yes, no, wanted).choose(rng).map(|(y, n)| (&yes[*y], &no[*n])))?;
        Some((self.selection(first), self.selection(second)))
    }

    fn in_random_order(&self, rng: &mut ChaCha8Rng) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.stories.len()).collect();
        order.shuffle(rng);
        order
    }

    fn selection(&self, of: &Profiled) -> Selection {
        let (told, scene, question) = of.asked;
        Selection { told, scene, question, answers: self.answers(of.asked), trivial: of.trivial }
    }

    /// What the stories offer in a scene.
    fn offers(&self, scene: Timepoint) -> Rc<SceneOffers> {
        self.offers.of(self.engine.compiled(), &self.stories, scene)
    }

    fn answers(&self, (told, scene, question): QuestionKey) -> Vec<usize> {
        let setting = Setting::new(self.engine, self.stories[told], scene);
        setting.map_or_else(Vec::new, |setting| setting.answers(question))
    }

    /// The questions of a form that were not asked yet, those answered no and those answered yes.
    pub(crate) fn profiled(&self, cell: FormCell, rng: &mut ChaCha8Rng) -> [Vec<Profiled>; 2] {
        let mut all = [Vec::new(), Vec::new()];
        for told in 0..self.stories.len() {
            let some = self.profiled_of(told, cell, rng);
            all.iter_mut().zip(some).for_each(|(all, some)| all.extend(some));
        }
        all.iter_mut().for_each(|questions| questions.shuffle(rng));
        all
    }

    /// The same of one story.
    fn profiled_of(&self, told: usize, cell: FormCell, rng: &mut ChaCha8Rng) -> [Vec<Profiled>; 2] {
        let story = self.stories[told];
        let known = self.offers(cell.scene);
        let mut offers: [Vec<(usize, bool)>; 2] = [Vec::new(), Vec::new()];
        for question in self.lexicon.questions_of(Kind::Verify, cell.voice) {
            if let Some(offer) = known.offer(told, *question)
                && !self.used.contains(&(told, cell.scene, *question))
            {
                offers[usize::from(offer.yes)].push((*question, offer.trivial));
            }
        }
        let named = self.named.of(self.shapes, told, story);
        // What is seen of a question takes time in proportion to the plan.
        let most = (LOOKED_AT * LONG / story.plan.len().max(LONG)).max(2);
        offers.map(|mut offered| {
            let looked_at = match offered.len() > most {
                true => offered.partial_shuffle(rng, most).0,
                false => &mut offered[..],
            };
            let profiled = |(question, trivial): &(usize, bool)| Profiled {
                asked: (told, cell.scene, *question),
                trivial: *trivial,
                profile: self.shapes.profile_by((told, story), Some(&named), cell.scene, *question),
            };
            looked_at.iter().map(profiled).collect()
        })
    }

    fn of_story(&self, told: usize, kind: Kind, card: Wanted) -> Vec<Selection> {
        let scene = card.cell.scene;
        let offers = self.offers(scene);
        let questions = self.lexicon.questions_of(kind, card.cell.voice).iter();
        questions.filter_map(|q| self.offer(&offers, (told, scene, *q), kind, card)).collect()
    }

    /// The choices with one answer, such that each answer is equally likely.
    fn spread(&self, choices: Vec<Selection>, rng: &mut ChaCha8Rng) -> Option<Vec<Selection>> {
        let mut by_answer: BTreeMap<Vec<&Term>, Vec<Selection>> = BTreeMap::new();
        for choice in choices {
            let terms = choice.answers.iter().map(|a| &self.engine.answers[*a].answer).collect();
            by_answer.entry(terms).or_default().push(choice);
        }
        let answers: Vec<Vec<&Term>> = by_answer.keys().cloned().collect();
        by_answer.remove(answers.choose(rng)?)
    }
}

/// Are there pairs that the initial situation answers rightly, and pairs that it answers wrongly? Where only the one
/// kind is to be had, taking it whenever it is due would make it the more frequent one.
struct OfferedKinds {
    /// Pairs that are answered rightly, and those that are not.
    kinds: [OfferedPairs; 2],
}

/// Whether there are pairs of one kind.
struct OfferedPairs {
    /// How close profiles have to be, and whether the initial situation answers both rightly.
    closeness: usize,
    rightly: bool,
    /// The profiles of questions answered no, and of those answered yes.
    seen: [HashSet<u64>; 2],
    are_offered: bool,
}

impl OfferedKinds {
    fn new(card: Wanted) -> OfferedKinds {
        // What is alike in a closer way is alike in this one, too.
        let loosest = loosest(card.same_kinds);
        let (rightly, wrongly) = match card.matching {
            Matching::Settled => (0, CLOSENESS - 1),
            _ => (loosest, loosest),
        };
        let pairs = |closeness, rightly| OfferedPairs {
            closeness,
            rightly,
            seen: Default::default(),
            are_offered: false,
        };
        OfferedKinds { kinds: [pairs(rightly, true), pairs(wrongly, false)] }
    }

    /// Looks at further questions.
    fn see(&mut self, yes: &[Profiled], no: &[Profiled]) {
        for kind in self.kinds.iter_mut().filter(|kind| !kind.are_offered) {
            for (label, questions) in [no, yes].into_iter().enumerate() {
                let alike = questions.iter().filter(|question| question.trivial == kind.rightly);
                for profile in alike.map(|question| question.profile.near[kind.closeness]) {
                    kind.are_offered |= kind.seen[1 - label].contains(&profile);
                    kind.seen[label].insert(profile);
                }
            }
        }
    }

    fn are_offered(&self) -> bool {
        self.kinds.iter().all(|kind| kind.are_offered)
    }
}

/// The least closeness of questions that are matched by profile.
pub(crate) fn loosest(same_kinds: bool) -> usize {
    if same_kinds { SAME_KINDS } else { CLOSENESS - 2 }
}

/// Which kinds of pairs come first.
struct Turns {
    mixed: [(bool, bool); 2],
    mixed_first: bool,
}

impl Turns {
    fn draw(rng: &mut ChaCha8Rng) -> Turns {
        let mut mixed = [(true, false), (false, true)];
        mixed.shuffle(rng);
        Turns { mixed, mixed_first: rng.random_bool(0.5) }
    }

    /// Does it depend on what else is offered whether the best pairs may be taken?
    fn depends(&self, card: Wanted) -> bool {
        match card.matching {
            Matching::Settled => true,
            Matching::Balanced => !self.mixed_first,
            Matching::Mixed | Matching::Idle => false,
        }
    }

    /// Which pairs will do for a card, the best first.
    ///
    /// Two of which the initial situation answers one rightly and one wrongly give nothing away at all. Else two that it
    /// answers rightly and two that it answers wrongly take turns.
    fn matches(&self, card: Wanted) -> impl Iterator<Item = Match> {
        let trivial = card.trivial.unwrap_or(true);
        let same = [(trivial, trivial)];
        let at = |closeness: usize, some: &[(bool, bool)]| -> Vec<Match> {
            some.iter().map(|(yes, no)| (closeness, *yes, *no)).collect()
        };
        let by_profile = 0..=loosest(card.same_kinds);
        let all: Vec<Match> = match card.matching {
            Matching::Idle => (0..NEAR).flat_map(|closeness| at(closeness, &[(true, true)])).collect(),
            Matching::Settled if trivial => at(0, &same),
            Matching::Settled => at(CLOSENESS - 1, &same),
            Matching::Mixed => by_profile.flat_map(|closeness| at(closeness, &self.mixed)).collect(),
            Matching::Balanced => {
                let both = |closeness| match self.mixed_first {
                    true => [at(closeness, &self.mixed), at(closeness, &same)].concat(),
                    false => [at(closeness, &same), at(closeness, &self.mixed)].concat(),
                };
                by_profile.flat_map(both).collect()
            }
        };
        all.into_iter()
    }
}

/// Are there any of [`pairs`]?
pub(crate) fn has_pairs(
    yes: &[Profiled],
    no: &[Profiled],
    (closeness, yes_trivial, no_trivial): Match,
) -> bool {
    let of = |candidate: &Profiled| candidate.profile.near[closeness];
    let yes: HashSet<u64> = yes.iter().filter(|c| c.trivial == yes_trivial).map(of).collect();
    !yes.is_empty() && no.iter().filter(|c| c.trivial == no_trivial).any(|c| yes.contains(&of(c)))
}

/// Indices of a question answered yes and one answered no, one pair for each profile that both have.
pub(crate) fn pairs(
    yes: &[Profiled],
    no: &[Profiled],
    (closeness, yes_trivial, no_trivial): Match,
) -> Vec<(usize, usize)> {
    let mut of_profile: HashMap<u64, usize> = HashMap::default();
    for (number, candidate) in yes.iter().enumerate().filter(|(_, c)| c.trivial == yes_trivial) {
        of_profile.entry(candidate.profile.near[closeness]).or_insert(number);
    }
    let mut found = Vec::new();
    for (number, candidate) in no.iter().enumerate().filter(|(_, c)| c.trivial == no_trivial) {
        if let Some(first) = of_profile.remove(&candidate.profile.near[closeness]) {
            found.push((first, number));
        }
    }
    found
}

/// What a question is about: `executable(A)` and `changes(F)` are about the term inside.
pub fn inside(question: &Term) -> &Term {
    match question.args() {
        [only] if !only.args().is_empty() => only,
        _ => question,
    }
}
