//! The command `racgen games items`: raw arguments to a folder of items.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use clap::Args;

use crate::campaign::jobs::game_items::GameQuestionOptions;
use crate::campaign::repeat::Repeat;
use crate::campaign::run::{Config, Origin};
use crate::cli::args::folders::is_standard_output;
use crate::cli::args::game_args::LimitOptions;
use crate::cli::args::run_args::RunArgs;
use crate::cli::output::exit::{Exit, print};
use crate::games::jobs::job::{GameJob, Work};
use crate::games::jobs::sandbox::guarded;
use crate::games::play::traces::PlayStyle;

/// How items of games are made.
#[derive(Clone, Debug, Args)]
pub struct ItemOptions {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub asked: GameQuestionOptions,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub limits: LimitOptions,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub run: RunArgs,
}

impl ItemOptions {
    /// Makes the items.
    ///
    /// # Errors
    /// All that went wrong, game by game; the items of the other games are written all the same.
    pub fn make(&self, stop: &AtomicBool) -> Result<(), Exit> {
        let output = self.run.output(Path::new("data/game_items"))?;
        let lines = is_standard_output(&output.out);
        let temporary = std::env::temp_dir().join("items");
        let beside = if lines { &temporary } else { &output.out };
        let limited = self.limits.job(String::new(), None, output.threads, Work::Check)?;
        let job =
            |file: String, text: Option<String>, work: Work| GameJob { file, text, work, ..limited.clone() };
        let mut told = Ok(());
        let mut tell = |text: String| {
            if !self.run.folder.quiet && !lines && told.is_ok() {
                told = print(&text);
            }
        };
        let made = self.asked.played(beside, &job, &|job, take| guarded(job, stop, take), &mut tell)?;
        told?;
        if !made.source.games().is_empty() {
            let config = Config { name: "default".into(), source: &made.source };
            let origin = Origin { command: self.command(), seed: self.asked.seed };
            self.run.make(&[config], &output, &origin, stop)?;
        }
        Exit::together(made.failed.into_iter().map(Exit::from).collect())
    }

    /// The command, without what does not change the rows.
    fn command(&self) -> String {
        let (start, asked) = (Repeat::new("racgen games items"), &self.asked);
        asked
            .games
            .iter()
            .fold(start, |command, game| command.word(game))
            .option("--items", asked.items)
            .option("--depth", &asked.depth)
            .option("--mix", &asked.mix)
            .option("--splits", &asked.splits)
            .option("--seed", asked.seed)
            .option("--traces", asked.traces)
            .option("--steps", asked.steps)
            .names("--play", &[asked.play], &[PlayStyle::Random])
            .flag("--generic", asked.generic)
            .text()
    }
}
