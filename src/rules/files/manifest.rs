//! A data set to its manifest: what was asked for, what came of it, and how to make it again.

use std::collections::BTreeMap;

use racgen_data::row::Row;
use serde::Serialize;

use crate::rules::datalog::syntax::{Arg, Rule};
use crate::rules::generate::dataset::{Degrees, RuleData, by_predicate};
use crate::rules::generate::instantiate::Instances;
use crate::rules::generate::wrong_rules::wrong_rules;

#[derive(Serialize)]
struct RuleDetails<'a> {
    format: &'static str,
    achieved: AchievedEntry<'a>,
    rules: Vec<RuleEntry>,
    components: Vec<ComponentEntry>,
    targets: Vec<&'a str>,
    identifiable: Identifiable,
    facts: BTreeMap<&'a str, BTreeMap<&'static str, usize>>,
    questions: BTreeMap<String, usize>,
    /// Of AMIE's triples, if they are written.
    amie: Option<Triples>,
}

#[derive(Serialize)]
struct AchievedEntry<'a> {
    train: usize,
    size_bounds: (u64, u64),
    rules: usize,
    components: usize,
    depth: usize,
    recursive_rules: usize,
    longest_rule: usize,
    alternatives: usize,
    arities: (usize, usize),
    predicates: usize,
    predicates_in_train: usize,
    constants: usize,
    constants_in_train: usize,
    constants_in_rules: usize,
    terms: TermCounts,
    degrees: &'a Degrees,
    instances: Instances,
    eval_support: usize,
    eval_consequences: usize,
    deepest_proof: u32,
}

/// How often each kind of term stands in a body, read from left to right.
#[derive(Default, Serialize)]
struct TermCounts {
    head: usize,
    earlier: usize,
    constant: usize,
    fresh: usize,
}

impl TermCounts {
    fn of(rules: &[Rule]) -> TermCounts {
        let mut counts = TermCounts::default();
        for rule in rules {
            let heads: Vec<u32> = rule.head.variables().collect();
            let mut seen: Vec<u32> = Vec::new();
            for arg in rule.body.iter().flat_map(|atom| &atom.args) {
                match arg {
                    Arg::Constant(_) => counts.constant += 1,
                    Arg::Variable(variable) if heads.contains(variable) => counts.head += 1,
                    Arg::Variable(variable) if seen.contains(variable) => counts.earlier += 1,
                    Arg::Variable(variable) => {
                        seen.push(*variable);
                        counts.fresh += 1;
                    }
                }
            }
        }
        counts
    }
}

#[derive(Serialize)]
struct RuleEntry {
    rule: String,
    component: usize,
    level: usize,
    uses: Vec<Vec<usize>>,
}

#[derive(Serialize)]
struct ComponentEntry {
    category: crate::rules::generate::settings::Category,
    root: usize,
    depth: usize,
}

/// Which drops change the consequences on the evaluation facts, by clingo.
#[derive(Serialize)]
struct Identifiable {
    drops_checked: usize,
    all: bool,
    /// The rules that can be dropped, and those without a body atom (counted from 0).
    dispensable: Vec<String>,
    /// The same of the training facts.
    training: Training,
}

/// Which rules with one mistake the training facts speak against: a body atom is missing, or two of its arguments are
/// swapped.
#[derive(Serialize)]
struct Training {
    /// How many there are; none of them was tried in a data set that is too large for it.
    wrong_rules: usize,
    tried: bool,
    /// Those that derive nothing false from the training facts.
    unrefuted: Vec<String>,
}

/// How many training facts became triples, and how many did not, having no or more than two arguments.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Triples {
    triples: usize,
    pub(crate) left_out: usize,
}

impl Triples {
    pub(crate) fn of(data: &RuleData) -> Triples {
        let in_train = data.train.iter().filter(|traced| traced.provenance.stays());
        let (told, rest): (Vec<_>, Vec<_>) =
            in_train.partition(|traced| matches!(traced.fact.args.len(), 1 | 2));
        Triples { triples: told.len(), left_out: rest.len() }
    }
}

