//! Stories to what they offer to the family that asks why the first listed action that cannot be carried out cannot.

use std::collections::BTreeSet;

use racgen_logic::term::Term;

use crate::factory::error::FactoryError;
use crate::factory::further::gathering::SayableTerms;
use crate::factory::further::offers::{Given, Offers, SearchArgument, SearchEffort, kind_of};
use crate::factory::further::search_families::SearchFamily;
use crate::factory::further::searching::{SearchOffer, SearchedStory};
use crate::simulate::error::SimulationError;
use crate::simulate::search::surroundings::{PlayedOut, Surroundings};
use crate::simulate::story::Simulator;
use crate::simulate::theory::action_theory::Condition;
use crate::simulate::theory::requirements::{Requirements, requirements};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// An action with fewer conditions than this tells by itself which one is not met.
const LEAST_CONDITIONS: usize = 2;

/// What the actions of a layout require.
pub(super) fn requirements_of(stage: &Simulator) -> Result<Requirements, FactoryError> {
    let program = stage.layout().bare_step_program(stage.package);
    Ok(requirements(&program, &stage.engine).map_err(SimulationError::from)?)
}

/// An action that cannot be carried out, and the place among its conditions of the only one that is not met.
struct FailedAction {
    action: usize,
    place: usize,
}

/// Why the first action fails that cannot be carried out; none where all can, or where that is not a single condition.
fn failure(around: &Surroundings, actions: &[usize], known: &Requirements) -> Option<FailedAction> {
    let PlayedOut::Fails(step) = around.course(actions) else { return None };
    let PlayedOut::Ends(here) = around.course(&actions[..step]) else { return None };
    let situation = &around.reached[here].situation;
    let conditions = known[actions[step]].as_ref()?;
    let mut unmet = (conditions.iter().enumerate())
        .filter(|(_, condition)| situation.contains(condition.fluent) != condition.value);
    let (place, _) = unmet.next()?;
    (unmet.next().is_none() && conditions.len() >= LEAST_CONDITIONS)
        .then_some(FailedAction { action: actions[step], place })
}

/// A condition in terms of the places of the action's objects, so that those of one kind of action can be told apart
/// whatever their objects are.
fn role(engine: &TransitionSystem, action: &Term, condition: &Condition) -> String {
    let fluent = &engine.fluents[condition.fluent];
    let of_argument = |argument: &Term| match action.args().iter().position(|own| own == argument) {
        Some(place) => place.to_string(),
        None => "else".to_owned(),
    };
    let places: Vec<String> = fluent.args().iter().map(of_argument).collect();
    format!("{} {} {}", fluent.functor(), condition.value, places.join(" "))
}

/// Which condition of the first action that cannot be carried out is not met? The conditions of a kind of action are asked
/// about equally often.
pub(super) fn why_failure(
    engine: &TransitionSystem,
    story: &SearchedStory,
    family: (usize, SearchFamily),
    (lists, known): (&BTreeSet<&[usize]>, &Requirements),
    sayable: &SayableTerms,
    offers: &mut Offers,
) {
    for actions in lists {
        let Some(FailedAction { action, place }) = failure(&story.now, actions, known) else { continue };
        let Some(conditions) = &known[action] else { continue };
        let term = &engine.actions[action];
        let unmet = &conditions[place];
        if !sayable.statable.contains(unmet.fluent) {
            continue;
        }
        let own = role(engine, term, unmet);
        let before = conditions.iter().filter(|other| role(engine, term, other) < own).count();
        let initially = failure(&story.initially, actions, known);
        let same = initially.is_some_and(|first| (first.action, first.place) == (action, place));
        story.add(
            offers,
            family,
            SearchOffer {
                detail: kind_of(term),
                arguments: vec![SearchArgument::Actions(actions.to_vec())],
                answer: Given::Fact((unmet.fluent, unmet.value)),
                class: before as u32 + 1,
                trivial: same,
                plain: same,
                effort: SearchEffort { plan_length: Some(actions.len()), searched: None },
            },
        );
    }
}
