//! Promise: the games that come with racgen play known lines to known results.

use racgen::games::builtin::{listing, own_games};
use racgen::games::gdl::validate::check;
use racgen::games::play::dimensions::dimensions;
use racgen::games::play::ground_game::{GroundGame, Limits};
use racgen::games::play::traces::{Playing, play};
use racgen::games::play::types::Types;
use racgen::games::tasks::triples::{TaskSettings, tasks};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn arena(name: &str) -> Result<GroundGame, Box<dyn std::error::Error>> {
    let (_, game) = own_games()
        .into_iter()
        .find(|(file, _)| *file == format!("games/{name}.kif"))
        .ok_or_else(|| format!("there is no game {name}"))?;
    Ok(GroundGame::new(game?, &Limits::default())?)
}

/// Plays a line: each step names moves as `role:move`; who is not named has one legal move only. Returns the goals as
/// `role:value`, and whether the end was reached with the last move.
fn line(name: &str, steps: &[String]) -> Result<(Vec<String>, bool), Box<dyn std::error::Error>> {
    let arena = arena(name)?;
    let whole = arena.whole.as_ref().ok_or("not grounded as a whole")?;
    let mut board = whole.board();
    for step in steps {
        assert!(!board.terminal(), "{name} ended before {step}");
        let named: Vec<(&str, &str)> = step.split(' ').filter_map(|m| m.split_once(':')).collect();
        let legal = board.legal();
        let mut moves = Vec::new();
        for (number, role) in arena.roles.iter().enumerate() {
            let own: Vec<u32> =
                legal.iter().copied().filter(|m| whole.moves[*m as usize].0 as usize == number).collect();
            let made = match named.iter().find(|(r, _)| *r == role.to_string()) {
                Some((_, action)) => {
                    own.iter().find(|m| whole.moves[**m as usize].1.to_string() == *action).copied()
                }
                None if own.len() == 1 => Some(own[0]),
                None => None,
            };
            moves.push(made.ok_or_else(|| format!("{name}: {role} cannot do {step}"))?);
        }
        board.advance(&moves);
    }
    let goals = board.goals().into_iter().map(|g| &whole.goals[g as usize]);
    let goals = goals.map(|(r, v)| format!("{}:{v}", arena.roles[*r as usize])).collect();
    Ok((goals, board.terminal()))
}

fn ends(name: &str, steps: &[&str], goals: &[&str]) -> Outcome {
    let steps: Vec<String> = steps.iter().map(|s| (*s).to_owned()).collect();
    assert_eq!(line(name, &steps)?, (goals.iter().map(|g| (*g).to_owned()).collect(), true), "{name}");
    Ok(())
}

fn one(role: &str, moves: &str) -> Vec<String> {
    moves.split(' ').map(|m| format!("{role}:{m}")).collect()
}

fn solo(name: &str, role: &str, moves: &str, goal: &str) -> Outcome {
    assert_eq!(line(name, &one(role, moves))?, (vec![format!("{role}:{goal}")], true), "{name}");
    Ok(())
}

#[test]
fn board_games_for_two() -> Outcome {
    let wins = ["x:mark(1,1)", "o:mark(1,2)", "x:mark(2,1)", "o:mark(2,2)", "x:mark(3,1)"];
    ends("tic_tac_toe", &wins, &["o:0", "x:100"])?;
    let draw = [
        "x:mark(1,1)",
        "o:mark(2,2)",
        "x:mark(3,3)",
        "o:mark(2,1)",
        "x:mark(2,3)",
        "o:mark(1,3)",
        "x:mark(3,1)",
        "o:mark(3,2)",
        "x:mark(1,2)",
    ];
    ends("tic_tac_toe", &draw, &["o:50", "x:50"])?;
    let (r, y) = ("red:drop(1)", "yellow:drop(2)");
    ends("connect_four", &[r, y, r, y, r, y, r], &["red:100", "yellow:0"])?;
    // A rising diagonal: discs below lift the winner's.
    let diagonal = [
        "red:drop(1)",
        "yellow:drop(2)",
        "red:drop(2)",
        "yellow:drop(3)",
        "red:drop(3)",
        "yellow:drop(4)",
        "red:drop(3)",
        "yellow:drop(4)",
        "red:drop(4)",
        "yellow:drop(7)",
        "red:drop(4)",
    ];
    ends("connect_four", &diagonal, &["red:100", "yellow:0"])?;
    let through = [
        "white:move(1,2,1,3)",
        "black:move(5,4,5,3)",
        "white:move(1,3,2,4)",
        "black:move(5,3,4,2)",
        "white:move(2,4,3,5)",
    ];
    ends("breakthrough", &through, &["black:0", "white:100"])?;
    let jumps = [
        "white:move(2,2,1,3)",
        "black:move(3,5,2,4)",
        "white:jump(1,3,3,5)",
        "black:jump(4,6,2,4)",
        "white:move(4,2,3,3)",
        "black:jump(2,4,4,2)",
        "white:move(3,1,2,2)",
        "black:move(4,2,3,1)",
    ];
    ends("checkers_small", &jumps, &["black:100", "white:0"])?;
    let row = [
        "red:place(1,1)",
        "blue:place(1,2)",
        "red:place(2,1)",
        "blue:place(2,2)",
        "red:place(3,1)",
        "blue:place(3,2)",
        "red:place(4,1)",
    ];
    ends("hex_small", &row, &["blue:0", "red:100"])?;
    // In hex, (1,2) and (2,1) touch, (1,1) and (2,2) do not.
    let bent = [
        "red:place(1,4)",
        "blue:place(4,4)",
        "red:place(2,3)",
        "blue:place(4,3)",
        "red:place(3,2)",
        "blue:place(4,2)",
        "red:place(4,1)",
    ];
    ends("hex_small", &bent, &["blue:0", "red:100"])?;
    ends("tron", &["cyan:ride(west) orange:ride(north)"], &["cyan:0", "orange:100"])
}

