//! Phrasings to patterns, and the sentences of a text to what they say by looking up their patterns.

use rustc_hash::FxHashMap as HashMap;

use crate::language::read::cuts::{PatternPart, raw, sequences, slot_of};
use crate::language::read::name_index::{Masked, NUMBER, PERSON, SlotMark, type_mark};
use crate::language::read::sentence::{ParsedFiller, Says, Sentence, Wording};
use crate::language::words::text::capital;
use crate::phrases::book::Phrasings;
use crate::phrases::phrasing::Phrasing;

/// What a mark of a pattern is for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Role {
    /// Slots that are filled: one, which may take a list, or several that stand side by side.
    Slots(Vec<usize>),
    /// Whoever acts.
    Person,
    /// A number that belongs to the wording.
    Literal(i32),
}

/// A pattern's reading.
#[derive(Clone, Debug)]
pub(crate) struct ParsedText {
    says: Says,
    roles: Vec<Role>,
    slots: usize,
    pub(crate) line: usize,
    wording: Wording,
}

impl ParsedText {
    fn same(&self, other: &ParsedText) -> bool {
        let alike = match (self.says, other.says) {
            // A group of one is told as each is.
            (Says::Each(a), Says::Group(b, _)) | (Says::Group(a, _), Says::Each(b)) => a == b,
            (a, b) => a == b,
        };
        alike && self.roles == other.roles
    }

