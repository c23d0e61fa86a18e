//! A loaded package to a report or its faults: grounds layouts of each level, tells stories in them, and looks at
//! every fluent, action and question that they have.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use racgen_logic::clingo::{Program, SolverError, Source};
use racgen_logic::fault::{Fault, Faults};
use racgen_logic::seed::stream;
use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;

use crate::domain::package::{Package, Range};
use crate::language::holdout::Holdout;
use crate::language::lexicon::{Lexicon, QuestionForm};
use crate::language::naming::Naming;
use crate::language::narrator::Narrator;
use crate::language::parser::Inverse;
use crate::language::verbalizer::Verbalizer;
use crate::simulate::error::SimulationError;
use crate::simulate::initial_states::{Few, Situations};
use crate::simulate::layout::Layout;
use crate::simulate::layout_cache::PreparedLayout;
use crate::simulate::story::{Simulator, Story, Timepoint};
use crate::simulate::trajectory::Sampling;
use crate::simulate::transition_system::{Kind, TransitionSystem};

/// Stories told in each layout.
const STORIES: usize = 3;
/// Actions of a story, where that many can be carried out.
const DEPTH: usize = 4;
/// Executable actions that are tried in each situation of a story.
const MOST_STEPS: usize = 24;
/// Draws of a story before a layout counts as one without stories.
const TRIES: usize = 200;

/// What a package without faults has to offer.
#[derive(Clone, Debug)]
pub struct CheckReport {
    /// The package.
    pub package: String,
    /// Its levels, lowest first.
    pub levels: Vec<LevelReport>,
    /// What need not be wrong but is worth knowing.
    pub notes: Vec<String>,
}

/// What the layouts of a level that were looked at have: the least and the most.
#[derive(Clone, Debug)]
pub struct LevelReport {
    /// The level.
    pub level: i32,
    /// Initial situations of a layout; none where they are too many to be counted.
    pub situations: (Option<usize>, Option<usize>),
    /// Fluents.
    pub fluents: (usize, usize),
    /// Actions.
    pub actions: (usize, usize),
    /// Questions.
    pub questions: (usize, usize),
    /// Question families.
    pub families: (usize, usize),
}

impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = |(low, high): (usize, usize)| {
            if low == high { low.to_string() } else { format!("{low}-{high}") }
        };
        writeln!(f, "{}: no faults", self.package)?;
        writeln!(
            f,
            "{:5} {:>12} {:>9} {:>9} {:>11} {:>9}",
            "level", "situations", "fluents", "actions", "questions", "families"
        )?;
        for level in &self.levels {
            let situations = match level.situations {
                (Some(low), Some(high)) => range((low, high)),
                (Some(low), None) => format!("{low}-many"),
                (None, _) => "many".to_owned(),
            };
            writeln!(
                f,
                "{:5} {situations:>12} {:>9} {:>9} {:>11} {:>9}",
                format!("N{}", level.level),
                range(level.fluents),
                range(level.actions),
                range(level.questions),
                range(level.families)
            )?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "note: {note}"))
    }
}

/// Checks a package thoroughly: at each level, the smallest, the largest and a random layout are grounded, and in
/// each of them stories are told, with clingo as judge of their steps and answers.
///
/// # Errors
/// The faults of the first layout that has any, with file, line and remedy; of what shows only over all levels,
/// such as a phrase that is never used, all faults.
pub fn check(package: &Package, limit: Duration) -> Result<CheckReport, Faults> {
    let mut survey = Survey::new(package);
    survey.faults.extend(level_faults(package));
    survey.faults.extend(Inverse::new(package).1);
    let mut report = CheckReport { package: package.name.clone(), levels: Vec::new(), notes: Vec::new() };
    for (level, ranges) in &package.levels {
        for (number, fixed) in corners(ranges).iter().enumerate() {
            let words = ["check", &package.name, &level.to_string(), &number.to_string()];
            let mut rng = stream(0, &words);
            match survey.visit(*level, fixed, limit, &mut rng) {
                Ok(visit) => report.add(*level, visit),
                Err(found) => survey.faults.extend(found),
            }
            // What is wrong here is wrong in larger layouts, too: once is enough.
            if !survey.faults.is_empty() {
                return Err(distinct(survey.faults));
            }
        }
    }
    let doubts = survey.doubts();
    if doubts.is_empty() { Ok(report) } else { Err(distinct(doubts)) }
}

