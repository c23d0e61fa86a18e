//! Two objects of a layout that may change places to what becomes of its situations and actions when they do.

use std::collections::BTreeMap;

use racgen_logic::term::Term;

use crate::simulate::layout::Layout;
use crate::simulate::situation::Situation;
use crate::simulate::transitions::compiled_layout::CompiledLayout;

/// Two objects that change places. Whoever does it twice has what there was.
pub(crate) struct Interchange {
    /// By fluent and by action, which one stands in its place.
    fluents: Vec<usize>,
    actions: Vec<usize>,
}

impl Interchange {
    /// None where something tells two objects apart that never changes: their types, static facts, or what can be said or done.
    pub(crate) fn of(
        layout: &Layout,
        compiled: &CompiledLayout,
        [one, other]: [usize; 2],
    ) -> Option<Interchange> {
        let [one, other] = [one, other].map(|object| &layout.objects[object]);
        let both = [&*one.id, &*other.id];
        let names = BTreeMap::from([(both[0], both[1]), (both[1], both[0])]);
        let names_either = |term: &Term| both.iter().any(|id| term.mentions(id));
        let is_static = |fact: &Term| layout.statics.binary_search(&fact.renamed(&names)).is_ok();
        if one.kind != other.kind || !layout.statics.iter().filter(|fact| names_either(fact)).all(is_static) {
            return None;
        }
        let changed = |terms: &[Term]| -> Option<Vec<usize>> {
            let place = |(own, term): (usize, &Term)| match names_either(term) {
                true => terms.binary_search(&term.renamed(&names)).ok(),
                false => Some(own),
            };
            terms.iter().enumerate().map(place).collect()
        };
        Some(Interchange { fluents: changed(&compiled.fluents)?, actions: changed(&compiled.actions)? })
    }

    /// The fluent that is in the place of another.
    pub(crate) fn fluent(&self, fluent: usize) -> usize {
        self.fluents[fluent]
    }

    /// The action that is in the place of another.
    pub(crate) fn action(&self, action: usize) -> usize {
        self.actions[action]
    }

    /// A situation in which each of the two objects is where the other was.
    pub(crate) fn situation(&self, situation: &Situation) -> Situation {
        let mut changed = Situation::new(self.fluents.len());
        situation.iter().for_each(|fluent| changed.insert(self.fluents[fluent]));
        changed
    }

    /// Actions that do to each of the two objects what was done to the other.
    pub(crate) fn plan(&self, plan: &[usize]) -> Vec<usize> {
        plan.iter().map(|action| self.actions[*action]).collect()
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::ChaCha8Rng;

    use super::*;
    use crate::domain::package::Package;
    use crate::simulate::plans::sampling::Sampling;
    use crate::simulate::story::Simulator;

    #[test]
    fn what_changes_places_does_as_the_other_did() {
        let limit = std::time::Duration::from_secs(60);
        for (domain, able) in [("blocks", true), ("dwr", true), ("hanoi", false)] {
            let package = Package::load(domain).unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(7);
            let layout = Layout::sample(&package, 2, &BTreeMap::new(), &mut rng, limit).unwrap();
            let mut stage = Simulator::new(&package, layout, Sampling::Walk, limit, &mut rng).unwrap();
            let (start, _) = stage.draw_world(&mut rng).unwrap();
            let kind = |object: &usize| stage.layout().objects[*object].kind;
            let last = stage.layout().objects.len() - 1;
            // Discs of different sizes are never alike, and neither are objects of different types.
            let other = (0..last).rev().find(|object| kind(object) == kind(&last)).unwrap();
            assert_eq!(stage.interchange([other, last]).is_some(), able, "{domain}");
            let stranger = (0..last).find(|object| kind(object) != kind(&last));
            assert!(stranger.is_none_or(|stranger| stage.interchange([stranger, last]).is_none()));
            let Some(pair) = stage.interchange([other, last]) else { continue };
            let turned = pair.situation(&start);
            assert_eq!(pair.situation(&turned), start);
            for action in 0..stage.engine.actions.len() {
                let here = stage.engine.step(&start, action).unwrap();
                let there = stage.engine.step(&turned, pair.plan(&[action])[0]).unwrap();
                let here = here.map(|outcome| pair.situation(&outcome.situation));
                assert_eq!(here, there.map(|outcome| outcome.situation), "{}", stage.engine.actions[action]);
            }
        }
    }
}
