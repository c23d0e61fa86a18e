//! A view and a layout to the drawing atoms of situations: ground once with the situation left open, as questions are.

use racgen_logic::clingo::{Program, Source};
use racgen_logic::evaluate::lanes::{LaneEvaluator, Word};
use racgen_logic::fault::Fault;
use racgen_logic::term::Term;

use crate::domain::package::Package;
use crate::pictures::graph::DRAWING;
use crate::simulate::error::SimulationError;
use crate::simulate::layout::Layout;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::theory::named_atoms::{AtomPlace, NamedAtoms};
use crate::simulate::transitions::compiled_layout::CompiledLayout;
use crate::simulate::transitions::lanes::{load, truth, unload};

/// Words of 64 situations that are worked out together.
const WIDTH: usize = 1;

/// The ground view of a layout.
pub struct CompiledView {
    evaluator: LaneEvaluator,
    /// By fluent of the layout, where it stands that it holds.
    fluents: Vec<AtomPlace>,
    atoms: Vec<(Term, AtomPlace)>,
}

/// The program of a view: the layout's facts, the situation left open, and the view itself.
fn program(package: &Package, layout: &Layout, fluents: &[Term], view: &Source) -> Program {
    let mut open = "#defined holds/1.\n".to_owned();
    for (name, arity) in DRAWING {
        open += &format!("#defined {name}/{arity}.\n");
    }
    for fluent in fluents {
        open += &format!("{{ holds({fluent}) }}.\n");
    }
    Program {
        sources: vec![layout.facts(package), Source::new("the open situation", open), view.clone()],
        parts: vec![],
        constants: layout.parameters.iter().map(|(name, value)| (name.clone(), *value)).collect(),
    }
}

impl CompiledView {
    /// Grounds a view for a layout.
    ///
    /// # Errors
    /// A view that clingo does not take, or one with choices, disjunctions, or negation in loops.
    pub fn new(
        package: &Package,
        layout: &Layout,
        compiled: &CompiledLayout,
        view: &Source,
    ) -> Result<CompiledView, SimulationError> {
        let shown: Vec<(&str, usize)> = DRAWING.into_iter().chain([("holds", 1)]).collect();
        let ground = program(package, layout, &compiled.fluents, view).ground_with_texts(&shown)?;
        let names = NamedAtoms::new(&ground.named);
        let holds = |fluent: &Term| names.place(&Term::function("holds", vec![fluent.clone()]));
        let fluents: Vec<AtomPlace> = compiled.fluents.iter().map(holds).collect();
        let unclear = |cause: String| {
            Fault::new(&view.name, 0, cause, "derive the drawing atoms by rules without choices")
        };
        if ground
            .rules
            .iter()
            .filter(|rule| rule.choice)
            .any(|rule| rule.head.iter().any(|atom| !fluents.iter().any(|place| place.atom() == Some(*atom))))
        {
            return Err(
                unclear("it has a choice, so that a situation would have several pictures".into()).into()
            );
        }
        let mut atoms: Vec<(Term, AtomPlace)> = Vec::new();
        for (name, arity) in DRAWING {
            atoms.extend(names.predicate(name, arity).map(|(term, place)| (term.clone(), place)));
        }
        atoms.retain(|(_, place)| place.atom() != Some(0));
        atoms.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let targets: Vec<u32> = atoms.iter().filter_map(|(_, place)| place.atom()).collect();
        let evaluator = LaneEvaluator::new(&ground, &targets).map_err(|why| unclear(why.to_string()))?;
        Ok(CompiledView { evaluator, fluents, atoms })
    }

    /// The drawing atoms that are true in situations, all of whose fluents must be given; in the order of their terms.
    ///
    /// # Errors
    /// A view that has no answer, or several, in one of the situations.
    pub fn atoms(&self, situations: &[&Situation]) -> Result<Vec<Vec<Term>>, SimulationError> {
        let mut found = Vec::with_capacity(situations.len());
        let mut values = self.evaluator.values::<WIDTH>();
        for some in situations.chunks(64 * WIDTH) {
            load(&mut values, &self.fluents, some);
            let verdict = self.evaluator.run(&mut values);
            let lanes = Word::first(some.len());
            if !(verdict.inconsistent & lanes).is_none() || !(verdict.undecided & lanes).is_none() {
                let cause = "a situation has no picture by it, or several";
                let remedy = "a view has no constraints, and no negation in a loop";
                return Err(Fault::new("view.lp", 0, cause, remedy).into());
            }
            let sets: Vec<BitSet> =
                unload(some.len(), self.atoms.len(), |atom| truth(&values, self.atoms[atom].1));
            found.extend(sets.iter().map(|set| set.iter().map(|atom| self.atoms[atom].0.clone()).collect()));
        }
        Ok(found)
    }
}
