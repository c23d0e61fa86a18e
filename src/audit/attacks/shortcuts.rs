//! Items to what could be guessed without reasoning: balance of labels, lengths, words, phrasings, names.
//!
//! Each measure is taken of every split x type x family x level x depth that has enough items, and of each split x
//! type x family as a whole. A deviation counts where it is above its threshold and too large to be chance.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use crate::audit::attacks::bayes::guesses;
use crate::audit::attacks::bounded_share::Z;
use crate::audit::attacks::folds::FOLDS;
use crate::audit::attacks::item::{AuditItem, Interner, label};
use crate::audit::attacks::thresholds::Thresholds;

/// Items that are compared with each other only; level and depth are none where all are taken together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct AttackCell {
    /// Name of the domain.
    pub domain: String,
    /// Name of the split.
    pub split: String,
    /// `verify`, `count` or `other`.
    pub question_type: String,
    /// What is asked about; `all` for a whole type.
    pub family: String,
    /// World complexity.
    pub level: Option<i32>,
    /// Number of actions.
    pub depth: Option<i32>,
}

/// What the items of a cell add up to.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AttackSummary {
    /// Number of items.
    pub items: usize,
    /// Share of yes, of yes/no questions.
    pub yes: Option<f64>,
    /// Area under the curve of the question's length as a sign of yes.
    pub question_auc: Option<f64>,
    /// The same of the context's length.
    pub context_auc: Option<f64>,
    /// Accuracy of naive Bayes on the question alone.
    pub question_only: Option<f64>,
    /// Accuracy of naive Bayes on everything but words.
    pub context_blind: Option<f64>,
    /// Share of the most frequent answer.
    pub majority: f64,
    /// Entropy of the answers in bits.
    pub entropy: f64,
    /// Share of items whose answer ignores the actions, where that is known.
    pub trivial: Option<f64>,
}

/// A measure that is above its threshold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Deviation {
    /// The threshold's name.
    pub measure: &'static str,
    /// Where.
    pub cell: AttackCell,
    /// The measured value, to be compared with the threshold.
    pub value: f64,
    /// How many standard errors it is away from what is fair.
    pub sigma: f64,
    /// Number of items.
    pub items: usize,
    /// The particulars.
    pub detail: String,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Shortcut {
    /// By cell; those of whole families and of whole types as well.
    pub cells: BTreeMap<AttackCell, AttackSummary>,
    /// What is above its threshold.
    pub deviations: Vec<Deviation>,
}

/// A number of an item.
type ItemNumber = fn(&AuditItem) -> u32;

/// Lengths of items with three answers that may be a sign of one of them.
const LENGTHS: [(&str, ItemNumber); 3] = [
    ("the length of the question", |item| item.question_length),
    ("the length of the context", |item| item.context_length),
    ("the number of facts told", |item| item.facts),
];

/// Items of one family, or one type, by level and depth.
type ItemGroup<'i> = Vec<&'i AuditItem>;

/// Measures everything.
pub fn measure(items: &[AuditItem], texts: &Interner, thresholds: &Thresholds) -> Shortcut {
    let mut groups: BTreeMap<(u32, u32, u32, Option<u32>), ItemGroup> = BTreeMap::new();
    for item in items {
        for family in [Some(item.family), None] {
            let key = (item.domain, item.split, item.question_type, family);
            groups.entry(key).or_default().push(item);
        }
    }
    let text = |number: u32| texts.text(number).to_string();
    let groups: Vec<_> = groups.into_iter().collect();
    let measured: Vec<Shortcut> = groups
        .into_par_iter()
        .map(|((domain, split, question_type, family), group)| {
            let cell = AttackCell {
                domain: text(domain),
                split: text(split),
                question_type: text(question_type),
                family: family.map_or("all".into(), text),
                level: None,
                depth: None,
            };
            of_group(&cell, &group, texts, thresholds)
        })
        .collect();
    let mut all = Shortcut::default();
    for found in measured {
        all.cells.extend(found.cells);
        all.deviations.extend(found.deviations);
    }
    all.deviations
        .sort_by(|a, b| (a.measure, &a.cell).cmp(&(b.measure, &b.cell)).then(b.value.total_cmp(&a.value)));
    all
}

