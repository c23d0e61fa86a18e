//! A story to the faults of its steps and answers: each action has one successor, each question one answer.

use racgen_logic::fault::{Fault, Faults};
use racgen_logic::term::Term;

use crate::check::faults::simulation_fault;
use crate::check::places::{declaration, question_line, signature};
use crate::language::words::lexicon::Lexicon;
use crate::simulate::situation::Situation;
use crate::simulate::story::{Simulator, Story, Timepoint};
use crate::simulate::transitions::compiled_layout::Kind;

/// Executable actions that are tried in each situation of a story.
const MOST_STEPS: usize = 24;

/// Has each executable action exactly one successor, or one for each outcome that may come?
///
/// # Errors
/// What stops the solver.
pub(crate) fn check_steps(
    level: i32,
    stage: &mut Simulator,
    story: &Story,
    faults: &mut Faults,
) -> Result<(), Fault> {
    let package = stage.package;
    let fault = |error| simulation_fault(package, level, error);
    for situation in std::iter::once(&story.initial).chain(&story.passed) {
        let here = stage.engine.consider(situation, None).map_err(fault)?;
        let executable = here.map(|(outcome, _)| outcome.executable).unwrap_or_default();
        let stride = executable.len().div_ceil(MOST_STEPS).max(1);
        for action in executable.into_iter().step_by(stride) {
            let deeds: Vec<(&Situation, usize)> =
                stage.engine.deeds.of(action).map(|deed| (situation, deed)).collect();
            if stage.engine.steps(&deeds).map_err(fault)?.iter().all(Option::is_none) {
                let term = &stage.engine.actions[action];
                faults.push_once(Fault::new(
                    &package.domain.name,
                    declaration(&package.domain, "executable", term.functor()),
                    format!(
                        "the action `{}` can be executable and yet have no successor: its effects \
                         contradict each other, or a law",
                        signature(package, &stage.engine, term)
                    ),
                    "add the missing condition to its `executable` rule, or correct its effects",
                ));
            }
        }
    }
    Ok(())
}

/// Has each question that is asked exactly one answer?
pub(crate) fn check_answers(stage: &Simulator, story: &Story, lexicon: &Lexicon, faults: &mut Faults) {
    let engine = &stage.engine;
    for scene in Timepoint::ALL {
        let Some((sheet, _)) = story.sheet(scene) else { continue };
        for (index, question) in engine.questions.iter().enumerate() {
            let given = question.answers.clone().filter(|a| sheet.contains(*a));
            let answers: Vec<&Term> = given.map(|a| &engine.answers[a].answer).collect();
            if !sound(question.kind, &answers) {
                let fault = ambiguity(stage, index, &answers, lexicon);
                // Once for each family.
                let family = format!("family `{}`", signature(stage.package, engine, &question.term));
                if !faults.iter().any(|f| f.place == fault.place && f.cause.contains(&family)) {
                    faults.push(fault);
                }
            }
        }
    }
}

/// May a question of this kind have these answers together?
fn sound(kind: Kind, answers: &[&Term]) -> bool {
    let number = |t: &Term| matches!(t, Term::Number(n) if *n >= 0);
    match (kind, answers) {
        (_, []) => true,
        (Kind::Count, [only]) => number(only),
        (_, [_]) => true,
        (Kind::Other, several) => !several.iter().any(|a| a.is("none", 0)),
        _ => false,
    }
}

/// The fault of a question with several answers that exclude each other.
fn ambiguity(stage: &Simulator, question: usize, answers: &[&Term], lexicon: &Lexicon) -> Fault {
    let (package, engine) = (stage.package, &stage.engine);
    let asked = &engine.questions[question];
    let kind = asked.kind.name();
    let list: Vec<String> = answers.iter().map(|a| format!("`{a}`")).collect();
    let wanted = match asked.kind {
        Kind::Verify => "yes or no",
        Kind::Count => "one number, not below 0",
        Kind::Other => "objects, or else none",
    };
    let pattern = signature(package, engine, &asked.term);
    Fault {
        place: question_line(package, asked.term.functor(), lexicon.form(question)),
        cause: format!(
            "ambiguous answer: the {kind} question `{}` of the family `{pattern}` has the answers {}",
            asked.term,
            list.join(", ")
        ),
        remedy: format!("correct its rules so that in each situation the answer is {wanted}"),
    }
}
