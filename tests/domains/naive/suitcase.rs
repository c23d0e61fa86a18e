//! Suitcases: one springs open when all its latches are up, and stays open until it is shut.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Objects, World};

#[derive(Clone)]
enum Place {
    Room(String),
    Suitcase(String),
}

#[derive(Clone)]
pub struct Suitcases {
    objects: Objects,
    suitcase_of: BTreeMap<String, String>,
    up: BTreeSet<String>,
    open: BTreeSet<String>,
    locked: BTreeSet<String>,
    rooms: BTreeMap<String, String>,
    items: BTreeMap<String, Place>,
}

impl Suitcases {
    fn latches(&self, suitcase: &str, up: bool) -> Vec<String> {
        self.objects.those("latch", |l| self.suitcase_of[l] == suitcase && self.up.contains(l) == up)
    }

    fn spring(&mut self) {
        for suitcase in self.objects.of("suitcase") {
            if self.latches(&suitcase, false).is_empty() {
                self.open.insert(suitcase);
            }
        }
    }

    fn inside(&self, item: &str, suitcase: &str) -> bool {
        matches!(&self.items[item], Place::Suitcase(of) if of == suitcase)
    }

    fn lies(&self, item: &str, room: &str) -> bool {
        matches!(&self.items[item], Place::Room(of) if of == room)
    }

    fn room(&self, thing: &str) -> &str {
        match self.items.get(thing) {
            Some(Place::Room(room)) => room,
            Some(Place::Suitcase(suitcase)) => &self.rooms[suitcase],
            None => &self.rooms[thing],
        }
    }

    fn in_reach(&self, item: &str) -> bool {
        match &self.items[item] {
            Place::Room(_) => true,
            Place::Suitcase(suitcase) => self.open.contains(suitcase),
        }
    }

    fn packed(&self, item: &str) -> bool {
        matches!(&self.items[item], Place::Suitcase(_))
    }

    fn is_empty(&self, suitcase: &str) -> bool {
        self.objects.those("item", |i| self.inside(i, suitcase)).is_empty()
    }

    /// Would the suitcase of the latch, which is shut, spring open if the latch were flipped?
    fn springs(&self, latch: &str) -> bool {
        let suitcase = &self.suitcase_of[latch];
        let last = self.latches(suitcase, false) == [latch];
        last && !self.open.contains(suitcase) && !self.locked.contains(suitcase)
    }

    fn can_pack(&self, item: &str, suitcase: &str) -> bool {
        self.open.contains(suitcase) && self.lies(item, self.room(suitcase))
    }
}

