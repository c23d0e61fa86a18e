//! Entries of a phrase book, with the situations that were met, to what their slots are like: how many atoms an object has.

use std::collections::BTreeMap;

use racgen_logic::term::Term;

use crate::domain::package::Package;
use crate::phrases::book::RelationPhrases;
use crate::phrases::pattern::PatternPlace;
use crate::simulate::layout::Layout;

/// A layout and the situations that were met in it, as inertial fluents that are true.
pub(super) struct SampledLayout {
    pub(super) layout: Layout,
    /// Its inertial fluents.
    pub(super) fluents: Vec<Term>,
    pub(super) situations: Vec<Vec<Term>>,
}

/// A fluent or a static relation as a view sees it.
pub(super) struct SeenRelation<'p> {
    pub(super) functor: &'p str,
    /// Does the pattern stand for objects themselves?
    pub(super) bare: bool,
    /// Its places: a type, a number, or a constant.
    pub(super) places: Vec<SeenPlace>,
    /// Is it part of the layout?
    pub(super) fixed: bool,
    /// By situation, the atoms of it.
    atoms: Vec<Vec<Term>>,
    /// By situation, the layout.
    layouts: Vec<usize>,
}

/// A place of a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SeenPlace {
    Type(usize),
    Number,
    Constant(String),
}

impl<'p> SeenRelation<'p> {
    fn of(
        package: &Package,
        entry: &'p RelationPhrases,
        fixed: bool,
        samples: &[SampledLayout],
    ) -> SeenRelation<'p> {
        let pattern = &entry.pattern;
        let place = |place: &PatternPlace| match place {
            PatternPlace::Constant(name) => SeenPlace::Constant(name.clone()),
            PatternPlace::Slot { kind, .. } => {
                let number = package.types.iter().position(|t| t.name == *kind);
                number.map_or(SeenPlace::Number, SeenPlace::Type)
            }
        };
        let (mut atoms, mut layouts) = (Vec::new(), Vec::new());
        for (number, sample) in samples.iter().enumerate() {
            let of_layout = [sample.layout.statics.clone()];
            let lists: &[Vec<Term>] = if fixed { &of_layout } else { &sample.situations };
            for list in lists {
                atoms.push(list.iter().filter(|term| package.fits(pattern, term)).cloned().collect());
                layouts.push(number);
            }
        }
        let places = pattern.places.iter().map(place).collect();
        SeenRelation { functor: &pattern.functor, bare: pattern.bare, places, fixed, atoms, layouts }
    }

    /// Relations of the layout that are told, and inertial fluents.
    pub(super) fn all(package: &'p Package, samples: &[SampledLayout]) -> Vec<SeenRelation<'p>> {
        let fixed = package.book.facts.iter().map(|entry| SeenRelation::of(package, entry, true, samples));
        let is_inertial = |entry: &&RelationPhrases| {
            samples
                .iter()
                .any(|sample| sample.fluents.iter().any(|fluent| package.fits(&entry.pattern, fluent)))
        };
        let fluents = package.book.fluents.iter().filter(is_inertial);
        let fluents = fluents.map(|entry| SeenRelation::of(package, entry, false, samples));
        fixed.chain(fluents).collect()
    }

    /// The type at a place.
    pub(super) fn kind(&self, place: usize) -> Option<usize> {
        match self.places.get(place) {
            Some(SeenPlace::Type(kind)) => Some(*kind),
            _ => None,
        }
    }

    /// The types of all places, where each has one.
    pub(super) fn kinds(&self) -> Option<Vec<usize>> {
        (0..self.places.len()).map(|place| self.kind(place)).collect()
    }

    /// Was any atom of it met?
    pub(super) fn is_met(&self) -> bool {
        self.atoms.iter().any(|atoms| !atoms.is_empty())
    }

    /// Has each object at the place one atom at most?
    pub(super) fn is_functional(&self, place: usize) -> bool {
        counts(&[(self, place)]).iter().all(|count| count.values().all(|count| *count <= 1))
    }

    /// Is it a line of objects of one type, from first to last, in each layout?
    pub(super) fn is_line(&self, samples: &[SampledLayout]) -> bool {
        let Some([kind, other]) =
            self.kinds().as_deref().and_then(|kinds| <[usize; 2]>::try_from(kinds).ok())
        else {
            return false;
        };
        let longest =
            samples.iter().map(|s| s.layout.objects.iter().filter(|o| o.kind == kind).count()).max();
        kind == other
            && self.fixed
            && longest.is_some_and(|longest| longest > 2)
            && self.is_functional(0)
            && self.is_functional(1)
            && self.atoms.iter().zip(&self.layouts).all(|(atoms, layout)| {
                let objects = samples[*layout].layout.objects.iter().filter(|o| o.kind == kind).count();
                atoms.len() + 1 == objects && is_acyclic(atoms)
            })
    }

    /// Are `p(x,y)` and `p(y,x)` always true together?
    pub(super) fn is_symmetric(&self) -> bool {
        let swapped =
            |term: &Term| Term::function(term.functor(), term.args().iter().rev().cloned().collect());
        self.atoms.iter().all(|atoms| atoms.iter().all(|term| atoms.contains(&swapped(term))))
    }
}

fn is_acyclic(pairs: &[Term]) -> bool {
    pairs.iter().all(|start| {
        let mut at = &start.args()[1];
        for _ in 0..=pairs.len() {
            match pairs.iter().find(|pair| pair.args()[0] == *at) {
                Some(next) => at = &next.args()[1],
                None => return true,
            }
        }
        false
    })
}

/// By situation, how many atoms of some relations have an object at a place.
fn counts<'r>(relations: &'r [(&'r SeenRelation<'r>, usize)]) -> Vec<BTreeMap<&'r Term, usize>> {
    let situations = relations.iter().map(|(relation, _)| relation.atoms.len()).max().unwrap_or(0);
    let mut counts: Vec<BTreeMap<&Term, usize>> = vec![BTreeMap::new(); situations];
    for (relation, place) in relations {
        for (count, atoms) in counts.iter_mut().zip(&relation.atoms) {
            for atom in atoms {
                *count.entry(&atom.args()[*place]).or_default() += 1;
            }
        }
    }
    counts
}

/// How relations that say where the objects of a type are do so together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PlaceCoverage {
    /// Some object has several atoms.
    Overlapping,
    /// No object has several; so many objects, in all situations, have one.
    Partial(usize),
    /// Each object has exactly one.
    Exact,
}

/// How relations, each by a place, cover the objects of a type.
pub(super) fn coverage(
    relations: &[(&SeenRelation, usize)],
    kind: usize,
    samples: &[SampledLayout],
) -> PlaceCoverage {
    let counts = counts(relations);
    if counts.iter().any(|count| count.values().any(|count| *count > 1)) {
        return PlaceCoverage::Overlapping;
    }
    let Some((first, _)) = relations.first() else { return PlaceCoverage::Partial(0) };
    let covered: usize = counts.iter().map(BTreeMap::len).sum();
    let objects = first
        .layouts
        .iter()
        .map(|layout| samples[*layout].layout.objects.iter().filter(|o| o.kind == kind).count());
    if covered == objects.sum::<usize>() && covered > 0 {
        PlaceCoverage::Exact
    } else {
        PlaceCoverage::Partial(covered)
    }
}
