//! Promise: moves do what they do in the rows, the oracle plays as in the paper, and logs and talk survive what is bad.

use std::io::Cursor;
use std::sync::atomic::AtomicBool;

use racgen::halma::maze::grid::Direction;
use racgen::halma::maze::set::ChartedMaze;
use racgen::halma::maze::tree::Maze;
use racgen::halma::measure::score::{Rho, score};
use racgen::halma::play::agents::names::AgentName;
use racgen::halma::play::episode::{Episode, HalmaMove, HalmaTask};
use racgen::halma::play::log::{LogHead, LogWriter, PlayLog};
use racgen::halma::play::serve::{play_all, serve};
use racgen::logic::seed::stream;
use rand::RngExt;
use serde_json::{Value as Json, json};

use crate::mazes::set;
use crate::simulator::NaiveMaze;

#[test]
fn a_hundred_thousand_steps_are_those_of_a_naive_simulator() {
    let mazes = set(25, 9);
    let mut rng = stream(0, &["test", "steps"]);
    let mut steps = 0;
    for (number, maze) in mazes.iter().cycle().enumerate() {
        if steps >= 100_000 {
            break;
        }
        let task = HalmaTask { max_option: [1, 3, 5][number % 3], ..HalmaTask::default() };
        let naive = NaiveMaze::new(&maze.record.rows);
        let (start, goal) = (naive.find('S'), naive.find('G'));
        let mut at = start;
        let (mut trial, mut accomplished) = (0, 0);
        let mut episode = Episode::new(&maze.chart, task);
        for step in 1.. {
            let direction = Direction::ALL[rng.random_range(0..4)];
            let length = rng.random_range(1..=task.max_option);
            let option: Vec<u8> = (0..length).map(|_| rng.random_range(0..=3)).collect();
            let outcome = episode.make(&HalmaMove::new(direction, &option).unwrap());
            // By hand, unit by unit.
            let units: i32 = option.iter().map(|units| i32::from(*units)).sum();
            let free = (1..=units).all(|n| naive.free(NaiveMaze::on(at, direction, n)));
            let gap = |spot: (i32, i32)| (spot.0 - goal.0).abs() + (spot.1 - goal.1).abs();
            let next = if free { NaiveMaze::on(at, direction, units) } else { at };
            let mut reward = if free { f64::from(gap(at) - gap(next)) } else { -5.0 };
            at = next;
            trial += 1;
            steps += 1;
            let reached = at == goal;
            if reached {
                reward += 100.0;
            }
            if reached || trial == 200 {
                at = start;
                trial = 0;
                accomplished += u32::from(reached);
            }
            assert_eq!((outcome.valid, outcome.reached, outcome.reward), (free, reached, reward));
            assert_eq!((i32::from(episode.at().x), i32::from(episode.at().y)), at);
            assert_eq!(outcome.episode_over, step == 500 || accomplished == 10);
            if outcome.episode_over {
                break;
            }
        }
    }
    assert!(steps >= 100_000);
}

/// The maze of the appendix's example trial (A.3), as far as its text tells it: right 5 with crossings after 2, 3 and 4,
/// down 1, right 2, down 1 to the goal, and free one further. Where branches lead is ours.
fn example() -> ChartedMaze {
    let rows = [
        "##########",
        ".#.#.#####",
        "S.....#.##",
        "###.#...##",
        "###.#.#G##",
        "#######.##",
        "##########",
        "##########",
        "##########",
        "##########",
    ];
    ChartedMaze::new(&Maze::from_rows(&rows).unwrap(), "example".into(), "paper", vec![]).unwrap()
}

#[test]
fn the_oracle_plays_the_example_of_the_appendix() {
    let maze = example();
    let task = HalmaTask::default();
    let mut agent = AgentName::Oracle.agent(0);
    agent.begin(&task, 0);
    let mut episode = Episode::new(&maze.chart, task);
    let mut trials: Vec<Vec<String>> = vec![Vec::new()];
    while trials.len() <= 3 {
        let made = agent.choose(&episode.panel());
        let outcome = episode.make(&made);
        agent.told(&made, &outcome);
        let letter = made.direction().word()[..1].to_uppercase();
        trials.last_mut().unwrap().push(format!("{letter}{}", made.units()));
        if outcome.trial_over {
            trials.push(Vec::new());
        }
    }
    assert_eq!(trials[0], ["R2", "R1", "R1", "R1", "D1", "R2", "D1"]);
    assert_eq!(trials[1], ["R5", "D1", "R2", "D1"]);
    assert_eq!(trials[2], trials[1]);
    assert_eq!(maze.chart.optimum(5), Some(4));
    assert_eq!(maze.chart.optimum(1), Some(5));
}

