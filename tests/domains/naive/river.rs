//! River crossing: no landing may be left tense without a keeper, that is, with two passengers there that are at odds.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Objects, World};

#[derive(Clone)]
pub struct River {
    objects: Objects,
    harms: BTreeSet<(String, String)>,
    landing_of: BTreeMap<String, String>,
    crated: BTreeSet<String>,
}

impl River {
    fn at(&self, thing: &str) -> &str {
        &self.landing_of[thing]
    }

    fn all_at(&self, kind: &str, landing: &str) -> Vec<String> {
        self.objects.those(kind, |thing| self.at(thing) == landing)
    }

    fn are_a_pair(&self, one: &str, other: &str) -> bool {
        let is = |one: &str, other: &str| self.harms.contains(&(one.to_owned(), other.to_owned()));
        is(one, other) || is(other, one)
    }

    fn partners_here(&self, passenger: &str) -> Vec<String> {
        self.objects.those("passenger", |p| self.are_a_pair(p, passenger) && self.at(p) == self.at(passenger))
    }

    fn at_odds(&self, passenger: &str) -> Vec<String> {
        let mut partners = self.partners_here(passenger);
        partners.retain(|other| !self.crated.contains(other) && !self.crated.contains(passenger));
        partners
    }

    fn tense(&self, landing: &str) -> bool {
        self.all_at("passenger", landing).iter().any(|p| !self.at_odds(p).is_empty())
    }

    fn watched(&self, landing: &str) -> bool {
        !self.all_at("keeper", landing).is_empty()
    }

    /// The world after the crossing of a boat with these in it.
    fn crossed(&self, all: &[&str], to: &str) -> River {
        let mut next = self.clone();
        for thing in all {
            next.landing_of.insert((*thing).to_owned(), to.to_owned());
        }
        next
    }

    /// Can the boat cross with these in it, who must be where it is?
    fn can_cross(&self, all: &[&str], to: &str) -> bool {
        let from = self.at(all[0]).to_owned();
        let next = self.crossed(all, to);
        from != to
            && all.iter().all(|thing| self.at(thing) == from)
            && (next.watched(&from) || !next.tense(&from))
    }

    /// The boats and landings to which the keeper can row with this company.
    fn crossings(&self, company: &[&str]) -> usize {
        let boats = self.objects.of("boat");
        let landings = self.objects.of("landing");
        let can = |boat: &str, to: &str| self.can_cross(&[&[boat], company].concat(), to);
        boats.iter().map(|boat| landings.iter().filter(|to| can(boat, to)).count()).sum()
    }

    fn taken_by(&self, keeper: &str) -> Vec<String> {
        self.objects.those("passenger", |p| self.crossings(&[keeper, p]) > 0)
    }

    /// Is the keeper the only one at a tense landing?
    fn needed(&self, keeper: &str) -> bool {
        self.tense(self.at(keeper)) && self.all_at("keeper", self.at(keeper)).len() == 1
    }

    fn loose_at(&self, landing: &str) -> Vec<String> {
        let mut here = self.all_at("passenger", landing);
        here.retain(|passenger| !self.crated.contains(passenger));
        here
    }
}

