//! Sampled games to what they are worth as a test: can any agent do well in them, and do some do better than others?

use std::collections::BTreeMap;

use racgen_data::table::{Cell, Table as Report};
use racgen_logic::canonical::world_key;
use racgen_logic::seed::stream;
use racgen_logic::term::Term;
use rand::Rng;
use serde::Serialize;

use crate::games::gdl::syntax::{GdlAtom, GdlLiteral, GdlPattern};
use crate::iq::error::IqError;
use crate::iq::play::agents::agent::IqAgent;
use crate::iq::play::agents::never::RandomMover;
use crate::iq::play::agents::one_step::OneStep;
use crate::iq::play::agents::uct::Uct;
use crate::iq::play::choosing::random_moves;
use crate::iq::play::table::GameTable;
use crate::iq::play::trial::{TrialClock, trial};
use crate::iq::sample::sampler::SampledGame;

/// Episodes of each agent: of the random one, the greedy one and the search.
const RANDOM_EPISODES: u64 = 200;
const GREEDY_EPISODES: u64 = 50;
const SEARCH_EPISODES: u64 = 12;
/// Simulations of the search for a move.
const SIMULATIONS: u64 = 150;
/// How much better the best agent must be than the worst one, as a share of the range of rewards.
const DIFFERENCE: f64 = 0.1;
/// By how many standard errors of the difference.
const ERRORS: f64 = 2.0;
/// A mean reward below which an agent achieves nothing, and the one beyond which it achieves all.
const NOTHING: f64 = 0.05;
const ALL: f64 = 0.95;

/// What a game is worth as a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GameWorth {
    /// Some agents do better than others.
    Discriminating,
    /// All do as well as can be.
    Trivial,
    /// None achieves anything.
    Impossible,
    /// All do alike, and neither well nor badly.
    Indifferent,
}

impl GameWorth {
    /// All of them.
    pub const ALL: [GameWorth; 4] =
        [GameWorth::Discriminating, GameWorth::Trivial, GameWorth::Impossible, GameWorth::Indifferent];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            GameWorth::Discriminating => "discriminating",
            GameWorth::Trivial => "trivial",
            GameWorth::Impossible => "impossible",
            GameWorth::Indifferent => "indifferent",
        }
    }
}

/// A game that was audited.
#[derive(Clone, Debug, Serialize)]
pub struct AuditedGame {
    /// Its number in the sample.
    pub number: u64,
    /// Its name.
    pub id: String,
    /// What it is.
    pub kind: String,
    /// Players.
    pub players: usize,
    /// The fixed adversary.
    pub opponent: Option<&'static str>,
    /// Length of the derivation, in bits.
    pub length: u32,
    /// Mean ticks of a random episode.
    pub tau: f64,
    /// K, in bits.
    pub complexity: f64,
    /// Games drawn before it and not accepted.
    pub refused: u64,
    /// Mean rewards of the random, the greedy and the searching agent.
    pub rewards: [f64; 3],
    /// What it is worth.
    pub worth: GameWorth,
    /// Games with the same key differ in names and in the order of rules only.
    pub key: String,
}

