//! What is wanted of a situation: a few fluents, each true or false in it.

use racgen_logic::term::Term;

use crate::simulate::situation::Situation;

/// A fluent, and whether it is to be true.
pub type GoalFact = (usize, bool);

/// The functor of a goal's term.
pub const GOAL: &str = "goal";
/// The functor of a fluent that is to be false.
pub const NEGATION: &str = "neg";

/// Is all of it so in a situation?
pub fn is_met(goal: &[GoalFact], situation: &Situation) -> bool {
    goal.iter().all(|(fluent, truth)| situation.contains(*fluent) == *truth)
}

/// The goal as a term: `goal(on(b1,b2),neg(clear(b3)))`.
pub fn term(goal: &[GoalFact], fluents: &[Term]) -> Term {
    let literal = |(fluent, truth): &GoalFact| match truth {
        true => fluents[*fluent].clone(),
        false => Term::function(NEGATION, vec![fluents[*fluent].clone()]),
    };
    Term::function(GOAL, goal.iter().map(literal).collect())
}
