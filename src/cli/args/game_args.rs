//! Limits of a game, as they are typed, to its job.

use clap::Args;

use crate::cli::args::run_args::time_limit;
use crate::cli::args::solver_limits::mebibytes;
use crate::cli::output::exit::Exit;
use crate::games::jobs::job::{GameJob, Work};

/// What one game may cost.
#[derive(Clone, Copy, Debug, Args)]
pub struct LimitOptions {
    /// Seconds that one game may take
    #[arg(long, default_value_t = 600.0, value_name = "SECONDS")]
    pub time_limit: f64,
    /// Mebibytes that one game may take
    #[arg(long, default_value_t = 4096, value_name = "MIB", value_parser = mebibytes)]
    pub memory_limit: u64,
}

impl LimitOptions {
    /// A job within these limits; without a text, the game is read from the file.
    ///
    /// # Errors
    /// A limit that is none.
    pub fn job(
        &self,
        file: String,
        text: Option<String>,
        threads: usize,
        work: Work,
    ) -> Result<GameJob, Exit> {
        let time = time_limit(self.time_limit)?;
        let memory = self.memory_limit.saturating_mul(1 << 20);
        Ok(GameJob { file, text, stepwise: None, time, memory, threads, work })
    }
}

/// What checking one game may cost.
#[derive(Clone, Copy, Debug, Args)]
pub struct CheckLimits {
    /// Seconds that one game may take; after a quarter of them, it is told what was not tried
    #[arg(long, default_value_t = 20.0, value_name = "SECONDS")]
    pub time_limit: f64,
    /// Mebibytes that one game may take
    #[arg(long, default_value_t = 4096, value_name = "MIB", value_parser = mebibytes)]
    pub memory_limit: u64,
}

impl CheckLimits {
    /// The same limits as those of other jobs.
    pub fn limits(self) -> LimitOptions {
        LimitOptions { time_limit: self.time_limit, memory_limit: self.memory_limit }
    }
}
