//! Terms as clingo calls them to the terms of a game.

use std::sync::Arc;

use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use crate::audit::reread::verdict::{Finding, broken};
use crate::games::gdl::syntax::Game;
use crate::games::tasks::reference::{functions, plain};

/// The way back from clingo's names to the game's.
#[derive(Default)]
pub(crate) struct GameWords {
    /// Symbols as the game prints them; none where two have one name.
    pub(crate) symbols: HashMap<String, Option<Arc<str>>>,
    /// Functions by the relations that they are joined to.
    relations: HashMap<(String, usize), Option<Arc<str>>>,
}

impl GameWords {
    /// The names of a game.
    pub(crate) fn new(game: &Game) -> GameWords {
        let mut words = GameWords::default();
        for symbol in game.printed.values() {
            let known = words.symbols.entry(plain(symbol)).or_insert_with(|| Some(symbol.clone()));
            if known.as_ref() != Some(symbol) {
                *known = None;
            }
        }
        for (functions, (relation, more)) in functions(game).iter().zip([("next", 0), ("legal", 1)]) {
            for (name, arity) in functions {
                let printed: Arc<str> = game.print(name).into();
                let key = (plain(&format!("{relation}_{printed}")), arity + more);
                let known = words.relations.entry(key).or_insert_with(|| Some(printed.clone()));
                if known.as_ref() != Some(&printed) {
                    *known = None;
                }
            }
        }
        words
    }

    /// A term of clingo's in the game's symbols.
    pub(crate) fn term(&self, term: &Term) -> Result<Term, Finding> {
        let name = match term {
            Term::Number(number) => number.to_string(),
            Term::Function(name, _) => name.to_string(),
        };
        match self.symbols.get(&name) {
            Some(Some(symbol)) => {
                let arguments = term.args().iter().map(|argument| self.term(argument));
                Ok(Term::function(symbol, arguments.collect::<Result<_, _>>()?))
            }
            Some(None) => Err(broken(format!("two symbols of the game are called `{name}` by clingo"))),
            None => Err(broken(format!("`{name}` is no symbol of the game"))),
        }
    }

    /// The fluent or move of an atom of a relation, after `more` arguments; none if it is another atom.
    pub(crate) fn joined(&self, atom: &Term, relation: &str, more: usize) -> Result<Option<Term>, Finding> {
        let arguments = atom.args();
        if atom.is(relation, more + 1) {
            return self.term(&arguments[more]).map(Some);
        }
        match self.relations.get(&(atom.functor().to_owned(), arguments.len())) {
            Some(Some(function)) if atom.functor().starts_with(relation) => {
                let inner = arguments[more..].iter().map(|argument| self.term(argument));
                Ok(Some(Term::function(function, inner.collect::<Result<_, _>>()?)))
            }
            Some(None) => {
                Err(broken(format!("two functions of the game are joined in `{}`", atom.functor())))
            }
            _ => Ok(None),
        }
    }
}
