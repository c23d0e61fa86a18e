//! Atoms that depend on each other to their least fixpoint.

use super::{IncrementalEvaluator, IncrementalValues};

/// Atoms that depend on each other, all through positive literals. What their rules need from outside is counted with
/// all other rules.
#[derive(Debug)]
pub(super) struct Loop {
    pub(super) members: Vec<u32>,
    /// Rules with heads among the members.
    rules: Vec<LoopRule>,
    /// By the place of a member, the rules whose bodies it stands in: place of the rule, weight.
    read_by: Vec<Vec<(u32, i32)>>,
}

#[derive(Clone, Copy, Debug)]
struct LoopRule {
    /// The rule's number in the network.
    rule: u32,
    /// The place of its head among the members.
    head: u32,
}

impl Loop {
    pub(super) fn new(members: Vec<u32>) -> Loop {
        let read_by = vec![Vec::new(); members.len()];
        Loop { members, rules: Vec::new(), read_by }
    }

    /// Adds a rule: the place of its head, and the places and weights of members in its body.
    pub(super) fn add(&mut self, rule: u32, head: u32, body: &[(u32, i32)]) {
        let place = self.rules.len() as u32;
        self.rules.push(LoopRule { rule, head });
        for (member, weight) in body {
            self.read_by[*member as usize].push((place, *weight));
        }
    }

    /// Which members are true, given what each rule of the network needs besides them.
    fn least_fixpoint(&self, needs: &[i32]) -> Vec<bool> {
        let mut need: Vec<i32> = self.rules.iter().map(|rule| needs[rule.rule as usize]).collect();
        let mut reached = vec![false; self.members.len()];
        let mut open: Vec<u32> = Vec::new();
        let mut reach = |head: u32, open: &mut Vec<u32>| {
            if !std::mem::replace(&mut reached[head as usize], true) {
                open.push(head);
            }
        };
        for (rule, need) in self.rules.iter().zip(&need) {
            if *need <= 0 {
                reach(rule.head, &mut open);
            }
        }
        while let Some(member) = open.pop() {
            for (place, weight) in &self.read_by[member as usize] {
                let need = &mut need[*place as usize];
                let before = *need <= 0;
                *need -= weight;
                if !before && *need <= 0 {
                    reach(self.rules[*place as usize].head, &mut open);
                }
            }
        }
        reached
    }
}

impl IncrementalEvaluator {
    /// Works a loop out afresh.
    pub(super) fn work_out(&self, own: u32, values: &mut IncrementalValues) {
        let own = &self.loops[own as usize];
        let reached = own.least_fixpoint(&values.need);
        for (member, value) in own.members.iter().zip(reached) {
            if value != values.now.get(*member) {
                self.flip(*member, values);
            }
        }
    }
}
