//! The terms of layouts to what the phrase book leaves unsaid of them, and to which of its entries are never used.

use std::collections::BTreeSet;

use racgen_logic::fault::{Fault, Faults};
use racgen_logic::term::Term;

use crate::check::places::{declaration, line_with, signature};
use crate::domain::package::Package;
use crate::language::words::lexicon::{Lexicon, QuestionForm};
use crate::phrases::book::PhraseBook;
use crate::phrases::pattern::Pattern;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// An entry of the phrase book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum BookEntry {
    Fact(usize),
    Fluent(usize),
    Action(usize),
    Question(usize),
}

/// All entries of a phrase book, with what they say, the pattern and the line.
fn entries(book: &PhraseBook) -> impl Iterator<Item = (BookEntry, &'static str, &Pattern, usize)> {
    let facts = book.facts.iter().enumerate().map(|(i, r)| (BookEntry::Fact(i), "fact", &r.pattern, r.line));
    let fluents =
        book.fluents.iter().enumerate().map(|(i, r)| (BookEntry::Fluent(i), "fluent", &r.pattern, r.line));
    let actions =
        book.actions.iter().enumerate().map(|(i, a)| (BookEntry::Action(i), "action", &a.pattern, a.line));
    let questions = book
        .questions
        .iter()
        .enumerate()
        .map(|(i, q)| (BookEntry::Question(i), "question", &q.pattern, q.line));
    facts.chain(fluents).chain(actions).chain(questions)
}

/// What was met of the static relations and of the phrase book in the layouts looked at.
pub(crate) struct BookCoverage<'p> {
    package: &'p Package,
    matched: BTreeSet<BookEntry>,
    shadowed: BTreeSet<BookEntry>,
    statics: BTreeSet<(String, usize)>,
}

impl<'p> BookCoverage<'p> {
    /// Nothing was met yet.
    pub(crate) fn new(package: &'p Package) -> BookCoverage<'p> {
        BookCoverage {
            package,
            matched: BTreeSet::new(),
            shadowed: BTreeSet::new(),
            statics: BTreeSet::new(),
        }
    }

    /// Notes which entry of the phrase book says a term, and which others would, were they first.
    fn meet<'a>(
        &mut self,
        term: &Term,
        patterns: impl Iterator<Item = &'a Pattern>,
        entry: fn(usize) -> BookEntry,
    ) -> bool {
        let mut fitting = patterns.enumerate().filter(|(_, p)| self.package.fits(p, term)).map(|(i, _)| i);
        let first = fitting.next();
        self.shadowed.extend(fitting.map(entry));
        self.matched.extend(first.map(entry));
        first.is_some()
    }

    /// Does the phrase book say everything there is?
    pub(crate) fn look(
        &mut self,
        engine: &TransitionSystem,
        lexicon: &Lexicon,
        statics: &[Term],
        faults: &mut Faults,
    ) {
        let package = self.package;
        let book = &package.book;
        for fluent in &engine.fluents {
            self.meet(fluent, book.fluents.iter().map(|r| &r.pattern), BookEntry::Fluent);
        }
        for action in &engine.actions {
            self.meet(action, book.actions.iter().map(|a| &a.pattern), BookEntry::Action);
        }
        self.facts(engine, statics, faults);
        self.unsaid(engine, lexicon, faults);
        self.questions(engine, lexicon, faults);
    }

    /// Is every static fact said?
    fn facts(&mut self, engine: &TransitionSystem, statics: &[Term], faults: &mut Faults) {
        let package = self.package;
        let book = &package.book;
        for fact in statics {
            self.statics.insert((fact.functor().to_owned(), fact.args().len()));
            let said = self.meet(fact, book.facts.iter().map(|r| &r.pattern), BookEntry::Fact);
            // A rules paragraph may tell static facts in its own way.
            if !said && package.rules.is_none() {
                let form = signature(package, engine, fact);
                faults.push_once(Fault::new(
                    &package.world.name,
                    line_with(&package.world, &[fact.functor()]),
                    format!("the static relation `{form}` has no phrasing: no text would tell it"),
                    format!("add `[fact.\"{form}\"]` with `each = [...]` to {}", book.file),
                ));
            }
        }
    }

    /// Is every fluent and action said?
    fn unsaid(&self, engine: &TransitionSystem, lexicon: &Lexicon, faults: &mut Faults) {
        let package = self.package;
        let book = &package.book;
        for (what, term) in lexicon.unsaid(engine) {
            let form = signature(package, engine, term);
            let lists = if what == "fluent" { "`each` and `ask`" } else { "`did`, `can` and `if`" };
            faults.push_once(Fault::new(
                &package.domain.name,
                declaration(&package.domain, what, term.functor()),
                format!("the {what} `{form}` has no phrasing"),
                format!("add `[{what}.\"{form}\"]` with {lists} to {}", book.file),
            ));
        }
    }

    /// Is every question family asked?
    fn questions(&mut self, engine: &TransitionSystem, lexicon: &Lexicon, faults: &mut Faults) {
        let package = self.package;
        let book = &package.book;
        for (index, question) in engine.questions.iter().enumerate() {
            match lexicon.form(index) {
                Some(QuestionForm::Own(_)) => {
                    let patterns = book.questions.iter().map(|q| &q.pattern);
                    self.meet(&question.term, patterns, BookEntry::Question);
                }
                Some(_) => {}
                None => {
                    let form = signature(package, engine, &question.term);
                    faults.push_once(Fault::new(
                        &package.questions.name,
                        line_with(&package.questions, &["ask(", question.term.functor()]),
                        format!("the question family `{form}` has no phrasing"),
                        format!("add `[question.\"{form}\"]` with `ask = [...]` to {}", book.file),
                    ));
                }
            }
        }
    }

    /// What the layouts looked at do not show to be right; others may.
    pub(crate) fn doubts(&self, faults: &mut Faults) {
        let package = self.package;
        for (name, arity) in &package.statics {
            if !self.statics.contains(&(name.clone(), *arity)) {
                let written = format!("\"{name}/{arity}\"");
                let line = package.head.text.lines().position(|l| l.contains(&written)).map_or(0, |l| l + 1);
                faults.push(Fault::new(
                    &package.head.name,
                    line,
                    format!("the static relation `{name}/{arity}` is derived by no rule of world.lp"),
                    "derive it in the part `layout` of world.lp, or strike it from `statics`",
                ));
            }
        }
        self.unused(faults);
    }

    /// Entries that say nothing of what was met.
    fn unused(&self, faults: &mut Faults) {
        let book = &self.package.book;
        for (entry, what, pattern, line) in entries(book) {
            if self.matched.contains(&entry) {
                continue;
            }
            let name = &pattern.functor;
            let (cause, remedy) = if self.shadowed.contains(&entry) {
                (
                    format!("an entry above says everything that the entry of `{name}` could say"),
                    "delete one of them, or put the narrower one first".to_owned(),
                )
            } else {
                let cause = format!("unknown {what}: the entry of `{name}` matches no {what} at any level");
                (cause, "correct its name, its number of places or their types, or delete it".to_owned())
            };
            faults.push(Fault::new(&book.file, line, cause, remedy));
        }
    }
}
