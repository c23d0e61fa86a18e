//! Rule sets with facts to learn them from, and how close learned rules come.
//!
//! After Cornelio and Thost, RuDaS: Synthetic Datasets for Rule Learning and Evaluation Tools (2019). The way of a
//! data set, each arrow a module:
//!
//! 1. `settings`: parameters to [`RuleSettings`], checked against each other;
//! 2. `graph`: settings to a [`RuleGraph`], whose rules depend on each other as the category says;
//! 3. `support`: a graph to support facts, by instances of the graph;
//! 4. `dataset`: consequences (`referee`: by clingo), missing facts and noise, each with its provenance, and the proof
//!    that nothing in the rules is dispensable;
//! 5. `files`, `learners`, `manifest`, `tell`: a [`RuleData`] to files, and to questions in plain language, which
//!    `tell_reader` reads back.
//!
//! And the way of learned rules: `read` takes the texts of learners, `score` measures them, `matching` compares the rules
//! themselves, `bench` averages over data sets, `table` prints.
//!
//! ```
//! use crate::rules::{Category, Reference, RuleSettings, Universe, rule_data};
//! let settings = RuleSettings { category: Category::Rdg, depth: 3, seed: 7, ..RuleSettings::default() };
//! let data = rule_data(&settings).unwrap();
//! assert!(data.dispensable.is_empty());
//!
//! // A learner that missed the last rule.
//! let rules = data.rules();
//! let arities = data.vocabulary().arities();
//! let reference = Reference::new(&rules, &data.eval_support, arities, 1_000_000).unwrap();
//! let score = reference.score(&rules[..rules.len() - 1], arities, Universe::Strict, 1_000_000).unwrap();
//! assert!(score.overall.precision == 1.0 && score.overall.recall < 1.0);
//! assert!(!score.equivalent);
//! ```

pub mod datalog;
pub mod error;
pub mod files;
pub mod generate;
pub mod measure;
pub mod questions;
