//! One story, said in the vocabulary of its own domain or in that of the generic domain.

use racgen_logic::fault::Fault;
use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;

use crate::language::generic::GenericVerbalizer;
use crate::language::paragraphs::{Disorder, Paragraphs};
use crate::language::verbalizer::{Holdout, Verbalizer};
use crate::simulate::story::{Story, Timepoint};
use crate::simulate::transition_system::TransitionSystem;

/// Says things about one story, in one vocabulary or the other.
pub enum Voice<'a> {
    /// In that of its own domain.
    Own(Verbalizer<'a>),
    /// In that of the generic domain.
    Generic(GenericVerbalizer<'a>),
}

impl<'a> Voice<'a> {
    /// Initial state, rules and actions of a story.
    ///
    /// # Errors
    /// A template of the rules paragraph that fails on this world.
    pub fn paragraphs(
        &self,
        story: &Story,
        disorder: Disorder,
        rng: &mut ChaCha8Rng,
    ) -> Result<Paragraphs, Fault> {
        match self {
            Voice::Own(teller) => teller.paragraphs(story, disorder, rng),
            Voice::Generic(teller) => Ok(teller.paragraphs(story, disorder, rng)),
        }
    }

    /// A question in its scene, and the name of the phrasings drawn.
    pub fn question(
        &self,
        story: &Story,
        scene: Timepoint,
        question: usize,
        rng: &mut ChaCha8Rng,
    ) -> Option<(String, String)> {
        match self {
            Voice::Own(teller) => teller.question(story, scene, question, rng),
            Voice::Generic(teller) => teller.question(story, scene, question, rng),
        }
    }

    /// The text of answer terms and their type; the terms become those that the text names, in its order.
    pub fn answer(&self, question: usize, answers: &mut Vec<&'a Term>) -> (String, &'static str) {
        match self {
            Voice::Own(teller) => teller.answer(teller.engine.questions[question].kind, answers),
            Voice::Generic(teller) => teller.answer(question, answers),
        }
    }

    /// Can it be said that the fluent is true?
    pub fn says(&self, fluent: usize) -> bool {
        match self {
            Voice::Own(teller) => teller.lexicon.fluents[fluent].is_some(),
            Voice::Generic(_) => true,
        }
    }

    /// The terms of the story's layout.
    pub fn engine(&self) -> &TransitionSystem {
        match self {
            Voice::Own(teller) => teller.engine,
            Voice::Generic(teller) => teller.engine,
        }
    }

    /// Which phrasings may be used.
    pub fn holdout(&self) -> Holdout {
        match self {
            Voice::Own(teller) => teller.holdout,
            Voice::Generic(teller) => teller.holdout,
        }
    }

    /// The clause that a fluent is true.
    pub fn statement(&self, fluent: usize, rng: &mut ChaCha8Rng) -> String {
        match self {
            Voice::Own(teller) => teller.statement(fluent, rng),
            Voice::Generic(teller) => teller.statement(fluent, rng),
        }
    }

    /// The clause that an action takes place.
    pub fn clause(&self, action: usize, rng: &mut ChaCha8Rng) -> String {
        match self {
            Voice::Own(teller) => teller.clause(action, rng),
            Voice::Generic(teller) => teller.clause(action, rng),
        }
    }
}
