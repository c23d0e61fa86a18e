//! Files of original and learned rules to the scores of the learned ones.

use std::path::{Path, PathBuf};

use racgen_logic::fault::Fault;
use serde::Deserialize;

use crate::rules::datalog::input::{above, read_text};
use crate::rules::datalog::reader::{ReadRule, Syntax, read_facts, read_rules};
use crate::rules::datalog::syntax::{Rule, Vocabulary};
use crate::rules::error::RulesError;
use crate::rules::measure::score::{Measures, Reference, RuleScore, Universe};

/// The files of a comparison.
#[derive(Clone, Debug)]
pub struct RuleFiles {
    /// The original rules.
    pub original: PathBuf,
    /// The support facts of the evaluation.
    pub support: PathBuf,
    /// Learned rules, with their names.
    pub learned: Vec<(String, PathBuf)>,
    /// Names of predicates that learned rules may use besides those of rules and support.
    pub relations: Option<PathBuf>,
}

/// How rules are read and scored; the names are those of the command's options.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleScoring {
    /// The Herbrand universe.
    pub universe: Universe,
    /// How the learned rules are written.
    pub syntax: Syntax,
    /// Learned rules of less confidence are left out.
    pub threshold: Option<f64>,
    /// Consequences beyond which nothing is scored.
    pub most_facts: u64,
    /// Are body atoms on predicates that nobody knows taken for false?
    pub allow_unknown: bool,
}

/// The score of one file of learned rules.
#[derive(Clone, Debug)]
pub struct ScoredRules {
    /// Its name.
    pub name: String,
    /// Its score.
    pub score: RuleScore,
    vocabulary: Vocabulary,
}

impl ScoredRules {
    /// The measures of each predicate, by its name.
    pub fn by_predicate(&self) -> impl Iterator<Item = (&str, &Measures)> {
        self.score.predicates.iter().map(|(predicate, m)| (self.vocabulary.predicate_name(*predicate), m))
    }
}

/// Scores all learned rules of a comparison.
///
/// # Errors
/// Files that do not read, with their places; predicates that nobody knows; rules that derive too much; those of clingo.
pub fn score_rules(files: &RuleFiles, scoring: &RuleScoring) -> Result<Vec<ScoredRules>, RulesError> {
    let mut vocabulary = Vocabulary::default();
    let shown = |path: &Path| path.display().to_string();
    let (original, support) = (&files.original, &files.support);
    let read = read_rules(&read_text(original)?, &shown(original), Syntax::Auto, &mut vocabulary)?;
    let rules: Vec<Rule> = read.into_iter().map(|read| read.rule).collect();
    let facts = read_facts(&read_text(support)?, &shown(support), &mut vocabulary)?;
    let reference = Reference::new(&rules, &facts, vocabulary.arities(), scoring.most_facts)?;
    let relations = files.relations.as_deref().map(read_text).transpose()?.unwrap_or_default();
    let known: Vec<&str> = relations.lines().map(str::trim).collect();
    let mut scores = Vec::new();
    for (name, path) in &files.learned {
        let mut vocabulary = vocabulary.clone();
        let read = read_rules(&read_text(path)?, &shown(path), scoring.syntax, &mut vocabulary)?;
        let read = above(read, scoring.threshold);
        if !scoring.allow_unknown {
            refuse_unknown(&shown(path), &read, &reference, &known, &vocabulary)?;
        }
        let rules: Vec<Rule> = read.into_iter().map(|read| read.rule).collect();
        let score = reference.score(&rules, vocabulary.arities(), scoring.universe, scoring.most_facts)?;
        scores.push(ScoredRules { name: name.clone(), score, vocabulary });
    }
    Ok(scores)
}

/// Refuses body atoms that can never hold because nobody knows their predicate.
fn refuse_unknown(
    file: &str,
    learned: &[ReadRule],
    reference: &Reference,
    known: &[&str],
    vocabulary: &Vocabulary,
) -> Result<(), Fault> {
    let heads: Vec<u32> = learned.iter().map(|read| read.rule.head.predicate).collect();
    for read in learned {
        for (atom, place) in read.rule.body.iter().zip(&read.body) {
            let name = vocabulary.predicate_name(atom.predicate);
            let is_known =
                heads.contains(&atom.predicate) || known.contains(&name) || reference.knows(atom.predicate);
            if !is_known {
                return Err(Fault {
                    place: format!("{file}:{}:{}", place.line, place.column),
                    cause: format!("the predicate `{name}` is unknown: no support fact and no rule has it"),
                    remedy:
                        "correct its name, name it in --relations, or take it for false with --allow-unknown"
                            .into(),
                });
            }
        }
    }
    Ok(())
}