fn of_group(cell: &AttackCell, group: &ItemGroup, texts: &Interner, thresholds: &Thresholds) -> Shortcut {
    let mut found = Shortcut::default();
    let fold = |item: &AuditItem| item.world as usize % FOLDS;
    let classify = |features: fn(&AuditItem) -> &[u32]| -> Vec<bool> {
        let examples: Vec<(&[u32], u32, usize)> =
            group.iter().map(|item| (features(item), item.answer, fold(item))).collect();
        guesses(&examples)
    };
    // Families are told apart by the question, so that a classifier for a whole type would learn nothing new.
    let of_family = cell.family != "all";
    let (question, blind) = if of_family {
        (classify(|item| &item.words), classify(|item| &item.surface))
    } else {
        (vec![], vec![])
    };
    let mut cells: BTreeMap<(i32, i32), Vec<usize>> = BTreeMap::new();
    for (number, item) in group.iter().enumerate() {
        cells.entry((item.level, item.depth)).or_default().push(number);
    }
    let whole = (None, (0..group.len()).collect());
    let parts = cells.into_iter().map(|(place, numbers)| (Some(place), numbers));
    for (place, numbers) in std::iter::once(whole).chain(parts) {
        let here = AttackCell { level: place.map(|p| p.0), depth: place.map(|p| p.1), ..cell.clone() };
        let items: Vec<&AuditItem> = numbers.iter().map(|n| group[*n]).collect();
        let right = |all: &[bool]| numbers.iter().filter(|n| all.get(**n) == Some(&true)).count();
        let guessed = of_family.then(|| (right(&question), right(&blind)));
        let mut measures = ShortcutMeasures { cell: &here, items: &items, thresholds, found: &mut found };
        let mut summary = measures.labels(texts, guessed);
        if of_family {
            measures.dependence(texts);
        }
        if !of_family {
            summary.question_only = None;
        }
        found.cells.insert(here, summary);
    }
    found
}

/// Measures one cell.
struct ShortcutMeasures<'a> {
    cell: &'a AttackCell,
    items: &'a [&'a AuditItem],
    thresholds: &'a Thresholds,
    found: &'a mut Shortcut,
}

