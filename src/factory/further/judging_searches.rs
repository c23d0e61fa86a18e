//! A question of a search with its answer to clingo's verdict on it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use racgen_logic::term::Term;

use crate::factory::error::FactoryError;
use crate::factory::further::offers::{Given, OfferedQuestion, SearchArgument, Subject};
use crate::factory::further::search_families::{LONGEST_WAY, SearchFamily};
use crate::simulate::error::SimulationError;
use crate::simulate::search::by_clingo::{PlanSearch, Sought, TermLiteral, several_steps};
use crate::simulate::search::by_invariant::InvariantSearch;
use crate::simulate::search::costs::{KindCost, is_affordable, kinds, prices, total};
use crate::simulate::search::goal::{GoalFact, is_met};
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::story::{Simulator, Story};
use crate::simulate::theory::requirements::requirements;

/// By number of steps, the layout's program over so many; and the one that invariants are found with.
#[derive(Default)]
pub(crate) struct PlanSearches(HashMap<usize, PlanSearch>, Option<InvariantSearch>);

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

    /// Do the told actions begin a shortest way from the initial situation to one in which a fluent is true? None where it is
    /// too far to tell.
    fn serves(
        &mut self,
        stage: &Simulator,
        story: &Story,
        fluent: usize,
    ) -> Result<Option<bool>, SimulationError> {
        let start = terms_of(stage, &story.initial);
        let here = terms_of(stage, story.passed.last().unwrap_or(&story.initial));
        let wanted = [(stage.engine.fluents[fluent].clone(), true)];
        for left in 1..=LONGEST_WAY {
            if self.over(left, stage)?.reaches(&here, &wanted, left, None)? {
                let sooner = story.plan.len() + left - 1;
                return Ok(Some(!self.over(sooner, stage)?.reaches(&start, &wanted, sooner, None)?));
            }
        }
        Ok(None)
    }

    /// Can what is sought ever be reached from a situation? A way of bounded length proves that it can, an invariant that it
    /// cannot; none where there is neither.
    fn ever(
        &mut self,
        stage: &Simulator,
        start: &Situation,
        held: Option<GoalFact>,
        sought: Sought,
    ) -> Result<Option<bool>, SimulationError> {
        let fluents = &stage.engine.fluents;
        let here: Vec<Term> = start.iter().map(|fluent| fluents[fluent].clone()).collect();
        let keep = held.map(|(fluent, truth)| (&fluents[fluent], truth));
        if self.over(LONGEST_WAY, stage)?.reaches_keeping(&here, sought, LONGEST_WAY, keep)? {
            return Ok(Some(true));
        }
        let search = match &mut self.1 {
            Some(known) => known,
            open => open.insert(invariant_search(stage)?),
        };
        Ok(search.never(start, held, sought)?.then_some(false))
    }
}

fn terms_of(stage: &Simulator, situation: &Situation) -> Vec<Term> {
    situation.iter().map(|fluent| stage.engine.fluents[fluent].clone()).collect()
}

/// A situation after some facts have changed.
pub(crate) fn altered(situation: &Situation, changed: &[GoalFact]) -> Situation {
    let mut there = situation.clone();
    for (fluent, truth) in changed {
        if *truth {
            there.insert(*fluent);
        } else {
            there.remove(*fluent);
        }
    }
    there
}

/// Is a situation as a change says? What follows from other facts, and cannot be told, may have changed besides.
pub(crate) fn is_as_told(
    found: &Situation,
    there: &Situation,
    inertial: &BitSet,
    changed: &[GoalFact],
) -> bool {
    inertial.intersection(found) == inertial.intersection(there) && is_met(changed, found)
}

/// clingo, ready to find invariants of a layout.
pub(crate) fn invariant_search(stage: &Simulator) -> Result<InvariantSearch, SimulationError> {
    let program = several_steps(stage.layout(), stage.package, None, 1);
    let terms = (&stage.engine.fluents[..], &stage.engine.actions[..]);
    Ok(InvariantSearch::new(program, terms, stage.limit())?)
}

