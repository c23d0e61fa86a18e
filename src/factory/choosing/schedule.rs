//! A level and depth to a schedule: which question forms are put how often, so that labels balance.
//!
//! Which forms there are, and how their questions are matched, a probe finds out (see the module `probe`).

use std::collections::{BTreeMap, BTreeSet};

use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::items::apportion::apportion;
use crate::language::words::lexicon::QuestionForm;
use crate::simulate::story::Timepoint;
use crate::simulate::transitions::compiled_layout::Kind;

/// A question form in a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormCell {
    /// The scene.
    pub scene: Timepoint,
    /// The form.
    pub voice: QuestionForm,
}

/// How the two verify questions of a pair are matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    /// By profile; the initial situation answers one of two rightly, or both and neither in turn.
    Balanced,
    /// By profile; the initial situation answers one of two rightly.
    Mixed,
    /// By profile; there are no actions, so that the initial situation answers everything.
    Idle,
    /// Every action that touches the question settles its answer. Two of three pairs are of one story and untouched, and
    /// the initial situation answers them rightly; of the third, the actions do, and it does not. Then neither is right
    /// more often than in two of three, and no mixture of the two kinds does better.
    Settled,
}

/// What the answers of count and other questions are told apart by, so that they spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AnswerClass {
    /// No object.
    Nothing,
    /// One object.
    One,
    /// Several objects.
    Several,
    /// A number.
    Number(i32),
}

impl AnswerClass {
    /// The class of an answer.
    pub fn of(kind: Kind, answer: &[&Term]) -> AnswerClass {
        match answer {
            [Term::Number(number)] if kind == Kind::Count => AnswerClass::Number(*number),
            [only] if only.is("none", 0) => AnswerClass::Nothing,
            [_] => AnswerClass::One,
            _ => AnswerClass::Several,
        }
    }
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
    /// How a verify question is matched with another.
    pub matching: Matching,
    /// Are the actions of both stories to be of the same kinds, since these tell the answer?
    pub same_kinds: bool,
    /// Are stories to be sought in which it is answered yes?
    pub sought: bool,
    /// What a count or other question should be answered.
    pub answer: Option<AnswerClass>,
    /// What it should not be answered.
    pub avoid: Option<AnswerClass>,
}

impl Wanted {
    /// The same with another answer than it was due, but none that comes too often.
    pub fn respread(self) -> Wanted {
        Wanted { answer: None, ..self }
    }

    /// The same with any answer that has the label.
    pub fn relaxed(self) -> Wanted {
        Wanted { trivial: None, answer: None, avoid: None, ..self }
    }

    /// Will an answer of this class do?
    pub fn takes(&self, class: AnswerClass) -> bool {
        match self.answer {
            Some(wanted) => class == wanted,
            None => self.avoid != Some(class),
        }
    }
}

/// The family of what is left out where a level and depth has no question of a kind.
pub const ANY_FAMILY: &str = "any";

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
    cycles: BTreeMap<Kind, Vec<CyclePlace>>,
    /// Forms that are left out.
    pub left_out: BTreeSet<LeftOut>,
    /// In the order of [`Kind::ALL`], the kinds that cannot be asked, so that the others stand in for them.
    pub lacking: [bool; 3],
    /// Groups and kinds of which the families that were named have no questions, so that other groups ask these.
    pub silent: BTreeSet<(String, Kind)>,
}

/// The classes that the answers of a count or other form are spread over; how often one is listed is its weight.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerTargets {
    /// For answers that the initial situation does not give.
    pub changed: Vec<AnswerClass>,
    /// For answers that the initial situation gives as well.
    pub same: Vec<AnswerClass>,
}

impl AnswerTargets {
    /// All classes, each once.
    pub fn classes(&self) -> BTreeSet<AnswerClass> {
        self.changed.iter().chain(&self.same).copied().collect()
    }

    /// Are so many of them among the classes that are offered, each with whether the initial situation gives it, that
    /// none comes too often if those that are not are never due?
    pub fn are_even_among(&self, offered: &BTreeSet<(AnswerClass, bool)>) -> bool {
        let changed = self.changed.iter().map(|class| (*class, false));
        let all: Vec<(AnswerClass, bool)> =
            changed.chain(self.same.iter().map(|class| (*class, true))).collect();
        let here: Vec<AnswerClass> =
            all.iter().filter(|due| offered.contains(due)).map(|(class, _)| *class).collect();
        let bearable = |class: &AnswerClass| {
            let share = here.iter().filter(|other| *other == class).count() as f64 / here.len() as f64;
            match class {
                AnswerClass::Number(_) => share <= MOST_OF_A_NUMBER,
                AnswerClass::Nothing => share <= MOST_OF_NOTHING,
                AnswerClass::One | AnswerClass::Several => true,
            }
        };
        here.len() == all.len() || (!here.is_empty() && here.iter().all(bearable))
    }

