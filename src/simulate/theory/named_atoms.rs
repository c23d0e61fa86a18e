//! The names of a ground program to where their atoms stand in it.

use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

/// An atom's place in the grounding: always true, never true, or open.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AtomPlace {
    Always,
    Never,
    Atom(u32),
}

impl AtomPlace {
    /// Its number, where it is open.
    pub(crate) fn atom(&self) -> Option<u32> {
        if let AtomPlace::Atom(atom) = self { Some(*atom) } else { None }
    }
}

impl From<Option<u32>> for AtomPlace {
    fn from(atom: Option<u32>) -> AtomPlace {
        atom.map_or(AtomPlace::Always, AtomPlace::Atom)
    }
}

/// The named atoms of a ground program; those without a number always hold.
pub(crate) struct NamedAtoms<'n> {
    named: &'n [(Term, Option<u32>)],
    places: HashMap<&'n Term, AtomPlace>,
}

impl<'n> NamedAtoms<'n> {
    /// Sorts the names by term.
    pub(crate) fn new(named: &'n [(Term, Option<u32>)]) -> NamedAtoms<'n> {
        NamedAtoms { named, places: named.iter().map(|(term, atom)| (term, (*atom).into())).collect() }
    }

    /// The atoms of a predicate.
    pub(crate) fn predicate(
        &self,
        name: &'static str,
        arity: usize,
    ) -> impl Iterator<Item = (&'n Term, AtomPlace)> {
        let of_name = self.named.iter().filter(move |(term, _)| term.is(name, arity));
        of_name.map(|(term, atom)| (term, (*atom).into()))
    }

    /// The arguments of a predicate with one place, in order.
    pub(crate) fn arguments(&self, name: &'static str) -> Vec<Term> {
        let mut all: Vec<Term> = self.predicate(name, 1).map(|(term, _)| term.args()[0].clone()).collect();
        all.sort_unstable();
        all
    }

    /// Where the atom of a term stands.
    pub(crate) fn place(&self, term: &Term) -> AtomPlace {
        self.places.get(term).copied().unwrap_or(AtomPlace::Never)
    }

    /// Where `functor(term,time)` stands, for each of the terms.
    pub(crate) fn timed(&self, functor: &str, terms: &[Term], time: i32) -> Vec<AtomPlace> {
        let atom = |term: &Term| Term::function(functor, vec![term.clone(), Term::Number(time)]);
        terms.iter().map(|term| self.place(&atom(term))).collect()
    }
}
