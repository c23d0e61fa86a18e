//! A phrase book file to phrasings: which sentences say which atoms, actions and questions.

use std::ops::Range;

use racgen_logic::fault::{Fault, line_of};
use racgen_logic::term::Term;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::phrases::phrasing::Phrasing;

/// The fewest phrasings a list may have.
pub const FEWEST_PHRASINGS: usize = 4;

/// One place of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternPlace {
    /// A slot and the type of what fills it; `number` for numbers.
    Slot {
        /// What templates call it.
        name: String,
        /// A type of the package, `number`, `action` or `fluent`.
        kind: String,
    },
    /// A constant, no slot.
    Constant(String),
}

/// A form of atoms, actions or questions: `at(robot, location)`, or a bare type, for the objects themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The functor; for a bare type, the type.
    pub functor: String,
    /// Its places.
    pub places: Vec<PatternPlace>,
    /// Does the pattern stand for the objects of the type `functor`?
    pub bare: bool,
}

impl Pattern {
    /// Reads `on(upper: block, lower: block)`.
    fn parse(text: &str, constants: &[&str], types: &[&str]) -> Result<Pattern, String> {
        let text = text.trim();
        let (functor, rest) = match text.split_once('(') {
            Some((functor, rest)) => (
                functor,
                rest.strip_suffix(')').ok_or_else(|| format!("`{text}` lacks its closing parenthesis"))?,
            ),
            None => (text, ""),
        };
        let is_name = |s: &str| {
            s.starts_with(|c: char| c.is_ascii_lowercase())
                && s.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if !is_name(functor) {
            return Err(format!("`{functor}` is no predicate name"));
        }
        let mut places = Vec::new();
        for place in rest.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let (name, kind) = match place.split_once(':') {
                Some((name, kind)) => (name.trim(), kind.trim()),
                None => (place, place),
            };
            if name == kind && constants.contains(&name) {
                places.push(PatternPlace::Constant(name.to_owned()));
                continue;
            }
            if !is_name(name) || !is_name(kind) {
                return Err(format!("`{place}` is no slot; write `type` or `name: type`"));
            }
            if !types.contains(&kind) && kind != "number" && kind != "action" && kind != "fluent" {
                return Err(format!("`{kind}` is neither a type nor a constant of this package"));
            }
            if places.iter().any(|p| matches!(p, PatternPlace::Slot { name: other, .. } if other == name)) {
                return Err(format!(
                    "two slots are called `{name}`; name them, as in `upper: {kind}, lower: {kind}`"
                ));
            }
            places.push(PatternPlace::Slot { name: name.to_owned(), kind: kind.to_owned() });
        }
        let bare = places.is_empty() && types.contains(&functor);
        if bare {
            places.push(PatternPlace::Slot { name: functor.to_owned(), kind: functor.to_owned() });
        }
        Ok(Pattern { functor: functor.to_owned(), places, bare })
    }

    /// The names of the slots, in order of their places.
    pub fn slots(&self) -> Vec<&str> {
        self.places
            .iter()
            .filter_map(|p| if let PatternPlace::Slot { name, .. } = p { Some(name.as_str()) } else { None })
            .collect()
    }

    /// Does the term have this form? `kind_of` tells the type of an object.
    pub fn matches(&self, term: &Term, kind_of: &impl Fn(&str) -> Option<usize>, kinds: &[&str]) -> bool {
        let fits = |place: &PatternPlace, term: &Term| match place {
            PatternPlace::Constant(name) => term.is(name, 0),
            PatternPlace::Slot { kind, .. } => match term {
                Term::Number(_) => kind == "number",
                Term::Function(name, args) if args.is_empty() => {
                    kind_of(name).is_some_and(|k| kinds[k] == kind) || (name.as_ref() == kind)
                }
                Term::Function(..) => kind == "action" || kind == "fluent",
            },
        };
        if self.bare {
            return fits(&self.places[0], term);
        }
        term.is(&self.functor, self.places.len())
            && self.places.iter().zip(term.args()).all(|(place, arg)| fits(place, arg))
    }

    /// The arguments of a matching term that fill the slots.
    pub fn fillers<'t>(&self, term: &'t Term) -> Vec<&'t Term> {
        if self.bare {
            return vec![term];
        }
        self.fillers_among(term.args())
    }

    /// The arguments that fill the slots, of those of a matching term; of a bare type's, all.
    pub fn fillers_among<'t>(&self, args: &'t [Term]) -> Vec<&'t Term> {
        let filled = self.places.iter().zip(args);
        filled.filter(|(place, _)| matches!(place, PatternPlace::Slot { .. })).map(|(_, arg)| arg).collect()
    }
}

