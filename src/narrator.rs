//! One story, said in the vocabulary of its own domain or in that of the generic domain.

use rand::rngs::ChaCha8Rng;

use crate::engine::Engine;
use crate::fault::Fault;
use crate::generic_view::GenericTeller;
use crate::paragraphs::{Disorder, Paragraphs};
use crate::story::{Scene, Story};
use crate::teller::{Holdout, Teller};
use crate::term::Term;

/// Says things about one story, in one vocabulary or the other.
pub enum Narrator<'a> {
    /// In that of its own domain.
    Own(Teller<'a>),
    /// In that of the generic domain.
    Generic(GenericTeller<'a>),
}

impl<'a> Narrator<'a> {
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
            Narrator::Own(teller) => teller.paragraphs(story, disorder, rng),
            Narrator::Generic(teller) => Ok(teller.paragraphs(story, disorder, rng)),
        }
    }

    /// A question in its scene, and the name of the phrasings drawn.
    pub fn question(
        &self,
        story: &Story,
        scene: Scene,
        question: usize,
        rng: &mut ChaCha8Rng,
    ) -> Option<(String, String)> {
        match self {
            Narrator::Own(teller) => teller.question(story, scene, question, rng),
            Narrator::Generic(teller) => teller.question(story, scene, question, rng),
        }
    }

    /// The text of answer terms and their type; the terms become those that the text names, in its order.
    pub fn answer(&self, question: usize, answers: &mut Vec<&'a Term>) -> (String, &'static str) {
        match self {
            Narrator::Own(teller) => teller.answer(teller.engine.questions[question].kind, answers),
            Narrator::Generic(teller) => teller.answer(question, answers),
        }
    }

    /// Can it be said that the fluent is true?
    pub fn says(&self, fluent: usize) -> bool {
        match self {
            Narrator::Own(teller) => teller.lexicon.fluents[fluent].is_some(),
            Narrator::Generic(_) => true,
        }
    }

    /// The terms of the story's layout.
    pub fn engine(&self) -> &Engine {
        match self {
            Narrator::Own(teller) => teller.engine,
            Narrator::Generic(teller) => teller.engine,
        }
    }

    /// Which phrasings may be used.
    pub fn holdout(&self) -> Holdout {
        match self {
            Narrator::Own(teller) => teller.holdout,
            Narrator::Generic(teller) => teller.holdout,
        }
    }

    /// The clause that a fluent is true.
    pub fn statement(&self, fluent: usize, rng: &mut ChaCha8Rng) -> String {
        match self {
            Narrator::Own(teller) => teller.statement(fluent, rng),
            Narrator::Generic(teller) => teller.statement(fluent, rng),
        }
    }

    /// The clause that an action takes place.
    pub fn clause(&self, action: usize, rng: &mut ChaCha8Rng) -> String {
        match self {
            Narrator::Own(teller) => teller.clause(action, rng),
            Narrator::Generic(teller) => teller.clause(action, rng),
        }
    }
}
