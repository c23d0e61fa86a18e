//! Promise: the circuit of a game, the incremental network and clingo say the same of every situation, and playouts in lanes
//! go as on the network, whatever the number of lanes.

use std::path::PathBuf;

use racgen::games::builtin::own_games;
use racgen::games::gdl::syntax::Game;
use racgen::games::play::ground_game::{GroundGame, Limits, Whole};
use racgen::games::play::judge::judge;
use racgen::games::play::moves::play_out;
use racgen::games::play::playouts::Playouts;
use racgen::games::play::situations::{Consequences, GameSituation};
use racgen::games::tasks::write_tasks::read_game;
use racgen::logic::seed::stream;
use racgen::logic::term::Term;
use rand::RngExt;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Situations of a game that network and circuit are compared on, and those of them that clingo judges. `RACGEN_PAIRS` says
/// how many there are of all games together instead, of which clingo judges one in a hundred.
const SITUATIONS: usize = 1500;
const JUDGED: usize = 3;
/// Ground rules of the largest game that is compared here; the few above take most of the time.
const RULES: usize = 60_000;

/// The games that come with racgen and, where they are at hand, those of the reference.
fn games(test: &str) -> Result<Vec<Game>, Box<dyn std::error::Error>> {
    let mut games: Vec<Game> = own_games().into_iter().map(|(_, game)| game).collect::<Result<_, _>>()?;
    if let Some(folder) = crate::skipped::reference("iggp", test) {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(folder.join("games"))?.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            games.push(read_game(&path)?);
        }
    }
    Ok(games)
}

/// Situations of random games, with what the network says of them.
fn on_the_network(
    arena: &GroundGame,
    whole: &Whole,
    wanted: usize,
) -> (Vec<GameSituation>, Vec<Consequences>) {
    let mut board = whole.board();
    let mut rng = stream(3, &["lanes", &arena.game.name]);
    let (mut situations, mut outlooks) = (Vec::new(), Vec::new());
    let mut steps = 0;
    while situations.len() < wanted {
        let legal = board.legal();
        let of_role = |role: u32| legal.iter().copied().filter(move |m| whole.moves[*m as usize].0 == role);
        let moves: Option<Vec<u32>> = (0..arena.roles.len() as u32)
            .map(|role| {
                let own: Vec<u32> = of_role(role).collect();
                (!own.is_empty()).then(|| own[rng.random_range(0..own.len())])
            })
            .collect();
        let (fluents, goals, terminal) = (board.fluents(), board.goals(), board.terminal());
        // What is true at the end is compared as well, though nothing is done there.
        let Some(moves) = moves else {
            board.reset();
            continue;
        };
        // The board's moves are what it was told last, so that what it says without any is asked for first.
        let idle = board.idle();
        board.advance(&moves);
        situations.push(GameSituation { fluents, moves });
        outlooks.push(Consequences { legal, goals, terminal, next: board.fluents(), idle });
        steps += 1;
        if terminal || steps % 97 == 0 {
            board.reset();
        }
    }
    (situations, outlooks)
}

#[test]
fn circuit_network_and_clingo_agree() -> Outcome {
    let (mut compared, mut judged) = (0, 0);
    let games = games("circuit_network_and_clingo_agree")?;
    let pairs: Option<usize> = std::env::var("RACGEN_PAIRS").ok().and_then(|pairs| pairs.parse().ok());
    let wanted = pairs.map_or(SITUATIONS, |pairs| pairs.div_ceil(games.len()).max(SITUATIONS));
    for game in games {
        let arena = GroundGame::new(game, &Limits::default())?;
        let name = &arena.game.name;
        let Some(whole) = arena.whole.as_ref().filter(|whole| whole.rules() < RULES) else { continue };
        let playouts = Playouts::new(&arena, whole)?;
        let (situations, outlooks) = on_the_network(&arena, whole, wanted);
        let found = playouts.look(&situations);
        for ((situation, network), circuit) in situations.iter().zip(&outlooks).zip(&found) {
            assert_eq!(circuit, network, "{name}: {situation:?}");
        }
        compared += situations.len();
        let fluent = |n: &u32| whole.fluents[*n as usize].clone();
        let pair = |(role, term): &(u32, Term)| (arena.roles[*role as usize].clone(), term.clone());
        let mut rng = stream(3, &["judged", name]);
        for _ in 0..JUDGED.max(pairs.map_or(0, |_| wanted / 100)) {
            let at = rng.random_range(0..situations.len());
            let state: Vec<Term> = situations[at].fluents.iter().map(fluent).collect();
            let made: Vec<_> = situations[at].moves.iter().map(|m| pair(&whole.moves[*m as usize])).collect();
            let said = judge(&arena, &state, &made)?;
            let legal: Vec<_> = found[at].legal.iter().map(|m| pair(&whole.moves[*m as usize])).collect();
            let goals: Vec<_> = found[at].goals.iter().map(|g| pair(&whole.goals[*g as usize])).collect();
            let next: Vec<Term> = found[at].next.iter().map(fluent).collect();
            assert_eq!((said.legal, said.goals, said.terminal), (legal, goals, found[at].terminal), "{name}");
            assert_eq!(said.next, next, "{name}");
            judged += 1;
        }
    }
    println!("{compared} situations compared, {judged} of them judged by clingo");
    assert!(compared >= 18 * SITUATIONS);
    Ok(())
}

