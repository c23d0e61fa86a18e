//! Promise: a dynamic test needs what its agent has not met, and nothing else that is new.

use std::sync::atomic::AtomicBool;

use racgen::halma::dynamic::kinds::{TestKind, kinds};
use racgen::halma::dynamic::knowledge::{DigitPair, Knowledge};
use racgen::halma::dynamic::mazes::test_mazes;
use racgen::halma::maze::grid::Direction;
use racgen::halma::maze::set::ChartedMaze;
use racgen::halma::play::agents::names::AgentName;
use racgen::halma::play::agents::oracle::explore;
use racgen::halma::play::episode::HalmaTask;
use racgen::halma::play::log::{LogHead, LogWriter, LoggedMove, PlayLog};
use racgen::halma::play::panel::Panel;
use racgen::halma::play::serve::play_all;

use crate::mazes::set;
use crate::simulator::NaiveMaze;

fn seen(walls: [i8; 4], crossings: [i8; 4]) -> [i8; 11] {
    let mut symbols = [0; 11];
    symbols[..4].copy_from_slice(&walls);
    symbols[4..8].copy_from_slice(&crossings);
    symbols
}

fn moved(direction: Direction, units: u8, before: [i8; 11], after: [i8; 11]) -> LoggedMove {
    LoggedMove {
        episode: 0,
        maze: "m".into(),
        split: "train".into(),
        trial: 1,
        seen: before,
        direction,
        option: vec![units],
        valid: true,
        reward: 0.0,
        then: after,
        reached: false,
        last: false,
    }
}

fn pair(direction: Direction, greater: u8, lesser: u8) -> DigitPair {
    DigitPair { direction, greater, lesser }
}

/// The examples of appendix D, as far as its pictures tell them.
#[test]
fn knowledge_is_what_the_appendix_says() {
    let moves = [
        // 3 and 5 upwards in one panel.
        moved(Direction::Left, 1, seen([1, 5, 0, 0], [0, 3, 0, 0]), seen([0, 2, 1, 0], [0, 0, 0, 0])),
        // 7 to the right becomes 4 by a move of 3.
        moved(Direction::Right, 3, seen([0, 0, 7, 0], [0; 4]), seen([3, 0, 4, 0], [0; 4])),
        // 6 and 2 downwards are used up.
        moved(Direction::Down, 2, seen([0, 0, 0, 2], [0; 4]), seen([0, 2, 0, 0], [0; 4])),
        moved(Direction::Down, 3, seen([0, 0, 0, 6], [0; 4]), seen([0, 6, 0, 0], [0; 4])),
    ];
    let all = kinds(&Knowledge::of(&moves, 1));
    let of = |direction, greater, lesser| all.get(&pair(direction, greater, lesser)).copied();
    assert_eq!(of(Direction::Up, 5, 3), Some(TestKind::St1));
    assert_eq!(of(Direction::Down, 5, 3), Some(TestKind::St2));
    assert_eq!(of(Direction::Right, 7, 4), Some(TestKind::AfT1));
    assert_eq!(of(Direction::Left, 7, 4), Some(TestKind::AfT3));
    assert_eq!(of(Direction::Down, 6, 2), Some(TestKind::AfT2));
    assert_eq!(of(Direction::Up, 6, 2), Some(TestKind::AfT4));
    assert_eq!(of(Direction::Up, 9, 8), None);
    // What a move across the way changes says nothing, nor does what fails.
    assert_eq!(of(Direction::Up, 5, 2), None);
    // What was met once is not known by who asks for two.
    assert!(kinds(&Knowledge::of(&moves, 2)).is_empty());
}

