//! A phrase book to a parser that reads its sentences back: each phrasing, turned round.
//!
//! In a text, every name, number and person becomes a mark of its type, and a list of names becomes one mark; the
//! phrasing "the {{ upper }} block is on the {{ lower }} block." becomes the pattern "The ? block is on the ?
//! block." in the same way. What a sentence says is then looked up by its pattern. Two things with one pattern
//! cannot be told apart: [`Inverse::new`] reports them.

use racgen_data::row::ObjectName;
use racgen_logic::fault::{Fault, Faults};
use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use crate::domain::package::Package;
use crate::language::read::cuts::{PatternPart, cuts, parts};
use crate::language::read::name_index::{KnownNames, Masked, NameIndex, SlotMark};
use crate::language::read::phrasing_table::PhrasingTable;
use crate::language::read::sentence::{ParsedFiller, Says, Sentence, ToldSentence, Wording, term};
use crate::phrases::book::{PhraseBook, Phrasings, RelationPhrases};
use crate::phrases::pattern::{Pattern, PatternPlace};
use crate::phrases::phrasing::Phrasing;

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
    known: KnownNames,
    /// Sentences of initial states.
    pub state: PhrasingTable,
    /// Sentences of plans.
    pub actions: PhrasingTable,
    /// Clauses that an action takes place.
    clauses: PhrasingTable,
    /// Clauses that a fluent is true.
    statements: PhrasingTable,
    /// Clauses that a static fact is true.
    facts: PhrasingTable,
    /// Questions on their own.
    questions: PhrasingTable,
    /// Sentences of rules that depend on the world.
    pub rules: PhrasingTable,
    after_one: Vec<Vec<PatternPart>>,
    after_two: Vec<Vec<PatternPart>>,
    initially: Vec<Vec<PatternPart>>,
    changes: Vec<Vec<PatternPart>>,
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

/// Sentences as they stand inside others.
fn as_clauses(sentences: &Phrasings, clause: impl Fn(&Phrasing) -> Phrasing) -> Phrasings {
    Phrasings { line: sentences.line, list: sentences.list.iter().map(clause).collect() }
}

impl Inverse {
    /// Turns a package's phrase book round, and says which of its phrasings cannot be.
    pub fn new(package: &Package) -> (Inverse, Faults) {
        let kinds = package.types.iter().map(|t| t.name.clone()).collect();
        let mut faults = Faults::default();
        let mut inverse = Inverse::empty(kinds, &package.common);
        inverse.book(&package.book, &package.common, &mut faults);
        inverse.clashes(package, &mut faults);
        (inverse, faults)
    }

    /// Finds the names of these objects; those of unknown types are passed over. `signs`: may a minus sign belong to
    /// a name?
    pub fn names<'a>(&'a self, objects: &'a [ObjectName], signs: bool) -> NameIndex<'a> {
        NameIndex::new(&self.known, objects, signs)
    }

    fn empty(kinds: Vec<String>, common: &PhraseBook) -> Inverse {
        let mut persons: HashMap<char, Vec<String>> = HashMap::default();
        for person in &common.persons {
            person.chars().take(1).for_each(|c| persons.entry(c).or_default().push(person.clone()));
        }
        let changes = common.questions.iter().find(|q| q.pattern.functor == "changes");
        let turned = |phrasings: &Phrasings| phrasings.list.iter().map(parts).collect();
        Inverse {
            known: KnownNames { kinds, persons },
            state: PhrasingTable::default(),
            actions: PhrasingTable::default(),
            clauses: PhrasingTable::default(),
            statements: PhrasingTable::default(),
            facts: PhrasingTable::default(),
            questions: PhrasingTable::default(),
            rules: PhrasingTable::default(),
            after_one: turned(&common.after_one),
            after_two: turned(&common.after_two),
            initially: turned(&common.initially),
            changes: changes.map_or_else(Vec::new, |q| turned(&q.ask)),
        }
    }

    fn book(&mut self, book: &PhraseBook, common: &PhraseBook, faults: &mut Faults) {
        let kinds = self.known.kinds.clone();
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
        for kind in 0..kinds.len() {
            self.state.add(Says::LeftOut, &common.partly.left_out, &[Some(kind)], &mut fault);
        }
        self.state.add(Says::Pictured, &common.partly.pictured, &[], &mut fault);
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
                if fact {
                    // What two of them have in common is a fault already.
                    let clauses = as_clauses(&relation.each, Phrasing::inner_clause);
                    self.facts.add(Says::Each(told), &clauses, &slots, |_, _| ());
                }
                let state = &mut self.state;
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
        self.actions.add(Says::LeftOut, &common.partly.untold, &[], &mut fault);
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
        self.statements.add(
            Says::Fluent(entry),
            &as_clauses(&relation.each, Phrasing::clause),
            &slots,
            &mut *fault,
        );
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
        inverse.book(
            &shared,
            &PhraseBook { questions: Vec::new(), ..common.clone() },
            &mut Faults::default(),
        );
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
    fn clashes(&self, package: &Package, faults: &mut Faults) {
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

    /// The static fact that a clause on its own tells, where it tells one only.
    pub fn says_fact(&self, book: &PhraseBook, names: &NameIndex, text: &str) -> Option<Term> {
        let masked = names.mask(text);
        match self.facts.look_up(&masked, 0, masked.text.len()).as_slice() {
            [Sentence { says: Says::Each(told), slots, .. }] => {
                Some(term(&book.facts.get(told.entry)?.pattern, slots, names.objects))
            }
            _ => None,
        }
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