/// A playout depends on the seed and its number alone.
#[test]
fn lanes_change_no_playout() -> Outcome {
    for (name, game) in own_games() {
        let arena = GroundGame::new(game?, &Limits::default())?;
        let playouts = Playouts::new(&arena, arena.whole.as_ref().ok_or("not grounded as a whole")?)?;
        let all = playouts.play_in::<1>(7, 0..700, 25);
        assert_eq!(playouts.play_in::<2>(7, 0..700, 25), all, "{name}");
        assert_eq!(playouts.play_in::<8>(7, 0..700, 25), all, "{name}");
        assert_eq!(all.playouts, 700, "{name}");
        let (first, second) = (playouts.play(7, 0..300, 25), playouts.play(7, 300..700, 25));
        assert_eq!(first.steps + second.steps, all.steps, "{name}");
        assert_eq!(first.finished + second.finished, all.finished, "{name}");
        let goals: Vec<u64> = first.goals.iter().zip(&second.goals).map(|(one, other)| one + other).collect();
        assert_eq!(goals, all.goals, "{name}");
        if name == "games/tic_tac_toe.kif" {
            assert_ne!(playouts.play(8, 0..700, 25), all);
        }
    }
    Ok(())
}

/// Where nothing can be played, nothing is, in the playouts that replace others as well.
#[test]
fn what_is_over_at_first_has_no_steps() -> Outcome {
    let rules = "(role r) (init (n 0)) (legal r go) (<= (next (n 1)) (true (n 0))) (goal r 10) ";
    for (end, most, finished) in
        [("(<= terminal (true (n 0)))", 5, 1000), ("(<= terminal (true (n 2)))", 0, 0)]
    {
        let game = Game::read(&format!("{rules}{end}"), "over.kif")?;
        let arena = GroundGame::new(game, &Limits::default())?;
        let playouts = Playouts::new(&arena, arena.whole.as_ref().ok_or("not grounded as a whole")?)?;
        let tally = playouts.play_in::<1>(0, 0..1000, most);
        assert_eq!((tally.playouts, tally.steps, tally.finished, tally.stuck), (1000, 0, finished, 0));
    }
    Ok(())
}

/// Playouts stop where a role has no legal move, and count the steps before.
#[test]
fn who_cannot_move_is_stuck() -> Outcome {
    let rules = "(role r) (role s) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3) (legal r go)
                 (<= (legal s wait) (true (n ?x)) (succ ?x ?y))
                 (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 9)))";
    let arena = GroundGame::new(Game::read(rules, "stuck.kif")?, &Limits::default())?;
    let playouts = Playouts::new(&arena, arena.whole.as_ref().ok_or("not grounded as a whole")?)?;
    let tally = playouts.play(0, 0..1000, 50);
    assert_eq!((tally.playouts, tally.steps, tally.finished, tally.stuck), (1000, 3000, 0, 1000));
    Ok(())
}

/// Games in lanes are as long as on the network, and as often reach an end.
#[test]
fn playouts_are_as_long_as_on_the_network() -> Outcome {
    const PLAYS: u64 = 2000;
    for (name, game) in own_games() {
        let arena = GroundGame::new(game?, &Limits::default())?;
        let whole = arena.whole.as_ref().ok_or("not grounded as a whole")?;
        let tally = Playouts::new(&arena, whole)?.play(1, 0..8 * PLAYS, 60);
        let mut board = whole.board();
        let mut rng = stream(1, &["length", &name]);
        let (mut sum, mut squares, mut ends) = (0.0, 0.0, 0.0);
        for _ in 0..PLAYS {
            board.reset();
            let length = f64::from(play_out(&mut board, arena.roles.len(), 60, &mut rng));
            sum += length;
            squares += length * length;
            ends += f64::from(u8::from(board.terminal()));
        }
        let plays = PLAYS as f64;
        let (mean, share) = (sum / plays, ends / plays);
        let far = |own: f64, other: f64, variance: f64| {
            let error = (variance.max(0.0) * (1.0 / plays + 1.0 / (8.0 * plays))).sqrt();
            (own - other).abs() > 5.0 * error + 1e-9
        };
        let (own_mean, own_share) =
            (tally.steps as f64 / tally.playouts as f64, tally.finished as f64 / tally.playouts as f64);
        assert!(!far(own_mean, mean, squares / plays - mean * mean), "{name}: {own_mean} and {mean} steps");
        assert!(
            !far(own_share, share, share * (1.0 - share)),
            "{name}: {own_share} and {share} reach an end"
        );
    }
    Ok(())
}
