//! A world with its initial situations, as a package gives it, and the forms of what is to be said of it.

use std::collections::BTreeSet;

use racgen_logic::term::Term;

use crate::pddl::vocabulary::PackageWords;
use crate::pddl::world::ImportedWorld;

/// What a phrase book must have an entry for: a static relation, a fluent or an action over objects of these kinds; none
/// for a number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SaidForm {
    /// `fact`, `fluent` or `action`.
    pub what: &'static str,
    /// The name in the package.
    pub functor: String,
    /// The kinds of its arguments.
    pub kinds: Vec<Option<usize>>,
}

/// A world as the package gives it.
#[derive(Clone, Debug)]
pub struct GivenWorld {
    /// The objects and the static facts.
    pub world: ImportedWorld,
    /// The initial situations, each as the fluents that are true.
    pub situations: Vec<BTreeSet<Term>>,
    /// What is to be said of it.
    pub patterns: BTreeSet<SaidForm>,
}

impl GivenWorld {
    pub(crate) fn new(
        world: ImportedWorld,
        situations: Vec<BTreeSet<Term>>,
        fluents: &[Term],
        actions: &[Term],
        vocabulary: &PackageWords,
    ) -> GivenWorld {
        let kind = |argument: &Term| match argument {
            Term::Number(_) => None,
            term => {
                let letters = term.functor().trim_end_matches(|c: char| c.is_ascii_digit());
                vocabulary.kinds.iter().position(|kind| kind.id == letters)
            }
        };
        let form = |what: &'static str, term: &Term| SaidForm {
            what,
            functor: term.functor().to_owned(),
            kinds: term.args().iter().map(kind).collect(),
        };
        let facts = world.statics.iter().map(|term| form("fact", term));
        let fluents = fluents.iter().map(|term| form("fluent", term));
        let patterns = facts.chain(fluents).chain(actions.iter().map(|term| form("action", term))).collect();
        GivenWorld { world, situations, patterns }
    }
}
