//! A phrase book file to a phrase book, or to its faults.

use std::ops::Range;

use racgen_logic::fault::{Fault, Faults, line_of};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::phrases::book::{
    ActionPhrases, FamilyPhrases, PartlyPhrases, PhraseBook, Phrasings, QuestionPhrases, RationalePhrases,
    RelationPhrases,
};
use crate::phrases::pattern::{Pattern, PatternPlace};
use crate::phrases::phrasing::Phrasing;

/// The fewest phrasings a list may have.
pub const FEWEST_PHRASINGS: usize = 4;

/// Slots for lists, sentences and clauses, which no reader should meet twice in one sentence.
const WHOLE_SLOTS: [&str; 6] = ["list", "first", "second", "question", "statement", "answer"];

/// What may fill the slots of families beyond prediction, besides numbers, fluents and actions.
const FAMILY_SLOTS: [&str; 7] = ["actions", "costs", "fluents", "goal", "literals", "object", "question"];

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
    faults: Faults,
    /// The entries that are marked as drafts.
    drafts: Vec<(String, usize)>,
}

/// Reads a phrase book; every fault found is told, not only the first.
///
/// # Errors
/// Faults with file and line.
pub fn read_book(file: &str, text: &str, constants: &[&str], types: &[&str]) -> Result<PhraseBook, Faults> {
    let root = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(text, span.start));
        Fault::new(file, line, error.message().to_owned(), "see domains/README.md for the format")
    })?;
    let mut reader = BookReader {
        file,
        text,
        constants: constants.to_vec(),
        types: types.to_vec(),
        faults: Faults::default(),
        drafts: Vec::new(),
    };
    let mut book = reader.book(root.get_ref());
    book.drafts = std::mem::take(&mut reader.drafts);
    if reader.faults.is_empty() { Ok(book) } else { Err(reader.faults) }
}

