//! Terms of a game to the flattened atoms of the published data: `(true (cell 1 2 x))` becomes `true_cell(1, 2, x)`.

use std::fmt;

use racgen_logic::term::Term;

use crate::games::gdl::syntax::Game;

/// A function-free atom; arguments that are compounds themselves stay as they print.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Flat {
    /// The relation.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<String>,
}

impl fmt::Display for Flat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name, self.arguments.join(", "))
    }
}

fn spell(term: &Term) -> String {
    if term.args().is_empty() {
        return term.functor().to_owned();
    }
    let arguments: Vec<String> = term.args().iter().map(spell).collect();
    format!("{}({})", term.functor(), arguments.join(", "))
}

impl Flat {
    /// `relation(first..., term)`, with the term's functor joined to the relation where it is a compound.
    pub fn new(game: &Game, relation: &str, first: &[&Term], term: &Term) -> Flat {
        let mut arguments: Vec<String> = first.iter().map(|t| spell(t)).collect();
        let lone = term.args().is_empty();
        if lone && !game.parenthesised.contains(term.functor().to_lowercase().as_str()) {
            arguments.push(term.functor().to_owned());
            return Flat { name: relation.to_owned(), arguments };
        }
        arguments.extend(term.args().iter().map(spell));
        Flat { name: format!("{relation}_{}", term.functor()), arguments }
    }

    /// An atom of a static relation; what `input` allows is flattened like a move.
    pub fn fixed(game: &Game, atom: &Term) -> Flat {
        match atom.args() {
            [role, action] if atom.functor().eq_ignore_ascii_case("input") => {
                Flat::new(game, atom.functor(), &[role], action)
            }
            arguments => {
                Flat { name: atom.functor().to_owned(), arguments: arguments.iter().map(spell).collect() }
            }
        }
    }

    /// Reads an atom as the published files have it; `None` if it is none.
    ///
    /// ```
    /// use racgen::games::gdl::flatten::Flat;
    /// let atom = Flat::read("next_cell(1, pos(2, 3), x)").unwrap();
    /// assert_eq!(atom.arguments, ["1", "pos(2, 3)", "x"]);
    /// assert_eq!(atom.to_string(), "next_cell(1, pos(2, 3), x)");
    /// assert_eq!(Flat::read("terminal()").unwrap().arguments.len(), 0);
    /// assert!(Flat::read("a(b").is_none());
    /// ```
    pub fn read(text: &str) -> Option<Flat> {
        let (name, rest) = text.trim().split_once('(')?;
        let inner = rest.strip_suffix(')')?;
        let mut arguments = Vec::new();
        let (mut depth, mut start) = (0_i32, 0);
        for (at, c) in inner.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                ',' if depth == 0 => {
                    arguments.push(inner[start..at].trim().to_owned());
                    start = at + 1;
                }
                _ => {}
            }
            if depth < 0 {
                return None;
            }
        }
        if depth != 0 || name.is_empty() {
            return None;
        }
        if !inner.trim().is_empty() {
            arguments.push(inner[start..].trim().to_owned());
        }
        Some(Flat { name: name.to_owned(), arguments })
    }
}
