//! What is so and what is done to words, whatever the vocabulary: that of a domain, of a game or of a rule set.

use rand::rngs::ChaCha8Rng;

use crate::language::tell::paragraphs::Paragraphs;
use crate::language::words::text::paragraph;

/// A text and the name of the phrasings that it came of.
pub type ToldText = (String, String);

/// Puts what is so and what is done into words.
///
/// Whoever tells anything implements it: the phrase book of a domain, the generic vocabulary, the phrase book of a
/// game, and the language of rule sets. Clauses have no capital letter and no full stop; sentences get their capital
/// in the paragraph.
pub trait Verbalize {
    /// What is so: a fluent, a fact.
    type Atom: ?Sized;
    /// What is done in one step: an action, the moves of all players.
    type Action;
    /// What is told to be so before the first step.
    type Situation: ?Sized;
    /// Why the rules cannot be told.
    type Error;

    /// The clause that an atom is true.
    fn statement(&self, atom: &Self::Atom, rng: &mut ChaCha8Rng) -> String;

    /// The clause that an action takes place.
    fn clause(&self, action: &Self::Action, rng: &mut ChaCha8Rng) -> String;

    /// The sentences that tell a situation.
    fn situation(&self, situation: &Self::Situation, rng: &mut ChaCha8Rng) -> Vec<String>;

    /// The sentences of the rules.
    ///
    /// # Errors
    /// Rules that have no words in this world.
    fn rules(&self, rng: &mut ChaCha8Rng) -> Result<Vec<String>, Self::Error>;

    /// The sentence that an action took place, as the step at this place of a plan, counted from 0.
    fn did(&self, place: usize, action: &Self::Action, rng: &mut ChaCha8Rng) -> String;

    /// The sentence that nothing is done, where there is one.
    fn idle(&self, rng: &mut ChaCha8Rng) -> Option<String>;

    /// The sentences of a plan, in its order.
    fn actions(&self, plan: &[Self::Action], rng: &mut ChaCha8Rng) -> Vec<String> {
        if plan.is_empty() {
            return self.idle(rng).into_iter().collect();
        }
        plan.iter().enumerate().map(|(place, action)| self.did(place, action, rng)).collect()
    }

    /// The paragraphs of a situation, the rules and a plan.
    ///
    /// # Errors
    /// Those of [`rules`](Verbalize::rules).
    fn tell(
        &self,
        situation: &Self::Situation,
        plan: &[Self::Action],
        rng: &mut ChaCha8Rng,
    ) -> Result<Paragraphs, Self::Error> {
        Ok(Paragraphs {
            initial_state: paragraph(self.situation(situation, rng)),
            rules: paragraph(self.rules(rng)?),
            actions: paragraph(self.actions(plan, rng)),
        })
    }
}
