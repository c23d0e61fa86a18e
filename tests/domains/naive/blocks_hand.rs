//! Blocks world with a hand (listing 3): a block is picked up from the table or unstacked from a block by the empty
//! hand, and put down on the table or stacked on a clear block from the hand.
//!
//! A block is clear if no other block is on top of it (section 2.1). So a block in the hand is clear: in listing 3,
//! too, picking a block up does not make it stop being clear. A block in the hand is in no stack: nothing is above or
//! below it, it stands on nothing, and its stack has height 0.

use super::blocks::Stacks;
use super::{Answer, Objects, World};

#[derive(Clone)]
pub struct BlocksHand {
    objects: Objects,
    stacks: Stacks,
    hand: Option<String>,
}

impl BlocksHand {
    fn clear(&self, block: &str) -> bool {
        self.stacks.above(block).is_empty()
    }

    fn holding(&self, block: &str) -> bool {
        self.hand.as_deref() == Some(block)
    }
}

impl World for BlocksHand {
    const TYPES: &'static [&'static str] = &["block"];
    const FLUENTS: &'static [&'static str] =
        &["on(block,block)", "ontable(block)", "clear(block)", "holding(block)", "handempty"];
    const ACTIONS: &'static [&'static str] =
        &["pickup(block)", "putdown(block)", "stack(block,block)", "unstack(block,block)"];
    const FAMILIES: &'static [&'static str] = Stacks::FAMILIES;

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let mut on_table = Vec::new();
        let mut on = Vec::new();
        let mut hand = None;
        for fact in facts {
            match fact.as_slice() {
                ["ontable", block] => on_table.push(*block),
                ["on", upper, lower] => on.push((*upper, *lower)),
                ["holding", block] => hand = Some((*block).to_owned()),
                ["clear", _] | ["handempty"] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }
        let stacks = Stacks::read(&on_table, on)?;
        let world = BlocksHand { objects, stacks, hand };
        for block in world.objects.of("block") {
            if world.stacks.places_of(&block) + usize::from(world.holding(&block)) != 1 {
                return Err(format!("{block} is not in exactly one place"));
            }
        }
        for block in world.stacks.0.iter().flatten().chain(&world.hand) {
            if !world.objects.is(block, "block") {
                return Err(format!("{block} is no block"));
            }
        }
        Ok(world)
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["on", upper, lower] => self.stacks.on(upper, lower),
            ["ontable", block] => self.stacks.on_table(block),
            ["clear", block] => self.clear(block),
            ["holding", block] => self.holding(block),
            ["handempty"] => self.hand.is_none(),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        let all = match action {
            ["pickup", x] => vec!["handempty".to_owned(), format!("clear({x})"), format!("ontable({x})")],
            ["unstack", x, y] => vec!["handempty".to_owned(), format!("clear({x})"), format!("on({x},{y})")],
            ["putdown", x] => vec![format!("holding({x})")],
            ["stack", x, y] => vec![format!("holding({x})"), format!("clear({y})")],
            _ => vec![],
        };
        all.into_iter().map(|fact| (fact, true)).collect()
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["pickup", block] => self.hand.is_none() && self.clear(block) && self.stacks.on_table(block),
            ["putdown", block] => self.holding(block),
            ["stack", block, onto] => block != onto && self.holding(block) && self.clear(onto),
            ["unstack", block, from] => {
                self.hand.is_none() && self.clear(block) && self.stacks.on(block, from)
            }
            _ => panic!("no action {action:?}"),
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["pickup", block] | ["unstack", block, _] => {
                self.stacks.remove(block);
                self.hand = Some((*block).to_owned());
            }
            ["putdown", block] => {
                self.hand = None;
                self.stacks.put_on_table(block);
            }
            ["stack", block, onto] => {
                self.hand = None;
                self.stacks.put_on(block, onto);
            }
            _ => panic!("no action {action:?}"),
        }
        Ok(())
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        self.stacks.family(&self.objects.of("block"), question)
    }
}
