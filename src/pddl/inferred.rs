//! A domain without types to one with them, where predicates such as `(room ?x)` say what each object is.
//!
//! Such predicates are about one object, no action changes them, and exactly one of them is true of each object of the
//! problems. Parameters that an action requires to be so get these types, and predicates get those of all that is ever put
//! at their places.

use std::collections::BTreeSet;

use crate::pddl::syntax::{
    Argument, Changed, Declared, Parameter, PddlAction, PddlAtom, PddlDomain, PddlEffect, PddlFormula,
    PddlProblem,
};

/// The domain and its problems with types; none where it has types, or no predicates that serve as such.
pub(crate) fn with_types(
    domain: &PddlDomain,
    problems: &[PddlProblem],
) -> Option<(PddlDomain, Vec<PddlProblem>)> {
    if !domain.types.is_empty() {
        return None;
    }
    let chosen = type_predicates(domain, problems)?;
    let mut domain = domain.clone();
    let mut problems = problems.to_vec();
    domain.types = chosen.iter().map(|name| (name.clone(), vec!["object".to_owned()])).collect();
    domain.type_predicates.clone_from(&chosen);
    for problem in &mut problems {
        let facts = problem.initially.clone();
        let of = |object: &str| {
            chosen.iter().find(|name| facts.contains(&((*name).clone(), vec![object.to_owned()])))
        };
        for (object, kind) in problem.objects.iter_mut().chain(&mut domain.constants) {
            if let Some(name) = of(object) {
                kind.clone_from(name);
            }
        }
        problem.initially.retain(|(name, _)| !chosen.contains(name));
    }
    domain.actions.iter_mut().for_each(|action| narrow(action, &chosen));
    let places: Vec<(String, Vec<BTreeSet<String>>)> = domain
        .predicates
        .iter()
        .chain(&domain.functions)
        .map(|relation| (relation.name.clone(), met(relation, &domain, &problems)))
        .collect();
    for relation in domain.predicates.iter_mut().chain(&mut domain.functions) {
        let Some((_, types)) = places.iter().find(|(name, _)| *name == relation.name) else { continue };
        for (place, types) in relation.places.iter_mut().zip(types) {
            if !types.is_empty() && !types.contains("object") {
                place.types = types.iter().cloned().collect();
            }
        }
    }
    Some((domain, problems))
}

/// Predicates of which exactly one is true of each object.
fn type_predicates(domain: &PddlDomain, problems: &[PddlProblem]) -> Option<BTreeSet<String>> {
    let holds = |name: &str, problem: &PddlProblem, object: &str| {
        problem.initially.contains(&(name.to_owned(), vec![object.to_owned()]))
    };
    let of = |name: &str| {
        let all = problems.iter().enumerate().flat_map(|(number, problem)| {
            let objects = problem.objects.iter().filter(|(object, _)| holds(name, problem, object));
            objects.map(move |(object, _)| (number, object.clone()))
        });
        all.collect::<BTreeSet<_>>()
    };
    let plain = |relation: &&Declared| {
        relation.places.len() == 1 && !domain.is_changed(&relation.name) && !domain.is_derived(&relation.name)
    };
    let mut candidates: Vec<(BTreeSet<_>, &String)> =
        domain.predicates.iter().filter(plain).map(|relation| (of(&relation.name), &relation.name)).collect();
    candidates.sort_by_key(|(all, _)| std::cmp::Reverse(all.len()));
    let (mut typed, mut chosen) = (BTreeSet::new(), BTreeSet::new());
    for (all, name) in candidates {
        if !all.is_empty() && all.is_disjoint(&typed) {
            typed.extend(all);
            chosen.insert(name.clone());
        }
    }
    let objects: usize = problems.iter().map(|problem| problem.objects.len()).sum();
    (chosen.len() > 1 && typed.len() == objects).then_some(chosen)
}

/// Gives parameters the types that the precondition requires, and takes these requirements out.
fn narrow(action: &mut PddlAction, chosen: &BTreeSet<String>) {
    let PddlFormula::All(parts) = &mut action.precondition else { return };
    let parameters = &mut action.parameters;
    parts.retain(|part| {
        let PddlFormula::Is(PddlAtom { name, arguments, .. }) = part else { return true };
        let [Argument::Variable(variable)] = arguments.as_slice() else { return true };
        let own = parameters.iter_mut().find(|parameter| parameter.name == *variable);
        match own.filter(|parameter| chosen.contains(name) && parameter.types == ["object"]) {
            Some(parameter) => {
                parameter.types = vec![name.clone()];
                false
            }
            None => true,
        }
    });
}

/// The types of all that is ever put at the places of a predicate or function.
fn met(relation: &Declared, domain: &PddlDomain, problems: &[PddlProblem]) -> Vec<BTreeSet<String>> {
    let mut found = vec![BTreeSet::new(); relation.places.len()];
    for problem in problems {
        let values = problem.values.keys();
        for (_, arguments) in
            problem.initially.iter().chain(values).filter(|(name, _)| *name == relation.name)
        {
            for (types, object) in found.iter_mut().zip(arguments) {
                types.extend(
                    problem.objects.iter().filter(|(name, _)| name == object).map(|(_, kind)| kind.clone()),
                );
            }
        }
    }
    for action in &domain.actions {
        for PddlEffect { every, changed, .. } in &action.effects {
            let (Changed::Add(atom) | Changed::Set(_, atom, _)) = changed else { continue };
            if atom.name != relation.name {
                continue;
            }
            for (types, argument) in found.iter_mut().zip(&atom.arguments) {
                types.extend(types_of(argument, every, action, domain));
            }
        }
    }
    found
}

fn types_of(
    argument: &Argument,
    every: &[Parameter],
    action: &PddlAction,
    domain: &PddlDomain,
) -> Vec<String> {
    match argument {
        Argument::Variable(name) => {
            let known = every.iter().chain(&action.parameters).find(|parameter| parameter.name == *name);
            known.map_or_else(Vec::new, |parameter| parameter.types.clone())
        }
        Argument::Object(name) => {
            domain.constants.iter().filter(|(known, _)| known == name).map(|(_, kind)| kind.clone()).collect()
        }
    }
}
