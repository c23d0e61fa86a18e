//! A data set to the sets of facts that several files need, and facts and predicates to text.

use racgen_logic::seed::stream;
use rand::seq::SliceRandom;
use rustc_hash::FxHashSet as HashSet;

use crate::rules::datalog::syntax::{Atom, Fact, Rule, Vocabulary};
use crate::rules::generate::dataset::RuleData;

/// The sets of facts that several files need.
pub(crate) struct Sets<'d> {
    /// The training set, in random order, so that the order tells nothing of the provenance.
    pub(crate) train: Vec<&'d Fact>,
    /// Everything that holds by the original rules and support: no negative example.
    pub(crate) true_facts: HashSet<&'d Fact>,
    /// Predicates and constants of the training set, ascending.
    pub(crate) predicates: Vec<u32>,
    pub(crate) constants: Vec<u32>,
}

impl<'d> Sets<'d> {
    pub(crate) fn new(data: &'d RuleData) -> Sets<'d> {
        let mut train: Vec<&Fact> =
            data.train.iter().filter(|traced| traced.provenance.stays()).map(|traced| &traced.fact).collect();
        train.shuffle(&mut stream(data.settings.seed, &["rules", "order"]));
        let sorted = |numbers: &mut dyn Iterator<Item = u32>| {
            let set: HashSet<u32> = numbers.collect();
            let mut all: Vec<u32> = set.into_iter().collect();
            all.sort_unstable();
            all
        };
        let predicates = sorted(&mut train.iter().map(|fact| fact.predicate));
        let constants = sorted(&mut train.iter().flat_map(|fact| fact.args.iter().copied()));
        let true_facts = data.true_facts();
        Sets { train, true_facts, predicates, constants }
    }
}

/// One fact a line, each with a full stop.
pub(crate) fn listed<'f>(vocabulary: &Vocabulary, facts: impl Iterator<Item = &'f Fact>) -> String {
    let mut out = String::new();
    for fact in facts {
        vocabulary.write_fact(fact, &mut out);
        out.push_str(".\n");
    }
    out
}

/// The variables that stand in a rule once.
pub(crate) fn once(rule: &Rule) -> Vec<u32> {
    let all: Vec<u32> = std::iter::once(&rule.head).chain(&rule.body).flat_map(Atom::variables).collect();
    all.iter().filter(|v| all.iter().filter(|other| other == v).count() == 1).copied().collect()
}

/// `p1/2`.
pub(crate) fn indicator(vocabulary: &Vocabulary, predicate: u32) -> String {
    format!("{}/{}", vocabulary.predicate_name(predicate), vocabulary.arity(predicate))
}