impl ShortcutMeasures<'_> {
    /// Notes a deviation where it is above its threshold and no chance.
    fn note(&mut self, measure: &'static str, value: f64, sigma: f64, detail: String) {
        let enough = self.items.len() as f64 >= self.thresholds.of("least");
        if enough && value > self.thresholds.of(measure) && sigma >= self.thresholds.of("sigma") {
            let items = self.items.len();
            let cell = self.cell.clone();
            self.found.deviations.push(Deviation { measure, cell, value, sigma, items, detail });
        }
    }

    fn labels(&mut self, texts: &Interner, guessed: Option<(usize, usize)>) -> AttackSummary {
        let n = self.items.len();
        let size = n.max(1) as f64;
        let mut answers: BTreeMap<u32, usize> = BTreeMap::new();
        self.items.iter().for_each(|item| *answers.entry(item.answer).or_default() += 1);
        let shares = answers.values().map(|count| *count as f64 / size);
        let entropy = -shares.clone().map(|p| p * p.log2()).sum::<f64>() + 0.0;
        let majority = shares.fold(0.0, f64::max);
        let mut summary = AttackSummary { items: n, majority, entropy, ..AttackSummary::default() };

        let labels: Vec<Option<bool>> = self.items.iter().map(|i| label(texts.text(i.answer))).collect();
        let three = n > 0 && self.items.iter().all(|item| item.certain);
        let verify = self.cell.question_type == "verify" || labels.iter().all(Option::is_some);
        if verify && n > 0 {
            let yes = labels.iter().filter(|l| **l == Some(true)).count() as f64 / size;
            let value = (yes - 0.5).abs();
            summary.yes = Some(yes);
            self.note("balance", value, value * 2.0 * size.sqrt(), format!("{:.1} % yes", 100.0 * yes));
            let lengths: [fn(&AuditItem) -> u32; 2] = [|i| i.question_length, |i| i.context_length];
            for (what, length) in ["question", "context"].into_iter().zip(lengths) {
                let signs: Vec<(u32, bool)> = self
                    .items
                    .iter()
                    .zip(&labels)
                    .filter_map(|(item, label)| Some((length(item), (*label)?)))
                    .collect();
                let Some((auc, sigma)) = auc(signs) else { continue };
                let place =
                    if what == "question" { &mut summary.question_auc } else { &mut summary.context_auc };
                *place = Some(auc);
                let detail = format!("AUC {auc:.3} of the length of the {what}");
                self.note("length_auc", (auc - 0.5).abs(), sigma, detail);
            }
        } else if self.cell.family != "all" && n > 0 {
            let most = answers.iter().max_by_key(|(_, count)| **count);
            let name = most.map_or("", |(answer, _)| texts.text(*answer));
            // There is no chance about these: they are as they are.
            let sure = self.thresholds.of("sigma");
            self.note("majority", majority, sure, format!("{:.1} % `{name}`", 100.0 * majority));
            let least = self.thresholds.of("entropy");
            if entropy < least && n as f64 >= self.thresholds.of("least") {
                let cell = self.cell.clone();
                let detail = format!("{entropy:.3} bits");
                self.found.deviations.push(Deviation {
                    measure: "entropy",
                    cell,
                    value: entropy,
                    sigma: sure,
                    items: n,
                    detail,
                });
            }
        }
        if three && self.cell.family != "all" {
            match self.items.iter().all(|item| item.settled.is_some()) {
                true => self.halves(),
                false => self.thirds(&answers, texts),
            }
        }
        if let Some((question, blind)) = guessed.filter(|_| n > 0) {
            let spread = (majority * (1.0 - majority)).max(0.25 / size).sqrt() / size.sqrt();
            let kinds = [
                (if verify || three { "question_only" } else { "question_only_open" }, question),
                ("context_blind", blind),
            ];
            for (measure, right) in kinds {
                let accuracy = right as f64 / size;
                // Of numbers and objects each question is one of many forms, of which a cell has few each: there the lower
                // end of the 99 % interval counts.
                let lower = accuracy - Z * (accuracy * (1.0 - accuracy) / size).sqrt();
                let lift = match (verify, three) {
                    (true, _) => accuracy - majority.max(0.5),
                    (_, true) => accuracy - majority,
                    _ => lower - majority,
                };
                let place = match measure {
                    "context_blind" => &mut summary.context_blind,
                    _ => &mut summary.question_only,
                };
                *place = Some(accuracy);
                if measure == "context_blind" && !verify && !three {
                    continue;
                }
                let detail = format!(
                    "{:.1} % right, the most frequent answer {:.1} %",
                    100.0 * accuracy,
                    100.0 * majority
                );
                self.note(measure, lift, lift / spread, detail);
            }
        }
        let known: Vec<bool> = self.items.iter().filter_map(|item| item.trivial).collect();
        if known.len() == n && n > 0 {
            let share = known.iter().filter(|t| **t).count() as f64 / size;
            summary.trivial = Some(share);
            if self.cell.family == "all" {
                let limit = self.thresholds.of("trivial").min(0.999);
                let sigma = (share - limit) / (limit * (1.0 - limit) / size).sqrt();
                self.note(
                    "trivial",
                    share,
                    sigma,
                    format!("{:.1} % of the answers ignore the actions", 100.0 * share),
                );
            }
        }
        summary
    }

    /// Is half of what is asked settled, and is no length, nor the number of facts told, a sign of it?
    fn halves(&mut self) {
        let settled = |item: &AuditItem| item.settled == Some(true);
        let size = self.items.len() as f64;
        let share = self.items.iter().filter(|item| settled(item)).count() as f64 / size;
        let value = (share - 0.5).abs();
        self.note("balance", value, value * 2.0 * size.sqrt(), format!("{:.1} % settled", 100.0 * share));
        for (what, length) in LENGTHS {
            let signs = self.items.iter().map(|item| (length(item), settled(item))).collect();
            let Some((auc, sigma)) = auc(signs) else { continue };
            let detail = format!("AUC {auc:.3} of {what}, settled against not");
            self.note("length_auc", (auc - 0.5).abs(), sigma, detail);
        }
    }

    /// Are the three answers equally frequent, and is no length, nor the number of facts told, a sign of one of two?
    fn thirds(&mut self, answers: &BTreeMap<u32, usize>, texts: &Interner) {
        let size = self.items.len() as f64;
        let spread = (2.0_f64 / 9.0).sqrt() / size.sqrt();
        for (answer, count) in answers {
            let share = *count as f64 / size;
            let value = (share - 1.0 / 3.0).abs();
            let detail = format!("{:.1} % {}", 100.0 * share, texts.text(*answer));
            self.note("balance", value, value / spread, detail);
        }
        let pairs = answers.keys().flat_map(|one| answers.keys().map(move |other| (*one, *other)));
        for (one, other) in pairs.filter(|(one, other)| one < other) {
            for (what, length) in LENGTHS {
                let those = self.items.iter().filter(|item| [one, other].contains(&item.answer));
                let Some((auc, sigma)) = auc(those.map(|i| (length(i), i.answer == one)).collect()) else {
                    continue;
                };
                let (one, other) = (texts.text(one), texts.text(other));
                let detail = format!("AUC {auc:.3} of {what}, `{one}` against `{other}`");
                self.note("length_auc", (auc - 0.5).abs(), sigma, detail);
            }
        }
    }

    /// Do phrasings or names depend on the answer?
    fn dependence(&mut self, texts: &Interner) {
        // By form, and which of the numbers in the phrasing's name: phrasing x answer.
        let mut tables: BTreeMap<(u32, usize), Vec<(u32, u32)>> = BTreeMap::new();
        let mut names: BTreeMap<u32, [f64; 2]> = BTreeMap::new();
        let mut labels = [0.0; 2];
        for item in self.items {
            for (place, number) in item.template.1.iter().enumerate() {
                tables.entry((item.template.0, place)).or_default().push((*number, item.answer));
            }
            if let Some(label) = label(texts.text(item.answer)) {
                labels[usize::from(label)] += 1.0;
                item.names.iter().for_each(|name| {
                    names.entry(*name).or_default()[usize::from(label)] += 1.0;
                });
            }
        }
        for ((form, _), pairs) in tables {
            let Some((v, sigma)) = cramer(&pairs) else { continue };
            if (pairs.len() as f64) < self.thresholds.of("least") {
                continue;
            }
            let detail =
                format!("V = {v:.3} between the phrasings of `{}` and their answers", texts.text(form));
            self.note("template_label", v, sigma, detail);
        }
        let n: f64 = labels.iter().sum();
        if n < 1.0 || labels.contains(&0.0) {
            return;
        }
        let mut worst: Option<(f64, f64, u32)> = None;
        for (name, [no, yes]) in &names {
            let times = no + yes;
            let share = labels[1] / n;
            let error = (share * (1.0 - share) / times * (1.0 - times / n).max(0.0)).sqrt();
            if times < 5.0 || error <= 0.0 {
                continue;
            }
            let sigma = (yes / times - share).abs() / error;
            let v = sigma / n.sqrt();
            if worst.is_none_or(|(_, known, _)| sigma > known) {
                worst = Some((v, sigma, *name));
            }
        }
        if let Some((v, sigma, name)) = worst {
            let detail = format!("V = {v:.3} between the name `{}` and the answer", texts.text(name));
            self.note("name_label", v, sigma, detail);
        }
    }
}

