//! A signature to all atoms that it allows.

use std::sync::Arc;

use racgen_logic::fault::Fault;
use racgen_logic::term::Term;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::signature::{DEEPEST, Declaration, MOST_ATOMS, Types};
use crate::games::gdl::syntax::Game;

impl Types {
    /// All ground atoms that the signature allows for a predicate, in the order of the published data: subtypes
    /// first, then a type's own symbols by their bytes; the first argument of a product varies fastest.
    ///
    /// # Errors
    /// Types without an end, and more atoms than memory should hold.
    pub fn atoms(&self, game: &Game, predicate: &str) -> Result<Vec<Term>, Fault> {
        let mut spread = Spread { types: self, game, known: HashMap::default() };
        let mut found = Vec::new();
        let mut seen = HashSet::default();
        for declaration in &self.declarations {
            if declaration.name.eq_ignore_ascii_case(predicate) && &*declaration.result == "bool" {
                for atom in spread.product(declaration, 0)? {
                    if seen.insert(atom.clone()) {
                        found.push(atom);
                    }
                }
            }
        }
        Ok(found)
    }

    /// The first of these atoms that the signature does not allow.
    pub fn misses<'t>(
        &self,
        game: &Game,
        predicate: &str,
        atoms: &'t [Term],
    ) -> Result<Option<&'t Term>, Fault> {
        let allowed: HashSet<Term> = self.atoms(game, predicate)?.into_iter().collect();
        Ok(atoms.iter().find(|atom| !allowed.contains(*atom)))
    }
}

/// Types to their terms.
struct Spread<'a> {
    types: &'a Types,
    game: &'a Game,
    known: HashMap<Arc<str>, Vec<Term>>,
}

impl Spread<'_> {
    fn of(&mut self, name: &Arc<str>, depth: usize) -> Result<Vec<Term>, Fault> {
        if let Some(known) = self.known.get(name) {
            return Ok(known.clone());
        }
        if depth > DEEPEST {
            return Err(self
                .types
                .fault(format!("the type `{name}` contains itself, so its terms have no end")));
        }
        let mut all = Vec::new();
        for (sub, _) in self.types.below.iter().filter(|(_, sup)| sup == name) {
            all.extend(self.of(sub, depth + 1)?);
        }
        let mut own: Vec<&Declaration> =
            self.types.declarations.iter().filter(|d| d.result == *name).collect();
        own.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
        for declaration in own {
            all.extend(self.product(declaration, depth + 1)?);
        }
        let mut seen = HashSet::default();
        all.retain(|term| seen.insert(term.clone()));
        self.known.insert(name.clone(), all.clone());
        Ok(all)
    }

    fn product(&mut self, declaration: &Declaration, depth: usize) -> Result<Vec<Term>, Fault> {
        let key = (Arc::from(declaration.name.to_lowercase()), declaration.arguments.len());
        if &*declaration.result != "bool"
            && let Some((_, terms)) = self.types.listed.get(&key)
        {
            return Ok(terms.clone());
        }
        let mut lists = Vec::new();
        let mut count = 1_usize;
        for argument in &declaration.arguments {
            let list = self.of(argument, depth + 1)?;
            count = count.saturating_mul(list.len());
            lists.push(list);
        }
        if count > MOST_ATOMS {
            let cause = format!("`{}` has {count} atoms, more than {MOST_ATOMS}", declaration.name);
            return Err(self.types.fault(cause));
        }
        let folded = declaration.name.to_lowercase();
        let name: Arc<str> = self.game.printed.get(folded.as_str()).unwrap_or(&declaration.name).clone();
        let term = |mut rank: usize| {
            let pick = |list: &Vec<Term>| {
                let term = list[rank % list.len()].clone();
                rank /= list.len();
                term
            };
            Term::Function(name.clone(), lists.iter().map(pick).collect())
        };
        Ok((0..count).map(term).collect())
    }
}
