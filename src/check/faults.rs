//! What stopped the solver or a simulation to a fault of the package.

use racgen_logic::error::LogicError;
use racgen_logic::fault::Fault;

use crate::check::places::line_with;
use crate::domain::package::Package;
use crate::simulate::error::SimulationError;

/// clingo's words with a remedy.
pub(crate) fn solver_fault(package: &Package, error: LogicError) -> Fault {
    match error {
        LogicError::Program { place, message } => program_fault(package, place, message),
        LogicError::TimeLimit(limit) => Fault::new(
            &package.origin,
            0,
            format!("the solver found no answer within {limit:?}"),
            "raise the time limit, or make the worlds of the level smaller",
        ),
        LogicError::Grounding { place, what, remedy } => {
            Fault { place, cause: format!("grounding takes {what}"), remedy }
        }
        error @ LogicError::Term { .. } => {
            Fault::new(&package.origin, 0, error.to_string(), "correct the term")
        }
        LogicError::Budget(cause) | LogicError::Internal(cause) => Fault::new(
            &package.origin,
            0,
            cause,
            "fluents, actions, questions and answers are constants, functions and numbers; see domains/README.md",
        ),
    }
}

/// What clingo says against a program.
fn program_fault(package: &Package, place: String, message: String) -> Fault {
    // A program of racgen's own can only miss what the package should derive.
    let own = place.starts_with("asp/") || place.starts_with("the layout");
    let place = match place.split_once(" (questions that follow from it)") {
        Some((file, _)) => file.to_owned(),
        None if own => package.domain.name.to_string(),
        None => place,
    };
    if let Some(atom) = message.strip_prefix("atom does not occur in any rule head:") {
        let cause = format!("unknown predicate: no rule derives `{}`", atom.trim());
        let remedy =
            "correct its name, derive it, or declare with `#defined name/arity.` that it may be empty";
        return Fault { place, cause, remedy: remedy.into() };
    }
    if let Some((family, _)) = message.split_once(" asks for kind ") {
        let functor = family.trim_start_matches(['`', '(']).strip_prefix("ask(").unwrap_or(family);
        let functor = functor.split(['(', ',', ')']).next().unwrap_or_default();
        let line = line_with(&package.questions, &["ask(", functor]);
        return Fault::new(&package.questions.name, line, message, "correct the kind");
    }
    if let Some((rule, names)) = unsafe_rule(&message) {
        let cause = format!("unsafe rule `{rule}`: nothing in its body says what {names} may be");
        let remedy = "let each variable stand in a positive literal of the body";
        return Fault { place, cause, remedy: remedy.into() };
    }
    if message.contains("is not supported") || message.contains("are not supported") {
        let remedy = "write the rules themselves in this file";
        return Fault { place, cause: message, remedy: remedy.into() };
    }
    let remedy = if message.starts_with("syntax error") || message.starts_with("lexer error") {
        "correct the rule; each one ends with a full stop"
    } else {
        "correct the rule"
    };
    Fault { place, cause: message, remedy: remedy.into() }
}

/// The rule that clingo calls unsafe, and its unsafe variables: `unsafe variables in: p(X):-q. a.lp:1:3: note: 'X'
/// is unsafe`.
fn unsafe_rule(message: &str) -> Option<(&str, String)> {
    let rest = message.strip_prefix("unsafe variables in:")?;
    let (rule, notes) = rest.split_once(". ").unwrap_or((rest, ""));
    let names = notes.split('\'').skip(1).step_by(2).map(|name| format!("`{name}`"));
    Some((rule.trim(), names.collect::<Vec<_>>().join(", ")))
}

/// What stopped a simulation, as a fault of the package.
pub(crate) fn simulation_fault(package: &Package, level: i32, error: SimulationError) -> Fault {
    let constraints = |part: &str, cause: String| {
        let line = line_with(&package.world, &["program", part]);
        let remedy = "correct the constraints, or the level's parameters in domain.toml";
        Fault::new(&package.world.name, line, cause, remedy)
    };
    match error {
        SimulationError::Solver(error) => solver_fault(package, error),
        SimulationError::NoLayout { parameters, .. } => {
            constraints("layout", format!("level N{level} has no layout with {parameters}"))
        }
        SimulationError::NoSituation { parameters, .. } => {
            constraints("situation", format!("level N{level} has no initial situation with {parameters}"))
        }
        SimulationError::Unknown(cause) => {
            Fault::new(&package.head.name, 0, cause, "correct the level's parameters")
        }
        SimulationError::Nondeterministic { action } => outcomes_fault(package, &action),
        error @ SimulationError::Disagreement { .. } => {
            Fault::new(&package.origin, 0, error.to_string(), "the package may be at fault or racgen")
        }
        SimulationError::View(fault) => fault,
        SimulationError::Crowded(crowded) => {
            let file = package.view.as_ref().map_or(&*package.origin, |view| &*view.name);
            Fault::new(file, 0, crowded.to_string(), "draw less in view.lp")
        }
        error @ (SimulationError::NoPlan { .. }
        | SimulationError::TooManyPlans { .. }
        | SimulationError::Term { .. }
        | SimulationError::Untold { .. }
        | SimulationError::Mismatch { .. }) => {
            Fault::new(&package.origin, 0, error.to_string(), "correct domain.lp or the level")
        }
    }
}

/// An action, or the situation without one, has several outcomes.
fn outcomes_fault(package: &Package, action: &str) -> Fault {
    let name = action.trim_matches('`').split('(').next().unwrap_or_default();
    if action == "no action" {
        return Fault::new(
            &package.questions.name,
            0,
            "a situation has several sets of answers, as its rules or those of domain.lp leave a choice",
            "take the choice out: `{ ... }`, or two predicates that negate each other",
        );
    }
    Fault::new(
        &package.domain.name,
        line_with(&package.domain, &["occ(", name]),
        format!("the action `{action}` has several outcomes in one situation"),
        "correct its effects: each executable action has exactly one successor, or one for each outcome that \
         `outcome(A,O)` names",
    )
}
