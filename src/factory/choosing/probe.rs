//! Stories of a level to the forms of question that can be asked about them, and how.
//!
//! A verify form is used where two questions of equal profile have different answers, so that who sees the actions
//! alone cannot tell which is which. A count or other form is used where its answers depend on the actions often
//! enough. What cannot be matched is left out, and the manifest says why.

use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::ChaCha8Rng;
use rustc_hash::FxHashSet;

use crate::domain::package::Package;
use crate::factory::choosing::offered::{KnownOffers, Setting};
use crate::factory::choosing::profile::KnownSteps;
use crate::factory::choosing::schedule::{
    AFTER, AnswerClass, AnswerTargets, FEW_ANSWERS, FormCell, LeftOut, Matching, Schedule, UsableForm,
};
use crate::factory::choosing::selection::{Candidates, Profiled, has_pairs, loosest};
use crate::factory::choosing::telltales::OtherKinds;
use crate::factory::context::LayoutText;
use crate::language::words::lexicon::QuestionForm;
use crate::simulate::story::{Story, Timepoint};
use crate::simulate::transitions::compiled_layout::Kind;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// A form is used if at least this share of layouts offers what is to be asked in it.
const LEAST_SHARE: f64 = 0.1;
/// A count or other form is used if at least this share of stories has an answer that depends on the actions.
const LEAST_CHANGED: f64 = 0.12;
/// A class of answers is aimed at if at least this share of stories offers it.
const LEAST_ANSWER: f64 = 0.1;
/// The same, where there would be too few classes otherwise.
const LEAST_RARE_ANSWER: f64 = 0.04;
/// Into how many parts the weight of a class of answers is cut, those that the initial situation gives and others.
const PARTS: f64 = 4.0 * (ONE_OF_NOTHING - 1) as f64;
/// A form is left out if one answer takes more than this share.
const MOST_SAME: f64 = 0.97;
/// A form is asked with answers as in the initial situation and with others in turn, if layouts with pairs of the one
/// kind are to those with pairs of the other at least as this to one.
const MOSTLY: f64 = 0.8;
/// Answers are settled if the last action that touches a question tells so many of them.
const SETTLED: f64 = 0.95;
/// The fewest touched questions with either answer by which that is judged.
const FEWEST_TOUCHED: f64 = 12.0;
/// Of so many count or other questions with more than one answer to choose from, one has none.
const ONE_OF_NOTHING: usize = 8;

/// What the probe saw of one form.
#[derive(Default)]
struct Seen {
    family: String,
    detail: String,
    stories: usize,
    /// Stories with an answer that depends on the actions.
    changed: usize,
    /// By class of answer, the stories with one that the initial situation does not give, and with one that it does.
    classes: BTreeMap<AnswerClass, [usize; 2]>,
    /// How often each answer was seen.
    answers: BTreeMap<String, usize>,
    /// Layouts with a pair of which the initial situation answers one rightly, with one of which it answers neither,
    /// and with one of which it answers both; and with one of the last kind that no action touches.
    matched: [usize; 4],
    /// The same of the first three where all actions are of the same kinds.
    matched_by_kinds: [usize; 3],
    /// What other actions tell of the answers.
    kinds: OtherKinds,
    /// By the pattern of the question and how the last action that names an object of it does so: how often the answer
    /// was no, and yes.
    touched: BTreeMap<(u64, u64), [f64; 2]>,
    /// Layouts with a pair among stories that were sought.
    sought: usize,
}

/// What one story offers of a form.
#[derive(Default)]
struct Offered {
    /// Does an answer depend on the actions?
    changed: bool,
    /// The classes of answers, and whether the initial situation gives them.
    classes: BTreeSet<(AnswerClass, bool)>,
}

/// Gathers what stories offer.
#[derive(Default)]
pub struct Probe {
    layouts: usize,
    stories: usize,
    /// Do the stories have no actions?
    idle: bool,
    seen: BTreeMap<(Kind, FormCell), Seen>,
    /// The families that are asked about; all of them where there is none.
    chosen: Vec<String>,
    /// The families that could be asked about, if they were all chosen.
    offered: BTreeSet<String>,
    /// Families that were seen, and whether their questions can be told in the vocabulary chosen.
    told: BTreeMap<(Kind, String), bool>,
}

impl Probe {
    /// A probe for some families of questions; for all of them where none is named.
    pub fn of(families: &[String]) -> Probe {
        Probe { chosen: families.to_vec(), ..Probe::default() }
    }

