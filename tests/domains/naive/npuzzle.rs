//! Sliding tiles: a board of cells, each with a tile but for one, where tiles slide and are pushed toward the empty cell.
//! Written from the sentences of the rules in the phrase book.

use super::{Answer, Objects, World, in_order};

#[derive(Clone)]
pub struct NPuzzle {
    objects: Objects,
    /// From top to bottom.
    rows: Vec<String>,
    /// From left to right.
    columns: Vec<String>,
    /// In the order of the picture.
    tiles: Vec<String>,
    /// The board row by row, as lists of tiles.
    board: Vec<Vec<Option<String>>>,
}

type Cell = (usize, usize);

fn name(names: &[String], wanted: &str) -> Option<usize> {
    names.iter().position(|name| name == wanted)
}

impl NPuzzle {
    fn tile(&self, (row, column): Cell) -> Option<&String> {
        self.board[row][column].as_ref()
    }

    fn cells(&self) -> Vec<Cell> {
        (0..self.rows.len())
            .flat_map(|row| (0..self.columns.len()).map(move |column| (row, column)))
            .collect()
    }

    fn cell_of(&self, tile: &str) -> Cell {
        let has = |cell: &Cell| self.tile(*cell).is_some_and(|there| there == tile);
        self.cells().into_iter().find(has).expect("each tile has a cell")
    }

    fn gap(&self) -> Cell {
        self.cells().into_iter().find(|cell| self.tile(*cell).is_none()).expect("one cell is empty")
    }

    fn home(&self, tile: &str) -> Cell {
        let place = name(&self.tiles, tile).expect("known");
        (place / self.columns.len(), place % self.columns.len())
    }

    fn in_place(&self, tile: &str) -> bool {
        self.cell_of(tile) == self.home(tile)
    }

    /// The cell from which a tile slides in the direction.
    fn source(&self, direction: &str) -> Option<Cell> {
        let (row, column) = self.gap();
        let (row, column) = match direction {
            "up" => (row + 1, column),
            "down" => (row.checked_sub(1)?, column),
            "left" => (row, column + 1),
            "right" => (row, column.checked_sub(1)?),
            _ => return None,
        };
        (row < self.rows.len() && column < self.columns.len()).then_some((row, column))
    }

    fn can_push(&self, tile: &str) -> bool {
        let ((a, b), (c, d)) = (self.cell_of(tile), self.gap());
        (a == c || b == d) && !self.beside_gap(tile)
    }

    /// How many cells lie between two of one line, and one more.
    fn apart(one: Cell, other: Cell) -> usize {
        one.0.abs_diff(other.0) + one.1.abs_diff(other.1)
    }

    fn fill_gap_from(&mut self, cell: Cell) {
        let gap = self.gap();
        self.board[gap.0][gap.1] = self.board[cell.0][cell.1].take();
    }

    /// The tile is moved by moving one tile after the other into the empty cell, the nearest first.
    fn push(&mut self, tile: &str) {
        let target = self.cell_of(tile);
        while self.gap() != target {
            let (row, column) = self.gap();
            let toward = |from: usize, to: usize| match from.cmp(&to) {
                std::cmp::Ordering::Less => from + 1,
                std::cmp::Ordering::Equal => from,
                std::cmp::Ordering::Greater => from - 1,
            };
            self.fill_gap_from((toward(row, target.0), toward(column, target.1)));
        }
    }

    fn those(&self, test: impl Fn(&str) -> bool) -> Vec<String> {
        self.tiles.iter().filter(|tile| test(tile)).cloned().collect()
    }

    fn neighbors(&self, tile: &str) -> Vec<String> {
        self.those(|other| Self::apart(self.cell_of(tile), self.cell_of(other)) == 1)
    }

    fn beside_gap(&self, tile: &str) -> bool {
        Self::apart(self.cell_of(tile), self.gap()) == 1
    }

