//! Items to what each family gives away without its story being followed: by the question and the actions as a bag, by
//! the initial state, by the pattern of the question; and, where the answer is no yes or no, by what it mostly is, and by how the
//! things look that a question lists.
//!
//! Items of all splits, levels and depths are taken together, by domain, type and family. Learners are
//! cross-validated by world. Where there are several domains, all their items are learned together as well. A share counts as
//! too large where chance cannot be why, as many as are looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap as HashMap;
use serde::Serialize;

use crate::audit::attacks::answering::told;
use crate::audit::attacks::bag::{Bag, Sight, Touch, columns};
use crate::audit::attacks::boost::{BinnedColumn, guesses};
use crate::audit::attacks::bounded_share::BoundedShare;
use crate::audit::attacks::choosing::ChoiceGiveaway;
use crate::audit::attacks::folds::{FOLDS, fold};
use crate::audit::attacks::holm::above_bounds;
use crate::audit::attacks::initially::counts;
use crate::audit::attacks::item::{AuditItem, Interner, label};
use crate::audit::attacks::options::FAILED_ACTION;
use crate::audit::attacks::shortcuts::{AttackCell, Deviation};
use crate::audit::attacks::thresholds::Thresholds;

/// Nothing is said of fewer items of a family.
const LEAST_LEARNED: usize = 50;
/// Answers that a family must have to be held to the bounds on a single one.
const LEAST_ANSWERS: usize = 4;
/// The name of all families of a domain together.
const ALL: &str = "all";
/// What cells of these measures have for a split.
const SPLITS: &str = "all splits,";

/// What the yes/no questions of a family give away.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FamilyGiveaway {
    /// Name of the domain.
    pub domain: String,
    /// What is asked about; `all` for a whole domain.
    pub family: String,
    /// Is it about two of three answers, in the items that have one of them?
    #[serde(skip)]
    pub of_three: bool,
    /// Number of items.
    pub items: usize,
    /// Does the last action that names an object asked about all but fix the answer? Of a whole domain: no.
    pub settled: bool,
    /// Where an action names such an object: the share of answers that the last one fixes. Of a whole domain: the
    /// share of items in settled families.
    pub fixed: BoundedShare,
    /// The share of yes.
    pub yes: BoundedShare,
    /// The accuracy of trees that see the question and the actions as a bag.
    pub a: BoundedShare,
    /// The share of items with the answer that the initial state gives, where that is known.
    pub i: BoundedShare,
    /// The accuracy of trees that see the question's form and the pattern of its names.
    pub pattern: BoundedShare,
    /// The accuracy of trees that see these and the facts of the initial situation, where it is asked what is sure or possible.
    #[serde(skip_serializing_if = "BoundedShare::is_empty")]
    pub facts: BoundedShare,
}

/// What the answers of a family of count or other questions give away.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnswerGiveaway {
    /// Name of the domain.
    pub domain: String,
    /// `count` or `other`.
    pub question_type: String,
    /// What is asked about.
    pub family: String,
    /// Number of items.
    pub items: usize,
    /// How many answers there are.
    pub answers: usize,
    /// The most frequent one.
    pub most: String,
    /// Its share.
    pub share: BoundedShare,
    /// The share of the answer `none`.
    pub none: BoundedShare,
    /// The share of items with the answer that the initial state gives, where that is known.
    pub i: BoundedShare,
    /// How often the question alone tells an answer of statements or actions; nothing where answers are of another type.
    pub pattern: BoundedShare,
    /// How often the right one of what the questions list is told.
    pub choice: ChoiceGiveaway,
}

/// All that is given away.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Giveaways {
    /// Families of yes/no questions, those of a domain before the domain as a whole.
    pub families: Vec<FamilyGiveaway>,
    /// Families of other questions.
    pub answers: Vec<AnswerGiveaway>,
    /// What is above its bound.
    pub deviations: Vec<Deviation>,
    /// What would be above its bound if it were looked at alone, and may be chance among all that is.
    pub suspicions: Vec<Deviation>,
}

/// Items of a family.
type FamilyItems<'i> = Vec<(&'i AuditItem, &'i Bag, bool)>;

