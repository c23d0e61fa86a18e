//! The command `racgen rules items`: parameters of rules to a data set of questions about them.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use clap::Args;

use crate::campaign::run::{Config, Origin};
use crate::cli::args::rule_args::RuleParameters;
use crate::cli::args::run_args::RunArgs;
use crate::cli::output::exit::Exit;
use crate::rules::generate::command::command_of;
use crate::rules::generate::dataset::rule_data;
use crate::rules::questions::source::RuleQuestions;

/// The most questions.
const MOST_ITEMS: u64 = 1_000_000;

/// What is asked about, and how much.
#[derive(Clone, Debug, Args)]
pub struct RuleItems {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub rules: RuleParameters,
    /// Items, at least: each story is told with all its questions
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000)]
    pub items: u64,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub run: RunArgs,
}

impl RuleItems {
    /// Makes the items.
    ///
    /// # Errors
    /// Parameters that make no sense, rules about which too few stories can be told, those of the run.
    pub fn make(&self, stop: &AtomicBool) -> Result<(), Exit> {
        if !(1..=MOST_ITEMS).contains(&self.items) {
            return Err(Exit::usage(format!("--items takes a number above 0, and at most {MOST_ITEMS}")));
        }
        let settings = self.rules.settings();
        let output = self.run.output(Path::new("data/rule_items"))?;
        let source = RuleQuestions::new(&rule_data(&settings)?, self.items)?;
        let command = command_of(&settings).replacen("racgen rules", "racgen rules items", 1);
        let origin = Origin { command: format!("{command} --items {}", self.items), seed: settings.seed };
        let config = Config { name: "rules".into(), source: &source };
        self.run.make(&[config], &output, &origin, stop).map(drop)
    }
}
