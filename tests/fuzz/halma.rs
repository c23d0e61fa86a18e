//! Rows of mazes, items about them, and files of digits: what is read is printed as it was understood, and else refused.

use std::path::Path;
use std::time::Duration;

use racgen::audit::reread::judge::Reread;
use racgen::audit::reread::verdict::Trouble;
use racgen::data::row::Row;
use racgen::domain::catalogue::Catalogue;
use racgen::halma::items::settings::MazeItemSettings;
use racgen::halma::items::source::MazeQuestions;
use racgen::halma::maze::tree::Maze;
use racgen::items::clock::Clock;
use racgen::items::source::{ItemSource, Split};
use racgen::pictures::idx::ScannedDigits;

use crate::document::Documents;
use crate::target::fuzz;
use crate::texts::change;

const SOLVER: Duration = Duration::from_secs(20);

const SEEDS: &[&str] = &[
    "##########\n.#.#.#####\nS.....#.##\n###.#...##\n###.#.#G##\n#######.##\n##########\n##########\n##########\n##########",
    "S........G\n##########\n##########\n##########\n##########\n##########\n##########\n##########\n##########\n##########",
];
const TOKENS: &[&str] = &["#", ".", "S", "G", "\n", "##########\n", "ä", " "];

#[test]
fn maze_rows() {
    fuzz(bolero::check!(), "maze_rows", Documents::new(SEEDS.iter().copied(), TOKENS), |text| {
        let rows: Vec<&str> = text.split('\n').collect();
        let Ok(maze) = Maze::from_rows(&rows) else { return false };
        assert_eq!(maze.rows(), rows);
        assert_eq!(Maze::from_rows(&maze.rows()), Ok(maze));
        true
    });
}

/// A few rows about panels and mazes.
fn items() -> Vec<Row> {
    let settings = MazeItemSettings {
        levels: vec![1, 2],
        depths: vec![0, 2],
        items: 24,
        splits: vec![Split { name: "train".into(), weight: 1.0 }],
        mix: [4, 3, 3],
        seed: 0,
        pictures: false,
        open_vocabulary: true,
    };
    let source = MazeQuestions::new(settings).unwrap();
    let streams = source.streams(0);
    let made =
        streams.iter().map(|(stream, rows)| source.group(*stream, 0, *rows, &Clock::default()).unwrap());
    made.flatten().map(|item| item.row).collect()
}

#[test]
fn maze_items() {
    let catalogue = Catalogue::find(&[]).unwrap();
    let reread = Reread::new(&catalogue, SOLVER);
    let made = items();
    let texts = |row: &Row| {
        let shared = [&row.initial_state, &row.rules, &row.actions].map(|text| text.to_string());
        shared.into_iter().chain([row.question.clone(), row.query.clone(), row.answer.clone()])
    };
    let documents = Documents::new(made.iter().flat_map(texts).collect::<Vec<_>>(), TOKENS);
    fuzz(bolero::check!(), "maze_items", documents, |text| {
        match &reread.judge(&[change(&made, text)], &|_| ())[0] {
            Ok(_) => true,
            Err(found) => found.trouble != Trouble::Unreadable,
        }
    });
}

/// Bytes as a text, one letter each.
const DIGITS: &str = "\0\0\u{8}\u{3}\0\0\0\n\0\0\0\u{1}\0\0\0\u{1}0123456789|\0\0\u{8}\u{1}\0\0\0\n\0\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}\t";
const BYTES: &[&str] =
    &["\0", "\0\0\u{8}\u{3}", "\0\0\u{8}\u{1}", "\u{ff}\u{ff}\u{ff}\u{ff}", "\0\0\0\n", "|", "\u{80}"];

#[test]
fn idx_files() {
    fuzz(bolero::check!(), "idx_files", Documents::new([DIGITS], BYTES), |text| {
        let bytes = |part: &str| -> Vec<u8> { part.chars().map(|letter| letter as u8).collect() };
        let (images, labels) = text.split_once('|').unwrap_or((text, ""));
        let (images, labels) = (bytes(images), bytes(labels));
        let Ok(digits) =
            ScannedDigits::from_bytes((Path::new("images"), &images), (Path::new("labels"), &labels))
        else {
            return false;
        };
        assert!(digits.images.iter().flatten().all(|image| image.len() % digits.columns == 0));
        assert_eq!(digits.images.iter().map(Vec::len).sum::<usize>() + 8, labels.len());
        true
    });
}