/// Measures everything.
pub fn measure(items: &[AuditItem], texts: &Interner, thresholds: &Thresholds) -> Giveaways {
    let name = |number: u32| texts.text(number).clone();
    let mut verify: BTreeMap<[Arc<str>; 2], FamilyItems> = BTreeMap::new();
    let mut others: BTreeMap<[Arc<str>; 3], Vec<&AuditItem>> = BTreeMap::new();
    // Of three answers each two are told apart on their own; where questions cross, those that are settled and those that are not.
    let mut threes: BTreeMap<[Arc<str>; 2], BTreeSet<u32>> = BTreeMap::new();
    for item in items.iter().filter(|item| item.certain && item.settled.is_none()) {
        threes.entry([name(item.domain), name(item.family)]).or_default().insert(item.answer);
    }
    let mut paired: BTreeSet<[Arc<str>; 2]> = BTreeSet::new();
    for item in items {
        let (domain, family) = (name(item.domain), name(item.family));
        if item.certain {
            let place = [domain.clone(), family.clone()];
            if let Some(settled) = item.settled {
                let place: [Arc<str>; 2] = [domain.clone(), format!("{family}: settled or not").into()];
                paired.insert(place.clone());
                let bag = item.bag.iter().map(|bag| (item, &**bag, settled));
                verify.entry(place).or_default().extend(bag);
            }
            for other in threes.get(&place).into_iter().flatten().filter(|other| **other != item.answer) {
                let (one, two) = (item.answer.min(*other), item.answer.max(*other));
                let both = format!("{family}: {} or {}", texts.text(one), texts.text(two));
                let place: [Arc<str>; 2] = [domain.clone(), both.into()];
                paired.insert(place.clone());
                let bag = item.bag.iter().map(|bag| (item, &**bag, item.answer == two));
                verify.entry(place).or_default().extend(bag);
            }
            if item.acts {
                others.entry([domain, name(item.question_type), family]).or_default().push(item);
            }
            continue;
        }
        match &item.bag {
            Some(bag) => {
                let yes = label(texts.text(item.answer)) == Some(true);
                verify.entry([domain, family]).or_default().push((item, bag, yes));
            }
            None if label(texts.text(item.answer)).is_none() && item.acts => {
                others.entry([domain, name(item.question_type), family]).or_default().push(item);
            }
            None => {}
        }
    }
    let verify: Vec<_> = verify.into_iter().collect();
    let domains: BTreeSet<&Arc<str>> = verify.iter().map(|([domain, _], _)| domain).collect();
    let pooled: Option<FamilyItems> = (domains.len() > 1).then(|| {
        let plain = verify.iter().filter(|(place, _)| !paired.contains(place));
        plain.flat_map(|(_, items)| items.iter().copied()).collect()
    });
    let pooled = pooled.filter(|items| !items.is_empty()).map(|items| of_family(&items, texts, thresholds));
    let measured = verify.into_par_iter().map(|([domain, family], items)| {
        let of_three = paired.contains(&[domain.clone(), family.clone()]);
        let mut found = of_family(&items, texts, thresholds);
        if of_three {
            // The initial situation has three answers, too, and what it has is said of all of them together.
            found.i = BoundedShare::default();
        }
        let found = FamilyGiveaway { of_three, ..found };
        FamilyGiveaway { domain: domain.to_string(), family: family.to_string(), ..found }
    });
    let mut found = Giveaways::default();
    for family in measured.collect::<Vec<_>>() {
        if found.families.last().is_some_and(|last| last.domain != family.domain) {
            found.close_domain(thresholds);
        }
        found.families.push(family);
    }
    found.close_domain(thresholds);
    found.families.extend(pooled.map(|pooled| FamilyGiveaway {
        domain: ALL.into(),
        family: ALL.into(),
        settled: false,
        // The share of settled families is one of each domain.
        fixed: BoundedShare::default(),
        ..pooled
    }));
    found.answers = others.into_par_iter().map(|(place, items)| answers(&place, &items, texts)).collect();
    let mut judge = Judge { thresholds, noted: Vec::new() };
    found.families.iter().for_each(|family| judge.family(family));
    found.answers.iter().for_each(|family| judge.answers(family));
    (found.deviations, found.suspicions) = judge.above();
    found
}

