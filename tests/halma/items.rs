//! Promise: questions about mazes are answered as a person would who looks at the maze, level, apart by split, and read
//! back by the audit, which sees what was changed.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use racgen::audit::run::{AuditOptions, audit};
use racgen::campaign::run::{Config, Origin, Output, run};
use racgen::data::format::Format;
use racgen::data::read::rows::rows;
use racgen::data::row::{ExtraValue, Row};
use racgen::domain::catalogue::Catalogue;
use racgen::halma::items::settings::MazeItemSettings;
use racgen::halma::items::source::MazeQuestions;
use racgen::halma::maze::grid::Direction;
use racgen::items::clock::Clock;
use racgen::items::progress::Silent;
use racgen::items::source::{ItemSource, Split};

use crate::simulator::{NaiveMaze, Spot};

fn settings(items: u64, pictures: bool) -> MazeItemSettings {
    let split = |name: &str, weight| Split { name: name.into(), weight };
    MazeItemSettings {
        levels: vec![1, 2, 3],
        depths: vec![0, 1, 3, 6],
        items,
        mix: [4, 3, 3],
        splits: vec![split("train", 3.0), split("test", 1.0)],
        seed: 5,
        pictures,
        open_vocabulary: true,
    }
}

fn all_rows(source: &MazeQuestions) -> Vec<Row> {
    let clock = Clock::default();
    let mut rows = Vec::new();
    for split in 0..source.splits().len() {
        for (stream, items) in source.streams(split) {
            for group in 0..items.div_ceil(50) {
                let made = source.group(stream, group, items, &clock).unwrap();
                rows.extend(made.into_iter().map(|item| item.row));
            }
        }
    }
    rows
}

/// A term's functor and its arguments, which are numbers, names, or `option(...)` and `cell(...)`.
fn parts(term: &str) -> (String, Vec<String>) {
    let Some((name, rest)) = term.split_once('(') else { return (term.into(), Vec::new()) };
    let inner = rest.strip_suffix(')').unwrap();
    let (mut args, mut depth, mut last) = (Vec::new(), 0, String::new());
    for character in inner.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if character == ',' && depth == 0 {
            args.push(std::mem::take(&mut last));
        } else {
            last.push(character);
        }
    }
    args.push(last);
    (name.into(), args)
}

fn direction(name: &str) -> Direction {
    Direction::ALL.into_iter().find(|direction| direction.word() == name).unwrap()
}

/// The units of `option(3,2)`.
fn units(term: &str) -> i32 {
    parts(term).1.iter().map(|primitive| primitive.parse::<i32>().unwrap()).sum()
}

fn spot(args: &[String]) -> Spot {
    (args[0].parse::<i32>().unwrap() - 1, args[1].parse::<i32>().unwrap() - 1)
}

const SHAPES: [&str; 4] = ["circle", "triangle", "square", "pentagon"];

fn yes(so: bool) -> String {
    if so { "yes".into() } else { "no".into() }
}

/// The answer to a question about a maze, unit by unit and by breadth-first search.
fn of_maze(row: &Row) -> String {
    let facts: Vec<(String, Vec<String>)> = row.facts.iter().map(|fact| parts(fact)).collect();
    let of = |name: &str| facts.iter().filter(|(of, _)| of == name).map(|(_, args)| args).collect::<Vec<_>>();
    let mut grid = vec![vec!['#'; 10]; 10];
    let mut mark = |args: &[String], c: char| {
        let (x, y) = spot(args);
        grid[y as usize][x as usize] = c;
    };
    of("free").iter().for_each(|args| mark(args, '.'));
    mark(of("start")[0], 'S');
    mark(of("goal")[0], 'G');
    let grid: Vec<String> = grid.into_iter().map(|row| row.into_iter().collect()).collect();
    let maze = NaiveMaze::new(&grid);
    let most: i32 = of("most")[0][0].parse().unwrap();
    let (mut at, mut failed) = (maze.find('S'), 0);
    for made in row.plan.iter() {
        let (_, args) = parts(made);
        let (to, by) = (direction(&args[0]), units(&args[1]));
        if (1..=by).all(|n| maze.free(NaiveMaze::on(at, to, n))) {
            at = NaiveMaze::on(at, to, by);
        } else {
            failed += 1;
        }
    }
    // The same maze with another start has the same hints at crossings, and the fewest moves from where the pawn is.
    let fewest = |from: Spot| {
        let mut rows: Vec<Vec<char>> =
            grid.iter().map(|row| row.replace('S', ".").chars().collect()).collect();
        if from == maze.find('G') {
            return 0;
        }
        rows[from.1 as usize][from.0 as usize] = 'S';
        let rows: Vec<String> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        NaiveMaze::new(&rows).fewest_moves(3 * most)
    };
    let hint = maze.hint(at).map(|to| SHAPES[to.index()]);
    let (family, args) = parts(&row.query);
    match (family.as_str(), &*row.question_type) {
        ("affordable", _) => yes(units(&args[1]) <= maze.wall(at, direction(&args[0]))),
        ("sees", "verify") => yes(hint == Some(args[0].as_str())),
        ("sees", _) => hint.unwrap().into(),
        ("position", "verify") => yes(spot(&parts(&args[0]).1) == at),
        ("position", _) => format!("column {} of row {}", at.0 + 1, at.1 + 1),
        ("shortest", _) => yes(at == maze.find('G') && fewest(maze.find('S')) as usize == row.plan.len()),
        ("free", _) => maze.wall(at, direction(&args[0])).to_string(),
        ("crossing", _) => maze.crossing(at, direction(&args[0])).to_string(),
        ("failed", _) => failed.to_string(),
        ("fewest", _) => fewest(at).to_string(),
        other => panic!("{other:?}"),
    }
}

