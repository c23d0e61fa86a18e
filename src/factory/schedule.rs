//! A level and depth to a schedule: which question forms are put how often, so that labels balance.
//!
//! A probe of the level's stories finds out which forms can be asked with either label, with answers that depend
//! on the actions and with answers that do not; the others are left out, and the manifest says why.

use std::collections::{BTreeMap, BTreeSet};

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use crate::domain::package::Package;
use crate::language::words::lexicon::{Lexicon, QuestionForm};
use crate::simulate::situation::AnswerSheet;
use crate::simulate::story::{Story, Timepoint};
use crate::simulate::transition_system::{Kind, TransitionSystem};

/// A question form in a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormCell {
    /// The scene.
    pub scene: Timepoint,
    /// The form.
    pub voice: QuestionForm,
}

/// What a question has in common with others that it is paired with, beyond its form: were that left open, it would
/// give answers away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kin {
    /// Of a question about an action's effect, how many objects the fluent has that the action does not name.
    strangers: usize,
    /// Of such a question, the first of the actions that share the supposed one's functor.
    action: Option<usize>,
}

/// What one place of the schedule asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The form and scene.
    pub cell: FormCell,
    /// Of a verify question, the label.
    pub yes: bool,
    /// Should the answer be the one the initial situation gives? No preference where the form allows no choice.
    pub trivial: Option<bool>,
}

/// A form that is left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct LeftOut {
    /// `verify`, `count` or `other`.
    pub question_type: String,
    /// The family, with the form where that says more.
    pub family: String,
    /// Why.
    pub reason: String,
}

/// The cycle of forms of each kind of question.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    cycles: BTreeMap<Kind, Vec<SchedulePlace>>,
    /// Forms that are left out.
    pub left_out: BTreeSet<LeftOut>,
}

#[derive(Clone, Copy, Debug)]
struct SchedulePlace {
    cell: FormCell,
    yes_first: bool,
    trivial_first: bool,
    trivial_varies: Option<bool>,
}

/// How often a form is put in the situation after the plan, for each time it is put after further actions. A
/// form whose answers do not depend on the actions is put no more often than that.
const NOW_WEIGHT: usize = 4;
/// A form is used if at least this share of stories offers each label, and each triviality.
const LEAST_SHARE: f64 = 0.08;
/// A form is left out if one answer takes more than this share.
const MOST_SAME: f64 = 0.97;

/// What the probe saw of one form.
#[derive(Default)]
struct Seen {
    stories: usize,
    family: String,
    /// Stories that offer a label and triviality: [no, yes] x [depends on the actions, trivial].
    offers: [[usize; 2]; 2],
    answers: BTreeMap<Vec<usize>, usize>,
}

/// Gathers what stories offer.
#[derive(Default)]
pub struct Probe {
    stories: usize,
    seen: BTreeMap<(Kind, FormCell), Seen>,
    /// Families that were seen, and whether their questions can be told in the vocabulary chosen.
    told: BTreeMap<(Kind, String), bool>,
}

