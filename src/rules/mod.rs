//! Rule sets with facts to learn them from, and how close learned rules come.
//!
//! After Cornelio and Thost, RuDaS: Synthetic Datasets for Rule Learning and Evaluation Tools (2019). [`datalog`] reads
//! rules and facts and derives what follows, with clingo as judge; [`generate`] makes rules that depend on each other
//! as their category says, and facts with missing ones and noise, each with its provenance; [`files`] writes them as
//! learners take them, [`questions`] asks about them in plain language; [`measure`] scores what was learned.
//!
//! ```
//! use racgen::rules::generate::dataset::rule_data;
//! use racgen::rules::generate::settings::{Category, RuleSettings};
//! use racgen::rules::measure::score::{Reference, Universe};
//!
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