/// Phrasings of one thing, true paraphrases of each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrasings {
    /// Where the list stands: a line of the phrase book.
    pub line: usize,
    /// The phrasings.
    pub list: Vec<Phrasing>,
}

impl Phrasings {
    /// Is there nothing to say it with?
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// How static relations and fluents are told, and asked about.
#[derive(Clone, Debug)]
pub struct RelationPhrases {
    /// The atoms it is about.
    pub pattern: Pattern,
    /// Where the entry stands.
    pub line: usize,
    /// Is it told in the initial state?
    pub told: bool,
    /// Are `p(x,y)` and `p(y,x)` told as one?
    pub symmetric: bool,
    /// One sentence for one atom.
    pub each: Phrasings,
    /// One sentence for the atoms that differ in one slot only: the slot, and the sentences.
    pub group: Vec<(usize, Phrasings)>,
    /// One sentence for a maximal chain of a binary relation, with the slot `list`.
    pub chain: Phrasings,
    /// One sentence for all atoms of a pattern with one slot, with the slot `list`.
    pub all: Phrasings,
    /// One sentence for the absence of any atom.
    pub none: Phrasings,
    /// Is the atom true? (fluents only)
    pub ask: Phrasings,
    /// Which objects fill a slot?
    pub which: Vec<(usize, Phrasings)>,
    /// How many objects fill a slot?
    pub count: Vec<(usize, Phrasings)>,
}

/// How actions are told and asked about.
#[derive(Clone, Debug)]
pub struct ActionPhrases {
    /// The actions.
    pub pattern: Pattern,
    /// Where the entry stands.
    pub line: usize,
    /// A sentence of the story.
    pub did: Phrasings,
    /// Is it executable?
    pub can: Phrasings,
    /// A clause.
    pub clause: Phrasings,
}

/// How a question family of `questions.lp` is asked.
#[derive(Clone, Debug)]
pub struct QuestionPhrases {
    /// The questions.
    pub pattern: Pattern,
    /// Where the entry stands.
    pub line: usize,
    /// The question.
    pub ask: Phrasings,
}

/// A parsed phrase book.
#[derive(Clone, Debug, Default)]
pub struct PhraseBook {
    /// File name.
    pub file: String,
    /// Sentences that list the objects of a type.
    pub objects: Vec<(String, Phrasings)>,
    /// Static relations, in the order they are told.
    pub facts: Vec<RelationPhrases>,
    /// Fluents, in the order they are told.
    pub fluents: Vec<RelationPhrases>,
    /// Actions.
    pub actions: Vec<ActionPhrases>,
    /// Question families.
    pub questions: Vec<QuestionPhrases>,
    /// Rule sentences, in order.
    pub rules: Vec<Phrasings>,
    /// How compound terms other than actions and fluents are written.
    pub terms: Vec<(Pattern, Phrasing)>,
    /// First names (of the common phrase book).
    pub persons: Vec<String>,
    /// Questions after one further action.
    pub after_one: Phrasings,
    /// Questions after two further actions.
    pub after_two: Phrasings,
    /// Questions about the initial situation.
    pub initially: Phrasings,
    /// The sentence of an empty story.
    pub no_actions: Phrasings,
    /// Rule sentences that hold in every domain.
    pub frame: Vec<Phrasings>,
    /// Sentences of other forms, with their slots.
    pub sentences: Vec<(Pattern, Phrasings)>,
    /// Sentences about an object of a type, or about a person, that have no bearing on anything.
    pub remarks: Vec<(String, Phrasings)>,
    /// How a rationale is worded.
    pub rationale: RationalePhrases,
}

/// How a rationale is worded (of the common phrase book). Statements and clauses have no capital and no full stop.
#[derive(Clone, Debug, Default)]
pub struct RationalePhrases {
    /// What is true at the start: slot `list`.
    pub start: Phrasings,
    /// What is true in the situation asked about: slot `list`.
    pub end: Phrasings,
    /// What is not: slot `list`.
    pub not: Phrasings,
    /// Nothing that matters is true.
    pub nothing: Phrasings,
    /// An action takes place: slot `first`.
    pub step: Phrasings,
    /// What it makes true: slot `list`.
    pub gained: Phrasings,
    /// What it makes false: slot `list`.
    pub lost: Phrasings,
    /// It changes nothing that matters.
    pub unchanged: Phrasings,
    /// The answer: slot `answer`.
    pub conclusion: Phrasings,
}

/// A table entry with where it stands.
struct TableEntry<'a> {
    key: &'a str,
    span: Range<usize>,
    value: &'a DeValue<'a>,
}

