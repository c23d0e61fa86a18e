//! A question about a story that is told in part to the cases that show its answer.

use std::collections::BTreeSet;

use racgen_logic::term::Term;

use crate::domain::question_groups::HIDDEN_FACT;
use crate::factory::error::FactoryError;
use crate::factory::further::judging::{part_facts, terms};
use crate::factory::further::offers::{OfferedQuestion, PartAsked, Subject};
use crate::language::words::lexicon::Lexicon;
use crate::simulate::error::SimulationError;
use crate::simulate::narrative::cases::{ShownCase, failed_cases, first_cases, otherwise, shown_cases};
use crate::simulate::narrative::courses::shown_courses;
use crate::simulate::narrative::partly_by_clingo::{failures_ruled_out, ruled_out};
use crate::simulate::story::{Simulator, Story};

/// The cases that show the answer to a question; none for a question about a story that is told as a whole.
///
/// # Errors
/// Solver failures.
pub(crate) fn cases(
    stage: &mut Simulator,
    lexicon: &Lexicon,
    story: &Story,
    (offer, query): (&OfferedQuestion, &Term),
) -> Result<Vec<ShownCase>, FactoryError> {
    let Subject::Partly(part) = &offer.subject else { return Ok(Vec::new()) };
    let (facts, open) = part_facts(stage, lexicon, story, part);
    if let PartAsked::Truth(fluent) = part.asked {
        let program = stage.layout().invariant_program(stage.package, story.plan.len());
        let courses = facts.courses(program, stage.limit()).map_err(SimulationError::from)?;
        let is_said = |fact: &Term| facts.complete.contains(fact);
        return Ok(shown_courses(&stage.engine.fluents[fluent], &facts.plan, &courses, &is_said));
    }
    let ways = stage.ways(&facts)?;
    let open: BTreeSet<Term> = open.iter().map(|fluent| stage.engine.fluents[fluent].clone()).collect();
    let is_open = |fact: &Term| open.contains(fact);
    if let (true, [fluent]) = (query.is(HIDDEN_FACT, 1), query.args()) {
        let other = otherwise(fluent, &ways);
        let ruled_out = ruled_out(&facts, &mut |first| stage.ways(first), &other)?;
        return Ok(first_cases(fluent, &ways, ruled_out.as_ref(), &is_open));
    }
    if let (true, [listed]) = (facts.one_failed, query.args()) {
        let ruled_out = failures_ruled_out(&facts, &mut |first| stage.ways(first))?;
        return Ok(failed_cases(listed.args(), &ways, &ruled_out));
    }
    let answer = terms(&stage.engine, &offer.answer).into_iter().next().unwrap_or_else(|| query.clone());
    Ok(shown_cases(query, &answer, &ways, &is_open))
}