/// The area under the curve of a number as a sign of a label, and how many standard errors it is from a half (Mann
/// and Whitney 1947). None where a label is missing.
pub fn auc(mut signs: Vec<(u32, bool)>) -> Option<(f64, f64)> {
    signs.sort_unstable();
    let yes = signs.iter().filter(|(_, label)| *label).count() as f64;
    let no = signs.len() as f64 - yes;
    if yes == 0.0 || no == 0.0 {
        return None;
    }
    let mut rank_sum = 0.0;
    let mut ties = 0.0;
    let mut start = 0;
    while start < signs.len() {
        let end = signs[start..].iter().take_while(|(number, _)| *number == signs[start].0).count() + start;
        let tied = (end - start) as f64;
        let rank = (start + 1 + end) as f64 / 2.0;
        rank_sum += rank * signs[start..end].iter().filter(|(_, label)| *label).count() as f64;
        ties += tied.powi(3) - tied;
        start = end;
    }
    let area = (rank_sum - yes * (yes + 1.0) / 2.0) / (yes * no);
    let n = yes + no;
    let variance = ((n + 1.0) - ties / (n * (n - 1.0)).max(1.0)) / (12.0 * yes * no);
    let sigma = if variance > 0.0 { (area - 0.5).abs() / variance.sqrt() } else { 0.0 };
    Some((area, sigma))
}

