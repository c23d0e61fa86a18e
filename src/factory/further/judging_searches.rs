//! A question of a search with its answer to clingo's verdict on it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use racgen_logic::term::Term;

use crate::factory::error::FactoryError;
use crate::factory::further::offers::{Given, OfferedQuestion, SearchArgument, Subject};
use crate::factory::further::search_families::SearchFamily;
use crate::simulate::error::SimulationError;
use crate::simulate::search::by_clingo::{PlanSearch, TermLiteral, several_steps};
use crate::simulate::search::goal::{GoalFact, is_met};
use crate::simulate::situation::Situation;
use crate::simulate::story::{Simulator, Story};
use crate::simulate::theory::requirements::requirements;

/// By number of steps, the layout's program over so many.
#[derive(Default)]
pub(crate) struct PlanSearches(HashMap<usize, PlanSearch>);

impl PlanSearches {
    fn over(&mut self, steps: usize, stage: &Simulator) -> Result<&mut PlanSearch, SimulationError> {
        match self.0.entry(steps) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(open) => {
                let program = several_steps(stage.layout(), stage.package, None, steps);
                Ok(open.insert(PlanSearch::new(&program, stage.limit())?))
            }
        }
    }
}

/// Where actions lead, each step confirmed by clingo; the number of the first that cannot be carried out, otherwise.
fn judged_course(
    stage: &mut Simulator,
    start: &Situation,
    actions: &[usize],
) -> Result<Result<Situation, usize>, SimulationError> {
    let mut here = start.clone();
    for (step, action) in actions.iter().enumerate() {
        let next = stage.engine.step(&here, *action)?;
        stage.engine.judge_step(&here, *action, next.as_ref())?;
        match next {
            Some(next) => here = next.situation,
            None => return Ok(Err(step)),
        }
    }
    Ok(Ok(here))
}

/// Has clingo answer a question of a search.
///
/// # Errors
/// [`SimulationError::Disagreement`].
pub(crate) fn judge_search(
    stage: &mut Simulator,
    searches: &mut PlanSearches,
    story: &Story,
    (family, offer, question): (SearchFamily, &OfferedQuestion, &Term),
) -> Result<(), FactoryError> {
    let Subject::Search(arguments) = &offer.subject else { return Ok(()) };
    let (mut goal, mut actions, mut number): (&[GoalFact], &[usize], usize) = (&[], &[], 0);
    for argument in arguments {
        match argument {
            SearchArgument::Goal(all) => goal = all,
            SearchArgument::Actions(all) => actions = all,
            SearchArgument::Number(most) => number = *most,
        }
    }
    let start = story.passed.last().unwrap_or(&story.initial).clone();
    let engine = &stage.engine;
    let here: Vec<Term> = start.iter().map(|fluent| engine.fluents[fluent].clone()).collect();
    let wanted: Vec<TermLiteral> =
        goal.iter().map(|(fluent, truth)| (engine.fluents[*fluent].clone(), *truth)).collect();
    let fewest = offer.effort.plan_length.unwrap_or(0);
    let reaches = |stage: &mut Simulator, plan: &[usize]| {
        Ok::<_, SimulationError>(judged_course(stage, &start, plan)?.is_ok_and(|end| is_met(goal, &end)))
    };
    let wrong = || {
        let what = format!("the answer to `{question}`");
        FactoryError::from(SimulationError::Disagreement { what })
    };
    let right = match (family, &offer.answer) {
        (SearchFamily::ReachableIn, _) => {
            let found = searches.over(number, stage)?.reaches(&here, &wanted, number, None);
            found.map_err(SimulationError::from)? == offer.yes
        }
        (SearchFamily::PlanLength, Given::Term(answer)) => {
            let found = searches.over(fewest, stage)?.is_fewest(&here, &wanted, fewest);
            found.map_err(SimulationError::from)? && *answer == Term::Number(fewest as i32)
        }
        (SearchFamily::NextAction, Given::Actions(only)) => {
            let action = only.first().map(|action| stage.engine.actions[*action].clone());
            let Some(action) = action else { return Ok(()) };
            let search = searches.over(fewest, stage)?;
            let with = search.reaches(&here, &wanted, fewest, Some((&action, true)));
            let without = search.reaches(&here, &wanted, fewest, Some((&action, false)));
            let is_fewest = search.is_fewest(&here, &wanted, fewest);
            with.map_err(SimulationError::from)?
                && !without.map_err(SimulationError::from)?
                && is_fewest.map_err(SimulationError::from)?
        }
        (SearchFamily::Plan, Given::Plan(plan)) => {
            let is_fewest = searches.over(fewest, stage)?.is_fewest(&here, &wanted, plan.len());
            is_fewest.map_err(SimulationError::from)? && reaches(stage, plan)?
        }
        (SearchFamily::PlanWithin, Given::Plan(plan)) => plan.len() <= number && reaches(stage, plan)?,
        (SearchFamily::ValidPlan, _) => reaches(stage, actions)? == offer.yes,
        (SearchFamily::FirstFailure, Given::Term(answer)) => {
            let found = judged_course(stage, &start, actions)?.map_or_else(|step| step + 1, |_| 0);
            *answer == Term::Number(found as i32)
        }
        (SearchFamily::WhyFailure, Given::Fact(unmet)) => {
            let Some(step) = judged_course(stage, &start, actions)?.err() else { return Err(wrong()) };
            let Ok(there) = judged_course(stage, &start, &actions[..step])? else { return Err(wrong()) };
            let known = requirements(&stage.layout().bare_step_program(stage.package), &stage.engine);
            let known = known.map_err(SimulationError::from)?;
            let conditions = known[actions[step]].as_deref().unwrap_or_default();
            let terms: Vec<TermLiteral> =
                conditions.iter().map(|c| (stage.engine.fluents[c.fluent].clone(), c.value)).collect();
            let action = stage.engine.actions[actions[step]].clone();
            let found = searches.over(1, stage)?.requires(&action, &terms).map_err(SimulationError::from)?;
            let missing: Vec<GoalFact> = conditions
                .iter()
                .filter(|c| there.contains(c.fluent) != c.value)
                .map(|c| (c.fluent, c.value))
                .collect();
            found && missing == [*unmet]
        }
        (SearchFamily::Superfluous, Given::Actions(found)) => {
            let mut spare = Vec::new();
            for step in 0..actions.len() {
                let mut shorter = actions.to_vec();
                let left_out = shorter.remove(step);
                if reaches(stage, &shorter)? {
                    spare.push(left_out);
                }
            }
            reaches(stage, actions)? && spare == *found
        }
        _ => false,
    };
    match right {
        true => Ok(()),
        false => Err(wrong()),
    }
}
