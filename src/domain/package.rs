//! What a domain package holds: parameters, types, logic programs and phrase book.

use std::collections::BTreeMap;

use racgen_logic::clingo::Source;
use racgen_logic::term::Term;

use crate::domain::mechanism::Mechanism;
use crate::phrases::book::{FrameForm, PhraseBook};
use crate::phrases::pattern::Pattern;
use crate::phrases::phrasing::Paragraph;

/// The levels of complexity (section 4.1).
pub const LEVELS: std::ops::RangeInclusive<i32> = 1..=5;

/// A type of objects.
#[derive(Clone, Debug)]
pub struct ObjectType {
    /// Its name, which is also the predicate of its objects.
    pub name: String,
    /// The letters its ids start with.
    pub id: String,
    /// The parameter that says how many there are.
    pub count: String,
    /// The pool of names.
    pub names: Vec<String>,
}

/// The values a parameter may take, both ends included.
pub type Range = (i64, i64);

/// A domain, read from its files.
#[derive(Clone, Debug)]
pub struct Package {
    /// The folder's name.
    pub name: String,
    /// Where it was found.
    pub origin: String,
    /// A title.
    pub title: String,
    /// One sentence.
    pub summary: String,
    /// Paper and section.
    pub source: String,
    /// What a reader has to follow; none where the package does not say.
    pub mechanisms: Vec<Mechanism>,
    /// Parameters of each level, in the order of their names.
    pub levels: BTreeMap<i32, BTreeMap<String, Range>>,
    /// Types, in the order of the file.
    pub types: Vec<ObjectType>,
    /// Predicates of the layout that belong to the world.
    pub statics: Vec<(String, usize)>,
    /// Names of constants that are not objects.
    pub constants: BTreeMap<String, String>,
    /// `domain.toml`, as it is written.
    pub head: Source,
    /// Fluents, actions and laws.
    pub domain: Source,
    /// Does it give actions several outcomes?
    pub has_outcomes: bool,
    /// Layouts and situations.
    pub world: Source,
    /// Question families of the domain's own.
    pub questions: Source,
    /// How its situations are drawn, where it says so.
    pub view: Option<Source>,
    /// Question families that follow from the phrase book.
    pub automatic: Source,
    /// The domain's phrases.
    pub book: PhraseBook,
    /// The phrases every domain shares.
    pub common: PhraseBook,
    /// The rules paragraph, where it depends on the world.
    pub rules: Option<Paragraph>,
}

impl Package {
    /// The type of an object, by its id: letters of a type and a number.
    pub fn kind_of(&self, id: &str) -> Option<usize> {
        let letters = id.trim_end_matches(|c: char| c.is_ascii_digit());
        if letters.len() == id.len() {
            return None;
        }
        self.types.iter().position(|t| t.id == letters)
    }

    /// What the common rule sentences depend on, of a story told in part or as a whole.
    pub fn frame_form(&self, partly: bool) -> FrameForm {
        FrameForm { partly, acted: self.book.is_acted(), open: self.has_outcomes }
    }

    /// The names of the types.
    pub fn kinds(&self) -> Vec<&str> {
        self.types.iter().map(|t| t.name.as_str()).collect()
    }

    /// Does a pattern of this package's phrase book match the term?
    pub fn fits(&self, pattern: &Pattern, term: &Term) -> bool {
        pattern.matches(term, &|id| self.kind_of(id), &self.kinds())
    }
}