impl Giveaways {
    /// Adds the last domain as a whole. A family that may be settled is held to the bounds of settled ones; among their
    /// share it counts only if it was measured to be.
    fn close_domain(&mut self, thresholds: &Thresholds) {
        let settles = |family: &FamilyGiveaway| {
            family.settled && family.fixed.value().is_some_and(|share| share >= thresholds.of("settled"))
        };
        let Some(domain) = self.families.last().map(|family| family.domain.clone()) else { return };
        let mut all = FamilyGiveaway { domain, family: ALL.into(), ..FamilyGiveaway::default() };
        for family in self.families.iter().filter(|f| f.domain == all.domain && !f.of_three) {
            all.items += family.items;
            all.yes.add(family.yes);
            all.a.add(family.a);
            all.i.add(family.i);
            all.pattern.add(family.pattern);
            all.facts.add(family.facts);
            all.fixed
                .add(BoundedShare { some: if settles(family) { family.items } else { 0 }, of: family.items });
        }
        if all.items > 0 {
            self.families.push(all);
        }
    }
}

/// The parts of a cross-validation that items belong to: those of one world to the same one, and so do two that ask the same
/// after the same actions. Were these apart, whoever learned the one would be wrong about the other, which could hide a
/// giveaway.
fn folds(items: &FamilyItems, texts: &Interner) -> Vec<u8> {
    let mut waiting: HashMap<u32, u8> = HashMap::default();
    let mut found = Vec::with_capacity(items.len());
    for (item, ..) in items {
        let fold = match waiting.remove(&item.asked) {
            Some(fold) => fold,
            None => *waiting.entry(item.asked).or_insert_with(|| fold(texts.text(item.world))),
        };
        found.push(fold);
    }
    found
}

fn of_family(items: &FamilyItems, texts: &Interner, thresholds: &Thresholds) -> FamilyGiveaway {
    let labels: Vec<bool> = items.iter().map(|(_, _, label)| *label).collect();
    let folds = folds(items, texts);
    let i = unchanged(items.iter().map(|(item, ..)| *item));
    let mut found = FamilyGiveaway {
        items: items.len(),
        yes: BoundedShare::of(labels.iter().copied()),
        i: if i.of < LEAST_LEARNED { BoundedShare::default() } else { i },
        ..FamilyGiveaway::default()
    };
    if items.len() < LEAST_LEARNED || found.yes.some == 0 || found.yes.some == found.yes.of {
        return found;
    }
    let seen = |sees: fn(Sight) -> bool| {
        let kinds = columns().into_iter().enumerate().filter(move |(_, sight)| sees(*sight));
        let told = kinds.filter_map(|(place, sight)| {
            let values: Vec<u8> = items.iter().map(|(_, bag, _)| bag.values[place]).collect();
            BinnedColumn::new(&values, sight == Sight::Amount)
        });
        told.collect::<Vec<BinnedColumn>>()
    };
    let learn = |told: &[BinnedColumn]| BoundedShare::of(guesses(told, &labels, &folds));
    let is_asked = |sight: Sight| sight == Sight::Asked;
    (found.a, found.pattern) = rayon::join(|| learn(&seen(|_| true)), || learn(&seen(is_asked)));
    let facts = counts(items.iter().map(|(item, ..)| &item.initially));
    if !facts.is_empty() {
        let mut told = seen(is_asked);
        told.extend(facts.iter().filter_map(|values| BinnedColumn::new(values, true)));
        found.facts = learn(&told);
    }
    found.fixed = fixed(items, &labels, &folds);
    found.settled = found.fixed.of >= LEAST_LEARNED && found.fixed.high() >= thresholds.of("settled");
    found
}

/// How many items have the answer that the initial state gives. Those that ask about the initial state do not count.
fn unchanged<'i>(items: impl Iterator<Item = &'i AuditItem>) -> BoundedShare {
    BoundedShare::of(items.filter(|item| item.acts && !item.about_start).filter_map(|item| item.trivial))
}

