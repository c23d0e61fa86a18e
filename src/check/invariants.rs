//! The invariants of world.lp to a situation that breaks one: a legal initial one, or one that actions lead to.
//!
//! An invariant is a constraint of the part `invariant`. Each becomes a rule for an atom of its own, so that clingo says
//! of every situation which of them it breaks.

use std::time::Duration;

use racgen_logic::clingo::{Program, Search, Source};
use racgen_logic::error::LogicError;
use racgen_logic::fault::Fault;
use racgen_logic::statements::{Statement, statements};
use racgen_logic::term::Term;

use crate::check::reached::Reached;
use crate::domain::package::Package;
use crate::simulate::layout::Layout;
use crate::simulate::situation::Situation;
use crate::simulate::transitions::compiled_layout::CompiledLayout;

/// The part of world.lp with invariants.
const PART: &str = "invariant";
/// The predicate of the atoms that say which invariant is broken.
const BROKEN: &str = "racgen_broken_invariant";
/// Fluents of a situation that a fault lists.
const MOST_TOLD: usize = 24;

/// The invariants of a package in a layout.
pub(crate) struct Invariants<'p> {
    package: &'p Package,
    /// By invariant, its line and its text.
    stated: Vec<(usize, String)>,
    search: Search,
}

/// The constraints of the part, in order.
fn stated<'s>(all: &'s [Statement], text: &str) -> Vec<&'s Statement> {
    all.iter().filter(|s| s.part == PART && s.is_constraint(text)).collect()
}

impl<'p> Invariants<'p> {
    /// Grounds the invariants for a layout; none if there are none.
    ///
    /// # Errors
    /// What clingo says against them.
    pub(crate) fn new(
        package: &'p Package,
        layout: &Layout,
        limit: Duration,
    ) -> Result<Option<Invariants<'p>>, LogicError> {
        let text = &*package.world.text;
        let all = statements(text);
        let rules = stated(&all, text);
        if rules.is_empty() {
            return Ok(None);
        }
        let mut marked = text.to_owned();
        for (number, rule) in rules.iter().enumerate().rev() {
            let neck = rule.tokens[0].place.clone();
            marked.replace_range(neck, &format!("{BROKEN}({number}) :-"));
        }
        let written = |rule: &&Statement| {
            let (first, last) = (&rule.tokens[0], &rule.tokens[rule.tokens.len() - 1]);
            let written = &text[first.place.start..last.place.end];
            (first.line, written.split_whitespace().collect::<Vec<_>>().join(" ") + ".")
        };
        let stated = rules.iter().map(written).collect();
        let mut program: Program = layout.situation_program(package);
        program.parts = vec![PART.into()];
        for source in program.sources.iter_mut().filter(|source| source.name == package.world.name) {
            *source = Source::new(source.name.clone(), marked.as_str());
        }
        let search = program.search(&[("holds", 2), (BROKEN, 1)], None, limit)?;
        Ok(Some(Invariants { package, stated, search }))
    }

    /// The invariants that a situation breaks, by their numbers.
    fn broken(&mut self, compiled: &CompiledLayout, situation: &Situation) -> Result<Vec<usize>, LogicError> {
        let (mut assume, mut marks) = (Vec::new(), Vec::new());
        for (atom, number) in self.search.atoms() {
            match atom.args() {
                [Term::Number(invariant)] => marks.push((*invariant as usize, number)),
                [fluent, time] if *time == Term::Number(0) => {
                    let fluent = compiled.fluents.binary_search(fluent).ok();
                    let inertial = fluent.filter(|fluent| compiled.inertial.contains(*fluent));
                    assume.extend(number.zip(inertial).map(|(n, fluent)| (n, situation.contains(fluent))));
                }
                _ => {}
            }
        }
        let found = self.search.truth(&assume, 1)?;
        let holds = |number: Option<u32>| match (number, found.first()) {
            (None, _) => true,
            (Some(number), Some(truth)) => truth.holds(number),
            (Some(_), None) => false,
        };
        Ok(marks.into_iter().filter(|(_, number)| holds(*number)).map(|(invariant, _)| invariant).collect())
    }

    /// The first break of each invariant among situations that were met.
    ///
    /// # Errors
    /// Solver failures.
    pub(crate) fn judge(
        &mut self,
        compiled: &CompiledLayout,
        level: i32,
        reached: &Reached,
    ) -> Result<Vec<Fault>, LogicError> {
        let (mut faults, mut told) = (Vec::new(), vec![false; self.stated.len()]);
        for (place, (situation, _)) in reached.all.iter().enumerate() {
            for invariant in self.broken(compiled, situation)? {
                if !std::mem::replace(&mut told[invariant], true) {
                    faults.push(self.fault(compiled, level, reached, place, invariant));
                }
            }
        }
        Ok(faults)
    }

    fn fault(
        &self,
        compiled: &CompiledLayout,
        level: i32,
        reached: &Reached,
        place: usize,
        invariant: usize,
    ) -> Fault {
        let (line, rule) = &self.stated[invariant];
        let cause =
            format!("the invariant `{rule}` is broken at level N{level}{}", story(compiled, reached, place));
        let remedy = match reached.all[place].1 {
            None => "add it to the part `situation`, too, or correct it",
            Some(_) => "correct the effects or the conditions of the actions in domain.lp, or the invariant",
        };
        Fault::new(&self.package.world.name, *line, cause, remedy)
    }
}

/// A situation and the story that leads there, in the terms of the programs.
pub(crate) fn story(compiled: &CompiledLayout, reached: &Reached, place: usize) -> String {
    let list = |situation: &Situation| {
        let all: Vec<String> = situation.iter().map(|f| compiled.fluents[f].to_string()).collect();
        let more = if all.len() > MOST_TOLD {
            format!(" and {} more", all.len() - MOST_TOLD)
        } else {
            String::new()
        };
        format!("{}{more}", all[..all.len().min(MOST_TOLD)].join(", "))
    };
    let (start, actions) = reached.way(place);
    let here = list(&reached.all[place].0);
    if actions.is_empty() {
        return format!(" in an initial situation, where these are true: {here}");
    }
    let actions: Vec<String> = actions.iter().map(|a| format!("`{}`", compiled.actions[*a])).collect();
    let from = list(&reached.all[start].0);
    format!(" after {}, where these are true: {here} (before it: {from})", actions.join(", "))
}
