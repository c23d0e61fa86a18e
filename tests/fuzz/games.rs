//! Games, their types, tasks, phrases and the programs that solve them.

use std::fmt::Write;

use racgen::games::gdl::flatten::Flat;
use racgen::games::gdl::syntax::{Clause, Game, GdlAtom, GdlLiteral, GdlPattern};
use racgen::games::gdl::validate::check;
use racgen::games::learned::clauses::statements;
use racgen::games::learned::log::program_of_log;
use racgen::games::learned::respell::to_asp;
use racgen::games::learned::score::score_predictions;
use racgen::games::play::types::Types;
use racgen::games::tasks::dat::Dat;
use racgen::games::words::phrase_book::GameBook;

use crate::document::Documents;
use crate::files;
use crate::target::fuzz;

const GDL: &[&str] = &[
    "(<= ",
    "(or ",
    "(and ",
    "(not ",
    "(distinct ",
    "(true ",
    "(does ",
    "(init ",
    "(next ",
    "(legal ",
    "(goal ",
    "(role ",
    "(base ",
    "(input ",
    "terminal",
    "?x",
    "?X",
    "?",
    "a",
    "A",
    "(f a)",
    "()",
    "; note\n",
    "100",
    "(p)",
];

fn pattern(game: &Game, clause: &Clause, pattern: &GdlPattern, out: &mut String) {
    match pattern {
        GdlPattern::Variable(number) => _ = write!(out, " ?{}", clause.variables[*number as usize]),
        GdlPattern::Function(name, arguments) if arguments.is_empty() => {
            _ = write!(out, " {}", game.print(name))
        }
        GdlPattern::Function(name, arguments) => {
            _ = write!(out, " ({}", game.print(name));
            arguments.iter().for_each(|argument| self::pattern(game, clause, argument, out));
            out.push(')');
        }
    }
}

fn atom(game: &Game, clause: &Clause, atom: &GdlAtom, out: &mut String) {
    _ = write!(out, " ({}", game.print(&atom.predicate));
    atom.arguments.iter().for_each(|argument| pattern(game, clause, argument, out));
    out.push(')');
}

fn literal(game: &Game, clause: &Clause, literal: &GdlLiteral, out: &mut String) {
    let mut differ = |sign: &str, a: &GdlPattern, b: &GdlPattern, end: &str| {
        _ = write!(out, " {sign}distinct");
        [a, b].iter().for_each(|side| pattern(game, clause, side, out));
        out.push_str(end);
    };
    match literal {
        GdlLiteral::Distinct(a, b, _) => differ("(", a, b, ")"),
        GdlLiteral::Same(a, b, _) => differ("(not (", a, b, "))"),
        GdlLiteral::Is(of) => atom(game, clause, of, out),
        GdlLiteral::Not(of) => {
            out.push_str(" (not");
            atom(game, clause, of, out);
            out.push(')');
        }
    }
}

/// The clauses in GDL.
fn kif(game: &Game) -> String {
    let mut out = String::new();
    for clause in &game.clauses {
        out.push_str("(<=");
        atom(game, clause, &clause.head, &mut out);
        clause.body.iter().for_each(|of| literal(game, clause, of, &mut out));
        out.push_str(")\n");
    }
    out
}

#[test]
fn gdl() {
    fuzz(bolero::check!(), "gdl", Documents::new(files("games", ".kif"), GDL), |text| {
        let Ok(game) = Game::read(text, "game.kif") else { return false };
        let printed = kif(&game);
        let again = Game::read(&printed, "game.kif").unwrap_or_else(|fault| panic!("{printed}{fault}"));
        assert_eq!(again.clauses.len(), game.clauses.len());
        assert_eq!(kif(&again), printed);
        let verdict = check(&game);
        assert_eq!((verdict.rules, verdict.literals), (game.rules, game.literals));
        true
    });
}

const TASK: &str = "atoms:\n\tnext_cell(1, 1, x)\n\tnext_cell(1, pos(2, 3), o)\n\tterminal()\n\n---\n\nstatics:\n\tsucc(1, 2)\n\n---\n\nbackground:\n\ttrue_cell(1, 1, b)\n\tdoes_mark(x, 1, 1)\n\n---\n\npositives:\n\tnext_cell(1, 1, x)\n\n---\n\nbackground:\n\ttrue_cell(1, 1, x)\n\n---\n\npositives:\n\n---\n\n";
const DAT: &[&str] = &[
    "atoms:\n",
    "statics:\n",
    "background:\n",
    "positives:\n",
    "\t",
    "---\n",
    "a()",
    "\ta(b, c)\n",
    ", ",
    "\r\n",
    "(",
];

