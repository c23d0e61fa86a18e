//! Worlds to what is always so in them: of some fluents about an object, exactly one is true, or at most one.
//!
//! Candidates are those that hold in the situations that are known. clingo then looks for a situation in which all of them
//! hold, and an action after which one does not; that one is struck, until there is none. What is left holds in every
//! situation that actions lead to.

use std::collections::BTreeSet;
use std::time::Duration;

use racgen_logic::clingo::{Program, Source};
use racgen_logic::term::Term;

use crate::pddl::vocabulary::PackageWords;
use crate::pddl::world::ImportedWorld;
use crate::simulate::error::SimulationError;

/// Predicates about one kind of objects that are looked at together.
const MOST_PARTS: usize = 7;
/// Predicates of one candidate.
const MOST_TOGETHER: usize = 4;

/// Fluents of a predicate that are counted: those with the object at a place, or all.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InvariantPart {
    /// The predicate, as the package calls it.
    pub functor: String,
    /// How many arguments it has.
    pub arity: usize,
    /// The place of the object.
    pub key: Option<usize>,
}

/// What is always so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedInvariant {
    /// For each object of this kind; none where it is said once for all.
    pub kind: Option<usize>,
    /// What is counted.
    pub parts: Vec<InvariantPart>,
    /// Is exactly one true, rather than at most one?
    pub exactly: bool,
}

impl ImportedInvariant {
    /// Does it hold in a situation?
    pub(crate) fn holds(&self, ids: &[Vec<String>], fluents: &BTreeSet<Term>) -> bool {
        let count = |id: Option<&str>| {
            let counted = |part: &InvariantPart| {
                let fits = |fluent: &&Term| {
                    fluent.is(&part.functor, part.arity)
                        && part.key.is_none_or(|key| Some(fluent.args()[key].functor()) == id)
                };
                fluents.iter().filter(fits).count()
            };
            self.parts.iter().map(counted).sum::<usize>()
        };
        let fine = |count: usize| if self.exactly { count == 1 } else { count <= 1 };
        match self.kind {
            None => fine(count(None)),
            Some(kind) => ids[kind].iter().all(|id| fine(count(Some(id)))),
        }
    }

    /// The condition that breaks it at a time, as the body of a rule.
    pub(crate) fn broken(&self, vocabulary: &PackageWords, time: &str) -> String {
        let part = |(number, part): (usize, &InvariantPart)| {
            let variable =
                |place: usize| if part.key == Some(place) { "X".to_owned() } else { format!("X{place}") };
            let arguments: Vec<String> = (0..part.arity).map(variable).collect();
            let others =
                arguments.iter().filter(|a| *a != "X").fold(number.to_string(), |all, a| all + "," + a);
            let fluent = match arguments.is_empty() {
                true => part.functor.clone(),
                false => format!("{}({})", part.functor, arguments.join(",")),
            };
            format!("{others} : holds({fluent},{time})")
        };
        let counted = self.parts.iter().enumerate().map(part).collect::<Vec<_>>().join("; ");
        let kind = self.kind.map_or_else(String::new, |kind| format!("{}(X), ", vocabulary.kinds[kind].name));
        format!("{kind}#count {{ {counted} }} {}", if self.exactly { "!= 1" } else { "> 1" })
    }
}

/// The ids of the objects of each kind.
pub(crate) fn ids_by_kind(world: &ImportedWorld, vocabulary: &PackageWords) -> Vec<Vec<String>> {
    let of = |(kind, count): (usize, usize)| {
        (1..=count).map(|number| format!("{}{number}", vocabulary.kinds[kind].id)).collect()
    };
    world.counts(vocabulary.kinds.len()).into_iter().enumerate().map(of).collect()
}