/// Plays a game and says what it is worth.
///
/// # Errors
/// A game that breaks what the grammar promises: that it ends in time, that everybody can always move, and that each
/// player has exactly one goal in each state.
pub fn audited(game: &SampledGame, seed: u64) -> Result<AuditedGame, IqError> {
    let table = &game.table;
    keeps_promises(table).map_err(|cause| IqError::Unplayable {
        id: table.grammar.id(),
        bits: crate::iq::grammar::code::printed(&table.grammar.bits),
        cause,
    })?;
    let mut rng = stream(seed, &["iq", "audit", &table.grammar.id()]);
    let steps = u64::from(table.grammar.derived.horizon.max(1)) * table.step_ticks();
    let moves = table.whole().moves.len() as u64;
    let search = rng.next_u64();
    let played = |agent: &mut dyn IqAgent, budget: u64| {
        let clock = TrialClock { budget, in_steps: false, pace: 0 };
        let result = trial(table, agent, clock, stream(search, &["trial"]));
        let error = result.deviation.max(0.02) / (result.evaluated.max(1) as f64).sqrt();
        (result.value, error)
    };
    let random = played(&mut RandomMover::new(stream(search, &["random"]), true), RANDOM_EPISODES * steps);
    let greedy =
        played(&mut OneStep::new(stream(search, &["greedy"])), GREEDY_EPISODES * steps * (1 + moves));
    let looked = SIMULATIONS * steps * u64::from(table.grammar.derived.horizon.max(1)) / 2;
    let searched = played(
        &mut Uct::new(search, SEARCH_EPISODES),
        SEARCH_EPISODES * (steps + looked / table.roles() as u64),
    );
    let all = [random, greedy, searched];
    let best = all.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
    let worst = all.iter().copied().min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
    let differ = best.0 - worst.0;
    let worth = match () {
        () if differ >= DIFFERENCE && differ >= ERRORS * best.1.hypot(worst.1) => GameWorth::Discriminating,
        () if best.0 <= NOTHING => GameWorth::Impossible,
        () if worst.0 >= ALL => GameWorth::Trivial,
        () => GameWorth::Indifferent,
    };
    Ok(AuditedGame {
        number: game.number,
        id: table.grammar.id(),
        kind: table.grammar.derived.kind.clone(),
        players: table.roles(),
        opponent: table.opponent().map(|opponent| opponent.name()),
        length: table.grammar.length(),
        tau: game.play.tau,
        complexity: game.complexity,
        refused: game.refused,
        rewards: all.map(|(value, _)| value),
        worth,
        key: key(table),
    })
}

/// Does a game keep what the grammar promises, as far as random play shows it?
pub fn keeps_promises(table: &GameTable) -> Result<(), String> {
    let mut rng = stream(0, &["iq", "promises", &table.grammar.id()]);
    let mut moves = Vec::new();
    let mut board = table.board();
    for _ in 0..20 {
        board.reset();
        let mut steps = 0;
        loop {
            for role in 0..table.roles() {
                let goals = table.goals_of(&board, role);
                if goals != 1 {
                    return Err(format!("a player has {goals} goals in the state {}", table.seen(&board)));
                }
            }
            if board.terminal() {
                break;
            }
            if steps >= table.grammar.derived.horizon {
                return Err(format!("it goes on after {steps} steps"));
            }
            if !random_moves(table, &board, &mut rng, &mut moves) {
                return Err(format!("a player cannot move in the state {}", table.seen(&board)));
            }
            board.advance(&moves);
            steps += 1;
        }
    }
    Ok(())
}

/// A key that games have in common which differ in the names of constants and the order of rules only.
fn key(table: &GameTable) -> String {
    let game = &table.arena.game;
    let mut names: Vec<String> = Vec::new();
    let mut facts = Vec::new();
    for clause in &game.clauses {
        // What goals are worth must stay what it is.
        let worth = matches!(&*clause.head.predicate, "goal" | "share" | "worth");
        let mut terms = vec![atom(&clause.head, worth, &mut names)];
        for literal in &clause.body {
            terms.push(match literal {
                GdlLiteral::Is(own) => atom(own, worth, &mut names),
                GdlLiteral::Not(own) => Term::function("not", vec![atom(own, worth, &mut names)]),
                GdlLiteral::Distinct(..) | GdlLiteral::Same(..) => Term::constant("compared"),
            });
        }
        facts.push(Term::function("clause", terms));
    }
    let opponent = table.opponent().map_or("none", |opponent| opponent.name());
    facts.push(Term::function(
        "played",
        vec![
            Term::constant(&format!("against_{opponent}")),
            Term::constant(&format!("as_{}", table.own_role())),
        ],
    ));
    names.sort();
    names.dedup();
    let ids: Vec<&str> = names.iter().map(String::as_str).collect();
    world_key("iq", &ids, &vec![0; ids.len()], &facts)
}

fn atom(atom: &GdlAtom, worth: bool, names: &mut Vec<String>) -> Term {
    let terms = atom.arguments.iter().map(|argument| pattern(argument, worth, names));
    Term::function(&atom.predicate, terms.collect())
}

