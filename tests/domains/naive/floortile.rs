//! Floor tiles: robots walk over a floor and paint or scrub the tiles before and behind them. Written from the sentences
//! of the rules in the phrase book.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Objects, World, in_order, pairs};

/// Row and column.
type Tile = (String, String);

#[derive(Clone)]
pub struct FloorTile {
    objects: Objects,
    /// From front to back.
    rows: Vec<String>,
    /// From left to right.
    columns: Vec<String>,
    planned: BTreeMap<String, String>,
    robots: BTreeMap<String, Tile>,
    paint_of: BTreeMap<String, String>,
    color: BTreeMap<Tile, String>,
}

fn tile(row: &str, column: &str) -> Tile {
    (row.to_owned(), column.to_owned())
}

fn shifted(order: &[String], id: &str, by: isize) -> Option<String> {
    let place = order.iter().position(|o| o == id)?;
    order.get(place.checked_add_signed(by)?).cloned()
}

impl FloorTile {
    fn ahead(&self, robot: &str, direction: &str) -> Option<Tile> {
        let (row, column) = &self.robots[robot];
        Some(match direction {
            "forward" => (shifted(&self.rows, row, -1)?, column.clone()),
            "backward" => (shifted(&self.rows, row, 1)?, column.clone()),
            "left" => (row.clone(), shifted(&self.columns, column, -1)?),
            "right" => (row.clone(), shifted(&self.columns, column, 1)?),
            _ => return None,
        })
    }

    fn clear(&self, tile: &Tile) -> bool {
        !self.color.contains_key(tile) && self.robots.values().all(|taken| taken != tile)
    }

    fn as_planned(&self, tile: &Tile) -> bool {
        self.color.get(tile).is_some_and(|color| self.planned[&tile.0] == *color)
    }

    fn tiles(&self) -> Vec<Tile> {
        self.rows.iter().flat_map(|row| self.columns.iter().map(move |column| tile(row, column))).collect()
    }

    fn count(&self, test: impl Fn(&Tile) -> bool) -> Answer {
        Answer::Number(self.tiles().iter().filter(|tile| test(tile)).count())
    }

    fn moves(&self, robot: &str) -> usize {
        let directions = ["forward", "backward", "left", "right"];
        directions.iter().filter(|d| self.ahead(robot, d).is_some_and(|next| self.clear(&next))).count()
    }

    /// The tiles that the robot can paint.
    fn paintable(&self, robot: &str) -> Vec<Tile> {
        let both = ["forward", "backward"].into_iter().filter_map(|d| self.ahead(robot, d));
        both.filter(|tile| self.clear(tile)).collect()
    }

    fn scrubbable(&self, robot: &str) -> Vec<Tile> {
        let both = ["forward", "backward"].into_iter().filter_map(|d| self.ahead(robot, d));
        both.filter(|tile| self.color.contains_key(tile)).collect()
    }

    fn area(&self, color: &str) -> usize {
        self.color.values().filter(|there| *there == color).count()
    }

    fn color_at(&self, tile: Option<Tile>) -> Answer {
        Answer::Names(tile.and_then(|tile| self.color.get(&tile).cloned()).into_iter().collect())
    }

    fn colors(&self, test: impl Fn(&Tile) -> bool) -> BTreeSet<&String> {
        self.color.iter().filter(|(tile, _)| test(tile)).map(|(_, color)| color).collect()
    }

    fn check(&self) -> Result<(), String> {
        for robot in self.objects.of("robot") {
            if !self.robots.contains_key(&robot) || !self.paint_of.contains_key(&robot) {
                return Err(format!("{robot} is nowhere or has no paint"));
            }
            let here = &self.robots[&robot];
            let others = self.robots.values().filter(|tile| *tile == here).count();
            if others != 1 || self.color.contains_key(here) {
                return Err(format!("{robot} shares its tile or stands on paint"));
            }
        }
        if self.rows.iter().any(|row| !self.planned.contains_key(row)) {
            return Err("a row without a planned color".to_owned());
        }
        Ok(())
    }
}

