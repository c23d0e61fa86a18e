//! An action to the sentences of the rules that tell of it: what it requires, and what it does.

use crate::invent::telling::clauses::{Mentions, Tense, ToldTheory, joined};
use crate::invent::telling::rules::{RuleWordings, capital};
use crate::invent::theory::parts::{Action, Effect, KindNumber};

impl ToldTheory<'_> {
    /// The sentences about an action.
    pub(super) fn action_rules(&self, number: usize) -> Vec<RuleWordings> {
        let action = &self.theory.actions[number];
        let verb = &self.words.actions[number];
        let (first, later) = self.roles(action, verb);
        let known = Mentions { first: vec![None; later.len()], later };
        let requires = self.conditions(&action.requires, &action.params, &mut known.clone());
        let said = |tense: Tense| self.action(verb, tense, &first);
        let [third, perfect] = [Tense::Third, Tense::Perfect].map(said);
        let (can, to) = (capital(&said(Tense::Can)), said(Tense::To));
        let mut all = Vec::new();
        all.push(match action.requires.len() {
            0 => vec![
                format!("{can} at any time."),
                format!("Nothing is required for {to}."),
                format!("There is nothing that has to be so for {to}."),
                format!("{can} whatever the situation."),
            ],
            1 => vec![
                format!("{can} exactly if {requires}."),
                format!("For {to}, only this must be so: {requires}."),
                format!("{can} if {requires}, but not otherwise."),
                format!("All that it takes for {to} is this: {requires}."),
            ],
            _ => vec![
                format!("{can} exactly if {requires}."),
                format!("For {to}, all of this must be so, and nothing else: {requires}."),
                format!("{can} if {requires}, but not otherwise."),
                format!("It takes the following for {to}, and no more: {requires}."),
            ],
        });
        let plain: Vec<&Effect> =
            action.effects.iter().filter(|e| e.when.is_empty() && e.each.is_empty()).collect();
        let changes: Vec<String> = plain.iter().map(|e| self.change(&e.change, &mut known.clone())).collect();
        if !changes.is_empty() {
            let changes = joined(&changes);
            all.push(vec![
                format!("When {third}, the result is this: {changes}."),
                format!("Once {perfect}, {changes}."),
                format!("If {third}, then afterwards {changes}."),
                format!("After {perfect}, {changes}."),
            ]);
        }
        for effect in action.effects.iter().filter(|e| !e.when.is_empty() || !e.each.is_empty()) {
            all.push(self.side_effect(action, effect, &third, &known));
        }
        all
    }

    fn side_effect(&self, action: &Action, effect: &Effect, third: &str, known: &Mentions) -> RuleWordings {
        let kinds: Vec<KindNumber> = action.params.iter().chain(&effect.each).copied().collect();
        let mut mentions = known.clone();
        for kind in &effect.each {
            mentions.first.push(None);
            mentions.later.push(format!("that {}", self.words.kinds[*kind].noun));
        }
        let when = self.conditions(&effect.when, &kinds, &mut mentions.clone());
        let change = self.change(&effect.change, &mut mentions);
        let Some(kind) = effect.each.first() else {
            return vec![
                format!("When {third}, there is a further effect if at that moment {when}: {change}."),
                format!("If {third} and at that moment {when}, then afterwards {change}."),
                format!("Whenever {third} in a situation in which {when}, then right afterwards {change}."),
                format!("Besides, each time that {third} while {when}, the result is that {change}."),
            ];
        };
        let noun = &self.words.kinds[*kind].noun;
        let other = if action.params.contains(kind) { "other " } else { "" };
        vec![
            format!(
                "When {third}, every {other}{noun} may be affected: if at that moment {when}, then afterwards {change}."
            ),
            format!(
                "Whenever {third}, this happens to each {other}{noun}: if {when} when the action begins, then right afterwards {change}."
            ),
            format!(
                "If {third}, then the following is true of every {other}{noun}: if it is so at that moment that {when}, then afterwards {change}."
            ),
            format!(
                "Each time that {third}, the following holds for every {other}{noun}: provided that at that moment {when}, afterwards {change}."
            ),
        ]
    }
}
