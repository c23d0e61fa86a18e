//! Names of a game's phrase book to the terms that they stand for.

use racgen_logic::term::Term;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::games::gdl::syntax::Game;
use crate::games::words::flat_terms::{flat_term, product};
use crate::games::words::phrase_book::GameBook;
use crate::language::read::forms::Forms;
use crate::language::words::text::{capital, listed, small};

/// Breaks within a sentence where names may end with a full stop.
const DOTTED: usize = 40;

/// The names of a phrase book, turned round.
pub(crate) struct BookNames {
    /// The book.
    pub(crate) book: GameBook,
    /// The game's symbols, as it prints them.
    symbols: HashSet<String>,
    /// Constants by the names of the book, as they stand and with a capital.
    names: HashMap<String, Vec<Term>>,
    /// Compounds that the book names, by their places among its terms.
    compounds: Forms<usize>,
    /// Breaks that the names in a sentence may have.
    pub(crate) breaks: usize,
}

impl BookNames {
    /// Turns the names of a book round, for a game with these symbols.
    pub(crate) fn new(game: &Game, book: GameBook) -> BookNames {
        let symbols: HashSet<String> = game.printed.values().map(|symbol| symbol.to_string()).collect();
        let mut dotted = symbols.iter().any(|symbol| symbol.contains('.'));
        let mut names: HashMap<String, Vec<Term>> = HashMap::default();
        let mut compounds = Forms::default();
        for (number, (pattern, phrasing)) in book.own.iter().flat_map(|own| &own.terms).enumerate() {
            let text = listed(phrasing, "");
            dotted |= text.contains('.');
            if !pattern.places.is_empty() {
                compounds.add(number, phrasing);
                continue;
            }
            // The first of several names is the one that is used.
            let term = Term::constant(&pattern.functor);
            if book.name(&term) == text {
                names.entry(text).or_default().push(term);
            }
        }
        BookNames { symbols, names, compounds, breaks: if dotted { DOTTED } else { 0 }, book }
    }

    /// The terms that a name may stand for; at the start of a sentence it may have a capital.
    pub(crate) fn terms(&self, text: &str) -> Vec<Term> {
        let mut found = self.names.get(text).cloned().unwrap_or_default();
        let terms = self.book.own.iter().flat_map(|own| &own.terms).collect::<Vec<_>>();
        for (number, slots) in self.compounds.read(text) {
            let inner: Vec<Vec<Term>> = slots.iter().map(|slot| self.terms(slot)).collect();
            let functor = &terms[number].0.functor;
            found.extend(product(&inner).into_iter().map(|arguments| Term::function(functor, arguments)));
        }
        found.extend(flat_term(text));
        found.retain(|term| self.known(term) && self.book.name(term) == text);
        found.dedup();
        if found.is_empty() && text.starts_with(char::is_uppercase) {
            let named = self.names.iter().filter(|(name, _)| capital(name) == text);
            found.extend(named.flat_map(|(_, terms)| terms.iter().cloned()));
            let flat = flat_term(&small(text));
            found.extend(flat.filter(|t| self.known(t) && capital(&self.book.name(t)) == text));
        }
        found
    }

    /// Is it made of the game's symbols?
    fn known(&self, term: &Term) -> bool {
        self.symbols.contains(term.functor()) && term.args().iter().all(|argument| self.known(argument))
    }
}
