//! A question and its story to the steps that lead to its answer, in words.
//!
//! A rationale has a line for the start, one for each action, one for the situation asked about and one for the answer.
//! It speaks of the answer's premises only: of the fluents that the rules for the answer read. racgen's audit reads it
//! back, line by line.

use racgen_logic::seed::stream;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::language::tell::narrator::Narrator;
use crate::language::words::text::listed;
use crate::phrases::book::{Phrasings, RationalePhrases};
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::story::{Story, Timepoint};
use crate::simulate::transitions::compiled_layout::Kind;

/// Of at most so many premises, the false ones are told, too.
pub(crate) const FEW: usize = 3;

struct Rationale<'a> {
    narrator: &'a dyn Narrator,
    phrases: &'a RationalePhrases,
    premises: BitSet,
    /// A statement is worded alike wherever it stands.
    dice: u64,
}

/// The steps that lead to the answer of a question.
pub fn rationale(
    narrator: &dyn Narrator,
    phrases: &RationalePhrases,
    story: &Story,
    (scene, question): (Timepoint, usize),
    answer: &str,
    rng: &mut ChaCha8Rng,
) -> String {
    let engine = narrator.engine();
    let Some(asked) = engine.questions.get(question) else { return String::new() };
    let term = &asked.term;
    let changed = term.args().first().filter(|_| term.is("changes", 1));
    let premises = match changed.and_then(|fluent| engine.fluents.binary_search(fluent).ok()) {
        Some(fluent) => {
            let mut only = BitSet::new(engine.fluents.len());
            only.insert(fluent);
            only
        }
        None => engine.premises(question, |fluent| narrator.says(fluent)),
    };
    let told = Rationale { narrator, phrases, premises, dice: rng.random() };
    let mut lines = vec![told.state(&story.initial, &phrases.start, asked.kind, rng)];
    let (steps, further) = match scene {
        Timepoint::Initially => (0, 0),
        Timepoint::Now => (story.plan.len(), 0),
        Timepoint::Supposing => (story.plan.len(), usize::from(changed.is_some())),
        Timepoint::AfterOne => (story.plan.len(), 1),
        Timepoint::AfterTwo => (story.plan.len(), 2),
    };
    let actions = story.plan.iter().zip(&story.passed).take(steps);
    let mut here = &story.initial;
    for (action, next) in actions.chain(story.further.iter().zip(&story.beyond).take(further)) {
        lines.push(told.step(*action, here, next, rng));
        here = next;
    }
    if lines.len() > 1 && changed.is_none() {
        lines.push(told.state(here, &phrases.end, asked.kind, rng));
    }
    lines.push(told.say(&phrases.conclusion, answer, rng));
    lines.join("\n")
}

impl Rationale<'_> {
    fn say(&self, phrasings: &Phrasings, slot: &str, rng: &mut ChaCha8Rng) -> String {
        let drawn = self.narrator.holdout().draw(phrasings, rng);
        drawn.map_or_else(String::new, |(_, phrasing)| listed(phrasing, slot))
    }

    /// A sentence with a list of statements; none for an empty list.
    fn list(&self, phrasings: &Phrasings, fluents: &[usize], rng: &mut ChaCha8Rng) -> Option<String> {
        let say = |f: &usize| self.narrator.statement(f, &mut stream(self.dice, &[&f.to_string()]));
        let list: Vec<String> = fluents.iter().map(say).collect();
        (!list.is_empty()).then(|| self.say(phrasings, &list.join("; "), rng))
    }

    /// The premises that are true in a situation, and where they are few, those that are not.
    fn state(&self, here: &Situation, with: &Phrasings, kind: Kind, rng: &mut ChaCha8Rng) -> String {
        let (yes, no): (Vec<usize>, Vec<usize>) = self.premises.iter().partition(|f| here.contains(*f));
        let few = kind == Kind::Verify && yes.len() + no.len() <= FEW;
        let mut sentences: Vec<String> = self.list(with, &yes, rng).into_iter().collect();
        if few {
            sentences.extend(self.list(&self.phrases.not, &no, rng));
        }
        if sentences.is_empty() {
            sentences.push(self.say(&self.phrases.nothing, "", rng));
        }
        sentences.join(" ")
    }

    /// An action, and which premises it makes true and false.
    fn step(&self, action: usize, here: &Situation, next: &Situation, rng: &mut ChaCha8Rng) -> String {
        let changed = |to: bool| -> Vec<usize> {
            let differ = self.premises.iter().filter(|f| here.contains(*f) != next.contains(*f));
            differ.filter(|f| next.contains(*f) == to).collect()
        };
        let clause = self.narrator.clause(&action, rng);
        let mut sentences = vec![self.say(&self.phrases.step, &clause, rng)];
        sentences.extend(self.list(&self.phrases.gained, &changed(true), rng));
        sentences.extend(self.list(&self.phrases.lost, &changed(false), rng));
        if sentences.len() == 1 {
            sentences.push(self.say(&self.phrases.unchanged, "", rng));
        }
        sentences.join(" ")
    }
}
