//! A question and its story to the steps that lead to its answer, in words.
//!
//! A rationale has a line for the start, one for each action, one for the situation asked about and one for the answer.
//! It speaks of what suffices to see the answer (`src/language/reasons/support.rs`): of the static facts once, and of the
//! fluents at the start, wherever an action changes them, and in the situation asked about. racgen's audit reads it back,
//! line by line.

use racgen_logic::seed::stream;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::language::reasons::support::{AskedSituation, Reasons, Support};
use crate::language::tell::narrator::Narrator;
use crate::language::words::text::listed;
use crate::phrases::book::{Phrasings, RationalePhrases};
use crate::simulate::situation::Situation;
use crate::simulate::story::{Story, Timepoint};

/// So many premises that are false are told one by one. More of them, as where something is counted, are told together:
/// nothing else is true.
const MOST_DENIED: usize = 3;

struct Rationale<'a> {
    narrator: &'a dyn Narrator,
    phrases: &'a RationalePhrases,
    premises: Support,
    /// A statement is worded alike wherever it stands.
    dice: u64,
}

/// The steps that lead to the answer of a question.
pub fn rationale(
    narrator: &dyn Narrator,
    reasons: Option<&Reasons>,
    phrases: &RationalePhrases,
    story: &Story,
    (scene, question): (Timepoint, usize),
    answer: &str,
    rng: &mut ChaCha8Rng,
) -> String {
    let engine = narrator.engine();
    let Some(asked) = engine.questions.get(question) else { return String::new() };
    let changed = asked.term.args().first().filter(|_| asked.term.is("changes", 1));
    let changed = changed.and_then(|fluent| engine.fluents.binary_search(fluent).ok());
    let steps = if scene == Timepoint::Initially { 0 } else { story.plan.len() };
    let (further, supposed) = match scene {
        Timepoint::Initially | Timepoint::Now => (0, None),
        Timepoint::Supposing if changed.is_some() => (1, None),
        Timepoint::Supposing => (0, story.further.first().copied()),
        Timepoint::AfterOne => (1, None),
        Timepoint::AfterTwo => (2, None),
    };
    let actions = story.plan.iter().zip(&story.passed).take(steps);
    let actions: Vec<(&usize, &Situation)> =
        actions.chain(story.further.iter().zip(&story.beyond).take(further)).collect();
    let last = actions.last().map_or(&story.initial, |(_, next)| next);
    let premises = match (changed, reasons) {
        (Some(fluent), _) => Support { fluents: vec![fluent], facts: Vec::new() },
        (None, Some(reasons)) => reasons.support(question, AskedSituation { here: last, supposed }),
        (None, None) => {
            let all = engine.premises(question, |fluent| narrator.says(fluent));
            Support { fluents: all.iter().collect(), facts: Vec::new() }
        }
    };
    let told = Rationale { narrator, phrases, premises, dice: rng.random() };
    let mut start = if actions.is_empty() {
        told.state(&story.initial, &phrases.start, rng)
    } else {
        told.start(&story.initial, rng)
    };
    if let Some(facts) = told.facts(rng) {
        // Where no fluent matters, the facts are all there is.
        start = if told.premises.fluents.is_empty() { facts } else { format!("{start} {facts}") };
    }
    let mut lines = vec![start];
    let mut here = &story.initial;
    for (action, next) in actions {
        lines.push(told.step(*action, here, next, rng));
        here = next;
    }
    if lines.len() > 1 && changed.is_none() {
        lines.push(told.state(here, &phrases.end, rng));
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

    /// The static facts among the premises.
    fn facts(&self, rng: &mut ChaCha8Rng) -> Option<String> {
        let say = |f: &usize| self.narrator.fact(*f, &mut stream(self.dice, &["fact", &f.to_string()]));
        let list: Vec<String> = self.premises.facts.iter().filter_map(say).collect();
        (!list.is_empty()).then(|| self.say(&self.phrases.facts, &list.join("; "), rng))
    }

    /// The premises that are true in a situation, and those that are not.
    fn parted(&self, here: &Situation) -> (Vec<usize>, Vec<usize>) {
        self.premises.fluents.iter().partition(|f| here.contains(**f))
    }

    /// The situation before the first action: what is true of the premises, and where they are few, what is not.
    fn start(&self, here: &Situation, rng: &mut ChaCha8Rng) -> String {
        let (yes, no) = self.parted(here);
        let mut sentences: Vec<String> = self.list(&self.phrases.start, &yes, rng).into_iter().collect();
        if no.len() <= MOST_DENIED {
            sentences.extend(self.list(&self.phrases.not, &no, rng));
        }
        if sentences.is_empty() {
            sentences.push(self.say(&self.phrases.start_nothing, "", rng));
        }
        sentences.join(" ")
    }

    /// The situation in which the answer is to be seen.
    fn state(&self, here: &Situation, with: &Phrasings, rng: &mut ChaCha8Rng) -> String {
        let (yes, no) = self.parted(here);
        let mut sentences: Vec<String> = self.list(with, &yes, rng).into_iter().collect();
        if no.len() <= MOST_DENIED {
            sentences.extend(self.list(&self.phrases.not, &no, rng));
        } else {
            let others = if yes.is_empty() { &self.phrases.nothing } else { &self.phrases.rest };
            sentences.push(self.say(others, "", rng));
        }
        if sentences.is_empty() {
            sentences.push(self.say(&self.phrases.nothing, "", rng));
        }
        sentences.join(" ")
    }

    /// An action, and which premises it makes true and false.
    fn step(&self, action: usize, here: &Situation, next: &Situation, rng: &mut ChaCha8Rng) -> String {
        let changed = |to: bool| -> Vec<usize> {
            let differ = self.premises.fluents.iter().copied();
            let differ = differ.filter(|f| here.contains(*f) != next.contains(*f));
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
