//! Choices to a quest on a machine: a state to reach, perhaps with dangers or by way of another, or things to collect.

use crate::iq::grammar::code::{ChoiceCode, TooShort};
use crate::iq::grammar::graph::{distances, ring};
use crate::iq::grammar::kif::KifText;
use crate::iq::grammar::machine::Machine;
use crate::iq::grammar::solo::world::{SoloWorld, WorldScore};

/// A machine with something to achieve.
#[derive(Clone, Debug)]
pub struct Quest {
    machine: Machine,
    goal: QuestGoal,
    /// States that end the game.
    dangers: Vec<usize>,
    steps: u32,
}

#[derive(Clone, Debug)]
enum QuestGoal {
    /// A state; none where no other can be reached, so that the quest cannot be won.
    Reach(Option<usize>),
    /// First one state, then another.
    By(usize, usize),
    /// As many of these as can be.
    Collect(Vec<usize>),
}

impl Quest {
    /// Any quest on any machine.
    ///
    /// # Errors
    /// Those of the code.
    pub fn derive(code: &mut ChoiceCode) -> Result<Quest, TooShort> {
        let machine = Machine::derive(code)?;
        let far = |from: usize, closed: &[usize]| {
            let next = |state: usize, action: usize| machine.edges[state][action];
            distances(machine.states(), machine.actions.len(), from, next, closed)
        };
        let start = machine.start;
        let all = far(start, &[]);
        let mut reached: Vec<usize> = (0..machine.states()).filter(|s| all[*s].is_some()).collect();
        reached.retain(|state| *state != start);
        if reached.is_empty() {
            return Ok(Quest { machine, goal: QuestGoal::Reach(None), dangers: Vec::new(), steps: 1 });
        }
        match code.among(4)? {
            0 => {
                let wanted = 2 + code.several(6)? as u32;
                let (targets, steps) = ring(&all, wanted);
                let target = targets[code.among(targets.len())?];
                Ok(Quest { machine, goal: QuestGoal::Reach(Some(target)), dangers: Vec::new(), steps })
            }
            1 => {
                let mut dangers = Vec::new();
                for _ in 0..1 + code.several(4)? {
                    let danger = reached[code.among(reached.len())?];
                    // A start without a safe neighbour would make the quest one that nobody wins.
                    let safe = [&dangers[..], &[danger]].concat();
                    if far(start, &safe).iter().flatten().any(|steps| *steps > 0) {
                        dangers.push(danger);
                    }
                }
                dangers.sort_unstable();
                dangers.dedup();
                let wanted = 2 + code.several(6)? as u32;
                let (targets, steps) = ring(&far(start, &dangers), wanted);
                let target = targets[code.among(targets.len())?];
                Ok(Quest { machine, goal: QuestGoal::Reach(Some(target)), dangers, steps: steps.max(1) })
            }
            2 => {
                let first = reached[code.among(reached.len())?];
                let then = far(first, &[]);
                let (targets, more) = ring(&then, 1 + code.several(5)? as u32);
                let target = targets[code.among(targets.len())?];
                let steps = all[first].unwrap_or(0) + more.max(1);
                Ok(Quest { machine, goal: QuestGoal::By(first, target), dangers: Vec::new(), steps })
            }
            _ => {
                let mut things = Vec::new();
                for _ in 0..2 + code.several(5)? {
                    things.push(reached[code.among(reached.len())?]);
                }
                things.sort_unstable();
                things.dedup();
                let steps = tour(start, &things, &far);
                Ok(Quest { machine, goal: QuestGoal::Collect(things), dangers: Vec::new(), steps })
            }
        }
    }
}

/// The steps of a tour that always goes to the nearest thing that is left and can still be reached.
fn tour(start: usize, things: &[usize], far: &impl Fn(usize, &[usize]) -> Vec<Option<u32>>) -> u32 {
    let (mut at, mut left, mut steps) = (start, things.to_vec(), 0);
    loop {
        let distances = far(at, &[]);
        let nearest = left.iter().filter_map(|thing| Some((distances[*thing]?, *thing))).min();
        let Some((more, thing)) = nearest else { break };
        steps += more;
        at = thing;
        left.retain(|other| *other != thing);
    }
    steps.max(1)
}

