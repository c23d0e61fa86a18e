//! Parameters of rules, as they are typed, to settings.

use clap::Args;

use crate::rules::generate::settings::{Category, RuleSettings, Scale, Share, Span, Targets, TermWeights};

/// The parameters of one data set.
#[derive(Clone, Debug, Args)]
pub struct RuleParameters {
    /// How the rules depend on each other
    #[arg(long, value_enum, default_value = "chain")]
    pub category: Category,
    /// Number of training facts: XS 50-100, S to 1,000, M to 10,000, L to 100,000, XL to 500,000
    #[arg(long, value_enum, ignore_case = true, default_value = "XS")]
    pub size: Scale,
    /// Aim at so many training facts, give or take a tenth
    #[arg(long, value_name = "N")]
    pub facts: Option<u64>,
    /// Rules on the longest way from the root of a rule graph
    #[arg(long, default_value_t = 2)]
    pub depth: usize,
    /// Make a rule of each component recursive
    #[arg(long)]
    pub recursive: bool,
    /// Connected components: a number, or a range 1-3 [default: 1, for mixed 2]
    #[arg(long, value_name = "N")]
    pub components: Option<Span>,
    /// Let all components derive the same target
    #[arg(long)]
    pub shared_target: bool,
    /// Number of rules, or a range
    #[arg(long, value_name = "N")]
    pub rules: Option<Span>,
    /// Most body atoms of a rule
    #[arg(long, default_value_t = 2, value_name = "N")]
    pub max_length: usize,
    /// Arguments of predicates: a number, or a range
    #[arg(long, default_value = "2", value_name = "N")]
    pub arity: Span,
    /// Number of predicates
    #[arg(long, value_name = "N")]
    pub predicates: Option<usize>,
    /// Number of constants
    #[arg(long, value_name = "N")]
    pub constants: Option<usize>,
    /// Most alternative rules at one place of a DRDG
    #[arg(long, default_value_t = 2, value_name = "N")]
    pub max_or: usize,
    /// What stands in bodies [default: head=2,earlier=3,constant=0,fresh=3]
    #[arg(long, value_name = "TERM=WEIGHT,...")]
    pub terms: Option<TermWeights>,
    /// Share of the consequences to leave out: 0.3, or a range 0.2-0.4
    #[arg(long, default_value = "0.3", value_name = "SHARE")]
    pub open_world: Share,
    /// Share of the support to leave out (noise-)
    #[arg(long, default_value = "0.15", value_name = "SHARE")]
    pub missing: Share,
    /// Share of irrelevant and wrong facts in the training set (noise+)
    #[arg(long, default_value = "0.2", value_name = "SHARE")]
    pub noise: Share,
    /// Do these shares hold for target facts and others separately, or for all together?
    #[arg(long, value_enum, default_value = "separate")]
    pub targets: Targets,
    /// Instantiate the rule graph completely every so many times
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub full_every: u32,
    /// Otherwise leave out one rule in so many
    #[arg(long, default_value_t = 5, value_name = "N")]
    pub skip: u32,
    /// Support facts of the evaluation [default: a third of the training facts, but 100 to 10,000]
    #[arg(long, value_name = "N")]
    pub eval_support: Option<usize>,
    /// Seed of all random choices
    #[arg(long, short, default_value_t = 0)]
    pub seed: u64,
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
