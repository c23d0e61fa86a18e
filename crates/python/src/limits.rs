//! Limits of the solver, as they are given, to those of the process.

use std::time::Duration;

use racgen::campaign::output_words;
use racgen_logic::clingo::{GroundingLimits, limit_groundings};

use crate::failure::CallFailure;

/// What one call of the solver may take from now on: seconds, and MiB of the process if that is limited.
///
/// # Errors
/// A time that is none.
pub(crate) fn limit_solver(seconds: f64, mebibytes: Option<u64>) -> Result<Duration, CallFailure> {
    let time = output_words::time_limit(seconds).map_err(CallFailure::Usage)?;
    let memory = mebibytes.map_or(u64::MAX, |limit| limit.saturating_mul(1 << 20));
    limit_groundings(GroundingLimits { time, memory });
    Ok(time)
}
