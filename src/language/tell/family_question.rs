//! A question of a family beyond prediction, and an answer that lists statements or actions, to words.

use rand::rngs::ChaCha8Rng;

use crate::language::tell::narrator::Narrator;
use crate::language::tell::verbalize::ToldText;
use crate::language::words::holdout::Holdout;
use crate::language::words::text::{capital, filled, small};
use crate::phrases::book::FamilyPhrases;

/// What stands between the statements or actions of a list: they have commas within.
pub const STATEMENTS: &str = "; ";

/// What stands before a statement that is to be false.
pub const DENIED: &str = "it is not the case that ";

/// Statements and actions in answers are told by the first phrasing of each list, so that equal answers are told alike.
pub const CANONICAL: Holdout = Holdout { phrasings: 1.0, names: 0.0, wanted: false };

/// What fills a slot of a family's question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FamilySlot {
    /// A fluent, by its number in the layout.
    Fluent(usize),
    /// An action.
    Action(usize),
    /// Several actions.
    Actions(Vec<usize>),
    /// Several fluents.
    Fluents(Vec<usize>),
    /// An object: its type and its name.
    Object(String, String),
    /// What is to be reached, or is observed: fluents, each with whether it is to be true.
    Literals(Vec<(usize, bool)>),
    /// A number.
    Number(usize),
    /// Actions, each with what those of its kind cost.
    Costs(Vec<(usize, usize)>),
    /// A question of prediction, within the sentence.
    Question(String),
    /// A question that stands on its own.
    Quoted(String),
}

/// How an object is called of which nothing but type and name is known.
pub fn called(kind: &str, name: &str) -> String {
    format!("the {kind} called {name}")
}

/// A question and the name of its phrasing.
pub fn family_question(
    narrator: &dyn Narrator,
    family: &FamilyPhrases,
    slots: &[FamilySlot],
    rng: &mut ChaCha8Rng,
) -> Option<ToldText> {
    let (number, phrasing) = narrator.holdout().draw(&family.ask, rng)?;
    let mut text = |slot: &FamilySlot| match slot {
        FamilySlot::Fluent(fluent) => narrator.statement(fluent, rng),
        FamilySlot::Action(action) => narrator.clause(action, rng),
        FamilySlot::Actions(actions) => {
            actions.iter().map(|action| narrator.clause(action, rng)).collect::<Vec<_>>().join(STATEMENTS)
        }
        FamilySlot::Literals(literals) => {
            let one = |(fluent, truth): &(usize, bool)| {
                let statement = narrator.statement(fluent, rng);
                if *truth { statement } else { format!("{DENIED}{statement}") }
            };
            literals.iter().map(one).collect::<Vec<_>>().join(STATEMENTS)
        }
        FamilySlot::Fluents(fluents) => {
            fluents.iter().map(|f| narrator.statement(f, rng)).collect::<Vec<_>>().join(STATEMENTS)
        }
        FamilySlot::Object(kind, name) => called(kind, name),
        FamilySlot::Number(number) => number.to_string(),
        FamilySlot::Costs(listed) => {
            let one = |(action, cost): &(usize, usize)| format!("{} ({cost})", narrator.clause(action, rng));
            listed.iter().map(one).collect::<Vec<_>>().join(STATEMENTS)
        }
        FamilySlot::Question(question) => small(question),
        FamilySlot::Quoted(question) => question.clone(),
    };
    let texts: Vec<String> = slots.iter().map(&mut text).collect();
    let name = format!("{}.{}", family.pattern.functor, number + 1);
    Some((capital(&filled(phrasing, &texts, "")), name))
}
