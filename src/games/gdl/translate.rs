//! A game's clauses to an answer-set program in the shared vocabulary: `true` as `holds`, `does` as `occ`, `legal` as
//! `executable`.
//!
//! GDL's symbols are not all names for clingo. Those that are stay as they are; the others are numbered. The game's
//! own predicates get a prefix, so that none collides with the shared vocabulary.

use std::fmt::Write;
use std::sync::Arc;

use racgen_logic::clingo::{Program, Source};
use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use crate::games::gdl::decompose::decompose;
use crate::games::gdl::strata::Strata;
use crate::games::gdl::syntax::{Clause, Game, GdlAtom, GdlLiteral, GdlPattern, Signature};

/// What every game's program of one step, grounded once, has besides the game's rules: any reachable fluent may hold,
/// any move that may be legal may be made. Grounding it yields the fluents and moves that the game can reach with
/// its negative conditions left open.
const OPEN: &str = "\
{ holds(F) } :- init(F).
{ holds(F) } :- next(F).
{ occ(R,A) } :- executable(R,A).
";

/// A game as an answer-set program, and the way back from clingo's terms to the game's.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The game's rules.
    rules: Arc<str>,
    /// The same, with clauses of many variables decomposed.
    parts: Arc<str>,
    file: String,
    /// Folded symbol to the name for clingo.
    names: HashMap<Arc<str>, String>,
    /// The name for clingo to the symbol as it is printed.
    symbols: HashMap<String, Arc<str>>,
    /// Static predicates with the names they have for clingo.
    statics: Vec<(Signature, String)>,
    /// Helper predicates that change with the state, with the names they have for clingo.
    derived: Vec<(Signature, String)>,
}

/// Predicates of the shared vocabulary that a grounding is asked for, with their numbers of arguments.
pub const SHOWN: [(&str, usize); 8] = [
    ("holds", 1),
    ("occ", 2),
    ("executable", 2),
    ("next", 1),
    ("goal", 2),
    ("terminal", 0),
    ("init", 1),
    ("role", 1),
];

/// Name of a predicate for clingo.
fn shared(predicate: &str) -> Option<&'static str> {
    Some(match predicate {
        "true" => "holds",
        "does" => "occ",
        "legal" => "executable",
        "next" => "next",
        "goal" => "goal",
        "terminal" => "terminal",
        "init" => "init",
        "role" => "role",
        _ => return None,
    })
}

fn is_name(symbol: &str) -> bool {
    let body = symbol.trim_start_matches('_');
    body.starts_with(|c: char| c.is_ascii_lowercase())
        && body.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && symbol != "not"
}

fn is_number(symbol: &str) -> bool {
    symbol.parse::<i32>().is_ok_and(|n| n.to_string() == symbol)
}

impl Translation {
    /// Translates a game.
    pub fn new(game: &Game, strata: &Strata) -> Translation {
        let mut symbols: Vec<&Arc<str>> = game.printed.keys().collect();
        symbols.sort();
        let mut names = HashMap::default();
        let mut back = HashMap::default();
        for (number, symbol) in symbols.into_iter().enumerate() {
            let name = if is_name(symbol) || is_number(symbol) {
                symbol.to_string()
            } else {
                // No name of the game's own has a prime.
                format!("s{number}'")
            };
            back.insert(name.clone(), game.printed[symbol].clone());
            names.insert(symbol.clone(), name);
        }
        let mut translation = Translation {
            rules: "".into(),
            parts: "".into(),
            file: game.file.clone(),
            names,
            symbols: back,
            statics: Vec::new(),
            derived: Vec::new(),
        };
        let used_base =
            game.clauses.iter().any(|c| c.body.iter().any(|l| l.atom().is_some_and(|a| a.is("base"))));
        let (mut text, mut parts, mut count) = (String::new(), String::new(), 0);
        for clause in game.clauses.iter().filter(|c| used_base || !c.head.is("base")) {
            translation.clause(clause, &mut text);
            for part in decompose(clause, &mut count) {
                translation.clause(&part, &mut parts);
            }
        }
        let mut defined: Vec<Signature> = Vec::new();
        for clause in &game.clauses {
            let atoms = clause.body.iter().filter_map(GdlLiteral::atom);
            defined.extend(atoms.chain([&clause.head]).map(GdlAtom::signature));
        }
        defined.extend([("init".into(), 1), ("next".into(), 1), ("legal".into(), 2)]);
        defined.sort();
        defined.dedup();
        for signature in defined {
            let line = format!("#defined {}/{}.\n", translation.predicate(&signature.0), signature.1);
            text += &line;
            parts += &line;
        }
        translation.rules = text.into();
        translation.parts = parts.into();
        let derived = strata.derived(game);
        translation.derived = derived.into_iter().map(|s| (s.clone(), translation.predicate(&s.0))).collect();
        let statics = strata.printed_statics(game);
        translation.statics = statics.into_iter().map(|s| (s.clone(), translation.predicate(&s.0))).collect();
        translation
    }

