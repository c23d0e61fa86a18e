//! The command `racgen audit`: a data set to a report, and to a verdict.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::audit::attacks::thresholds::Thresholds;
use crate::audit::files::write_report;
use crate::audit::foreign::ColumnMap;
use crate::audit::run::{AuditOptions, audit};
use crate::cli::args::folders::{Folders, folder};
use crate::cli::args::run_args;
use crate::cli::args::solver_limits::SolverLimits;
use crate::cli::output::bar::Bar;
use crate::cli::output::exit::{Exit, print};
use crate::explore::item::ItemExplorer;

/// What is audited, and how strictly.
#[derive(Clone, Debug, Args)]
pub struct AuditArgs {
    /// The output folder of a run, or a data file (.parquet, .jsonl, .csv)
    pub data: PathBuf,
    /// Share of the stories whose texts are read back, above 0 and up to 1
    #[arg(long, value_name = "SHARE", default_value_t = 1.0)]
    pub sample: f64,
    /// Another data set, which should share no world, item or id with this one
    #[arg(long, value_name = "DIR")]
    pub against: Option<PathBuf>,
    /// Audit other people's data: a TOML file of lines like `question = "their column"`
    #[arg(long, value_name = "FILE")]
    pub format_map: Option<PathBuf>,
    /// Change a threshold; the names stand in the report (may be given several times)
    #[arg(long, value_name = "NAME=VALUE")]
    pub threshold: Vec<String>,
    /// Folder for audit.json and audit.html [default: that of the data]
    #[arg(long, short, value_parser = folder())]
    pub out: Option<PathBuf>,
    /// Threads; 0 for one a processor
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// Print errors only
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub limits: SolverLimits,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub folders: Folders,
}

impl AuditArgs {
    /// Audits a data set. Faults of its items end the process with 1, after the report is written.
    ///
    /// # Errors
    /// Arguments that make no sense, data that cannot be read, and the verdict, if there are faults.
    pub fn run(&self) -> Result<(), Exit> {
        let catalogue = self.folders.catalogue()?;
        if !(self.sample > 0.0 && self.sample <= 1.0) {
            return Err(Exit::usage("--sample takes a share above 0 and up to 1"));
        }
        let options = AuditOptions {
            sample: self.sample,
            against: self.against.clone(),
            map: self.format_map.as_deref().map(ColumnMap::read).transpose()?,
            thresholds: Thresholds::with(&self.threshold).map_err(Exit::usage)?,
            time_limit: self.limits.enforce()?,
        };
        let folder = match &self.out {
            Some(folder) => folder.clone(),
            None if self.data.is_dir() => self.data.clone(),
            None => self.data.parent().map_or_else(|| ".".into(), Path::to_owned),
        };
        let pool = run_args::pool(self.threads)?;
        let bar = Bar::new(self.quiet);
        let start = std::time::Instant::now();
        let report = pool.install(|| audit(&self.data, &catalogue, &options, &bar));
        bar.clear();
        let report = report?;
        let explorer = ItemExplorer::new(&catalogue, options.time_limit);
        pool.install(|| write_report(&report, &self.data, &explorer, &folder))?;
        if !self.quiet {
            let page = folder.join("audit.html");
            let time = start.elapsed().as_secs_f64();
            let tables = [report.giveaways(), report.choices()].into_iter().flatten();
            let given: String = tables.map(|table| format!("\n{table}\n")).collect();
            let end = format!("{} items in {time:.1} s; {}\n", report.items, page.display());
            print(&format!("{}{given}{end}", report.table()))?;
        }
        if report.pass { Ok(()) } else { Err(Exit::failure(report.verdict)) }
    }
}