impl Probe {
    /// Looks at one story.
    pub fn see(&mut self, package: &Package, engine: &TransitionSystem, lexicon: &Lexicon, story: &Story) {
        self.stories += 1;
        let told = (0..engine.questions.len()).filter(|q| lexicon.form(*q).is_some()).map(|q| (q, true));
        for (question, told) in
            told.chain(lexicon.untold.iter().map(|q| (*q, false))).filter(|_| lexicon.view.is_some())
        {
            let question = &engine.questions[question];
            *self.told.entry((question.kind, question.term.functor().to_owned())).or_default() |= told;
        }
        let mut offers: BTreeMap<(Kind, FormCell), [[bool; 2]; 2]> = BTreeMap::new();
        for scene in Timepoint::ALL {
            let Some(setting) = Setting::new(engine, story, scene) else { continue };
            for index in 0..engine.questions.len() {
                let (Some(voice), Some(offer)) = (lexicon.form(index), setting.offer(index)) else {
                    continue;
                };
                // Of the initial situation only executability is asked (table 7): the text tells the rest.
                if scene == Timepoint::Initially && !matches!(voice, QuestionForm::Can(_)) {
                    continue;
                }
                let kind = engine.questions[index].kind;
                let key = (kind, FormCell { scene, voice });
                let label = usize::from(kind != Kind::Verify || offer.yes);
                offers.entry(key).or_default()[label][usize::from(offer.trivial)] = true;
                let seen = self.seen.entry(key).or_default();
                if seen.family.is_empty() {
                    seen.family = describe(package, engine.questions[index].term.functor(), voice, scene);
                }
                if kind != Kind::Verify {
                    let answers = setting.answers(index).iter().map(|a| answer_code(engine, *a)).collect();
                    *seen.answers.entry(answers).or_default() += 1;
                }
            }
        }
        for (key, offer) in offers {
            let seen = self.seen.entry(key).or_default();
            seen.stories += 1;
            for (sums, label) in seen.offers.iter_mut().zip(offer) {
                sums.iter_mut().zip(label).for_each(|(sum, offered)| *sum += usize::from(offered));
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
        for kind in Kind::ALL {
            let mut forms = Vec::new();
            for ((_, cell), seen) in self.seen.iter().filter(|((k, _), _)| *k == kind) {
                let varies = match self.verdict(kind, cell.scene, seen) {
                    Ok(varies) => varies,
                    Err(reason) => {
                        let family = seen.family.clone();
                        let question_type = kind.name().to_owned();
                        schedule.left_out.insert(LeftOut { question_type, family, reason });
                        continue;
                    }
                };
                let asked_now = matches!(cell.scene, Timepoint::Now | Timepoint::Supposing);
                let weight = if asked_now && varies != Some(true) { NOW_WEIGHT } else { 1 };
                let family = seen.family.split([' ', ',']).next().unwrap_or_default().to_owned();
                let family = if asked_now { family } else { format!("{:?}", cell.scene) };
                forms.extend((0..weight).map(|_| (*cell, family.clone(), varies)));
            }
            forms.shuffle(rng);
            let places = balance(forms);
            schedule.cycles.insert(kind, places);
        }
        schedule
    }

    /// May the form be used, and if so, with which triviality? `None`: both in turn.
    fn verdict(&self, kind: Kind, scene: Timepoint, seen: &Seen) -> Result<Option<bool>, String> {
        let often = |n: usize| n as f64 >= LEAST_SHARE * self.stories as f64;
        let labels: &[usize] = if kind == Kind::Verify { &[0, 1] } else { &[1] };
        let common = |trivial: usize| labels.iter().all(|l| often(seen.offers[*l][trivial]));
        if kind != Kind::Verify {
            let total: usize = seen.answers.values().sum();
            let most = seen.answers.values().max().copied().unwrap_or(0);
            if seen.answers.len() < 2 || most as f64 > MOST_SAME * total as f64 {
                return Err("its answer hardly varies".into());
            }
        }
        match (common(0), common(1)) {
            (_, true) if scene == Timepoint::Initially => Ok(Some(true)),
            (true, true) => Ok(None),
            (true, false) => Ok(Some(false)),
            (false, true) if scene == Timepoint::Now => Ok(Some(true)),
            (false, true) => Err("its answer hardly ever depends on the actions".into()),
            (false, false) if kind == Kind::Verify => {
                Err("one of its labels is too rare to be balanced".into())
            }
            (false, false) => Err("it can rarely be asked".into()),
        }
    }
}

/// Gives the places of a cycle their labels, so that yes and no, and answers that depend on the actions and
/// answers that do not, stay level along the cycle: first within each form, then within each family, then overall.
fn balance(forms: Vec<(FormCell, String, Option<bool>)>) -> Vec<SchedulePlace> {
    let mut level: BTreeMap<String, i32> = BTreeMap::new();
    let mut pick = |keys: [String; 3]| -> bool {
        let lead = |key: &String| level.get(key).copied().unwrap_or(0);
        let first = keys.iter().map(lead).find(|lead| *lead != 0).is_none_or(|lead| lead < 0);
        for key in keys {
            *level.entry(key).or_default() += if first { 1 } else { -1 };
        }
        first
    };
    let mut places = Vec::new();
    for (cell, family, trivial_varies) in forms {
        let yes_first = pick([format!("label {cell:?}"), format!("label {family}"), "label".into()]);
        let trivial_first = pick([
            format!("trivial {cell:?} {yes_first}"),
            format!("trivial {family} {yes_first}"),
            format!("trivial {yes_first}"),
        ]);
        places.push(SchedulePlace { cell, yes_first, trivial_first, trivial_varies });
    }
    places
}

impl Schedule {
    /// The kinds that have any form.
    pub fn has(&self, kind: Kind) -> bool {
        self.cycles.get(&kind).is_some_and(|c| !c.is_empty())
    }

    /// The `n`-th card of a kind, and after it the cards to fall back on, one for each form, with the same label.
    ///
    /// Cards of verify questions come in pairs, one for each label: the first has an even number.
    pub fn cards(&self, kind: Kind, n: u64) -> impl Iterator<Item = Wanted> + '_ {
        let cycle = self.cycles.get(&kind).map_or(&[][..], Vec::as_slice);
        let length = cycle.len().max(1) as u64;
        let turn = if kind == Kind::Verify { n / 2 } else { n };
        let (round, at) = (turn / length, (turn % length) as usize);
        let first = cycle.get(at).map(|p| (round + n).is_multiple_of(2) == p.yes_first);
        let mut seen = BTreeSet::new();
        let places = (0..cycle.len()).map(move |step| cycle[(at + step) % cycle.len()]);
        places.filter(move |place| seen.insert(place.cell)).map(move |place| Wanted {
            cell: place.cell,
            yes: first.unwrap_or(true),
            trivial: place.trivial_varies.or(Some(round.is_multiple_of(2) == place.trivial_first)),
        })
    }
}

/// What a question offers in one scene.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Is the answer yes?
    pub yes: bool,
    /// Does the initial situation give the same answer?
    pub trivial: bool,
}

