//! A phrase book to patterns that read its sentences back: each phrasing, turned round.
//!
//! In a text, every name, number and person becomes a mark of its type, and a list of names becomes one mark; the
//! phrasing "the {{ upper }} block is on the {{ lower }} block." becomes the pattern "The ? block is on the ?
//! block." in the same way. What a sentence says is then looked up by its pattern. Two things with one pattern
//! cannot be told apart: [`Inverse::new`] reports them.

use std::sync::Arc;

use racgen_data::row::ObjectName;
use racgen_logic::fault::Fault;
use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use crate::domain::package::Package;
use crate::language::verbalizer::capital;
use crate::phrases::book::{Pattern, PatternPlace, PhraseBook, Phrasings, RelationPhrases};
use crate::phrases::phrasing::Phrasing;

/// The first mark: marks of types follow from here.
const TYPE: u32 = 0xe100;
/// The mark of a number.
const NUMBER: char = '\u{e010}';
/// The mark of a person.
const PERSON: char = '\u{e011}';
/// While a phrasing is taken apart: its first slot.
const SLOT: u32 = 0xe200;

/// What a mark stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SlotMark {
    /// Names, as indices into the objects of the story, with a minus sign or without; in groups that semicolons
    /// separate.
    Names(Vec<Vec<(usize, bool)>>),
    /// A number.
    Number(i32),
    /// Somebody.
    Person,
}

/// A text with marks in place of names and numbers.
#[derive(Clone, Debug)]
pub struct Masked {
    text: String,
    /// The marks, with their places in the text.
    marks: Vec<(usize, SlotMark)>,
}

impl Masked {
    fn marks(&self, start: usize, end: usize) -> &[(usize, SlotMark)] {
        let from = self.marks.partition_point(|(at, _)| *at < start);
        let to = self.marks.partition_point(|(at, _)| *at < end);
        &self.marks[from..to]
    }
}

/// Finds the names of one story.
pub struct NameIndex<'a> {
    objects: &'a [ObjectName],
    kinds: Vec<usize>,
    by_initial: HashMap<char, Vec<usize>>,
    persons: &'a HashMap<char, Vec<String>>,
    signs: bool,
}

