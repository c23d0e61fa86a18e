//! Original rules, learned rules and support facts to measures of how close the learned ones come.
//!
//! With S the support, I what the original rules derive from it beyond S, and I' what the learned rules do, all over
//! the predicates of S and I: TP = |I and I'|, FN = |I minus I'|, FP = |I' minus I|. Herbrand distance, H-accuracy
//! and H-score are those of section 5.1 of the RuDaS paper, the others those of section 5.2. A ratio with an empty
//! denominator is 1 if both I and I' are empty, so that there was nothing to get wrong, and else 0.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use serde::{Deserialize, Serialize};

use crate::rules::datalog::closure::Closure;
use crate::rules::datalog::judge as referee;
use crate::rules::datalog::syntax::{Fact, Rule};
use crate::rules::error::RulesError;
use crate::rules::measure::matching::{RuleMatch, match_rules};

/// Which ground atoms there are over the constants of S and I.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Universe {
    /// Those of each predicate of S or I, once.
    #[default]
    Strict,
    /// Those of each predicate of S, and again those of each predicate of I, as RuDaS's own evaluator counts.
    Rudas,
}

/// The measures of one predicate, or of all.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measures {
    /// Consequences that the learned rules find.
    pub tp: u64,
    /// Facts that only the learned rules derive.
    pub fp: u64,
    /// Consequences that the learned rules miss.
    #[serde(rename = "fn")]
    pub missed: u64,
    /// What neither is given nor derived by any; 0 where facts beyond the universe would make it negative.
    pub tn: u64,
    /// Given facts.
    pub support: u64,
    /// Ground atoms of the universe. Beyond 2^53 not exact.
    pub herbrand_base: f64,
    /// FP + FN.
    pub herbrand_distance: u64,
    /// 1 - (FP + FN) / universe, at least 0.
    pub herbrand_accuracy: f64,
    /// TP / (TP + FP + FN).
    pub herbrand_score: f64,
    /// (TP + TN) / (TP + TN + FP + FN).
    pub accuracy: f64,
    /// TP / (TP + FP).
    pub precision: f64,
    /// TP / (TP + FN).
    pub recall: f64,
    /// 2 TP / (2 TP + FP + FN).
    pub f1: f64,
}

/// `part / whole`; without a whole, 1 if there was nothing to get wrong.
fn ratio(part: f64, whole: f64, nothing_wrong: bool) -> f64 {
    if whole > 0.0 { part / whole } else { f64::from(nothing_wrong) }
}

impl Measures {
    fn new([tp, fp, missed, support]: [u64; 4], base: f64) -> Measures {
        let [t, p, n] = [tp as f64, fp as f64, missed as f64];
        let perfect = fp == 0 && missed == 0;
        let tn = (base - support as f64 - t - p - n).max(0.0);
        Measures {
            tp,
            fp,
            missed,
            tn: tn as u64,
            support,
            herbrand_base: base,
            herbrand_distance: fp + missed,
            herbrand_accuracy: ratio(base - p - n, base, perfect).max(0.0),
            herbrand_score: ratio(t, t + p + n, perfect),
            accuracy: ratio(t + tn, t + tn + p + n, perfect),
            precision: ratio(t, t + p, perfect),
            recall: ratio(t, t + n, perfect),
            f1: ratio(2.0 * t, 2.0 * t + p + n, perfect),
        }
    }
}

/// How large a rule set is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Size {
    /// Rules.
    pub rules: usize,
    /// Atoms of all heads and bodies.
    pub atoms: usize,
}

impl Size {
    /// The size of a rule set.
    pub fn of(rules: &[Rule]) -> Size {
        Size { rules: rules.len(), atoms: rules.iter().map(|rule| rule.body.len() + 1).sum() }
    }
}

/// A learned rule set, measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleScore {
    /// Which universe the accuracies refer to.
    pub universe: Universe,
    /// The constants of the universe.
    pub constants: u64,
    /// Over all predicates.
    pub overall: Measures,
    /// Do both rule sets derive the same from this support?
    pub equivalent: bool,
    /// How well the rules themselves match.
    pub rules: RuleMatch,
    /// Size of the original.
    pub original_size: Size,
    /// Size of the learned rule set.
    pub learned_size: Size,
    /// By predicate, ascending in its number.
    #[serde(skip)]
    pub predicates: Vec<(u32, Measures)>,
}