/// Cramer's V of pairs, corrected for bias (Bergsma 2013), and how far the statistic is from its mean under
/// independence, in standard deviations. Answers that are rare count as one.
pub fn cramer(pairs: &[(u32, u32)]) -> Option<(f64, f64)> {
    let n = pairs.len() as f64;
    let mut right: BTreeMap<u32, f64> = BTreeMap::new();
    pairs.iter().for_each(|(_, answer)| *right.entry(*answer).or_default() += 1.0);
    let kept = |answer: u32| if right[&answer] >= 0.05 * n { Some(answer) } else { None };
    let mut table: BTreeMap<(u32, Option<u32>), f64> = BTreeMap::new();
    let (mut rows, mut columns): (BTreeMap<u32, f64>, BTreeMap<Option<u32>, f64>) = Default::default();
    for (phrasing, answer) in pairs {
        *table.entry((*phrasing, kept(*answer))).or_default() += 1.0;
        *rows.entry(*phrasing).or_default() += 1.0;
        *columns.entry(kept(*answer)).or_default() += 1.0;
    }
    if rows.len() < 2 || columns.len() < 2 {
        return None;
    }
    let mut chi = 0.0;
    for (row, of_row) in &rows {
        for (column, of_column) in &columns {
            let expected = of_row * of_column / n;
            let seen = table.get(&(*row, *column)).copied().unwrap_or(0.0);
            chi += (seen - expected).powi(2) / expected;
        }
    }
    let (r, k) = (rows.len() as f64, columns.len() as f64);
    let freedom = (r - 1.0) * (k - 1.0);
    // The cube root of chi-square over its freedom is all but normal (Wilson and Hilferty 1931); chi-square itself has
    // a long tail, which among thousands of tables would be taken for a dependence.
    let spread = 2.0 / (9.0 * freedom);
    let sigma = ((chi / freedom).cbrt() - (1.0 - spread)) / spread.sqrt();
    let phi = (chi / n - freedom / (n - 1.0).max(1.0)).max(0.0);
    let (r, k) = (r - (r - 1.0).powi(2) / (n - 1.0).max(1.0), k - (k - 1.0).powi(2) / (n - 1.0).max(1.0));
    let v = (phi / (r.min(k) - 1.0).max(1e-9)).sqrt().min(1.0);
    Some((v, sigma))
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;

    #[test]
    fn area_is_that_of_the_definition() {
        let signs = vec![(3, true), (1, false), (3, false), (7, true), (2, false), (9, false)];
        let pairs = [(3, 1), (3, 3), (3, 2), (3, 9), (7, 1), (7, 3), (7, 2), (7, 9)];
        let wins: f64 = pairs
            .iter()
            .map(|(y, n)| {
                if y > n {
                    1.0
                } else if y == n {
                    0.5
                } else {
                    0.0
                }
            })
            .sum();
        let (area, sigma) = auc(signs).unwrap();
        assert!((area - wins / 8.0).abs() < 1e-12 && sigma < 1.0);
        assert!(auc(vec![(1, true), (2, true)]).is_none());
        let separated = (0..100).map(|n| (n, n >= 50)).collect();
        let (area, sigma) = auc(separated).unwrap();
        assert!(area == 1.0 && sigma > 8.0);
    }

    #[test]
    fn dependence_is_seen_and_independence_is_not() {
        let same: Vec<(u32, u32)> = (0..400).map(|n| (n % 4, n % 4 / 2)).collect();
        let (v, sigma) = cramer(&same).unwrap();
        assert!(v > 0.95 && sigma > 5.0);
        let apart: Vec<(u32, u32)> = (0..400).map(|n| (n % 4, n / 4 % 2)).collect();
        let (v, sigma) = cramer(&apart).unwrap();
        assert!(v < 0.05 && sigma < 1.0);
    }

    #[test]
    fn chance_is_not_taken_for_dependence() {
        let mut rng = racgen_logic::seed::stream(1, &["tables"]);
        let mut table =
            || (0..40).map(|_| (rng.random_range(0..6), rng.random_range(0..2))).collect::<Vec<_>>();
        let beyond = (0..20_000).filter(|_| cramer(&table()).is_some_and(|(_, sigma)| sigma > 4.0)).count();
        // A normal number is beyond four in 0.6 of 20,000 cases.
        assert!(beyond <= 4, "{beyond} of 20000 tables");
    }
}