impl<'a> NameIndex<'a> {
    /// The names of these objects; those of types that `inverse` does not know are passed over. `signs`: may a minus
    /// sign belong to a name?
    pub fn new(inverse: &'a Inverse, objects: &'a [ObjectName], signs: bool) -> NameIndex<'a> {
        let mut by_initial: HashMap<char, Vec<usize>> = HashMap::default();
        let mut kinds = vec![usize::MAX; objects.len()];
        for (index, object) in objects.iter().enumerate() {
            let Some(kind) = inverse.kinds.iter().position(|k| *k == *object.kind) else { continue };
            kinds[index] = kind;
            let mut initials: Vec<char> = object.name.chars().take(1).collect();
            initials.extend(capital(&object.name).chars().take(1));
            initials.dedup();
            initials.into_iter().for_each(|initial| by_initial.entry(initial).or_default().push(index));
        }
        NameIndex { objects, kinds, by_initial, persons: &inverse.persons, signs }
    }

    /// The name at the start of a text.
    fn find(&self, text: &str) -> Option<(usize, usize)> {
        let initial = text.chars().next()?;
        let candidates = self.by_initial.get(&initial)?.iter();
        let found = candidates.filter(|object| starts_with_name(text, &self.objects[**object].name));
        found.map(|object| (*object, self.objects[*object].name.len())).max_by_key(|(_, length)| *length)
    }

    /// Puts marks in place of names, numbers and persons.
    pub fn mask(&self, text: &str) -> Masked {
        let mut out = Masked { text: String::with_capacity(text.len()), marks: Vec::new() };
        let mut inside = false;
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if !inside && c.is_alphanumeric() {
                if let Some((object, length)) = self.find(rest) {
                    self.name(&mut out, object);
                    rest = &rest[length..];
                    inside = false;
                    continue;
                }
                let persons = self.persons.get(&c).into_iter().flatten();
                if let Some(person) = persons.into_iter().find(|p| starts_with_name(rest, p)) {
                    out.marks.push((out.text.len(), SlotMark::Person));
                    out.text.push(PERSON);
                    rest = &rest[person.len()..];
                    continue;
                }
                let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let whole = !rest[digits..].starts_with(char::is_alphanumeric);
                if let Some(number) = rest[..digits].parse::<i32>().ok().filter(|_| whole) {
                    out.marks.push((out.text.len(), SlotMark::Number(number)));
                    out.text.push(NUMBER);
                    rest = &rest[digits..];
                    continue;
                }
            }
            inside = c.is_alphanumeric();
            out.text.push(c);
            rest = &rest[c.len_utf8()..];
        }
        out
    }

    /// The text with ids in place of names.
    pub fn rename(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut inside = false;
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let found = if !inside && c.is_alphanumeric() { self.find(rest) } else { None };
            let length = match found {
                Some((object, length)) => {
                    out.push_str(&self.objects[object].id);
                    length
                }
                None => {
                    out.push(c);
                    c.len_utf8()
                }
            };
            inside = found.is_none() && c.is_alphanumeric();
            rest = &rest[length..];
        }
        out
    }

    /// Appends a name, to the list that the text ends with if there is one.
    fn name(&self, out: &mut Masked, object: usize) {
        let negated = self.signs && out.text.ends_with('-');
        if negated {
            out.text.pop();
        }
        let mark = type_mark(self.kinds[object]);
        for (separator, anew) in [(", ", false), ("; ", true)] {
            let listed = out.text.strip_suffix(separator).is_some_and(|t| t.ends_with(mark));
            if listed
                && (!anew || self.signs)
                && let Some((_, SlotMark::Names(groups))) = out.marks.last_mut()
            {
                out.text.truncate(out.text.len() - separator.len());
                if anew {
                    groups.push(Vec::new());
                }
                if let Some(group) = groups.last_mut() {
                    group.push((object, negated));
                }
                return;
            }
        }
        out.marks.push((out.text.len(), SlotMark::Names(vec![vec![(object, negated)]])));
        out.text.push(mark);
    }
}

/// Does the text start with the name as a whole word, its first letter perhaps a capital?
fn starts_with_name(text: &str, name: &str) -> bool {
    let mut letters = text.chars();
    let (Some(first), Some(own)) = (letters.next(), name.chars().next()) else { return false };
    let same = first == own || own.to_uppercase().eq([first]);
    same && letters
        .as_str()
        .strip_prefix(&name[own.len_utf8()..])
        .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

fn type_mark(kind: usize) -> char {
    char::from_u32(TYPE + kind as u32).unwrap_or(NUMBER)
}

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

/// Where a relation stands in the phrase book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToldSentence {
    /// Is it a static relation, not a fluent?
    pub fact: bool,
    /// Its place among them.
    pub entry: usize,
}

/// What a sentence says, its slots aside; numbers are places in the lists of the phrase book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// These are the objects of a type.
    Objects(usize),
    /// One atom is true.
    Each(ToldSentence),
    /// Several atoms are true that differ in one slot only.
    Group(ToldSentence, usize),
    /// Each of a list stands in a relation to the next.
    Chain(ToldSentence),
    /// The atoms of a list are true.
    All(ToldSentence),
    /// No atom of a relation is true.
    Nothing(ToldSentence),
    /// Nothing that matters.
    Remark,
    /// Nothing is done.
    NoAction,
    /// An action takes place.
    Action(usize),
    /// A fluent is true.
    Fluent(usize),
    /// `[fluent] ask`.
    Ask(usize),
    /// `[fluent] which`, and which of its slots.
    Which(usize, usize),
    /// `[fluent] count`.
    Count(usize, usize),
    /// `[action] can`.
    Can(usize),
    /// `[question]` of the package.
    Own(usize),
    /// `[question]` of the common phrase book.
    Common(usize),
    /// A sentence of another form.
    Other(usize),
}

