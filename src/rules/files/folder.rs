//! A data set to its files: those of RuDaS, Prolog and ASP, and all others by their modules.

use std::fmt::Write;

use racgen_data::error::DataError;
use racgen_data::write::facts::{FactRow, write_jsonl, write_parquet};
use racgen_data::write::files::Files;
use racgen_logic::seed::stream;
use rand::seq::SliceRandom;
use rustc_hash::FxHashSet as HashSet;
use serde::{Deserialize, Serialize};

use crate::rules::datalog::syntax::{Fact, Rule, Vocabulary};
use crate::rules::files::learners;
use crate::rules::files::sets::{Sets, indicator, listed, once};
use crate::rules::generate::dataset::{Provenance, RuleData, Traced};

/// What is written besides RuDaS's files and the manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Extra {
    /// `prolog/`: a theory of rules and evaluation facts, and the training facts.
    Prolog,
    /// `asp/`: rules, training and evaluation facts.
    Asp,
    /// `facts.parquet` and `facts.jsonl`: all facts with their provenance.
    Facts,
    /// `popper/`: bk.pl, exs.pl, bias.pl for each target.
    Popper,
    /// `aleph/`: a .b, .f and .n file for each target.
    Aleph,
    /// `amie/train.tsv`: subject, relation, object.
    Amie,
    /// `foil/train.d`.
    Foil,
    /// `questions/data/`: verify questions in plain language.
    Questions,
}

impl Extra {
    /// All of them.
    pub const ALL: [Extra; 8] = [
        Extra::Prolog,
        Extra::Asp,
        Extra::Facts,
        Extra::Popper,
        Extra::Aleph,
        Extra::Amie,
        Extra::Foil,
        Extra::Questions,
    ];

    /// Its name among the arguments.
    pub fn name(self) -> &'static str {
        match self {
            Extra::Prolog => "prolog",
            Extra::Asp => "asp",
            Extra::Facts => "facts",
            Extra::Popper => "popper",
            Extra::Aleph => "aleph",
            Extra::Amie => "amie",
            Extra::Foil => "foil",
            Extra::Questions => "questions",
        }
    }
}

/// Writes all files of a data set but questions and manifest: those of RuDaS, and what else is wanted.
///
/// # Errors
/// Those of the output.
pub fn write_files(data: &RuleData, extras: &[Extra], files: &Files) -> Result<(), DataError> {
    let sets = Sets::new(data);
    rudas(data, &sets, files)?;
    for extra in extras {
        match extra {
            Extra::Prolog => prolog(data, &sets, files)?,
            Extra::Asp => asp(data, &sets, files)?,
            Extra::Facts => facts(data, files)?,
            Extra::Popper => learners::popper(data, &sets, files)?,
            Extra::Aleph => learners::aleph(data, &sets, files)?,
            Extra::Amie => {
                files.text("amie/train.tsv", &learners::triples(data.vocabulary(), &sets.train))?
            }
            Extra::Foil => files.text("foil/train.d", &learners::foil(data, &sets))?,
            Extra::Questions => {}
        }
    }
    Ok(())
}

fn rule_lines(vocabulary: &Vocabulary, rules: &[Rule]) -> String {
    rules.iter().map(|rule| vocabulary.rule(rule) + "\n").collect()
}

/// The names of the files that RuDaS writes.
pub const RUDAS_FILES: [&str; 13] = [
    "rules.txt",
    "train-support.txt",
    "train-conseqs.txt",
    "train-cw.txt",
    "train-ow.txt",
    "train-cw-n.txt",
    "train.txt",
    "test.txt",
    "eval-support.txt",
    "eval-conseqs.txt",
    "eval-cw.txt",
    "entities.txt",
    "relations.txt",
];

/// The files that RuDaS writes, under its names.
fn rudas(data: &RuleData, sets: &Sets, files: &Files) -> Result<(), DataError> {
    use Provenance::{Consequence, Noise, RemovedNoise, RemovedOpenWorld, Support};
    let vocabulary = data.vocabulary();
    let of = |kinds: &[Provenance]| {
        let fits = |traced: &&Traced| kinds.contains(&traced.provenance);
        let mut facts: Vec<&Fact> = data.train.iter().filter(fits).map(|traced| &traced.fact).collect();
        facts.shuffle(&mut stream(data.settings.seed, &["rules", "order", &format!("{kinds:?}")]));
        listed(vocabulary, facts.into_iter())
    };
    let names = |numbers: &[u32], name: &dyn Fn(u32) -> String| -> String {
        numbers.iter().map(|number| name(*number) + "\n").collect()
    };
    let derived = || data.eval_derived.iter().map(|(fact, _)| fact);
    let texts = [
        ("rules.txt", rule_lines(vocabulary, &data.rules())),
        ("train-support.txt", of(&[Support, RemovedNoise])),
        ("train-conseqs.txt", of(&[Consequence, RemovedOpenWorld])),
        ("train-cw.txt", of(&[Support, RemovedNoise, Consequence, RemovedOpenWorld])),
        ("train-ow.txt", of(&[Support, RemovedNoise, Consequence])),
        ("train-cw-n.txt", of(&[Support, Consequence, RemovedOpenWorld, Noise])),
        ("train.txt", listed(vocabulary, sets.train.iter().copied())),
        ("test.txt", of(&[RemovedOpenWorld])),
        ("eval-support.txt", listed(vocabulary, data.eval_support.iter())),
        ("eval-conseqs.txt", listed(vocabulary, derived())),
        ("eval-cw.txt", listed(vocabulary, data.eval_support.iter().chain(derived()))),
        ("entities.txt", names(&sets.constants, &|c| vocabulary.constant_name(c).to_owned())),
        ("relations.txt", names(&sets.predicates, &|p| vocabulary.predicate_name(p).to_owned())),
    ];
    texts.iter().try_for_each(|(name, text)| files.text(name, text))
}