    /// How many numbers a count form has too few for none of them to be frequent.
    fn lacking_numbers(&self) -> usize {
        match self.fewer_numbers_than(FEW_ANSWERS) {
            true => FEW_ANSWERS - self.classes().len(),
            false => 0,
        }
    }

    /// Does a form with these answers have numbers for answers, and of fewer kinds than this?
    pub fn fewer_numbers_than(&self, least: usize) -> bool {
        let classes = self.classes();
        classes.iter().any(|class| matches!(class, AnswerClass::Number(_))) && classes.len() < least
    }

    /// Is one number due more often than among so few answers it must be?
    pub fn leans_on_a_number(&self) -> bool {
        let all = || self.changed.iter().chain(&self.same);
        let count = |class: &AnswerClass| all().filter(|other| *other == class).count();
        let numbers = all().filter(|class| matches!(class, AnswerClass::Number(_)));
        numbers.map(count).max().unwrap_or(0) * (FEW_ANSWERS - 1) > all().count()
    }

    /// The class that is due, and whether the initial situation should give it. Where half of the answers may be such,
    /// `trivial` says so.
    fn due(&self, turn: u64, trivial: bool) -> Option<(AnswerClass, bool)> {
        let (same, all) = (self.same.len(), self.same.len() + self.changed.len());
        let spread = (turn.wrapping_mul(GOLDEN) >> 32) as usize;
        let even = all.abs_diff(2 * same) * 10 <= all;
        let trivial = if even { trivial } else { spread % all < same };
        let classes = if trivial { &self.same } else { &self.changed };
        let spread = if even { spread } else { spread / all };
        Some((*classes.get(spread % classes.len().max(1))?, trivial))
    }
}

/// A form that questions are asked in, and how.
#[derive(Clone, Debug)]
pub struct UsableForm {
    /// The form and scene.
    pub cell: FormCell,
    /// What is asked about; of questions about further actions, only that it is such a question.
    pub family: String,
    /// How its verify questions are matched.
    pub matching: Matching,
    /// Must the actions of both stories be of the same kinds?
    pub same_kinds: bool,
    /// Where stories are to be sought for it.
    pub sought: bool,
    /// Where its answers always are as the initial situation gives them.
    pub always_trivial: bool,
    /// The classes that its answers are to be spread over.
    pub answers: AnswerTargets,
    /// The class that comes too often of its own.
    pub commonest: Option<AnswerClass>,
}

/// A place of a cycle.
#[derive(Clone, Debug)]
struct CyclePlace {
    form: UsableForm,
    /// The number of the form, and how many numbers its answers lack: both are asked for with each card.
    which: usize,
    lacking: usize,
    /// Which of the places of the form's family and matching this is, and how many of them there are.
    number: u64,
    of: u64,
    /// What the count of its turns begins with.
    start: u64,
}

/// The share of verify questions about what every action that touches it settles.
const SETTLED_SHARE: f64 = 0.16;
/// The share of questions about further actions.
const AFTER_SHARE: f64 = 0.25;
/// The name of the family of questions about further actions.
pub const AFTER: &str = "after";
/// A count form that may have this many answers or more is spread over so many at least: then none is too frequent.
pub const FEW_ANSWERS: usize = 4;
/// The most that one number, and that no object, may be of the answers of a form that lacks some.
const MOST_OF_A_NUMBER: f64 = 0.27;
const MOST_OF_NOTHING: f64 = 0.13;
/// How many places a cycle has for each form, on average.
const PLACES_OF_A_FORM: usize = 6;