    /// A chosen family that no question is of.
    pub fn lacking(&self) -> Option<&str> {
        self.chosen.iter().find(|family| !self.offered.contains(*family)).map(String::as_str)
    }

    /// Did the stories have questions of a kind, of the families that are asked about?
    pub fn saw(&self, kind: Kind) -> bool {
        self.seen.keys().any(|(of, _)| *of == kind)
    }

    /// The families that could be asked about.
    pub fn offered(&self) -> Vec<&str> {
        self.offered.iter().map(String::as_str).collect()
    }

    /// Looks at stories of one layout.
    pub fn see(
        &mut self,
        package: &Package,
        engine: &TransitionSystem,
        text: &LayoutText,
        stories: &[Story],
        rng: &mut ChaCha8Rng,
    ) {
        self.layouts += 1;
        self.stories += stories.len();
        self.idle |= stories.iter().any(|story| story.plan.is_empty());
        self.see_families(engine, text);
        for story in stories {
            self.see_story(package, engine, text, story);
        }
        let candidates = Candidates {
            engine,
            lexicon: &text.lexicon,
            stories: stories.iter().collect(),
            used: &FxHashSet::default(),
            shapes: &text.shapes,
            named: &KnownSteps::default(),
            offers: &KnownOffers::default(),
            sayable: &|_, _, _| true,
        };
        for ((_, cell), seen) in self.seen.iter_mut().filter(|((kind, _), _)| *kind == Kind::Verify) {
            let [no, yes] = candidates.profiled(*cell, rng);
            seen.see_pairs(&no, &yes);
            seen.kinds.see(self.layouts, engine, stories, [&no, &yes]);
            for (label, questions) in [&no, &yes].into_iter().enumerate() {
                for question in questions {
                    if let Some(touch) = question.profile.touch {
                        let key = (question.profile.pattern(), touch);
                        seen.touched.entry(key).or_default()[label] += 1.0;
                    }
                }
            }
        }
    }

    /// Notes how many stories of a layout were found for a verify question of a form and functor.
    pub fn see_sought(&mut self, package: &Package, form: (QuestionForm, &str), stories: usize) {
        let (voice, functor) = form;
        if stories == 0 || !self.chosen.is_empty() && !self.chosen.iter().any(|chosen| chosen == functor) {
            return;
        }
        let cell = FormCell { scene: Timepoint::Now, voice };
        let seen = self.seen.entry((Kind::Verify, cell)).or_insert_with(|| Seen {
            detail: describe(package, functor, voice, Timepoint::Now),
            family: family(Timepoint::Now, functor),
            ..Seen::default()
        });
        seen.sought += 1;
    }

    fn see_families(&mut self, engine: &TransitionSystem, text: &LayoutText) {
        let Some(_) = text.lexicon.view else { return };
        let told = (0..engine.questions.len()).filter(|q| text.lexicon.form(*q).is_some()).map(|q| (q, true));
        for (question, told) in told.chain(text.lexicon.untold.iter().map(|q| (*q, false))) {
            let question = &engine.questions[question];
            *self.told.entry((question.kind, question.term.functor().to_owned())).or_default() |= told;
        }
    }

    /// Notes the answers of one story.
    fn see_story(&mut self, package: &Package, engine: &TransitionSystem, text: &LayoutText, story: &Story) {
        let mut here: BTreeMap<(Kind, FormCell), Offered> = BTreeMap::new();
        for scene in Timepoint::ALL {
            let Some(setting) = Setting::new(engine, story, scene) else { continue };
            for (index, question) in engine.questions.iter().enumerate() {
                let (Some(voice), Some(offer)) = (text.lexicon.form(index), setting.offer(index)) else {
                    continue;
                };
                // Of the initial situation only executability is asked (table 7): the text tells the rest.
                if scene == Timepoint::Initially && !matches!(voice, QuestionForm::Can(_)) {
                    continue;
                }
                if !self.chosen.is_empty() {
                    let named = family(scene, question.term.functor());
                    let chosen = self.chosen.contains(&named);
                    self.offered.insert(named);
                    if !chosen {
                        continue;
                    }
                }
                let key = (question.kind, FormCell { scene, voice });
                let seen = self.seen.entry(key).or_default();
                if seen.detail.is_empty() {
                    seen.detail = describe(package, question.term.functor(), voice, scene);
                    seen.family = family(scene, question.term.functor());
                }
                let Offered { changed, classes } = here.entry(key).or_default();
                *changed |= !offer.trivial;
                if question.kind != Kind::Verify {
                    let answers = setting.answers(index);
                    let terms: Vec<_> = answers.iter().map(|a| &engine.answers[*a].answer).collect();
                    classes.insert((AnswerClass::of(question.kind, &terms), offer.trivial));
                    let answer = terms.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
                    *seen.answers.entry(answer).or_default() += 1;
                }
            }
        }
        for (key, Offered { changed, classes }) in here {
            let seen = self.seen.entry(key).or_default();
            seen.stories += 1;
            seen.changed += usize::from(changed);
            for (class, trivial) in classes {
                seen.classes.entry(class).or_default()[usize::from(trivial)] += 1;
            }
        }
    }

