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
    pub fn choose_two(&self, card: Wanted, rng: &mut ChaCha8Rng) -> Option<(Selection, Selection)> {
        let [mut no, mut yes] = self.profiled(card.cell, rng);
        if card.matching == Matching::Settled {
            no.retain(Profiled::is_settled);
            yes.retain(Profiled::is_settled);
        }
        let even = offers_both(card, &yes, &no);
        let matching = match card.matching {
            Matching::Settled if !even => return None,
            Matching::Balanced if !even => Matching::Mixed,
            matching => matching,
        };
        let (first, second) = matches(Wanted { matching, ..card }, rng)
            .into_iter()
            .find_map(|wanted| pairs(&yes, &no, wanted).choose(rng).map(|(y, n)| (&yes[*y], &no[*n])))?;
        Some((self.selection(first), self.selection(second)))
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
        let questions = self.lexicon.questions_of(Kind::Verify, cell.voice);
        let mut all = [Vec::new(), Vec::new()];
        let known = self.offers(cell.scene);
        let mut offers: [Vec<(usize, bool)>; 2] = [Vec::new(), Vec::new()];
        for (told, story) in self.stories.iter().enumerate() {
            offers.iter_mut().for_each(Vec::clear);
            for question in questions {
                if let Some(offer) = known.offer(told, *question)
                    && !self.used.contains(&(told, cell.scene, *question))
                {
                    offers[usize::from(offer.yes)].push((*question, offer.trivial));
                }
            }
            let named = self.named.of(self.shapes, told, story);
            // What is seen of a question takes time in proportion to the plan.
            let most = (LOOKED_AT * LONG / story.plan.len().max(LONG)).max(2);
            for (label, offered) in offers.iter_mut().enumerate() {
                let looked_at = match offered.len() > most {
                    true => offered.partial_shuffle(rng, most).0,
                    false => &mut offered[..],
                };
                all[label].extend(looked_at.iter().map(|(question, trivial)| Profiled {
                    asked: (told, cell.scene, *question),
                    trivial: *trivial,
                    profile: self.shapes.profile_by((told, story), Some(&named), cell.scene, *question),
                }));
            }
        }
        all.iter_mut().for_each(|questions| questions.shuffle(rng));
        all
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
fn offers_both(card: Wanted, yes: &[Profiled], no: &[Profiled]) -> bool {
    // What is alike in a closer way is alike in this one, too.
    let loosest = loosest(card.same_kinds);
    let (rightly, wrongly) = match card.matching {
        Matching::Settled => (0, CLOSENESS - 1),
        _ => (loosest, loosest),
    };
    has_pairs(yes, no, (rightly, true, true)) && has_pairs(yes, no, (wrongly, false, false))
}

/// The least closeness of questions that are matched by profile.
pub(crate) fn loosest(same_kinds: bool) -> usize {
    if same_kinds { SAME_KINDS } else { CLOSENESS - 2 }
}

/// Which pairs will do for a card, the best first.
///
/// Two of which the initial situation answers one rightly and one wrongly give nothing away at all. Else two that it
/// answers rightly and two that it answers wrongly take turns.
fn matches(card: Wanted, rng: &mut ChaCha8Rng) -> Vec<Match> {
    let trivial = card.trivial.unwrap_or(true);
    let mut mixed = [(true, false), (false, true)];
    mixed.shuffle(rng);
    let same = [(trivial, trivial)];
    let at = |closeness: usize, some: &[(bool, bool)]| -> Vec<Match> {
        some.iter().map(|(yes, no)| (closeness, *yes, *no)).collect()
    };
    match card.matching {
        Matching::Idle => (0..NEAR).flat_map(|closeness| at(closeness, &[(true, true)])).collect(),
        Matching::Settled if trivial => at(0, &same),
        Matching::Settled => at(CLOSENESS - 1, &same),
        Matching::Mixed => {
            (0..=loosest(card.same_kinds)).flat_map(|closeness| at(closeness, &mixed)).collect()
        }
        Matching::Balanced => {
            let mixed_first = rng.random_bool(0.5);
            let both = |closeness| match mixed_first {
                true => [at(closeness, &mixed), at(closeness, &same)].concat(),
                false => [at(closeness, &same), at(closeness, &mixed)].concat(),
            };
            (0..=loosest(card.same_kinds)).flat_map(both).collect()
        }
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
