//! What a problem wants to the facts that are wanted in a world of it.
//!
//! A goal is told as facts that are to be so, or not: conjunctions, "for all objects" and equations of a function with a
//! number come down to such. Of objects that a smaller world does not have nothing is wanted.

use std::collections::BTreeMap;

use racgen_logic::term::Term;

use crate::pddl::syntax::{
    Argument, NumberComparison, NumberExpression, Parameter, PddlAtom, PddlFormula, PddlProblem,
};
use crate::pddl::vocabulary::PackageWords;
use crate::pddl::world::ImportedWorld;

/// A fluent, and whether it is wanted to be true.
pub(crate) type WantedFact = (Term, bool);

/// What is wanted in a world of a problem; none where that is no conjunction of facts, or can never be.
pub(crate) fn wanted_facts(
    problem: &PddlProblem,
    world: &ImportedWorld,
    vocabulary: &PackageWords,
) -> Option<Vec<WantedFact>> {
    let ids = world.ids(&vocabulary.kinds);
    let reading = WantedReader { typed: world.typed(problem), world, vocabulary, ids };
    let mut found = Vec::new();
    if let Some(goal) = &problem.goal {
        reading.read(goal, true, &BTreeMap::new(), &mut found)?;
    }
    found.sort_unstable();
    found.dedup();
    Some(found)
}

struct WantedReader<'w, 'd> {
    typed: Vec<(String, String)>,
    world: &'w ImportedWorld,
    vocabulary: &'w PackageWords<'d>,
    ids: BTreeMap<String, String>,
}

/// What stands for each variable.
type BoundObjects = BTreeMap<String, String>;

impl WantedReader<'_, '_> {
    /// The facts that make a formula true, or false.
    fn read(
        &self,
        formula: &PddlFormula,
        truth: bool,
        bound: &BoundObjects,
        found: &mut Vec<WantedFact>,
    ) -> Option<()> {
        match (formula, truth) {
            (PddlFormula::All(parts), true) | (PddlFormula::Any(parts), false) => {
                parts.iter().try_for_each(|part| self.read(part, truth, bound, found))
            }
            (PddlFormula::All(parts) | PddlFormula::Any(parts), _) => match parts.as_slice() {
                [only] => self.read(only, truth, bound, found),
                _ => None,
            },
            (PddlFormula::Not(inner), _) => self.read(inner, !truth, bound, found),
            (PddlFormula::Every(parameters, inner), true)
            | (PddlFormula::Exists(parameters, inner), false) => {
                let all = self.bindings(parameters, bound);
                all.iter().try_for_each(|bound| self.read(inner, truth, bound, found))
            }
            (PddlFormula::Same(a, b), _) => ((object(a, bound) == object(b, bound)) == truth).then_some(()),
            (PddlFormula::Is(atom), _) => self.fact(atom, None, truth, bound, found),
            (
                PddlFormula::Compare(
                    NumberComparison::Equal,
                    NumberExpression::Of(atom),
                    NumberExpression::Constant(value),
                )
                | PddlFormula::Compare(
                    NumberComparison::Equal,
                    NumberExpression::Constant(value),
                    NumberExpression::Of(atom),
                ),
                _,
            ) => self.fact(atom, Some(*value), truth, bound, found),
            _ => None,
        }
    }

    /// All ways to give objects of the world to parameters.
    fn bindings(&self, parameters: &[Parameter], bound: &BoundObjects) -> Vec<BoundObjects> {
        let mut all = vec![bound.clone()];
        for parameter in parameters {
            let fits =
                |kind: &str| parameter.types.iter().any(|upper| self.vocabulary.domain.is_below(kind, upper));
            let here = self.typed.iter().filter(|(_, kind)| fits(kind));
            let objects: Vec<&String> = here.map(|(name, _)| name).collect();
            let with = |front: &BoundObjects| {
                let one = |object: &&String| {
                    let mut bound = front.clone();
                    bound.insert(parameter.name.clone(), (*object).clone());
                    bound
                };
                objects.iter().map(one).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        all
    }

    /// One fact: of what never changes, whether it is so already.
    fn fact(
        &self,
        atom: &PddlAtom,
        value: Option<i64>,
        truth: bool,
        bound: &BoundObjects,
        found: &mut Vec<WantedFact>,
    ) -> Option<()> {
        let ids: Option<Vec<&String>> =
            atom.arguments.iter().map(|argument| self.ids.get(object(argument, bound))).collect();
        let Some(ids) = ids else { return Some(()) };
        if self.vocabulary.domain.type_predicates.contains(&atom.name) {
            return truth.then_some(());
        }
        let value = value.map(i32::try_from).transpose().ok()?.map(Term::Number);
        let arguments = ids.into_iter().map(|id| Term::constant(id)).chain(value);
        let term = Term::function(self.vocabulary.relation(&atom.name), arguments.collect());
        if self.vocabulary.is_static(&atom.name) {
            return (self.world.statics.contains(&term) == truth).then_some(());
        }
        found.push((term, truth));
        Some(())
    }
}

fn object<'a>(argument: &'a Argument, bound: &'a BoundObjects) -> &'a str {
    match argument {
        Argument::Object(name) => name,
        Argument::Variable(name) => bound.get(name).map_or(name, |object| object),
    }
}