/// A scene of a story, set for questions.
pub struct Setting<'a> {
    engine: &'a TransitionSystem,
    sheet: &'a AnswerSheet,
    supposed: Option<usize>,
    /// The first action with the functor of the supposed one.
    action: Option<usize>,
    before: Option<&'a AnswerSheet>,
    /// In the supposing scene, the sheet without the supposed action: what it answers is not asked.
    plain: Option<&'a AnswerSheet>,
}

impl<'a> Setting<'a> {
    /// Sets a scene, if the story has it.
    pub fn new(engine: &'a TransitionSystem, story: &'a Story, scene: Timepoint) -> Option<Setting<'a>> {
        let (sheet, before) = story.sheet(scene)?;
        let plain =
            if scene == Timepoint::Supposing { story.sheet(Timepoint::Now).map(|(s, _)| s) } else { None };
        let supposed = story.further.first().copied().filter(|_| scene == Timepoint::Supposing);
        let functor = supposed.map(|action| engine.actions[action].functor());
        let action = functor.and_then(|f| engine.actions.iter().position(|a| a.functor() == f));
        Some(Setting { engine, sheet, supposed, action, before, plain })
    }

    /// See [`Kin`].
    pub fn kin(&self, question: usize) -> Kin {
        let term = &self.engine.questions[question].term;
        let Some(action) = self.supposed.filter(|_| term.is("changes", 1)) else { return Kin::default() };
        let mut named: Vec<&Term> = Vec::new();
        atoms(&self.engine.actions[action], &mut named);
        let mut objects = Vec::new();
        atoms(&term.args()[0], &mut objects);
        let strangers = objects.iter().filter(|object| !named.contains(object)).count();
        Kin { strangers, action: self.action }
    }

    /// What a question offers, if it can be asked.
    pub fn offer(&self, question: usize) -> Option<Candidate> {
        let question = &self.engine.questions[question];
        let (mut asked, mut yes, mut same) = (false, false, true);
        for answer in question.answers.clone() {
            let now = self.sheet.contains(answer);
            asked |= now;
            yes |= now && question.yes == Some(answer);
            same &= self.before.is_some_and(|before| before.contains(answer) == now);
            if self.plain.is_some_and(|plain| plain.contains(answer)) {
                return None;
            }
        }
        asked.then_some(Candidate { yes, trivial: same })
    }

    /// The answers to a question, as indices into [`answers`](crate::simulate::transition_system::CompiledLayout::answers).
    pub fn answers(&self, question: usize) -> Vec<usize> {
        self.engine.questions[question].answers.clone().filter(|a| self.sheet.contains(*a)).collect()
    }
}

/// The constants of a term.
fn atoms<'t>(term: &'t Term, found: &mut Vec<&'t Term>) {
    if term.args().is_empty() {
        found.push(term);
    }
    term.args().iter().for_each(|arg| atoms(arg, found));
}

/// What makes answers differ between layouts: the number, or how many objects there are.
fn answer_code(engine: &TransitionSystem, answer: usize) -> usize {
    match &engine.answers[answer].answer {
        racgen_logic::term::Term::Number(n) => *n as usize + 1,
        t if t.is("none", 0) => 0,
        t => {
            1000 + t
                .to_string()
                .bytes()
                .fold(0usize, |h, b| h.wrapping_mul(31).wrapping_add(b as usize) % 100_003)
        }
    }
}

fn describe(package: &Package, functor: &str, voice: QuestionForm, scene: Timepoint) -> String {
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
