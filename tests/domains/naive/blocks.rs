//! Blocks world with moves (section 2.1): "A block can be on the table or on top of another block. A block is said to
//! be clear if no other block is on top of it. A clear block can be moved to the table or on top of another clear
//! block."

use super::{Answer, Objects, World};

/// The stacks on the table, each from bottom to top; none is empty.
#[derive(Clone)]
pub(super) struct Stacks(pub Vec<Vec<String>>);

impl Stacks {
    /// The stacks that facts `ontable(X)` and `on(X,Y)` describe.
    pub fn read(on_table: &[&str], mut on: Vec<(&str, &str)>) -> Result<Stacks, String> {
        let mut stacks = Vec::new();
        for bottom in on_table {
            let mut stack = vec![(*bottom).to_owned()];
            // Whatever is on the top of the stack is the next one.
            while let Some(found) = on.iter().position(|(_, lower)| lower == stack.last().unwrap()) {
                let (upper, _) = on.remove(found);
                stack.push(upper.to_owned());
            }
            stacks.push(stack);
        }
        match on.first() {
            Some((upper, lower)) => Err(format!("there is no place for {upper} on {lower}")),
            None => Ok(Stacks(stacks)),
        }
    }

    /// How often a block stands somewhere.
    pub fn places_of(&self, block: &str) -> usize {
        self.0.iter().flatten().filter(|b| *b == block).count()
    }

    /// The stack that a block is in, and the number of blocks below it.
    fn find(&self, block: &str) -> Option<(&Vec<String>, usize)> {
        for stack in &self.0 {
            for (below, other) in stack.iter().enumerate() {
                if other == block {
                    return Some((stack, below));
                }
            }
        }
        None
    }

    /// The blocks above a block, the nearest first.
    pub fn above(&self, block: &str) -> Vec<String> {
        match self.find(block) {
            Some((stack, below)) => stack[below + 1..].to_vec(),
            None => vec![],
        }
    }

    /// The blocks below a block, the nearest first.
    pub fn below(&self, block: &str) -> Vec<String> {
        match self.find(block) {
            Some((stack, below)) => stack[..below].iter().rev().cloned().collect(),
            None => vec![],
        }
    }

    pub fn on(&self, upper: &str, lower: &str) -> bool {
        self.below(upper).first().is_some_and(|b| b == lower)
    }

    pub fn on_table(&self, block: &str) -> bool {
        self.0.iter().any(|stack| stack[0] == block)
    }

    /// Removes a block from the top of its stack.
    pub fn remove(&mut self, block: &str) {
        for stack in &mut self.0 {
            if stack.last().is_some_and(|top| top == block) {
                stack.pop();
            }
        }
        self.0.retain(|stack| !stack.is_empty());
    }

    pub fn put_on_table(&mut self, block: &str) {
        self.0.push(vec![block.to_owned()]);
    }

    pub fn put_on(&mut self, block: &str, lower: &str) {
        for stack in &mut self.0 {
            if stack.last().is_some_and(|top| top == lower) {
                stack.push(block.to_owned());
            }
        }
    }

    /// The height of the stack that a block is in; 0 if it is in none.
    fn height(&self, block: &str) -> usize {
        self.find(block).map_or(0, |(stack, _)| stack.len())
    }

    pub const FAMILIES: &'static [&'static str] = &[
        "all_on_table",
        "above(block,block)",
        "tallest_stack",
        "stack_height(block)",
        "stacks_of_height(number)",
        "stacks",
        "blocks_above(block)",
        "blocks_below(block)",
        "how_many_above(block)",
        "between(block,block)",
        "support(block)",
    ];

    /// The answers to questions about stacks; `blocks` are all blocks.
    pub fn family(&self, blocks: &[String], question: &[&str]) -> Option<Answer> {
        Some(match question {
            // Are all the blocks directly on the table?
            ["all_on_table"] => Answer::Truth(blocks.iter().all(|b| self.on_table(b))),
            // Is the upper block somewhere above the lower one?
            ["above", upper, lower] => Answer::Truth(self.above(lower).iter().any(|b| b == upper)),
            // How many blocks high is the tallest stack?
            ["tallest_stack"] => Answer::Number(self.0.iter().map(Vec::len).max().unwrap_or(0)),
            // How high is the stack that the block is in?
            ["stack_height", block] => Answer::Number(self.height(block)),
            // How many stacks are at least that high?
            ["stacks_of_height", number] => {
                let least: usize = number.parse().ok()?;
                Answer::Number(self.0.iter().filter(|stack| stack.len() >= least).count())
            }
            ["stacks"] => Answer::Number(self.0.len()),
            // Which blocks are somewhere above, somewhere below the block?
            ["blocks_above", block] => Answer::Names(self.above(block)),
            ["blocks_below", block] => Answer::Names(self.below(block)),
            ["how_many_above", block] => Answer::Number(self.above(block).len()),
            // Which block is directly under the top block and directly on the bottom block?
            ["between", top, bottom] => {
                let between = |b: &&String| self.on(top, b) && self.on(b, bottom);
                Answer::Names(blocks.iter().filter(between).cloned().collect())
            }
            // What is the block standing on, a block or the table?
            ["support", block] => {
                if self.on_table(block) {
                    Answer::Names(vec!["table".to_owned()])
                } else {
                    Answer::Names(self.below(block).into_iter().take(1).collect())
                }
            }
            _ => return None,
        })
    }
}

#[derive(Clone)]
pub struct Blocks {
    objects: Objects,
    stacks: Stacks,
}

impl Blocks {
    fn clear(&self, block: &str) -> bool {
        self.stacks.above(block).is_empty()
    }
}

impl World for Blocks {
    const TYPES: &'static [&'static str] = &["block"];
    const FLUENTS: &'static [&'static str] = &["on(block,block)", "ontable(block)", "clear(block)"];
    const ACTIONS: &'static [&'static str] = &["move(block,block)", "move(block,table)"];
    const FAMILIES: &'static [&'static str] = Stacks::FAMILIES;

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let mut on_table = Vec::new();
        let mut on = Vec::new();
        for fact in facts {
            match fact.as_slice() {
                ["ontable", block] => on_table.push(*block),
                ["on", upper, lower] => on.push((*upper, *lower)),
                ["clear", _] => {}
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }
        let stacks = Stacks::read(&on_table, on)?;
        if let Some(block) = objects.of("block").iter().find(|b| stacks.places_of(b) != 1) {
            return Err(format!("{block} is not in exactly one place"));
        }
        if let Some(block) = stacks.0.iter().flatten().find(|b| !objects.is(b, "block")) {
            return Err(format!("{block} is no block"));
        }
        Ok(Blocks { objects, stacks })
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            ["on", upper, lower] => self.stacks.on(upper, lower),
            ["ontable", block] => self.stacks.on_table(block),
            ["clear", block] => self.clear(block),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        let clear = |block: &&str| (format!("clear({block})"), true);
        action[1..].iter().filter(|place| **place != "table").map(clear).collect()
    }

    fn executable(&self, action: &[&str]) -> bool {
        match action {
            ["move", block, "table"] => self.clear(block),
            ["move", block, onto] => block != onto && self.clear(block) && self.clear(onto),
            _ => panic!("no action {action:?}"),
        }
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        match action {
            ["move", block, "table"] => {
                self.stacks.remove(block);
                self.stacks.put_on_table(block);
            }
            ["move", block, onto] => {
                self.stacks.remove(block);
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
