//! A text to the same with marks in place of names, numbers and persons.

use racgen_data::row::ObjectName;
use rustc_hash::FxHashMap as HashMap;

use crate::language::words::text::capital;

/// The first mark: marks of types follow from here.
const TYPE: u32 = 0xe100;
/// The mark of a number.
pub(crate) const NUMBER: char = '\u{e010}';
/// The mark of a person.
pub(crate) const PERSON: char = '\u{e011}';
/// The types and the persons whose names a text may hold.
#[derive(Debug, Default)]
pub(crate) struct KnownNames {
    /// Names of the types, by number.
    pub(crate) kinds: Vec<String>,
    /// Persons, by the letter they start with.
    pub(crate) persons: HashMap<char, Vec<String>>,
}

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
    pub(crate) text: String,
    /// The marks, with their places in the text.
    marks: Vec<(usize, SlotMark)>,
}

impl Masked {
    /// The marks of a stretch of the text.
    pub(crate) fn marks(&self, start: usize, end: usize) -> &[(usize, SlotMark)] {
        let from = self.marks.partition_point(|(at, _)| *at < start);
        let to = self.marks.partition_point(|(at, _)| *at < end);
        &self.marks[from..to]
    }
}

/// Finds the names of one story.
pub struct NameIndex<'a> {
    pub(crate) objects: &'a [ObjectName],
    kinds: Vec<usize>,
    by_initial: HashMap<char, Vec<usize>>,
    persons: &'a HashMap<char, Vec<String>>,
    signs: bool,
}

impl<'a> NameIndex<'a> {
    /// The names of these objects; those of types that `known` lacks are passed over. `signs`: may a
    /// minus sign belong to a name?
    pub(crate) fn new(known: &'a KnownNames, objects: &'a [ObjectName], signs: bool) -> NameIndex<'a> {
        let mut by_initial: HashMap<char, Vec<usize>> = HashMap::default();
        let mut kinds = vec![usize::MAX; objects.len()];
        for (index, object) in objects.iter().enumerate() {
            let Some(kind) = known.kinds.iter().position(|k| *k == *object.kind) else { continue };
            kinds[index] = kind;
            let mut initials: Vec<char> = object.name.chars().take(1).collect();
            initials.extend(capital(&object.name).chars().take(1));
            initials.dedup();
            initials.into_iter().for_each(|initial| by_initial.entry(initial).or_default().push(index));
        }
        NameIndex { objects, kinds, by_initial, persons: &known.persons, signs }
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

/// The mark of a type.
pub(crate) fn type_mark(kind: usize) -> char {
    char::from_u32(TYPE + kind as u32).unwrap_or(NUMBER)
}