impl World for River {
    const TYPES: &'static [&'static str] = &["landing", "keeper", "boat", "passenger"];
    const FLUENTS: &'static [&'static str] = &[
        "at(keeper,landing)",
        "at(boat,landing)",
        "at(passenger,landing)",
        "crated(passenger)",
        "watched(landing)",
        "tense(landing)",
    ];
    const ACTIONS: &'static [&'static str] = &[
        "row(keeper,boat,landing)",
        "ferry(keeper,boat,passenger,landing)",
        "ferry(keeper,boat,keeper,landing)",
        "crate(keeper,passenger)",
        "release(keeper,passenger)",
    ];
    const FAMILIES: &'static [&'static str] = &[
        "together(passenger,passenger)",
        "together(keeper,passenger)",
        "at_odds(passenger)",
        "can_row(keeper)",
        "ferryable(passenger)",
        "takes(keeper,passenger)",
        "needed(keeper)",
        "partners_here(passenger)",
        "pairs_at_odds",
        "loose_at(landing)",
        "crossings",
        "how_many_ferryable(keeper)",
        "unwatched",
        "loose",
        "which_at_odds(passenger)",
        "all_at_odds",
        "which_ferryable(keeper)",
        "which_loose_at(landing)",
        "which_unwatched",
        "which_needed",
        "which_can_row",
        "with(passenger)",
        "boats_for(keeper)",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let mut world =
            River { objects, harms: BTreeSet::new(), landing_of: BTreeMap::new(), crated: BTreeSet::new() };
        for fact in facts {
            match fact.as_slice() {
                ["harms", one, other] => drop(world.harms.insert(((*one).to_owned(), (*other).to_owned()))),
                ["at", thing, landing] => {
                    if world.landing_of.insert((*thing).to_owned(), (*landing).to_owned()).is_some() {
                        return Err(format!("{thing} is at two landings"));
                    }
                }
                ["crated", passenger] => drop(world.crated.insert((*passenger).to_owned())),
                ["watched" | "tense", _] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }
        for kind in ["keeper", "boat", "passenger"] {
            if let Some(lost) = world.objects.of(kind).iter().find(|id| !world.landing_of.contains_key(*id)) {
                return Err(format!("{lost} is at no landing"));
            }
        }
        let left = world.objects.those("landing", |landing| world.tense(landing) && !world.watched(landing));
        match left.first() {
            Some(landing) => Err(format!("{landing} is tense and has no keeper")),
            None => Ok(world),
        }
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["at", thing, landing] => self.at(thing) == *landing,
            ["crated", passenger] => self.crated.contains(*passenger),
            ["watched", landing] => self.watched(landing),
            ["tense", landing] => self.tense(landing),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    /// With a single keeper and two landings, there is only one from which to row to the other.
    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        if self.objects.of("keeper").len() > 1 || self.objects.of("landing").len() > 2 {
            return vec![];
        }
        let (kind, to) = (action[0], *action.last().unwrap_or(&""));
        let Some(from) = self.objects.those("landing", |landing| landing != to).pop() else { return vec![] };
        let all_at = |all: &[&str]| -> Vec<(String, bool)> {
            all.iter().map(|thing| (format!("at({thing},{from})"), true)).collect()
        };
        match (kind, action) {
            ("row", [_, keeper, boat, _]) => {
                let mut all = all_at(&[keeper, boat]);
                all.push((format!("tense({from})"), false));
                all
            }
            ("ferry", [_, keeper, boat, passenger, _])
                if self.harms.iter().all(|(one, other)| one == passenger || other == passenger) =>
            {
                all_at(&[keeper, boat, passenger])
            }
            _ => vec![],
        }
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["row", keeper, boat, to] => self.can_cross(&[keeper, boat], to),
            ["ferry", keeper, boat, other, to] => {
                keeper != other && self.can_cross(&[keeper, boat, other], to)
            }
            ["crate", keeper, passenger] => {
                self.at(keeper) == self.at(passenger) && !self.crated.contains(*passenger)
            }
            ["release", keeper, passenger] => {
                self.at(keeper) == self.at(passenger) && self.crated.contains(*passenger)
            }
            _ => panic!("no action {action:?}"),
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["row", keeper, boat, to] => *self = self.crossed(&[keeper, boat], to),
            ["ferry", keeper, boat, other, to] => *self = self.crossed(&[keeper, boat, other], to),
            ["crate", _, passenger] => drop(self.crated.insert((*passenger).to_owned())),
            ["release", _, passenger] => drop(self.crated.remove(*passenger)),
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let all = &self.objects;
        let number = |found: Vec<String>| Answer::Number(found.len());
        let at_odds = || all.those("passenger", |p| !self.at_odds(p).is_empty());
        let unwatched = || all.those("landing", |l| !self.watched(l));
        Some(match question {
            ["together", one, other] => Answer::Truth(self.at(one) == self.at(other)),
            ["at_odds", passenger] => Answer::Truth(!self.at_odds(passenger).is_empty()),
            ["can_row", keeper] => Answer::Truth(self.crossings(&[keeper]) > 0),
            ["ferryable", passenger] => {
                Answer::Truth(all.of("keeper").iter().any(|k| self.crossings(&[k, passenger]) > 0))
            }
            ["takes", keeper, passenger] => Answer::Truth(self.crossings(&[keeper, passenger]) > 0),
            ["needed", keeper] => Answer::Truth(self.needed(keeper)),
            ["partners_here", passenger] => number(self.partners_here(passenger)),
            ["pairs_at_odds"] => {
                let twice: usize = all.of("passenger").iter().map(|p| self.at_odds(p).len()).sum();
                Answer::Number(twice / 2)
            }
            ["loose_at", landing] => number(self.loose_at(landing)),
            ["which_loose_at", landing] => Answer::Names(self.loose_at(landing)),
            // How many actions row a boat to another landing?
            ["crossings"] => {
                let keepers = all.of("keeper");
                let company: Vec<String> = [keepers.clone(), all.of("passenger")].concat();
                let with = |keeper: &String| -> usize {
                    let others = company.iter().filter(|other| *other != keeper);
                    others.map(|other| self.crossings(&[keeper, other])).sum::<usize>()
                        + self.crossings(&[keeper])
                };
                Answer::Number(keepers.iter().map(with).sum())
            }
            ["how_many_ferryable", keeper] => number(self.taken_by(keeper)),
            ["which_ferryable", keeper] => Answer::Names(self.taken_by(keeper)),
            ["unwatched"] => number(unwatched()),
            ["which_unwatched"] => Answer::Names(unwatched()),
            ["loose"] => number(all.those("passenger", |p| !self.crated.contains(p))),
            ["which_at_odds", passenger] => Answer::Names(self.at_odds(passenger)),
            ["all_at_odds"] => Answer::Names(at_odds()),
            ["which_needed"] => Answer::Names(all.those("keeper", |k| self.needed(k))),
            ["which_can_row"] => Answer::Names(all.those("keeper", |k| self.crossings(&[k]) > 0)),
            ["with", passenger] => {
                let mut here = self.all_at("passenger", self.at(passenger));
                here.retain(|other| other != passenger);
                Answer::Names(here)
            }
            ["boats_for", keeper] => Answer::Names(self.all_at("boat", self.at(keeper))),
            _ => return None,
        })
    }
}