    fn fill(&self, marks: &[(usize, SlotMark)]) -> Option<Sentence> {
        let mut slots = vec![Vec::new(); self.slots];
        let mut groups = Vec::new();
        for (role, (_, mark)) in self.roles.iter().zip(marks) {
            match (role, mark) {
                (Role::Person, SlotMark::Person) => {}
                (Role::Literal(wanted), SlotMark::Number(number)) if wanted == number => {}
                (Role::Slots(of), SlotMark::Number(number)) => {
                    put(&mut slots[*of.first()?], vec![ParsedFiller::Number(*number)])?;
                }
                (Role::Slots(of), SlotMark::Names(found)) => {
                    groups.clone_from(found);
                    let names: Vec<ParsedFiller> = found
                        .iter()
                        .flatten()
                        .map(|(o, negated)| ParsedFiller::Object(*o, *negated))
                        .collect();
                    match of.as_slice() {
                        [only] => put(&mut slots[*only], names)?,
                        several if several.len() == names.len() => {
                            for (slot, name) in several.iter().zip(names) {
                                put(&mut slots[*slot], vec![name])?;
                            }
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
        // One thing is said of one thing, unless the phrasing is about a list.
        let listed = |slot: usize| match self.says {
            Says::Group(_, of) => slot == of,
            Says::Each(_)
            | Says::Action(_)
            | Says::Fluent(_)
            | Says::Ask(_)
            | Says::Can(_)
            | Says::Own(_)
            | Says::Remark
            | Says::Which(..)
            | Says::Count(..) => false,
            _ => true,
        };
        let fits = slots.iter().enumerate().all(|(slot, names)| names.len() < 2 || listed(slot));
        fits.then_some(Sentence { says: self.says, slots, groups, wording: self.wording.clone() })
    }
}

/// Fills a slot; one that stands in a phrasing twice is filled with the same twice.
fn put(slot: &mut Vec<ParsedFiller>, found: Vec<ParsedFiller>) -> Option<()> {
    match slot.is_empty() {
        true => *slot = found,
        false if *slot == found => {}
        false => return None,
    }
    Some(())
}

/// The patterns of one kind of sentence.
#[derive(Debug, Default)]
pub struct PhrasingTable {
    pub(crate) map: HashMap<String, Vec<ParsedText>>,
    finals: Vec<char>,
    longest: usize,
    /// Phrasings with whole clauses in their slots; by slot, whether the clause is an action.
    pub(crate) nested: Vec<(Says, Vec<PatternPart>, Vec<Option<bool>>)>,
}

/// A phrasing as a pattern.
fn skeleton(phrasing: &Phrasing, kinds: &[Option<usize>]) -> (String, Vec<Role>) {
    let mut roles: Vec<Role> = Vec::new();
    let mut out = String::new();
    let mut inside = false;
    let text = raw(phrasing);
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        if let Some(slot) = slot_of(c) {
            let mark = match kinds.get(slot) {
                None => PERSON,
                Some(None) => NUMBER,
                Some(Some(kind)) => type_mark(*kind),
            };
            let listed = mark != PERSON
                && mark != NUMBER
                && out.strip_suffix(", ").is_some_and(|before| before.ends_with(mark));
            match roles.last_mut() {
                Some(Role::Slots(slots)) if listed => {
                    out.truncate(out.len() - 2);
                    slots.push(slot);
                }
                _ => {
                    roles.push(if mark == PERSON { Role::Person } else { Role::Slots(vec![slot]) });
                    out.push(mark);
                }
            }
        } else {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let whole = !inside && !rest[digits..].starts_with(char::is_alphanumeric);
            if let Some(number) = rest[..digits].parse::<i32>().ok().filter(|_| whole) {
                roles.push(Role::Literal(number));
                out.push(NUMBER);
                rest = &rest[digits..];
                continue;
            }
            out.push(c);
        }
        inside = c.is_alphanumeric();
        rest = &rest[c.len_utf8()..];
    }
    (capital(&out), roles)
}

impl PhrasingTable {
    /// Adds a list of phrasings; faults are patterns that say something else already.
    pub(crate) fn add(
        &mut self,
        says: Says,
        phrasings: &Phrasings,
        kinds: &[Option<usize>],
        mut fault: impl FnMut(String, usize),
    ) {
        for phrasing in phrasings.list.iter().flat_map(Phrasing::variants) {
            let (text, roles) = skeleton(&phrasing, kinds);
            // Of a list of one nothing can be held out.
            let wording = (phrasings.list.len() > 1).then(|| text.as_str().into());
            let mut reading = ParsedText {
                says,
                roles,
                slots: kinds.len(),
                line: phrasings.line,
                wording: Wording(wording),
            };
            let lists = reading.roles.iter().any(|r| matches!(r, Role::Slots(s) if s.len() > 1));
            if lists && matches!(says, Says::Group(..)) {
                fault(
                    "a phrasing of a group has another slot right beside its list, after a comma".into(),
                    phrasings.line,
                );
            }
            let known = self.map.entry(text.clone()).or_default();
            if !known.is_empty() {
                // Of which list a sentence comes cannot be told.
                known.iter_mut().chain([&mut reading]).for_each(|reading| reading.wording = Wording(None));
            }
            if known.iter().any(|other| other.same(&reading)) {
                continue;
            }
            if let Some(other) = known.first() {
                fault(
                    format!(
                        "\"{}\" cannot be told from a phrasing at line {}, which says something else",
                        readable(&text),
                        other.line
                    ),
                    phrasings.line,
                );
            }
            if let Some(last) = text.chars().next_back()
                && !self.finals.contains(&last)
            {
                self.finals.push(last);
            }
            self.longest = self.longest.max(text.len());
            known.push(reading);
        }
    }

    /// All that a stretch of text may say.
    pub(crate) fn look_up(&self, masked: &Masked, start: usize, end: usize) -> Vec<Sentence> {
        // A text may be cut in very many ways; a capital may take fewer bytes than its small letter.
        if end - start > self.longest + 4 {
            return Vec::new();
        }
        let text = &masked.text[start..end];
        let found = match self.map.get(text) {
            Some(found) => Some(found),
            None if text.starts_with(char::is_lowercase) => self.map.get(&capital(text)),
            None => None,
        };
        let marks = masked.marks(start, end);
        found.into_iter().flatten().filter_map(|reading| reading.fill(marks)).collect()
    }

    /// All ways to read a paragraph as a sequence of sentences: none, one, or two where there are more than one.
    pub fn paragraph(&self, masked: &Masked) -> Result<Vec<Vec<Sentence>>, String> {
        let text = masked.text.as_str();
        let mut starts: Vec<usize> = text.match_indices(' ').map(|(at, _)| at + 1).collect();
        starts.insert(0, 0);
        let mut ends: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).collect();
        ends.push(text.len());
        ends.retain(|end| text[..*end].chars().next_back().is_some_and(|c| self.finals.contains(&c)));
        let found = sequences(&starts, &ends, text.len(), 1, self.longest, |start, end| {
            self.look_up(masked, start, end)
        });
        if found.is_empty() {
            return Err(self.obstacle(masked));
        }
        Ok(found)
    }

    /// The first stretch of a paragraph that no pattern fits.
    fn obstacle(&self, masked: &Masked) -> String {
        let text = masked.text.as_str();
        let mut at = 0;
        'sentences: while at < text.len() {
            let ends = text[at..].char_indices().skip(1).map(|(end, _)| end).chain([text.len() - at]);
            for end in ends.take_while(|end| *end <= self.longest) {
                let bounded = at + end == text.len() || text[at + end..].starts_with(' ');
                if bounded && !self.look_up(masked, at, at + end).is_empty() {
                    at = (at + end + 1).min(text.len());
                    continue 'sentences;
                }
            }
            break;
        }
        let rest = &text[at..];
        let end = rest.match_indices(". ").next().map_or(rest.len(), |(end, _)| end + 1);
        readable(&rest[..end])
    }
}

/// A pattern for people: marks become `...`.
pub(crate) fn readable(text: &str) -> String {
    text.chars()
        .map(|c| if ('\u{e000}'..'\u{e300}').contains(&c) { "...".to_owned() } else { c.to_string() })
        .collect()
}