    fn predicate(&self, predicate: &str) -> String {
        match shared(predicate) {
            Some(name) => name.into(),
            None => {
                let name = self.names.get(predicate).map_or(predicate, |n| n);
                format!("game_{}", name.replace('-', "minus_"))
            }
        }
    }

    fn clause(&self, clause: &Clause, text: &mut String) {
        self.atom(&clause.head, text);
        for (index, literal) in clause.body.iter().enumerate() {
            text.push_str(if index == 0 { " :- " } else { ", " });
            match literal {
                GdlLiteral::Is(atom) => self.atom(atom, text),
                GdlLiteral::Not(atom) => {
                    text.push_str("not ");
                    self.atom(atom, text);
                }
                GdlLiteral::Distinct(a, b, _) | GdlLiteral::Same(a, b, _) => {
                    self.term(a, text);
                    text.push_str(if matches!(literal, GdlLiteral::Same(..)) { " = " } else { " != " });
                    self.term(b, text);
                }
            }
        }
        text.push_str(".\n");
    }

    fn atom(&self, atom: &GdlAtom, text: &mut String) {
        text.push_str(&self.predicate(&atom.predicate));
        self.arguments(&atom.arguments, text);
    }

    fn arguments(&self, arguments: &[GdlPattern], text: &mut String) {
        for (index, argument) in arguments.iter().enumerate() {
            text.push(if index == 0 { '(' } else { ',' });
            self.term(argument, text);
        }
        if !arguments.is_empty() {
            text.push(')');
        }
    }

    fn term(&self, term: &GdlPattern, text: &mut String) {
        match term {
            GdlPattern::Variable(number) => {
                let _ = write!(text, "V{number}");
            }
            GdlPattern::Function(name, arguments) => {
                let known = self.names.get(name).map_or("", |n| n);
                // A number cannot be a functor.
                if !arguments.is_empty() && is_number(known) {
                    let _ = write!(text, "f{}'", known.replace('-', "minus_"));
                } else {
                    text.push_str(known);
                }
                self.arguments(arguments, text);
            }
        }
    }

    /// The program to ground once: all that can be reached, with the state and the moves open.
    pub fn once(&self) -> Program {
        let name = format!("{} as a logic program", self.file);
        Program {
            sources: vec![Source::new(name, self.parts.clone()), Source::new("open.lp", OPEN)],
            ..Program::default()
        }
    }

