//! A question and its answer to the pattern of their names: where one pattern always goes with the other, whoever knows the rules tells
//! the answer by the question alone.

use std::collections::BTreeMap;

use racgen_logic::term::Term;

use crate::factory::further::offers::{Given, OfferCell, OfferedQuestion, numbered};
use crate::factory::further::telling::query;
use crate::simulate::search::goal;
use crate::simulate::story::Simulator;

/// What can be seen of a question and its answer by which names are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AnswerPattern {
    /// A number for the question's.
    pub(super) question: u64,
    /// A number for the answer's beside that; none where it names an object that the question does not.
    pub(super) answer: Option<u64>,
}

impl AnswerPattern {
    /// That of a question and what answers it.
    pub(super) fn of<'t>(
        stage: &Simulator,
        question: &Term,
        answers: impl Iterator<Item = &'t Term>,
    ) -> AnswerPattern {
        let mut names = QuestionNames { stage, known: BTreeMap::new() };
        let mut told = Vec::new();
        names.tell(question, true, &mut told);
        let answer = |term: &Term| {
            let mut told = Vec::new();
            names.tell(term, false, &mut told).then_some(told)
        };
        let answers: Option<Vec<Vec<String>>> = answers.map(answer).collect();
        let answer = answers.map(|mut all| {
            all.sort_unstable();
            numbered(&all)
        });
        AnswerPattern { question: numbered(&told), answer }
    }

    /// That of what a story offers; none where the answer is no statement and no action.
    pub(crate) fn of_offer(
        stage: &Simulator,
        cell: &OfferCell,
        offer: &OfferedQuestion,
    ) -> Option<AnswerPattern> {
        let engine = &stage.engine;
        let question = query(stage, &stage.package.common.families, cell, &offer.subject);
        let of = |terms: Vec<&Term>| AnswerPattern::of(stage, &question, terms.into_iter());
        match &offer.answer {
            Given::Action(action) => Some(of(vec![&engine.actions[*action]])),
            Given::Actions(all) => Some(of(all.iter().map(|one| &engine.actions[*one]).collect())),
            Given::Fluents(all) => Some(of(all.iter().map(|one| &engine.fluents[*one]).collect())),
            Given::Fact(fact) => Some(of(vec![&goal::literal(fact, &engine.fluents)])),
            Given::Term(_) | Given::Plan(_) | Given::Predicted(_) => None,
        }
    }
}

/// The objects of a question in the order in which it names them.
struct QuestionNames<'s> {
    stage: &'s Simulator<'s>,
    known: BTreeMap<String, usize>,
}

impl QuestionNames<'_> {
    /// Tells a term with numbers for objects. Those that are new get one, if they may; else it cannot be told.
    fn tell(&mut self, term: &Term, may_be_new: bool, told: &mut Vec<String>) -> bool {
        let Term::Function(name, arguments) = term else {
            told.push(term.to_string());
            return true;
        };
        let objects = &self.stage.layout().objects;
        let object = objects.iter().find(|object| arguments.is_empty() && *object.id == **name);
        match (object, self.known.get(&**name)) {
            (Some(_), Some(number)) => told.push(format!("#{number}")),
            (Some(object), None) if may_be_new => {
                let number = self.known.len();
                self.known.insert(name.to_string(), number);
                told.push(format!("#{number} of {}", object.kind));
            }
            (Some(_), None) => return false,
            (None, _) => {
                told.push(format!("{name}/{}", arguments.len()));
                return arguments.iter().all(|argument| self.tell(argument, may_be_new, told));
            }
        }
        true
    }
}

/// By pattern of a question, how often each pattern of an answer goes with it.
#[derive(Debug, Default)]
pub(super) struct PatternCounts(BTreeMap<u64, BTreeMap<Option<u64>, usize>>);

impl PatternCounts {
    /// Adds a question.
    pub(super) fn see(&mut self, pattern: AnswerPattern) {
        *self.0.entry(pattern.question).or_default().entry(pattern.answer).or_default() += 1;
    }

    /// Adds what was seen elsewhere.
    pub(super) fn add(&mut self, other: PatternCounts) {
        for (question, answers) in other.0 {
            let known = self.0.entry(question).or_default();
            answers.into_iter().for_each(|(answer, count)| *known.entry(answer).or_default() += count);
        }
    }

    /// The share of the questions that whoever knows how often each pattern goes with each tells by the question alone. What was seen
    /// once tells of no other.
    pub(super) fn told(&self) -> f64 {
        let of_question = |answers: &BTreeMap<Option<u64>, usize>| {
            let named = answers.iter().filter(|(answer, _)| answer.is_some());
            named.map(|(_, count)| *count).filter(|count| *count > 1).max().unwrap_or(0)
        };
        let told: usize = self.0.values().map(of_question).sum();
        let all: usize = self.0.values().flat_map(BTreeMap::values).sum();
        told as f64 / all.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_tells_where_it_goes_with_one_answer() {
        let mut counts = PatternCounts::default();
        let mut see = |question, answer| counts.see(AnswerPattern { question, answer });
        (0..3).for_each(|_| see(1, Some(1)));
        see(1, Some(2));
        (0..3).for_each(|_| see(2, None));
        see(3, Some(1));
        assert!((counts.told() - 3.0 / 8.0).abs() < 1e-9);
        let mut more = PatternCounts::default();
        (0..8).for_each(|_| more.see(AnswerPattern { question: 2, answer: Some(1) }));
        counts.add(more);
        assert!((counts.told() - 11.0 / 16.0).abs() < 1e-9);
    }
}