/// The part of [`check`] that is done before data are made: grounds the smallest layout of the lowest level, and
/// larger ones only where something has to be explained by them.
///
/// # Errors
/// Faults, as those of [`check`].
pub fn check_quick(package: &Package, limit: Duration) -> Result<(), Faults> {
    let mut survey = Survey::new(package);
    survey.faults.extend(level_faults(package));
    survey.faults.extend(Inverse::new(package).1);
    let lowest = package.levels.iter().next().map(|(level, ranges)| (*level, corners(ranges).swap_remove(0)));
    let larger = package.levels.iter().rev().map(|(level, ranges)| {
        (*level, ranges.iter().map(|(name, (_, high))| (name.clone(), *high)).collect())
    });
    for (level, fixed) in lowest.into_iter().chain(larger) {
        let mut rng = stream(0, &["check", &package.name, &level.to_string()]);
        survey.ground(level, &fixed, limit, &mut rng)?;
        if !survey.faults.is_empty() {
            return Err(distinct(survey.faults));
        }
        if survey.doubts().is_empty() {
            return Ok(());
        }
    }
    Err(distinct(survey.doubts()))
}

fn distinct(faults: Vec<Fault>) -> Faults {
    let mut found = Faults::default();
    faults.into_iter().for_each(|fault| found.push_once(fault));
    found
}

/// The parameters of the smallest layout of a level, of the largest, and none, which leaves them to chance.
fn corners(ranges: &BTreeMap<String, Range>) -> Vec<BTreeMap<String, i64>> {
    let low = ranges.iter().map(|(name, (low, _))| (name.clone(), *low)).collect();
    let high = ranges.iter().map(|(name, (_, high))| (name.clone(), *high)).collect();
    if low == high { vec![low] } else { vec![low, high, BTreeMap::new()] }
}

/// Levels that lack a parameter of another level: to clingo it would be a mere name there.
fn level_faults(package: &Package) -> Vec<Fault> {
    let mut faults = Vec::new();
    let names: BTreeSet<&String> = package.levels.values().flat_map(BTreeMap::keys).collect();
    for (level, ranges) in &package.levels {
        for name in names.iter().filter(|name| !ranges.contains_key(**name)) {
            let line =
                |start: &str| package.head.text.lines().position(|l| l.trim_start().starts_with(start));
            let line = line(&format!("N{level}")).or_else(|| line(&format!("[levels.N{level}]")));
            faults.push(Fault::new(
                &package.head.name,
                line.map_or(0, |l| l + 1),
                format!("level N{level} lacks the parameter `{name}` that other levels have"),
                "add it: each level gives every parameter a value",
            ));
        }
    }
    faults
}

/// An entry of the phrase book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum BookEntry {
    Fact(usize),
    Fluent(usize),
    Action(usize),
    Question(usize),
}

/// Questions of one functor, kind and form.
struct Family {
    example: Term,
    /// Is there any answer but the one to fall back on?
    answered: bool,
}

/// What a visit to a layout found.
struct Visit {
    situations: Option<usize>,
    fluents: usize,
    actions: usize,
    questions: usize,
    families: usize,
    notes: Vec<String>,
}

impl CheckReport {
    fn add(&mut self, level: i32, visit: Visit) {
        for note in visit.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        let counts = [visit.fluents, visit.actions, visit.questions, visit.families];
        if self.levels.last().is_none_or(|last| last.level != level) {
            let [fluents, actions, questions, families] = counts.map(|n| (n, n));
            let situations = (visit.situations, visit.situations);
            self.levels.push(LevelReport { level, situations, fluents, actions, questions, families });
        }
        let Some(last) = self.levels.last_mut() else { return };
        let ranges = [&mut last.fluents, &mut last.actions, &mut last.questions, &mut last.families];
        for (range, count) in ranges.into_iter().zip(counts) {
            *range = (range.0.min(count), range.1.max(count));
        }
        // A number that is not known is larger than any that is.
        let (low, high) = last.situations;
        last.situations = (
            low.into_iter().chain(visit.situations).min(),
            high.zip(visit.situations).map(|(high, now)| high.max(now)),
        );
    }
}

