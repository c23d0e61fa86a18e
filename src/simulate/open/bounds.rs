//! A program that leaves layouts open to the rules that tell what surely holds and what may, and these with a layout to what is left of
//! them.

use racgen_logic::clingo::Program;
use racgen_logic::evaluate::bounds::{bounds, possibly, surely};
use racgen_logic::evaluate::lanes::{LaneEvaluator, Settled};
use racgen_logic::ground::Body;
use racgen_logic::term::Term;
use rustc_hash::FxHashSet as HashSet;

use crate::simulate::open::grounding::{LayoutInputs, OpenInputs, budget, shown_with};
use crate::simulate::theory::named_atoms::AtomPlace;

/// The bounds of a program that was ground with its layout open.
pub(super) struct OpenBounds {
    named: Vec<(Term, Option<u32>)>,
    evaluator: LaneEvaluator,
    inputs: OpenInputs,
}

/// A named atom, where it stands that it surely holds, and that it may; and may it be chosen?
pub(crate) type BoundedAtom = (Term, [AtomPlace; 2], bool);

/// What they come to in one layout.
pub(crate) struct LayoutBounds {
    /// The named atoms.
    pub(crate) named: Vec<BoundedAtom>,
    /// For all of them.
    pub(crate) evaluator: LaneEvaluator,
}

impl OpenBounds {
    /// Grounds a program whose layout is open, as [`OpenGrounding::new`](super::grounding::OpenGrounding::new) does.
    pub(super) fn new(
        program: &Program,
        shown: &[(&str, usize)],
        (varying, always): (&[Term], &[Term]),
        is_input: impl Fn(&Term) -> bool,
    ) -> Option<OpenBounds> {
        let mut ground = program.ground_within(&shown_with(shown, varying), Some(budget())).ok()?;
        let (inputs, _) = OpenInputs::of(&mut ground, (varying, always), is_input)?;
        let agreements = inputs.agreements(&ground)?;
        ground.rules.extend(agreements);
        // What may be chosen is known of each layout before its rules are read.
        for rule in ground.rules.iter_mut().filter(|rule| rule.choice) {
            rule.body = Body::All(Vec::new());
        }
        let both = bounds(&ground).ok()??;
        let named = ground.named.iter().filter_map(|(_, atom)| *atom).filter(|atom| *atom > 0);
        let targets: Vec<u32> = named.flat_map(|atom| [surely(atom), possibly(atom)]).collect();
        let evaluator = LaneEvaluator::new(&both, &targets).ok()?;
        Some(OpenBounds { named: ground.named, evaluator, inputs })
    }

    /// What is left in the layout with these facts; none where it is no layout of the level.
    pub(super) fn of(&self, facts: &[Term]) -> Option<LayoutBounds> {
        let LayoutInputs { known, opened } = self.inputs.of_layout(facts)?;
        let known: Vec<(u32, bool)> = known
            .into_iter()
            .flat_map(|(atom, value)| [surely(atom), possibly(atom)].map(|bound| (bound, value)))
            .collect();
        let both = |atom: u32| [surely(atom), possibly(atom)];
        let atoms = self.named.iter().filter_map(|(_, atom)| *atom).filter(|atom| *atom > 0);
        let kept: Vec<u32> = atoms.chain(opened.iter().copied()).flat_map(both).collect();
        let open: Vec<u32> = opened.iter().copied().flat_map(both).collect();
        let folded = self.evaluator.fold(&known, &open, &kept)?;
        let place = |bound: u32| match folded.settled(bound) {
            Settled::Is(true) => AtomPlace::Always,
            Settled::Is(false) => AtomPlace::Never,
            Settled::Open(number) => AtomPlace::Atom(number),
        };
        let opened: HashSet<u32> = opened.into_iter().collect();
        let named = self.named.iter().map(|(term, atom)| match atom {
            None => (term.clone(), [AtomPlace::Always; 2], false),
            Some(0) => (term.clone(), [AtomPlace::Never; 2], false),
            Some(atom) => (term.clone(), both(*atom).map(place), opened.contains(atom)),
        });
        Some(LayoutBounds { named: named.collect(), evaluator: folded.evaluator })
    }
}
