//! The command `racgen score`: predictions to tables.

use std::path::{Path, PathBuf};

use clap::Args;
use racgen_data::table::TableStyle;

use crate::cli::args::folders::Folders;
use crate::cli::output::exit::{Exit, print};
use crate::score::run::{Predictions, ScoreOptions, score};
use crate::score::table::write;

/// What is scored, against what.
#[derive(Clone, Debug, Args)]
pub struct ScoreArgs {
    /// Files of predictions (.parquet, .jsonl, .csv), each perhaps with a name for the tables, as N1=n1.jsonl
    #[arg(required = true, value_name = "[NAME=]FILE")]
    pub predictions: Vec<String>,
    /// The data set that the predictions are about
    #[arg(long, value_name = "DIR")]
    pub gold: PathBuf,
    /// The column of ids
    #[arg(long, default_value = "id", value_name = "COLUMN")]
    pub id: String,
    /// The column of predictions
    #[arg(long, default_value = "prediction", value_name = "COLUMN")]
    pub prediction: String,
    /// How the tables are written
    #[arg(long = "as", value_enum, default_value = "text", value_name = "STYLE")]
    pub style: TableStyle,
    /// Leave out what guessing would give
    #[arg(long)]
    pub no_baselines: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub folders: Folders,
}

impl ScoreArgs {
    /// The files of predictions with their names: the part before `=`, or else the file's.
    pub fn files(&self) -> Vec<Predictions> {
        let named = |text: &String| {
            let given = text.split_once('=').filter(|_| !Path::new(text).exists());
            let (name, path) = given.map_or((None, text.as_str()), |(name, path)| (Some(name), path));
            let path = PathBuf::from(path);
            let stem = || path.file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned());
            let name = name.map_or_else(stem, str::to_owned);
            Predictions { name, path }
        };
        self.predictions.iter().map(named).collect()
    }

    /// Prints the scores.
    ///
    /// # Errors
    /// Predictions or data that cannot be read, or do not fit each other.
    pub fn run(&self) -> Result<(), Exit> {
        let options = ScoreOptions {
            id: self.id.clone(),
            prediction: self.prediction.clone(),
            baselines: !self.no_baselines,
        };
        let scores = score(&self.files(), &self.gold, &self.folders.catalogue()?, &options)?;
        print(&write(&scores, self.style))
    }
}
