//! Towers of Hanoi: the discs on a peg lie in the order of their widths; pegs with one disc at most can be carried.

use std::collections::BTreeMap;

use super::{Answer, Objects, World};

#[derive(Clone)]
pub struct Hanoi {
    objects: Objects,
    width: BTreeMap<String, usize>,
    peg_of: BTreeMap<String, String>,
    table_of: BTreeMap<String, String>,
}

impl Hanoi {
    /// The discs on a peg, from the smallest to the largest, that is, from the top to the bottom.
    fn tower(&self, peg: &str) -> Vec<String> {
        let mut discs = self.objects.those("disc", |disc| self.peg_of[disc] == peg);
        discs.sort_by_key(|disc| self.width[disc]);
        discs
    }

    fn height(&self, peg: &str) -> usize {
        self.tower(peg).len()
    }

    /// The discs above, and those below, on the same peg.
    fn around(&self, disc: &str) -> (Vec<String>, Vec<String>) {
        let tower = self.tower(&self.peg_of[disc]);
        let place = tower.iter().position(|other| other == disc).expect("a disc is on its peg");
        (tower[..place].to_vec(), tower[place + 1..].to_vec())
    }

    fn is_top(&self, disc: &str) -> bool {
        self.around(disc).0.is_empty()
    }

    fn table(&self, disc: &str) -> &str {
        &self.table_of[&self.peg_of[disc]]
    }

    fn fits(&self, disc: &str, peg: &str) -> bool {
        self.tower(peg).first().is_none_or(|top| self.width[top] >= self.width[disc])
    }

    fn can_move(&self, disc: &str, peg: &str) -> bool {
        self.is_top(disc)
            && self.peg_of[disc] != peg
            && self.table(disc) == self.table_of[peg]
            && self.fits(disc, peg)
    }

    fn targets(&self, disc: &str) -> Vec<String> {
        self.objects.those("peg", |peg| self.can_move(disc, peg))
    }

    fn tallest(&self) -> usize {
        self.objects.of("peg").iter().map(|peg| self.height(peg)).max().unwrap_or(0)
    }

    fn bare_at(&self, table: &str) -> Vec<String> {
        self.objects.those("peg", |peg| self.table_of[peg] == table && self.height(peg) == 0)
    }

    fn discs_at(&self, table: &str) -> Vec<String> {
        self.objects.those("disc", |disc| self.table(disc) == table)
    }
}

