//! The types of a game, and how many terms they allow (section 4.2).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use racgen_logic::fault::Fault;
use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use crate::games::play::ground_game::{GroundGame, order};

/// Atoms that a signature may allow for one relation.
pub(super) const MOST_ATOMS: usize = 5_000_000;
/// How deep types may nest.
pub(super) const DEEPEST: usize = 20;
/// How the file of inferred types is called, before the name of the game's.
pub(super) const INFERRED: &str = "the types of ";

/// `name :: argument -> argument -> result`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// A constant, function or predicate, as printed.
    pub name: Arc<str>,
    /// Types of the arguments.
    pub arguments: Vec<Arc<str>>,
    /// Type of the result; `bool` for predicates.
    pub result: Arc<str>,
}

/// The types of a game.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// The file, as the user called it, or what stands for it.
    pub file: String,
    /// All declarations, in order.
    pub declarations: Vec<Declaration>,
    /// Subtype and supertype.
    pub below: Vec<(Arc<str>, Arc<str>)>,
    /// Functions, with their numbers of arguments, of which the types allow more terms than memory should hold: how many
    /// these are, and the terms that the game can reach, which are listed instead.
    pub listed: BTreeMap<(Arc<str>, usize), (usize, Vec<Term>)>,
}

impl Types {
    pub(super) fn fault(&self, cause: String) -> Fault {
        let remedy = match self.file.starts_with(INFERRED) {
            true => "the game builds terms that its tasks cannot list; bound them",
            false => "correct the types, or leave the file out to have them inferred",
        };
        Fault { place: self.file.clone(), cause, remedy: remedy.into() }
    }

    /// Lists what a game can reach of functions of which these types allow too many terms.
    pub fn bounded(mut self, arena: &GroundGame) -> Types {
        let Some(whole) = &arena.whole else { return self };
        let actions = whole.moves.iter().map(|(_, action)| action);
        let mut found: BTreeMap<(Arc<str>, usize), BTreeSet<&Term>> = BTreeMap::new();
        for term in whole.fluents.iter().chain(actions).filter(|term| !term.args().is_empty()) {
            let key = (Arc::from(term.functor().to_lowercase()), term.args().len());
            found.entry(key).or_default().insert(term);
        }
        for (key, terms) in found {
            let allowed = self.terms_of(&key);
            if allowed > MOST_ATOMS {
                let mut terms: Vec<Term> = terms.into_iter().cloned().collect();
                terms.sort_by(order);
                self.listed.insert(key, (allowed, terms));
            }
        }
        self
    }

    /// A sentence for each function of which only what the game can reach is listed.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for ((name, arity), (allowed, terms)) in &self.listed {
            let reached = terms.len();
            notes.push(format!(
                "of the {allowed} terms `{name}/{arity}` that the types allow, the {reached} that can be reached"
            ));
        }
        notes
    }

    /// How many atoms the signature allows for a predicate, counting what two types share twice.
    pub(super) fn size(&self, predicate: &str) -> usize {
        self.count(&|d| &*d.result == "bool" && d.name.eq_ignore_ascii_case(predicate))
    }

    /// How many terms of a function it allows.
    fn terms_of(&self, (name, arity): &(Arc<str>, usize)) -> usize {
        self.count(&|d| {
            &*d.result != "bool" && d.arguments.len() == *arity && d.name.eq_ignore_ascii_case(name)
        })
    }

    /// How many terms these declarations allow.
    fn count(&self, wanted: &dyn Fn(&Declaration) -> bool) -> usize {
        // Without what is known, types that contain themselves twice would be counted over and over.
        type Known<'a> = HashMap<(&'a str, usize), usize>;
        fn of<'a>(types: &'a Types, name: &'a str, depth: usize, known: &mut Known<'a>) -> usize {
            if depth > DEEPEST {
                return usize::MAX;
            }
            if let Some(count) = known.get(&(name, depth)) {
                return *count;
            }
            let mut count = 0_usize;
            for (sub, _) in types.below.iter().filter(|(_, sup)| **sup == *name) {
                count = count.saturating_add(of(types, sub, depth + 1, known));
            }
            for declaration in types.declarations.iter().filter(|d| *d.result == *name) {
                count = count.saturating_add(product(types, declaration, depth + 1, known));
            }
            known.insert((name, depth), count);
            count
        }
        fn product<'a>(
            types: &'a Types,
            declaration: &'a Declaration,
            depth: usize,
            known: &mut Known<'a>,
        ) -> usize {
            declaration.arguments.iter().fold(1, |all, a| all.saturating_mul(of(types, a, depth, known)))
        }
        let mut known = Known::default();
        let all = self.declarations.iter().filter(|d| wanted(d));
        all.map(|d| product(self, d, 0, &mut known)).fold(0, usize::saturating_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_that_contain_themselves_are_counted_soon() -> Result<(), Fault> {
        let text = "next :: tree -> bool. pair, both, two :: tree -> tree -> tree. leaf :: tree.";
        assert_eq!(Types::read(text, "a.typ")?.size("next"), usize::MAX);
        let types = Types::read("next :: a -> b -> bool. 1, 2 :: a. a :> b. 3 :: b.", "a.typ")?;
        assert_eq!(types.size("next"), 6);
        Ok(())
    }
}