#[test]
fn transitivity_needs_a_chain_and_an_example_of_one() {
    // 8 to 6 and 6 to 3 changed, never 8 to 3.
    let chain = [
        moved(Direction::Right, 2, seen([0, 0, 8, 0], [0; 4]), seen([0, 0, 6, 0], [0; 4])),
        moved(Direction::Right, 3, seen([0, 0, 6, 0], [0; 4]), seen([0, 0, 3, 0], [0; 4])),
    ];
    let alone = kinds(&Knowledge::of(&chain, 1));
    assert!(alone.values().all(|kind| *kind != TestKind::AnT), "{alone:?}");
    let example = [
        moved(Direction::Left, 1, seen([5, 0, 0, 0], [0; 4]), seen([4, 0, 0, 0], [0; 4])),
        moved(Direction::Left, 2, seen([4, 0, 0, 0], [0; 4]), seen([2, 0, 0, 0], [0; 4])),
        moved(Direction::Left, 3, seen([5, 0, 0, 0], [0; 4]), seen([2, 0, 0, 0], [0; 4])),
    ];
    let both = kinds(&Knowledge::of(chain.iter().chain(&example), 1));
    assert_eq!(both.get(&pair(Direction::Right, 8, 3)), Some(&TestKind::AnT));
    assert_eq!(both.get(&pair(Direction::Left, 8, 3)), Some(&TestKind::AnT));
    assert_eq!(both.get(&pair(Direction::Left, 5, 2)), Some(&TestKind::AfT1));
}

fn memory(agent: AgentName, mazes: &[ChartedMaze]) -> PlayLog {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let head =
        LogHead { agent: agent.name().into(), task: HalmaTask::default(), seed: 1, memory: String::new() };
    let mut log = LogWriter::open(&path, &head, false).unwrap();
    play_all(mazes, head.task, &mut *agent.agent(1), Some(&mut log), &AtomicBool::new(false)).unwrap();
    drop(log);
    PlayLog::read(&path).unwrap()
}

/// The pairs that the oracle compares in a first trial.
fn compared(maze: &ChartedMaze) -> Vec<(DigitPair, [i8; 11])> {
    let mut at = maze.chart.start;
    let mut pairs = Vec::new();
    while at != maze.chart.goal {
        let panel = Panel::of(maze.chart.at(at).unwrap());
        let (direction, units) = explore(&panel);
        let digits = panel.crossing(direction).map(|crossing| (panel.wall(direction), crossing));
        if let Some((greater, lesser)) = digits.filter(|(greater, lesser)| greater != lesser) {
            pairs.push((pair(direction, greater, lesser), panel.symbols()));
        }
        at = at.toward(direction, units).unwrap();
    }
    pairs
}

#[test]
fn tests_need_what_was_not_met_and_nothing_else_that_is_new() {
    let trained = set(20, 3);
    for agent in [AgentName::Oracle, AgentName::Affordable] {
        let log = memory(agent, &trained);
        let knowledge = Knowledge::of(&log.moves, 1);
        let all = kinds(&knowledge);
        let tests = test_mazes(&knowledge, 20, 5).unwrap();
        let found: Vec<(&str, usize)> =
            tests.iter().map(|(kind, mazes)| (kind.name(), mazes.len())).collect();
        println!("{}: {found:?}", agent.name());
        assert!(tests.len() >= 4, "{found:?}");
        for (kind, mazes) in &tests {
            for maze in mazes {
                assert_eq!(maze.record.split, kind.name());
                let naive = NaiveMaze::new(&maze.record.rows);
                assert_eq!(maze.chart.optimum(5), Some(naive.fewest_moves(15)));
                let compared = compared(maze);
                let of = |pair: &DigitPair| all.get(pair).copied();
                assert!(
                    compared
                        .iter()
                        .all(|(pair, _)| of(pair) == Some(*kind) || of(pair) == Some(TestKind::St1))
                );
                let needed = compared.iter().filter(|(pair, _)| of(pair) == Some(*kind));
                match kind {
                    TestKind::St1 => assert!(needed.into_iter().any(|(_, symbols)| {
                        log.moves.iter().all(|made| made.seen[..10] != symbols[..10])
                    })),
                    _ => assert!(needed.count() > 0),
                }
            }
        }
    }
    assert!(test_mazes(&Knowledge::default(), 5, 0).unwrap().is_empty(), "who knows nothing is not tested");
}
