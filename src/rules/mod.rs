//! Rule sets with facts to learn them from, and how close learned rules come.
//!
//! After Cornelio and Thost, RuDaS: Synthetic Datasets for Rule Learning and Evaluation Tools (2019).

mod closure;
mod error;
mod matching;
mod read;
mod referee;
mod score;
mod syntax;

pub use closure::{Closure, Mark};
pub use error::RulesError;
pub use matching::{RuleMatch, match_rules, similarity};
pub use read::{Place, ReadRule, Syntax, read_facts, read_rules};
pub use referee::{Dispensable, consequences, dispensable};
pub use score::{Measures, Reference, Score, Size, Universe, judged};
pub use syntax::{Arg, Atom, Fact, Rule, Vocabulary};
