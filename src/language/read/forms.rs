//! Phrasings to what a stretch of text may say, where names, terms, whole clauses or lists of them fill the slots.
//!
//! Domains know the names of a story's objects and look sentences up by their [`Inverse`](crate::language::read::parser::Inverse).
//! What games and rules say is cut by the words of the phrasings instead, and each piece is then read as what may
//! stand in its slot.

use crate::language::read::cuts::{PatternPart, cuts, parts, sequences};
use crate::language::words::text::capital;
use crate::phrases::book::Phrasings;
use crate::phrases::phrasing::Phrasing;

/// Why a text is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Misread {
    /// It follows no phrasing; from where on.
    Obstacle(String),
    /// It can be read in two ways.
    Ambiguous,
    /// It says something else, or contradicts itself; how.
    Differs(String),
}

/// The only one of some readings.
pub(crate) fn only<T: PartialEq>(mut found: Vec<T>) -> Result<T, Misread> {
    found.dedup();
    match found.len() {
        0 => Err(Misread::Obstacle(String::new())),
        1 => Ok(found.remove(0)),
        _ => Err(Misread::Ambiguous),
    }
}

/// Where one sentence ends and the next may begin.
const BREAK: &str = ". ";

/// Phrasings, and what each of them says.
#[derive(Clone, Debug)]
pub(crate) struct Forms<S> {
    list: Vec<Form<S>>,
    /// The most breaks that a phrasing has within.
    breaks: usize,
}

#[derive(Clone, Debug)]
struct Form<S> {
    says: S,
    parts: Vec<PatternPart>,
    slots: usize,
    /// Its first words, as they stand and with a capital; none where a slot comes first.
    first: Vec<String>,
}

impl<S> Default for Forms<S> {
    fn default() -> Forms<S> {
        Forms { list: Vec::new(), breaks: 0 }
    }
}

impl<S: Clone> Forms<S> {
    /// Adds a phrasing of a phrase book.
    pub(crate) fn add(&mut self, says: S, phrasing: &Phrasing) {
        phrasing.variants().iter().for_each(|variant| self.insert(says.clone(), parts(variant)));
    }

    /// Adds all phrasings of a list, which say the same.
    pub(crate) fn add_all(&mut self, says: &S, phrasings: &Phrasings) {
        phrasings.list.iter().for_each(|phrasing| self.add(says.clone(), phrasing));
    }

    /// Adds a text with names of slots in braces; slots that share a number are one.
    pub(crate) fn add_text(&mut self, says: S, text: &str, slots: &[(&str, usize)]) {
        let mut parts = Vec::new();
        let mut rest = text;
        let next = |rest: &str| {
            let found = slots.iter().filter_map(|(name, slot)| Some((rest.find(name)?, name.len(), *slot)));
            found.min()
        };
        while let Some((at, length, slot)) = next(rest) {
            if at > 0 {
                parts.push(PatternPart::Text(rest[..at].to_owned()));
            }
            parts.push(PatternPart::Slot(slot));
            rest = &rest[at + length..];
        }
        if !rest.is_empty() {
            parts.push(PatternPart::Text(rest.to_owned()));
        }
        self.insert(says, parts);
    }

    fn insert(&mut self, says: S, parts: Vec<PatternPart>) {
        let of = |part: &PatternPart| match part {
            PatternPart::Text(text) => text.matches(BREAK).count(),
            PatternPart::Slot(_) => 0,
        };
        let slot = |part: &PatternPart| if let PatternPart::Slot(slot) = part { slot + 1 } else { 0 };
        self.breaks = self.breaks.max(parts.iter().map(of).sum());
        let slots = parts.iter().map(slot).max().unwrap_or(0);
        let first = match parts.first() {
            Some(PatternPart::Text(words)) => vec![words.clone(), capital(words)],
            _ => Vec::new(),
        };
        self.list.push(Form { says, parts, slots, first });
    }

