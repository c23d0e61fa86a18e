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

/// One of its facts as a term: `neg(clear(b3))` where it is to be false.
pub fn literal((fluent, truth): &GoalFact, fluents: &[Term]) -> Term {
    match truth {
        true => fluents[*fluent].clone(),
        false => Term::function(NEGATION, vec![fluents[*fluent].clone()]),
    }
}

/// Each of some facts as a term.
pub fn literals(facts: &[GoalFact], fluents: &[Term]) -> Vec<Term> {
    facts.iter().map(|fact| literal(fact, fluents)).collect()
}

/// The goal as a term: `goal(on(b1,b2),neg(clear(b3)))`.
pub fn term(goal: &[GoalFact], fluents: &[Term]) -> Term {
    Term::function(GOAL, literals(goal, fluents))
}
