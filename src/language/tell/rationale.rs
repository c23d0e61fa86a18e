//! A question and its story to the steps that lead to its answer, in words.
//!
//! A rationale has a line for the start, one for each action, one for the situation asked about and one for the answer.
//! It speaks of what suffices to see the answer (`src/language/reasons/support.rs`): of the static facts once, and of the
//! fluents at the start, wherever an action changes them, and in the situation asked about. racgen's audit reads it back,
//! line by line.

use std::borrow::Cow;

use racgen_logic::seed::stream;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::language::reasons::support::{AskedSituation, Reasons, Support};
use crate::language::tell::course::{CourseEvent, Ending, Remark, ToldCourse};
use crate::language::tell::family_question::{DENIED, STATEMENTS};
use crate::language::tell::narrator::Narrator;
use crate::language::words::text::{filled, listed};
use crate::phrases::book::{Phrasings, RationalePhrases};
use crate::simulate::search::goal::GoalFact;
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
    let events = actions.into_iter();
    let events = events.map(|(action, next)| (CourseEvent::Done(*action), Cow::Borrowed(next))).collect();
    let course = ToldCourse {
        initial: Cow::Borrowed(&story.initial),
        events,
        told: steps,
        premises,
        ending: if changed.is_none() { Ending::Premises } else { Ending::Untold },
        remarks: Vec::new(),
        comparison: None,
    };
    course_rationale(narrator, phrases, course, answer, rng)
}

/// The steps of a course of events that lead to an answer.
pub fn course_rationale(
    narrator: &dyn Narrator,
    phrases: &RationalePhrases,
    course: ToldCourse,
    answer: &str,
    rng: &mut ChaCha8Rng,
) -> String {
    let ToldCourse { initial, events, told: of_text, premises, ending, remarks, comparison } = course;
    let told = Rationale { narrator, phrases, premises, dice: rng.random() };
    let mut start = if events.is_empty() {
        told.state(&initial, (&phrases.start, &phrases.start_not), rng)
    } else {
        told.start(&initial, rng)
    };
    if let Some(facts) = told.facts(rng) {
        // Where no fluent matters, the facts are all there is.
        start = if told.premises.fluents.is_empty() { facts } else { format!("{start} {facts}") };
    }
    let mut lines = vec![start];
    let mut here: &Situation = &initial;
    for (number, (event, next)) in (1..).zip(&events) {
        let mut line = told.event(event, here, next, rng);
        if number == of_text && number < events.len() {
            line = format!("{line} {}", told.say(&phrases.beyond, "", rng));
        }
        lines.push(line);
        here = next;
    }
    if lines.len() > 1 {
        match &ending {
            Ending::Untold => {}
            Ending::Premises => lines.push(told.state(here, (&phrases.end, &phrases.not), rng)),
            Ending::Of(fluents) => lines.push(told.truths(here, fluents, (&phrases.end, &phrases.not), rng)),
        }
    }
    lines.extend(remarks.iter().map(|remark| told.remark(remark, rng)));
    if let Some(comparison) = comparison {
        lines.push(told.say(comparison.phrasings(phrases), &comparison.number(), rng));
    }
    lines.push(told.say(&phrases.conclusion, answer, rng));
    lines.join("\n")
}

/// The steps of several courses of events, each of which leads to the answer of a part, and the answer of the whole.
pub fn parts_rationale(
    narrator: &dyn Narrator,
    phrases: &RationalePhrases,
    parts: Vec<(ToldCourse, &str)>,
    answer: &str,
    rng: &mut ChaCha8Rng,
) -> String {
    let part = |(number, (course, answer)): (usize, _)| {
        let part = said(narrator, &phrases.part, &number.to_string(), rng);
        format!("{part} {}", course_rationale(narrator, phrases, course, answer, rng))
    };
    let mut lines: Vec<String> = (1..).zip(parts).map(part).collect();
    lines.push(said(narrator, &phrases.conclusion, answer, rng));
    lines.join("\n")
}

/// The text does not have what is called so.
pub fn missing_rationale(
    narrator: &dyn Narrator,
    phrases: &RationalePhrases,
    called: &str,
    answer: &str,
    rng: &mut ChaCha8Rng,
) -> String {
    let missing = said(narrator, &phrases.missing, called, rng);
    format!("{missing}\n{}", said(narrator, &phrases.conclusion, answer, rng))
}

/// A sentence with something in its slot.
pub(super) fn said(
    narrator: &dyn Narrator,
    phrasings: &Phrasings,
    slot: &str,
    rng: &mut ChaCha8Rng,
) -> String {
    let drawn = narrator.holdout().draw(phrasings, rng);
    drawn.map_or_else(String::new, |(_, phrasing)| listed(phrasing, slot))
}

