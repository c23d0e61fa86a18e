//! Visit all: hikers walk trails, swing their gates, and collect stamps. Written from the sentences of the rules in
//! the phrase book.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Objects, World};

#[derive(Clone)]
pub struct VisitAll {
    objects: Objects,
    ends: BTreeMap<String, [String; 2]>,
    offices: BTreeSet<String>,
    /// Places with a stamp.
    stamps: BTreeSet<String>,
    hikers: BTreeMap<String, String>,
    cards: BTreeMap<String, BTreeSet<String>>,
    closed: BTreeSet<String>,
}

impl VisitAll {
    /// The place at the other end of a trail that ends at a place.
    fn other_end(&self, trail: &str, place: &str) -> Option<&String> {
        let [one, other] = &self.ends[trail];
        if one == place {
            Some(other)
        } else if other == place {
            Some(one)
        } else {
            None
        }
    }

    fn open(&self, trail: &str) -> bool {
        !self.closed.contains(trail)
    }

    fn at_end_of(&self, hiker: &str, trail: &str) -> bool {
        self.ends[trail].contains(&self.hikers[hiker])
    }

    /// The open trails that end at a place.
    fn open_at(&self, place: &str) -> Vec<String> {
        self.those("trail", |trail| self.open(trail) && self.other_end(trail, place).is_some())
    }

    fn next_places(&self, place: &str) -> BTreeSet<String> {
        self.open_at(place).iter().filter_map(|trail| self.other_end(trail, place).cloned()).collect()
    }

    /// All places that can be reached from one over open trails, itself included.
    fn reach(&self, place: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::from([place.to_owned()]);
        loop {
            let next: BTreeSet<String> = found.iter().flat_map(|place| self.next_places(place)).collect();
            let before = found.len();
            found.extend(next);
            if found.len() == before {
                return found;
            }
        }
    }

    fn others_reached(&self, hiker: &str) -> BTreeSet<String> {
        let mut places = self.reach(&self.hikers[hiker]);
        places.remove(&self.hikers[hiker]);
        places
    }

    fn stamped(&self, hiker: &str, place: &str) -> bool {
        self.cards.get(hiker).is_some_and(|card| card.contains(place))
    }

    fn number_on_card(&self, hiker: &str) -> usize {
        self.cards.get(hiker).map_or(0, BTreeSet::len)
    }

    fn missing(&self, hiker: &str) -> Vec<String> {
        self.stamps.iter().filter(|place| !self.stamped(hiker, place)).cloned().collect()
    }

    fn stamped_here(&self, hiker: &str) -> bool {
        self.stamped(hiker, &self.hikers[hiker])
    }

    fn can_stamp(&self, hiker: &str) -> bool {
        self.stamps.contains(&self.hikers[hiker]) && !self.stamped_here(hiker)
    }

    fn collected(&self, place: &str) -> bool {
        self.cards.values().any(|card| card.contains(place))
    }

    fn occupied(&self, place: &str) -> bool {
        self.hikers.values().any(|there| there == place)
    }
}

