//! The generic domain (section 2.4, listing 2): actions with preconditions and conditional effects, and static laws.
//!
//! A situation after an action is one that consists of just what the action's effects bring about, what was so before
//! and still is, and what the static laws cause (Gelfond and Lifschitz 1998, Action Languages). Here all situations are
//! tried; exactly one must be so.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Objects, World, words};

/// A fluent, or its negation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Literal {
    fluent: String,
    positive: bool,
}

/// Under these conditions, this is so.
#[derive(Clone, Default)]
struct Rule {
    conditions: Vec<Literal>,
    consequences: Vec<Literal>,
}

#[derive(Clone)]
pub struct Generic {
    objects: Objects,
    /// By action.
    preconditions: BTreeMap<String, Vec<Literal>>,
    /// By action, then by number.
    effects: BTreeMap<String, BTreeMap<String, Rule>>,
    static_laws: Vec<Rule>,
    /// The fluents that are true.
    situation: BTreeSet<String>,
}

impl Generic {
    fn literal(&self, text: &str) -> Result<Literal, String> {
        let words = words(text)?;
        let (fluent, positive) = match super::strs(&words).as_slice() {
            ["neg", fluent] => ((*fluent).to_owned(), false),
            [fluent] => ((*fluent).to_owned(), true),
            _ => return Err(format!("{text} is no literal")),
        };
        if !self.objects.is(&fluent, "fluent") {
            return Err(format!("{text} is no literal"));
        }
        Ok(Literal { fluent, positive })
    }

    /// The literals that are true in a situation.
    fn literals(&self, situation: &BTreeSet<String>) -> BTreeSet<Literal> {
        let literal = |fluent: String| Literal { positive: situation.contains(&fluent), fluent };
        self.objects.of("fluent").into_iter().map(literal).collect()
    }

    /// These literals, and whatever the static laws cause from them.
    fn closure(&self, mut literals: BTreeSet<Literal>) -> BTreeSet<Literal> {
        loop {
            let before = literals.len();
            for law in &self.static_laws {
                if law.conditions.iter().all(|condition| literals.contains(condition)) {
                    literals.extend(law.consequences.iter().cloned());
                }
            }
            if literals.len() == before {
                return literals;
            }
        }
    }

    fn precondition(&self, action: &str) -> Vec<Literal> {
        self.preconditions.get(action).cloned().unwrap_or_default()
    }

    /// The fluents that are true before the action and false after it, or the other way round; `None` if the action
    /// cannot be executed.
    fn changed_by(&self, action: &str) -> Option<Vec<String>> {
        if !self.executable(&[action]) {
            return None;
        }
        let mut next = self.clone();
        next.apply(&[action]).ok()?;
        let differs = |fluent: &String| self.situation.contains(fluent) != next.situation.contains(fluent);
        Some(self.objects.of("fluent").into_iter().filter(differs).collect())
    }

    /// The situations in which the action can result.
    fn results(&self, action: &str) -> Result<Vec<BTreeSet<String>>, String> {
        let before = self.literals(&self.situation);
        let mut direct = BTreeSet::new();
        for effect in self.effects.get(action).into_iter().flat_map(BTreeMap::values) {
            if effect.conditions.iter().all(|condition| before.contains(condition)) {
                direct.extend(effect.consequences.iter().cloned());
            }
        }

        // Only what an effect or a law is about can be other than before; all other fluents need not be tried.
        let mut open: BTreeSet<String> = direct.iter().map(|literal| literal.fluent.clone()).collect();
        for law in &self.static_laws {
            open.extend(law.consequences.iter().map(|literal| literal.fluent.clone()));
        }
        let open: Vec<String> = open.into_iter().collect();
        if open.len() > 16 {
            return Err("too many fluents that may change".to_owned());
        }

        let mut results = Vec::new();
        for choice in 0..1_u32 << open.len() {
            let mut candidate = self.situation.clone();
            for (i, fluent) in open.iter().enumerate() {
                if choice >> i & 1 == 1 {
                    candidate.insert(fluent.clone());
                } else {
                    candidate.remove(fluent);
                }
            }
            let after = self.literals(&candidate);
            let mut reasons = direct.clone();
            reasons.extend(before.intersection(&after).cloned());
            if self.closure(reasons) == after {
                results.push(candidate);
            }
        }
        Ok(results)
    }
}

