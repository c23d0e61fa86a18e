//! Ground rules, as clingo hands them to its solver, to a ground program, as far as its budget goes.

use std::time::{Duration, Instant};

use clingo::{Atom, GroundProgramObserver, SolverLiteral, WeightedLiteral};

use super::limits::Meter;
use super::recorded_rules::RecordedRules;
use crate::error::LogicError;
use crate::ground::{GroundProgram, Literal};

/// What a grounding may cost. It is stopped by the first rule beyond.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Ground rules.
    pub rules: usize,
    /// Literals of all ground rules.
    pub literals: usize,
    /// Time.
    pub time: Duration,
    /// When the time began.
    pub start: Instant,
}

impl Budget {
    /// What is too much about this many rules and literals, if anything is.
    fn exceeded(&self, rules: usize, literals: usize) -> Option<String> {
        if rules > self.rules {
            Some(format!("more than {} ground rules", self.rules))
        } else if literals > self.literals {
            Some(format!("more than {} literals in ground rules", self.literals))
        } else if rules.is_multiple_of(256) && self.start.elapsed() > self.time {
            // The clock costs more than a rule, so it is not read for each.
            Some(format!("more than {:.1?}", self.time))
        } else {
            None
        }
    }
}

/// Collects the ground rules as they are heard.
#[derive(Default)]
pub(super) struct Observer {
    rules: GroundProgram,
    /// The same as clingo has them, if they are to be given to it again.
    recorded: Option<RecordedRules>,
    /// Nobody wants the rules.
    deaf: bool,
    budget: Option<Budget>,
    /// Literals heard so far.
    literals: usize,
    /// What was too much for the budget.
    exceeded: Option<String>,
    /// What watches over the limits of the process.
    meter: Option<Meter>,
    /// What was too much for these.
    overrun: Option<String>,
}

impl Observer {
    /// An observer that collects all rules, as far as the budget goes.
    pub(super) fn within(budget: Option<Budget>) -> Observer {
        Observer { budget, ..Observer::default() }
    }

    /// Has the observer keep the rules for clingo as well.
    pub(super) fn recording(self) -> Observer {
        Observer { recorded: Some(RecordedRules::default()), ..self }
    }

    /// The rules kept for clingo, if they were.
    pub(super) fn recorded(&mut self) -> Option<RecordedRules> {
        self.recorded.take()
    }

    /// An observer that collects no rules.
    pub(super) fn deaf() -> Observer {
        Observer { deaf: true, ..Observer::default() }
    }

    /// The rules heard.
    ///
    /// # Errors
    /// [`LogicError::Budget`] if they were too much.
    pub(super) fn rules(self) -> Result<GroundProgram, LogicError> {
        self.exceeded.map_or(Ok(self.rules), |exceeded| Err(LogicError::Budget(exceeded)))
    }

    /// Has a meter watch the rules.
    pub(super) fn watch(&mut self, meter: Meter) {
        self.meter = Some(meter);
    }

    /// What was too much for the limits of the process, if anything was.
    pub(super) fn overrun(&mut self) -> Option<String> {
        self.overrun.take()
    }

    /// Counts a rule; false ends the grounding.
    fn count(&mut self, literals: usize) -> bool {
        self.overrun = self.meter.as_mut().and_then(Meter::count);
        if self.overrun.is_some() {
            return false;
        }
        let Some(budget) = &self.budget else { return true };
        self.literals += literals;
        self.exceeded = budget.exceeded(self.rules.rules.len(), self.literals);
        self.exceeded.is_none()
    }
}

fn literal(literal: SolverLiteral) -> Literal {
    Literal::from_signed(literal.get_integer())
}

fn atom(atom: Atom) -> u32 {
    SolverLiteral::from(atom).get_integer().unsigned_abs()
}

impl GroundProgramObserver for Observer {
    fn rule(&mut self, choice: bool, head: &[Atom], body: &[SolverLiteral]) -> bool {
        if self.deaf {
            return self.count(0);
        }
        if let Some(recorded) = &mut self.recorded {
            recorded.rule(choice, head, body);
        }
        self.rules.push_rule(choice, head.iter().map(|a| atom(*a)), body.iter().map(|l| literal(*l)));
        self.count(1 + body.len())
    }

    fn weight_rule(&mut self, choice: bool, head: &[Atom], bound: i32, body: &[WeightedLiteral]) -> bool {
        if let Some(recorded) = &mut self.recorded {
            recorded.weight_rule(choice, head, bound, body);
        }
        let weighted = body.iter().map(|w| (literal(w.literal()), w.weight()));
        self.rules.push_weight_rule(choice, head.iter().map(|a| atom(*a)), bound, weighted);
        self.count(1 + body.len())
    }
}