    /// The tile so many rows down and so many columns to the right of another.
    fn offset(&self, tile: &str, down: isize, right: isize) -> Vec<String> {
        let (row, column) = self.cell_of(tile);
        let row = row.checked_add_signed(down).and_then(|row| self.board.get(row));
        let cell = row.and_then(|row| row.get(column.checked_add_signed(right)?));
        cell.and_then(Clone::clone).into_iter().collect()
    }

    fn complete(&self, line: impl Fn(Cell) -> usize, number: usize) -> bool {
        self.tiles.iter().filter(|tile| line(self.home(tile)) == number).all(|tile| self.in_place(tile))
    }
}

impl World for NPuzzle {
    const TYPES: &'static [&'static str] = &["row", "column", "tile"];
    const FLUENTS: &'static [&'static str] = &["at(tile,row,column)", "empty(row,column)", "in_place(tile)"];
    const ACTIONS: &'static [&'static str] =
        &["slide(up)", "slide(down)", "slide(left)", "slide(right)", "push(tile)"];
    const FAMILIES: &'static [&'static str] = &[
        "in_row(tile,row)",
        "in_column(tile,column)",
        "same_row(tile,tile)",
        "same_column(tile,tile)",
        "adjacent(tile,tile)",
        "right_of(tile,tile)",
        "under(tile,tile)",
        "higher(tile,tile)",
        "lefter(tile,tile)",
        "beside_gap(tile)",
        "gap_in_row(row)",
        "gap_in_column(column)",
        "home_row(tile)",
        "home_column(tile)",
        "tiles_in_place",
        "tiles_pushable",
        "how_many_adjacent(tile)",
        "how_many_higher(tile)",
        "how_many_lefter(tile)",
        "rows_complete",
        "columns_complete",
        "row_of(tile)",
        "column_of(tile)",
        "row_of_gap",
        "column_of_gap",
        "directly_right(tile)",
        "directly_left(tile)",
        "directly_under(tile)",
        "directly_over(tile)",
        "which_beside_gap",
        "which_pushable",
        "tiles_in_row(row)",
        "tiles_in_column(column)",
        "in_its_place(tile)",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let order = |kind: &str, relation: &str| {
            let of = facts.iter().filter(|fact| fact[0] == relation);
            let pairs: Vec<(String, String)> =
                of.map(|fact| (fact[1].to_owned(), fact[2].to_owned())).collect();
            in_order(&objects.of(kind), &pairs)
        };
        let (rows, columns) = (order("row", "above")?, order("column", "left_of")?);
        let mut board = vec![vec![None; columns.len()]; rows.len()];
        for fact in facts {
            match fact.as_slice() {
                ["at", tile, row, column] => {
                    let row = name(&rows, row).ok_or("no such row")?;
                    let column = name(&columns, column).ok_or("no such column")?;
                    if board[row][column].replace((*tile).to_owned()).is_some() {
                        return Err("two tiles are in one cell".to_owned());
                    }
                }
                ["above" | "left_of" | "follows" | "empty", _, _] | ["in_place", _] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }
        let tiles = order("tile", "follows")?;
        let found = board.iter().flatten().flatten().count();
        if found != tiles.len() || found + 1 != rows.len() * columns.len() {
            return Err("the tiles do not fill the board but for one cell".to_owned());
        }
        Ok(NPuzzle { rows, columns, tiles, board, objects })
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        let cell = |row: &str, column: &str| {
            (name(&self.rows, row).expect("known"), name(&self.columns, column).expect("known"))
        };
        match fluent {
            ["at", tile, row, column] => self.cell_of(tile) == cell(row, column),
            ["empty", row, column] => self.gap() == cell(row, column),
            ["in_place", tile] => self.in_place(tile),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["slide", direction] => self.source(direction).is_some(),
            ["push", tile] => self.can_push(tile),
            _ => panic!("no action {action:?}"),
        }
    }

    fn conditions(&self, _action: &[&str]) -> Vec<(String, bool)> {
        vec![]
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["slide", direction] => {
                let from = self.source(direction).ok_or("no tile on that side")?;
                self.fill_gap_from(from);
            }
            ["push", tile] => self.push(tile),
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let row = |tile: &str| self.cell_of(tile).0;
        let column = |tile: &str| self.cell_of(tile).1;
        Some(match question {
            ["in_row", tile, wanted] => Answer::Truth(self.rows[row(tile)] == *wanted),
            ["in_column", tile, wanted] => Answer::Truth(self.columns[column(tile)] == *wanted),
            ["same_row", one, other] => Answer::Truth(row(one) == row(other)),
            ["same_column", one, other] => Answer::Truth(column(one) == column(other)),
            ["adjacent", one, other] => Answer::Truth(self.neighbors(one).iter().any(|tile| tile == other)),
            ["right_of", left, right] => {
                Answer::Truth(row(left) == row(right) && column(left) + 1 == column(right))
            }
            ["under", upper, lower] => {
                Answer::Truth(column(upper) == column(lower) && row(upper) + 1 == row(lower))
            }
            ["higher", one, other] => Answer::Truth(row(one) < row(other)),
            ["lefter", one, other] => Answer::Truth(column(one) < column(other)),
            ["beside_gap", tile] => Answer::Truth(self.beside_gap(tile)),
            ["gap_in_row", wanted] => Answer::Truth(name(&self.rows, wanted) == Some(self.gap().0)),
            ["gap_in_column", wanted] => Answer::Truth(name(&self.columns, wanted) == Some(self.gap().1)),
            ["home_row", tile] => Answer::Truth(row(tile) == self.home(tile).0),
            ["home_column", tile] => Answer::Truth(column(tile) == self.home(tile).1),
            ["tiles_in_place"] => Answer::Number(self.those(|tile| self.in_place(tile)).len()),
            ["tiles_pushable"] => Answer::Number(self.those(|tile| self.can_push(tile)).len()),
            ["how_many_adjacent", tile] => Answer::Number(self.neighbors(tile).len()),
            ["how_many_higher", tile] => Answer::Number(self.those(|other| row(other) < row(tile)).len()),
            ["how_many_lefter", tile] => {
                Answer::Number(self.those(|other| column(other) < column(tile)).len())
            }
            ["rows_complete"] => {
                let complete = |number: &usize| self.complete(|cell| cell.0, *number);
                Answer::Number((0..self.rows.len()).filter(complete).count())
            }
            ["columns_complete"] => {
                let complete = |number: &usize| self.complete(|cell| cell.1, *number);
                Answer::Number((0..self.columns.len()).filter(complete).count())
            }
            ["row_of", tile] => Answer::Names(vec![self.rows[row(tile)].clone()]),
            ["column_of", tile] => Answer::Names(vec![self.columns[column(tile)].clone()]),
            ["row_of_gap"] => Answer::Names(vec![self.rows[self.gap().0].clone()]),
            ["column_of_gap"] => Answer::Names(vec![self.columns[self.gap().1].clone()]),
            ["directly_right", tile] => Answer::Names(self.offset(tile, 0, 1)),
            ["directly_left", tile] => Answer::Names(self.offset(tile, 0, -1)),
            ["directly_under", tile] => Answer::Names(self.offset(tile, 1, 0)),
            ["directly_over", tile] => Answer::Names(self.offset(tile, -1, 0)),
            ["which_beside_gap"] => Answer::Names(self.those(|tile| self.beside_gap(tile))),
            ["which_pushable"] => Answer::Names(self.those(|tile| self.can_push(tile))),
            ["tiles_in_row", wanted] => Answer::Names(self.those(|tile| self.rows[row(tile)] == *wanted)),
            ["tiles_in_column", wanted] => {
                Answer::Names(self.those(|tile| self.columns[column(tile)] == *wanted))
            }
            ["in_its_place", tile] => {
                Answer::Names(self.tile(self.home(tile)).cloned().into_iter().collect())
            }
            _ => return None,
        })
    }
}