/// The predicates of facts, ascending.
fn used<'f>(facts: impl Iterator<Item = &'f Fact>) -> Vec<u32> {
    let set: HashSet<u32> = facts.map(|fact| fact.predicate).collect();
    let mut all: Vec<u32> = set.into_iter().collect();
    all.sort_unstable();
    all
}

/// A rule with `_X1` for a variable that occurs once, of which Prolog systems warn otherwise.
fn prolog_rule(vocabulary: &Vocabulary, rule: &Rule) -> String {
    let mut text = vocabulary.rule(rule);
    for variable in once(rule) {
        for end in [',', ')'] {
            text = text.replace(&format!("X{variable}{end}"), &format!("_X{variable}{end}"));
        }
    }
    text + "\n"
}

fn prolog(data: &RuleData, sets: &Sets, files: &Files) -> Result<(), DataError> {
    let vocabulary = data.vocabulary();
    let rules = data.rules();
    let mut head = String::new();
    let mut all = used(data.eval_support.iter());
    all.extend(
        rules.iter().flat_map(|rule| std::iter::once(&rule.head).chain(&rule.body)).map(|a| a.predicate),
    );
    all.sort_unstable();
    all.dedup();
    for predicate in &all {
        _ = writeln!(head, ":- discontiguous {}.", indicator(vocabulary, *predicate));
    }
    // Without tabling, recursive rules would not end.
    for rule in rules.iter().filter(|rule| rule.is_recursive()) {
        let table = format!(":- table {}.\n", indicator(vocabulary, rule.head.predicate));
        if !head.contains(&table) {
            head += &table;
        }
    }
    let mut support: Vec<&Fact> = data.eval_support.iter().collect();
    support.sort_by_key(|fact| fact.predicate);
    let theory = format!(
        "% The rules over the support facts of the evaluation.\n{head}{}{}",
        listed(vocabulary, support.into_iter()),
        rules.iter().map(|rule| prolog_rule(vocabulary, rule)).collect::<String>()
    );
    let mut train = sets.train.clone();
    train.sort_by_key(|fact| fact.predicate);
    let train = listed(vocabulary, train.into_iter());
    files.text("prolog/theory.pl", &theory)?;
    files.text("prolog/train.pl", &train)
}

fn asp(data: &RuleData, sets: &Sets, files: &Files) -> Result<(), DataError> {
    let vocabulary = data.vocabulary();
    let rules = data.rules();
    let mut text = String::new();
    let mut in_bodies: Vec<u32> =
        rules.iter().flat_map(|rule| &rule.body).map(|atom| atom.predicate).collect();
    in_bodies.sort_unstable();
    in_bodies.dedup();
    for predicate in in_bodies {
        _ = writeln!(text, "#defined {}.", indicator(vocabulary, predicate));
    }
    text += &rule_lines(vocabulary, &rules);
    files.text("asp/rules.lp", &text)?;
    files.text("asp/train.lp", &listed(vocabulary, sets.train.iter().copied()))?;
    files.text("asp/eval.lp", &listed(vocabulary, data.eval_support.iter()))
}

/// All facts of training and evaluation as rows of a table.
fn fact_rows(data: &RuleData) -> impl Iterator<Item = FactRow<'_>> {
    let vocabulary = data.vocabulary();
    let row = move |fact: &Fact, set: &'static str, provenance: Provenance, depth: i32| FactRow {
        fact: vocabulary.fact(fact),
        predicate: vocabulary.predicate_name(fact.predicate),
        arguments: fact.args.iter().map(|arg| vocabulary.constant_name(*arg)).collect(),
        set,
        provenance: provenance.name(),
        depth,
        target: data.graph.targets.binary_search(&fact.predicate).is_ok(),
        in_train: set == "train" && provenance.stays(),
    };
    let train = data.train.iter().map(move |t| row(&t.fact, "train", t.provenance, t.depth));
    let support = data.eval_support.iter().map(move |fact| row(fact, "eval", Provenance::Support, 0));
    let derived = data
        .eval_derived
        .iter()
        .map(move |(fact, depth)| row(fact, "eval", Provenance::Consequence, *depth as i32));
    train.chain(support).chain(derived)
}

fn facts(data: &RuleData, files: &Files) -> Result<(), DataError> {
    files.add(&write_parquet(&files.path("facts.parquet"), fact_rows(data))?);
    files.add(&write_jsonl(&files.path("facts.jsonl"), fact_rows(data))?);
    Ok(())
}
