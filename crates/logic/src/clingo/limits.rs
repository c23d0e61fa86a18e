//! The grounding that is under way to what it costs, and whether that is more than it may.
//!
//! One thread grounds at a time (`gate`), so that what it may cost is a matter of the process. clingo can be stopped at
//! each rule that it hands over, which is soon enough where it makes rules without end. Where it
//! joins relations and finds nothing, it cannot be stopped; then [`overdue`] tells another thread, which can end the process.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::program::Program;
use crate::error::LogicError;
use crate::memory::resident_memory;

/// What each grounding of the process may cost.
#[derive(Clone, Copy, Debug)]
pub struct GroundingLimits {
    /// Time.
    pub time: Duration,
    /// Bytes of memory that the whole process may have while it grounds.
    pub memory: u64,
}

impl GroundingLimits {
    /// What is too much, if anything is.
    fn exceeded(&self, start: Instant) -> Option<String> {
        if start.elapsed() > self.time {
            return Some(format!("more than {:?}, the --time-limit", self.time));
        }
        let memory = resident_memory(None).filter(|memory| *memory > self.memory);
        memory.map(|_| format!("more than {} MiB, the --memory-limit", self.memory >> 20))
    }
}

/// The grounding under way.
#[derive(Debug)]
struct UnderWay {
    start: Instant,
    files: String,
    /// When clingo was told to stop.
    told: Option<Instant>,
}

#[derive(Debug)]
struct State {
    limits: Option<GroundingLimits>,
    under_way: Option<UnderWay>,
}

static STATE: Mutex<State> = Mutex::new(State { limits: None, under_way: None });

/// Looks at, or changes, what is known of groundings.
fn with_state<T>(change: impl FnOnce(&mut State) -> T) -> T {
    // Nothing panics while it holds the lock.
    change(&mut STATE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Sets what each grounding of this process may cost from now on.
pub fn limit_groundings(limits: GroundingLimits) {
    with_state(|state| state.limits = Some(limits));
}

/// How much more than it may a grounding takes before it is overdue: those that can be stopped are, before.
const GRACE: f64 = 0.25;

/// How long a grounding that was told to stop may take to do so, and to say which predicate is largest.
const TO_STOP: Duration = Duration::from_secs(10);

/// What the grounding under way takes too much of, if that should have stopped it already.
pub fn overdue() -> Option<LogicError> {
    with_state(|state| {
        let (limits, UnderWay { start, files, told }) = (state.limits?, state.under_way.as_ref()?);
        if told.is_some_and(|told| told.elapsed() < TO_STOP) {
            return None;
        }
        let late = GroundingLimits {
            time: limits.time.mul_f64(1.0 + GRACE) + Duration::from_millis(500),
            memory: limits.memory + (limits.memory as f64 * GRACE) as u64,
        };
        late.exceeded(*start)?;
        Some(LogicError::grounding(files.clone(), limits.exceeded(*start)?, None))
    })
}

/// What the grounding of one program costs.
#[derive(Debug)]
pub(super) struct Meter {
    start: Instant,
    limits: Option<GroundingLimits>,
    rules: u32,
}

/// Begins to watch the grounding of a program.
pub(super) fn begin(program: &Program) -> Meter {
    let start = Instant::now();
    let files = program.file_names();
    let limits = with_state(|state| {
        state.under_way = Some(UnderWay { start, files, told: None });
        state.limits
    });
    Meter { start, limits, rules: 0 }
}

/// Says that no grounding is under way any more.
pub(super) fn end() {
    with_state(|state| state.under_way = None);
}

/// Rules between two looks at the clock and the memory.
const RULES_A_LOOK: u32 = 4096;

impl Meter {
    /// Counts a rule, and says what is too much, if anything is.
    pub(super) fn count(&mut self) -> Option<String> {
        let limits = self.limits?;
        self.rules = self.rules.wrapping_add(1);
        let over = if self.rules.is_multiple_of(RULES_A_LOOK) { limits.exceeded(self.start) } else { None };
        if over.is_some() {
            with_state(|state| {
                if let Some(under_way) = &mut state.under_way {
                    under_way.told = Some(Instant::now());
                }
            });
        }
        over
    }
}
