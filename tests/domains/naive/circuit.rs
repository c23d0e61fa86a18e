//! Circuit: a relay that is not reversing is active if all that controls it is on, a reversing one if nothing is; a lamp
//! has power if something that feeds it is on, and is lit with power and a bulb.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Objects, World};

#[derive(Clone)]
pub struct Circuit {
    objects: Objects,
    controls: Vec<(String, String)>,
    feeds: Vec<(String, String)>,
    reversing: BTreeSet<String>,
    on: BTreeSet<String>,
    covered: BTreeSet<String>,
    lamp_of_bulb: BTreeMap<String, String>,
}

impl Circuit {
    /// Is a switch on, or a relay active?
    fn runs(&self, source: &str) -> bool {
        if self.objects.is(source, "switch") {
            return self.on.contains(source);
        }
        let states: Vec<bool> = self.sources(&self.controls, source).iter().map(|s| self.runs(s)).collect();
        match self.reversing.contains(source) {
            true => states.iter().all(|on| !on),
            false => states.iter().all(|on| *on),
        }
    }

    fn sources(&self, wires: &[(String, String)], to: &str) -> Vec<String> {
        wires.iter().filter(|(_, end)| end == to).map(|(start, _)| start.clone()).collect()
    }

    fn running(&self, wires: &[(String, String)], to: &str) -> Vec<String> {
        self.sources(wires, to).into_iter().filter(|source| self.runs(source)).collect()
    }

    fn bulb_in(&self, lamp: &str) -> Option<&String> {
        self.lamp_of_bulb.iter().find(|(_, of)| *of == lamp).map(|(bulb, _)| bulb)
    }

    fn fitted(&self, lamp: &str) -> bool {
        self.bulb_in(lamp).is_some()
    }

    fn powered(&self, lamp: &str) -> bool {
        !self.running(&self.feeds, lamp).is_empty()
    }

    fn lit(&self, lamp: &str) -> bool {
        self.powered(lamp) && self.fitted(lamp)
    }

    fn waits(&self, lamp: &str) -> bool {
        self.powered(lamp) && !self.fitted(lamp)
    }

    fn dark_with_bulb(&self, lamp: &str) -> bool {
        self.fitted(lamp) && !self.powered(lamp)
    }

    fn shines(&self, bulb: &str) -> bool {
        self.lamp_of_bulb.get(bulb).is_some_and(|lamp| self.powered(lamp))
    }

    fn free_off(&self, switch: &str) -> bool {
        !self.on.contains(switch) && !self.covered.contains(switch)
    }

    fn turn(&mut self, switch: &str) {
        if !self.on.remove(switch) {
            self.on.insert(switch.to_owned());
        }
    }
}