/// A sentence and what fills its slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// What it says.
    pub says: Says,
    /// By slot: what fills it. Slots that the wording leaves out are empty.
    pub slots: Vec<Vec<ParsedFiller>>,
    /// The groups of the only slot of a list that semicolons divide.
    pub groups: Vec<Vec<(usize, bool)>>,
    /// The phrasing.
    pub wording: Wording,
}

/// The phrasing of a sentence, where it belongs to one list of several phrasings only: its text with marks for what
/// varies, which `readable` shows. How a thing is said makes no difference to what is said, so all wordings are equal.
#[derive(Clone, Debug, Default, Eq)]
pub struct Wording(pub Option<Arc<str>>);

impl PartialEq for Wording {
    fn eq(&self, _: &Wording) -> bool {
        true
    }
}

/// What fills a slot, or a part of a list in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsedFiller {
    /// An object of the story; with a minus sign?
    Object(usize, bool),
    /// A number.
    Number(i32),
    /// An action or a fluent that a clause tells.
    Term(Term),
}

/// A pattern's reading.
#[derive(Clone, Debug)]
struct ParsedText {
    says: Says,
    roles: Vec<Role>,
    slots: usize,
    line: usize,
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
                    slots[*of.first()?].push(ParsedFiller::Number(*number))
                }
                (Role::Slots(of), SlotMark::Names(found)) => {
                    groups.clone_from(found);
                    let names: Vec<ParsedFiller> = found
                        .iter()
                        .flatten()
                        .map(|(o, negated)| ParsedFiller::Object(*o, *negated))
                        .collect();
                    match of.as_slice() {
                        [only] => slots[*only] = names,
                        several if several.len() == names.len() => {
                            several.iter().zip(names).for_each(|(slot, name)| slots[*slot].push(name));
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

/// A part of a phrasing that other sentences stand in.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PatternPart {
    Text(String),
    Slot(usize),
}

/// The patterns of one kind of sentence.
#[derive(Debug, Default)]
pub struct PhrasingTable {
    map: HashMap<String, Vec<ParsedText>>,
    finals: Vec<char>,
    longest: usize,
    /// Phrasings with whole clauses in their slots; by slot, whether the clause is an action.
    nested: Vec<(Says, Vec<PatternPart>, Vec<Option<bool>>)>,
}

/// A phrasing as a pattern.
fn skeleton(phrasing: &Phrasing, kinds: &[Option<usize>]) -> (String, Vec<Role>) {
    let mut roles: Vec<Role> = Vec::new();
    let mut out = String::new();
    let mut inside = false;
    let text = raw(phrasing);
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        let slot = (c as u32).checked_sub(SLOT).filter(|n| *n < 256).map(|n| n as usize);
        if let Some(slot) = slot {
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

/// A phrasing with a private character in each slot.
fn raw(phrasing: &Phrasing) -> String {
    let marks: Vec<String> = (0..256).filter_map(|n| char::from_u32(SLOT + n)).map(String::from).collect();
    let mut text = String::new();
    phrasing.fill(&mut text, |slot| marks.get(slot).map_or("", String::as_str));
    text
}

fn parts(phrasing: &Phrasing) -> Vec<PatternPart> {
    let mut parts = Vec::new();
    for c in raw(phrasing).chars() {
        match (c as u32).checked_sub(SLOT).filter(|n| *n < 256) {
            Some(slot) => parts.push(PatternPart::Slot(slot as usize)),
            None => match parts.last_mut() {
                Some(PatternPart::Text(text)) => text.push(c),
                _ => parts.push(PatternPart::Text(c.into())),
            },
        }
    }
    parts
}

/// All ways to cut a stretch of text as the parts say: by slot, the stretches.
fn cuts(
    parts: &[PatternPart],
    text: &str,
    start: usize,
    end: usize,
    slots: usize,
) -> Vec<Vec<(usize, usize)>> {
    fn go(
        parts: &[PatternPart],
        text: &str,
        (at, end): (usize, usize),
        first: bool,
        cut: &mut Vec<(usize, usize)>,
        out: &mut Vec<Vec<(usize, usize)>>,
    ) {
        match parts {
            [] => {
                if at == end {
                    out.push(cut.clone());
                }
            }
            [PatternPart::Text(wanted), rest @ ..] => {
                let here = &text[at..end];
                let capitals = capital(wanted);
                if here.starts_with(wanted) || (first && here.starts_with(&capitals)) {
                    go(rest, text, (at + wanted.len(), end), false, cut, out);
                }
            }
            [PatternPart::Slot(slot)] => {
                if at < end {
                    let before = std::mem::replace(&mut cut[*slot], (at, end));
                    out.push(cut.clone());
                    cut[*slot] = before;
                }
            }
            [PatternPart::Slot(slot), rest @ ..] => {
                let Some(PatternPart::Text(wanted)) = rest.first() else { return };
                let mut from = at + text[at..end].chars().next().map_or(0, char::len_utf8);
                while let Some(found) = text.get(from..end).and_then(|here| here.find(wanted.as_str())) {
                    let before = std::mem::replace(&mut cut[*slot], (at, from + found));
                    go(rest, text, (from + found, end), false, cut, out);
                    cut[*slot] = before;
                    from += found + wanted.len();
                }
            }
        }
    }
    let mut out = Vec::new();
    go(parts, text, (start, end), true, &mut vec![(0, 0); slots], &mut out);
    out
}

impl PhrasingTable {
    /// Adds a list of phrasings; faults are patterns that say something else already.
    fn add(
        &mut self,
        says: Says,
        phrasings: &Phrasings,
        kinds: &[Option<usize>],
        mut fault: impl FnMut(String, usize),
    ) {
        for phrasing in &phrasings.list {
            let (text, roles) = skeleton(phrasing, kinds);
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
    fn look_up(&self, masked: &Masked, start: usize, end: usize) -> Vec<Sentence> {
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
        // From the end: what may begin at each place.
        let mut starts: Vec<usize> = text.match_indices(' ').map(|(at, _)| at + 1).collect();
        starts.insert(0, 0);
        let mut ways: HashMap<usize, Vec<(usize, Sentence)>> = HashMap::default();
        let mut ends: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).collect();
        ends.push(text.len());
        ends.retain(|end| text[..*end].chars().next_back().is_some_and(|c| self.finals.contains(&c)));
        for start in starts.into_iter().rev() {
            let from = ends.partition_point(|end| *end <= start);
            for end in ends[from..].iter().take_while(|end| **end - start <= self.longest) {
                if *end == text.len() || ways.contains_key(&(end + 1)) {
                    for sentence in self.look_up(masked, start, *end) {
                        ways.entry(start).or_default().push((*end, sentence));
                    }
                }
            }
        }
        let mut found = Vec::new();
        let mut path = Vec::new();
        fn go(
            at: usize,
            length: usize,
            ways: &HashMap<usize, Vec<(usize, Sentence)>>,
            path: &mut Vec<Sentence>,
            found: &mut Vec<Vec<Sentence>>,
        ) {
            for (end, sentence) in ways.get(&at).into_iter().flatten() {
                if found.len() > 1 {
                    return;
                }
                path.push(sentence.clone());
                if *end == length {
                    found.push(path.clone());
                } else {
                    go(end + 1, length, ways, path, found);
                }
                path.pop();
            }
        }
        if !text.is_empty() {
            go(0, text.len(), &ways, &mut path, &mut found);
        }
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
            for (end, _) in text[at..].char_indices().skip(1).chain([(text.len() - at, ' ')]) {
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

/// A question, and the situation it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedQuestion {
    /// Actions supposed after the plan, in order; `_` stands for what the wording leaves open.
    pub supposed: Vec<Term>,
    /// Is it about the situation before the plan?
    pub initially: bool,
    /// The question as the program knows it, `changes(F)` without its action.
    pub question: Sentence,
}

/// A phrase book, turned round.
pub struct Inverse {
    /// Names of the types, by number.
    pub kinds: Vec<String>,
    /// Sentences of initial states.
    pub state: PhrasingTable,
    /// Sentences of plans.
    pub actions: PhrasingTable,
    /// Clauses that an action takes place.
    clauses: PhrasingTable,
    /// Clauses that a fluent is true.
    statements: PhrasingTable,
    /// Questions on their own.
    questions: PhrasingTable,
    /// Sentences of rules that depend on the world.
    pub rules: PhrasingTable,
    after_one: Vec<Vec<PatternPart>>,
    after_two: Vec<Vec<PatternPart>>,
    initially: Vec<Vec<PatternPart>>,
    changes: Vec<Vec<PatternPart>>,
    persons: HashMap<char, Vec<String>>,
}

/// The types of a pattern's slots: of objects, or none for numbers.
fn slot_kinds(pattern: &Pattern, kinds: &[String]) -> Vec<Option<usize>> {
    let kind = |place: &PatternPlace| match place {
        PatternPlace::Slot { kind, .. } => Some(kinds.iter().position(|k| k == kind)),
        PatternPlace::Constant(_) => None,
    };
    pattern.places.iter().filter_map(kind).collect()
}

/// By slot, whether a clause fills it: an action's (true) or a fluent's.
fn clauses(pattern: &Pattern, kinds: &[String]) -> Vec<Option<bool>> {
    let clause = |place: &PatternPlace| match place {
        PatternPlace::Slot { kind, .. } if kinds.contains(kind) || kind == "number" => Some(None),
        PatternPlace::Slot { kind, .. } => Some(Some(kind == "action")),
        PatternPlace::Constant(_) => None,
    };
    pattern.places.iter().filter_map(clause).collect()
}

impl Inverse {
    /// Turns a package's phrase book round, and says which of its phrasings cannot be.
    pub fn new(package: &Package) -> (Inverse, Vec<Fault>) {
        let kinds = package.types.iter().map(|t| t.name.clone()).collect();
        let mut faults = Vec::new();
        let mut inverse = Inverse::empty(kinds, &package.common);
        inverse.book(&package.book, &package.common, &mut faults);
        inverse.clashes(package, &mut faults);
        (inverse, faults)
    }

    fn empty(kinds: Vec<String>, common: &PhraseBook) -> Inverse {
        let mut persons: HashMap<char, Vec<String>> = HashMap::default();
        for person in &common.persons {
            person.chars().take(1).for_each(|c| persons.entry(c).or_default().push(person.clone()));
        }
        let changes = common.questions.iter().find(|q| q.pattern.functor == "changes");
        let turned = |phrasings: &Phrasings| phrasings.list.iter().map(parts).collect();
        Inverse {
            kinds,
            state: PhrasingTable::default(),
            actions: PhrasingTable::default(),
            clauses: PhrasingTable::default(),
            statements: PhrasingTable::default(),
            questions: PhrasingTable::default(),
            rules: PhrasingTable::default(),
            after_one: turned(&common.after_one),
            after_two: turned(&common.after_two),
            initially: turned(&common.initially),
            changes: changes.map_or_else(Vec::new, |q| turned(&q.ask)),
            persons,
        }
    }

    fn book(&mut self, book: &PhraseBook, common: &PhraseBook, faults: &mut Vec<Fault>) {
        let kinds = self.kinds.clone();
        let mut fault = |cause: String, line: usize| {
            faults.push(Fault::new(
                &book.file,
                line,
                format!("a phrasing cannot be read back: {cause}"),
                "word one of them differently",
            ));
        };
        for (kind, phrasings) in &book.objects {
            if let Some(number) = kinds.iter().position(|k| k == kind) {
                self.state.add(Says::Objects(number), phrasings, &[Some(number)], &mut fault);
            }
        }
        for (kind, phrasings) in book.remarks.iter().chain(&common.remarks) {
            let slots: Vec<Option<usize>> =
                kinds.iter().position(|k| k == kind).map(Some).into_iter().collect();
            self.state.add(Says::Remark, phrasings, &slots, &mut fault);
        }
        for (fact, relations) in [(true, &book.facts), (false, &book.fluents)] {
            for (entry, relation) in relations.iter().enumerate().filter(|(_, r)| fact || r.told) {
                let told = ToldSentence { fact, entry };
                let slots = slot_kinds(&relation.pattern, &kinds);
                let list = [slots.first().copied().flatten()];
                let state = &mut self.state;
                state.add(Says::Each(told), &relation.each, &slots, &mut fault);
                for (slot, phrasings) in &relation.group {
                    state.add(Says::Group(told, *slot), phrasings, &slots, &mut fault);
                }
                state.add(Says::Chain(told), &relation.chain, &list, &mut fault);
                state.add(Says::All(told), &relation.all, &list, &mut fault);
                state.add(Says::Nothing(told), &relation.none, &[], &mut fault);
            }
        }
        for (entry, relation) in book.fluents.iter().enumerate() {
            self.fluent(entry, relation, &kinds, &mut fault);
        }
        for (entry, action) in book.actions.iter().enumerate() {
            let slots = slot_kinds(&action.pattern, &kinds);
            self.actions.add(Says::Action(entry), &action.did, &slots, &mut fault);
            self.clauses.add(Says::Action(entry), &action.clause, &slots, &mut fault);
            self.questions.add(Says::Can(entry), &action.can, &slots, &mut fault);
        }
        self.actions.add(Says::NoAction, &common.no_actions, &[], &mut fault);
        for (entry, question) in book.questions.iter().enumerate() {
            let nested = clauses(&question.pattern, &kinds);
            if nested.iter().any(Option::is_some) {
                let list = question.ask.list.iter();
                self.questions.nested.extend(list.map(|p| (Says::Own(entry), parts(p), nested.clone())));
                continue;
            }
            let slots = slot_kinds(&question.pattern, &kinds);
            self.questions.add(Says::Own(entry), &question.ask, &slots, &mut fault);
        }
        for (entry, question) in common.questions.iter().enumerate() {
            if question.pattern.places.is_empty() {
                self.questions.add(Says::Common(entry), &question.ask, &[], &mut fault);
            }
        }
    }

    fn fluent(
        &mut self,
        entry: usize,
        relation: &RelationPhrases,
        kinds: &[String],
        fault: &mut impl FnMut(String, usize),
    ) {
        let slots = slot_kinds(&relation.pattern, kinds);
        let clause = Phrasings {
            line: relation.each.line,
            list: relation.each.list.iter().map(Phrasing::clause).collect(),
        };
        self.statements.add(Says::Fluent(entry), &clause, &slots, &mut *fault);
        self.questions.add(Says::Ask(entry), &relation.ask, &slots, &mut *fault);
        for (place, (_, phrasings)) in relation.which.iter().enumerate() {
            self.questions.add(Says::Which(entry, place), phrasings, &slots, &mut *fault);
        }
        for (place, (_, phrasings)) in relation.count.iter().enumerate() {
            self.questions.add(Says::Count(entry, place), phrasings, &slots, &mut *fault);
        }
    }

    /// The vocabulary of the generic domain: `generic.toml` as the book, `as_generic.toml` as the forms of rules and
    /// of questions about lists, which [`Says::Other`] numbers, rules first.
    pub fn generic(generic: &PhraseBook, own: &PhraseBook, common: &PhraseBook) -> Inverse {
        let kinds = vec!["fluent".to_owned(), "action".to_owned()];
        let mut inverse = Inverse::empty(kinds.clone(), common);
        let mut shared = generic.clone();
        shared.questions.clear();
        inverse.book(&shared, &PhraseBook { questions: Vec::new(), ..common.clone() }, &mut Vec::new());
        for (number, (pattern, phrasings)) in own.sentences.iter().enumerate() {
            inverse.rules.add(Says::Other(number), phrasings, &slot_kinds(pattern, &kinds), |_, _| ());
        }
        let fixed = own.sentences.len() + own.questions.len();
        for (number, phrasings) in generic.rules.iter().chain(&own.frame).enumerate() {
            inverse.rules.add(Says::Other(fixed + number), phrasings, &[], |_, _| ());
        }
        for (number, question) in own.questions.iter().enumerate() {
            let says = Says::Other(own.sentences.len() + number);
            let slots = slot_kinds(&question.pattern, &kinds);
            inverse.questions.add(says, &question.ask, &slots, |_, _| ());
        }
        inverse
    }

    /// Words of the phrasings that are names, too.
    fn clashes(&self, package: &Package, faults: &mut Vec<Fault>) {
        let tables = [&self.state, &self.actions, &self.clauses, &self.statements, &self.questions];
        let all = tables.iter().flat_map(|t| t.map.iter());
        let mut words: HashMap<&str, usize> = HashMap::default();
        for (text, readings) in all {
            let line = readings.first().map_or(0, |r| r.line);
            let inner = text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
            inner.for_each(|word| {
                let known = words.entry(word).or_insert(line);
                *known = line.min(*known);
            });
        }
        let persons: Vec<&String> = package.common.persons.iter().collect();
        for name in package.types.iter().flat_map(|t| &t.names) {
            let single = !name.contains(|c: char| !c.is_alphanumeric());
            if let Some(line) = words.get(name.as_str()).filter(|_| single) {
                faults.push(Fault::new(
                    &package.book.file,
                    *line,
                    format!("a phrasing cannot be read back: its word `{name}` is also a name"),
                    "replace the word, or the name in domain.toml",
                ));
            }
            if persons.contains(&name) {
                faults.push(Fault::new(
                    &package.head.name,
                    0,
                    format!("`{name}` is also a person of the stories"),
                    "replace the name",
                ));
            }
        }
    }

    /// What a question may ask.
    pub fn question(&self, package: &PhraseBook, names: &NameIndex, text: &str) -> Vec<ParsedQuestion> {
        let masked = names.mask(text);
        let whole = (0, masked.text.len());
        let mut found: Vec<ParsedQuestion> = Vec::new();
        let mut add = |asked: ParsedQuestion| {
            if !found.contains(&asked) {
                found.push(asked);
            }
        };
        for question in self.plain(package, names, &masked, whole) {
            add(ParsedQuestion { supposed: vec![], initially: false, question });
        }
        for parts in &self.initially {
            for cut in cuts(parts, &masked.text, whole.0, whole.1, 1) {
                for question in self.plain(package, names, &masked, cut[0]) {
                    add(ParsedQuestion { supposed: vec![], initially: true, question });
                }
            }
        }
        for (wrappers, count) in [(&self.after_one, 1), (&self.after_two, 2)] {
            for parts in wrappers {
                for cut in cuts(parts, &masked.text, whole.0, whole.1, count + 1) {
                    let (actions, inner) = cut.split_at(count);
                    let supposed: Option<Vec<Term>> =
                        actions.iter().map(|at| self.clause(package, names, &masked, *at, true)).collect();
                    let Some(supposed) = supposed else { continue };
                    for question in self.plain(package, names, &masked, inner[0]) {
                        add(ParsedQuestion { supposed: supposed.clone(), initially: false, question });
                    }
                }
            }
        }
        for parts in &self.changes {
            for cut in cuts(parts, &masked.text, whole.0, whole.1, 2) {
                let action = self.clause(package, names, &masked, cut[0], true);
                for statement in self.statements.look_up(&masked, cut[1].0, cut[1].1) {
                    if let Some(action) = action.clone() {
                        add(ParsedQuestion { supposed: vec![action], initially: false, question: statement });
                    }
                }
            }
        }
        found
    }

    fn plain(
        &self,
        book: &PhraseBook,
        names: &NameIndex,
        masked: &Masked,
        (start, end): (usize, usize),
    ) -> Vec<Sentence> {
        let mut found = self.questions.look_up(masked, start, end);
        for (says, parts, nested) in &self.questions.nested {
            for cut in cuts(parts, &masked.text, start, end, nested.len()) {
                let fill = |(slot, at): (&Option<bool>, &(usize, usize))| match slot {
                    Some(action) => {
                        self.clause(book, names, masked, *at, *action).map(|t| vec![ParsedFiller::Term(t)])
                    }
                    None => match masked.marks(at.0, at.1) {
                        [(_, SlotMark::Names(groups))] => {
                            let only = groups.first()?.first()?;
                            Some(vec![ParsedFiller::Object(only.0, only.1)])
                        }
                        [(_, SlotMark::Number(number))] => Some(vec![ParsedFiller::Number(*number)]),
                        _ => None,
                    },
                };
                let slots: Option<Vec<Vec<ParsedFiller>>> = nested.iter().zip(&cut).map(fill).collect();
                found.extend(slots.map(|slots| Sentence {
                    says: *says,
                    slots,
                    groups: vec![],
                    wording: Wording::default(),
                }));
            }
        }
        found
    }

    /// The fluent, or the action, that a clause on its own tells, where it tells one only.
    pub fn says(&self, book: &PhraseBook, names: &NameIndex, text: &str, action: bool) -> Option<Term> {
        let masked = names.mask(text);
        self.clause(book, names, &masked, (0, masked.text.len()), action)
    }

    /// The action or fluent that a clause tells, where it tells one only.
    fn clause(
        &self,
        book: &PhraseBook,
        names: &NameIndex,
        masked: &Masked,
        (start, end): (usize, usize),
        action: bool,
    ) -> Option<Term> {
        let table = if action { &self.clauses } else { &self.statements };
        match table.look_up(masked, start, end).as_slice() {
            [only] => {
                let pattern = match only.says {
                    Says::Action(entry) => &book.actions.get(entry)?.pattern,
                    Says::Fluent(entry) => &book.fluents.get(entry)?.pattern,
                    _ => return None,
                };
                Some(term(pattern, &only.slots, names.objects))
            }
            _ => None,
        }
    }
}

/// The term that a pattern stands for once its slots are filled; `_` in place of what the wording leaves out.
pub fn term(pattern: &Pattern, slots: &[Vec<ParsedFiller>], objects: &[ObjectName]) -> Term {
    let filler = |slot: usize| match slots.get(slot).and_then(|names| names.first()) {
        Some(ParsedFiller::Object(object, _)) => constant(&objects[*object].id),
        Some(ParsedFiller::Number(number)) => Term::Number(*number),
        Some(ParsedFiller::Term(term)) => term.clone(),
        None => Term::constant("_"),
    };
    if pattern.bare {
        return filler(0);
    }
    let mut slot = 0;
    let args = pattern.places.iter().map(|place| match place {
        PatternPlace::Constant(name) => Term::constant(name),
        PatternPlace::Slot { .. } => {
            slot += 1;
            filler(slot - 1)
        }
    });
    Term::function(&pattern.functor, args.collect())
}

/// An id as a term: mostly a constant, in the vocabulary of the generic domain a ground fluent or action.
fn constant(id: &str) -> Term {
    if id.contains('(') {
        return id.parse().unwrap_or_else(|_| Term::constant(id));
    }
    Term::constant(id)
}
