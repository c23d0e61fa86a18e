//! A question of a search to what can be seen of it without the initial situation.
//!
//! Beside the goal and what the told actions do to its objects that is how far the listed actions speak of them: a plan
//! that misses its goal must not be told from one that reaches it by the objects that it names. Where something is to stay so
//! meanwhile, it is what is done last to the rest, too.

use std::collections::BTreeSet;

use racgen_logic::term::Term;

use crate::factory::choosing::profile::{Profile, Shapes};
use crate::factory::further::offers::{SearchArgument, numbered};
use crate::language::words::lexicon::Lexicon;
use crate::simulate::search::goal;
use crate::simulate::story::{Simulator, Story};

/// So many actions are not told from more.
const MANY: usize = 2;

/// The types of the objects that a term names: a truck and a package may both be at a location, but not as easily be
/// brought there.
pub(super) fn kinds(stage: &Simulator, term: &Term) -> Vec<usize> {
    let objects = &stage.layout().objects;
    let kind = |name: &str| objects.iter().find(|object| *object.id == *name).map(|object| object.kind + 1);
    term.constants().filter_map(kind).collect()
}

/// The profile of a question that names a goal, actions, or both.
pub(super) fn search_profile(
    stage: &Simulator,
    lexicon: &Lexicon,
    shapes: &Shapes,
    story: (usize, &Story),
    arguments: &[SearchArgument],
) -> Profile {
    let engine = &stage.engine;
    let (mut wanted, mut listed): (Option<Term>, Vec<&Term>) = (None, Vec::new());
    let mut named_besides: Vec<&Term> = Vec::new();
    // A fact that the told actions made true, or false, says of them more than one that they left as it was. Where facts
    // name no objects, there are too few questions to be told apart by that.
    let mut turned: Vec<usize> = Vec::new();
    let last = story.1.passed.last().unwrap_or(&story.1.initial);
    let has_turned = |fluent: usize| story.1.initial.contains(fluent) != last.contains(fluent);
    for argument in arguments {
        match argument {
            SearchArgument::Goal(literals) => wanted = Some(goal::term(literals, &engine.fluents)),
            SearchArgument::Actions(all) => listed = all.iter().map(|one| &engine.actions[*one]).collect(),
            SearchArgument::Fluent(fluent) => {
                named_besides.push(&engine.fluents[*fluent]);
                turned.push(usize::from(!engine.fluents[*fluent].args().is_empty() && has_turned(*fluent)));
            }
            SearchArgument::Action(action) => named_besides.push(&engine.actions[*action]),
            SearchArgument::Fluents(_) | SearchArgument::Number(_) | SearchArgument::Costs(_) => {}
        }
    }
    let named: BTreeSet<&str> = wanted.iter().flat_map(Term::constants).collect();
    let shared = |action: Option<&&Term>| {
        action.map_or(0, |one| named.iter().filter(|name| one.mentions(name)).count())
    };
    let of_all = listed.iter().map(|action| shared(Some(action))).filter(|shared| *shared > 0).count();
    let objects: BTreeSet<&str> = listed.iter().flat_map(|action| action.constants()).collect();
    let mut seen: Vec<usize> = vec![listed.len(), of_all, shared(listed.last()), objects.len()];
    wanted.iter().for_each(|goal| seen.extend(kinds(stage, goal)));
    named_besides.iter().for_each(|term| seen.extend(kinds(stage, term)));
    if let ([held, others @ ..], true) = (&*named_besides, !turned.is_empty()) {
        let plan: Vec<&Term> = story.1.plan.iter().map(|action| &engine.actions[*action]).collect();
        let asked = others.iter().flat_map(|term| term.constants()).chain(named.iter().copied()).collect();
        seen.extend(acted_on(&plan, &held.constants().collect(), &asked));
    }
    seen.extend(turned);
    let far = numbered(&seen);
    let terms: Vec<&Term> = wanted.iter().chain(named_besides).collect();
    shapes.profile_of(story, lexicon, &terms, (far, 0))
}

/// How many of some actions name what is to stay so, and what is done last to what else is asked about, with what of the former: an
/// object that is on what must stay where it is stays, too.
fn acted_on(plan: &[&Term], held: &BTreeSet<&str>, asked: &BTreeSet<&str>) -> Vec<usize> {
    let naming = |name: &&str| plan.iter().filter(|action| action.mentions(name)).count().min(MANY);
    let mut often: Vec<usize> = held.iter().map(naming).collect();
    often.sort_unstable();
    let last = |name: &&str| {
        let action = plan.iter().rev().find(|action| action.mentions(name))?;
        let of_held = |argument: &Term| held.iter().any(|one| argument.mentions(one));
        Some((action.functor(), action.args().iter().map(of_held).collect::<Vec<bool>>()))
    };
    let mut lasts: Vec<Option<(&str, Vec<bool>)>> = asked.difference(held).map(last).collect();
    lasts.sort_unstable();
    often.into_iter().chain([numbered(&lasts) as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(all: &[&str]) -> Vec<Term> {
        all.iter().map(|term| term.parse().unwrap()).collect()
    }

    #[test]
    fn what_is_done_last_to_the_rest_counts_and_how_often_the_former_is_named() {
        let of = |plan: &[&str]| {
            let plan = terms(plan);
            let two = terms(&["at(t1,l1)", "at(o1,l2)"]);
            let [held, asked] = [&two[0], &two[1]].map(|term| term.constants().collect());
            acted_on(&plan.iter().collect::<Vec<&Term>>(), &held, &asked)
        };
        let loaded = of(&["load(o1,t1)", "drive(t1,l3,l1)"]);
        assert_eq!(loaded, of(&["unload(o1,t1)", "load(o1,t1)", "drive(t1,l3,l1)"]));
        assert_eq!(loaded, of(&["load(o1,t1)", "load(o2,t2)", "drive(t1,l3,l1)"]));
        // Onto something else, off it again, or not at all.
        for other in ["load(o1,t2)", "unload(o1,t1)", "load(o2,t1)"] {
            assert_ne!(loaded, of(&[other, "drive(t1,l3,l1)"]), "{other}");
        }
        assert_ne!(loaded, of(&["load(o1,t1)"]));
    }
}