impl World for Circuit {
    const TYPES: &'static [&'static str] = &["switch", "relay", "lamp", "bulb"];
    const FLUENTS: &'static [&'static str] = &[
        "on(switch)",
        "covered(switch)",
        "in(bulb,lamp)",
        "active(relay)",
        "powered(lamp)",
        "fitted(lamp)",
        "lit(lamp)",
        "boxed(bulb)",
    ];
    const ACTIONS: &'static [&'static str] = &[
        "flip(switch)",
        "flip_both(switch,switch)",
        "move_cover(switch,switch)",
        "insert(bulb,lamp)",
        "remove(bulb,lamp)",
    ];
    const FAMILIES: &'static [&'static str] = &[
        "same_position(switch,switch)",
        "alike(relay,relay)",
        "alike(lamp,lamp)",
        "lacks_only_bulb(lamp)",
        "dark_with_bulb(lamp)",
        "shines(bulb)",
        "mostly_lit",
        "mostly_on",
        "lit_through(switch,lamp)",
        "lit_through(relay,lamp)",
        "controllers_on(relay)",
        "feeders_on(lamp)",
        "lamps_not_lit",
        "waiting_lamps",
        "dark_bulbs",
        "running_in_all",
        "lit_by_relays",
        "free_off",
        "bulb_actions",
        "which_controllers_on(relay)",
        "which_feeders_on(lamp)",
        "which_waiting",
        "which_dark_bulbs",
        "which_shine",
        "which_not_lit",
        "which_idle",
        "which_off",
        "which_free_off",
        "lit_from(relay)",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let mut world = Circuit {
            objects,
            controls: vec![],
            feeds: vec![],
            reversing: BTreeSet::new(),
            on: BTreeSet::new(),
            covered: BTreeSet::new(),
            lamp_of_bulb: BTreeMap::new(),
        };
        for fact in facts {
            match fact.as_slice() {
                ["controls", from, to] => world.controls.push(((*from).to_owned(), (*to).to_owned())),
                ["feeds", from, to] => world.feeds.push(((*from).to_owned(), (*to).to_owned())),
                ["reversing", relay] => drop(world.reversing.insert((*relay).to_owned())),
                ["on", switch] => drop(world.on.insert((*switch).to_owned())),
                ["covered", switch] => drop(world.covered.insert((*switch).to_owned())),
                ["in", bulb, lamp] => {
                    if world.fitted(lamp) {
                        return Err(format!("{lamp} has two bulbs"));
                    }
                    if world.lamp_of_bulb.insert((*bulb).to_owned(), (*lamp).to_owned()).is_some() {
                        return Err(format!("{bulb} is in two lamps"));
                    }
                }
                ["active" | "powered" | "fitted" | "lit" | "boxed", _] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }
        if let Some(both) = world.covered.intersection(&world.on).next() {
            return Err(format!("{both} is on under its cover"));
        }
        Ok(world)
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["on", switch] => self.on.contains(*switch),
            ["covered", switch] => self.covered.contains(*switch),
            ["in", bulb, lamp] => self.lamp_of_bulb.get(*bulb).is_some_and(|of| of == lamp),
            ["active", relay] => self.runs(relay),
            ["powered", lamp] => self.powered(lamp),
            ["fitted", lamp] => self.fitted(lamp),
            ["lit", lamp] => self.lit(lamp),
            ["boxed", bulb] => !self.lamp_of_bulb.contains_key(*bulb),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        match action {
            ["flip", switch] => vec![(format!("covered({switch})"), false)],
            ["flip_both", one, other] => {
                vec![(format!("covered({one})"), false), (format!("covered({other})"), false)]
            }
            ["move_cover", from, to] => vec![
                (format!("covered({from})"), true),
                (format!("covered({to})"), false),
                (format!("on({to})"), false),
            ],
            ["insert", bulb, lamp] => {
                vec![(format!("boxed({bulb})"), true), (format!("fitted({lamp})"), false)]
            }
            ["remove", bulb, lamp] => {
                vec![(format!("in({bulb},{lamp})"), true), (format!("lit({lamp})"), false)]
            }
            _ => vec![],
        }
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["flip", switch] => !self.covered.contains(*switch),
            // Two switches are flipped in one order only: that of their ids.
            ["flip_both", one, other] => {
                one < other && !self.covered.contains(*one) && !self.covered.contains(*other)
            }
            ["move_cover", from, to] => self.covered.contains(*from) && self.free_off(to),
            ["insert", bulb, lamp] => !self.lamp_of_bulb.contains_key(*bulb) && !self.fitted(lamp),
            ["remove", bulb, lamp] => self.bulb_in(lamp).is_some_and(|of| of == bulb) && !self.lit(lamp),
            _ => panic!("no action {action:?}"),
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["flip", switch] => self.turn(switch),
            ["flip_both", one, other] => {
                self.turn(one);
                self.turn(other);
            }
            ["move_cover", from, to] => {
                self.covered.remove(*from);
                self.covered.insert((*to).to_owned());
            }
            ["insert", bulb, lamp] => drop(self.lamp_of_bulb.insert((*bulb).to_owned(), (*lamp).to_owned())),
            ["remove", bulb, _] => drop(self.lamp_of_bulb.remove(*bulb)),
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let all = &self.objects;
        let lit_by_relay =
            |lamp: &str| self.lit(lamp) && self.running(&self.feeds, lamp).iter().any(|s| all.is(s, "relay"));
        Some(match question {
            // Are both in the same position, in the same state, both lit or both dark?
            ["same_position", one, other] => Answer::Truth(self.runs(one) == self.runs(other)),
            ["alike", one, other] if all.is(one, "relay") => {
                Answer::Truth(self.runs(one) == self.runs(other))
            }
            ["alike", one, other] => Answer::Truth(self.lit(one) == self.lit(other)),
            // Does the lamp have power and no bulb, a bulb and no light; does the bulb give light?
            ["lacks_only_bulb", lamp] => Answer::Truth(self.waits(lamp)),
            ["dark_with_bulb", lamp] => Answer::Truth(self.dark_with_bulb(lamp)),
            ["shines", bulb] => Answer::Truth(self.shines(bulb)),
            // Are more lamps lit than dark, more switches on than off?
            ["mostly_lit"] => Answer::Truth(
                all.those("lamp", |l| self.lit(l)).len() > all.those("lamp", |l| !self.lit(l)).len(),
            ),
            ["mostly_on"] => Answer::Truth(self.on.len() > all.of("switch").len() - self.on.len()),
            // Is the lamp lit, and the switch on or the relay active?
            ["lit_through", source, lamp] => Answer::Truth(self.lit(lamp) && self.runs(source)),
            // How many, and which, of what controls the relay or feeds the lamp are on or active?
            ["controllers_on", relay] => Answer::Number(self.running(&self.controls, relay).len()),
            ["feeders_on", lamp] => Answer::Number(self.running(&self.feeds, lamp).len()),
            ["which_controllers_on", relay] => Answer::Names(self.running(&self.controls, relay)),
            ["which_feeders_on", lamp] => Answer::Names(self.running(&self.feeds, lamp)),
            ["lamps_not_lit"] => Answer::Number(all.those("lamp", |l| !self.lit(l)).len()),
            ["which_not_lit"] => Answer::Names(all.those("lamp", |l| !self.lit(l))),
            ["waiting_lamps"] => Answer::Number(all.those("lamp", |l| self.waits(l)).len()),
            ["which_waiting"] => Answer::Names(all.those("lamp", |l| self.waits(l))),
            ["dark_bulbs"] => Answer::Number(all.those("lamp", |l| self.dark_with_bulb(l)).len()),
            ["which_dark_bulbs"] => {
                Answer::Names(all.those("bulb", |b| self.lamp_of_bulb.contains_key(b) && !self.shines(b)))
            }
            ["which_shine"] => Answer::Names(all.those("bulb", |b| self.shines(b))),
            ["running_in_all"] => Answer::Number(self.on.len() + all.those("relay", |r| self.runs(r)).len()),
            ["lit_by_relays"] => Answer::Number(all.those("lamp", lit_by_relay).len()),
            ["free_off"] => Answer::Number(all.those("switch", |s| self.free_off(s)).len()),
            ["which_free_off"] => Answer::Names(all.those("switch", |s| self.free_off(s))),
            ["which_idle"] => Answer::Names(all.those("relay", |r| !self.runs(r))),
            ["which_off"] => Answer::Names(all.those("switch", |s| !self.on.contains(s))),
            // How many actions put a bulb into a lamp or take one out?
            ["bulb_actions"] => {
                let boxed = all.those("bulb", |b| !self.lamp_of_bulb.contains_key(b)).len();
                let without = all.those("lamp", |l| !self.fitted(l)).len();
                Answer::Number(boxed * without + all.those("lamp", |l| self.dark_with_bulb(l)).len())
            }
            // Which lit lamps does the relay feed while it is active?
            ["lit_from", relay] => Answer::Names(all.those("lamp", |l| {
                self.lit(l) && self.running(&self.feeds, l).iter().any(|source| source == relay)
            })),
            _ => return None,
        })
    }
}
