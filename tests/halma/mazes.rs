//! Promise: mazes are what the paper says, and clingo sees of them what a person sees.

use std::collections::{HashMap, HashSet};

use racgen::halma::maze::chart::Chart;
use racgen::halma::maze::generate::Branching;
use racgen::halma::maze::grid::{Direction, GridCell};
use racgen::halma::maze::set::{ChartedMaze, MazeSplit, maze_set, read_mazes};
use racgen::halma::maze::shapes;
use racgen::halma::maze::tree::Maze;
use racgen::halma::measure::bands::PanelCounts;
use racgen::halma::play::panel::Panel;
use racgen::logic::clingo::{Program, Source};

use crate::simulator::NaiveMaze;

pub fn set(mazes: u64, seed: u64) -> Vec<ChartedMaze> {
    let split = |name: &str, branching| MazeSplit { name: name.into(), mazes, branching };
    maze_set(&[split("train", Branching::TRAINING), split("test", Branching::TEST)], seed).unwrap()
}

#[test]
fn path_shapes_are_as_many_as_the_paper_counts() {
    assert_eq!(shapes::count(), 738_980);
    let text = "ways(X,0,1) :- X = 0..9. ways(0,Y,1) :- Y = 1..9.
                ways(X,Y,M+N) :- X = 1..9, Y = 1..9, ways(X-1,Y,M), ways(X,Y-1,N).
                shapes(4*S) :- S = #sum { N,X,Y : ways(X,Y,N), X > 0 }.";
    let program = Program { sources: vec![Source::new("shapes", text)], ..Program::default() };
    let counted = program.facts(&[("shapes", 1)]).unwrap();
    assert_eq!(counted.iter().map(|(_, args)| args[0]).collect::<Vec<_>>(), [738_980]);
}

#[test]
fn what_is_seen_is_what_stands_in_the_rows() {
    let mut panels = 0;
    for maze in set(150, 5) {
        let naive = NaiveMaze::new(&maze.record.rows);
        let goal = naive.find('G');
        let spots = naive.spots();
        assert_eq!(maze.chart.cells().count(), spots.len());
        for (x, y) in spots {
            let cell = maze.chart.at(GridCell::new(x, y).unwrap()).unwrap();
            let panel = Panel::of(cell);
            for direction in Direction::ALL {
                assert_eq!(i32::from(panel.wall(direction)), naive.wall((x, y), direction));
                assert_eq!(
                    i32::from(panel.crossing(direction).unwrap_or(0)),
                    naive.crossing((x, y), direction)
                );
            }
            let symbols = panel.symbols();
            assert_eq!((i32::from(symbols[8]), i32::from(symbols[9])), (goal.0 - x, goal.1 - y));
            assert_eq!(panel.hint(), naive.hint((x, y)), "{:?}", maze.record);
            let digits = panel.digits();
            assert!((1..=8).contains(&digits.len()) || (x, y) == goal, "{digits:?}");
            assert!(digits.iter().all(|digit| (1..=9).contains(&digit.digit)));
            panels += 1;
        }
    }
    assert!(panels > 6000, "{panels}");
}

#[test]
fn the_optimum_is_what_breadth_first_search_finds() {
    for maze in set(100, 6) {
        let naive = NaiveMaze::new(&maze.record.rows);
        for most in [1, 3, 5] {
            assert_eq!(maze.chart.optimum(most).unwrap(), naive.fewest_moves(3 * i32::from(most)), "{most}");
        }
        let units: u32 = maze.chart.legs.iter().map(|(_, units)| u32::from(*units)).sum();
        assert_eq!(units as usize, naive.distances()[&naive.find('S')]);
    }
}

#[test]
fn mazes_are_trees_whose_ways_bring_the_goal_nearer() {
    for maze in set(150, 7) {
        let naive = NaiveMaze::new(&maze.record.rows);
        let (spots, far) = (naive.spots(), naive.distances());
        assert_eq!(far.len(), spots.len(), "cut off");
        let edges: usize = spots.iter().map(|spot| naive.exits(*spot)).sum();
        assert_eq!(edges, 2 * (spots.len() - 1), "a tree has one edge less than cells");
        let (start, goal) = (naive.find('S'), naive.find('G'));
        assert_eq!(far[&start] as i32, (start.0 - goal.0).abs() + (start.1 - goal.1).abs());
    }
}