impl SoloWorld for Quest {
    fn kind(&self) -> String {
        let goal = match &self.goal {
            QuestGoal::Reach(_) if self.dangers.is_empty() => "reach",
            QuestGoal::Reach(_) => "avoid",
            QuestGoal::By(..) => "by way of",
            QuestGoal::Collect(_) => "collect",
        };
        format!("{} {goal}", self.machine.kind)
    }

    fn steps(&self) -> u32 {
        self.steps
    }

    fn score(&self) -> WorldScore {
        match &self.goal {
            QuestGoal::Collect(things) => WorldScore::Shares(things.len()),
            _ => WorldScore::Won,
        }
    }

    fn can_be_lost(&self) -> bool {
        !self.dangers.is_empty()
    }

    fn write(&self, name: &str, out: &mut KifText) {
        let machine = &self.machine;
        out.line(format_args!("(init (at {name} {}))", machine.start));
        for action in &machine.actions {
            out.line(format_args!("(legal player (do {name} {action}))"));
        }
        for (state, edges) in machine.edges.iter().enumerate() {
            for (action, to) in machine.actions.iter().zip(edges) {
                out.line(format_args!("(leads {name} {state} {action} {to})"));
            }
        }
        let (at, moved) = (format!("(true (at {name} ?x))"), format!("(moved {name})"));
        out.rule(&moved, &[&format!("(does player (do {name} ?a))")]);
        out.rule(
            format_args!("(enters {name} ?y)"),
            &[&at, &format!("(does player (do {name} ?a))"), &format!("(leads {name} ?x ?a ?y)")],
        );
        out.rule(format_args!("(next (at {name} ?y))"), &[&format!("(enters {name} ?y)")]);
        out.rule(format_args!("(next (at {name} ?x))"), &[&at, &format!("(not {moved})")]);
        let stands = |state: usize| format!("(true (at {name} {state}))");
        match &self.goal {
            // Nowhere: a state that the machine does not have.
            QuestGoal::Reach(None) => out.rule(format_args!("(won {name})"), &[&stands(machine.states())]),
            QuestGoal::Reach(Some(target)) => out.rule(format_args!("(won {name})"), &[&stands(*target)]),
            QuestGoal::By(first, target) => {
                let (key, seen) = (format!("(true (key {name}))"), format!("(next (key {name}))"));
                out.rule(&seen, &[&key]);
                out.rule(&seen, &[&stands(*first)]);
                out.rule(format_args!("(won {name})"), &[&key, &stands(*target)]);
            }
            QuestGoal::Collect(things) => {
                let place: Vec<String> = things.iter().map(usize::to_string).collect();
                place.iter().for_each(|thing| out.line(format_args!("(init (thing {name} {thing}))")));
                out.rule(
                    format_args!("(next (thing {name} ?x))"),
                    &[&format!("(true (thing {name} ?x))"), &format!("(not (enters {name} ?x))")],
                );
                out.line(format_args!("(init (count {name} 0))"));
                for n in 0..things.len() {
                    out.line(format_args!("(more {name} {n} {})", n + 1));
                }
                let gains = format!("(gains {name})");
                out.rule(&gains, &[&format!("(enters {name} ?x)"), &format!("(true (thing {name} ?x))")]);
                let count = format!("(true (count {name} ?n))");
                out.rule(
                    format_args!("(next (count {name} ?m))"),
                    &[&gains, &count, &format!("(more {name} ?n ?m)")],
                );
                out.rule(format_args!("(next (count {name} ?n))"), &[&count, &format!("(not {gains})")]);
                out.rule(format_args!("(has {name} ?n)"), &[&count]);
                out.rule(format_args!("(won {name})"), &[&format!("(true (count {name} {}))", things.len())]);
            }
        }
        for danger in &self.dangers {
            out.rule("lost", &[&stands(*danger)]);
        }
    }
}
