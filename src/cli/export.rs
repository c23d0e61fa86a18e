//! The command `racgen export`: a data set to the forms of other tools.

use std::path::PathBuf;

use clap::Args;
use racgen_data::training::files::styles;
use racgen_data::training::lm_eval::lm_eval;
use racgen_data::training::style::Style;

use crate::cli::args::folders::folder;
use crate::cli::output::exit::{Exit, print};

/// What is exported, and where to.
#[derive(Clone, Debug, Args)]
pub struct ExportArgs {
    /// The output folder of a run, or a data file
    pub data: PathBuf,
    /// Folder for the forms of --style
    #[arg(long, short, required_unless_present = "lm_eval", value_parser = folder())]
    pub out: Option<PathBuf>,
    /// Forms, separated by commas; each becomes a configuration of its own
    #[arg(long, value_enum, value_delimiter = ',', requires = "out", default_values = ["qa", "prompt_completion", "messages", "text"])]
    pub style: Vec<Style>,
    /// Folder for tasks of lm-evaluation-harness
    #[arg(long, value_name = "DIR", value_parser = folder())]
    pub lm_eval: Option<PathBuf>,
    /// Replace what an earlier export wrote into these folders
    #[arg(long)]
    pub force: bool,
}

impl ExportArgs {
    /// Writes the forms.
    ///
    /// # Errors
    /// Data that cannot be read, folders that are not empty.
    pub fn run(&self) -> Result<(), Exit> {
        let mut text = String::new();
        if let Some(out) = &self.out {
            let items = styles(&self.data, out, &self.style, self.force)?;
            text += &format!("{items} items in {} forms; {}\n", self.style.len(), out.display());
        }
        if let Some(out) = &self.lm_eval {
            let items = lm_eval(&self.data, out, "racgen", self.force)?;
            text += &format!("tasks with {} items; {}\n{}", items.written, out.display(), items.note());
        }
        print(&text)
    }
}