fn log_of(mazes: &[ChartedMaze], agent: AgentName, max_option: u8, path: &std::path::Path) -> PlayLog {
    let task = HalmaTask::of(max_option).unwrap();
    let head = LogHead { agent: agent.name().into(), task, seed: 3, memory: String::new() };
    let mut log = LogWriter::open(path, &head, false).unwrap();
    play_all(mazes, task, &mut *agent.agent(3), Some(&mut log), &AtomicBool::new(false)).unwrap();
    drop(log);
    PlayLog::read(path).unwrap()
}

fn mean(all: &[Rho], of: fn(&Rho) -> f64) -> f64 {
    all.iter().map(of).sum::<f64>() / all.len() as f64
}

#[test]
fn the_oracle_is_near_the_optimum_and_random_players_are_far_from_it() {
    let mazes = set(60, 10);
    let folder = tempfile::tempdir().unwrap();
    for max_option in [1, 3, 5] {
        let measured = |agent: AgentName| {
            let path = folder.path().join(format!("{}{max_option}", agent.name()));
            let scores = score(&log_of(&mazes, agent, max_option, &path), &mazes).unwrap();
            scores["train"].clone()
        };
        let oracle = measured(AgentName::Oracle);
        assert_eq!(mean(&oracle, |rho| rho.valid), 1.0);
        assert_eq!(mean(&oracle, |rho| rho.goals), 1.0);
        assert!(mean(&oracle, |rho| rho.efficiency) > 0.97);
        // An optimal trial is not beaten: from the second on it is the optimum itself.
        assert!(oracle.iter().all(|rho| rho.efficiency > 0.9 && rho.efficiency <= 1.0));
        let affordable = measured(AgentName::Affordable);
        assert_eq!(mean(&affordable, |rho| rho.valid), 1.0);
        assert!(mean(&affordable, |rho| rho.goals) < 0.6);
        let random = measured(AgentName::Random);
        assert!(mean(&random, |rho| rho.valid) < 0.6 && mean(&random, |rho| rho.efficiency) < 0.05);
        // Who learns by counting reaches more goals than either, in fewer moves, and wastes fewer than chance does.
        let explorer = measured(AgentName::Explorer);
        println!(
            "{max_option}: {:?} {:?}",
            mean(&explorer, |rho| rho.goals),
            mean(&affordable, |rho| rho.goals)
        );
        assert!(mean(&explorer, |rho| rho.valid) > mean(&random, |rho| rho.valid));
        for measure in [|rho: &Rho| rho.goals, |rho: &Rho| rho.efficiency] {
            let best = mean(&affordable, measure).max(mean(&random, measure));
            assert!(mean(&explorer, measure) > best, "{max_option}");
        }
    }
}

#[test]
fn an_explorer_that_remembers_its_training_plays_better_than_one_that_begins() {
    let folder = tempfile::tempdir().unwrap();
    let trained = log_of(&set(60, 10), AgentName::Explorer, 5, &folder.path().join("trained"));
    let (mazes, task) = (set(40, 12), HalmaTask::default());
    let mut measured = Vec::new();
    for (name, moves) in [("fresh", &[][..]), ("remembering", &trained.moves[..])] {
        let path = folder.path().join(name);
        let head = LogHead { agent: name.into(), task, seed: 4, memory: String::new() };
        let mut log = LogWriter::open(&path, &head, false).unwrap();
        let mut agent = AgentName::Explorer.agent(4);
        agent.remember(moves);
        play_all(&mazes, task, &mut *agent, Some(&mut log), &AtomicBool::new(false)).unwrap();
        drop(log);
        let scores = score(&PlayLog::read(&path).unwrap(), &mazes).unwrap();
        measured
            .push([|rho: &Rho| rho.valid, |rho: &Rho| rho.efficiency].map(|of| mean(&scores["train"], of)));
    }
    println!("fresh and remembering: {measured:?}");
    assert!(measured[1][0] > measured[0][0] && measured[1][1] > measured[0][1], "{measured:?}");
}

