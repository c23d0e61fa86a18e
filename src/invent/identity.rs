//! A theory to its canonical form: equal exactly for theories that differ in the names and the order of their parts only.

use std::collections::BTreeSet;

use racgen_logic::canonical::world_key;
use racgen_logic::term::Term;

use crate::invent::theory::parts::{
    ConditionSubject, FluentChange, FluentKind, InventedTheory, KindNumber, TheoryCondition, Variable,
};

/// The key of a theory's canonical form: 32 hexadecimal digits.
pub fn theory_key(theory: &InventedTheory) -> String {
    let mut facts = TheoryFacts { ids: Vec::new(), kinds: Vec::new(), facts: Vec::new() };
    facts.theory(theory);
    let ids: Vec<&str> = facts.ids.iter().map(String::as_str).collect();
    world_key("theory", &ids, &facts.kinds, &facts.facts)
}

/// The keys of a theory and of what is left of it without one condition or effect. Two theories that share one are clones.
pub fn family_keys(theory: &InventedTheory) -> BTreeSet<String> {
    let mut keys = BTreeSet::from([theory_key(theory)]);
    keys.extend(without_one(theory).iter().map(theory_key));
    keys
}

/// The theory without one of its conditions or effects, for each of them.
pub(crate) fn without_one(theory: &InventedTheory) -> Vec<InventedTheory> {
    let mut all = Vec::new();
    let mut with = |change: &dyn Fn(&mut InventedTheory)| {
        let mut other = theory.clone();
        change(&mut other);
        all.push(other);
    };
    for (law, known) in theory.laws.iter().enumerate() {
        for (case, known) in known.cases.iter().enumerate() {
            (0..known.when.len()).for_each(|n| with(&|t| drop(t.laws[law].cases[case].when.remove(n))));
        }
    }
    for (action, known) in theory.actions.iter().enumerate() {
        (0..known.requires.len()).for_each(|n| with(&|t| drop(t.actions[action].requires.remove(n))));
        for (effect, known) in known.effects.iter().enumerate() {
            (0..known.when.len())
                .for_each(|n| with(&|t| drop(t.actions[action].effects[effect].when.remove(n))));
            with(&|t| drop(t.actions[action].effects.remove(effect)));
        }
    }
    all
}

/// A theory as facts over nodes without names.
struct TheoryFacts {
    ids: Vec<String>,
    kinds: Vec<usize>,
    facts: Vec<Term>,
}

/// What a node stands for.
const KIND: usize = 0;
const STATIC: usize = 1;
const FLUENT: usize = 2;
const LAW: usize = 3;
const CASE: usize = 4;
const ACTION: usize = 5;
const EFFECT: usize = 6;
const CONDITION: usize = 7;
const VARIABLE: usize = 8;

impl TheoryFacts {
    fn node(&mut self, kind: usize) -> String {
        let id = format!("n{}", self.ids.len());
        self.ids.push(id.clone());
        self.kinds.push(kind);
        id
    }

    fn fact(&mut self, name: &str, args: &[&str]) {
        self.facts.push(Term::function(name, args.iter().map(|arg| Term::constant(arg)).collect()));
    }

    fn theory(&mut self, theory: &InventedTheory) {
        let kinds: Vec<String> = (0..theory.kinds).map(|_| self.node(KIND)).collect();
        let statics: Vec<String> = theory.statics.iter().map(|_| self.node(STATIC)).collect();
        for (node, relation) in statics.iter().zip(&theory.statics) {
            self.fact(&format!("static_{}", relation.shape.name()), &[node]);
            (0..2)
                .for_each(|place| self.fact(&format!("kind{place}"), &[node, &kinds[relation.kinds[place]]]));
        }
        let fluents: Vec<String> = theory.fluents.iter().map(|_| self.node(FLUENT)).collect();
        for (node, fluent) in fluents.iter().zip(&theory.fluents) {
            let name = match fluent.kind {
                FluentKind::At => "at".to_owned(),
                FluentKind::State => "state".to_owned(),
                FluentKind::In => "in".to_owned(),
                FluentKind::On => "on".to_owned(),
                FluentKind::Has(most) => format!("has{most}"),
                FluentKind::Tied => "tied".to_owned(),
            };
            self.fact(&name, &[node]);
            for (place, kind) in fluent.kinds.iter().enumerate() {
                self.fact(&format!("kind{place}"), &[node, &kinds[*kind]]);
            }
        }
        let laws: Vec<String> = theory.laws.iter().map(|_| self.node(LAW)).collect();
        let nodes = SymbolNodes { kinds, statics, fluents, laws };
        for (law, node) in theory.laws.iter().zip(nodes.laws.clone()) {
            self.fact("kind0", &[&node, &nodes.kinds[law.kind]]);
            for case in &law.cases {
                let case_node = self.node(CASE);
                self.fact("case", &[&node, &case_node]);
                let mut variables = Vec::new();
                self.variables(&[law.kind], "subject", &case_node, &nodes, &mut variables);
                self.variables(&case.others, "other", &case_node, &nodes, &mut variables);
                case.when.iter().for_each(|c| self.condition(c, &case_node, &variables, &nodes));
            }
        }
        for action in &theory.actions {
            let node = self.node(ACTION);
            let mut variables = Vec::new();
            self.variables(&action.params, "param", &node, &nodes, &mut variables);
            action.requires.iter().for_each(|c| self.condition(c, &node, &variables, &nodes));
            for effect in &action.effects {
                let effect_node = self.node(EFFECT);
                self.fact("effect", &[&node, &effect_node]);
                let mut variables = variables.clone();
                self.variables(&effect.each, "each", &effect_node, &nodes, &mut variables);
                effect.when.iter().for_each(|c| self.condition(c, &effect_node, &variables, &nodes));
                let name = match &effect.change {
                    FluentChange::Set { to, .. } => format!("set_{to}"),
                    FluentChange::Flip { .. } => "flip".to_owned(),
                    FluentChange::Step { up, .. } => format!("step_{up}"),
                };
                self.fact(&name, &[&effect_node, &nodes.fluents[effect.change.fluent()]]);
                self.arguments(&effect_node, &effect.change.variables(), &variables);
            }
        }
    }

