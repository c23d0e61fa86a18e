//! Promise: states of games are drawn, by a view beside the rules or by one that is made; two that differ look different, and all
//! can be read.

use std::collections::BTreeMap;
use std::fs;

use racgen::games::builtin::{own_games, own_view};
use racgen::games::play::ground_game::{GroundGame, Limits};
use racgen::games::views::game_painter::{GamePainter, made_game_view};
use racgen::games::words::acted_game::ActedGame;
use racgen::games::words::phrase_book::GameBook;
use racgen::logic::clingo::Source;
use racgen::logic::seed::stream;
use racgen::logic::term::Term;
use racgen::pictures::arrange::arrange;
use racgen::pictures::style::PictureStyle;
use racgen::simulate::views::painter::Picture;
use rand::seq::IndexedRandom;

use crate::commands::racgen;
use crate::different::told;
use crate::legible::faults;

/// States of matches at random.
fn states(arena: &GroundGame) -> Vec<Vec<Term>> {
    let book = GameBook::generic().unwrap();
    let mut game = ActedGame::new(arena, &book).unwrap();
    let mut found: BTreeMap<Vec<String>, Vec<Term>> = BTreeMap::new();
    for number in 0..3 {
        let mut rng = stream(number, &["states", &arena.game.name]);
        let mut seen = game.begin().unwrap();
        for _ in 0..12 {
            let terms = seen.fluents.iter().map(|fluent| fluent.parse().unwrap()).collect();
            found.insert(seen.fluents.clone(), terms);
            let mut roles: BTreeMap<&String, Vec<&String>> = BTreeMap::new();
            seen.legal.iter().for_each(|legal| roles.entry(&legal.role).or_default().push(&legal.term));
            let chosen: Vec<(String, String)> = roles
                .into_iter()
                .map(|(role, moves)| (role.clone(), (*moves.choose(&mut rng).unwrap()).clone()))
                .collect();
            if seen.terminal || chosen.is_empty() {
                break;
            }
            seen = game.act(&chosen).unwrap();
        }
    }
    found.into_values().collect()
}

#[test]
fn states_of_games_look_different_and_can_be_read() {
    let (mut own, mut compared) = (0, 0);
    for (file, game) in own_games() {
        let arena = GroundGame::new(game.unwrap(), &Limits::default()).unwrap();
        let states = states(&arena);
        compared += states.len();
        let name = file.trim_start_matches("games/").trim_end_matches(".kif").to_owned();
        let beside = own_view(&name).map(|(file, text)| Source::new(file, text));
        own += usize::from(beside.is_some());
        for view in beside.into_iter().chain([made_game_view(&arena, &states)]) {
            let painter = GamePainter::new(&arena, view);
            let mut known: BTreeMap<String, usize> = BTreeMap::new();
            for (number, state) in states.iter().enumerate() {
                let place = format!("{file} by {}", painter.view().name);
                let graph = painter.graph(state).unwrap_or_else(|error| panic!("{place}: {error}"));
                if let Some(other) = known.insert(told(&graph), number) {
                    panic!("{place}: {state:?} and {:?} look alike", states[other]);
                }
                let style = PictureStyle::default();
                let scenes = arrange(std::slice::from_ref(&graph), &style);
                let scene = scenes.unwrap_or_else(|error| panic!("{place}: {error}")).remove(0);
                let wrong = faults(&Picture { graph, scene }, &style);
                assert!(wrong.is_empty(), "{place}: {wrong:#?}");
            }
        }
    }
    assert!(own >= 5 && compared > 150, "{own} views, {compared} states");
}

#[test]
fn games_are_drawn_by_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (code, atoms) = racgen("draw tic_tac_toe --moves 3 --seed 4 --atoms", at);
    assert!(
        code == 0 && atoms.matches(",label,x)").count() == 2 && atoms.matches(",label,o)").count() == 1,
        "{atoms}"
    );
    let (code, view) = racgen("draw breakthrough --made --view", at);
    assert!(code == 0 && view.contains("X = 1..5, Y = 1..5."), "{view}");
    assert_eq!(racgen("draw connect_four --story 5 --out match.png", at).0, 0);
    let png = fs::read(at.join("match.png")).unwrap();
    let place = png.windows(4).position(|name| name == b"acTL").unwrap();
    assert_eq!(u32::from_be_bytes(png[place + 4..place + 8].try_into().unwrap()), 6);
    // A view beside the rules of a game from elsewhere.
    fs::write(at.join("tap.kif"), "(role one)\n(init (on a))\n(legal one wait)\n(<= (next (on a)) (true (on a)))\n(<= terminal (true (on b)))\n(goal one 1)\n").unwrap();
    fs::write(at.join("tap.view.lp"), "node(X) :- holds(on(X)).\n").unwrap();
    let (code, atoms) = racgen("draw tap.kif --atoms", at);
    assert!(code == 0 && atoms == "node(a).\n", "{atoms}");
    fs::write(at.join("tap.view.lp"), "node(X) :- holds(on(X)).\n{ edge((X,X)) } :- node(X).\n").unwrap();
    let (code, said) = racgen("draw tap.kif --atoms", at);
    assert!(code != 0 && said.contains("several pictures"), "{said}");
    let (code, said) = racgen("draw dwr --moves 3 --out x.svg", at);
    assert!(code == 2 && said.contains("--moves is about games"), "{said}");
}
