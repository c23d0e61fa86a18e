//! The rules of a game: clauses of the Game Description Language, each with one head and a list of literals.

use std::fmt;
use std::sync::Arc;

use racgen_logic::expressions::{TextPlace, fault_at};
use racgen_logic::fault::Fault;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// A term with variables. Names are folded to small letters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GdlPattern {
    /// A variable, by its number in the rule.
    Variable(u32),
    /// A function with zero or more arguments.
    Function(Arc<str>, Vec<GdlPattern>),
}

impl GdlPattern {
    /// Calls `visit` on each variable.
    pub fn variables(&self, visit: &mut impl FnMut(u32)) {
        match self {
            GdlPattern::Variable(number) => visit(*number),
            GdlPattern::Function(_, arguments) => arguments.iter().for_each(|a| a.variables(visit)),
        }
    }

    /// Has the term no variables?
    pub fn is_ground(&self) -> bool {
        let mut ground = true;
        self.variables(&mut |_| ground = false);
        ground
    }
}

/// A predicate and its arguments.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct GdlAtom {
    /// The predicate, folded.
    pub predicate: Arc<str>,
    /// Its arguments.
    pub arguments: Vec<GdlPattern>,
    /// Where it stands.
    pub place: TextPlace,
}

// As for places: world keys are made of this form.
impl fmt::Debug for GdlAtom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = f.debug_struct("Atom");
        told.field("predicate", &self.predicate).field("arguments", &self.arguments);
        told.field("place", &self.place).finish()
    }
}

impl GdlAtom {
    /// Name and number of arguments.
    pub fn signature(&self) -> Signature {
        (self.predicate.clone(), self.arguments.len())
    }

    /// Is it this predicate?
    pub fn is(&self, predicate: &str) -> bool {
        &*self.predicate == predicate
    }

    /// Calls `visit` on each variable.
    pub fn variables(&self, visit: &mut impl FnMut(u32)) {
        self.arguments.iter().for_each(|a| a.variables(visit));
    }
}

/// A predicate's name and number of arguments.
pub type Signature = (Arc<str>, usize);

/// One condition of a clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GdlLiteral {
    /// The atom is true.
    Is(GdlAtom),
    /// The atom is false.
    Not(GdlAtom),
    /// The terms differ.
    Distinct(GdlPattern, GdlPattern, TextPlace),
    /// The terms are equal: a negated `distinct`.
    Same(GdlPattern, GdlPattern, TextPlace),
}

impl GdlLiteral {
    /// The atom, if it is about one.
    pub fn atom(&self) -> Option<&GdlAtom> {
        match self {
            GdlLiteral::Is(atom) | GdlLiteral::Not(atom) => Some(atom),
            _ => None,
        }
    }

    /// Calls `visit` on each variable.
    pub fn variables(&self, visit: &mut impl FnMut(u32)) {
        match self {
            GdlLiteral::Is(atom) | GdlLiteral::Not(atom) => atom.variables(visit),
            GdlLiteral::Distinct(a, b, _) | GdlLiteral::Same(a, b, _) => {
                a.variables(visit);
                b.variables(visit);
            }
        }
    }
}

/// A head and the conjunction of conditions that it follows from. A fact has none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Clause {
    /// What follows.
    pub head: GdlAtom,
    /// From what.
    pub body: Vec<GdlLiteral>,
    /// The names of its variables, without the question mark.
    pub variables: Vec<Arc<str>>,
}

/// The rules of one game.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// The name, from the file's name.
    pub name: String,
    /// The file, as the user called it.
    pub file: String,
    /// All clauses in the order of the text.
    pub clauses: Vec<Clause>,
    /// Number of rules, written with `<=`, in the text.
    pub rules: usize,
    /// Number of literals of these rules, heads included.
    pub literals: usize,
    /// How each folded symbol is printed.
    pub printed: HashMap<Arc<str>, Arc<str>>,
    /// Constants that stand in parentheses of their own somewhere, as `(gameOver)`.
    pub parenthesised: HashSet<Arc<str>>,
}

impl Game {
    /// A fault of this game.
    pub fn fault(&self, place: TextPlace, cause: impl fmt::Display, remedy: impl fmt::Display) -> Fault {
        fault_at(&self.file, place, cause, remedy)
    }

    /// How a folded symbol is printed.
    pub fn print<'a>(&'a self, symbol: &'a str) -> &'a str {
        self.printed.get(symbol).map_or(symbol, |s| s)
    }
}