    fn variables(
        &mut self,
        kinds: &[KindNumber],
        role: &str,
        of: &str,
        nodes: &SymbolNodes,
        all: &mut Vec<String>,
    ) {
        for kind in kinds {
            let node = self.node(VARIABLE);
            self.fact(role, &[of, &node]);
            self.fact("of_kind", &[&node, &nodes.kinds[*kind]]);
            all.push(node);
        }
    }

    fn arguments(&mut self, of: &str, variables: &[Variable], nodes: &[String]) {
        for (place, variable) in variables.iter().enumerate() {
            self.fact(&format!("argument{place}"), &[of, &nodes[*variable]]);
        }
    }

    fn condition(
        &mut self,
        condition: &TheoryCondition,
        of: &str,
        variables: &[String],
        nodes: &SymbolNodes,
    ) {
        let node = self.node(CONDITION);
        self.fact("condition", &[of, &node]);
        let (name, about) = match condition {
            TheoryCondition::Is { positive, what, .. } => {
                let about = match what {
                    ConditionSubject::Fluent(fluent) => Some(&nodes.fluents[*fluent]),
                    ConditionSubject::Law(law) => Some(&nodes.laws[*law]),
                };
                (format!("is_{positive}"), about)
            }
            TheoryCondition::Static { relation, .. } => {
                ("static".to_owned(), Some(&nodes.statics[*relation]))
            }
            TheoryCondition::SamePlace(one, other) => {
                // Which of them comes first says nothing.
                self.fact("same_place", &[&node, &variables[*one]]);
                self.fact("same_place", &[&node, &variables[*other]]);
                return;
            }
            TheoryCondition::Any { positive, fluent, open, .. } => {
                (format!("any_{positive}_{open}"), Some(&nodes.fluents[*fluent]))
            }
            TheoryCondition::Company { positive, kind, .. } => {
                (format!("company_{positive}"), Some(&nodes.kinds[*kind]))
            }
            TheoryCondition::Fewer { fluent, than, .. } => {
                (format!("fewer_{than}"), Some(&nodes.fluents[*fluent]))
            }
            TheoryCondition::Number { fluent, at_least, bound, .. } => {
                (format!("number_{at_least}_{bound}"), Some(&nodes.fluents[*fluent]))
            }
        };
        if let Some(about) = about {
            self.fact(&name, &[&node, about]);
        }
        self.arguments(&node, &condition.variables(), variables);
    }
}

/// The nodes of what a theory names.
struct SymbolNodes {
    kinds: Vec<String>,
    statics: Vec<String>,
    fluents: Vec<String>,
    laws: Vec<String>,
}

#[cfg(test)]
mod tests {
    use racgen_logic::seed::stream;

    use super::*;
    use crate::invent::theory::grammar::{QuotaCell, draw};
    use crate::invent::theory::parts::Action;

    /// The theory with its actions, their parameters and what they require in another order.
    fn turned_round(theory: &InventedTheory) -> InventedTheory {
        let mut other = theory.clone();
        other.actions.reverse();
        for action in &mut other.actions {
            action.requires.reverse();
            action.effects.reverse();
        }
        other
    }

    #[test]
    fn the_order_of_parts_says_nothing_and_each_part_counts() {
        let mut seen = 0;
        for number in 0..40 {
            let Some((theory, _)) = draw(&QuotaCell::of(number), stream(9, &[&number.to_string()])) else {
                continue;
            };
            seen += 1;
            let key = theory_key(&theory);
            assert_eq!(key, theory_key(&turned_round(&theory)));
            let family = family_keys(&theory);
            assert!(family.contains(&key));
            for smaller in without_one(&theory) {
                assert_ne!(theory_key(&smaller), key);
                assert!(family_keys(&smaller).contains(&theory_key(&smaller)));
                assert!(family.contains(&theory_key(&smaller)), "a theory less one condition is a clone");
            }
            let more: Vec<Action> = theory.actions.iter().chain(theory.actions.first()).cloned().collect();
            assert_ne!(theory_key(&InventedTheory { actions: more, ..theory }), key);
        }
        assert!(seen > 20);
    }
}