fn written(dat: &Dat) -> String {
    let mut bytes = Vec::new();
    dat.write(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn dat() {
    fuzz(bolero::check!(), "dat", Documents::new([TASK], DAT), |text| {
        let Ok(dat) = Dat::read(text, "task.dat") else { return false };
        let printed = written(&dat);
        assert_eq!(Dat::read(&printed, "task.dat"), Ok(dat), "{printed}");
        true
    });
}

#[test]
fn flat_atoms() {
    let seeds = ["next_cell(1, pos(2, 3), x)", "terminal()", " p( a,b(c,d(e)) ) "];
    fuzz(bolero::check!(), "flat_atoms", Documents::new(seeds, DAT), |text| {
        let Some(atom) = Flat::read(text) else { return false };
        assert_eq!(Flat::read(&atom.to_string()), Some(atom.clone()), "{atom}");
        true
    });
}

const SIGNATURES: &[&str] = &[
    "true :: prop -> bool.\nat :: pos -> prop. 1, 2 :: pos.\nx :: mark. mark :> thing. blank :: thing. % done\n",
    "next :: fluent -> bool.\ncell :: int -> int -> mark -> fluent.\n\n1, 2, 3 :: int.\n\nint :> number.\n",
    "legal::agent->action->bool.\nmark :: int->int->action.x,o::agent.1,2::int.",
];
const SIGNS: &[&str] =
    &["::", ":>", "->", ",", ".", "%", " ", "bool", "int", "mark", "next", "a", "a:b", "-", ">", ":"];

#[test]
fn types() {
    let game = Game::read(&files("games", "tic_tac_toe.kif")[0], "tic_tac_toe.kif").unwrap();
    fuzz(bolero::check!(), "types", Documents::new(SIGNATURES.iter().copied(), SIGNS), |text| {
        let Ok(types) = Types::read(text, "game.typ") else { return false };
        let printed = types.to_string();
        let again = Types::read(&printed, "game.typ").unwrap_or_else(|fault| panic!("{printed}{fault}"));
        assert_eq!(again.to_string(), printed);
        assert_eq!(again.declarations.len(), types.declarations.len(), "{printed}");
        assert_eq!(again.below, types.below, "{printed}");
        for predicate in ["next", "legal", "true"] {
            _ = types.atoms(&game, predicate);
        }
        true
    });
}

#[test]
fn game_phrases() {
    let game = Game::read(&files("games", "tic_tac_toe.kif")[0], "tic_tac_toe.kif").unwrap();
    let documents = Documents::new(files("games", ".phrases.toml"), crate::phrases::TOKENS);
    fuzz(bolero::check!(), "game_phrases", documents, |text| {
        GameBook::of(&game, Some(("book.toml", text))).is_ok()
    });
}

#[test]
fn predictions() {
    let dat = Dat::read(TASK, "task.dat").unwrap();
    let seeds =
        ["next_cell(1, 1, x)\n\n", "next_cell(1, 1, x); terminal() next_cell(1, pos(2, 3), o)\nterminal\n"];
    fuzz(bolero::check!(), "predictions", Documents::new(seeds, DAT), |text| {
        score_predictions(text, "p.txt", &dat).is_ok()
    });
}

#[test]
fn programs() {
    let seeds = [
        ":- dynamic p/1.\nq(X) :- r(X), \\+ p(X), X \\== 'a b'.\n",
        ":- use_module(library(lists)).\n  :- table p/1, q/2.\np(X) :- q(X,Y), X \\= Y, Y == a.\n",
        "12:00:00 Generating\n***** SOLUTION *****\nPrecision:1.00\np(A):- q(A,_),not_r(A).\n*****\n",
        "[theory]\n\n[Rule 1] [Pos cover = 1]\np(A) :-\n   q(A,'B c'), \\+ (r(A)). % so\n[Training set]\n",
    ];
    let tokens = &[
        ":- dynamic ",
        ":- table ",
        ":-",
        "\\+",
        "\\==",
        "\\=",
        "==",
        "not  ",
        "'",
        "/1",
        ",",
        ".",
        "(",
        ")",
        "%",
        "/*",
        "*****",
    ];
    fuzz(bolero::check!(), "programs", Documents::new(seeds, tokens), |text| {
        assert_eq!(to_asp(text).lines().count(), text.lines().count());
        let program = program_of_log(text);
        assert_eq!(program.lines().count(), text.lines().count());
        // Statements follow each other, each on the line told.
        let mut end = 0;
        for placed in statements(&program) {
            assert!(placed.bytes.start >= end && placed.bytes.end <= program.len());
            assert_eq!(placed.line, 1 + program[..placed.bytes.start].matches('\n').count());
            end = placed.bytes.end;
        }
        true
    });
}
