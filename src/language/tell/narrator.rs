//! A story to words, whatever the vocabulary: what the factory and the rationale ask of either verbalizer.

use racgen_logic::fault::Fault;
use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::language::tell::generic::GenericVerbalizer;
use crate::language::tell::initial_state::initial_state;
use crate::language::tell::paragraphs::{Disorder, Paragraphs};
use crate::language::tell::rules_paragraph::rules_paragraph;
use crate::language::tell::verbalizer::Verbalizer;
use crate::language::words::holdout::Holdout;
use crate::simulate::story::{Story, Timepoint};
use crate::simulate::transition_system::TransitionSystem;

/// Puts one story into words, in the vocabulary of its own domain or in another.
///
/// The general part is [`statement`](Narrator::statement), [`clause`](Narrator::clause) and
/// [`says`](Narrator::says): a fluent or an action to its clause. The phrase books of games could offer it as well,
/// as a trait below this one; the rest is about the stories and questions of domains.
pub trait Narrator {
    /// The terms of the story's layout.
    fn engine(&self) -> &TransitionSystem;

    /// Which phrasings may be used.
    fn holdout(&self) -> Holdout;

    /// Can it be said that the fluent is true?
    fn says(&self, fluent: usize) -> bool;

    /// The clause that a fluent is true.
    fn statement(&self, fluent: usize, rng: &mut ChaCha8Rng) -> String;

    /// The clause that an action takes place.
    fn clause(&self, action: usize, rng: &mut ChaCha8Rng) -> String;

    /// Initial state, rules and actions of a story.
    ///
    /// # Errors
    /// A template of the rules paragraph that fails on this world.
    fn paragraphs(
        &self,
        story: &Story,
        disorder: Disorder,
        rng: &mut ChaCha8Rng,
    ) -> Result<Paragraphs, Fault>;

    /// A question in its scene, and the name of the phrasings drawn.
    fn question(
        &self,
        story: &Story,
        scene: Timepoint,
        question: usize,
        rng: &mut ChaCha8Rng,
    ) -> Option<(String, String)>;

    /// The text of answer terms and their type; the terms become those that the text names, in its order.
    fn answer<'t>(&'t self, question: usize, answers: &mut Vec<&'t Term>) -> (String, &'static str);
}

impl Narrator for Verbalizer<'_> {
    fn engine(&self) -> &TransitionSystem {
        self.engine
    }

    fn holdout(&self) -> Holdout {
        self.holdout
    }

    fn says(&self, fluent: usize) -> bool {
        self.lexicon.fluents[fluent].is_some()
    }

    fn statement(&self, fluent: usize, rng: &mut ChaCha8Rng) -> String {
        Verbalizer::statement(self, fluent, rng)
    }

    fn clause(&self, action: usize, rng: &mut ChaCha8Rng) -> String {
        Verbalizer::clause(self, action, rng)
    }

    fn paragraphs(
        &self,
        story: &Story,
        disorder: Disorder,
        rng: &mut ChaCha8Rng,
    ) -> Result<Paragraphs, Fault> {
        Ok(Paragraphs {
            initial_state: initial_state(self, &story.initial, disorder, rng.random()),
            rules: rules_paragraph(self, rng)?,
            actions: self.actions(&story.plan, rng),
        })
    }

    fn question(
        &self,
        story: &Story,
        scene: Timepoint,
        question: usize,
        rng: &mut ChaCha8Rng,
    ) -> Option<(String, String)> {
        Verbalizer::question(self, story, scene, question, rng)
    }

    fn answer<'t>(&'t self, question: usize, answers: &mut Vec<&'t Term>) -> (String, &'static str) {
        Verbalizer::answer(self, self.engine.questions[question].kind, answers)
    }
}

impl Narrator for GenericVerbalizer<'_> {
    fn engine(&self) -> &TransitionSystem {
        self.engine
    }

    fn holdout(&self) -> Holdout {
        self.holdout
    }

    fn says(&self, _: usize) -> bool {
        true
    }

    fn statement(&self, fluent: usize, rng: &mut ChaCha8Rng) -> String {
        GenericVerbalizer::statement(self, fluent, rng)
    }

    fn clause(&self, action: usize, rng: &mut ChaCha8Rng) -> String {
        GenericVerbalizer::clause(self, action, rng)
    }

    fn paragraphs(
        &self,
        story: &Story,
        disorder: Disorder,
        rng: &mut ChaCha8Rng,
    ) -> Result<Paragraphs, Fault> {
        Ok(GenericVerbalizer::paragraphs(self, story, disorder, rng))
    }

    fn question(
        &self,
        story: &Story,
        scene: Timepoint,
        question: usize,
        rng: &mut ChaCha8Rng,
    ) -> Option<(String, String)> {
        GenericVerbalizer::question(self, story, scene, question, rng)
    }

    fn answer<'t>(&'t self, question: usize, answers: &mut Vec<&'t Term>) -> (String, &'static str) {
        GenericVerbalizer::answer(self, question, answers)
    }
}
