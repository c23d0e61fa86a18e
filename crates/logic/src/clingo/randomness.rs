//! A random stream to clingo's decisions, and a deadline to its giving up.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use clingo::{Assignment, Id, PropagateInit, Propagator, SolverLiteral, TruthValue};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

/// Throws dice for clingo's decisions: which of the candidate atoms is decided next, and whether it is true.
/// clingo's own random heuristic prefers atoms that follow assigned ones; this one prefers none.
pub(super) struct Dice {
    /// Set once the program is grounded.
    pub(super) candidates: Arc<OnceLock<Vec<SolverLiteral>>>,
    /// The candidates as the solver knows them, in a new random order for each answer set.
    order: Vec<SolverLiteral>,
    /// Those before this place were decided at the last decision, which was made at the level second.
    decided: (usize, u32),
    rng: Option<ChaCha8Rng>,
    pub(super) orders: Arc<Orders>,
}

impl Dice {
    /// Dice that leave the decisions to clingo where there is no source of randomness.
    pub(super) fn new(rng: Option<ChaCha8Rng>) -> Dice {
        Dice { candidates: Arc::default(), order: Vec::new(), decided: (0, 0), rng, orders: Arc::default() }
    }
}

/// What a search tells its dice.
#[derive(Default)]
pub(super) struct Orders {
    /// When to give up.
    deadline: Mutex<Option<Instant>>,
    /// Leave the decisions to clingo for now.
    rest: AtomicBool,
    /// Draw a new order: the next answer set is sought.
    afresh: AtomicBool,
}

impl Orders {
    /// Sets the deadline, from now; none where there is no limit.
    pub(super) fn give_up_after(&self, limit: Option<Duration>) {
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        *self.deadline.lock().unwrap_or_else(PoisonError::into_inner) = deadline;
    }

    /// Is the deadline over?
    pub(super) fn expired(&self) -> bool {
        let deadline = *self.deadline.lock().unwrap_or_else(PoisonError::into_inner);
        deadline.is_some_and(|deadline| Instant::now() > deadline)
    }

    /// Has the dice rest, or throw again, from the next call of the solver on.
    pub(super) fn rest(&self, rest: bool) {
        self.rest.store(rest, Ordering::Relaxed);
    }

    /// Has the dice draw a new order at the next decision.
    pub(super) fn start_afresh(&self) {
        self.afresh.store(true, Ordering::Relaxed);
    }
}

impl Propagator for Dice {
    fn init(&mut self, init: &mut PropagateInit) -> bool {
        self.decided = (0, 0);
        let Some(rng) = self.rng.as_mut().filter(|_| !self.orders.rest.load(Ordering::Relaxed)) else {
            self.order.clear();
            return true;
        };
        let candidates = self.candidates.get().into_iter().flatten();
        self.order = candidates.filter_map(|l| init.solver_literal(*l).ok()).collect();
        self.order.shuffle(rng);
        true
    }

    fn decide(
        &mut self,
        _thread: Id,
        assignment: &Assignment,
        _fallback: SolverLiteral,
        decision: &mut SolverLiteral,
    ) -> bool {
        if self.orders.expired() {
            return false;
        }
        let Some(rng) = &mut self.rng else { return true };
        let (mut from, last) = self.decided;
        let level = assignment.decision_level();
        if self.orders.afresh.swap(false, Ordering::Relaxed) {
            self.order.shuffle(rng);
            from = 0;
        }
        // Where the search did not go back, what was decided is so still.
        if level != last + 1 {
            from = 0;
        }
        let free = |l: &SolverLiteral| matches!(assignment.truth_value(*l), Ok(TruthValue::Free));
        let next = self.order[from..].iter().position(free).map_or(self.order.len(), |place| from + place);
        self.decided = (next, level);
        if let Some(literal) = self.order.get(next) {
            *decision = if rng.random_bool(0.5) { *literal } else { literal.negate() };
        }
        true
    }
}