impl World for Hanoi {
    const TYPES: &'static [&'static str] = &["table", "peg", "disc"];
    const FLUENTS: &'static [&'static str] =
        &["on(disc,peg)", "at(peg,table)", "top(disc)", "bare(peg)", "rests_on(disc,disc)"];
    const ACTIONS: &'static [&'static str] = &["move(disc,peg)", "carry(peg,table)"];
    const FAMILIES: &'static [&'static str] = &[
        "above(disc,disc)",
        "same_table(disc,disc)",
        "same_table(peg,peg)",
        "movable(disc)",
        "portable(peg)",
        "taller(peg,peg)",
        "any_bare_at(table)",
        "larger_all(peg,disc)",
        "tallest",
        "how_many_above(disc)",
        "how_many_below(disc)",
        "discs_at(table)",
        "bare_at(table)",
        "top_size(peg)",
        "possible_moves",
        "tall_pegs",
        "top_of(peg)",
        "lowest_of(peg)",
        "discs_above(disc)",
        "discs_below(disc)",
        "targets(disc)",
        "which_movable",
        "which_on_table(table)",
        "table_of(disc)",
        "tallest_pegs",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let mut world =
            Hanoi { objects, width: BTreeMap::new(), peg_of: BTreeMap::new(), table_of: BTreeMap::new() };
        for fact in facts {
            match fact.as_slice() {
                ["size", disc, width] => {
                    let width = width.parse().map_err(|_| format!("{disc} has no width"))?;
                    world.width.insert((*disc).to_owned(), width);
                }
                ["on", disc, peg] => {
                    if world.peg_of.insert((*disc).to_owned(), (*peg).to_owned()).is_some() {
                        return Err(format!("{disc} is on two pegs"));
                    }
                }
                ["at", peg, table] => {
                    if world.table_of.insert((*peg).to_owned(), (*table).to_owned()).is_some() {
                        return Err(format!("{peg} is on two tables"));
                    }
                }
                ["top" | "bare", _] | ["rests_on", _, _] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }
        let placed = |kind: &str, places: &BTreeMap<String, String>| {
            world.objects.of(kind).iter().all(|id| places.contains_key(id))
        };
        if !placed("disc", &world.peg_of) || !placed("peg", &world.table_of) {
            return Err("a disc or a peg has no place".to_owned());
        }
        Ok(world)
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["on", disc, peg] => self.peg_of[*disc] == *peg,
            ["at", peg, table] => self.table_of[*peg] == *table,
            ["top", disc] => self.is_top(disc),
            ["bare", peg] => self.height(peg) == 0,
            ["rests_on", upper, lower] => self.around(upper).1.first().is_some_and(|next| next == lower),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    /// Both kinds of action ask for one of several situations, or for what no single fluent says.
    fn conditions(&self, _action: &[&str]) -> Vec<(String, bool)> {
        vec![]
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["move", disc, peg] => self.can_move(disc, peg),
            ["carry", peg, table] => self.table_of[*peg] != *table && self.height(peg) < 2,
            _ => panic!("no action {action:?}"),
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["move", disc, peg] => drop(self.peg_of.insert((*disc).to_owned(), (*peg).to_owned())),
            ["carry", peg, table] => drop(self.table_of.insert((*peg).to_owned(), (*table).to_owned())),
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let all = &self.objects;
        Some(match question {
            ["above", upper, lower] => Answer::Truth(self.around(lower).0.iter().any(|disc| disc == upper)),
            ["same_table", one, other] if all.is(one, "disc") => {
                Answer::Truth(self.table(one) == self.table(other))
            }
            ["same_table", one, other] => Answer::Truth(self.table_of[*one] == self.table_of[*other]),
            // Is there a peg that the disc can be moved to, a table that the peg can be carried to?
            ["movable", disc] => Answer::Truth(!self.targets(disc).is_empty()),
            ["portable", peg] => {
                Answer::Truth(all.of("table").iter().any(|table| self.executable(&["carry", peg, table])))
            }
            ["taller", one, other] => Answer::Truth(self.height(one) > self.height(other)),
            ["any_bare_at", table] => Answer::Truth(!self.bare_at(table).is_empty()),
            // Is no disc on the peg smaller than the disc?
            ["larger_all", peg, disc] => Answer::Truth(self.fits(disc, peg)),
            ["tallest"] => Answer::Number(self.tallest()),
            ["how_many_above", disc] => Answer::Number(self.around(disc).0.len()),
            ["how_many_below", disc] => Answer::Number(self.around(disc).1.len()),
            ["discs_above", disc] => Answer::Names(self.around(disc).0),
            ["discs_below", disc] => Answer::Names(self.around(disc).1),
            ["discs_at", table] => Answer::Number(self.discs_at(table).len()),
            ["which_on_table", table] => Answer::Names(self.discs_at(table)),
            ["bare_at", table] => Answer::Number(self.bare_at(table).len()),
            // How wide is the top disc of the peg?
            ["top_size", peg] => Answer::Number(self.tower(peg).first().map_or(0, |disc| self.width[disc])),
            ["possible_moves"] => {
                Answer::Number(all.of("disc").iter().map(|disc| self.targets(disc).len()).sum())
            }
            ["tall_pegs"] => Answer::Number(all.those("peg", |peg| self.height(peg) > 1).len()),
            ["top_of", peg] => Answer::Names(self.tower(peg).into_iter().take(1).collect()),
            ["lowest_of", peg] => Answer::Names(self.tower(peg).into_iter().rev().take(1).collect()),
            ["targets", disc] => Answer::Names(self.targets(disc)),
            ["which_movable"] => Answer::Names(all.those("disc", |disc| !self.targets(disc).is_empty())),
            ["table_of", disc] => Answer::Names(vec![self.table(disc).to_owned()]),
            ["tallest_pegs"] => Answer::Names(all.those("peg", |peg| self.height(peg) == self.tallest())),
            _ => return None,
        })
    }
}