    /// The program of one step: the game's rules as they stand, a state and moves, all given in the game's own terms.
    pub fn step<'t>(
        &self,
        state: impl Iterator<Item = &'t Term>,
        moves: impl Iterator<Item = (&'t Term, &'t Term)>,
    ) -> Program {
        let printed: HashMap<&str, &str> = self.symbols.iter().map(|(n, s)| (&**s, n.as_str())).collect();
        fn write_term(term: &Term, printed: &HashMap<&str, &str>, text: &mut String) {
            let name = printed.get(term.functor()).copied().unwrap_or_default();
            if !term.args().is_empty() && is_number(name) {
                let _ = write!(text, "f{}'", name.replace('-', "minus_"));
            } else {
                text.push_str(name);
            }
            for (index, argument) in term.args().iter().enumerate() {
                text.push(if index == 0 { '(' } else { ',' });
                write_term(argument, printed, text);
            }
            if !term.args().is_empty() {
                text.push(')');
            }
        }
        let mut text = String::new();
        for fluent in state {
            text.push_str("holds(");
            write_term(fluent, &printed, &mut text);
            text.push_str(").\n");
        }
        for (role, action) in moves {
            text.push_str("occ(");
            write_term(role, &printed, &mut text);
            text.push(',');
            write_term(action, &printed, &mut text);
            text.push_str(").\n");
        }
        text.push_str("#defined holds/1.\n#defined occ/2.\n");
        let name = format!("{} as a logic program", self.file);
        Program {
            sources: vec![Source::new(name, self.rules.clone()), Source::new("state.lp", text)],
            ..Program::default()
        }
    }

    /// All predicates to ask a grounding for: the shared ones and the static ones.
    pub fn shown(&self) -> Vec<(&str, usize)> {
        let statics = self.statics.iter().map(|((_, arity), name)| (name.as_str(), *arity));
        let mut all: Vec<(&str, usize)> = SHOWN.into_iter().chain(statics).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// As [`Translation::shown`], with the helpers that change with the state.
    pub fn shown_with_derived(&self) -> Vec<(&str, usize)> {
        let derived = self.derived.iter().map(|((_, arity), name)| (name.as_str(), *arity));
        self.shown().into_iter().chain(derived).collect()
    }

    /// Helper predicates that change with the state, with the names they have for clingo.
    pub fn derived(&self) -> &[(Signature, String)] {
        &self.derived
    }

    /// Static predicates, with the names they have for clingo.
    pub fn statics(&self) -> &[(Signature, String)] {
        &self.statics
    }

    /// A term of clingo's in the game's own symbols; constants and numbers become functions without arguments.
    pub fn back(&self, term: &Term) -> Term {
        match term {
            Term::Number(number) => {
                let text = number.to_string();
                let symbol = self.symbols.get(&text).cloned().unwrap_or_else(|| text.as_str().into());
                Term::Function(symbol, Arc::new([]))
            }
            Term::Function(name, arguments) => {
                let plain = match name.strip_prefix('f').and_then(|n| n.strip_suffix('\'')) {
                    Some(number) if !arguments.is_empty() => number.replace("minus_", "-"),
                    _ => name.to_string(),
                };
                let symbol = self.symbols.get(&plain).cloned().unwrap_or_else(|| plain.as_str().into());
                Term::Function(symbol, arguments.iter().map(|a| self.back(a)).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_symbols_come_back() -> Result<(), Box<dyn std::error::Error>> {
        let text = "(role ++) (init (1 A-b)) (init not) (holds x)\n\
                    (<= (legal ?r (- ?x)) (role ?r) (true (1 ?x)) (distinct ?x 007))\n\
                    (<= (next ?f) (true ?f) (not (holds y)))";
        let game = Game::read(text, "odd.kif")?;
        let translation = Translation::new(&game, &Strata::new(&game));
        let ground = translation.once().ground(&translation.shown())?;
        let mut fluents: Vec<String> =
            ground.predicate("holds", 1).map(|(t, _)| translation.back(&t.args()[0]).to_string()).collect();
        fluents.sort();
        assert_eq!(fluents, ["1(A-b)", "not"]);
        let legal: Vec<String> = ground
            .predicate("executable", 2)
            .map(|(t, _)| translation.back(&t.args()[1]).to_string())
            .collect();
        assert_eq!(legal, ["-(A-b)"]);
        Ok(())
    }
}