/// What was met of a package in the layouts looked at.
struct Survey<'p> {
    package: &'p Package,
    faults: Vec<Fault>,
    matched: BTreeSet<BookEntry>,
    shadowed: BTreeSet<BookEntry>,
    families: BTreeMap<(String, Kind, Option<QuestionForm>), Family>,
    statics: BTreeSet<(String, usize)>,
}

impl<'p> Survey<'p> {
    fn new(package: &'p Package) -> Survey<'p> {
        Survey {
            package,
            faults: Vec::new(),
            matched: BTreeSet::new(),
            shadowed: BTreeSet::new(),
            families: BTreeMap::new(),
            statics: BTreeSet::new(),
        }
    }

    /// Grounds a layout and everything that belongs to it, and looks at its vocabulary. Errors are what keeps
    /// the layout from being grounded.
    fn ground(
        &mut self,
        level: i32,
        fixed: &BTreeMap<String, i64>,
        limit: Duration,
        rng: &mut ChaCha8Rng,
    ) -> Result<(Layout, TransitionSystem, Arc<Lexicon>), Vec<Fault>> {
        let package = self.package;
        let world = |error| vec![simulation_fault(package, level, error)];
        let solver = |error| solver_fault(package, error);
        let bare = Layout::bare(package, level, fixed, rng).map_err(world)?;
        let mut possible = Vec::new();
        if !package.statics.is_empty() {
            let shown: Vec<(&str, usize)> = package.statics.iter().map(|(n, a)| (n.as_str(), *a)).collect();
            let ground = alone(bare.layout_program(package), package, "layout").ground(&shown);
            possible.extend(ground.map_err(|e| vec![solver(e)])?.named.into_iter().map(|(term, _)| term));
        }
        let layout = bare.furnish(package, rng, limit).map_err(world)?;
        let situation =
            alone(layout.situation_program(package), package, "situation").ground(&[("holds", 2)]);
        let engine = TransitionSystem::new(layout.step_program(package), limit);
        let (_, engine) = match (situation, engine) {
            (Ok(situation), Ok(engine)) => (situation, engine),
            (situation, engine) => {
                return Err(situation.err().into_iter().chain(engine.err()).map(solver).collect());
            }
        };
        let lexicon = Arc::new(Lexicon::new(package, &layout, &engine));
        for (what, none) in [("fluents", engine.fluents.is_empty()), ("actions", engine.actions.is_empty())] {
            if none {
                self.faults.push(Fault::new(
                    &package.domain.name,
                    0,
                    format!("there are no {what} at level N{level}"),
                    "correct the rules, or the level's numbers of objects",
                ));
            }
        }
        self.phrasings(&engine, &lexicon, &possible);
        self.answers(&layout, &engine, &lexicon);
        Ok((layout, engine, lexicon))
    }

    /// Notes which entry of the phrase book says a term, and which others would, were they first.
    fn meet<'a>(
        &mut self,
        term: &Term,
        patterns: impl Iterator<Item = &'a crate::phrases::pattern::Pattern>,
        entry: fn(usize) -> BookEntry,
    ) -> bool {
        let mut fitting = patterns.enumerate().filter(|(_, p)| self.package.fits(p, term)).map(|(i, _)| i);
        let first = fitting.next();
        self.shadowed.extend(fitting.map(entry));
        self.matched.extend(first.map(entry));
        first.is_some()
    }

