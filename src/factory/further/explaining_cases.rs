//! A question about a story that is told in part to the cases that show its answer.

use racgen_logic::term::Term;

use crate::domain::question_groups::HIDDEN_FACT;
use crate::factory::error::FactoryError;
use crate::factory::further::judging::{part_facts, terms};
use crate::factory::further::offers::{OfferedQuestion, PartAsked, Subject};
use crate::language::words::lexicon::Lexicon;
use crate::simulate::error::SimulationError;
use crate::simulate::narrative::cases::{ShownCase, first_cases, otherwise, shown_cases};
use crate::simulate::narrative::courses::shown_courses;
use crate::simulate::narrative::partly_by_clingo::ruled_out;
use crate::simulate::story::{Simulator, Story};

/// The cases that show the answer to a question; none for a question about a story that is told as a whole.
///
/// # Errors
/// Solver failures.
pub(crate) fn cases(
    stage: &Simulator,
    lexicon: &Lexicon,
    story: &Story,
    (offer, query): (&OfferedQuestion, &Term),
) -> Result<Vec<ShownCase>, FactoryError> {
    let Subject::Partly(part) = &offer.subject else { return Ok(Vec::new()) };
    let (facts, open) = part_facts(stage, lexicon, story, part);
    let program = stage.layout().invariant_program(stage.package, story.plan.len());
    if let PartAsked::Truth(fluent) = part.asked {
        let courses = facts.courses(program, stage.limit()).map_err(SimulationError::from)?;
        let is_said = |fact: &Term| facts.complete.contains(fact);
        return Ok(shown_courses(&stage.engine.fluents[fluent], &facts.plan, &courses, &is_said));
    }
    let ways = facts.ways(program, stage.limit()).map_err(SimulationError::from)?;
    let fluents = &stage.engine.fluents;
    let is_open = |fact: &Term| fluents.binary_search(fact).is_ok_and(|fluent| open.contains(fluent));
    if let (true, [fluent]) = (query.is(HIDDEN_FACT, 1), query.args()) {
        let program = |actions: usize| stage.layout().invariant_program(stage.package, actions);
        let other = otherwise(fluent, &ways);
        let ruled_out = ruled_out(&facts, &program, &other, stage.limit()).map_err(SimulationError::from)?;
        return Ok(first_cases(fluent, &ways, ruled_out.as_ref(), &is_open));
    }
    let answer = terms(&stage.engine, &offer.answer).into_iter().next().unwrap_or_else(|| query.clone());
    Ok(shown_cases(query, &answer, &ways, &is_open))
}
