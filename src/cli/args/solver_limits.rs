//! Limits of the solver, as they are typed, to the time a search may take and to a watch over groundings.

use std::time::Duration;

use clap::Args;
use racgen_logic::clingo::{GroundingLimits, limit_groundings, overdue};

use crate::cli::args::run_args::{RUNNING, time_limit};
use crate::cli::output::exit::Exit;

/// What one call of the solver may cost.
#[derive(Clone, Copy, Debug, Args)]
pub struct SolverLimits {
    /// Seconds that one solver call may take
    #[arg(help_heading = RUNNING, long, default_value_t = 60.0, value_name = "SECONDS")]
    pub time_limit: f64,
    /// Mebibytes that racgen may take while the solver grounds
    #[arg(help_heading = RUNNING, long, default_value_t = 8192, value_name = "MIB",
          value_parser = mebibytes)]
    pub memory_limit: u64,
}

/// How often a grounding is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// How many looks in a row find a grounding overdue before the process ends.
const LOOKS: u32 = 5;

impl SolverLimits {
    /// Puts the limits into force, and returns that of a search.
    ///
    /// A grounding that cannot be stopped from within ends the process: what is written is complete by then, or has no
    /// final name yet.
    ///
    /// # Errors
    /// A time that is none.
    pub fn enforce(&self) -> Result<Duration, Exit> {
        let time = time_limit(self.time_limit)?;
        limit_groundings(GroundingLimits { time, memory: self.memory_limit.saturating_mul(1 << 20) });
        std::thread::spawn(|| {
            let mut looks = 0;
            loop {
                std::thread::sleep(LOOK);
                // A table that grows may take much memory at once; then clingo can be stopped, which names the rule.
                looks = if overdue().is_some() { looks + 1 } else { 0 };
                if let Some(error) = overdue().filter(|_| looks >= LOOKS) {
                    Exit::failure(error).at_once();
                }
            }
        });
        Ok(time)
    }
}

/// A whole number of mebibytes, 1 or more.
///
/// # Errors
pub fn mebibytes(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "it takes a whole number of mebibytes, 1 or more, without a unit".to_owned())
}