/// The answer to a question about a panel.
fn of_panel(row: &Row) -> String {
    let colours = ["red", "orange", "yellow", "green"];
    let mut digits: BTreeMap<String, Vec<i32>> = BTreeMap::new();
    let mut hint = None;
    for fact in row.facts.iter() {
        let (name, args) = parts(fact);
        match name.as_str() {
            "digit" => digits.entry(args[0].clone()).or_default().push(args[1].parse().unwrap()),
            _ => hint = SHAPES.iter().position(|shape| *shape == args[0]),
        }
    }
    let about = |to: &str| digits.get(colours[direction(to).index()]).cloned().unwrap_or_default();
    let (family, args) = parts(&row.query);
    match (family.as_str(), &*row.question_type) {
        ("affordable", _) => yes(about(&args[0]).iter().max().is_some_and(|wall| units(&args[1]) <= *wall)),
        ("crossing", "verify") => {
            let two = &digits[&args[0]];
            assert_eq!(two.len(), 2);
            yes(two.iter().min().unwrap().to_string() == args[1])
        }
        ("crossing", _) => {
            let two = about(&args[0]);
            assert_eq!(two.len(), 2);
            two.iter().min().unwrap().to_string()
        }
        ("hint", "verify") => yes(Direction::ALL[hint.unwrap()].word() == args[0]),
        ("hint", _) => Direction::ALL[hint.unwrap()].word().into(),
        ("free", _) => about(&args[0]).into_iter().max().unwrap_or(0).to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn answers_are_those_of_a_person_who_looks_at_the_maze() {
    let source = MazeQuestions::new(settings(900, false)).unwrap();
    let rows = all_rows(&source);
    assert_eq!(rows.len(), 900);
    let mut families: BTreeMap<(String, String), usize> = BTreeMap::new();
    let (mut ids, mut worlds) = (HashSet::new(), BTreeMap::new());
    let mut labels: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for row in &rows {
        let found = if row.level == 1 { of_panel(row) } else { of_maze(row) };
        assert_eq!(row.answer, found, "{} {:?} {:?}", row.query, row.facts, row.plan);
        assert!(row.question.ends_with('?') && row.context.contains(&*row.rules));
        assert!(ids.insert(row.id.clone()));
        // No world is in two splits.
        let split = worlds.entry(row.world.clone()).or_insert_with(|| row.split.clone());
        assert_eq!(*split, row.split);
        *families.entry((row.family.to_string(), row.question_type.to_string())).or_default() += 1;
        if row.question_type == "verify" {
            labels.entry(row.family.to_string()).or_default()[usize::from(row.answer == "yes")] += 1;
        }
    }
    assert_eq!(families.len(), 13, "{families:?}");
    for (family, [no, yes]) in labels {
        assert!(no.abs_diff(yes) <= 6, "{family}: {no} no, {yes} yes");
    }
    // The same again, and the same whichever other groups were made.
    let (stream, items) = source.streams(0)[3];
    let again = source.group(stream, 0, items, &Clock::default()).unwrap();
    assert!(again.iter().all(|item| rows.contains(&item.row)));
}

#[test]
fn no_answer_comes_far_more_often_than_others() {
    for (mix, levels, depths) in [([0, 0, 1], vec![1, 3], vec![0]), ([0, 1, 0], vec![1, 2], vec![2])] {
        let settings = MazeItemSettings { mix, levels, depths, ..settings(480, false) };
        let rows = all_rows(&MazeQuestions::new(settings).unwrap());
        assert_eq!(rows.len(), 480);
        let mut answers: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        for row in &rows {
            *answers.entry(row.family.to_string()).or_default().entry(row.answer.clone()).or_default() += 1;
        }
        for (family, counts) in answers.iter().filter(|(_, counts)| counts.len() >= 4) {
            let (most, all) = (*counts.values().max().unwrap(), counts.values().sum::<usize>());
            assert!(most as f64 <= 0.33 * all as f64, "{family}: {counts:?}");
        }
    }
}

fn made(folder: &Path, pictures: bool, format: Format, items: u64) {
    let source = MazeQuestions::new(settings(items, pictures)).unwrap();
    let output = Output { formats: vec![format], ..Output::into(folder) };
    let config = Config { name: "halma".into(), source: &source };
    let origin = Origin { command: "racgen halma items".into(), seed: 5 };
    run(&[config], &output, &origin, &Silent, &AtomicBool::new(false)).unwrap();
}

#[test]
fn the_audit_reads_questions_about_mazes_and_sees_what_was_changed() {
    let folder = tempfile::tempdir().unwrap();
    let catalogue = Catalogue::find(&[]).unwrap();
    for (name, pictures, format) in [("told", false, Format::Jsonl), ("seen", true, Format::Parquet)] {
        let at = folder.path().join(name);
        made(&at, pictures, format, 400);
        let report = audit(&at, &catalogue, &AuditOptions::default(), &Silent).unwrap();
        let faults: Vec<_> = report.checks.iter().filter(|check| check.faults > 0).collect();
        assert!(report.pass && faults.is_empty(), "{faults:?} {:?}", report.reading);
        assert_eq!(report.reading.unwrap().read, 400);
        let read: Vec<Row> = rows(&at).unwrap().map(Result::unwrap).collect();
        let pictures_there = read.iter().filter(|row| row.extra.contains_key("image")).count();
        assert_eq!(
            pictures_there,
            if pictures { read.iter().filter(|row| row.level == 1).count() } else { 0 }
        );
        for row in read.iter().filter(|row| pictures && row.level == 1) {
            let Some(ExtraValue::Bytes(png)) = row.extra.get("image") else { panic!("no picture") };
            assert!(png.starts_with(b"\x89PNG\r\n"));
            // What is in the picture is not told.
            assert!(!row.initial_state.contains(|c: char| c.is_ascii_digit()), "{}", row.initial_state);
        }
    }
    // One word of the text, of the answer, of a column at a time.
    let at = folder.path().join("told/data/train-00000-of-00001.jsonl");
    let text = std::fs::read_to_string(&at).unwrap();
    let changes = [
        ("\"answer\":\"yes\"", "\"answer\":\"no\""),
        ("\"level\":1", "\"level\":2"),
        ("\"gold\":[\"no\"]", "\"gold\":[\"yes\"]"),
        ("\"initial_state\":\"The panel ", "\"initial_state\":\"The board "),
        ("\"depth\":3", "\"depth\":2"),
        ("move(right", "move(left"),
        ("\"world\":\"", "\"world\":\"0"),
        ("\"id\":\"", "\"id\":\"0"),
    ];
    for (was, is) in changes {
        assert!(text.contains(was), "{was}");
        std::fs::write(&at, text.replacen(was, is, 1)).unwrap();
        let report = audit(&at, &catalogue, &AuditOptions::default(), &Silent).unwrap();
        let troubles = report.reading.map(|reading| reading.troubles).unwrap_or_default();
        assert_eq!(troubles.values().sum::<usize>(), 1, "{was}: {troubles:?}");
    }
}

#[test]
fn what_cannot_be_asked_is_refused_in_words() {
    let refused = |settings: MazeItemSettings| MazeQuestions::new(settings).err().unwrap().to_string();
    assert!(refused(MazeItemSettings { levels: vec![4], ..settings(10, false) }).contains("--level"));
    assert!(refused(MazeItemSettings { depths: vec![13], ..settings(10, false) }).contains("--depth"));
    assert!(refused(MazeItemSettings { mix: [0; 3], ..settings(10, false) }).contains("--mix"));
    let pictures = MazeItemSettings { levels: vec![2], ..settings(10, true) };
    assert!(refused(pictures).contains("--pictures"));
}
