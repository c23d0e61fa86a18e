//! The command `racgen explore`: a data set to one page.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use racgen_data::read::rows::{nth, rows_from};
use racgen_data::row::Row;

use crate::cli::args::folders::Folders;
use crate::cli::args::run_args;
use crate::cli::args::solver_limits::SolverLimits;
use crate::cli::output::exit::{Exit, print};
use crate::explore::item::ItemExplorer;
use crate::explore::sample::sampled;
use crate::explore::write::write_page;

/// What one solver call may take where nothing else is said.
const LIMIT: Duration = Duration::from_secs(60);

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
        let explorer = ItemExplorer::new(&catalogue, limit);
        let pool = run_args::pool(self.threads)?;
        let size = pool.install(|| write_page(&self.data, &rows, &explorer, &out))?;
        if self.quiet {
            return Ok(());
        }
        let megabytes = size as f64 / 1e6;
        print(&format!("{} items in {megabytes:.1} MB; {}\n", rows.len(), out.display()))
    }
}

/// Writes the page of some rows, from one on.
///
/// # Errors
/// Data that cannot be read, a page that cannot be written.
pub fn write_page_of_rows(
    data: &Path,
    row: u64,
    rows: u64,
    out: &Path,
    folders: &Folders,
) -> Result<(), Exit> {
    let catalogue = folders.catalogue()?;
    let found = rows_from(data, row)?.take(rows as usize).collect::<Result<Vec<Row>, _>>()?;
    if found.is_empty() {
        // It says how many there are.
        nth(data, row)?;
    }
    write_page(data, &found, &ItemExplorer::new(&catalogue, LIMIT), out)?;
    Ok(())
}