#[test]
fn games_of_decisions() -> Outcome {
    let rounds = ["left:rock right:scissors", "left:rock right:paper", "left:paper right:paper"];
    ends("rock_paper_scissors", &rounds, &["left:1", "right:1"])?;
    let (kind, sly, both) = ("ann:silence bob:silence", "ann:tell bob:silence", "ann:tell bob:tell");
    ends("prisoners_dilemma", &[kind, sly, both, kind, sly], &["ann:17", "bob:7"])?;
    ends("ultimatum", &["proposer:offer(3)", "responder:take"], &["proposer:7", "responder:3"])?;
    ends("ultimatum", &["proposer:offer(1)", "responder:refuse"], &["proposer:0", "responder:0"])
}

#[test]
fn puzzles_for_one() -> Outcome {
    solo("minimal_decay", "operator", "leave leave leave press leave leave leave leave leave", "0")?;
    solo("minimal_even", "guesser", "choose(4)", "1")?;
    solo("minimal_even", "guesser", "choose(3)", "0")?;
    solo("coins", "solver", "jump(4,7) jump(6,2) jump(1,3) jump(5,8)", "100")?;
    let presses =
        ["first", "second", "third", "first", "second", "first"].map(|b| format!("press({b})")).join(" ");
    solo("buttons_and_lights", "engineer", &presses, "100")?;
    solo("eight_puzzle", "slider", &["slide(2,3) slide(3,3)"; 30].join(" "), "0")?;
    solo("knights_tour", "knight", "to(2,3) to(4,4) to(2,5) to(1,3) to(3,4) to(1,5)", "7")?;
    let pushes = "walk(south) push(east) push(east) walk(west) walk(south) push(east)";
    solo("sokoban", "keeper", pushes, "100")?;
    let solution = [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]];
    let given = [(1, 1), (2, 2), (3, 3), (4, 3)];
    let mut writes = Vec::new();
    for (row, digits) in (1..).zip(solution) {
        for (column, digit) in (1..).zip(digits) {
            if !given.contains(&(row, column)) {
                writes.push(format!("write({row},{column},{digit})"));
            }
        }
    }
    solo("sudoku_4x4", "writer", &writes.join(" "), "100")?;
    let word = |n: u32| match (n % 3, n % 5) {
        (0, 0) => "say(fizzbuzz)".to_owned(),
        (0, _) => "say(fizz)".to_owned(),
        (_, 0) => "say(buzz)".to_owned(),
        _ => format!("say({n})"),
    };
    let right: Vec<String> = (1..=30).map(word).collect();
    solo("fizz_buzz", "player", &right.join(" "), "100")?;
    // Ten of thirty are divisible by three, fizzbuzz included; eight fizzes are right.
    solo("fizz_buzz", "player", &["say(fizz)"; 30].join(" "), "0")
}

#[test]
fn every_game_is_without_fault_and_makes_tasks() -> Outcome {
    let games = own_games();
    assert!(games.len() >= 16);
    for (name, game) in games {
        let game = game?;
        let verdict = check(&game);
        assert!(verdict.errors.is_empty() && verdict.warnings.is_empty(), "{verdict}");
        let arena = GroundGame::new(game, &Limits::default())?;
        let playing = Playing { traces: 10, steps: 20, ..Playing::default() };
        let corpus =
            play(&arena, &playing, &Limits::default(), std::time::Instant::now(), &Default::default())?;
        assert_eq!(corpus.stuck, 0, "{name}");
        assert_eq!(
            tasks(&arena, &corpus, &Types::infer(&arena), &TaskSettings::default())?.len(),
            4,
            "{name}"
        );
    }
    Ok(())
}

#[test]
fn dimensions_are_those_of_the_board() -> Outcome {
    for (name, wanted) in
        [("tic_tac_toe", 2), ("eight_puzzle", 2), ("rock_paper_scissors", 0), ("minimal_even", 0)]
    {
        assert_eq!(dimensions(&arena(name)?), wanted, "{name}");
    }
    let table = listing()?;
    assert!(table.lines().count() > 16 && table.contains("tic_tac_toe"), "{table}");
    Ok(())
}