impl World for VisitAll {
    const TYPES: &'static [&'static str] = &["hiker", "place", "trail"];
    const FLUENTS: &'static [&'static str] =
        &["at(hiker,place)", "stamped(hiker,place)", "closed(trail)", "finished(hiker)", "barred(hiker)"];
    const ACTIONS: &'static [&'static str] =
        &["walk(hiker,trail)", "stamp(hiker)", "hand_in(hiker)", "swing(hiker,trail)"];
    const FAMILIES: &'static [&'static str] = &[
        "reachable(hiker,place)",
        "reachable(hiker,hiker)",
        "goes(hiker,place)",
        "same_place(hiker,hiker)",
        "any_hiker_at(place)",
        "stamped_here(hiker)",
        "at_office(hiker)",
        "any_stamp(hiker)",
        "more_stamps(hiker,hiker)",
        "common(hiker,hiker)",
        "collected(place)",
        "cut_off(place)",
        "joined(place,place)",
        "trails_open",
        "trails_open_at(place)",
        "how_many_missing(hiker)",
        "all_stamps",
        "how_many_reachable(hiker)",
        "how_many_walks(hiker)",
        "places_without_hiker",
        "places_collected",
        "which_missing(hiker)",
        "which_reachable(hiker)",
        "which_goes(hiker)",
        "which_trails_open(hiker)",
        "which_trails_closed(hiker)",
        "leads(hiker,trail)",
        "beside(hiker)",
        "not_collected",
        "which_occupied",
        "which_can_stamp",
        "most_stamps",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let mut world = VisitAll {
            ends: BTreeMap::new(),
            offices: BTreeSet::new(),
            stamps: BTreeSet::new(),
            hikers: BTreeMap::new(),
            cards: BTreeMap::new(),
            closed: BTreeSet::new(),
            objects,
        };
        for fact in facts {
            match fact.as_slice() {
                ["ends", trail, one, other] => {
                    world.ends.insert((*trail).to_owned(), [(*one).to_owned(), (*other).to_owned()]);
                }
                ["office", place] => {
                    world.offices.insert((*place).to_owned());
                }
                ["stamp_at", place] => {
                    world.stamps.insert((*place).to_owned());
                }
                ["at", hiker, place] => {
                    world.hikers.insert((*hiker).to_owned(), (*place).to_owned());
                }
                ["stamped", hiker, place] => {
                    world.cards.entry((*hiker).to_owned()).or_default().insert((*place).to_owned());
                }
                ["closed", trail] => {
                    world.closed.insert((*trail).to_owned());
                }
                ["finished" | "barred", _] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }
        if world.objects.of("hiker").iter().any(|hiker| !world.hikers.contains_key(hiker)) {
            return Err("a hiker is nowhere".to_owned());
        }
        if world.objects.of("trail").iter().any(|trail| !world.ends.contains_key(trail)) {
            return Err("a trail has no ends".to_owned());
        }
        Ok(world)
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["at", hiker, place] => self.hikers[*hiker] == *place,
            ["stamped", hiker, place] => self.stamped(hiker, place),
            ["closed", trail] => !self.open(trail),
            ["finished", hiker] => self.missing(hiker).is_empty(),
            ["barred", hiker] => self.open_at(&self.hikers[*hiker]).is_empty(),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["walk", hiker, trail] => self.at_end_of(hiker, trail) && self.open(trail),
            ["swing", hiker, trail] => self.at_end_of(hiker, trail),
            ["stamp", hiker] => self.can_stamp(hiker),
            ["hand_in", hiker] => {
                self.offices.contains(&self.hikers[*hiker]) && self.number_on_card(hiker) > 0
            }
            _ => panic!("no action {action:?}"),
        }
    }

    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        match action {
            ["walk", _, trail] => vec![(format!("closed({trail})"), false)],
            _ => vec![],
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["walk", hiker, trail] => {
                let place =
                    self.other_end(trail, &self.hikers[*hiker]).ok_or("the trail ends elsewhere")?.clone();
                self.hikers.insert((*hiker).to_owned(), place);
            }
            ["stamp", hiker] => {
                let place = self.hikers[*hiker].clone();
                self.cards.entry((*hiker).to_owned()).or_default().insert(place);
            }
            ["hand_in", hiker] => {
                self.cards.remove(*hiker);
            }
            ["swing", _, trail] => {
                if !self.closed.remove(*trail) {
                    self.closed.insert((*trail).to_owned());
                }
            }
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let place = |hiker: &str| self.hikers[hiker].as_str();
        let places = |test: &dyn Fn(&str) -> bool| self.those("place", test);
        let hikers = |test: &dyn Fn(&str) -> bool| self.those("hiker", test);
        let names = |set: BTreeSet<String>| Answer::Names(set.into_iter().collect());
        Some(match question {
            ["reachable", hiker, other] if self.hikers.contains_key(*other) => {
                Answer::Truth(self.reach(place(hiker)).contains(place(other)))
            }
            ["reachable", hiker, wanted] => Answer::Truth(self.reach(place(hiker)).contains(*wanted)),
            ["goes", hiker, wanted] => Answer::Truth(self.next_places(place(hiker)).contains(*wanted)),
            ["same_place", one, other] => Answer::Truth(place(one) == place(other)),
            ["any_hiker_at", wanted] => Answer::Truth(self.occupied(wanted)),
            ["stamped_here", hiker] => Answer::Truth(self.stamped_here(hiker)),
            ["at_office", hiker] => Answer::Truth(self.offices.contains(place(hiker))),
            ["any_stamp", hiker] => Answer::Truth(self.number_on_card(hiker) > 0),
            ["more_stamps", one, other] => {
                Answer::Truth(self.number_on_card(one) > self.number_on_card(other))
            }
            ["common", one, other] => {
                Answer::Truth(!places(&|p| self.stamped(one, p) && self.stamped(other, p)).is_empty())
            }
            ["collected", wanted] if self.stamps.contains(*wanted) => Answer::Truth(self.collected(wanted)),
            ["cut_off", wanted] => Answer::Truth(self.open_at(wanted).is_empty()),
            ["joined", one, other] => Answer::Truth(self.next_places(one).contains(*other)),
            ["trails_open"] => Answer::Number(self.those("trail", |trail| self.open(trail)).len()),
            ["trails_open_at", wanted] => Answer::Number(self.open_at(wanted).len()),
            ["how_many_missing", hiker] => Answer::Number(self.missing(hiker).len()),
            ["all_stamps"] => Answer::Number(self.cards.values().map(BTreeSet::len).sum()),
            ["how_many_reachable", hiker] => Answer::Number(self.others_reached(hiker).len()),
            ["how_many_walks", hiker] => Answer::Number(self.open_at(place(hiker)).len()),
            ["places_without_hiker"] => Answer::Number(places(&|p| !self.occupied(p)).len()),
            ["places_collected"] => Answer::Number(places(&|p| self.collected(p)).len()),
            ["which_missing", hiker] => Answer::Names(self.missing(hiker)),
            ["which_reachable", hiker] => names(self.others_reached(hiker)),
            ["which_goes", hiker] => names(self.next_places(place(hiker))),
            ["which_trails_open", hiker] => Answer::Names(self.open_at(place(hiker))),
            ["which_trails_closed", hiker] => {
                Answer::Names(self.those("trail", |trail| self.at_end_of(hiker, trail) && !self.open(trail)))
            }
            ["leads", hiker, trail] => Answer::Names(vec![self.other_end(trail, place(hiker))?.clone()]),
            ["beside", hiker] => Answer::Names(hikers(&|h| h != *hiker && place(h) == place(hiker))),
            ["not_collected"] => Answer::Names(places(&|p| self.stamps.contains(p) && !self.collected(p))),
            ["which_occupied"] => Answer::Names(places(&|p| self.occupied(p))),
            ["which_can_stamp"] => Answer::Names(hikers(&|hiker| self.can_stamp(hiker))),
            ["most_stamps"] => {
                let most = self.hikers.keys().map(|hiker| self.number_on_card(hiker)).max();
                Answer::Names(hikers(&|hiker| Some(self.number_on_card(hiker)) == most))
            }
            _ => return None,
        })
    }
}
