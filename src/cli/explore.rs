//! The command `racgen explore`: a data set to one page.

use std::path::PathBuf;

use clap::Args;
use racgen_data::write::text::stream as write_file;
use rayon::prelude::*;
use serde_json::Value;

use crate::cli::args::folders::Folders;
use crate::cli::args::run_args;
use crate::cli::args::solver_limits::SolverLimits;
use crate::cli::output::exit::{Exit, print};
use crate::explore::item::Explorer;
use crate::explore::page::page;
use crate::explore::sample::sampled;

/// What is shown, and where.
#[derive(Clone, Debug, Args)]
pub struct ExploreArgs {
    /// The output folder of a run, or a data file (.parquet, .jsonl, .csv)
    pub data: PathBuf,
    /// The page [default: explore.html in the folder]
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// At most so many items; those that audit.json faults come first
    #[arg(long, short = 'n', default_value_t = 1000, value_name = "N")]
    pub items: usize,
    /// Seed of the sample
    #[arg(long, short, default_value_t = 0)]
    pub seed: u64,
    /// Threads; 0 for one a processor
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// Print errors only
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub folders: Folders,
    #[command(flatten)]
    pub limits: SolverLimits,
}

impl ExploreArgs {
    /// Writes the page.
    ///
    /// # Errors
    /// Data that cannot be read, a page that cannot be written.
    pub fn run(&self) -> Result<(), Exit> {
        let limit = self.limits.enforce()?;
        let catalogue = self.folders.catalogue()?;
        let out = match &self.out {
            Some(out) => out.clone(),
            None if self.data.is_dir() => self.data.join("explore.html"),
            None => return Err(Exit::usage("name the page with --out, as the data are a file")),
        };
        let rows = sampled(&self.data, self.items.max(1), self.seed).map_err(Exit::usage)?;
        let explorer = Explorer::new(&catalogue, limit);
        let pool = run_args::pool(self.threads)?;
        let items: Vec<Value> = pool.install(|| rows.par_iter().map(|row| explorer.item(row)).collect());
        let name = self.data.display().to_string();
        let text = page(&name, &items);
        write_file(&out, |file| file.write_all(text.as_bytes()))?;
        if self.quiet {
            return Ok(());
        }
        let size = text.len() as f64 / 1e6;
        print(&format!("{} items in {size:.1} MB; {}\n", items.len(), out.display()))
    }
}