impl BookReader<'_> {
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
            self.section(&entry, &mut book);
        }
        book
    }

    fn section(&mut self, entry: &TableEntry, book: &mut PhraseBook) {
        match entry.key {
            "objects" => book.objects = self.objects(entry),
            "fact" => book.facts = self.each(entry, Self::relation),
            "fluent" => book.fluents = self.each(entry, Self::relation),
            "action" => book.actions = self.each(entry, Self::action),
            "question" => book.questions = self.each(entry, Self::question),
            "family" => book.families = self.families(entry),
            "rules" => book.rules = self.sentences(entry),
            "frame" => book.frame = self.sentences(entry),
            "unacted" => book.unacted = self.sentences(entry),
            "sentence" => book.sentences = self.each(entry, Self::sentence),
            "remark" => book.remarks = self.remarks(entry),
            "rationale" => book.rationale = self.rationale(entry),
            "partly" => book.partly = self.partly(entry),
            "terms" => book.terms = self.each(entry, Self::term),
            "persons" => {
                book.persons = self.strings(entry).into_iter().map(|s| s.get_ref().clone()).collect()
            }
            "after" => self.after(entry, book),
            "initially" => book.initially = self.wrapper(entry, &["question"]),
            "actions" => book.no_actions = self.no_actions(entry),
            other => self.unknown(entry, other),
        }
    }

    /// Reads each item of a section; those that are faulty are left out.
    fn each<T>(&mut self, entry: &TableEntry, read: impl Fn(&mut Self, &TableEntry) -> Option<T>) -> Vec<T> {
        self.table(entry).iter().filter_map(|item| read(self, item)).collect()
    }

    /// Families of questions, group by group.
    fn families(&mut self, entry: &TableEntry) -> Vec<FamilyPhrases> {
        let mut found = Vec::new();
        for group in self.table(entry) {
            for item in self.table(&group) {
                found.extend(self.family(group.key, &item));
            }
        }
        found
    }

    fn family(&mut self, group: &str, entry: &TableEntry) -> Option<FamilyPhrases> {
        let pattern = match Pattern::parse(entry.key, &[], &FAMILY_SLOTS) {
            Ok(pattern) => pattern,
            Err(cause) => {
                self.fault(
                    entry.span.start,
                    cause,
                    "write `[family.time.\"first_time(statement: fluent)\"]`",
                );
                return None;
            }
        };
        let slots: Vec<String> = pattern.slots().into_iter().map(str::to_owned).collect();
        let slots: Vec<&str> = slots.iter().map(String::as_str).collect();
        // A question of prediction at the end brings its question mark.
        let brings = slots.last() == Some(&"question");
        let mut ask = Phrasings::default();
        for item in self.table(entry) {
            match item.key {
                "ask" if brings => ask = self.phrasings(&item, &slots, &slots),
                "ask" => ask = self.questions(&item, &slots, &slots),
                other => self.unknown(&item, other),
            }
        }
        Some(FamilyPhrases { group: group.to_owned(), pattern, ask })
    }

    /// The key of an item must be a type.
    fn type_key(&mut self, item: &TableEntry) {
        if !self.types.contains(&item.key) {
            self.fault(
                item.span.start,
                format!("`{}` is no type of domain.toml", item.key),
                "add the type, or correct the key",
            );
        }
    }

    fn objects(&mut self, entry: &TableEntry) -> Vec<(String, Phrasings)> {
        self.each(entry, |reader, item| {
            reader.type_key(item);
            Some((item.key.to_owned(), reader.told(item, &["list"], &["list"])))
        })
    }

    fn remarks(&mut self, entry: &TableEntry) -> Vec<(String, Phrasings)> {
        self.each(entry, |reader, item| {
            let person = item.key == "person";
            if !person {
                reader.type_key(item);
            }
            let slots: &[&str] = if person { &[] } else { &["name"] };
            Some((item.key.to_owned(), reader.told(item, slots, slots)))
        })
    }

    fn rationale(&mut self, entry: &TableEntry) -> RationalePhrases {
        let mut of = RationalePhrases::default();
        for item in self.table(entry) {
            let slots: &[&str] = match item.key {
                "start" | "end" | "not" | "start_not" | "why_not" | "facts" | "gained" | "lost" | "why"
                | "kept" | "kept_while" | "kept_without" | "never_met" | "by_action" | "missing"
                | "case_facts" | "then_so" | "then_not" => &["list"],
                "step" | "skipped" | "impossible" | "left_out" | "case_action" | "then_can"
                | "then_cannot" | "then_impossible" => &["first"],
                "by_way" | "avoiding" => &["first", "list"],
                "case_failed" | "no_fewer" | "no_cheaper" | "part" => &["number"],
                "conclusion" => &["answer"],
                _ => &[],
            };
            let list = self.phrasings(&item, slots, slots);
            match item.key {
                "start" => of.start = list,
                "end" => of.end = list,
                "not" => of.not = list,
                "start_not" => of.start_not = list,
                "why_not" => of.why_not = list,
                "start_nothing" => of.start_nothing = list,
                "nothing" => of.nothing = list,
                "rest" => of.rest = list,
                "facts" => of.facts = list,
                "step" => of.step = list,
                "gained" => of.gained = list,
                "lost" => of.lost = list,
                "unchanged" => of.unchanged = list,
                "changed" => of.changed = list,
                "skipped" => of.skipped = list,
                "impossible" => of.impossible = list,
                "why" => of.why = list,
                "left_out" => of.left_out = list,
                "no_fewer" => of.no_fewer = list,
                "only_first" => of.only_first = list,
                "only_listed" => of.only_listed = list,
                "all_needed" => of.all_needed = list,
                "two_needed" => of.two_needed = list,
                "serves" => of.serves = list,
                "no_cheaper" => of.no_cheaper = list,
                "case_action" => of.case_action = list,
                "case_failed" => of.case_failed = list,
                "case_facts" => of.case_facts = list,
                "case_nothing" => of.case_nothing = list,
                "case_course" => of.case_course = list,
                "case_idle" => of.case_idle = list,
                "then_so" => of.then_so = list,
                "then_not" => of.then_not = list,
                "then_all" => of.then_all = list,
                "then_can" => of.then_can = list,
                "then_cannot" => of.then_cannot = list,
                "then_possible" => of.then_possible = list,
                "then_impossible" => of.then_impossible = list,
                "every_case" => of.every_case = list,
                "two_cases" => of.two_cases = list,
                "agreeing" => of.agreeing = list,
                "no_other" => of.no_other = list,
                "not_otherwise" => of.not_otherwise = list,
                "never" => of.never = list,
                "missing" => of.missing = list,
                "unavoidable" => of.unavoidable = list,
                "kept" => of.kept = list,
                "kept_while" => of.kept_while = list,
                "kept_without" => of.kept_without = list,
                "by_way" => of.by_way = list,
                "by_action" => of.by_action = list,
                "never_met" => of.never_met = list,
                "avoiding" => of.avoiding = list,
                "beyond" => of.beyond = list,
                "part" => of.part = list,
                "conclusion" => of.conclusion = list,
                other => self.unknown(&item, other),
            }
        }
        of
    }

    fn partly(&mut self, entry: &TableEntry) -> PartlyPhrases {
        let mut of = PartlyPhrases::default();
        for item in self.table(entry) {
            match item.key {
                "left_out" => of.left_out = self.phrasings(&item, &["list"], &["list"]),
                "frame" => of.frame = self.phrasings(&item, &[], &[]),
                "pictured" => of.pictured = self.phrasings(&item, &[], &[]),
                "untold" => of.untold = self.phrasings(&item, &[], &[]),
                "outcomes" => of.outcomes = self.phrasings(&item, &[], &[]),
                other => self.unknown(&item, other),
            }
        }
        of
    }

    fn after(&mut self, entry: &TableEntry, book: &mut PhraseBook) {
        for item in self.table(entry) {
            match item.key {
                "one" => book.after_one = self.wrapper(&item, &["first", "question"]),
                "two" => book.after_two = self.wrapper(&item, &["first", "second", "question"]),
                other => self.unknown(&item, other),
            }
        }
    }

    fn no_actions(&mut self, entry: &TableEntry) -> Phrasings {
        let mut found = Phrasings::default();
        for item in self.table(entry) {
            match item.key {
                "none" => found = self.phrasings(&item, &[], &[]),
                other => self.unknown(&item, other),
            }
        }
        found
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

    /// Lists are of names: the numbers of one could not be told from those of the wording.
    fn numbers_in_lists(&mut self, entry: &TableEntry, pattern: &Pattern, slot: usize) {
        let slots = pattern.places.iter().filter_map(|place| match place {
            PatternPlace::Slot { name, kind } => Some((name, kind)),
            PatternPlace::Constant(_) => None,
        });
        if let Some((name, _)) = slots.skip(slot).take(1).find(|(_, kind)| *kind == "number") {
            let cause =
                format!("`{}` lists what fills the slot `{name}`, but numbers are not listed", entry.key);
            self.fault(entry.span.start, cause, "tell each by itself, with `each`");
        }
    }

    /// Notes an entry that says `draft = true`.
    fn draft(&mut self, section: &str, entry: &TableEntry, item: &TableEntry) {
        if self.flag(item) {
            let line = line_of(self.text, entry.span.start);
            self.drafts.push((format!("{section}{}", entry.key), line));
        }
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
                "draft" => self.draft("", entry, &item),
                "told" => relation.told = self.flag(&item),
                "symmetric" => relation.symmetric = self.flag(&item),
                "each" => relation.each = self.told(&item, &slots, &slots),
                "chain" | "all" => {
                    (0..slots.len()).for_each(|slot| self.numbers_in_lists(&item, &pattern, slot));
                    let list = self.told(&item, &["list"], &["list"]);
                    if item.key == "chain" { relation.chain = list } else { relation.all = list }
                }
                "none" => relation.none = self.told(&item, &[], &[]),
                "ask" => relation.ask = self.questions(&item, &slots, &slots),
                "group" | "which" | "count" => {
                    for part in self.table(&item) {
                        let Some(slot) = self.slot(&part, &pattern) else { continue };
                        if item.key == "group" {
                            self.numbers_in_lists(&part, &pattern, slot);
                            let list = self.told(&part, &slots, &slots);
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
                "did" => did = self.told(&item, &slots, &needed),
                "can" => can = self.questions(&item, &slots, &needed),
                "if" => clause = self.clauses(&item, &slots, &needed),
                "implied" => {}
                "draft" => self.draft("", entry, &item),
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
                "draft" => self.draft("", entry, &item),
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
                        found.push(self.told(&part, &[], &[]));
                    }
                }
                ("draft", _) => self.draft("the ", entry, &item),
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

    /// Phrasings that use each needed slot, lists and clauses exactly once, and no others but `person`.
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
                        let whole = WHOLE_SLOTS.contains(slot);
                        if (times > 1 && whole) || (times == 0 && needed.contains(slot)) {
                            let remedy =
                                if whole { "use it exactly once" } else { "use each slot at least once" };
                            self.fault(
                                text.span().start,
                                format!("the phrasing uses the slot `{slot}` {times} times"),
                                remedy,
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

    /// Phrasings that are whole sentences.
    fn told(&mut self, entry: &TableEntry, slots: &[&str], needed: &[&str]) -> Phrasings {
        let found = self.phrasings(entry, slots, needed);
        let cause = "the sentence has no full stop at its end";
        self.each_is(entry, &found, |p| p.ends_with(&['.']), cause, "end it with a full stop");
        found
    }

    /// Phrasings that are clauses.
    fn clauses(&mut self, entry: &TableEntry, slots: &[&str], needed: &[&str]) -> Phrasings {
        let found = self.phrasings(entry, slots, needed);
        let remedy = "write a clause that can follow \"If\" or \"Suppose that\", without a stop at its end";
        let cause = "the clause ends with a stop";
        self.each_is(entry, &found, |p| !p.ends_with(&['.', '!', '?', ',', ';', ':']), cause, remedy);
        let cause = "the clause starts with a capital, though it stands within a sentence";
        self.each_is(
            entry,
            &found,
            |p| !p.starts_with_capital(),
            cause,
            "start it with a small letter or a slot",
        );
        found
    }

    /// Every phrasing of a list must be so; otherwise it is a fault of its own line.
    fn each_is(
        &mut self,
        entry: &TableEntry,
        found: &Phrasings,
        good: impl Fn(&Phrasing) -> bool,
        cause: &str,
        remedy: &str,
    ) {
        let texts = self.strings(entry);
        // Where one did not compile, the list is shorter, and the texts cannot be told.
        if texts.len() != found.list.len() {
            return;
        }
        for (text, _) in texts.iter().zip(&found.list).filter(|(_, phrasing)| !good(phrasing)) {
            self.fault(text.span().start, format!("{cause}: \"{}\"", text.get_ref()), remedy);
        }
    }

    fn questions(&mut self, entry: &TableEntry, slots: &[&str], needed: &[&str]) -> Phrasings {
        let found = self.phrasings(entry, slots, needed);
        let cause = "the question has no question mark at its end";
        self.each_is(entry, &found, |p| p.ends_with(&['?']), cause, "end it with a question mark");
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