/// Where an action names an object asked about: how many answers are those that most items of other folds have with the
/// same last action and the same roles in it; or with the same kinds of such actions, if these tell more.
///
/// Actions with which no answer changes tell nothing about what is asked, and do not count: neither does one of which
/// other folds have no item.
fn fixed(items: &FamilyItems, labels: &[bool], folds: &[u8]) -> BoundedShare {
    let by = |key: fn(Touch) -> u32| {
        // By key: yes and no of each fold, and whether any answer changes.
        let mut counts: HashMap<u32, ([[usize; 2]; FOLDS], bool)> = HashMap::default();
        let touched = || {
            items.iter().zip(labels).zip(folds).filter_map(|((i, l), f)| Some((i, key(i.1.touch?), *l, *f)))
        };
        for ((item, ..), key, label, fold) in touched() {
            let (labels, changed) = counts.entry(key).or_default();
            labels[usize::from(fold)][usize::from(label)] += 1;
            *changed |= item.trivial != Some(true);
        }
        let told = |(_, key, label, fold): (_, u32, bool, u8)| {
            let (labels, changed) = &counts[&key];
            let others = labels.iter().enumerate().filter(|(other, _)| *other != usize::from(fold));
            let (no, yes) = others.fold((0, 0), |sum, (_, [no, yes])| (sum.0 + no, sum.1 + yes));
            (*changed && no + yes > 0).then_some(if label { yes > no } else { no > yes })
        };
        BoundedShare::of(touched().filter_map(told))
    };
    let [last, all] = [by(|touch| touch.last), by(|touch| touch.all)];
    if all.of >= LEAST_LEARNED && all.value() > last.value() { all } else { last }
}

fn answers(place: &[Arc<str>; 3], items: &[&AuditItem], texts: &Interner) -> AnswerGiveaway {
    let [domain, question_type, family] = place.clone().map(|name| name.to_string());
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    items.iter().for_each(|item| *counts.entry(item.answer).or_default() += 1);
    let most = counts.iter().max_by_key(|(answer, count)| (**count, std::cmp::Reverse(**answer)));
    let listed =
        items.iter().filter_map(|item| Some((&**item.listed.as_ref()?, fold(texts.text(item.world)))));
    let listed: Vec<_> = listed.collect();
    let answered: Vec<_> =
        items.iter().filter_map(|item| Some((item.answered?, fold(texts.text(item.world))))).collect();
    let (most, count) = most.map_or((String::new(), 0), |(a, count)| (texts.text(*a).to_string(), *count));
    AnswerGiveaway {
        domain,
        question_type,
        family,
        items: items.len(),
        answers: counts.len(),
        most,
        share: BoundedShare { some: count, of: items.len() },
        none: BoundedShare::of(items.iter().map(|item| &**texts.text(item.answer) == "none")),
        i: unchanged(items.iter().copied()),
        pattern: if answered.len() < LEAST_LEARNED { BoundedShare::default() } else { told(&answered) },
        choice: if listed.len() < LEAST_LEARNED {
            ChoiceGiveaway::default()
        } else {
            ChoiceGiveaway::of(&listed)
        },
    }
}

/// Compares shares with their bounds.
struct Judge<'t> {
    thresholds: &'t Thresholds,
    /// What was looked at, with its bound.
    noted: Vec<((BoundedShare, f64), Deviation)>,
}

