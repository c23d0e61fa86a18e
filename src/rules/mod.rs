//! Rule sets with facts to learn them from, and how close learned rules come.
//!
//! After Cornelio and Thost, RuDaS: Synthetic Datasets for Rule Learning and Evaluation Tools (2019).

mod bench;
pub mod cli;
mod closure;
mod dataset;
mod error;
mod files;
mod graph;
mod manifest;
mod matching;
mod read;
mod referee;
mod score;
mod settings;
mod staging;
mod suite;
mod support;
mod syntax;
mod table;
mod tell;

pub use bench::{BenchSettings, bench};
pub use closure::{Closure, Mark};
pub use dataset::*;
pub use error::RulesError;
pub use files::{Extra, Writing, write_data};
pub use graph::{Component, Node, RuleGraph, is_sound, rule_graph, subsumes};
pub use matching::{RuleMatch, match_rules, similarity};
pub use read::{Place, ReadRule, Syntax, read_facts, read_rules};
pub use referee::{Dispensable, consequences, dispensable};
pub use score::{Measures, Reference, Score, Size, Universe, judged};
pub use settings::*;
pub use suite::{Made, Member, RuleSuite, v0, write_suite};
pub use support::{Growth, Instantiation};
pub use syntax::{Arg, Atom, Fact, Rule, Vocabulary};
pub use table::{Cell, Layout, Table, print};
pub use tell::questions;