#[test]
fn a_log_that_was_cut_short_is_continued_to_the_same_bytes() {
    let mazes = set(4, 11);
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let log = log_of(&mazes, AgentName::Random, 5, &whole);
    assert_eq!(log.episodes().len(), 8);
    let bytes = std::fs::read(&whole).unwrap();
    let head = log.head.clone();
    let learned = folder.path().join("learned");
    let explorer = log_of(&mazes, AgentName::Explorer, 5, &learned);
    let learned = std::fs::read(&learned).unwrap();
    let cuts = [1, 3, 7, 11].into_iter();
    let cuts = cuts.flat_map(|n| {
        [(&bytes, &head, AgentName::Random, n), (&learned, &explorer.head, AgentName::Explorer, n)]
    });
    for (number, (bytes, head, agent, twelfths)) in cuts.enumerate() {
        let cut = bytes.len() * twelfths / 12;
        let path = folder.path().join(format!("cut{number}"));
        std::fs::write(&path, &bytes[..cut]).unwrap();
        if cut < bytes.iter().position(|byte| *byte == b'\n').unwrap() {
            continue;
        }
        let mut log = LogWriter::open(&path, head, true).unwrap();
        play_all(&mazes, head.task, &mut *agent.agent(3), Some(&mut log), &AtomicBool::new(false)).unwrap();
        drop(log);
        assert!(std::fs::read(&path).unwrap() == *bytes, "cut at {cut}");
    }
    let error = LogWriter::open(&whole, &head, false).err().unwrap().to_string();
    assert!(error.contains("--resume"), "{error}");
    let other = LogHead { seed: 4, ..head };
    assert!(LogWriter::open(&whole, &other, true).err().unwrap().to_string().contains("another agent"));
}

#[test]
fn whoever_talks_nonsense_gets_sentences_and_plays_on() {
    let maze = example();
    let mazes = [maze];
    let talk = [
        "{\"act\": {\"direction\": \"right\", \"option\": [2]}}",
        "hello",
        "{\"reset\": \"nowhere\"}",
        "{\"reset\": 7}",
        "",
        "{\"reset\": true}",
        "{\"act\": {\"direction\": \"north\", \"option\": [2]}}",
        "{\"act\": {\"direction\": \"right\", \"option\": []}}",
        "{\"act\": {\"direction\": \"right\", \"option\": [4]}}",
        "{\"act\": {\"direction\": \"right\", \"option\": [1, 1, 1, 1, 1, 1]}}",
        "{\"act\": {\"direction\": \"right\", \"option\": [3, 3]}}",
        "{\"act\": {\"direction\": \"right\", \"option\": [2, 3]}}",
        "{\"act\": {\"direction\": \"down\", \"option\": [1]}}",
        "{\"act\": {\"direction\": \"right\", \"option\": [2]}}",
        "{\"act\": {\"direction\": \"down\", \"option\": [1]}}",
    ];
    let mut answers = Vec::new();
    serve(&mazes, HalmaTask::default(), Cursor::new(talk.join("\n")), &mut answers, None, None).unwrap();
    let answers: Vec<Json> =
        String::from_utf8(answers).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), talk.len() - 1);
    for number in [0, 1, 2, 3, 5, 6, 7, 8] {
        assert!(
            answers[number]["error"].as_str().is_some_and(|error| error.len() > 20),
            "{}",
            answers[number]
        );
    }
    let panel = &answers[4]["panel"];
    assert_eq!(panel["hint"], "square");
    assert_eq!(panel["symbols"], json!([0, 1, 5, 0, 0, 0, 2, 0, 7, 2, 3]));
    let colours: Vec<(&str, u64)> = panel["digits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|digit| (digit["colour"].as_str().unwrap(), digit["digit"].as_u64().unwrap()))
        .collect();
    assert_eq!(colours, [("orange", 1), ("yellow", 2), ("yellow", 5), ("white", 7), ("purple", 2)]);
    assert_eq!((&answers[9]["valid"], &answers[9]["reward"]), (&json!(false), &json!(-5.0)));
    assert_eq!((&answers[10]["valid"], &answers[10]["reward"]), (&json!(true), &json!(5.0)));
    let last = &answers[13];
    assert_eq!(
        (&last["reached"], &last["reward"], &last["accomplished"]),
        (&json!(true), &json!(101.0), &json!(1))
    );
    assert_eq!(last["panel"]["symbols"], panel["symbols"], "back at the start");
}