    /// Does the phrase book say everything there is?
    fn phrasings(&mut self, engine: &TransitionSystem, lexicon: &Lexicon, statics: &[Term]) {
        let package = self.package;
        let book = &package.book;
        for fluent in &engine.fluents {
            self.meet(fluent, book.fluents.iter().map(|r| &r.pattern), BookEntry::Fluent);
        }
        for action in &engine.actions {
            self.meet(action, book.actions.iter().map(|a| &a.pattern), BookEntry::Action);
        }
        for fact in statics {
            self.statics.insert((fact.functor().to_owned(), fact.args().len()));
            let said = self.meet(fact, book.facts.iter().map(|r| &r.pattern), BookEntry::Fact);
            // A rules paragraph may tell static facts in its own way.
            if !said && package.rules.is_none() {
                let form = signature(package, engine, fact);
                self.fault_once(Fault::new(
                    &package.world.name,
                    line_with(&package.world, &[fact.functor()]),
                    format!("the static relation `{form}` has no phrasing: no text would tell it"),
                    format!("add `[fact.\"{form}\"]` with `each = [...]` to {}", book.file),
                ));
            }
        }
        for (what, term) in lexicon.unsaid(engine) {
            let form = signature(package, engine, term);
            let lists = if what == "fluent" { "`each` and `ask`" } else { "`did`, `can` and `if`" };
            self.fault_once(Fault::new(
                &package.domain.name,
                declaration(&package.domain, what, term.functor()),
                format!("the {what} `{form}` has no phrasing"),
                format!("add `[{what}.\"{form}\"]` with {lists} to {}", book.file),
            ));
        }
        for (index, question) in engine.questions.iter().enumerate() {
            match lexicon.form(index) {
                Some(QuestionForm::Own(_)) => {
                    let patterns = book.questions.iter().map(|q| &q.pattern);
                    self.meet(&question.term, patterns, BookEntry::Question);
                }
                Some(_) => {}
                None => {
                    let form = signature(package, engine, &question.term);
                    self.fault_once(Fault::new(
                        &package.questions.name,
                        line_with(&package.questions, &["ask(", question.term.functor()]),
                        format!("the question family `{form}` has no phrasing"),
                        format!("add `[question.\"{form}\"]` with `ask = [...]` to {}", book.file),
                    ));
                }
            }
        }
    }

    /// Has every question family answers, and of the kind it asks for?
    fn answers(&mut self, layout: &Layout, engine: &TransitionSystem, lexicon: &Lexicon) {
        for (index, question) in engine.questions.iter().enumerate() {
            let possible = engine.answers[question.answers.clone()].iter().map(|a| &a.answer);
            let key = (question.term.functor().to_owned(), question.kind, lexicon.form(index));
            let answered = possible.clone().any(|answer| match question.kind {
                Kind::Verify => answer.is("yes", 0),
                Kind::Count => *answer != Term::Number(0),
                Kind::Other => !answer.is("none", 0),
            });
            let family = self
                .families
                .entry(key)
                .or_insert_with(|| Family { example: question.term.clone(), answered: false });
            family.answered |= answered;
            for answer in possible {
                let (right, wanted) = match question.kind {
                    Kind::Verify => (answer.is("yes", 0) || answer.is("no", 0), "yes or no"),
                    Kind::Count => (matches!(answer, Term::Number(_)), "a number"),
                    Kind::Other => (self.speakable(layout, answer), "an object or a constant of [constants]"),
                };
                if !right {
                    let functor = question.term.functor();
                    let form = signature(self.package, engine, &question.term);
                    let remedy = match (question.kind, answer.args().is_empty()) {
                        (Kind::Other, true) => {
                            format!("name `{answer}` under [constants] of {}", self.package.head.name)
                        }
                        (Kind::Other, false) => format!(
                            "derive objects, or say how `{}` is written under [terms] of {}",
                            answer.functor(),
                            self.package.book.file
                        ),
                        _ => "correct the kind in its `ask` rule, or the answer".to_owned(),
                    };
                    let kind = question.kind.name();
                    let answer = if answer.args().is_empty() {
                        answer.to_string()
                    } else {
                        answer.functor().to_owned()
                    };
                    let place = self.question_line(functor, lexicon.form(index));
                    self.fault_once(Fault {
                        place,
                        cause: format!(
                            "the {kind} question family `{form}` has the answer `{answer}`, which is not {wanted}"
                        ),
                        remedy,
                    });
                }
            }
        }
    }

    /// Can a text name the answer?
    fn speakable(&self, layout: &Layout, answer: &Term) -> bool {
        match answer {
            Term::Number(_) => true,
            Term::Function(name, args) if args.is_empty() => {
                answer.is("none", 0)
                    || self.package.constants.contains_key(&**name)
                    || layout.objects.iter().any(|o| o.id == *name)
            }
            Term::Function(name, args) => {
                let said = |(pattern, _): &(crate::phrases::pattern::Pattern, _)| {
                    pattern.functor == **name && pattern.places.len() == args.len()
                };
                self.package.book.terms.iter().any(said) && args.iter().all(|a| self.speakable(layout, a))
            }
        }
    }