fn entries<'a>(table: &'a DeTable<'a>) -> Vec<TableEntry<'a>> {
    let mut all: Vec<TableEntry> = table
        .iter()
        .map(|(key, value)| TableEntry { key: key.get_ref(), span: key.span(), value: value.get_ref() })
        .collect();
    all.sort_by_key(|e| e.span.start);
    all
}

struct BookReader<'a> {
    file: &'a str,
    text: &'a str,
    constants: Vec<&'a str>,
    types: Vec<&'a str>,
    faults: Vec<Fault>,
}

impl PhraseBook {
    /// Reads a phrase book; every fault found is told, not only the first.
    ///
    /// # Errors
    /// Faults with file and line.
    pub fn parse(
        file: &str,
        text: &str,
        constants: &[&str],
        types: &[&str],
    ) -> Result<PhraseBook, Vec<Fault>> {
        let root = DeTable::parse(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            vec![Fault::new(file, line, error.message().to_owned(), "see domains/README.md for the format")]
        })?;
        let mut reader = BookReader {
            file,
            text,
            constants: constants.to_vec(),
            types: types.to_vec(),
            faults: Vec::new(),
        };
        let book = reader.book(root.get_ref());
        if reader.faults.is_empty() { Ok(book) } else { Err(reader.faults) }
    }
}

impl<'a> BookReader<'a> {
    fn fault(&mut self, at: usize, cause: impl Into<String>, remedy: impl Into<String>) {
        self.faults.push(Fault::new(self.file, line_of(self.text, at), cause, remedy));
    }

