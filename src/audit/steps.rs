//! A rationale to the facts it states: which statements it makes of which situation, and the answer it comes to.

use crate::audit::invert::{Inverse, Names};
use crate::phrase::{PhraseBook, Phrasings, RationalePhrases};
use crate::template::Phrasing;
use crate::term::Term;

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
    /// Nothing that matters is true, or changes.
    Nothing,
    /// The answer.
    Answer(String),
}

/// What the slot of a sentence holds.
#[derive(Clone, Copy)]
enum Slot {
    Statements(fn(Vec<Term>) -> Claim),
    Action,
    Answer,
    None,
}

/// Reads a rationale.
pub struct Steps<'a> {
    inverse: &'a Inverse,
    book: &'a PhraseBook,
    names: &'a Names<'a>,
    kinds: Vec<(&'a Phrasings, Slot)>,
}

impl<'a> Steps<'a> {
    /// A reader of rationales worded with these phrases, about these names.
    pub fn new(
        inverse: &'a Inverse,
        book: &'a PhraseBook,
        names: &'a Names<'a>,
        phrases: &'a RationalePhrases,
    ) -> Steps<'a> {
        let kinds = vec![
            (&phrases.start, Slot::Statements(Claim::True)),
            (&phrases.end, Slot::Statements(Claim::True)),
            (&phrases.not, Slot::Statements(Claim::False)),
            (&phrases.gained, Slot::Statements(Claim::Gained)),
            (&phrases.lost, Slot::Statements(Claim::Lost)),
            (&phrases.step, Slot::Action),
            (&phrases.conclusion, Slot::Answer),
            (&phrases.nothing, Slot::None),
            (&phrases.unchanged, Slot::None),
        ];
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

    /// The sentence that a text starts with, and its length.
    fn sentence(&self, text: &str) -> Option<(Claim, usize)> {
        let ends = text.match_indices(". ").map(|(at, _)| at + 1).chain([text.len()]);
        ends.into_iter().find_map(|end| {
            let said = &text[..end];
            self.kinds.iter().find_map(|(phrasings, slot)| {
                let found = phrasings.list.iter().find_map(|p| self.fill(p, *slot, said));
                found.map(|claim| (claim, end))
            })
        })
    }

    fn fill(&self, phrasing: &Phrasing, slot: Slot, said: &str) -> Option<Claim> {
        const MARK: &str = "\u{e1ff}";
        let mut whole = String::new();
        phrasing.fill(&mut whole, |_| MARK);
        let Some((before, after)) = whole.split_once(MARK) else {
            return (matches!(slot, Slot::None) && whole == said).then_some(Claim::Nothing);
        };
        let inner = said.strip_prefix(before)?.strip_suffix(after)?;
        match slot {
            Slot::Statements(claim) => {
                let terms = inner.split("; ").map(|s| self.inverse.says(self.book, self.names, s, false));
                Some(claim(terms.collect::<Option<_>>()?))
            }
            Slot::Action => Some(Claim::Step(self.inverse.says(self.book, self.names, inner, true)?)),
            Slot::Answer => Some(Claim::Answer(inner.to_owned())),
            Slot::None => None,
        }
    }
}