impl Judge<'_> {
    /// What is above its bound, all shares that were looked at taken together, and what would be if it were alone, the
    /// least likely first.
    fn above(self) -> (Vec<Deviation>, Vec<Deviation>) {
        let (shares, _): (Vec<_>, Vec<_>) = self.noted.iter().cloned().unzip();
        let (mut above, mut alone) = (Vec::new(), Vec::new());
        for (((share, bound), found), is_above) in self.noted.into_iter().zip(above_bounds(&shares)) {
            match is_above {
                true => above.push(found),
                false if share.low() > bound => alone.push(found),
                false => {}
            }
        }
        alone.sort_by(|one, other| other.sigma.total_cmp(&one.sigma));
        (above, alone)
    }

    /// Notes a share of enough items, with what it is a share of.
    fn note(&mut self, measure: &'static str, cell: [&str; 3], share: BoundedShare, what: &str) {
        let bound = self.thresholds.of(measure);
        if (share.of as f64) < self.thresholds.of("attack_least") {
            return;
        }
        let value = share.value().unwrap_or(0.0);
        let error = (bound * (1.0 - bound) / share.of as f64).sqrt();
        let [domain, question_type, family] = cell.map(str::to_owned);
        let deviation = Deviation {
            measure,
            cell: AttackCell {
                domain,
                split: SPLITS.into(),
                question_type,
                family,
                level: None,
                depth: None,
            },
            value,
            sigma: if error > 0.0 { (value - bound) / error } else { 0.0 },
            items: share.of,
            detail: format!("{:.1} % {what}", 100.0 * value),
        };
        self.noted.push(((share, bound), deviation));
    }

    fn family(&mut self, family: &FamilyGiveaway) {
        let whole = family.family == ALL;
        let measure = match (whole, family.of_three, family.settled) {
            (true, ..) => "domain_attack",
            (false, true, _) => "three_attack",
            (false, false, true) => "settled_attack",
            (false, false, false) => "family_attack",
        };
        let cell = [&*family.domain, if family.of_three { "other" } else { "verify" }, &*family.family];
        self.note(measure, cell, family.a, "told by question and actions without the initial state");
        self.note(measure, cell, family.facts, "told by question and initial state without the actions");
        self.note(measure, cell, family.i, "told by the initial state");
        self.note(measure, cell, family.i.rest(), "told by the contrary of the initial state's answer");
        self.note("pattern_attack", cell, family.pattern, "told by the question's form and pattern of names");
        if whole {
            self.note("settled_share", cell, family.fixed, "in families that the last action settles");
        }
    }

    fn answers(&mut self, family: &AnswerGiveaway) {
        let cell = [&*family.domain, &*family.question_type, &*family.family];
        if family.answers >= LEAST_ANSWERS {
            self.note("answer_share", cell, family.share, &format!("`{}`", family.most));
            self.note("none_share", cell, family.none, "`none`");
        }
        self.note("unchanged_share", cell, family.i, "as in the initial state");
        self.note("answer_pattern", cell, family.pattern, "told by the question's pattern of names");
        let choice = family.choice;
        let [attack, initial] = match &*family.family {
            FAILED_ACTION => ["told_attack"; 2],
            _ => ["choice_attack", "choice_initial"],
        };
        self.note(attack, cell, choice.pattern, "chosen by the question alone");
        self.note(attack, cell, choice.a, "chosen by question and actions without the initial state");
        self.note(initial, cell, choice.facts, "chosen by question and initial state without the actions");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_above_its_bound_only_where_chance_cannot_be_why() {
        let thresholds = Thresholds::default();
        let told = |some: usize, of: usize| {
            let mut judge = Judge { thresholds: &thresholds, noted: Vec::new() };
            judge.note("family_attack", ["d", "verify", "f"], BoundedShare { some, of }, "told");
            judge.above().0.len()
        };
        // Sixty-three of a hundred are no proof, nor are all of too few; 650 of a thousand are one.
        assert_eq!([told(63, 100), told(150, 150), told(630, 1000), told(650, 1000)], [0, 0, 0, 1]);
        assert_eq!(told(60_100, 100_000), 0);
        assert_eq!(told(60_500, 100_000), 1);
    }

    #[test]
    fn what_is_odd_by_itself_alone_is_suspicious() {
        let thresholds = Thresholds::default();
        let mut judge = Judge { thresholds: &thresholds, noted: Vec::new() };
        let odd = [("odd", 168), ("worse", 172), ("leak", 220)];
        for (family, some) in odd.into_iter().chain((0..300).map(|_| ("fair", 120))) {
            judge.note("family_attack", ["d", "verify", family], BoundedShare { some, of: 240 }, "told");
        }
        let (above, alone) = judge.above();
        let names =
            |found: &[Deviation]| found.iter().map(|found| found.cell.family.clone()).collect::<Vec<_>>();
        assert_eq!((names(&above), names(&alone)), (vec!["leak".into()], vec!["worse".into(), "odd".into()]));
    }

    #[test]
    fn nothing_that_was_not_looked_at_has_a_share() {
        let none = BoundedShare::default();
        assert_eq!((none.value(), none.low()), (None, 0.0));
        assert_eq!(BoundedShare::of([true, false, false]).rest(), BoundedShare { some: 2, of: 3 });
    }
}