/// The bands of appendix C hold for a set of 100 mazes, as the mean of ten sets.
#[test]
fn panels_show_what_the_paper_says_they_show() {
    let mut counts = PanelCounts::default();
    let mut branches: HashMap<String, Vec<u8>> = HashMap::new();
    let mut sets = 0.0;
    for seed in 0..10 {
        for maze in set(100, seed) {
            branches.entry(maze.record.split.clone()).or_default().extend(&maze.record.branches);
            if maze.record.split == "train" {
                counts.add(&maze.chart);
            }
        }
        sets += 1.0;
    }
    let mean = |split: &str| {
        let all = &branches[split];
        all.iter().map(|depth| f64::from(*depth)).sum::<f64>() / all.len() as f64
    };
    println!("{:?}\nbranches {} {}", counts, mean("train"), mean("test"));
    assert!(counts.share(3..=6) > 0.9 && counts.share(1..=2) + counts.share(7..=8) < 0.1);
    assert_eq!(counts.share(9..=10), 0.0);
    assert!(counts.in_a_hundred(1) > 4000.0 && counts.in_a_hundred(9) < 100.0);
    for share in counts.colour_shares() {
        assert!((share - 0.25).abs() < 0.02, "{:?}", counts.colour_shares());
    }
    assert!((mean("train") - 2.0).abs() < 0.1 && (mean("test") - 5.0).abs() < 0.3);
    let each = branches["train"].len() as f64 / (100.0 * sets);
    assert!((each - 5.0).abs() < 0.15, "{each} branches a maze");
}

#[test]
fn no_maze_is_an_image_of_another() {
    let set = set(200, 8);
    let keys: HashSet<&str> = set.iter().map(|maze| maze.record.key.as_str()).collect();
    assert_eq!(keys.len(), set.len());
    // A mirror image and a moved one have the key; another goal gives another.
    let rows = |text: &str| {
        let mut rows: Vec<String> = text.split(' ').map(|row| format!("{row:#<10}")).collect();
        rows.resize(10, "#".repeat(10));
        Maze::from_rows(&rows).unwrap()
    };
    let maze = rows("S..# ##.# ##G.");
    assert_eq!(maze.key(), rows(".G## #.## #..S").key());
    assert_eq!(maze.key(), rows("##### #S..# ###.# ###G.").key());
    assert_ne!(maze.key(), rows("S..# ##.# ##.G").key());
}

#[test]
fn what_is_no_maze_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mazes.jsonl");
    let wall = "#".repeat(10);
    let record = |rows: &[&str]| {
        let mut rows: Vec<String> = rows.iter().map(|row| format!("{row:#<10}")).collect();
        rows.resize(10, wall.clone());
        serde_json::json!({"id": "a", "split": "x", "rows": rows}).to_string()
    };
    let told = |text: &str| {
        std::fs::write(&file, text).unwrap();
        let error = read_mazes(&file).unwrap_err().to_string();
        assert!(error.starts_with(&file.display().to_string()), "{error}");
        error
    };
    assert!(read_mazes(&folder.path().join("none")).is_err());
    assert!(told("").contains("holds no maze"));
    assert!(told("nonsense").contains(":1: this is no maze"));
    assert!(told(&record(&["S..G", "##x#"])).contains("row 1: `x`"));
    assert!(told(&record(&["S..#"])).contains("one goal"));
    assert!(told(&record(&["S.#G"])).contains("cut off from the goal"));
    assert!(told(&record(&["S..G", ".#.#", "...#"])).contains("no loops"));
    // A detour: the second step goes away from the goal.
    assert!(told(&record(&["S#G#", ".#.#", "...#"])).contains("a step away"));
    let good = record(&["S..G"]);
    assert!(told(&format!("{good}\n{good}")).contains(":2: `a` comes a second time"));
    assert!(told("{\"id\": \"a\", \"split\": \"x\", \"rows\": [\"S\"]}").contains("10 rows"));
    std::fs::write(&file, &good).unwrap();
    let read = read_mazes(&file).unwrap();
    assert_eq!(read[0].chart.legs, [(Direction::Right, 3)]);
    assert!(Chart::of(&Maze::from_rows(&read[0].record.rows).unwrap()).is_ok());
}