/// Derives the consequences of one rule set by clingo, after a native run has shown that they are not too many.
///
/// # Errors
/// [`RulesError::TooMany`] before clingo starts; those of clingo.
pub fn judged(
    rules: &[Rule],
    support: &[Fact],
    arities: &[usize],
    most: u64,
    what: &str,
) -> Result<Vec<Fact>, RulesError> {
    let mut closure = Closure::new(rules, arities, most);
    support.iter().for_each(|fact| _ = closure.give(fact));
    closure.run(what)?;
    let all = referee::consequences(rules, support)?;
    let native = closure.given_count() + closure.derived_count();
    drop(closure);
    if all.len() != native {
        return Err(RulesError::Disagreement(format!("{} and {native}, of {what}", all.len())));
    }
    Ok(all)
}

/// Original rules with what they derive from a support: what any number of learned rule sets is measured against.
#[derive(Debug)]
pub struct Reference<'a> {
    rules: &'a [Rule],
    support: &'a [Fact],
    given: HashSet<&'a Fact>,
    derived: HashSet<Fact>,
    predicates: HashSet<u32>,
    constants: u64,
}

impl<'a> Reference<'a> {
    /// Derives what the original rules say, by clingo. `arities` are those of all predicates, by number.
    ///
    /// # Errors
    /// Those of [`judged`].
    pub fn new(
        rules: &'a [Rule],
        support: &'a [Fact],
        arities: &[usize],
        most: u64,
    ) -> Result<Reference<'a>, RulesError> {
        let given: HashSet<&Fact> = support.iter().collect();
        let all = judged(rules, support, arities, most, "the original")?;
        let derived: HashSet<Fact> = all.into_iter().filter(|fact| !given.contains(fact)).collect();
        let facts = given.iter().copied().chain(&derived);
        let constants: HashSet<u32> = facts.flat_map(|fact| fact.args.iter().copied()).collect();
        let atoms = rules.iter().flat_map(|rule| std::iter::once(&rule.head).chain(&rule.body));
        let predicates = atoms.map(|atom| atom.predicate).chain(given.iter().map(|fact| fact.predicate));
        let predicates = predicates.collect();
        Ok(Reference { rules, support, given, constants: constants.len() as u64, derived, predicates })
    }

    /// Measures learned rules.
    ///
    /// # Errors
    /// Those of [`judged`].
    pub fn score(
        &self,
        learned: &[Rule],
        arities: &[usize],
        universe: Universe,
        most: u64,
    ) -> Result<RuleScore, RulesError> {
        let found = judged(learned, self.support, arities, most, "the learner")?;
        // True positives, false positives, false negatives and support facts of each predicate.
        let mut counts: HashMap<u32, [u64; 4]> = HashMap::default();
        let mut times: HashMap<u32, (bool, bool)> = HashMap::default();
        for fact in &self.given {
            counts.entry(fact.predicate).or_default()[3] += 1;
            times.entry(fact.predicate).or_default().0 = true;
        }
        for fact in &self.derived {
            counts.entry(fact.predicate).or_default()[2] += 1;
            times.entry(fact.predicate).or_default().1 = true;
        }
        for fact in found.iter().filter(|fact| !self.given.contains(fact)) {
            // Predicates that the learner invented do not count.
            let Some(count) = counts.get_mut(&fact.predicate) else { continue };
            if self.derived.contains(fact) {
                count[0] += 1;
                count[2] -= 1;
            } else {
                count[1] += 1;
            }
        }
        let mut named: Vec<u32> = counts.keys().copied().collect();
        named.sort_unstable();
        let base = |predicate: u32| {
            let arity = arities.get(predicate as usize).copied().unwrap_or_default();
            let atoms = (self.constants as f64).powi(i32::try_from(arity).unwrap_or(i32::MAX));
            match (universe, times.get(&predicate)) {
                (Universe::Rudas, Some((true, true))) => 2.0 * atoms,
                _ => atoms,
            }
        };
        let mut sum = [0; 4];
        let mut all = 0.0;
        let mut predicates = Vec::new();
        for predicate in named {
            let count = counts[&predicate];
            sum.iter_mut().zip(count).for_each(|(sum, part)| *sum += part);
            all += base(predicate);
            predicates.push((predicate, Measures::new(count, base(predicate))));
        }
        let overall = Measures::new(sum, all);
        Ok(RuleScore {
            universe,
            constants: self.constants,
            overall,
            equivalent: overall.herbrand_distance == 0,
            rules: match_rules(self.rules, learned),
            original_size: Size::of(self.rules),
            learned_size: Size::of(learned),
            predicates,
        })
    }

    /// Does the predicate occur in the support or in the original rules?
    pub fn knows(&self, predicate: u32) -> bool {
        self.predicates.contains(&predicate)
    }
}
