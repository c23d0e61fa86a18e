//! A story of a domain and a question about it to words, in the vocabulary of its domain or in the generic one.

use racgen_logic::fault::Fault;
use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;

use crate::language::tell::paragraphs::{Disorder, OmittedStatements, Opening, Paragraphs};
use crate::language::tell::verbalize::{ToldText, Verbalize};
use crate::language::words::holdout::Holdout;
use crate::language::words::text::{capital, filled, small};
use crate::phrases::book::PhraseBook;
use crate::simulate::narrative::partly::PartTelling;
use crate::simulate::story::{Story, Timepoint};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Puts the stories of a domain, and questions about them, into words: what only domains have, above what
/// [`Verbalize`] has for all. Fluents and actions are known by their numbers in the layout.
pub trait Narrator: Verbalize<Atom = usize, Action = usize, Situation = Opening, Error = Fault> {
    /// The terms of the story's layout.
    fn engine(&self) -> &TransitionSystem;

    /// The phrases that all domains share.
    fn common(&self) -> &PhraseBook;

    /// Which phrasings may be used.
    fn holdout(&self) -> Holdout;

    /// Can it be said that the fluent is true?
    fn says(&self, fluent: usize) -> bool;

    /// The clause that a static fact of the layout is true; none where static facts are not told.
    fn fact(&self, fact: usize, rng: &mut ChaCha8Rng) -> Option<String>;

    /// A question in its scene, and the name of the phrasings drawn.
    fn question(
        &self,
        story: &Story,
        scene: Timepoint,
        question: usize,
        rng: &mut ChaCha8Rng,
    ) -> Option<ToldText>;

    /// The text of answer terms and their type; the terms become those that the text names, in its order.
    fn answer<'t>(&'t self, question: usize, answers: &mut Vec<&'t Term>) -> (String, &'static str);

    /// Initial state, rules and actions of a story.
    ///
    /// # Errors
    /// A template of the rules paragraph that fails on this world.
    fn paragraphs(
        &self,
        story: &Story,
        disorder: Disorder,
        rng: &mut ChaCha8Rng,
    ) -> Result<Paragraphs, Fault> {
        let opening =
            Opening { initial: story.initial.clone(), disorder, left_out: OmittedStatements::default() };
        self.tell(&opening, &story.plan, rng)
    }

    /// The same where a picture states the initial situation, and words name its objects only.
    ///
    /// # Errors
    /// As [`Narrator::paragraphs`].
    fn beside_picture(
        &self,
        story: &Story,
        disorder: Disorder,
        rng: &mut ChaCha8Rng,
    ) -> Result<Paragraphs, Fault> {
        let left_out = OmittedStatements { pictured: true, ..OmittedStatements::default() };
        self.tell(&Opening { initial: story.initial.clone(), disorder, left_out }, &story.plan, rng)
    }

    /// Initial state, rules and actions of a story that is told in part; none in a vocabulary that has no words for that.
    ///
    /// # Errors
    /// As [`Narrator::paragraphs`].
    fn partly(
        &self,
        _story: &Story,
        _telling: &PartTelling,
        _disorder: Disorder,
        _rng: &mut ChaCha8Rng,
    ) -> Result<Option<Paragraphs>, Fault> {
        Ok(None)
    }

    /// Puts a question, given as text and name of its phrasing, in its scene: after further actions, or before the
    /// plan.
    fn in_scene(
        &self,
        story: &Story,
        scene: Timepoint,
        (text, template): ToldText,
        rng: &mut ChaCha8Rng,
    ) -> Option<ToldText> {
        let common = self.common();
        let (wrapper, name, actions) = match scene {
            Timepoint::Now | Timepoint::Supposing => return Some((capital(&text), template)),
            Timepoint::AfterOne => (&common.after_one, "after.one", 1),
            Timepoint::AfterTwo => (&common.after_two, "after.two", 2),
            Timepoint::Initially => (&common.initially, "initially", 0),
        };
        let (outer, phrasing) = self.holdout().draw(wrapper, rng)?;
        let mut parts: Vec<String> =
            story.further.iter().take(actions).map(|action| self.clause(action, rng)).collect();
        parts.push(small(&text));
        let asked = filled(phrasing, &parts, "");
        Some((capital(&asked), format!("{name}.{}/{template}", outer + 1)))
    }
}
