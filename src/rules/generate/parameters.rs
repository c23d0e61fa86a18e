//! Parameters of rules, as they are typed, to settings.

use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::rules::generate::settings::{Category, RuleSettings, Scale, Share, Span, Targets, TermWeights};

/// The parameters of one data set.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields, default)]
pub struct RuleParameters {
    /// How the rules depend on each other
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value = "chain"))]
    pub category: Category,
    /// Number of training facts: XS 50-100, S to 1,000, M to 10,000, L to 100,000, XL to 500,000
    #[cfg_attr(feature = "cli", arg(long, value_enum, ignore_case = true, default_value = "XS"))]
    pub size: Scale,
    /// Aim at so many training facts, give or take a tenth
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub facts: Option<u64>,
    /// Rules on the longest way from the root of a rule graph
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 2))]
    pub depth: usize,
    /// Make a rule of each component recursive
    #[cfg_attr(feature = "cli", arg(long))]
    pub recursive: bool,
    /// Connected components: a number, or a range 1-3 [default: 1, for mixed 2]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    #[serde(deserialize_with = "typed")]
    pub components: Option<Span>,
    /// Let all components derive the same target
    #[cfg_attr(feature = "cli", arg(long))]
    pub shared_target: bool,
    /// Number of rules, or a range
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    #[serde(deserialize_with = "typed")]
    pub rules: Option<Span>,
    /// Most body atoms of a rule
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 2, value_name = "N"))]
    pub max_length: usize,
    /// Arguments of predicates: a number, or a range
    #[cfg_attr(feature = "cli", arg(long, default_value = "2", value_name = "N"))]
    #[serde(deserialize_with = "as_typed")]
    pub arity: Span,
    /// Number of predicates
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub predicates: Option<usize>,
    /// Number of constants
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub constants: Option<usize>,
    /// Most alternative rules at one place of a DRDG
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 2, value_name = "N"))]
    pub max_or: usize,
    /// What stands in bodies [default: head=2,earlier=3,constant=0,fresh=3]
    #[cfg_attr(feature = "cli", arg(long, value_name = "TERM=WEIGHT,..."))]
    #[serde(deserialize_with = "typed")]
    pub terms: Option<TermWeights>,
    /// Share of the consequences to leave out: 0.3, or a range 0.2-0.4
    #[cfg_attr(feature = "cli", arg(long, default_value = "0.3", value_name = "SHARE"))]
    #[serde(deserialize_with = "as_typed")]
    pub open_world: Share,
    /// Share of the support to leave out (noise-)
    #[cfg_attr(feature = "cli", arg(long, default_value = "0.15", value_name = "SHARE"))]
    #[serde(deserialize_with = "as_typed")]
    pub missing: Share,
    /// Share of irrelevant and wrong facts in the training set (noise+)
    #[cfg_attr(feature = "cli", arg(long, default_value = "0.2", value_name = "SHARE"))]
    #[serde(deserialize_with = "as_typed")]
    pub noise: Share,
    /// Do these shares hold for target facts and others separately, or for all together?
    #[cfg_attr(feature = "cli", arg(long, value_enum, default_value = "separate"))]
    pub targets: Targets,
    /// Instantiate the rule graph completely every so many times
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 3, value_name = "N"))]
    pub full_every: u32,
    /// Otherwise leave out one rule in so many
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 5, value_name = "N"))]
    pub skip: u32,
    /// Support facts of the evaluation [default: a third of the training facts, but 100 to 10,000]
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub eval_support: Option<usize>,
    /// Seed of all random choices
    #[cfg_attr(feature = "cli", arg(long, short, default_value_t = 0))]
    pub seed: u64,
}

impl Default for RuleParameters {
    fn default() -> RuleParameters {
        let usual = RuleSettings::default();
        RuleParameters {
            category: usual.category,
            size: usual.size,
            facts: None,
            depth: usual.depth,
            recursive: false,
            components: None,
            shared_target: false,
            rules: None,
            max_length: usual.max_length,
            arity: usual.arity,
            predicates: None,
            constants: None,
            max_or: usual.max_or,
            terms: None,
            open_world: usual.open_world,
            missing: usual.missing,
            noise: usual.noise,
            targets: usual.targets,
            full_every: usual.full_every,
            skip: usual.skip,
            eval_support: None,
            seed: 0,
        }
    }
}

/// A value as it would be typed: a text or a number.
fn as_typed<'de, D: Deserializer<'de>, T: FromStr<Err = String>>(deserializer: D) -> Result<T, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(text) => text.parse().map_err(D::Error::custom),
        value => value.to_string().parse().map_err(D::Error::custom),
    }
}

/// The same, of what need not be given.
fn typed<'de, D: Deserializer<'de>, T: FromStr<Err = String>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    as_typed(deserializer).map(Some)
}

impl RuleParameters {
    /// The settings asked for.
    pub fn settings(&self) -> RuleSettings {
        let usual = RuleSettings::default();
        let components = if self.category == Category::Mixed { Span::exactly(2) } else { usual.components };
        RuleSettings {
            category: self.category,
            size: self.size,
            facts: self.facts,
            depth: self.depth,
            recursive: self.recursive,
            components: self.components.unwrap_or(components),
            shared_target: self.shared_target,
            rules: self.rules,
            max_length: self.max_length,
            arity: self.arity,
            predicates: self.predicates,
            constants: self.constants,
            max_or: self.max_or,
            terms: self.terms.unwrap_or(usual.terms),
            open_world: self.open_world,
            missing: self.missing,
            noise: self.noise,
            targets: self.targets,
            full_every: self.full_every,
            skip: self.skip,
            eval_support: self.eval_support,
            seed: self.seed,
        }
    }
}