impl World for Suitcases {
    const TYPES: &'static [&'static str] = &["suitcase", "latch", "room", "item"];
    const FLUENTS: &'static [&'static str] = &[
        "up(latch)",
        "open(suitcase)",
        "locked(suitcase)",
        "at(suitcase,room)",
        "in(item,suitcase)",
        "lies(item,room)",
        "at(item,room)",
        "at_hand(item)",
    ];
    const ACTIONS: &'static [&'static str] = &[
        "flip(latch)",
        "shut(suitcase)",
        "turn_key(suitcase)",
        "pack(item,suitcase)",
        "unpack(item,suitcase)",
        "carry(suitcase,room)",
    ];
    const FAMILIES: &'static [&'static str] = &[
        "springs(latch)",
        "one_latch_left(suitcase)",
        "empty(suitcase)",
        "any_open_in(room)",
        "together(item,item)",
        "together(item,suitcase)",
        "together(suitcase,suitcase)",
        "same_position(latch,latch)",
        "mostly_packed",
        "packable(suitcase)",
        "closable(suitcase)",
        "latches_down(suitcase)",
        "springing_latches",
        "in_reach_at(room)",
        "packed_items",
        "items_out_of_reach",
        "shut_and_unlocked",
        "empty_suitcases",
        "flippable_latches",
        "open_with_latch_down",
        "which_latches_down(suitcase)",
        "which_latches_up(suitcase)",
        "which_spring",
        "springing_latch(suitcase)",
        "which_shut_with_items",
        "which_empty",
        "which_out_of_reach(room)",
        "which_in_reach(room)",
        "which_packable(suitcase)",
        "which_open_in(room)",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let mut world = Suitcases {
            objects,
            suitcase_of: BTreeMap::new(),
            up: BTreeSet::new(),
            open: BTreeSet::new(),
            locked: BTreeSet::new(),
            rooms: BTreeMap::new(),
            items: BTreeMap::new(),
        };
        let owned = |text: &&str| (*text).to_owned();
        for fact in facts {
            match fact.as_slice() {
                ["latch_of", latch, suitcase] => {
                    drop(world.suitcase_of.insert(owned(latch), owned(suitcase)));
                }
                ["up", latch] => drop(world.up.insert(owned(latch))),
                ["open", suitcase] => drop(world.open.insert(owned(suitcase))),
                ["locked", suitcase] => drop(world.locked.insert(owned(suitcase))),
                ["at", suitcase, room] if world.objects.is(suitcase, "suitcase") => {
                    if world.rooms.insert(owned(suitcase), owned(room)).is_some() {
                        return Err(format!("{suitcase} is in two rooms"));
                    }
                }
                ["in", item, suitcase] => {
                    if world.items.insert(owned(item), Place::Suitcase(owned(suitcase))).is_some() {
                        return Err(format!("{item} has two places"));
                    }
                }
                ["lies", item, room] => {
                    if world.items.insert(owned(item), Place::Room(owned(room))).is_some() {
                        return Err(format!("{item} has two places"));
                    }
                }
                ["at", _, _] | ["at_hand", _] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }
        if let Some(item) = world.objects.of("item").iter().find(|i| !world.items.contains_key(*i)) {
            return Err(format!("{item} has no place"));
        }
        for suitcase in world.objects.of("suitcase") {
            if !world.rooms.contains_key(&suitcase) {
                return Err(format!("{suitcase} has no place"));
            }
            if world.latches(&suitcase, false).is_empty() && !world.open.contains(&suitcase) {
                return Err(format!("{suitcase} is shut with all latches up"));
            }
        }
        if let Some(both) = world.open.intersection(&world.locked).next() {
            return Err(format!("{both} is open and locked"));
        }
        Ok(world)
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["up", latch] => self.up.contains(*latch),
            ["open", suitcase] => self.open.contains(*suitcase),
            ["locked", suitcase] => self.locked.contains(*suitcase),
            ["at", thing, room] => self.room(thing) == *room,
            ["in", item, suitcase] => self.inside(item, suitcase),
            ["lies", item, room] => self.lies(item, room),
            ["at_hand", item] => self.in_reach(item),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        match action {
            ["flip", latch] => vec![(format!("locked({})", self.suitcase_of[*latch]), false)],
            ["turn_key", suitcase] => vec![(format!("open({suitcase})"), false)],
            ["unpack", item, suitcase] => {
                vec![(format!("open({suitcase})"), true), (format!("in({item},{suitcase})"), true)]
            }
            ["carry", suitcase, room] => {
                vec![(format!("open({suitcase})"), false), (format!("at({suitcase},{room})"), false)]
            }
            _ => vec![],
        }
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["flip", latch] => !self.locked.contains(&self.suitcase_of[*latch]),
            ["shut", suitcase] => self.open.contains(*suitcase) && !self.latches(suitcase, false).is_empty(),
            ["turn_key", suitcase] => !self.open.contains(*suitcase),
            ["pack", item, suitcase] => self.can_pack(item, suitcase),
            ["unpack", item, suitcase] => self.open.contains(*suitcase) && self.inside(item, suitcase),
            ["carry", suitcase, room] => !self.open.contains(*suitcase) && self.room(suitcase) != *room,
            _ => panic!("no action {action:?}"),
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["flip", latch] => {
                if !self.up.remove(*latch) {
                    self.up.insert((*latch).to_owned());
                }
                self.spring();
            }
            ["shut", suitcase] => drop(self.open.remove(*suitcase)),
            ["turn_key", suitcase] => {
                if !self.locked.remove(*suitcase) {
                    self.locked.insert((*suitcase).to_owned());
                }
            }
            ["pack", item, suitcase] => {
                self.items.insert((*item).to_owned(), Place::Suitcase((*suitcase).to_owned()));
            }
            ["unpack", item, suitcase] => {
                let room = self.room(suitcase).to_owned();
                self.items.insert((*item).to_owned(), Place::Room(room));
            }
            ["carry", suitcase, room] => {
                self.rooms.insert((*suitcase).to_owned(), (*room).to_owned());
            }
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let all = &self.objects;
        let number = |found: Vec<String>| Answer::Number(found.len());
        let is_shut = |suitcase: &str| !self.open.contains(suitcase);
        let in_reach_at = |room: &str| all.those("item", |i| self.room(i) == room && self.in_reach(i));
        let open_in = |room: &str| all.those("suitcase", |c| !is_shut(c) && self.room(c) == room);
        let packable = |suitcase: &str| all.those("item", |i| self.can_pack(i, suitcase));
        Some(match question {
            // Would flipping the latch make its suitcase spring open? Is just one latch of the suitcase down?
            ["springs", latch] => Answer::Truth(self.springs(latch)),
            ["one_latch_left", suitcase] => Answer::Truth(self.latches(suitcase, false).len() == 1),
            ["empty", suitcase] => Answer::Truth(self.is_empty(suitcase)),
            ["any_open_in", room] => Answer::Truth(!open_in(room).is_empty()),
            // Are the two in the same room, in the same position?
            ["together", one, other] => Answer::Truth(self.room(one) == self.room(other)),
            ["same_position", one, other] => {
                Answer::Truth(self.up.contains(*one) == self.up.contains(*other))
            }
            // Are more things in suitcases than outside?
            ["mostly_packed"] => Answer::Truth(
                all.those("item", |i| self.packed(i)).len() > all.those("item", |i| !self.packed(i)).len(),
            ),
            ["packable", suitcase] => Answer::Truth(!packable(suitcase).is_empty()),
            ["closable", suitcase] => {
                Answer::Truth(!is_shut(suitcase) && !self.latches(suitcase, false).is_empty())
            }
            ["latches_down", suitcase] => number(self.latches(suitcase, false)),
            ["springing_latches"] => number(all.those("latch", |l| self.springs(l))),
            ["in_reach_at", room] => number(in_reach_at(room)),
            ["packed_items"] => number(all.those("item", |i| self.packed(i))),
            ["items_out_of_reach"] => number(all.those("item", |i| !self.in_reach(i))),
            ["shut_and_unlocked"] => {
                number(all.those("suitcase", |c| is_shut(c) && !self.locked.contains(c)))
            }
            ["empty_suitcases"] => number(all.those("suitcase", |c| self.is_empty(c))),
            ["flippable_latches"] => {
                number(all.those("latch", |l| !self.locked.contains(&self.suitcase_of[l])))
            }
            ["open_with_latch_down"] => {
                number(all.those("suitcase", |c| !is_shut(c) && !self.latches(c, false).is_empty()))
            }
            ["which_latches_down", suitcase] => Answer::Names(self.latches(suitcase, false)),
            ["which_latches_up", suitcase] => Answer::Names(self.latches(suitcase, true)),
            ["which_spring"] => {
                let of = |c: &str| all.those("latch", |l| self.suitcase_of[l] == c && self.springs(l));
                Answer::Names(all.those("suitcase", |c| !of(c).is_empty()))
            }
            ["springing_latch", suitcase] => {
                Answer::Names(all.those("latch", |l| self.suitcase_of[l] == *suitcase && self.springs(l)))
            }
            ["which_shut_with_items"] => {
                Answer::Names(all.those("suitcase", |c| is_shut(c) && !self.is_empty(c)))
            }
            ["which_empty"] => Answer::Names(all.those("suitcase", |c| self.is_empty(c))),
            ["which_out_of_reach", room] => {
                Answer::Names(all.those("item", |i| self.room(i) == *room && !self.in_reach(i)))
            }
            ["which_in_reach", room] => Answer::Names(in_reach_at(room)),
            ["which_packable", suitcase] => Answer::Names(packable(suitcase)),
            ["which_open_in", room] => Answer::Names(open_in(room)),
            _ => return None,
        })
    }
}