impl Rationale<'_> {
    fn say(&self, phrasings: &Phrasings, slot: &str, rng: &mut ChaCha8Rng) -> String {
        said(self.narrator, phrasings, slot, rng)
    }

    fn statement(&self, fluent: usize) -> String {
        self.narrator.statement(&fluent, &mut stream(self.dice, &[&fluent.to_string()]))
    }

    /// What is said beside the course of events.
    fn remark(&self, remark: &Remark, rng: &mut ChaCha8Rng) -> String {
        match remark {
            Remark::Kept(under, facts) => {
                let one = |(fluent, truth): &GoalFact| {
                    let said = self.statement(*fluent);
                    if *truth { said } else { format!("{DENIED}{said}") }
                };
                let list: Vec<String> = facts.iter().map(one).collect();
                self.say(under.phrasings(self.phrases), &list.join(STATEMENTS), rng)
            }
            Remark::Way(None, actions) => {
                let list = self.clauses(actions, rng);
                self.say(&self.phrases.by_action, &list, rng)
            }
            Remark::Way(Some(to), actions) => self.way(&self.phrases.by_way, *to, actions, rng),
            Remark::Avoiding(fluent, actions) => self.way(&self.phrases.avoiding, *fluent, actions, rng),
            Remark::NeverMet(fluents) => self.list(&self.phrases.never_met, fluents, rng).unwrap_or_default(),
        }
    }

    /// Actions one after the other.
    fn clauses(&self, actions: &[usize], rng: &mut ChaCha8Rng) -> String {
        let list: Vec<String> = actions.iter().map(|action| self.narrator.clause(action, rng)).collect();
        list.join(STATEMENTS)
    }

    /// A sentence with a statement and actions.
    fn way(&self, phrasings: &Phrasings, fluent: usize, actions: &[usize], rng: &mut ChaCha8Rng) -> String {
        let list = self.clauses(actions, rng);
        let drawn = self.narrator.holdout().draw(phrasings, rng);
        drawn.map_or_else(String::new, |(_, phrasing)| filled(phrasing, &[self.statement(fluent)], &list))
    }

    /// A sentence with a list of statements; none for an empty list.
    fn list(&self, phrasings: &Phrasings, fluents: &[usize], rng: &mut ChaCha8Rng) -> Option<String> {
        let list: Vec<String> = fluents.iter().map(|fluent| self.statement(*fluent)).collect();
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
            sentences.extend(self.list(&self.phrases.start_not, &no, rng));
        }
        if sentences.is_empty() {
            sentences.push(self.say(&self.phrases.start_nothing, "", rng));
        }
        sentences.join(" ")
    }

    /// The situation in which the answer is to be seen.
    fn state(
        &self,
        here: &Situation,
        (with, with_not): (&Phrasings, &Phrasings),
        rng: &mut ChaCha8Rng,
    ) -> String {
        let (yes, no) = self.parted(here);
        let mut sentences: Vec<String> = self.list(with, &yes, rng).into_iter().collect();
        if no.len() <= MOST_DENIED {
            sentences.extend(self.list(with_not, &no, rng));
        } else {
            let others = if yes.is_empty() { &self.phrases.nothing } else { &self.phrases.rest };
            sentences.push(self.say(others, "", rng));
        }
        if sentences.is_empty() {
            sentences.push(self.say(&self.phrases.nothing, "", rng));
        }
        sentences.join(" ")
    }

    /// Which of some fluents are true and which are not.
    fn truths(
        &self,
        here: &Situation,
        fluents: &[usize],
        (with, with_not): (&Phrasings, &Phrasings),
        rng: &mut ChaCha8Rng,
    ) -> String {
        let (yes, no): (Vec<usize>, Vec<usize>) = fluents.iter().partition(|f| here.contains(**f));
        let sentences = self.list(with, &yes, rng).into_iter().chain(self.list(with_not, &no, rng));
        sentences.collect::<Vec<_>>().join(" ")
    }

    /// What happens, and which premises become true and false by it.
    fn event(&self, event: &CourseEvent, here: &Situation, next: &Situation, rng: &mut ChaCha8Rng) -> String {
        let (action, with) = match event {
            CourseEvent::Done(action) => return self.change(Some(*action), here, next, rng),
            CourseEvent::Changed => return self.change(None, here, next, rng),
            CourseEvent::Skipped(action, _) => (action, &self.phrases.skipped),
            CourseEvent::Impossible(action, _) => (action, &self.phrases.impossible),
            CourseEvent::LeftOut(action) => (action, &self.phrases.left_out),
        };
        let clause = self.narrator.clause(action, rng);
        let sentence = self.say(with, &clause, rng);
        match event {
            CourseEvent::Skipped(_, why) | CourseEvent::Impossible(_, why) if !why.is_empty() => {
                format!(
                    "{sentence} {}",
                    self.truths(here, why, (&self.phrases.why, &self.phrases.why_not), rng)
                )
            }
            _ => sentence,
        }
    }

    /// An action, or a change without one, and which premises it makes true and false.
    fn change(
        &self,
        action: Option<usize>,
        here: &Situation,
        next: &Situation,
        rng: &mut ChaCha8Rng,
    ) -> String {
        let changed = |to: bool| -> Vec<usize> {
            let differ = self.premises.fluents.iter().copied();
            let differ = differ.filter(|f| here.contains(*f) != next.contains(*f));
            differ.filter(|f| next.contains(*f) == to).collect()
        };
        let first = match action {
            Some(action) => {
                let clause = self.narrator.clause(&action, rng);
                self.say(&self.phrases.step, &clause, rng)
            }
            None => self.say(&self.phrases.changed, "", rng),
        };
        let mut sentences = vec![first];
        sentences.extend(self.list(&self.phrases.gained, &changed(true), rng));
        sentences.extend(self.list(&self.phrases.lost, &changed(false), rng));
        if sentences.len() == 1 {
            sentences.push(self.say(&self.phrases.unchanged, "", rng));
        }
        sentences.join(" ")
    }
}