    fn fault_once(&mut self, fault: Fault) {
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// Where a question family is defined: in questions.lp, or else in the phrase book.
    fn question_line(&self, functor: &str, voice: Option<QuestionForm>) -> String {
        let package = self.package;
        let book = &package.book;
        let in_program =
            ["answer(", "member(", "ask("].map(|head| line_with(&package.questions, &[head, functor]));
        if let Some(line) = in_program.into_iter().find(|line| *line > 0) {
            return format!("{}:{line}", package.questions.name);
        }
        let line = match voice {
            Some(
                QuestionForm::Ask(e)
                | QuestionForm::Which(e, _)
                | QuestionForm::Count(e, _)
                | QuestionForm::Changes(e),
            ) => book.fluents[e].line,
            Some(QuestionForm::Can(e)) => book.actions[e].line,
            Some(QuestionForm::Own(e)) => book.questions[e].line,
            Some(QuestionForm::Common(_)) | None => return package.questions.name.to_string(),
        };
        format!("{}:{line}", book.file)
    }

    /// Grounds a layout and tells stories in it.
    fn visit(
        &mut self,
        level: i32,
        fixed: &BTreeMap<String, i64>,
        limit: Duration,
        rng: &mut ChaCha8Rng,
    ) -> Result<Visit, Vec<Fault>> {
        let package = self.package;
        let (layout, engine, lexicon) = self.ground(level, fixed, limit, rng)?;
        let fault = |error| vec![simulation_fault(package, level, error)];
        let few = Few::of(package, &layout, &engine, limit).map_err(fault)?;
        let situations = Situations::new(package, &layout, few.map(Arc::new), limit, rng);
        let compiled = engine.compiled().clone();
        let prepared = Arc::new(PreparedLayout { layout, compiled, situations });
        let mut stage = Simulator::of(package, prepared, Sampling::Walk, limit);
        let functors: BTreeSet<&str> = stage.engine.questions.iter().map(|q| q.term.functor()).collect();
        let mut visit = Visit {
            situations: stage.situations(),
            fluents: stage.engine.fluents.len(),
            actions: stage.engine.actions.len(),
            questions: stage.engine.questions.len(),
            families: functors.len(),
            notes: Vec::new(),
        };
        let mut depth = DEPTH;
        for _ in 0..STORIES {
            let story = loop {
                match stage.tell(depth, false, |_| true, TRIES, rng) {
                    Err(SimulationError::NoPlan { .. }) if depth > 0 => depth -= 1,
                    told => break told.map_err(fault)?,
                }
            };
            let Some(story) = story else { break };
            self.transitions(level, &mut stage, &story)?;
            self.sheets(&stage, &story, &lexicon);
            stage.judge(&story).map_err(fault)?;
            let naming = Naming::draw(package, stage.layout(), Holdout::NONE, |_| true, rng);
            let teller = Verbalizer {
                package,
                layout: stage.layout(),
                engine: &stage.engine,
                lexicon: &lexicon,
                naming: &naming,
                holdout: Holdout::NONE,
            };
            teller
                .paragraphs(&story, crate::language::paragraphs::Disorder::default(), rng)
                .map_err(|fault| vec![fault])?;
        }
        if depth < DEPTH {
            visit.notes.push(format!(
                "no plan of more than {depth} actions was found in a layout of level N{level}: its situations \
                 come to an end"
            ));
        }
        Ok(visit)
    }

    /// Has each executable action exactly one successor?
    fn transitions(&mut self, level: i32, stage: &mut Simulator, story: &Story) -> Result<(), Vec<Fault>> {
        let package = self.package;
        let fault = |error| vec![simulation_fault(package, level, error)];
        for situation in std::iter::once(&story.initial).chain(&story.passed) {
            let here = stage.engine.consider(situation, None).map_err(fault)?;
            let executable = here.map(|(outcome, _)| outcome.executable).unwrap_or_default();
            let stride = executable.len().div_ceil(MOST_STEPS).max(1);
            for action in executable.into_iter().step_by(stride) {
                if stage.engine.step(situation, action).map_err(fault)?.is_none() {
                    let term = &stage.engine.actions[action];
                    self.fault_once(Fault::new(
                        &package.domain.name,
                        declaration(&package.domain, "executable", term.functor()),
                        format!(
                            "the action `{}` can be executable and yet have no successor: its effects \
                             contradict each other, or a law",
                            signature(package, &stage.engine, term)
                        ),
                        "add the missing condition to its `executable` rule, or correct its effects",
                    ));
                }
            }
        }
        Ok(())
    }

    /// Has each question that is asked exactly one answer?
    fn sheets(&mut self, stage: &Simulator, story: &Story, lexicon: &Lexicon) {
        let engine = &stage.engine;
        for scene in Timepoint::ALL {
            let Some((sheet, _)) = story.sheet(scene) else { continue };
            for (index, question) in engine.questions.iter().enumerate() {
                let answers: Vec<&Term> = question
                    .answers
                    .clone()
                    .filter(|a| sheet.contains(*a))
                    .map(|a| &engine.answers[a].answer)
                    .collect();
                let number = |t: &Term| matches!(t, Term::Number(n) if *n >= 0);
                let sound = match (question.kind, answers.as_slice()) {
                    (_, [] | [_]) if question.kind != Kind::Count => true,
                    (Kind::Count, []) => true,
                    (Kind::Count, [only]) => number(only),
                    (Kind::Other, several) => !several.iter().any(|a| a.is("none", 0)),
                    _ => false,
                };
                if sound {
                    continue;
                }
                let kind = question.kind.name();
                let list: Vec<String> = answers.iter().map(|a| format!("`{a}`")).collect();
                let wanted = match question.kind {
                    Kind::Verify => "yes or no",
                    Kind::Count => "one number, not below 0",
                    Kind::Other => "objects, or else none",
                };
                let form = signature(self.package, engine, &question.term);
                let place = self.question_line(question.term.functor(), lexicon.form(index));
                if self
                    .faults
                    .iter()
                    .any(|f| f.place == place && f.cause.contains(&format!("family `{form}`")))
                {
                    continue;
                }
                self.faults.push(Fault {
                    place,
                    cause: format!(
                        "ambiguous answer: the {kind} question `{}` of the family `{form}` has the answers {}",
                        question.term,
                        list.join(", ")
                    ),
                    remedy: format!("correct its rules so that in each situation the answer is {wanted}"),
                });
            }
        }
    }

    /// What the layouts looked at do not show to be right; others may.
    fn doubts(&self) -> Vec<Fault> {
        let package = self.package;
        let book = &package.book;
        let mut faults = Vec::new();
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
        let facts =
            book.facts.iter().enumerate().map(|(i, r)| (BookEntry::Fact(i), "fact", &r.pattern, r.line));
        let fluents = book
            .fluents
            .iter()
            .enumerate()
            .map(|(i, r)| (BookEntry::Fluent(i), "fluent", &r.pattern, r.line));
        let actions = book
            .actions
            .iter()
            .enumerate()
            .map(|(i, a)| (BookEntry::Action(i), "action", &a.pattern, a.line));
        let questions = book
            .questions
            .iter()
            .enumerate()
            .map(|(i, q)| (BookEntry::Question(i), "question", &q.pattern, q.line));
        for (entry, what, pattern, line) in facts.chain(fluents).chain(actions).chain(questions) {
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
        for ((functor, kind, voice), family) in &self.families {
            if family.answered {
                continue;
            }
            let example = &family.example;
            let fault = match voice {
                Some(QuestionForm::Changes(_) | QuestionForm::Common(_)) => continue,
                Some(QuestionForm::Can(entry)) => {
                    let name = &book.actions[*entry].pattern.functor;
                    Fault::new(
                        &package.domain.name,
                        declaration(&package.domain, "action", name),
                        format!("no rule ever makes the action `{name}` executable"),
                        format!("derive `executable({name}(...),T)` in domain.lp"),
                    )
                }
                Some(
                    QuestionForm::Ask(entry) | QuestionForm::Which(entry, _) | QuestionForm::Count(entry, _),
                ) => {
                    let name = &book.fluents[*entry].pattern.functor;
                    Fault::new(
                        &package.domain.name,
                        declaration(&package.domain, "fluent", name),
                        format!("no rule ever makes the fluent `{name}` true"),
                        format!("derive `holds({name}(...),T)` by a static law in domain.lp"),
                    )
                }
                Some(QuestionForm::Own(_)) | None => Fault::new(
                    &package.questions.name,
                    line_with(&package.questions, &["ask(", functor]),
                    format!(
                        "the {} question family `{functor}` has no answer rule: nothing ever answers `{example}`",
                        kind.name()
                    ),
                    match kind {
                        Kind::Verify => format!("derive `answer({example},yes)` where the answer is yes"),
                        _ => format!("derive `member({example},X)` for each X that belongs to the answer"),
                    },
                ),
            };
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        }
        faults
    }
}

/// A program with all parts of world.lp but one left blank, so that clingo misses nothing from another program
/// in them.
fn alone(mut program: Program, package: &Package, part: &str) -> Program {
    for source in program.sources.iter_mut().filter(|s| s.name == package.world.name) {
        let mut current = "base".to_owned();
        let lines = source.text.lines().map(|line| {
            if let Some(rest) = line.trim_start().strip_prefix("#program") {
                current =
                    rest.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            }
            if current == part || current == "base" { line } else { "" }
        });
        let text = lines.collect::<Vec<_>>().join("\n");
        *source = Source::new(source.name.clone(), text);
    }
    program
}

/// The first line of a program, comments aside, that holds all of the words; 0 if there is none.
fn line_with(source: &Source, words: &[&str]) -> usize {
    let whole = |line: &str, word: &str| {
        let inner = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        line.match_indices(word).any(|(at, _)| {
            let before = inner(line[..at].chars().next_back());
            let after = !word.ends_with('(') && inner(line[at + word.len()..].chars().next());
            !before && !after
        })
    };
    let found = source.text.lines().position(|line| {
        let rule = line.split('%').next().unwrap_or_default();
        words.iter().all(|word| whole(rule, word))
    });
    found.map_or(0, |line| line + 1)
}

/// Where a fluent or action is declared.
fn declaration(domain: &Source, what: &str, functor: &str) -> usize {
    let heads = [format!("{what}("), "defined(".to_owned()];
    let lines = heads.iter().map(|head| line_with(domain, &[head, functor]));
    lines.into_iter().find(|line| *line > 0).unwrap_or_else(|| line_with(domain, &[functor]))
}

/// The pattern that a phrase book would have for a term: `on(first: block, second: block)`.
fn signature(package: &Package, engine: &TransitionSystem, term: &Term) -> String {
    const NAMES: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];
    let kinds = package.kinds();
    let kind = |term: &Term| -> String {
        match term {
            Term::Number(_) => "number".to_owned(),
            Term::Function(name, args) if args.is_empty() => {
                package.kind_of(name).map_or_else(|| name.to_string(), |k| kinds[k].to_owned())
            }
            _ if engine.actions.binary_search(term).is_ok() => "action".to_owned(),
            _ if engine.fluents.binary_search(term).is_ok() => "fluent".to_owned(),
            _ => term.functor().to_owned(),
        }
    };
    if term.args().is_empty() {
        return kind(term);
    }
    let places: Vec<String> = term.args().iter().map(kind).collect();
    let named = places.iter().enumerate().map(|(number, place)| {
        let slot =
            places.iter().filter(|p| *p == place).count() > 1 && !package.constants.contains_key(place);
        match NAMES.get(number).filter(|_| slot) {
            Some(name) => format!("{name}: {place}"),
            None => place.clone(),
        }
    });
    format!("{}({})", term.functor(), named.collect::<Vec<_>>().join(", "))
}

/// clingo's words with a remedy.
fn solver_fault(package: &Package, error: SolverError) -> Fault {
    match error {
        SolverError::Program { place, message } => {
            // A program of racgen's own can only miss what the package should derive.
            let own = place.starts_with("asp/") || place.starts_with("the layout");
            let place = match place.split_once(" (questions that follow from it)") {
                Some((file, _)) => file.to_owned(),
                None if own => package.domain.name.to_string(),
                None => place,
            };
            if let Some(atom) = message.strip_prefix("atom does not occur in any rule head:") {
                let cause = format!("unknown predicate: no rule derives `{}`", atom.trim());
                let remedy = "correct its name, derive it, or declare with `#defined name/arity.` that it may be empty";
                return Fault { place, cause, remedy: remedy.into() };
            }
            if let Some((family, _)) = message.split_once(" asks for kind ") {
                let functor = family.trim_start_matches(['`', '(']).strip_prefix("ask(").unwrap_or(family);
                let functor = functor.split(['(', ',', ')']).next().unwrap_or_default();
                let line = line_with(&package.questions, &["ask(", functor]);
                return Fault::new(&package.questions.name, line, message, "correct the kind");
            }
            if let Some((rule, names)) = unsafe_rule(&message) {
                let cause = format!("unsafe rule `{rule}`: nothing in its body says what {names} may be");
                let remedy = "let each variable stand in a positive literal of the body";
                return Fault { place, cause, remedy: remedy.into() };
            }
            let remedy = if message.starts_with("syntax error") || message.starts_with("lexer error") {
                "correct the rule; each one ends with a full stop"
            } else {
                "correct the rule"
            };
            Fault { place, cause: message, remedy: remedy.into() }
        }
        SolverError::TimeLimit(limit) => Fault::new(
            &package.origin,
            0,
            format!("the solver found no answer within {limit:?}"),
            "raise the time limit, or make the worlds of the level smaller",
        ),
        SolverError::Budget(cause) | SolverError::Internal(cause) => Fault::new(
            &package.origin,
            0,
            cause,
            "fluents, actions, questions and answers are constants, functions and numbers; see domains/README.md",
        ),
    }
}

/// The rule that clingo calls unsafe, and its unsafe variables: `unsafe variables in: p(X):-q. a.lp:1:3: note: 'X'
/// is unsafe`.
fn unsafe_rule(message: &str) -> Option<(&str, String)> {
    let rest = message.strip_prefix("unsafe variables in:")?;
    let (rule, notes) = rest.split_once(". ").unwrap_or((rest, ""));
    let names = notes.split('\'').skip(1).step_by(2).map(|name| format!("`{name}`"));
    Some((rule.trim(), names.collect::<Vec<_>>().join(", ")))
}

/// What stopped a simulation, as a fault of the package.
fn simulation_fault(package: &Package, level: i32, error: SimulationError) -> Fault {
    let constraints = |part: &str, cause: String| {
        let line = line_with(&package.world, &["program", part]);
        let remedy = "correct the constraints, or the level's parameters in domain.toml";
        Fault::new(&package.world.name, line, cause, remedy)
    };
    match error {
        SimulationError::Solver(error) => solver_fault(package, error),
        SimulationError::NoLayout { parameters, .. } => {
            constraints("layout", format!("level N{level} has no layout with {parameters}"))
        }
        SimulationError::NoSituation { parameters, .. } => {
            constraints("situation", format!("level N{level} has no initial situation with {parameters}"))
        }
        SimulationError::Unknown(cause) => {
            Fault::new(&package.head.name, 0, cause, "correct the level's parameters")
        }
        SimulationError::Nondeterministic { action } => outcomes_fault(package, &action),
        error @ SimulationError::Disagreement { .. } => {
            Fault::new(&package.origin, 0, error.to_string(), "the package may be at fault or racgen")
        }
        error @ (SimulationError::NoPlan { .. }
        | SimulationError::TooManyPlans { .. }
        | SimulationError::Term { .. }
        | SimulationError::Mismatch { .. }) => {
            Fault::new(&package.origin, 0, error.to_string(), "correct domain.lp or the level")
        }
    }
}

/// An action, or the situation without one, has several outcomes.
fn outcomes_fault(package: &Package, action: &str) -> Fault {
    let name = action.trim_matches('`').split('(').next().unwrap_or_default();
    if action == "no action" {
        return Fault::new(
            &package.questions.name,
            0,
            "a situation has several sets of answers, as its rules or those of domain.lp leave a choice",
            "take the choice out: `{ ... }`, or two predicates that negate each other",
        );
    }
    Fault::new(
        &package.domain.name,
        line_with(&package.domain, &["occ(", name]),
        format!("the action `{action}` has several outcomes in one situation"),
        "correct its effects: each executable action has exactly one successor",
    )
}
