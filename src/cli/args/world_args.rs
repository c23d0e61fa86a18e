//! Which world a command is about: one that is drawn, or that of a row.

use std::path::PathBuf;

use clap::Args;
use racgen_data::read::rows::nth;
use racgen_data::row::Row;

use crate::campaign::jobs::row_options::whole_number;
use crate::cli::args::folders::Folders;
use crate::cli::args::solver_limits::SolverLimits;
use crate::cli::output::exit::Exit;

/// A package, and a world of it.
#[derive(Clone, Debug, Args)]
pub struct WorldArgs {
    /// A domain, or the folder of a package; `draw` takes games as well
    pub package: String,
    /// Level of the world, where it is drawn by lot
    #[arg(long, short, default_value_t = 1, value_parser = clap::value_parser!(i32).range(1..=5))]
    pub level: i32,
    /// Seed that it is drawn by
    #[arg(long, short, default_value_t = 0)]
    pub seed: u64,
    /// Take the world of a row of this data file (.parquet, .jsonl, .csv) or folder instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["level", "seed"])]
    pub data: Option<PathBuf>,
    /// Which row, counted from 0
    #[arg(long, default_value_t = 0, value_parser = whole_number, requires = "data")]
    pub row: u64,
    #[command(flatten)]
    pub folders: Folders,
    #[command(flatten)]
    pub limits: SolverLimits,
}

impl WorldArgs {
    /// The row that was named; none where the world is drawn.
    ///
    /// # Errors
    /// Data that cannot be read; fewer rows.
    pub fn wanted_row(&self) -> Result<Option<Row>, Exit> {
        self.data.as_deref().map(|file| nth(file, self.row)).transpose().map_err(Exit::from)
    }
}