    /// Deals the schedule.
    pub fn deal(&self, rng: &mut ChaCha8Rng) -> Schedule {
        let mut schedule = Schedule::default();
        for ((kind, family), _) in self.told.iter().filter(|(_, told)| !**told) {
            let reason = "it asks about more than a list of fluents or of actions".to_owned();
            let question_type = kind.name().to_owned();
            schedule.left_out.insert(LeftOut { question_type, family: family.clone(), reason });
        }
        let told = self.tells_all();
        for kind in Kind::ALL {
            let mut forms = Vec::new();
            for ((_, cell), seen) in self.seen.iter().filter(|((k, _), _)| *k == kind) {
                let idle = self.is_idle(*cell);
                let verdict = match kind {
                    Kind::Verify => {
                        let same_kinds = !told && self.needs_same_kinds(*cell, seen);
                        let matching = self.matching(cell.scene, seen, (idle, same_kinds));
                        matching.map(|matching| (matching, same_kinds, AnswerTargets::default()))
                    }
                    Kind::Count | Kind::Other => {
                        self.open(cell.scene, seen, idle).map(|targets| (Matching::Balanced, false, targets))
                    }
                };
                match verdict {
                    Ok((matching, same_kinds, answers)) => forms.push(UsableForm {
                        cell: *cell,
                        family: seen.family.clone(),
                        matching,
                        same_kinds,
                        sought: seen.sought > 0,
                        always_trivial: idle,
                        answers,
                        commonest: seen.commonest(),
                    }),
                    Err(reason) => {
                        let (question_type, family) = (kind.name().to_owned(), seen.detail.clone());
                        schedule.left_out.insert(LeftOut {
                            question_type,
                            family,
                            reason: reason.to_owned(),
                        });
                    }
                }
            }
            schedule.deal(kind, forms, rng);
        }
        schedule
    }

    /// Do the stories have no actions before the scene?
    fn is_idle(&self, cell: FormCell) -> bool {
        self.idle && !matches!(cell.scene, Timepoint::AfterOne | Timepoint::AfterTwo)
    }

    /// Must the two stories of a pair have actions of the same kinds, since these tell the answer of the form, or may?
    fn needs_same_kinds(&self, cell: FormCell, seen: &Seen) -> bool {
        !self.is_idle(cell) && seen.sought == 0 && seen.kinds.may_tell()
    }

    /// Could no verify form be asked if all that need it were matched by the kinds of actions? Then none is.
    fn tells_all(&self) -> bool {
        let asked = |((kind, cell), seen): (&(Kind, FormCell), &Seen)| {
            let same_kinds = self.needs_same_kinds(*cell, seen);
            *kind == Kind::Verify
                && self.matching(cell.scene, seen, (self.is_idle(*cell), same_kinds)).is_ok()
        };
        !self.seen.iter().any(asked)
    }