/// Can a situation become one with a goal by actions that cost no more than a budget?
fn within(
    stage: &Simulator,
    (here, wanted): (&[Term], &[TermLiteral]),
    prices: &[usize],
    budget: usize,
) -> Result<bool, SimulationError> {
    let program = |steps| several_steps(stage.layout(), stage.package, None, steps);
    let priced = (&*stage.engine.actions, prices);
    Ok(is_affordable(program, priced, (here, wanted), budget, stage.limit())?)
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
    let (mut fluents, mut action) = (Vec::new(), None);
    let (mut changed, mut listed): (Option<&[GoalFact]>, &[usize]) = (None, &[]);
    let mut listed_costs: &[KindCost] = &[];
    // Actions with the goal that they are shown for.
    let mut ways: Vec<(&[usize], &[GoalFact])> = Vec::new();
    for argument in arguments {
        match argument {
            SearchArgument::Fluent(fluent) => fluents.push(*fluent),
            SearchArgument::Action(one) => action = Some(stage.engine.actions[*one].clone()),
            // What has changed comes before the goal.
            SearchArgument::Goal(all) => {
                changed = (family.changes() && goal.is_empty()).then_some(all.as_slice()).or(changed);
                goal = all;
                if let Some(way) = ways.last_mut().filter(|way| way.1.is_empty()) {
                    way.1 = all;
                }
            }
            SearchArgument::Fluents(all) => listed = all,
            SearchArgument::Actions(all) => {
                actions = all;
                ways.push((all, &[]));
            }
            SearchArgument::Number(most) => number = *most,
            SearchArgument::Costs(all) => listed_costs = all,
        }
    }
    let start = story.passed.last().unwrap_or(&story.initial).clone();
    let engine = &stage.engine;
    let here: Vec<Term> = start.iter().map(|fluent| engine.fluents[fluent].clone()).collect();
    // What has to stay true comes first, and what is to become true second. A landmark is what a way cannot avoid.
    let become_true = fluents.get(1).map(|fluent| [(*fluent, true)]);
    let goal = become_true.as_ref().map_or(goal, |only| only);
    let held = fluents.first().map(|fluent| (*fluent, !family.is_landmark()));
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
        (SearchFamily::Landmark, _) => {
            let can = searches.ever(stage, &start, None, Sought::Facts(&wanted))?;
            let avoids = searches.ever(stage, &start, held, Sought::Facts(&wanted))?;
            can == Some(true) && avoids == Some(!offer.yes)
        }
        (SearchFamily::WhichLandmark, Given::Fact(only)) => {
            let mut landmarks = Vec::new();
            for fluent in listed {
                if searches.ever(stage, &start, Some((*fluent, false)), Sought::Facts(&wanted))? != Some(true)
                {
                    landmarks.push((*fluent, true));
                }
            }
            let avoids = searches.ever(stage, &start, Some((only.0, false)), Sought::Facts(&wanted))?;
            let can = searches.ever(stage, &start, None, Sought::Facts(&wanted))?;
            can == Some(true) && avoids == Some(false) && landmarks == [*only]
        }
        (family, Given::Fluents(_) | Given::Actions(_)) if family.is_never() => {
            let options = if family.is_about_actions() { actions } else { listed };
            let mut never = Vec::new();
            for option in options {
                let (fluents, actions) = (&stage.engine.fluents, &stage.engine.actions);
                let fact = (!family.is_about_actions()).then(|| [(fluents[*option].clone(), true)]);
                let action = family.is_about_actions().then(|| actions[*option].clone());
                let sought = match (&fact, &action) {
                    (Some(fact), _) => Sought::Facts(fact),
                    (None, Some(action)) => Sought::Executable(action),
                    (None, None) => return Err(wrong()),
                };
                match searches.ever(stage, &start, held, sought)? {
                    Some(true) => {}
                    Some(false) => never.push(*option),
                    None => return Err(wrong()),
                }
            }
            matches!(&offer.answer, Given::Fluents(all) | Given::Actions(all) if *all == never)
        }
        (family, _) if family.is_ever() => {
            let sought = action.as_ref().map_or(Sought::Facts(&wanted), Sought::Executable);
            searches.ever(stage, &start, held, sought)? == Some(offer.yes)
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
        (SearchFamily::NextChoice, Given::Actions(only)) => {
            let terms: Vec<Term> = actions.iter().map(|one| stage.engine.actions[*one].clone()).collect();
            let search = searches.over(fewest, stage)?;
            let mut good = Vec::new();
            for (one, term) in actions.iter().zip(&terms) {
                let begins = search.reaches(&here, &wanted, fewest, Some((term, true)));
                if begins.map_err(SimulationError::from)? {
                    good.push(*one);
                }
            }
            good == *only && search.is_fewest(&here, &wanted, fewest).map_err(SimulationError::from)?
        }
        (SearchFamily::Recognise, Given::Fact(only)) => {
            let mut served = Vec::new();
            for fluent in listed {
                if searches.serves(stage, story, *fluent)? != Some(false) {
                    served.push((*fluent, true));
                }
            }
            served == [*only]
        }
        (SearchFamily::Replan | SearchFamily::NewPlan, answer) => {
            let there = altered(&start, changed.unwrap_or_default());
            let settled = stage.engine.consider(&there, None)?;
            let Some((outcome, _)) = settled else { return Err(wrong()) };
            if !is_as_told(&outcome.situation, &there, &stage.engine.inertial, changed.unwrap_or_default()) {
                return Err(wrong());
            }
            let there = outcome.situation;
            let found = searches.over(fewest, stage)?.is_fewest(&terms_of(stage, &there), &wanted, fewest);
            let is_answered = match answer {
                Given::Plan(plan) => {
                    let end = judged_course(stage, &there, plan)?;
                    plan.len() == fewest && end.is_ok_and(|end| is_met(goal, &end))
                }
                Given::Term(number) => *number == Term::Number(fewest as i32),
                _ => false,
            };
            is_answered && found.map_err(SimulationError::from)?
        }
        (SearchFamily::Plan, Given::Plan(plan)) => {
            let is_fewest = searches.over(fewest, stage)?.is_fewest(&here, &wanted, plan.len());
            is_fewest.map_err(SimulationError::from)? && reaches(stage, plan)?
        }
        (SearchFamily::Cost, Given::Term(Term::Number(answer))) => {
            let prices = prices(&kinds(stage.package, &stage.engine.actions), listed_costs);
            let least = usize::try_from(*answer).unwrap_or(0);
            within(stage, (&here, &wanted), &prices, least)?
                && !within(stage, (&here, &wanted), &prices, least.saturating_sub(1))?
        }
        (SearchFamily::CheapestPlan, Given::Plan(plan)) => {
            let prices = prices(&kinds(stage.package, &stage.engine.actions), listed_costs);
            let less = total(plan, &prices).saturating_sub(1);
            reaches(stage, plan)? && !within(stage, (&here, &wanted), &prices, less)?
        }
        (family, Given::Plan(plan)) if family.shows() => {
            let mut valid = reaches(stage, plan)?;
            for (way, shown) in &ways {
                let end = judged_course(stage, &start, way)?;
                valid &= plan.len() <= way.len() && end.is_ok_and(|end| is_met(shown, &end));
            }
            valid
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
        (SearchFamily::Superfluous | SearchFamily::SuperfluousTwo, Given::Actions(found)) => {
            let count = family.leaves_out().unwrap_or(1);
            let mut spare = Vec::new();
            for step in 0..=actions.len().saturating_sub(count) {
                let mut shorter = actions.to_vec();
                let left_out: Vec<usize> = shorter.drain(step..step + count).collect();
                if reaches(stage, &shorter)? {
                    spare.push(left_out);
                }
            }
            let is_only = spare.iter().eq([found].into_iter().filter(|found| !found.is_empty()));
            reaches(stage, actions)? && is_only
        }
        _ => false,
    };
    match right {
        true => Ok(()),
        false => Err(wrong()),
    }
}
