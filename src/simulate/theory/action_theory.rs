//! What an action theory says: what each action requires and causes, which laws settle which fluents, and which
//! questions are about nothing but a list of fluents or of actions.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use racgen_logic::term::Term;

/// A fluent, as an index into the [`fluents`](crate::simulate::transitions::compiled_layout::CompiledLayout::fluents) of a layout, and the value it is said to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Condition {
    /// The fluent.
    pub fluent: usize,
    /// Is it true?
    pub value: bool,
}

impl Condition {
    fn opposite(self) -> Condition {
        Condition { value: !self.value, ..self }
    }
}

/// Conditions that hold together.
pub type Conditions = BTreeSet<Condition>;

/// What an action requires and causes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The action is executable where one of these sets holds.
    pub preconditions: Vec<Conditions>,
    /// Sets of conditions, and what the action causes where they hold.
    pub effects: BTreeMap<Conditions, BTreeSet<Condition>>,
}

/// A static law: in every situation where the conditions hold, so does the consequence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Law {
    /// What is caused.
    pub consequence: Condition,
    /// Where.
    pub conditions: Conditions,
}

/// What a question asks about the things that it lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum InquiryShape {
    /// Is it so of the only one?
    One,
    /// Is it so of all?
    All,
    /// Is it so of at least one?
    Any,
    /// Of how many is it so?
    Count,
    /// Of which is it so?
    Which,
    /// Does the supposed action change the only one?
    Changes,
}

/// What is, or is not, so of a fluent or an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// A fluent is true.
    True,
    /// A fluent is false.
    False,
    /// An action is executable.
    Executable,
}

/// A fluent or an action, as an index into those of the layout, and the answer of the original question that it stands
/// for, where there is one.
pub type Thing = (usize, Option<Term>);

/// A question about a list of fluents or of actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inquiry {
    /// What is asked.
    pub shape: InquiryShape,
    /// About what property.
    pub property: Property,
    /// Of which things.
    pub things: Vec<Thing>,
}

/// The theory of one layout.
#[derive(Clone, Debug)]
pub struct Theory {
    /// By action; none for actions that are never executable.
    pub actions: Vec<Option<Description>>,
    /// All laws, those of one fluent together.
    pub laws: Vec<Law>,
    /// The fluents that are true exactly where a law for them applies.
    pub defined: Vec<usize>,
    /// By question; none for those that ask about more than a list.
    pub questions: Vec<Option<Inquiry>>,
}

impl Theory {
    /// Drops what makes no difference wherever an action is executable.
    pub(crate) fn simplify(&mut self) {
        let mut laws: HashMap<usize, Vec<&Conditions>> = self.defined.iter().map(|f| (*f, vec![])).collect();
        for law in &self.laws {
            if let Some(of_fluent) = laws.get_mut(&law.consequence.fluent) {
                of_fluent.push(&law.conditions);
            }
        }
        for description in self.actions.iter_mut().flatten() {
            let Description { preconditions, effects } = description;
            let required: Conditions =
                preconditions.iter().skip(1).fold(preconditions[0].clone(), |common, other| {
                    common.intersection(other).copied().collect()
                });
            // Conditions that the precondition already grants, and effects whose conditions it rules out.
            let mut single: BTreeMap<Condition, Vec<Conditions>> = BTreeMap::new();
            for (conditions, consequences) in effects.iter() {
                let met = |p: &Conditions| consistent(&p.union(conditions).copied().collect(), &laws);
                if preconditions.iter().any(met) {
                    let rest: Conditions = conditions.difference(&required).copied().collect();
                    for consequence in consequences {
                        single.entry(*consequence).or_default().push(rest.clone());
                    }
                }
            }
            // That a literal was false before need not be said of what makes it true, if nothing makes it false.
            let caused: BTreeSet<Condition> = single.keys().copied().collect();
            effects.clear();
            for (consequence, mut sets) in single {
                if !caused.contains(&consequence.opposite()) {
                    for set in &mut sets {
                        set.remove(&consequence.opposite());
                    }
                }
                for (i, set) in sets.iter().enumerate() {
                    let covered = |(j, other): (usize, &Conditions)| {
                        other.is_subset(set) && (other.len() < set.len() || j < i)
                    };
                    if !sets.iter().enumerate().any(covered) {
                        effects.entry(set.clone()).or_default().insert(consequence);
                    }
                }
            }
        }
    }
}

/// Can the conditions hold together, as far as one look at the laws of defined fluents tells?
fn consistent(conditions: &Conditions, laws: &HashMap<usize, Vec<&Conditions>>) -> bool {
    let clash = |c: &Condition| conditions.contains(&c.opposite());
    conditions.iter().all(|c| {
        !clash(c)
            && laws.get(&c.fluent).is_none_or(|laws| {
                if c.value {
                    laws.iter().any(|law| !law.iter().any(clash))
                } else {
                    !laws.iter().any(|law| law.is_subset(conditions))
                }
            })
    })
}