    /// How the questions of a verify form are matched, if they can be, of stories without actions, or whose actions must be of
    /// the same kinds.
    fn matching(
        &self,
        scene: Timepoint,
        seen: &Seen,
        (idle, same_kinds): (bool, bool),
    ) -> Result<Matching, &'static str> {
        if scene == Timepoint::Initially {
            return Err("the initial situation answers it");
        }
        let often = |count: usize| count as f64 >= LEAST_SHARE * self.layouts as f64;
        let [any_mixed, any_changed, any_same, untouched] = seen.matched;
        let any = [any_mixed, any_changed, any_same];
        let counts = if same_kinds { seen.matched_by_kinds } else { any };
        let [mixed, changed, same] = counts.map(often);
        if idle {
            return if same {
                Ok(Matching::Idle)
            } else {
                Err("one of its labels is too rare to be balanced")
            };
        }
        // Two answers in turn need both kinds of pairs about as often.
        let balanced = counts[1] as f64 >= MOSTLY * counts[2] as f64;
        match (mixed, changed) {
            _ if seen.sought > 0 => return Ok(Matching::Mixed),
            _ if seen.settled() => {}
            (_, true) if same && balanced => return Ok(Matching::Balanced),
            (true, _) => return Ok(Matching::Mixed),
            _ => {}
        }
        // Within the family of further actions the others set the measure.
        match often(untouched)
            && seen.family != AFTER
            && seen.changed as f64 >= LEAST_CHANGED * self.stories as f64
        {
            true => Ok(Matching::Settled),
            false if seen.stories * 4 < self.stories => Err("it can rarely be asked"),
            false if same_kinds && any.into_iter().any(often) => {
                Err("what is done to other things may tell its answer")
            }
            false => Err("the actions named settle its answer"),
        }
    }

    /// The answers of a count or other form, if it may be used.
    fn open(&self, scene: Timepoint, seen: &Seen, idle: bool) -> Result<AnswerTargets, &'static str> {
        let total: usize = seen.answers.values().sum();
        let most = seen.answers.values().max().copied().unwrap_or(0);
        if seen.answers.len() < 2 || most as f64 > MOST_SAME * total as f64 {
            return Err("its answer hardly varies");
        }
        if scene == Timepoint::Initially && !idle {
            return Err("the initial situation answers it");
        }
        if !idle && (seen.changed as f64) < LEAST_CHANGED * self.stories as f64 {
            return Err("its answer hardly ever depends on the actions");
        }
        // Together, many forms with the same two numbers would make these too frequent.
        let least = match seen.answers.len() {
            _ if seen.family == AFTER => FEW_ANSWERS - 1,
            possible => possible.min(FEW_ANSWERS),
        };
        let mut reason = "its answer is nearly always the same";
        for share in [LEAST_ANSWER, LEAST_RARE_ANSWER] {
            let targets = self.targets(seen, share);
            if targets.classes().iter().all(|class| *class == AnswerClass::Nothing) {
                continue;
            }
            if !idle && targets.changed.iter().all(|class| *class == AnswerClass::Nothing) {
                reason = "its answer hardly ever depends on the actions";
            } else if targets.fewer_numbers_than(least) || least == FEW_ANSWERS && targets.leans_on_a_number()
            {
                reason = "too few of its answers are common";
            } else {
                return Ok(targets);
            }
        }
        Err(reason)
    }

    /// The classes that a form's answers are spread over, those that at least this share of stories offers: numbers
    /// equally often, and no object seldom.
    ///
    /// The initial situation is to give half of the answers, and of no class more than it must.
    fn targets(&self, seen: &Seen, least: f64) -> AnswerTargets {
        let common = |count: usize| count as f64 >= least * self.stories as f64;
        let offered =
            |class: &AnswerClass| seen.classes.get(class).map_or([false; 2], |counts| counts.map(common));
        let some: Vec<AnswerClass> = seen
            .classes
            .keys()
            .copied()
            .filter(|class| *class != AnswerClass::Nothing && offered(class) != [false; 2])
            .collect();
        let nothing = offered(&AnswerClass::Nothing) != [false; 2] && !some.is_empty();
        let weight = |class: &AnswerClass| match class {
            AnswerClass::Nothing => some.len() as f64 / (ONE_OF_NOTHING - 1) as f64,
            _ => 1.0,
        };
        let classes: Vec<AnswerClass> =
            some.iter().copied().chain(nothing.then_some(AnswerClass::Nothing)).collect();
        let sum = |of: [bool; 2]| classes.iter().filter(|c| offered(c) == of).map(weight).sum::<f64>();
        let (both, same) = (sum([true, true]), sum([false, true]));
        let all = both + same + sum([true, false]);
        let share = if both > 0.0 { ((all / 2.0 - same) / both).clamp(0.0, 1.0) } else { 0.0 };
        let mut targets = AnswerTargets::default();
        for class in classes {
            let share = match offered(&class) {
                [true, true] => share,
                [_, same] => f64::from(u8::from(same)),
            };
            let parts = PARTS * weight(&class);
            let times = |part: f64| part.round() as usize;
            targets.same.extend(std::iter::repeat_n(class, times(parts * share)));
            targets.changed.extend(std::iter::repeat_n(class, times(parts * (1.0 - share))));
        }
        // What the initial situation gives is no more than half.
        let changed = targets.changed.clone();
        while !self.idle && !changed.is_empty() && targets.same.len() > targets.changed.len() {
            targets.changed.extend_from_slice(&changed);
        }
        targets
    }
}