/// What a rule data set tells of itself in its manifest; `questions` are those that stand beside it.
pub fn details<'r>(data: &RuleData, questions: impl Iterator<Item = &'r Row>, amie: bool) -> impl Serialize {
    let amie = amie.then(|| Triples::of(data));
    let vocabulary = data.vocabulary();
    let rules = data.rules();
    let in_train = || data.train.iter().filter(|traced| traced.provenance.stays());
    let distinct = |mut all: Vec<u32>| {
        all.sort_unstable();
        all.dedup();
        all.len()
    };
    let body_atoms = || rules.iter().flat_map(|rule| &rule.body);
    let in_rules = body_atoms().flat_map(|atom| &atom.args).filter_map(|arg| match arg {
        Arg::Constant(constant) => Some(*constant),
        Arg::Variable(_) => None,
    });
    let alternatives = data.graph.nodes.iter().flat_map(|node| &node.below).map(Vec::len).max();
    let arities = vocabulary.arities();
    let achieved = AchievedEntry {
        train: data.train_len(),
        size_bounds: data.settings.size.bounds(),
        rules: rules.len(),
        components: data.graph.components.len(),
        depth: data.graph.components.iter().map(|component| component.depth).max().unwrap_or(0),
        recursive_rules: rules.iter().filter(|rule| rule.is_recursive()).count(),
        longest_rule: rules.iter().map(|rule| rule.body.len()).max().unwrap_or(0),
        alternatives: alternatives.unwrap_or(0),
        arities: (arities.iter().copied().min().unwrap_or(0), arities.iter().copied().max().unwrap_or(0)),
        predicates: vocabulary.predicates(),
        predicates_in_train: by_predicate(in_train().map(|traced| &traced.fact)).len(),
        constants: data.constants,
        constants_in_train: distinct(in_train().flat_map(|t| t.fact.args.iter().copied()).collect()),
        constants_in_rules: distinct(in_rules.collect()),
        terms: TermCounts::of(&rules),
        degrees: &data.degrees,
        instances: data.instances,
        eval_support: data.eval_support.len(),
        eval_consequences: data.eval_derived.len(),
        deepest_proof: data.eval_derived.iter().map(|(_, depth)| *depth).max().unwrap_or(0),
    };
    let entries = data.graph.nodes.iter().map(|node| RuleEntry {
        rule: vocabulary.rule(&node.rule),
        component: node.component,
        level: node.level,
        uses: node.below.clone(),
    });
    let components = data.graph.components.iter().map(|component| ComponentEntry {
        category: component.category,
        root: component.root,
        depth: component.depth,
    });
    let dispensable = data.dispensable.iter().map(|fault| match fault.atom {
        Some(atom) => format!("{} without {}", fault.rule, vocabulary.atom(&rules[fault.rule].body[atom])),
        None => fault.rule.to_string(),
    });
    let mut facts: BTreeMap<&str, BTreeMap<&'static str, usize>> = BTreeMap::new();
    let mut count = |predicate: u32, provenance: &'static str| {
        let name = vocabulary.predicate_name(predicate);
        *facts.entry(name).or_default().entry(provenance).or_default() += 1;
    };
    data.train.iter().for_each(|traced| count(traced.fact.predicate, traced.provenance.name()));
    data.eval_support.iter().for_each(|fact| count(fact.predicate, "eval-support"));
    data.eval_derived.iter().for_each(|(fact, _)| count(fact.predicate, "eval-consequence"));
    let mut asked: BTreeMap<String, usize> = BTreeMap::new();
    for row in questions {
        *asked.entry(format!("{} depth {} {}", row.split, row.depth, row.answer)).or_default() += 1;
    }
    let details = RuleDetails {
        format: "racgen rules 2",
        achieved,
        rules: entries.collect(),
        components: components.collect(),
        targets: data.graph.targets.iter().map(|target| vocabulary.predicate_name(*target)).collect(),
        identifiable: Identifiable {
            drops_checked: rules.iter().map(|rule| rule.body.len() + 1).sum(),
            all: data.dispensable.is_empty(),
            dispensable: dispensable.collect(),
            training: Training {
                wrong_rules: wrong_rules(&rules).len(),
                tried: data.unrefuted.is_some(),
                unrefuted: data.unrefuted.iter().flatten().map(|w| w.text(&rules, vocabulary)).collect(),
            },
        },
        facts,
        questions: asked,
        amie,
    };
    serde_json::to_value(details).unwrap_or_default()
}