impl World for FloorTile {
    const TYPES: &'static [&'static str] = &["row", "column", "robot", "color"];
    const FLUENTS: &'static [&'static str] = &[
        "at(robot,row,column)",
        "loaded(robot,color)",
        "painted(row,column,color)",
        "clear(row,column)",
        "as_planned(row,column)",
    ];
    const ACTIONS: &'static [&'static str] = &[
        "move(robot,forward)",
        "move(robot,backward)",
        "move(robot,left)",
        "move(robot,right)",
        "paint(robot,forward)",
        "paint(robot,backward)",
        "scrub(robot,forward)",
        "scrub(robot,backward)",
        "take(robot,color)",
    ];
    const FAMILIES: &'static [&'static str] = &[
        "is_painted(row,column)",
        "can_be_painted(row,column)",
        "can_be_scrubbed(row,column)",
        "can_move(robot)",
        "can_paint(robot)",
        "in_row(robot,row)",
        "in_column(robot,column)",
        "same_row(robot,robot)",
        "same_column(robot,robot)",
        "before(robot,robot)",
        "lefter(robot,robot)",
        "same_paint(robot,robot)",
        "any_painted(color)",
        "any_in_row(row)",
        "any_in_column(column)",
        "color_in_row(color,row)",
        "more_tiles(color,color)",
        "tiles_painted",
        "tiles_of(color)",
        "tiles_in_row(row)",
        "tiles_in_column(column)",
        "tiles_clear",
        "tiles_as_planned",
        "clear_in_row(row)",
        "colors_used",
        "how_many_moves(robot)",
        "how_many_scrubbable",
        "row_of(robot)",
        "column_of(robot)",
        "robots_in_row(row)",
        "robots_in_column(column)",
        "color_before(robot)",
        "color_behind(robot)",
        "colors_in_row(row)",
        "colors_in_column(column)",
        "unused_colors",
        "rows_without_paint",
        "columns_without_paint",
        "most_tiles",
        "planned_before(robot)",
        "who_can_paint",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let mut world = FloorTile {
            rows: in_order(&objects.of("row"), &pairs::<Vec<_>>(facts, "above"))?,
            columns: in_order(&objects.of("column"), &pairs::<Vec<_>>(facts, "left_of"))?,
            planned: pairs(facts, "planned"),
            paint_of: pairs(facts, "loaded"),
            robots: BTreeMap::new(),
            color: BTreeMap::new(),
            objects,
        };
        for fact in facts {
            match fact.as_slice() {
                ["at", robot, row, column] => {
                    world.robots.insert((*robot).to_owned(), tile(row, column));
                }
                ["painted", row, column, color] => {
                    if world.color.insert(tile(row, column), (*color).to_owned()).is_some() {
                        return Err("a tile of two colors".to_owned());
                    }
                }
                ["above" | "left_of" | "planned" | "loaded" | "clear" | "as_planned", _, _] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }
        world.check()?;
        Ok(world)
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["at", robot, row, column] => self.robots[*robot] == tile(row, column),
            ["loaded", robot, color] => self.paint_of[*robot] == *color,
            ["painted", row, column, color] => {
                self.color.get(&tile(row, column)).is_some_and(|there| there == color)
            }
            ["clear", row, column] => self.clear(&tile(row, column)),
            ["as_planned", row, column] => self.as_planned(&tile(row, column)),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["move" | "paint", robot, direction] => {
                self.ahead(robot, direction).is_some_and(|next| self.clear(&next))
            }
            ["scrub", robot, direction] => {
                self.ahead(robot, direction).is_some_and(|next| self.color.contains_key(&next))
            }
            ["take", robot, color] => self.paint_of[*robot] != *color,
            _ => panic!("no action {action:?}"),
        }
    }

    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        match action {
            ["take", robot, color] => vec![(format!("loaded({robot},{color})"), false)],
            _ => vec![],
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["move", robot, direction] => {
                let next = self.ahead(robot, direction).ok_or("no tile there")?;
                self.robots.insert((*robot).to_owned(), next);
            }
            ["paint", robot, direction] => {
                let next = self.ahead(robot, direction).ok_or("no tile there")?;
                self.color.insert(next, self.paint_of[*robot].clone());
            }
            ["scrub", robot, direction] => {
                let next = self.ahead(robot, direction).ok_or("no tile there")?;
                self.color.remove(&next);
            }
            ["take", robot, color] => {
                self.paint_of.insert((*robot).to_owned(), (*color).to_owned());
            }
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let row = |robot: &str| self.rows.iter().position(|row| *row == self.robots[robot].0);
        let column = |robot: &str| self.columns.iter().position(|column| *column == self.robots[robot].1);
        let painted = |tile: &Tile| self.color.contains_key(tile);
        let any = |test: &dyn Fn(&Tile) -> bool| self.color.keys().any(test);
        let names = |set: BTreeSet<&String>| Answer::Names(set.into_iter().cloned().collect());
        Some(match question {
            ["is_painted", r, c] => Answer::Truth(painted(&tile(r, c))),
            ["can_be_painted", r, c] => {
                let robots = self.those("robot", |robot| self.paintable(robot).contains(&tile(r, c)));
                Answer::Truth(!robots.is_empty())
            }
            ["can_be_scrubbed", r, c] => {
                let robots = self.those("robot", |robot| self.scrubbable(robot).contains(&tile(r, c)));
                Answer::Truth(!robots.is_empty())
            }
            ["can_move", robot] => Answer::Truth(self.moves(robot) > 0),
            ["can_paint", robot] => Answer::Truth(!self.paintable(robot).is_empty()),
            ["in_row", robot, r] => Answer::Truth(self.robots[*robot].0 == *r),
            ["in_column", robot, c] => Answer::Truth(self.robots[*robot].1 == *c),
            ["same_row", one, other] => Answer::Truth(row(one) == row(other)),
            ["same_column", one, other] => Answer::Truth(column(one) == column(other)),
            ["before", one, other] => Answer::Truth(row(one) < row(other)),
            ["lefter", one, other] => Answer::Truth(column(one) < column(other)),
            ["same_paint", one, other] => Answer::Truth(self.paint_of[*one] == self.paint_of[*other]),
            ["any_painted", color] => Answer::Truth(self.area(color) > 0),
            ["any_in_row", r] => Answer::Truth(any(&|tile| tile.0 == *r)),
            ["any_in_column", c] => Answer::Truth(any(&|tile| tile.1 == *c)),
            ["color_in_row", color, r] => {
                Answer::Truth(self.color.iter().any(|(tile, there)| tile.0 == *r && there == color))
            }
            ["more_tiles", one, other] => Answer::Truth(self.area(one) > self.area(other)),
            ["tiles_painted"] => self.count(painted),
            ["tiles_of", color] => Answer::Number(self.area(color)),
            ["tiles_in_row", r] => self.count(|tile| tile.0 == *r && painted(tile)),
            ["tiles_in_column", c] => self.count(|tile| tile.1 == *c && painted(tile)),
            ["tiles_clear"] => self.count(|tile| self.clear(tile)),
            ["tiles_as_planned"] => self.count(|tile| self.as_planned(tile)),
            ["clear_in_row", r] => self.count(|tile| tile.0 == *r && self.clear(tile)),
            ["colors_used"] => Answer::Number(self.colors(|_| true).len()),
            ["how_many_moves", robot] => Answer::Number(self.moves(robot)),
            ["how_many_scrubbable"] => {
                self.count(|tile| self.robots.keys().any(|robot| self.scrubbable(robot).contains(tile)))
            }
            ["row_of", robot] => Answer::Names(vec![self.robots[*robot].0.clone()]),
            ["column_of", robot] => Answer::Names(vec![self.robots[*robot].1.clone()]),
            ["robots_in_row", r] => Answer::Names(self.those("robot", |robot| self.robots[robot].0 == *r)),
            ["robots_in_column", c] => Answer::Names(self.those("robot", |robot| self.robots[robot].1 == *c)),
            ["color_before", robot] => self.color_at(self.ahead(robot, "forward")),
            ["color_behind", robot] => self.color_at(self.ahead(robot, "backward")),
            ["colors_in_row", r] => names(self.colors(|tile| tile.0 == *r)),
            ["colors_in_column", c] => names(self.colors(|tile| tile.1 == *c)),
            ["unused_colors"] => Answer::Names(self.those("color", |color| self.area(color) == 0)),
            ["rows_without_paint"] => Answer::Names(self.those("row", |r| !any(&|tile| tile.0 == *r))),
            ["columns_without_paint"] => Answer::Names(self.those("column", |c| !any(&|tile| tile.1 == *c))),
            ["most_tiles"] => {
                let most = self.objects.of("color").iter().map(|color| self.area(color)).max();
                Answer::Names(self.those("color", |color| Some(self.area(color)) == most))
            }
            ["planned_before", robot] => {
                let ahead = self.ahead(robot, "forward");
                Answer::Names(ahead.map(|(row, _)| self.planned[&row].clone()).into_iter().collect())
            }
            ["who_can_paint"] => {
                Answer::Names(self.those("robot", |robot| !self.paintable(robot).is_empty()))
            }
            _ => return None,
        })
    }
}