impl World for Generic {
    const TYPES: &'static [&'static str] = &["fluent", "action"];
    const FLUENTS: &'static [&'static str] = &["fluent"];
    const ACTIONS: &'static [&'static str] = &["action"];
    const FAMILIES: &'static [&'static str] = &[
        "true(fluent)",
        "all_true",
        "both_true(fluent,fluent)",
        "either_true(fluent,fluent)",
        "same_value(fluent,fluent)",
        "which_false",
        "count_false",
        "which_executable",
        "obstacles(action)",
        "satisfied_preconditions(action)",
        "active_effects(action)",
        "active_laws",
        "settled_by_law",
        "changed_by(action)",
        "count_changed_by(action)",
    ];

    fn read(objects: Objects, facts: &[Vec<&str>]) -> Result<Self, String> {
        let mut world = Generic {
            objects,
            preconditions: BTreeMap::new(),
            effects: BTreeMap::new(),
            static_laws: vec![],
            situation: BTreeSet::new(),
        };

        let mut members: BTreeMap<String, Vec<Literal>> = BTreeMap::new();
        for fact in facts {
            if let ["member", set, literal] = fact.as_slice() {
                members.entry((*set).to_owned()).or_default().push(world.literal(literal)?);
            }
        }
        let set = |name: &str| members.get(name).cloned().unwrap_or_default();
        let sized = |name: &str, size: &str| {
            if set(name).len().to_string() == size {
                Ok(())
            } else {
                Err(format!("{name} has not {size} members"))
            }
        };

        for fact in facts {
            match fact.as_slice() {
                ["member", _, _] => {}
                ["precondition", action, name, size] => {
                    sized(name, size)?;
                    world.preconditions.insert((*action).to_owned(), set(name));
                }
                ["effect", action, name, what] => {
                    let name_words = words(name)?;
                    let [letter, owner, number] = name_words.as_slice() else {
                        return Err(format!("unknown fact {fact:?}"));
                    };
                    if owner != action {
                        return Err(format!("{name} is an effect of another action than {action}"));
                    }
                    let consequence = if letter == "e" { Some(world.literal(what)?) } else { None };
                    let effects = world.effects.entry((*action).to_owned()).or_default();
                    let effect = effects.entry(number.clone()).or_default();
                    match consequence {
                        Some(literal) => effect.consequences.push(literal),
                        None => {
                            sized(name, what)?;
                            effect.conditions = set(name);
                        }
                    }
                }
                ["static_law", name, literal] => {
                    let consequences = vec![world.literal(literal)?];
                    world.static_laws.push(Rule { conditions: set(name), consequences });
                }
                ["true", fluent] | [fluent] => {
                    if !world.objects.is(fluent, "fluent") {
                        return Err(format!("unknown fact {fact:?}"));
                    }
                    world.situation.insert((*fluent).to_owned());
                }
                _ => return Err(format!("unknown fact {fact:?}")),
            }
        }

        let literals = world.literals(&world.situation);
        if world.closure(literals.clone()) != literals {
            return Err("the initial situation breaks a static law".to_owned());
        }
        Ok(world)
    }

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn holds(&self, fluent: &[&str]) -> bool {
        match fluent {
            [fluent] => self.situation.contains(*fluent),
            _ => panic!("no fluent {fluent:?}"),
        }
    }

    fn conditions(&self, action: &[&str]) -> Vec<(String, bool)> {
        let all = self.precondition(action[0]);
        all.into_iter().map(|literal| (literal.fluent, literal.positive)).collect()
    }

    fn executable(&self, action: &[&str]) -> bool {
        let [action] = action else { panic!("no action {action:?}") };
        let now = self.literals(&self.situation);
        self.precondition(action).iter().all(|literal| now.contains(literal))
    }

    fn apply(&mut self, action: &[&str]) -> Result<(), String> {
        let [action] = action else { panic!("no action {action:?}") };
        let results = self.results(action)?;
        match results.as_slice() {
            [result] => {
                self.situation = result.clone();
                Ok(())
            }
            _ => Err(format!("{action} has {} results", results.len())),
        }
    }

    fn family(&self, question: &[&str]) -> Option<Answer> {
        let is_true = |fluent: &str| self.situation.contains(fluent);
        let holds = |literal: &Literal| is_true(&literal.fluent) == literal.positive;
        let false_fluents = || -> Vec<String> {
            self.objects.of("fluent").into_iter().filter(|fluent| !is_true(fluent)).collect()
        };
        let active_laws = || -> Vec<Rule> {
            self.static_laws.iter().filter(|law| law.conditions.iter().all(holds)).cloned().collect()
        };
        Some(match question {
            ["true", fluent] => Answer::Truth(is_true(fluent)),
            ["all_true"] => Answer::Truth(self.objects.of("fluent").iter().all(|f| is_true(f))),
            ["both_true", one, other] => Answer::Truth(is_true(one) && is_true(other)),
            ["either_true", one, other] => Answer::Truth(is_true(one) || is_true(other)),
            ["same_value", one, other] => Answer::Truth(is_true(one) == is_true(other)),
            ["which_false"] => Answer::Names(false_fluents()),
            ["count_false"] => Answer::Number(false_fluents().len()),
            ["which_executable"] => {
                let actions = self.objects.of("action").into_iter();
                Answer::Names(actions.filter(|action| self.executable(&[action.as_str()])).collect())
            }
            // Which fluents have the wrong value for the precondition of the action?
            ["obstacles", action] => {
                let missing = self.precondition(action).into_iter().filter(|literal| !holds(literal));
                Answer::Names(missing.map(|literal| literal.fluent).collect())
            }
            // How many of the conditions in the precondition of the action hold?
            ["satisfied_preconditions", action] => {
                Answer::Number(self.precondition(action).iter().filter(|literal| holds(literal)).count())
            }
            // How many of the stated effects of the action have only conditions that hold, or none at all?
            ["active_effects", action] => {
                let effects = self.effects.get(*action).into_iter().flat_map(BTreeMap::values);
                Answer::Number(effects.filter(|effect| effect.conditions.iter().all(holds)).count())
            }
            // How many static laws have all their conditions satisfied?
            ["active_laws"] => Answer::Number(active_laws().len()),
            // Which fluents are made true or made false by such a law?
            ["settled_by_law"] => {
                let consequences = active_laws().into_iter().flat_map(|law| law.consequences);
                Answer::Names(consequences.map(|literal| literal.fluent).collect())
            }
            // Which fluents change their value if the action is executed next?
            ["changed_by", action] => Answer::Names(self.changed_by(action)?),
            ["count_changed_by", action] => Answer::Number(self.changed_by(action)?.len()),
            _ => return None,
        })
    }
}
