//! Slippery grippers: a block lies on a table or is held by a gripper. What an action comes to may be open: a wet gripper that
//! tries to pick up or take a bare block, or a dry one a varnished block, gets it or not, varnishing may or may not make the
//! gripper dirty, and rubbing may or may not make it dry. So a story leads to a list of situations, each of which is followed on.

use std::collections::{BTreeMap, BTreeSet};

use super::words;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    On(String),
    With(String),
}

/// One situation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Workshop {
    blocks: BTreeMap<String, Place>,
    wet: BTreeSet<String>,
    dirty: BTreeSet<String>,
    varnished: BTreeSet<String>,
}

/// What never changes.
struct Bench {
    grippers: BTreeSet<String>,
    tables: BTreeSet<String>,
    reach: BTreeSet<(String, String)>,
}

impl Workshop {
    fn held(&self, gripper: &str) -> Option<&String> {
        let place = Place::With(gripper.to_owned());
        self.blocks.iter().find(|(_, at)| **at == place).map(|(block, _)| block)
    }

    fn ready(&self, gripper: &str) -> bool {
        self.held(gripper).is_none() && !self.dirty.contains(gripper)
    }

    fn holds(&self, fluent: &[&str]) -> Result<bool, String> {
        Ok(match fluent {
            ["lies", block, table] => self.blocks.get(*block) == Some(&Place::On((*table).to_owned())),
            ["grasps", gripper, block] => self.held(gripper).is_some_and(|held| held == block),
            ["empty", gripper] => self.held(gripper).is_none(),
            ["wet", gripper] => self.wet.contains(*gripper),
            ["dirty", gripper] => self.dirty.contains(*gripper),
            ["varnished", block] => self.varnished.contains(*block),
            _ => return Err(format!("no fluent {fluent:?}")),
        })
    }

    /// A gripper gets a block; perhaps not, if it is wet and the block bare, or it is dry and the block varnished.
    fn taken(self, gripper: &str, block: &str) -> Vec<Workshop> {
        let mut with = self.clone();
        with.blocks.insert(block.to_owned(), Place::With(gripper.to_owned()));
        let is_loose = self.wet.contains(gripper) != self.varnished.contains(block);
        if is_loose { vec![with, self] } else { vec![with] }
    }

    /// All that an action may come to; nothing where it is not possible.
    fn after(mut self, bench: &Bench, action: &[&str]) -> Result<Vec<Workshop>, String> {
        let reaches =
            |gripper: &str, table: &str| bench.reach.contains(&(gripper.to_owned(), table.to_owned()));
        match action {
            ["pick", gripper, block, table] => {
                let lies = self.holds(&["lies", block, table])?;
                let can = lies && reaches(gripper, table) && self.ready(gripper);
                Ok(if can { self.taken(gripper, block) } else { Vec::new() })
            }
            ["take", gripper, block, other] => {
                let can = gripper != other && self.ready(gripper) && self.holds(&["grasps", other, block])?;
                Ok(if can { self.taken(gripper, block) } else { Vec::new() })
            }
            ["put", gripper, block, table] => {
                if !self.holds(&["grasps", gripper, block])? || !reaches(gripper, table) {
                    return Ok(Vec::new());
                }
                self.blocks.insert((*block).to_owned(), Place::On((*table).to_owned()));
                Ok(vec![self])
            }
            ["varnish", block, gripper] => {
                if !self.holds(&["grasps", gripper, block])? || !self.varnished.insert((*block).to_owned()) {
                    return Ok(Vec::new());
                }
                let mut stained = self.clone();
                stained.dirty.insert((*gripper).to_owned());
                Ok(vec![self, stained])
            }
            ["wash", gripper] => {
                if self.held(gripper).is_some() || !self.dirty.remove(*gripper) {
                    return Ok(Vec::new());
                }
                self.wet.insert((*gripper).to_owned());
                Ok(vec![self])
            }
            ["rub", gripper] => {
                if self.held(gripper).is_some() || !self.wet.contains(*gripper) {
                    return Ok(Vec::new());
                }
                let mut dry = self.clone();
                dry.wet.remove(*gripper);
                Ok(vec![self, dry])
            }
            _ => Err(format!("no action {action:?}")),
        }
    }
}

fn read(facts: &[String]) -> Result<(Bench, Workshop), String> {
    let mut bench = Bench { grippers: BTreeSet::new(), tables: BTreeSet::new(), reach: BTreeSet::new() };
    let mut now = Workshop {
        blocks: BTreeMap::new(),
        wet: BTreeSet::new(),
        dirty: BTreeSet::new(),
        varnished: BTreeSet::new(),
    };
    let (mut named, mut empty) = (BTreeSet::new(), BTreeSet::new());
    for fact in facts {
        let fact = words(fact)?;
        let fact: Vec<&str> = fact.iter().map(String::as_str).collect();
        let fresh = match fact.as_slice() {
            ["gripper", id] => bench.grippers.insert((*id).to_owned()),
            ["table", id] => bench.tables.insert((*id).to_owned()),
            ["block", id] => named.insert((*id).to_owned()),
            ["reach", gripper, table] => bench.reach.insert(((*gripper).to_owned(), (*table).to_owned())),
            ["lies", block, table] => {
                now.blocks.insert((*block).to_owned(), Place::On((*table).to_owned())).is_none()
            }
            ["grasps", gripper, block] => {
                now.blocks.insert((*block).to_owned(), Place::With((*gripper).to_owned())).is_none()
            }
            ["empty", gripper] => empty.insert((*gripper).to_owned()),
            ["wet", gripper] => now.wet.insert((*gripper).to_owned()),
            ["dirty", gripper] => now.dirty.insert((*gripper).to_owned()),
            ["varnished", block] => now.varnished.insert((*block).to_owned()),
            _ => return Err(format!("no fact {fact:?}")),
        };
        if !fresh {
            return Err(format!("{fact:?} stands there twice, or in two places"));
        }
    }
    let placed: BTreeSet<String> = now.blocks.keys().cloned().collect();
    let free: BTreeSet<String> =
        bench.grippers.iter().filter(|gripper| now.held(gripper).is_none()).cloned().collect();
    match placed == named && free == empty {
        true => Ok((bench, now)),
        false => Err("a block without a place, or a gripper that is not as it is told".to_owned()),
    }
}

/// The answer to `must(F)` or `may(F)`, and the number of situations that the story may have led to.
///
/// # Errors
/// Facts that cannot be read; questions that are unknown; actions that cannot all have taken place.
pub fn answer(facts: &[String], plan: &[String], query: &str) -> Result<(String, usize), String> {
    let (bench, first) = read(facts)?;
    let mut here = BTreeSet::from([first]);
    for action in plan {
        let action = words(action)?;
        let action: Vec<&str> = action.iter().map(String::as_str).collect();
        let mut there = BTreeSet::new();
        for now in here {
            there.extend(now.after(&bench, &action)?);
        }
        here = there;
    }
    if here.is_empty() {
        return Err("the actions cannot all have taken place".to_owned());
    }
    let question = words(query)?;
    let fluent = words(&question[1])?;
    let fluent: Vec<&str> = fluent.iter().map(String::as_str).collect();
    let holding: Vec<bool> = here.iter().map(|now| now.holds(&fluent)).collect::<Result<_, _>>()?;
    let yes = match question[0].as_str() {
        "must" => holding.iter().all(|holds| *holds),
        "may" => holding.iter().any(|holds| *holds),
        other => return Err(format!("unknown question {other}")),
    };
    Ok((if yes { "yes" } else { "no" }.to_owned(), here.len()))
}