    /// All that the whole of a text may say, with what stands in the slots.
    pub(crate) fn read<'t>(&self, text: &'t str) -> Vec<(S, Vec<&'t str>)> {
        let mut found = Vec::new();
        for form in self.list.iter().filter(|form| form.may_be(text)) {
            for cut in cuts(&form.parts, text, 0, text.len(), form.slots) {
                found.push((form.says.clone(), cut.iter().map(|(from, to)| &text[*from..*to]).collect()));
            }
        }
        found
    }

    /// All ways to read a paragraph as sentences of these forms: none, one, or two where there are more. `read` tells
    /// what a form with its slots filled says, and nothing where the fillers make no sense. `open` is how many breaks
    /// the fillers of a sentence may have.
    ///
    /// # Errors
    /// The first stretch that is no sentence.
    pub(crate) fn paragraph<T: Clone + PartialEq>(
        &self,
        text: &str,
        open: usize,
        read: impl Fn(&S, &[&str]) -> Vec<T>,
    ) -> Result<Vec<Vec<T>>, String> {
        let breaks: Vec<usize> = text.match_indices(BREAK).map(|(at, _)| at + 1).collect();
        let mut starts = vec![0];
        starts.extend(breaks.iter().map(|end| end + 1));
        let mut ends = breaks;
        ends.push(text.len());
        let most = self.breaks + open;
        let stretch = |first: usize| ends[(first + most).min(ends.len() - 1)] - starts[first];
        let longest = (0..starts.len()).map(stretch).max().unwrap_or(0);
        let look_up = |start: usize, end: usize| {
            let mut said: Vec<T> = Vec::new();
            let within = |slots: &[&str]| slots.iter().map(|slot| slot.matches(BREAK).count()).sum::<usize>();
            let read_here = self.read(&text[start..end]);
            for (says, slots) in read_here.into_iter().filter(|(_, slots)| within(slots) <= open) {
                for meaning in read(&says, &slots) {
                    if !said.contains(&meaning) {
                        said.push(meaning);
                    }
                }
            }
            said
        };
        let found = sequences(&starts, &ends, text.len(), 1, longest, look_up);
        if !found.is_empty() {
            return Ok(found);
        }
        // What is read first from the front ends before the obstacle.
        let mut at = 0;
        while let Some(end) = ends.iter().find(|end| **end > at && !look_up(at, **end).is_empty()) {
            at = (end + 1).min(text.len());
        }
        let end = ends.iter().find(|end| **end > at).copied().unwrap_or(text.len());
        Err(text.get(at..end).unwrap_or_default().to_owned())
    }
}

impl<S> Form<S> {
    /// Do first and last words fit? Spares most of the cutting.
    fn may_be(&self, text: &str) -> bool {
        let first = self.first.is_empty() || self.first.iter().any(|words| text.starts_with(words.as_str()));
        let last = match self.parts.last() {
            Some(PatternPart::Text(words)) => self.parts.len() == 1 || text.ends_with(words.as_str()),
            _ => true,
        };
        first && last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_cut_in_all_ways() {
        let mut forms = Forms::default();
        forms.add_text("is", "{a} is {b}.", &[("{a}", 0), ("{b}", 1)]);
        forms.add_text("two", "First this. Then {b}.", &[("{b}", 0)]);
        let read = |says: &&str, slots: &[&str]| vec![format!("{says}({})", slots.join(","))];
        let found = forms.paragraph("Ann is here. First this. Then that. Bob is out.", 0, read);
        assert_eq!(
            found,
            Ok(vec![vec!["is(Ann,here)".to_owned(), "two(that)".into(), "is(Bob,out)".into()]])
        );
        let found = forms.paragraph("Ann is Bob is Cid.", 0, read).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(forms.paragraph("Ann is here. Bob was out.", 0, read), Err("Bob was out.".into()));
        assert!(forms.paragraph("", 0, read).is_err());
    }
}
