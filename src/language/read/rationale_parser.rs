//! A rationale to the facts it states: which statements it makes of which situation, and the answer it comes to.

use racgen_logic::term::Term;

use crate::language::read::name_index::NameIndex;
use crate::language::read::parser::Inverse;
use crate::language::tell::course::{COMPARISONS, Comparison, KeptWhile};
use crate::language::tell::family_question::{DENIED, STATEMENTS};
use crate::phrases::book::{PhraseBook, Phrasings, RationalePhrases};
use crate::phrases::phrasing::Phrasing;

/// One sentence of a rationale. Each term may have `_` in places that its wording leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// These are true in the situation that has been reached.
    True(Vec<Term>),
    /// These are false there.
    False(Vec<Term>),
    /// The last action made these true.
    Gained(Vec<Term>),
    /// The last action made these false.
    Lost(Vec<Term>),
    /// An action takes place.
    Step(Term),
    /// These static facts are true.
    Facts(Vec<Term>),
    /// Whatever else matters is false in the situation that has been reached.
    NothingElse,
    /// Nothing that matters is true at the start, or the last action changed nothing that does.
    Unchanged,
    /// An action is impossible, and is skipped.
    Skipped(Term),
    /// An action is impossible.
    Impossible(Term),
    /// That is so since these are true.
    Why(Vec<Term>),
    /// A listed action is left out.
    LeftOut(Term),
    /// Facts change without any action.
    Changed,
    /// What is said of other courses of events.
    Comparison(Comparison),
    /// These facts, each with whether it is true, stay so from then on.
    Kept(KeptWhile, Vec<(Term, bool)>),
    /// These actions bring a listed fluent about, or end with a listed action where none is named.
    Way(Option<Term>, Vec<Term>),
    /// These are never true on the way that was told.
    NeverMet(Vec<Term>),
    /// These actions lead there as well, and this is never true on their way.
    Avoiding(Term, Vec<Term>),
    /// This may be the action that is not told.
    CaseAction(Term),
    /// The action of this number may have failed.
    CaseFailed(String),
    /// These may be true at first; nothing is where there are none.
    CaseFacts(Vec<Term>),
    /// What follows may have come of the actions.
    CaseCourse,
    /// The last action changes nothing that matters then.
    CaseIdle,
    /// What is true at the end then, or false.
    ThenFacts(Vec<Term>, bool),
    /// All that is observed is true then.
    ThenAll,
    /// This can be carried out then, or it cannot.
    ThenAction(Term, bool),
    /// All told actions are possible then.
    ThenPossible,
    /// This one of them is not.
    ThenImpossible(Term),
    /// The text does not have what is called so.
    Missing(String),
    /// The told actions end, and others follow.
    Beyond,
    /// What follows is about the part of this number.
    Part(String),
    /// The answer.
    Answer(String),
}

/// What the slot of a sentence holds.
#[derive(Clone)]
enum StepSlot {
    Statements(fn(Vec<Term>) -> Claim),
    Facts,
    Action(fn(Term) -> Claim),
    Literals(KeptWhile),
    /// A statement, and actions.
    Way(fn(Term, Vec<Term>) -> Claim),
    Actions,
    Text(fn(String) -> Claim),
    Answer,
    None(Claim),
}

/// Reads a rationale.
pub struct Steps<'a> {
    inverse: &'a Inverse,
    book: &'a PhraseBook,
    names: &'a NameIndex<'a>,
    kinds: Vec<(&'a Phrasings, StepSlot)>,
}

/// What is said of longer ways; what is no number is none that is due.
fn no_fewer(text: &str) -> Claim {
    Claim::Comparison(Comparison::NoFewer(text.parse().unwrap_or(usize::MAX)))
}

/// What is said of dearer ways; what is no sum, or a wrong one, is none that is due.
fn no_cheaper(text: &str) -> Claim {
    let (costs, total) = text.split_once(" = ").unwrap_or((text, text));
    let costs: Option<Vec<usize>> = costs.split(" + ").map(|cost| cost.parse().ok()).collect();
    let added = costs.filter(|costs| total.parse() == Ok(costs.iter().sum::<usize>()));
    Claim::Comparison(Comparison::NoCheaper(added.unwrap_or_else(|| vec![usize::MAX])))
}