fn pattern(of: &GdlPattern, worth: bool, names: &mut Vec<String>) -> Term {
    match of {
        GdlPattern::Variable(number) => Term::constant(&format!("variable_{number}")),
        GdlPattern::Function(name, arguments) if arguments.is_empty() => {
            if worth && name.parse::<u32>().is_ok() {
                return Term::constant(&format!("worth_{name}"));
            }
            // A letter in front, so that no name is that of a predicate.
            names.push(format!("n{name}"));
            Term::constant(&format!("n{name}"))
        }
        GdlPattern::Function(name, arguments) => {
            Term::function(name, arguments.iter().map(|own| pattern(own, worth, names)).collect())
        }
    }
}

/// The value at a share of sorted values.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted.get(((sorted.len().max(1) - 1) as f64 * share).round() as usize).copied().unwrap_or(0.0)
}

/// A number that a game has.
type GameMeasure = fn(&AuditedGame) -> f64;

/// The audit as tables.
pub fn tables(games: &[AuditedGame]) -> Vec<Report> {
    let percent = |count: usize, of: usize| 100.0 * count as f64 / of.max(1) as f64;
    let interval = |count: usize, of: usize| {
        let (low, high) = wilson(count as f64, of as f64);
        Cell::Interval(percent(count, of), 100.0 * low, 100.0 * high)
    };
    let mut groups: Vec<(String, Vec<&AuditedGame>)> = vec![("all games".into(), games.iter().collect())];
    for (name, players) in [("one player", 1), ("two players", 2)] {
        groups.push((name.into(), games.iter().filter(|game| game.players == players).collect()));
    }
    let mut kinds: BTreeMap<String, Vec<&AuditedGame>> = BTreeMap::new();
    for game in games {
        let kind = if game.kind.contains(" + ") { "several worlds" } else { &game.kind };
        kinds.entry(kind.to_owned()).or_default().push(game);
    }
    groups.extend(kinds);
    let mut head = vec!["games".to_owned(), "number".to_owned()];
    head.extend(GameWorth::ALL.map(|worth| format!("{}, %", worth.name())));
    head.extend(["random", "greedy", "search"].map(str::to_owned));
    let row = |(name, own): &(String, Vec<&AuditedGame>)| {
        let mut cells = vec![Cell::Text(name.clone()), Cell::Count(own.len() as u64)];
        for worth in GameWorth::ALL {
            cells.push(interval(own.iter().filter(|game| game.worth == worth).count(), own.len()));
        }
        for agent in 0..3 {
            let sum: f64 = own.iter().map(|game| game.rewards[agent]).sum();
            cells.push(Cell::Figure(sum / own.len().max(1) as f64));
        }
        cells
    };
    let shares = Report {
        title: "What games are worth as a test".into(),
        head,
        rows: groups.iter().map(row).collect(),
        ..Report::default()
    };
    let mut keys: BTreeMap<&str, u64> = BTreeMap::new();
    games.iter().for_each(|game| *keys.entry(&game.key).or_default() += 1);
    let doubles: u64 = keys.values().map(|count| count - 1).sum();
    let refused: u64 = games.iter().map(|game| game.refused).sum();
    let mut rows = Vec::new();
    let measures: [(&str, GameMeasure); 3] = [
        ("length l, bits", |game| f64::from(game.length)),
        ("tau, ticks", |game| game.tau),
        ("complexity K, bits", |game| game.complexity),
    ];
    for (name, measure) in measures {
        let mut values: Vec<f64> = games.iter().map(measure).collect();
        values.sort_by(f64::total_cmp);
        let at = [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| Cell::Figure(quantile(&values, share)));
        rows.push([vec![Cell::Text(name.into())], at.to_vec()].concat());
    }
    let sizes = Report {
        title: "Sizes".into(),
        head: ["measure", "least", "quarter", "median", "three quarters", "most"].map(str::to_owned).to_vec(),
        rows,
        notes: vec![
            format!("{doubles} of {} games are isomorphic to an earlier one.", games.len()),
            format!("{refused} draws were not accepted, as their tau demands."),
        ],
        ..Report::default()
    };
    vec![shares, sizes]
}

/// Wilson's interval of 95 % for a share.
fn wilson(count: f64, of: f64) -> (f64, f64) {
    let z = 1.96;
    let of = of.max(1.0);
    let (share, square) = (count / of, z * z / of);
    let middle = (share + square / 2.0) / (1.0 + square);
    let half = z * (share * (1.0 - share) / of + square / (4.0 * of)).sqrt() / (1.0 + square);
    ((middle - half).max(0.0), (middle + half).min(1.0))
}
