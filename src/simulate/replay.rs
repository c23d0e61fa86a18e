//! A row to the situations it tells of: its layout and first situation are rebuilt from its facts, and its plan is
//! run again.

use std::time::Duration;

use racgen_data::row::Row;
use racgen_logic::clingo::Program;
use racgen_logic::term::Term;

use crate::domain::package::Package;
use crate::simulate::error::SimulationError;
use crate::simulate::layout::Layout;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// How long clingo may think about one step.
const LIMIT: Duration = Duration::from_secs(60);

/// No term of a row is nested so deeply; the parser, which calls itself, would run out of stack at some depth.
const MOST_PARENTHESES: usize = 1000;

/// An action and the situation after it, all true fluents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayStep {
    /// Index into [`actions`](crate::simulate::transitions::compiled_layout::CompiledLayout::actions).
    pub action: usize,
    /// The fluents true after it, as indices into [`fluents`](crate::simulate::transitions::compiled_layout::CompiledLayout::fluents).
    pub situation: Situation,
}

/// What happens in a row.
pub struct Replay {
    /// The layout.
    pub layout: Layout,
    /// Its ground program.
    pub engine: TransitionSystem,
    /// The initial situation, all true fluents.
    pub initial: Situation,
    /// The plan, step by step.
    pub steps: Vec<ReplayStep>,
    /// The further actions that the question supposes, as the steps after the plan.
    pub supposed: Vec<ReplayStep>,
}

impl Replay {
    /// Grounds the row's layout and runs its plan.
    ///
    /// # Errors
    /// A row that does not tell what came of its actions. A row that the package cannot have made: unknown objects, fluents or actions, an initial situation that is
    /// none, an action that cannot occur. Solver failures.
    pub fn new(package: &Package, row: &Row) -> Result<Replay, SimulationError> {
        Replay::by(Layout::step_program, package, row)
    }

    /// As [`Replay::new`], without the questions of the layout, which takes less time.
    ///
    /// # Errors
    /// Those of [`Replay::new`].
    pub fn bare(package: &Package, row: &Row) -> Result<Replay, SimulationError> {
        Replay::by(Layout::bare_step_program, package, row)
    }

    fn by(
        program: fn(&Layout, &Package) -> Program,
        package: &Package,
        row: &Row,
    ) -> Result<Replay, SimulationError> {
        let mismatch = |cause: String| SimulationError::Mismatch {
            row: row.id.clone(),
            domain: package.name.clone(),
            origin: package.origin.clone(),
            cause,
        };
        let term = |text: &String| {
            if text.matches('(').count() > MOST_PARENTHESES {
                return Err(mismatch(format!("a term of {} characters is none of its terms", text.len())));
            }
            text.parse::<Term>().map_err(|cause| SimulationError::Term { row: row.id.clone(), cause })
        };
        if *row.domain != *package.name {
            return Err(mismatch(format!("the row is of the domain `{}`", row.domain)));
        }
        if package.has_outcomes {
            return Err(SimulationError::Untold { row: row.id.clone() });
        }
        let facts = row.facts.iter().map(term).collect::<Result<_, _>>()?;
        let (layout, fluents) =
            Layout::from_facts(package, row.level, facts).map_err(|error| match error {
                solver @ SimulationError::Solver(_) => solver,
                other => mismatch(other.to_string()),
            })?;
        let mut engine = TransitionSystem::new(program(&layout, package), LIMIT)?;

        let mut told = BitSet::new(engine.fluents.len());
        for fluent in fluents {
            let number = engine.fluents.binary_search(&fluent);
            told.insert(number.map_err(|_| mismatch(format!("`{fluent}` is none of its fluents here")))?);
        }
        let settled = engine.consider(&told, None)?.map(|(outcome, _)| outcome.situation);
        let initial = settled.filter(|settled| *settled == told).ok_or_else(|| {
            mismatch("the fluents among the row's facts are no situation by the domain's laws".into())
        })?;

        let mut steps = Vec::new();
        for action in row.plan.iter() {
            let here = steps.last().map_or(&initial, |step: &ReplayStep| &step.situation);
            let step = step(&mut engine, here, &term(action)?)?;
            steps.push(step.ok_or_else(|| mismatch(format!("the action `{action}` cannot occur")))?);
        }
        let mut supposed: Vec<ReplayStep> = Vec::new();
        for action in suppositions(&term(&row.query)?) {
            let last = supposed.last().or(steps.last()).map_or(&initial, |step| &step.situation);
            // A domain may have an `after` of its own, which supposes nothing.
            let Some(step) = step(&mut engine, last, action)? else { break };
            supposed.push(step);
        }
        Ok(Replay { layout, engine, initial, steps, supposed })
    }
}

fn step(
    engine: &mut TransitionSystem,
    here: &Situation,
    action: &Term,
) -> Result<Option<ReplayStep>, SimulationError> {
    let Ok(action) = engine.actions.binary_search(action) else { return Ok(None) };
    let outcome = engine.step(here, action)?;
    Ok(outcome.map(|outcome| ReplayStep { action, situation: outcome.situation }))
}

/// The actions in `after(A,after(B,Q))` or `changes(A,F)`.
fn suppositions(query: &Term) -> Vec<&Term> {
    let mut found = Vec::new();
    let mut rest = query;
    while rest.is("after", 2) || rest.is("changes", 2) {
        found.push(&rest.args()[0]);
        rest = &rest.args()[1];
    }
    found
}
