//! Where the time of a run goes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a thread may be busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Sampling layouts and grounding their programs.
    Grounding,
    /// Drawing situations, walking, and working out answers.
    Solving,
    /// Choosing questions.
    Choosing,
    /// Filling templates.
    Rendering,
    /// clingo's check of a share of the stories.
    Judging,
    /// Encoding and writing files.
    Writing,
}

impl Stage {
    /// All stages.
    pub const ALL: [Stage; 6] =
        [Stage::Grounding, Stage::Solving, Stage::Choosing, Stage::Rendering, Stage::Judging, Stage::Writing];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Grounding => "grounding",
            Stage::Solving => "solving",
            Stage::Choosing => "choosing",
            Stage::Rendering => "rendering",
            Stage::Judging => "judging",
            Stage::Writing => "writing",
        }
    }
}

/// Adds up the time of all threads by stage.
#[derive(Debug, Default)]
pub struct Clock([AtomicU64; 6]);

/// Counts until it is dropped.
pub struct Timer<'a> {
    clock: &'a Clock,
    stage: Stage,
    start: Instant,
}

impl Clock {
    /// Starts a timer for a stage.
    pub fn start(&self, stage: Stage) -> Timer<'_> {
        Timer { clock: self, stage, start: Instant::now() }
    }

    /// The time of each stage.
    pub fn read(&self) -> BTreeMap<Stage, Duration> {
        let time = |stage: Stage| Duration::from_nanos(self.0[stage as usize].load(Ordering::Relaxed));
        Stage::ALL.into_iter().map(|stage| (stage, time(stage))).collect()
    }
}

impl Drop for Timer<'_> {
    fn drop(&mut self) {
        let nanos = self.start.elapsed().as_nanos() as u64;
        self.clock.0[self.stage as usize].fetch_add(nanos, Ordering::Relaxed);
    }
}