/// All that might be so of the predicates.
pub(crate) fn candidates(vocabulary: &PackageWords) -> Vec<ImportedInvariant> {
    let domain = vocabulary.domain;
    let changed: Vec<_> = domain
        .predicates
        .iter()
        .filter(|p| !domain.is_derived(&p.name) && domain.is_changed(&p.name))
        .collect();
    let mut found = Vec::new();
    for kind in (0..vocabulary.kinds.len()).map(Some).chain([None]) {
        let mut parts = Vec::new();
        for predicate in &changed {
            let arity = predicate.places.len();
            let part =
                |key| InvariantPart { functor: vocabulary.relation(&predicate.name).to_owned(), arity, key };
            match kind {
                Some(kind) => {
                    let fits =
                        |place: &usize| vocabulary.kinds_of(&predicate.places[*place].types).contains(&kind);
                    parts.extend((0..arity).filter(fits).map(|place| part(Some(place))));
                }
                None if arity < 2 => parts.push(part(None)),
                None => {}
            }
        }
        parts.truncate(MOST_PARTS);
        for chosen in 1_usize..1 << parts.len() {
            let together = chosen.count_ones() as usize;
            if together > MOST_TOGETHER {
                continue;
            }
            let taken = (0..parts.len()).filter(|place| chosen >> place & 1 == 1);
            let parts: Vec<InvariantPart> = taken.map(|place| parts[place].clone()).collect();
            found.push(ImportedInvariant { kind, parts: parts.clone(), exactly: true });
            // Of one atom, at most one is true anyway.
            let settled = |part: &InvariantPart| part.arity == usize::from(part.key.is_some());
            if together <= 2 && !(together == 1 && parts.iter().all(settled)) {
                found.push(ImportedInvariant { kind, parts, exactly: false });
            }
        }
    }
    found.sort_by_key(|invariant| (!invariant.exactly, invariant.parts.len()));
    found
}

/// Strikes what does not hold in a situation.
pub(crate) fn keep_true(
    known: &mut Vec<ImportedInvariant>,
    world: &ImportedWorld,
    fluents: &BTreeSet<Term>,
    vocabulary: &PackageWords,
) {
    let ids = ids_by_kind(world, vocabulary);
    known.retain(|invariant| invariant.holds(&ids, fluents));
}

/// Strikes exact ones that have another among their parts: what they add is never true.
pub(crate) fn keep_minimal(known: &mut Vec<ImportedInvariant>) {
    let all = known.clone();
    known.retain(|one| {
        let within = |other: &ImportedInvariant| {
            other.exactly
                && other.parts.len() < one.parts.len()
                && one.parts.iter().filter(|p| other.parts.contains(p)).count() == other.parts.len()
        };
        !one.exactly || !all.iter().any(|other| other.kind == one.kind && within(other))
    });
}

/// Strikes those at-most-ones that follow from others.
pub(crate) fn keep_strongest(known: &mut Vec<ImportedInvariant>) {
    let all = known.clone();
    known.retain(|one| {
        let stronger = |other: &ImportedInvariant| {
            other != one
                && other.kind == one.kind
                && one.parts.iter().all(|part| other.parts.contains(part))
                && (other.exactly || other.parts.len() > one.parts.len())
        };
        one.exactly || !all.iter().any(stronger)
    });
}

/// Strikes, in one world, what some action can break while all others hold. Says whether anything was struck.
///
/// # Errors
/// Solver failures.
pub(crate) fn keep_inductive(
    known: &mut Vec<ImportedInvariant>,
    steps: &Program,
    functions: &str,
    vocabulary: &PackageWords,
    limit: Duration,
) -> Result<bool, SimulationError> {
    let mut struck = false;
    while !known.is_empty() {
        let mut text = String::from("#defined broken/1.\nchanged :- broken(_).\n:- not changed.\n");
        for (number, invariant) in known.iter().enumerate() {
            text += &format!(":- {}.\n", invariant.broken(vocabulary, "0"));
            text += &format!("broken({number}) :- {}.\n", invariant.broken(vocabulary, "1"));
        }
        let mut program = steps.clone();
        program.sources.push(Source::new("invariants", text + functions));
        let mut search = program.search(&[("broken", 1)], None, limit)?;
        let found = search.enumerate(1)?;
        let Some(broken) = found.first() else { break };
        let numbers: BTreeSet<usize> = broken
            .iter()
            .filter_map(|atom| match atom.args() {
                [Term::Number(number)] => usize::try_from(*number).ok(),
                _ => None,
            })
            .collect();
        let mut place = 0;
        known.retain(|_| {
            place += 1;
            !numbers.contains(&(place - 1))
        });
        struck = true;
        if numbers.is_empty() {
            known.clear();
        }
    }
    Ok(struck)
}
