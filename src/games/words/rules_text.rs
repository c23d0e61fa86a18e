//! A game's rules to flat sentences: `(<= (legal ?p (mark ?c ?r)) (true (turn ?p)) ...)` becomes "If turn(?p) holds, ...,
//! then ?p can do mark(?c,?r)."

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;

use crate::games::gdl::syntax::{Clause, Game, GdlAtom, GdlLiteral, GdlPattern};
use crate::games::play::ground_game::GroundGame;
use crate::games::words::phrase_book::GameBook;
use crate::language::words::text::{SEPARATOR, conjoined};

/// The rules as sentences, each in a random phrasing: players, what always follows, and a sentence a clause.
pub(crate) fn verbal(arena: &GroundGame, book: &GameBook, rng: &mut ChaCha8Rng) -> Vec<String> {
    let game = &arena.game;
    let words = Words { game, book };
    let roles = arena.roles.iter().map(Term::to_string).collect::<Vec<_>>().join(SEPARATOR);
    let mut sentences = vec![book.sentence("players", &[roles], rng), book.sentence("lead", &[], rng)];
    let (facts, rules) = told_clauses(game);
    if !facts.is_empty() {
        let list: Vec<String> = facts.iter().map(|c| words.atom(&c.head, c)).collect();
        sentences.push(book.sentence("given", &[list.join(SEPARATOR)], rng));
    }
    for clause in rules {
        let head = words.part(&clause.head, true, clause);
        if clause.body.is_empty() {
            sentences.push(book.sentence("always", &[head], rng));
            continue;
        }
        let body: Vec<String> = clause.body.iter().map(|l| words.literal(l, clause)).collect();
        sentences.push(book.sentence("rule", &[head, conjoined(&body)], rng));
    }
    sentences
}

/// The clauses that are told: those that always follow, in a list, and those that have a sentence each.
pub(crate) fn told_clauses(game: &Game) -> (Vec<&Clause>, Vec<&Clause>) {
    let told = |clause: &&Clause| !matches!(&*clause.head.predicate, "init" | "base" | "input" | "role");
    let listed = |clause: &&Clause| clause.body.is_empty() && part_of(&clause.head) == ("helper", false);
    game.clauses.iter().filter(told).partition(listed)
}

/// How a clause of the game is put together.
struct Words<'a> {
    game: &'a Game,
    book: &'a GameBook,
}

/// The phrase of an atom's predicate; are its arguments told one by one?
pub(crate) fn part_of(atom: &GdlAtom) -> (&str, bool) {
    match (&*atom.predicate, atom.arguments.len()) {
        (name @ ("true" | "next"), 1) => (name, true),
        (name @ ("does" | "legal" | "goal"), 2) => (name, true),
        (name @ "role", 1) => (name, true),
        (name @ "terminal", 0) => (name, true),
        _ => ("helper", false),
    }
}

impl Words<'_> {
    fn term(&self, term: &GdlPattern, clause: &Clause) -> String {
        match term {
            GdlPattern::Variable(number) => format!("?{}", clause.variables[*number as usize]),
            GdlPattern::Function(name, arguments) => self.flat(name, arguments, clause),
        }
    }

    fn flat(&self, name: &str, arguments: &[GdlPattern], clause: &Clause) -> String {
        let name = self.game.print(name);
        if arguments.is_empty() {
            return name.to_owned();
        }
        let arguments: Vec<String> = arguments.iter().map(|a| self.term(a, clause)).collect();
        format!("{name}({})", arguments.join(","))
    }

    fn atom(&self, atom: &GdlAtom, clause: &Clause) -> String {
        self.flat(&atom.predicate, &atom.arguments, clause)
    }

    fn part(&self, atom: &GdlAtom, positive: bool, clause: &Clause) -> String {
        let (name, apart) = part_of(atom);
        let parts: Vec<String> = match apart {
            true => atom.arguments.iter().map(|a| self.term(a, clause)).collect(),
            false => vec![self.atom(atom, clause)],
        };
        let name = if positive { name.to_owned() } else { format!("not_{name}") };
        self.book.part(&name, &parts)
    }

    fn literal(&self, literal: &GdlLiteral, clause: &Clause) -> String {
        match literal {
            GdlLiteral::Is(atom) => self.part(atom, true, clause),
            GdlLiteral::Not(atom) => self.part(atom, false, clause),
            GdlLiteral::Distinct(a, b, _) => {
                self.book.part("distinct", &[self.term(a, clause), self.term(b, clause)])
            }
            GdlLiteral::Same(a, b, _) => {
                self.book.part("same", &[self.term(a, clause), self.term(b, clause)])
            }
        }
    }
}