impl<'a> Steps<'a> {
    /// A reader of rationales worded with these phrases, about these names.
    pub fn new(
        inverse: &'a Inverse,
        book: &'a PhraseBook,
        names: &'a NameIndex<'a>,
        phrases: &'a RationalePhrases,
    ) -> Steps<'a> {
        let mut kinds = vec![
            (&phrases.start, StepSlot::Statements(Claim::True)),
            (&phrases.end, StepSlot::Statements(Claim::True)),
            (&phrases.not, StepSlot::Statements(Claim::False)),
            (&phrases.start_not, StepSlot::Statements(Claim::False)),
            (&phrases.why_not, StepSlot::Statements(Claim::False)),
            (&phrases.gained, StepSlot::Statements(Claim::Gained)),
            (&phrases.lost, StepSlot::Statements(Claim::Lost)),
            (&phrases.step, StepSlot::Action(Claim::Step)),
            (&phrases.skipped, StepSlot::Action(Claim::Skipped)),
            (&phrases.impossible, StepSlot::Action(Claim::Impossible)),
            (&phrases.left_out, StepSlot::Action(Claim::LeftOut)),
            (&phrases.why, StepSlot::Statements(Claim::Why)),
            (&phrases.conclusion, StepSlot::Answer),
            (&phrases.facts, StepSlot::Facts),
            (&phrases.start_nothing, StepSlot::None(Claim::Unchanged)),
            (&phrases.nothing, StepSlot::None(Claim::NothingElse)),
            (&phrases.rest, StepSlot::None(Claim::NothingElse)),
            (&phrases.unchanged, StepSlot::None(Claim::Unchanged)),
            (&phrases.changed, StepSlot::None(Claim::Changed)),
            (&phrases.beyond, StepSlot::None(Claim::Beyond)),
            (&phrases.part, StepSlot::Text(Claim::Part)),
        ];
        let compared = |comparison: Comparison| {
            (comparison.phrasings(phrases), StepSlot::None(Claim::Comparison(comparison)))
        };
        kinds.extend(COMPARISONS.map(compared));
        kinds.extend([
            (&phrases.no_fewer, StepSlot::Text(|text| no_fewer(&text))),
            (&phrases.no_cheaper, StepSlot::Text(|text| no_cheaper(&text))),
        ]);
        let kept = [KeptWhile::Always, KeptWhile::Held, KeptWhile::Avoided];
        kinds.extend(kept.map(|under| (under.phrasings(phrases), StepSlot::Literals(under))));
        kinds.extend([
            (&phrases.by_way, StepSlot::Way(|to, actions| Claim::Way(Some(to), actions))),
            (&phrases.by_action, StepSlot::Actions),
            (&phrases.never_met, StepSlot::Statements(Claim::NeverMet)),
            (&phrases.avoiding, StepSlot::Way(Claim::Avoiding)),
        ]);
        kinds.extend([
            (&phrases.missing, StepSlot::Text(Claim::Missing)),
            (&phrases.case_failed, StepSlot::Text(Claim::CaseFailed)),
            (&phrases.case_action, StepSlot::Action(Claim::CaseAction)),
            (&phrases.case_facts, StepSlot::Statements(Claim::CaseFacts)),
            (&phrases.case_nothing, StepSlot::None(Claim::CaseFacts(Vec::new()))),
            (&phrases.case_course, StepSlot::None(Claim::CaseCourse)),
            (&phrases.case_idle, StepSlot::None(Claim::CaseIdle)),
            (&phrases.then_so, StepSlot::Statements(|all| Claim::ThenFacts(all, true))),
            (&phrases.then_not, StepSlot::Statements(|all| Claim::ThenFacts(all, false))),
            (&phrases.then_all, StepSlot::None(Claim::ThenAll)),
            (&phrases.then_can, StepSlot::Action(|action| Claim::ThenAction(action, true))),
            (&phrases.then_cannot, StepSlot::Action(|action| Claim::ThenAction(action, false))),
            (&phrases.then_possible, StepSlot::None(Claim::ThenPossible)),
            (&phrases.then_impossible, StepSlot::Action(Claim::ThenImpossible)),
        ]);
        Steps { inverse, book, names, kinds }
    }

    /// The claims of a rationale in order.
    ///
    /// # Errors
    /// A sentence that follows no phrasing.
    pub fn read(&self, text: &str) -> Result<Vec<Claim>, String> {
        let mut claims = Vec::new();
        for line in text.lines() {
            let mut rest = line;
            while !rest.is_empty() {
                let (claim, length) = self.sentence(rest).ok_or_else(|| rest.to_owned())?;
                claims.push(claim);
                rest = rest[length..].trim_start();
            }
        }
        Ok(claims)
    }

    /// A rationale of several parts, cut after each answer. Each has the number that it begins with, if it does, and the rest.
    pub fn parts(&self, text: &str) -> Vec<(Option<String>, String)> {
        let mut parts: Vec<(Option<String>, String)> = Vec::new();
        let mut begins = true;
        for line in text.lines() {
            if begins {
                let (number, line) = match self.sentence(line) {
                    Some((Claim::Part(number), length)) => (Some(number), line[length..].trim_start()),
                    _ => (None, line),
                };
                parts.push((number, line.to_owned()));
            } else if let Some((_, part)) = parts.last_mut() {
                *part += &format!("\n{line}");
            }
            begins = matches!(self.read(line).as_deref(), Ok([.., Claim::Answer(_)]));
        }
        parts
    }

    /// The sentence that a text starts with, and its length.
    fn sentence(&self, text: &str) -> Option<(Claim, usize)> {
        let ends = text.match_indices(". ").map(|(at, _)| at + 1).chain([text.len()]);
        ends.into_iter().find_map(|end| {
            let said = &text[..end];
            self.kinds.iter().find_map(|(phrasings, slot)| {
                let found = phrasings.list.iter().find_map(|p| self.fill(p, slot, said));
                found.map(|claim| (claim, end))
            })
        })
    }

    fn fill(&self, phrasing: &Phrasing, slot: &StepSlot, said: &str) -> Option<Claim> {
        const MARK: &str = "\u{e1ff}";
        let says = |part: &str, is_action| self.inverse.says(self.book, self.names, part, is_action);
        let actions = |list: &str| -> Option<Vec<Term>> {
            list.split(STATEMENTS).map(|part| says(part, true)).collect()
        };
        let mut whole = String::new();
        phrasing.fill(&mut whole, |_| MARK);
        let Some((before, after)) = whole.split_once(MARK) else {
            return match slot {
                StepSlot::None(claim) if whole == said => Some(claim.clone()),
                _ => None,
            };
        };
        if let StepSlot::Way(claim) = slot {
            let (between, after) = after.split_once(MARK)?;
            let inner = said.strip_prefix(before)?.strip_suffix(after)?;
            return inner.match_indices(between).find_map(|(at, _)| {
                let to = says(&inner[..at], false)?;
                Some(claim(to, actions(&inner[at + between.len()..])?))
            });
        }
        let inner = said.strip_prefix(before)?.strip_suffix(after)?;
        match slot {
            StepSlot::Statements(claim) => {
                Some(claim(inner.split(STATEMENTS).map(|part| says(part, false)).collect::<Option<_>>()?))
            }
            StepSlot::Facts => {
                let terms = inner.split("; ").map(|s| self.inverse.says_fact(self.book, self.names, s));
                Some(Claim::Facts(terms.collect::<Option<_>>()?))
            }
            StepSlot::Action(claim) => Some(claim(says(inner, true)?)),
            StepSlot::Literals(under) => {
                let literal = |part: &str| {
                    let (part, truth) = part.strip_prefix(DENIED).map_or((part, true), |rest| (rest, false));
                    Some((says(part, false)?, truth))
                };
                Some(Claim::Kept(*under, inner.split(STATEMENTS).map(literal).collect::<Option<_>>()?))
            }
            StepSlot::Actions => Some(Claim::Way(None, actions(inner)?)),
            StepSlot::Text(claim) => Some(claim(inner.to_owned())),
            StepSlot::Answer => Some(Claim::Answer(inner.to_owned())),
            StepSlot::Way(_) | StepSlot::None(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_has_to_come_to_what_it_says() {
        let costs = |all: &[usize]| Claim::Comparison(Comparison::NoCheaper(all.to_vec()));
        assert_eq!(no_cheaper("3 + 1 = 4"), costs(&[3, 1]));
        assert_eq!(no_cheaper("4"), costs(&[4]));
        for wrong in ["3 + 1 = 5", "3 + 1", "3 + x = 4", ""] {
            assert_eq!(no_cheaper(wrong), costs(&[usize::MAX]), "{wrong}");
        }
    }
}