impl Seen {
    /// The class of answers that there is most often, or that there are no objects.
    fn commonest(&self) -> Option<AnswerClass> {
        let most = self
            .classes
            .iter()
            .max_by_key(|(class, counts)| (**class == AnswerClass::Nothing, counts.iter().sum::<usize>()));
        most.map(|(class, _)| *class).filter(|_| self.classes.len() > 1)
    }

    fn see_pairs(&mut self, no: &[Profiled], yes: &[Profiled]) {
        // What is alike in a closer way is alike in the loosest, too.
        let any = |some: &[(bool, bool)], same_kinds: bool| {
            some.iter().any(|(y, n)| has_pairs(yes, no, (loosest(same_kinds), *y, *n)))
        };
        let some: [&[(bool, bool)]; 3] =
            [&[(true, false), (false, true)], &[(false, false)], &[(true, true)]];
        for (place, some) in some.into_iter().enumerate() {
            self.matched[place] += usize::from(any(some, false));
            self.matched_by_kinds[place] += usize::from(any(some, true));
        }
        let untouched = |all: &[Profiled]| -> BTreeSet<u64> {
            let untouched = all.iter().filter(|one| one.trivial && one.is_settled());
            untouched.map(|one| one.profile.near[0]).collect()
        };
        self.matched[3] += usize::from(!untouched(yes).is_disjoint(&untouched(no)));
    }

    /// Does the last action that touches a question tell its answer, among those of one pattern? Both answers count
    /// alike, however rare one is.
    fn settled(&self) -> bool {
        let mut patterns: BTreeMap<u64, [f64; 2]> = BTreeMap::new();
        for ((pattern, _), counts) in &self.touched {
            let sums = patterns.entry(*pattern).or_default();
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        // A pattern weighs as much as it has pairs.
        let pairs = |[no, yes]: [f64; 2]| no.min(yes);
        let all: f64 = patterns.values().copied().map(pairs).sum();
        if all < FEWEST_TOUCHED {
            return false;
        }
        let right = self.touched.iter().map(|((pattern, _), [no, yes])| {
            let sums = patterns[pattern];
            let share = |count: f64, sum: f64| if sum > 0.0 { count / sum } else { 0.0 };
            pairs(sums) * share(*no, sums[0]).max(share(*yes, sums[1])) / 2.0
        });
        right.sum::<f64>() >= SETTLED * all
    }
}

/// What a question is about, for the purpose of asking all equally often.
fn family(scene: Timepoint, functor: &str) -> String {
    match scene {
        Timepoint::AfterOne | Timepoint::AfterTwo => AFTER.to_owned(),
        Timepoint::Initially => "initially".to_owned(),
        Timepoint::Now | Timepoint::Supposing => functor.to_owned(),
    }
}

pub(crate) fn describe(package: &Package, functor: &str, voice: QuestionForm, scene: Timepoint) -> String {
    let form = match voice {
        QuestionForm::Ask(e)
        | QuestionForm::Which(e, _)
        | QuestionForm::Count(e, _)
        | QuestionForm::Changes(e) => &package.book.fluents[e].pattern,
        QuestionForm::Can(e) => &package.book.actions[e].pattern,
        QuestionForm::Own(e) => &package.book.questions[e].pattern,
        QuestionForm::Common(e) => &package.common.questions[e].pattern,
    };
    let slots = form.slots();
    let slots = match voice {
        QuestionForm::Which(e, p) => vec![slots[package.book.fluents[e].which[p].0]],
        QuestionForm::Count(e, p) => vec![slots[package.book.fluents[e].count[p].0]],
        _ => slots,
    };
    let scene = match scene {
        Timepoint::Now | Timepoint::Supposing => "",
        Timepoint::AfterOne => ", after one further action",
        Timepoint::AfterTwo => ", after two further actions",
        Timepoint::Initially => ", about the initial situation",
    };
    let inner = if matches!(voice, QuestionForm::Can(_) | QuestionForm::Changes(_)) {
        format!(" {}", form.functor)
    } else {
        String::new()
    };
    let slots = if slots.is_empty() { String::new() } else { format!(" ({})", slots.join(", ")) };
    format!("{functor}{inner}{slots}{scene}")
}
