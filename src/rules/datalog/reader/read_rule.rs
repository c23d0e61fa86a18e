//! Rules as they were read, with their places.

use serde::Deserialize;

use crate::rules::datalog::syntax::Rule;

/// How a file writes its rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Syntax {
    /// AMIE where lines have `=>` and none has `:-`, else Prolog.
    #[default]
    Auto,
    /// `p(X,Y) :- q(X,Z), r(Z,Y).`
    Prolog,
    /// As Prolog, and `;` separates body atoms, too.
    Asp,
    /// `?a  <q>  ?c  ?c  <r>  ?b  => ?a  <p>  ?b`, then tab-separated figures.
    Amie,
    /// As Prolog, between Popper's lines of asterisks.
    Popper,
}

/// A place in a text, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RulePlace {
    /// Line.
    pub line: usize,
    /// Column, in characters.
    pub column: usize,
}

/// A rule as it was read.
#[derive(Clone, Debug)]
pub struct ReadRule {
    /// The rule.
    pub rule: Rule,
    /// The learner's confidence, where it gave one.
    pub confidence: Option<f64>,
    /// Where the head begins.
    pub head: RulePlace,
    /// Where each body atom begins.
    pub body: Vec<RulePlace>,
}
