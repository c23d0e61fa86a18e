//! Water jugs: whole liters, from nothing up to the capacity; pouring ends when one jug is empty or the other full.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Objects, World};

#[derive(Clone)]
pub struct Jugs {
    objects: Objects,
    capacity: BTreeMap<String, usize>,
    liters: BTreeMap<String, usize>,
}

/// Liters that a measuring cup adds or takes at most.
const CUP: usize = 3;

impl Jugs {
    fn room(&self, jug: &str) -> usize {
        self.capacity[jug] - self.liters[jug]
    }

    fn is_full(&self, jug: &str) -> bool {
        self.room(jug) == 0
    }

    fn is_empty(&self, jug: &str) -> bool {
        self.liters[jug] == 0
    }

    fn more_than_half(&self, jug: &str) -> bool {
        2 * self.liters[jug] > self.capacity[jug]
    }

    fn most(&self) -> usize {
        self.liters.values().copied().max().unwrap_or(0)
    }

    fn least(&self) -> usize {
        self.liters.values().copied().min().unwrap_or(0)
    }
}

fn number(word: &str) -> usize {
    word.parse().unwrap_or(usize::MAX)
}

impl World for Jugs {
    const TYPES: &'static [&'static str] = &["jug"];
    const FLUENTS: &'static [&'static str] = &["level(jug,number)", "full(jug)", "empty(jug)"];
    const ACTIONS: &'static [&'static str] =
        &["fill(jug)", "pour_away(jug)", "add(jug,number)", "take(jug,number)", "pour(jug,jug)"];
    const FAMILIES: &'static [&'static str] = &[
        "more_than(jug,jug)",
        "same_amount(jug,jug)",
        "all_fits(jug,jug)",
        "at_least(jug,number)",
        "mostly_full(jug)",
        "any_with(number)",
        "room_for(jug,number)",
        "total",
        "room_in(jug)",
        "in_both(jug,jug)",
        "difference(jug,jug)",
        "most",
        "jugs_with_at_least(number)",
        "mostly_full_jugs",
        "amounts",
        "fullest",
        "with_least",
        "as_much_as(jug)",
        "with_more(jug)",
        "fit_into(jug)",
        "with_room(number)",
        "mostly_full_ones",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let mut world = Jugs { objects, capacity: BTreeMap::new(), liters: BTreeMap::new() };
        for fact in facts {
            match fact.as_slice() {
                ["capacity", jug, liters] => drop(world.capacity.insert((*jug).to_owned(), number(liters))),
                ["level", jug, liters] => {
                    if world.liters.insert((*jug).to_owned(), number(liters)).is_some() {
                        return Err(format!("{jug} holds two amounts"));
                    }
                }
                ["full" | "empty", _] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }
        for jug in world.objects.of("jug") {
            let legal = world.liters.get(&jug).zip(world.capacity.get(&jug)).is_some_and(|(l, c)| l <= c);
            if !legal {
                return Err(format!("{jug} holds nothing that it can hold"));
            }
        }
        Ok(world)
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["level", jug, liters] => self.liters[*jug] == number(liters),
            ["full", jug] => self.is_full(jug),
            ["empty", jug] => self.is_empty(jug),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        match action {
            ["fill", jug] => vec![(format!("full({jug})"), false)],
            ["pour_away", jug] => vec![(format!("empty({jug})"), false)],
            ["pour", from, to] => vec![(format!("empty({from})"), false), (format!("full({to})"), false)],
            _ => vec![],
        }
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["fill", jug] => !self.is_full(jug),
            ["pour_away", jug] => !self.is_empty(jug),
            ["add", jug, liters] => (1..=CUP).contains(&number(liters)) && number(liters) <= self.room(jug),
            ["take", jug, liters] => {
                (1..=CUP).contains(&number(liters)) && number(liters) <= self.liters[*jug]
            }
            ["pour", from, to] => from != to && !self.is_empty(from) && !self.is_full(to),
            _ => panic!("no action {action:?}"),
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["fill", jug] => drop(self.liters.insert((*jug).to_owned(), self.capacity[*jug])),
            ["pour_away", jug] => drop(self.liters.insert((*jug).to_owned(), 0)),
            ["add", jug, liters] => *self.liters.entry((*jug).to_owned()).or_default() += number(liters),
            ["take", jug, liters] => *self.liters.entry((*jug).to_owned()).or_default() -= number(liters),
            // Liter by liter, for as long as it goes.
            ["pour", from, to] => {
                while !self.is_empty(from) && !self.is_full(to) {
                    *self.liters.entry((*from).to_owned()).or_default() -= 1;
                    *self.liters.entry((*to).to_owned()).or_default() += 1;
                }
            }
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let all = &self.objects;
        let of = |jug: &str| self.liters[jug];
        Some(match question {
            ["more_than", one, other] => Answer::Truth(of(one) > of(other)),
            ["same_amount", one, other] => Answer::Truth(of(one) == of(other)),
            // Would all the water of the first fit into the second?
            ["all_fits", one, other] => Answer::Truth(of(one) <= self.room(other)),
            ["at_least", jug, liters] => Answer::Truth(of(jug) >= number(liters)),
            ["mostly_full", jug] => Answer::Truth(self.more_than_half(jug)),
            ["any_with", liters] => Answer::Truth(self.liters.values().any(|l| *l == number(liters))),
            ["room_for", jug, liters] => Answer::Truth(self.room(jug) >= number(liters)),
            ["total"] => Answer::Number(self.liters.values().sum()),
            ["room_in", jug] => Answer::Number(self.room(jug)),
            ["in_both", one, other] => Answer::Number(of(one) + of(other)),
            ["difference", one, other] => Answer::Number(of(one).abs_diff(of(other))),
            ["most"] => Answer::Number(self.most()),
            ["jugs_with_at_least", liters] => {
                Answer::Number(all.those("jug", |j| of(j) >= number(liters)).len())
            }
            ["mostly_full_jugs"] => Answer::Number(all.those("jug", |j| self.more_than_half(j)).len()),
            // How many different amounts are there?
            ["amounts"] => Answer::Number(self.liters.values().collect::<BTreeSet<_>>().len()),
            ["fullest"] => Answer::Names(all.those("jug", |j| of(j) == self.most())),
            ["with_least"] => Answer::Names(all.those("jug", |j| of(j) == self.least())),
            ["as_much_as", jug] => Answer::Names(all.those("jug", |j| j != *jug && of(j) == of(jug))),
            ["with_more", jug] => Answer::Names(all.those("jug", |j| of(j) > of(jug))),
            // Which other jugs that are not empty could be emptied into the jug?
            ["fit_into", jug] => {
                Answer::Names(all.those("jug", |j| j != *jug && !self.is_empty(j) && of(j) <= self.room(jug)))
            }
            ["with_room", liters] => Answer::Names(all.those("jug", |j| self.room(j) >= number(liters))),
            ["mostly_full_ones"] => Answer::Names(all.those("jug", |j| self.more_than_half(j))),
            _ => return None,
        })
    }
}