/// A number that spreads others evenly (Knuth, The Art of Computer Programming 3, section 6.4).
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl Schedule {
    /// Deals the forms of a kind: families equally often, and within each its forms.
    pub fn deal(&mut self, kind: Kind, forms: Vec<UsableForm>, rng: &mut ChaCha8Rng) {
        let weights = weights(&forms);
        // No common factor with two and three: then each place of the cycle meets each turn of two and of three.
        let mut length = forms.len() * PLACES_OF_A_FORM + 1;
        while length.is_multiple_of(2) || length.is_multiple_of(3) {
            length += 1;
        }
        // Each form has one place at least.
        let rest = (length - forms.len()) as u64;
        let counts = if forms.is_empty() { Vec::new() } else { apportion(rest, &weights) };
        let mut places: Vec<(f64, usize, UsableForm)> = Vec::new();
        for (which, (form, count)) in forms.into_iter().zip(counts).enumerate() {
            let start: f64 = rng.random();
            let place = |n| ((n as f64 + start) / (count + 1) as f64, which, form.clone());
            places.extend((0..=count).map(place));
        }
        places.sort_by(|(a, _, x), (b, _, y)| a.total_cmp(b).then(x.cell.cmp(&y.cell)));
        let mut families: BTreeMap<(bool, String), (u64, u64)> = BTreeMap::new();
        let mut cycle: Vec<CyclePlace> = Vec::new();
        for (_, which, form) in places {
            let (number, start) = families.entry(group(&form)).or_insert_with(|| (0, rng.random_range(0..6)));
            let lacking = form.answers.lacking_numbers();
            cycle.push(CyclePlace { form, which, lacking, number: *number, of: 0, start: *start });
            *number += 1;
        }
        cycle.iter_mut().for_each(|place| place.of = families[&group(&place.form)].0);
        self.cycles.insert(kind, cycle);
    }

    /// The kinds that have any form.
    pub fn has(&self, kind: Kind) -> bool {
        self.cycles.get(&kind).is_some_and(|c| !c.is_empty())
    }

    /// The families that are asked about, of a kind; questions about further actions are one.
    pub fn families(&self, kind: Kind) -> impl Iterator<Item = &str> {
        self.cycles.get(&kind).into_iter().flatten().map(|place| place.form.family.as_str())
    }

    /// Does a count form have too few numbers for answers for none of them to be frequent?
    pub fn lacks_numbers(&self, kind: Kind, cell: FormCell) -> bool {
        self.place(kind, cell).is_some_and(|place| place.lacking > 0)
    }

    /// What the answers of a form are spread over.
    pub fn answers(&self, kind: Kind, cell: FormCell) -> Option<&AnswerTargets> {
        Some(&self.place(kind, cell)?.form.answers)
    }

    fn place(&self, kind: Kind, cell: FormCell) -> Option<&CyclePlace> {
        self.cycles.get(&kind)?.iter().find(|place| place.form.cell == cell)
    }

    /// The `n`-th card of a kind, and after it the cards to fall back on, one for each form, with the same label; those
    /// whose answer is settled, and those with few numbers for answers, come last.
    ///
    /// Cards of verify questions come in pairs, one for each label: the first has an even number.
    pub fn cards(&self, kind: Kind, n: u64) -> impl Iterator<Item = Wanted> + '_ {
        let cycle = self.cycles.get(&kind).map_or(&[][..], Vec::as_slice);
        let turn = if kind == Kind::Verify { n / 2 } else { n };
        let length = cycle.len().max(1) as u64;
        let (round, at) = (turn / length, (turn % length) as usize);
        // A form has one place at least, so that its number is below those of the places.
        let mut seen = vec![false; cycle.len()];
        let places = (0..cycle.len()).map(|step| &cycle[(at + step) % cycle.len()]);
        let is_new = |place: &&CyclePlace| !std::mem::replace(&mut seen[place.which], true);
        let mut places: Vec<&CyclePlace> = places.filter(is_new).collect();
        if let Some(others) = places.get_mut(1..) {
            others.sort_by_key(|place| (place.form.matching == Matching::Settled, place.lacking));
        }
        places.into_iter().map(move |CyclePlace { form, number, of, start, .. }| {
            let trivial = form.always_trivial
                || match form.matching {
                    Matching::Settled if kind == Kind::Verify => (start + round * of + number) % 3 != 2,
                    _ => turn.is_multiple_of(2),
                };
            let due = form.answers.due(turn, trivial);
            Wanted {
                cell: form.cell,
                yes: (turn + n).is_multiple_of(2),
                trivial: Some(due.map_or(trivial, |(_, trivial)| trivial)),
                matching: form.matching,
                same_kinds: form.same_kinds,
                sought: form.sought,
                answer: due.map(|(class, _)| class),
                avoid: form.commonest,
            }
        })
    }
}

/// Forms that are weighed together: a family's, those that actions settle apart from the others.
fn group(form: &UsableForm) -> (bool, String) {
    (form.matching == Matching::Settled, form.family.clone())
}

/// How often each form is asked: families equally often, but those that actions settle, and those about further
/// actions, have their share.
fn weights(forms: &[UsableForm]) -> Vec<f64> {
    let mut sizes: BTreeMap<(bool, String), f64> = BTreeMap::new();
    forms.iter().for_each(|form| *sizes.entry(group(form)).or_default() += 1.0);
    let count = |settled: bool, after: bool| {
        sizes.keys().filter(|(s, family)| *s == settled && (family == AFTER) == after).count() as f64
    };
    // What is asked of the situation now weighs one a family; the rest has its share of the whole.
    let now = count(false, false).max(1.0);
    let after = now * AFTER_SHARE / (1.0 - AFTER_SHARE);
    let dependent = now + if count(false, true) > 0.0 { after } else { 0.0 };
    let settled =
        dependent * SETTLED_SHARE / (1.0 - SETTLED_SHARE) / (count(true, false) + count(true, true)).max(1.0);
    // A level that offers two or three numbers should not make these too frequent among those of all levels.
    let few = |form: &UsableForm| match form.answers.fewer_numbers_than(FEW_ANSWERS) {
        true => (form.answers.classes().len() as f64 / FEW_ANSWERS as f64).powi(8),
        false => 1.0,
    };
    let weight = |form: &UsableForm| {
        let family = match (form.matching == Matching::Settled, form.family == AFTER) {
            (true, _) => settled,
            (false, true) => after,
            (false, false) => 1.0,
        };
        few(form) * family / sizes[&group(form)]
    };
    forms.iter().map(weight).collect()
}
