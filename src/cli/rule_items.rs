//! The command `racgen rules items`: parameters of rules to a data set of questions about them.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use clap::Args;

use crate::campaign::run::{Config, Origin};
use crate::cli::args::run_args::RunArgs;
use crate::cli::output::exit::Exit;
use crate::rules::generate::command::command_of;
use crate::rules::generate::dataset::rule_data;
use crate::rules::generate::parameters::RuleParameters;
use crate::rules::questions::source::{RuleQuestions, check_items};

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
        check_items(self.items)?;
        let settings = self.rules.settings();
        let output = self.run.output(Path::new("data/rule_items"))?;
        let source = RuleQuestions::new(&rule_data(&settings)?, self.items)?;
        let command = command_of(&settings).replacen("racgen rules", "racgen rules items", 1);
        let origin = Origin { command: format!("{command} --items {}", self.items), seed: settings.seed };
        let config = Config { name: "rules".into(), source: &source };
        self.run.make(&[config], &output, &origin, stop).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::rules::generate::parameters::RuleParameters;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        rules: RuleParameters,
    }

    /// What is usual is the same on a command line and elsewhere, and so is what is given.
    #[test]
    fn typed_and_given_parameters_are_the_same() {
        assert_eq!(Line::parse_from(["racgen"]).rules, RuleParameters::default());
        let words = [
            "racgen",
            "--category",
            "drdg",
            "--rules",
            "2-4",
            "--noise",
            "0.1-0.2",
            "--arity",
            "3",
            "--size",
            "S",
        ];
        let given = r#"{"category": "drdg", "rules": "2-4", "noise": "0.1-0.2", "arity": 3, "size": "S"}"#;
        assert_eq!(Line::parse_from(words).rules, serde_json::from_str(given).unwrap());
        let wrong = serde_json::from_str::<RuleParameters>(r#"{"noise": 7}"#).unwrap_err();
        assert!(wrong.to_string().starts_with("`7` is no share; write 0.3"), "{wrong}");
    }
}
