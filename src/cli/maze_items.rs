//! The command `racgen halma items`: raw arguments to a data set of questions about mazes.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use clap::Args;

use crate::campaign::jobs::row_options::RowOptions;
use crate::campaign::repeat::Repeat;
use crate::campaign::run::{Config, Origin};
use crate::cli::args::run_args::RunArgs;
use crate::cli::output::exit::Exit;
use crate::halma::items::settings::MazeItemSettings;
use crate::halma::items::source::{DOMAIN, MazeQuestions};

/// What is asked about, and how much.
#[derive(Clone, Debug, Args)]
pub struct MazeItems {
    /// Items, over all splits, levels and depths
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000)]
    pub items: u64,
    /// 1 panels alone, 2 mazes with short branches, 3 mazes with long ones: a number, a range 1-3 or a list 1,3
    #[arg(long, short, value_name = "N", default_value = "1-3")]
    pub level: String,
    /// Number of moves told of a maze: a number, a range 0-3 or a list 0,2
    #[arg(long, value_name = "A", default_value = "0-4")]
    pub depth: String,
    /// Proportions of the three types of questions
    #[arg(long, value_name = "TYPE=WEIGHT,...", default_value = "verify=4,count=3,other=3")]
    pub mix: String,
    /// Splits and their weights
    #[arg(long, value_name = "NAME=WEIGHT,...", default_value = "train=80,validation=10,test=10")]
    pub splits: String,
    /// Show panels in pictures, in the column `image`, and do not tell them
    #[arg(long)]
    pub pictures: bool,
    /// Seed of all random choices
    #[arg(long, short, default_value_t = 0)]
    pub seed: u64,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub run: RunArgs,
}

impl MazeItems {
    /// Makes the items.
    ///
    /// # Errors
    /// Arguments that make no sense, those of the run.
    pub fn make(&self, stop: &AtomicBool) -> Result<(), Exit> {
        let source = MazeQuestions::new(self.settings()?)?;
        let output = self.run.output(Path::new("data/halma_items"))?;
        let origin = Origin { command: self.command(), seed: self.seed };
        let config = Config { name: DOMAIN.into(), source: &source };
        self.run.make(&[config], &output, &origin, stop).map(drop)
    }

    /// Settings of rows, read and checked as those of domains are.
    fn settings(&self) -> Result<MazeItemSettings, Exit> {
        let rows = RowOptions {
            level: Some(self.level.clone()),
            depth: Some(self.depth.clone()),
            items: Some(self.items),
            mix: Some(self.mix.clone()),
            splits: Some(self.splits.clone()),
            ..RowOptions::default()
        };
        let settings = rows.settings()?;
        Ok(MazeItemSettings {
            levels: settings.levels,
            depths: settings.depths,
            items: settings.items,
            mix: settings.mix,
            splits: settings.splits,
            seed: self.seed,
            pictures: self.pictures,
            open_vocabulary: true,
        })
    }

    /// The command without what does not change the rows.
    fn command(&self) -> String {
        Repeat::new("racgen halma items")
            .option("--items", self.items)
            .option("--level", &self.level)
            .option("--depth", &self.depth)
            .option("--mix", &self.mix)
            .option("--splits", &self.splits)
            .flag("--pictures", self.pictures)
            .option("--seed", self.seed)
            .text()
    }
}