    fn table<'t>(&mut self, entry: &TableEntry<'t>) -> Vec<TableEntry<'t>> {
        match entry.value {
            DeValue::Table(table) => entries(table),
            _ => {
                self.fault(
                    entry.span.start,
                    format!("`{}` must be a table", entry.key),
                    "write it as `[section]`",
                );
                Vec::new()
            }
        }
    }

    fn book(&mut self, root: &DeTable<'_>) -> PhraseBook {
        let mut book = PhraseBook { file: self.file.to_owned(), ..PhraseBook::default() };
        for entry in entries(root) {
            match entry.key {
                "objects" => {
                    for item in self.table(&entry) {
                        if !self.types.contains(&item.key) {
                            self.fault(
                                item.span.start,
                                format!("`{}` is no type of domain.toml", item.key),
                                "add the type, or correct the key",
                            );
                        }
                        let list = self.phrasings(&item, &["list"], &["list"]);
                        book.objects.push((item.key.to_owned(), list));
                    }
                }
                "fact" | "fluent" => {
                    for item in self.table(&entry) {
                        let relation = self.relation(&item);
                        if entry.key == "fact" {
                            book.facts.extend(relation)
                        } else {
                            book.fluents.extend(relation)
                        }
                    }
                }
                "action" => {
                    for item in self.table(&entry) {
                        book.actions.extend(self.action(&item));
                    }
                }
                "question" => {
                    for item in self.table(&entry) {
                        book.questions.extend(self.question(&item));
                    }
                }
                "rules" => book.rules = self.sentences(&entry),
                "frame" => book.frame = self.sentences(&entry),
                "sentence" => {
                    for item in self.table(&entry) {
                        book.sentences.extend(self.sentence(&item));
                    }
                }
                "remark" => {
                    for item in self.table(&entry) {
                        let person = item.key == "person";
                        if !person && !self.types.contains(&item.key) {
                            self.fault(
                                item.span.start,
                                format!("`{}` is no type of domain.toml", item.key),
                                "add the type, or correct the key",
                            );
                        }
                        let slots: &[&str] = if person { &[] } else { &["name"] };
                        let list = self.phrasings(&item, slots, slots);
                        book.remarks.push((item.key.to_owned(), list));
                    }
                }
                "rationale" => {
                    for item in self.table(&entry) {
                        let slots: &[&str] = match item.key {
                            "start" | "end" | "not" | "gained" | "lost" => &["list"],
                            "step" => &["first"],
                            "conclusion" => &["answer"],
                            _ => &[],
                        };
                        let list = self.phrasings(&item, slots, slots);
                        let of = &mut book.rationale;
                        match item.key {
                            "start" => of.start = list,
                            "end" => of.end = list,
                            "not" => of.not = list,
                            "nothing" => of.nothing = list,
                            "step" => of.step = list,
                            "gained" => of.gained = list,
                            "lost" => of.lost = list,
                            "unchanged" => of.unchanged = list,
                            "conclusion" => of.conclusion = list,
                            other => self.unknown(&item, other),
                        }
                    }
                }
                "terms" => {
                    for item in self.table(&entry) {
                        book.terms.extend(self.term(&item));
                    }
                }
                "persons" => {
                    book.persons = self.strings(&entry).into_iter().map(|s| s.get_ref().clone()).collect()
                }
                "after" => {
                    for item in self.table(&entry) {
                        match item.key {
                            "one" => book.after_one = self.wrapper(&item, &["first", "question"]),
                            "two" => book.after_two = self.wrapper(&item, &["first", "second", "question"]),
                            other => self.unknown(&item, other),
                        }
                    }
                }
                "initially" => book.initially = self.wrapper(&entry, &["question"]),
                "actions" => {
                    for item in self.table(&entry) {
                        match item.key {
                            "none" => book.no_actions = self.phrasings(&item, &[], &[]),
                            other => self.unknown(&item, other),
                        }
                    }
                }
                other => self.unknown(&entry, other),
            }
        }
        book
    }

    fn unknown(&mut self, entry: &TableEntry, key: &str) {
        self.fault(entry.span.start, format!("unknown key `{key}`"), "see domains/README.md for the keys");
    }

    fn wrapper(&mut self, entry: &TableEntry, slots: &[&str]) -> Phrasings {
        let mut found = Phrasings::default();
        for item in self.table(entry) {
            match item.key {
                "ask" => found = self.phrasings(&item, slots, slots),
                other => self.unknown(&item, other),
            }
        }
        found
    }

    fn pattern(&mut self, entry: &TableEntry) -> Option<Pattern> {
        match Pattern::parse(entry.key, &self.constants, &self.types) {
            Ok(pattern) => Some(pattern),
            Err(cause) => {
                self.fault(entry.span.start, cause, "write `[fluent.\"at(robot, location)\"]`");
                None
            }
        }
    }

    fn slot(&mut self, entry: &TableEntry, pattern: &Pattern) -> Option<usize> {
        let found = pattern.slots().iter().position(|s| *s == entry.key);
        if found.is_none() {
            self.fault(
                entry.span.start,
                format!("`{}` is no slot of this pattern", entry.key),
                format!("its slots are {}", pattern.slots().join(", ")),
            );
        }
        found
    }

    fn flag(&mut self, entry: &TableEntry) -> bool {
        match entry.value {
            DeValue::Boolean(value) => *value,
            _ => {
                self.fault(
                    entry.span.start,
                    format!("`{}` must be true or false", entry.key),
                    "write it without quotes",
                );
                true
            }
        }
    }

    fn relation(&mut self, entry: &TableEntry) -> Option<RelationPhrases> {
        let pattern = self.pattern(entry)?;
        let slots = pattern.slots().into_iter().map(str::to_owned).collect::<Vec<_>>();
        let slots: Vec<&str> = slots.iter().map(String::as_str).collect();
        let mut relation = RelationPhrases {
            pattern: pattern.clone(),
            line: line_of(self.text, entry.span.start),
            told: true,
            symmetric: false,
            each: Phrasings::default(),
            group: Vec::new(),
            chain: Phrasings::default(),
            all: Phrasings::default(),
            none: Phrasings::default(),
            ask: Phrasings::default(),
            which: Vec::new(),
            count: Vec::new(),
        };
        for item in self.table(entry) {
            match item.key {
                "told" => relation.told = self.flag(&item),
                "symmetric" => relation.symmetric = self.flag(&item),
                "each" => relation.each = self.phrasings(&item, &slots, &slots),
                "chain" => relation.chain = self.phrasings(&item, &["list"], &["list"]),
                "all" => relation.all = self.phrasings(&item, &["list"], &["list"]),
                "none" => relation.none = self.phrasings(&item, &[], &[]),
                "ask" => relation.ask = self.questions(&item, &slots, &slots),
                "group" | "which" | "count" => {
                    for part in self.table(&item) {
                        let Some(slot) = self.slot(&part, &pattern) else { continue };
                        if item.key == "group" {
                            let list = self.phrasings(&part, &slots, &slots);
                            relation.group.push((slot, list));
                            continue;
                        }
                        let others: Vec<&str> = slots.iter().copied().filter(|s| *s != slots[slot]).collect();
                        let list = self.questions(&part, &others, &others);
                        // The places of the slots are those of the whole pattern.
                        let list = Phrasings { line: list.line, list: self.recompile(&part, &slots, list) };
                        if item.key == "which" {
                            relation.which.push((slot, list))
                        } else {
                            relation.count.push((slot, list))
                        }
                    }
                }
                other => self.unknown(&item, other),
            }
        }
        if relation.each.is_empty() && relation.all.is_empty() && relation.told {
            self.fault(
                entry.span.start,
                format!("`{}` is told but has no `each`", entry.key),
                "add `each = [...]` or `told = false`",
            );
        }
        Some(relation)
    }

    /// Compiles a list of questions anew with all slots of the pattern, so that places mean the same everywhere.
    fn recompile(&mut self, entry: &TableEntry, slots: &[&str], old: Phrasings) -> Vec<Phrasing> {
        if old.is_empty() {
            return Vec::new();
        }
        let mut known = slots.to_vec();
        known.push("person");
        self.strings(entry).iter().filter_map(|s| Phrasing::compile(s.get_ref(), &known).ok()).collect()
    }

    fn action(&mut self, entry: &TableEntry) -> Option<ActionPhrases> {
        let pattern = self.pattern(entry)?;
        let slots = pattern.slots().into_iter().map(str::to_owned).collect::<Vec<_>>();
        let slots: Vec<&str> = slots.iter().map(String::as_str).collect();
        let (mut did, mut can, mut clause) =
            (Phrasings::default(), Phrasings::default(), Phrasings::default());
        let items = self.table(entry);
        // A slot that the others settle (the city of a drive) may be named as implied, and be left out.
        let implied: Vec<String> = items
            .iter()
            .filter(|i| i.key == "implied")
            .flat_map(|i| self.strings(i))
            .map(|s| s.get_ref().clone())
            .collect();
        let needed: Vec<&str> = slots.iter().copied().filter(|s| !implied.iter().any(|i| i == s)).collect();
        for item in items {
            match item.key {
                "did" => did = self.phrasings(&item, &slots, &needed),
                "can" => can = self.questions(&item, &slots, &needed),
                "if" => clause = self.phrasings(&item, &slots, &needed),
                "implied" => {}
                other => self.unknown(&item, other),
            }
        }
        for (what, list) in [("did", &did), ("can", &can), ("if", &clause)] {
            if list.is_empty() {
                self.fault(
                    entry.span.start,
                    format!("`{}` has no `{what}`", entry.key),
                    format!("add `{what} = [...]`"),
                );
            }
        }
        Some(ActionPhrases { line: line_of(self.text, entry.span.start), pattern, did, can, clause })
    }

    fn question(&mut self, entry: &TableEntry) -> Option<QuestionPhrases> {
        // The one question about two clauses is not asked by pattern.
        if entry.key == "changes" {
            let ask = self.wrapper(entry, &["first", "statement"]);
            let slot = |name: &str| PatternPlace::Slot { name: name.to_owned(), kind: name.to_owned() };
            let pattern = Pattern {
                functor: "changes".into(),
                places: vec![slot("first"), slot("statement")],
                bare: false,
            };
            return Some(QuestionPhrases { pattern, line: line_of(self.text, entry.span.start), ask });
        }
        let pattern = self.pattern(entry)?;
        let slots = pattern.slots().into_iter().map(str::to_owned).collect::<Vec<_>>();
        let slots: Vec<&str> = slots.iter().map(String::as_str).collect();
        let mut ask = Phrasings::default();
        for item in self.table(entry) {
            match item.key {
                "ask" => ask = self.questions(&item, &slots, &slots),
                other => self.unknown(&item, other),
            }
        }
        if ask.is_empty() {
            self.fault(entry.span.start, format!("`{}` has no `ask`", entry.key), "add `ask = [...]`");
        }
        Some(QuestionPhrases { line: line_of(self.text, entry.span.start), pattern, ask })
    }

    fn sentence(&mut self, entry: &TableEntry) -> Option<(Pattern, Phrasings)> {
        let pattern = self.pattern(entry)?;
        let slots = pattern.slots();
        let list = self.phrasings(entry, &slots, &slots);
        Some((pattern, list))
    }

    fn term(&mut self, entry: &TableEntry) -> Option<(Pattern, Phrasing)> {
        // Without parentheses it is a constant.
        let (functor, rest) = entry.key.split_once('(').unwrap_or((entry.key, ""));
        let slots = rest.trim_end_matches(')').split(',').map(str::trim);
        let slots: Vec<&str> = slots.filter(|slot| !slot.is_empty()).collect();
        let DeValue::String(text) = entry.value else {
            self.fault(
                entry.span.start,
                "a term is written by one template",
                "write `\"neg(x)\" = \"not {{ x }}\"`",
            );
            return None;
        };
        match Phrasing::compile(text, &slots) {
            Ok(phrasing) => {
                let places = slots
                    .iter()
                    .map(|s| PatternPlace::Slot { name: (*s).to_owned(), kind: String::new() })
                    .collect();
                Some((Pattern { functor: functor.to_owned(), places, bare: false }, phrasing))
            }
            Err(cause) => {
                self.fault(entry.span.start, cause, "correct the template");
                None
            }
        }
    }

    fn sentences(&mut self, entry: &TableEntry) -> Vec<Phrasings> {
        let mut found = Vec::new();
        for item in self.table(entry) {
            match (item.key, item.value) {
                ("sentences", DeValue::Array(lists)) => {
                    for list in lists.iter() {
                        let part = TableEntry { key: "sentences", span: list.span(), value: list.get_ref() };
                        found.push(self.phrasings(&part, &[], &[]));
                    }
                }
                (other, _) => self.unknown(&item, other),
            }
        }
        found
    }

    fn strings(&mut self, entry: &TableEntry) -> Vec<Spanned<String>> {
        let DeValue::Array(array) = entry.value else {
            self.fault(
                entry.span.start,
                format!("`{}` must be a list of texts", entry.key),
                "write `[\"...\", \"...\"]`",
            );
            return Vec::new();
        };
        let mut found = Vec::new();
        for item in array.iter() {
            match item.get_ref() {
                DeValue::String(text) => found.push(Spanned::new(item.span(), text.to_string())),
                _ => self.fault(item.span().start, "a phrasing must be a text", "put it in quotes"),
            }
        }
        found
    }

    /// Phrasings that use each needed slot exactly once, and no others but `person`.
    fn phrasings(&mut self, entry: &TableEntry, slots: &[&str], needed: &[&str]) -> Phrasings {
        let strings = self.strings(entry);
        if strings.len() < FEWEST_PHRASINGS {
            self.fault(
                entry.span.start,
                format!("`{}` has {} phrasings", entry.key, strings.len()),
                format!("write at least {FEWEST_PHRASINGS}"),
            );
        }
        let mut known = slots.to_vec();
        known.push("person");
        let mut list = Vec::new();
        for text in &strings {
            match Phrasing::compile(text.get_ref(), &known) {
                Ok(phrasing) => {
                    let used: Vec<usize> = phrasing.slots().collect();
                    for (number, slot) in slots.iter().enumerate() {
                        let times = used.iter().filter(|u| **u == number).count();
                        if times > 1 || (times == 0 && needed.contains(slot)) {
                            self.fault(
                                text.span().start,
                                format!("the phrasing uses the slot `{slot}` {times} times"),
                                "use each slot exactly once",
                            );
                        }
                    }
                    if list.contains(&phrasing) {
                        self.fault(
                            text.span().start,
                            "the phrasing stands twice",
                            "delete it or word it differently",
                        );
                    }
                    list.push(phrasing);
                }
                Err(cause) => self.fault(text.span().start, cause, "correct the template"),
            }
        }
        Phrasings { line: line_of(self.text, entry.span.start), list }
    }

    fn questions(&mut self, entry: &TableEntry, slots: &[&str], needed: &[&str]) -> Phrasings {
        let found = self.phrasings(entry, slots, needed);
        if let Some(bad) = found.list.iter().position(|p| !p.starts_with_word()) {
            let at = self.strings(entry).get(bad).map_or(entry.span.start, |s| s.span().start);
            self.fault(
                at,
                "the question does not start with a word",
                "start with a word such as `Is` or `Which`, so that it can follow another clause",
            );
        }
        found
    }
}
