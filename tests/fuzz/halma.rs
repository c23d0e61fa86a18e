//! Rows of mazes: what is read is printed as it was understood.

use racgen::halma::maze::tree::Maze;

use crate::document::Documents;
use crate::target::fuzz;

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
