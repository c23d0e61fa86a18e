//! Logic programs to ground programs and answer sets: the only module that names clingo.
//!
//! clingo 5.6 interns symbols with a race (potassco/clingo issue 641), so creating, adding to and grounding a
//! control happens behind one gate, a process-wide lock; solving happens outside it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use clingo::defaults::Non;
use clingo::{
    Assignment, Atom, ControlCtx, GenericControl, GenericSolveHandle, GroundProgramObserver, Id, Logger,
    Part, PropagateInit, Propagator, SolveMode, SolverLiteral, Symbol, SymbolType, TruthValue, Warning,
    WeightedLiteral,
};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rustc_hash::FxHashMap as HashMap;

use crate::ground::{GroundProgram, Literal};
use crate::term::Term;

/// One logic program text and the name its errors carry.
#[derive(Clone, Debug)]
pub struct Source {
    /// File name, as the user knows it.
    pub name: Arc<str>,
    /// clingo's input language.
    pub text: Arc<str>,
}

impl Source {
    /// A source from its name and text.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Source {
        Source { name: name.into(), text: text.into() }
    }
}

/// A logic program: its texts, the parts to ground besides `base`, and its constants.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The texts, in order.
    pub sources: Vec<Source>,
    /// Names of `#program` parts to ground with `base`.
    pub parts: Vec<String>,
    /// Constants (`#const name = value`).
    pub constants: Vec<(String, i64)>,
}

/// What went wrong in or before the solver.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// The program text is at fault. `place` is `file:line:column`, as far as clingo tells.
    #[error("{place}: {message}")]
    Program {
        /// `file:line:column`.
        place: String,
        /// clingo's words.
        message: String,
    },
    /// The ground program grew beyond what it may have.
    #[error("grounding was stopped: {0}")]
    Budget(String),
    /// A solver call took longer than allowed.
    #[error("the solver found no answer within {0:?}; raise --time-limit, or make the world smaller")]
    TimeLimit(Duration),
    /// clingo refused for a reason of its own.
    #[error("the solver failed: {0}")]
    Internal(String),
}

impl From<clingo::ClingoError> for SolverError {
    fn from(error: clingo::ClingoError) -> Self {
        SolverError::Internal(error.to_string())
    }
}

static GATE: Mutex<()> = Mutex::new(());

/// The lock around everything that interns symbols.
fn gate() -> MutexGuard<'static, ()> {
    GATE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Default)]
struct Messages(Vec<(Warning, String)>);

impl Logger for Messages {
    fn log(&mut self, code: Warning, message: &str) {
        self.0.push((code, message.to_owned()));
    }
}

/// A fact over numbers: its predicate, by its place in a list, and its arguments.
pub type NumberedFact = (usize, Box<[u32]>);

/// Collects the ground rules as clingo hands them to its solver.
#[derive(Default)]
struct Listener {
    rules: GroundProgram,
    /// Nobody wants the rules.
    deaf: bool,
    budget: Option<Budget>,
    /// Literals heard so far.
    literals: usize,
    /// What was too much.
    exceeded: Option<String>,
}

/// What a grounding may cost. It is stopped by the first rule beyond.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Ground rules.
    pub rules: usize,
    /// Literals of all ground rules.
    pub literals: usize,
    /// Time.
    pub time: Duration,
    /// When the time began.
    pub start: Instant,
}

impl Listener {
    /// Counts a rule; false ends the grounding.
    fn count(&mut self, literals: usize) -> bool {
        let Some(budget) = &self.budget else { return true };
        self.literals += literals;
        let rules = self.rules.rules.len();
        if rules > budget.rules {
            self.exceeded = Some(format!("more than {} ground rules", budget.rules));
        } else if self.literals > budget.literals {
            self.exceeded = Some(format!("more than {} literals in ground rules", budget.literals));
        } else if rules.is_multiple_of(256) && budget.start.elapsed() > budget.time {
            self.exceeded = Some(format!("more than {:.1?}", budget.time));
        }
        self.exceeded.is_none()
    }
}

fn literal(lit: SolverLiteral) -> Literal {
    Literal::from_signed(lit.get_integer())
}

fn atom(atom: Atom) -> u32 {
    SolverLiteral::from(atom).get_integer().unsigned_abs()
}

impl GroundProgramObserver for Listener {
    fn rule(&mut self, choice: bool, head: &[Atom], body: &[SolverLiteral]) -> bool {
        if self.deaf {
            return true;
        }
        self.rules.push_rule(choice, head.iter().map(|a| atom(*a)), body.iter().map(|l| literal(*l)));
        self.count(1 + body.len())
    }

    fn weight_rule(&mut self, choice: bool, head: &[Atom], bound: i32, body: &[WeightedLiteral]) -> bool {
        let length = body.len();
        let body = body.iter().map(|w| (literal(w.literal()), w.weight()));
        self.rules.push_weight_rule(choice, head.iter().map(|a| atom(*a)), bound, body);
        self.count(1 + length)
    }
}

/// clingo keeps pointers to logger and observer for as long as it owns the control: both outlive it.
struct Context<'a> {
    messages: &'a mut Messages,
    listener: &'a mut Listener,
    replace: bool,
    non: Box<Non>,
}

impl ControlCtx for Context<'_> {
    type L = Messages;
    type P = Non;
    type O = Listener;
    type F = Non;

    fn logger(&mut self) -> (&mut Messages, u32) {
        (self.messages, 100)
    }
    fn propagator(&mut self) -> (&mut Non, bool) {
        (&mut self.non, false)
    }
    fn observer(&mut self) -> (&mut Listener, bool) {
        (self.listener, self.replace)
    }
    fn function_handler(&mut self) -> &mut Non {
        &mut self.non
    }
}

/// Throws dice for clingo's decisions: which of the candidate atoms is decided next, and whether it is true.
/// clingo's own random heuristic prefers atoms that follow assigned ones; this one prefers none.
struct Dice {
    /// Set once the program is grounded.
    candidates: Arc<OnceLock<Vec<SolverLiteral>>>,
    /// The candidates as the solver knows them, in a new random order for each answer set.
    order: Vec<SolverLiteral>,
    rng: Option<ChaCha8Rng>,
    orders: Arc<Orders>,
}

/// What a search tells its dice.
#[derive(Default)]
struct Orders {
    /// When to give up.
    deadline: Mutex<Option<Instant>>,
    /// Leave the decisions to clingo for now.
    rest: AtomicBool,
    /// Draw a new order: the next answer set is sought.
    afresh: AtomicBool,
}

impl Orders {
    fn expired(&self) -> bool {
        let deadline = *self.deadline.lock().unwrap_or_else(PoisonError::into_inner);
        deadline.is_some_and(|deadline| Instant::now() > deadline)
    }
}

impl Propagator for Dice {
    fn init(&mut self, init: &mut PropagateInit) -> bool {
        let Some(rng) = self.rng.as_mut().filter(|_| !self.orders.rest.load(Ordering::Relaxed)) else {
            self.order.clear();
            return true;
        };
        let candidates = self.candidates.get().into_iter().flatten();
        self.order = candidates.filter_map(|l| init.solver_literal(*l).ok()).collect();
        self.order.shuffle(rng);
        true
    }

    fn decide(
        &mut self,
        _thread: Id,
        assignment: &Assignment,
        _fallback: SolverLiteral,
        decision: &mut SolverLiteral,
    ) -> bool {
        if self.orders.expired() {
            return false;
        }
        let Some(rng) = &mut self.rng else { return true };
        if self.orders.afresh.swap(false, Ordering::Relaxed) {
            self.order.shuffle(rng);
        }
        let free = |l: &&SolverLiteral| matches!(assignment.truth_value(**l), Ok(TruthValue::Free));
        if let Some(literal) = self.order.iter().find(free) {
            *decision = if rng.random_bool(0.5) { *literal } else { literal.negate() };
        }
        true
    }
}

/// What a control for searching is given; all that clingo points to stays in the box that the control keeps.
struct Player {
    messages: Box<Messages>,
    dice: Dice,
    observer: Non,
    functions: Non,
}

impl Player {
    fn new(rng: Option<ChaCha8Rng>) -> Player {
        let dice = Dice { candidates: Arc::default(), order: Vec::new(), rng, orders: Arc::default() };
        Player { messages: Box::default(), dice, observer: Non, functions: Non }
    }
}

impl ControlCtx for Player {
    type L = Messages;
    type P = Dice;
    type O = Non;
    type F = Non;

    fn logger(&mut self) -> (&mut Messages, u32) {
        (&mut self.messages, 100)
    }
    fn propagator(&mut self) -> (&mut Dice, bool) {
        (&mut self.dice, true)
    }
    fn observer(&mut self) -> (&mut Non, bool) {
        (&mut self.observer, false)
    }
    fn function_handler(&mut self) -> &mut Non {
        &mut self.functions
    }
}

/// Frees a control: the clingo crate frees none that something was registered with, unless it is handed over
/// to a new context first.
fn free<C: ControlCtx>(control: GenericControl<C>) {
    drop(control.register_control_context(Player::new(None)));
}

/// How clingo calls a text that it is handed.
const BLOCK: &str = "<block>:";
/// The lines that [`feed`] leaves between two texts.
const MARGIN: usize = 2;

/// Feeds a program to a control. Each text starts on a line of its own number range, so that a line number
/// alone tells the file.
fn feed<C: ControlCtx>(control: &mut GenericControl<C>, program: &Program) -> Result<(), SolverError> {
    let mut first_line = 0;
    for source in &program.sources {
        let padded = "\n".repeat(first_line) + &source.text + "\n#program base.\n";
        first_line += source.text.lines().count() + MARGIN;
        control.add("base", &[], &padded)?;
    }
    let parts = std::iter::once("base").chain(program.parts.iter().map(String::as_str));
    let parts = parts.map(|name| Part::new(name, vec![])).collect::<Result<Vec<_>, _>>()?;
    control.ground(&parts)?;
    Ok(())
}

impl Program {
    fn arguments(&self, extra: &[String]) -> Vec<String> {
        let constants = self.constants.iter().map(|(name, value)| format!("-c{name}={value}"));
        constants.chain(extra.iter().cloned()).collect()
    }

    /// Grounds the program and takes its rules over; nothing reaches clingo's solver.
    ///
    /// The atoms named are those whose predicate (`name/arity`) is in `shown`.
    ///
    /// # Errors
    /// Unsafe rules, syntax errors and undefined atoms, with file, line and column.
    pub fn ground(&self, shown: &[(&str, usize)]) -> Result<GroundProgram, SolverError> {
        self.ground_within(shown, None)
    }

    /// As [`Program::ground`], within a budget. Joins that yield no rule are not noticed while they run.
    ///
    /// # Errors
    /// [`SolverError::Budget`], besides those of [`Program::ground`].
    pub fn ground_within(
        &self,
        shown: &[(&str, usize)],
        budget: Option<Budget>,
    ) -> Result<GroundProgram, SolverError> {
        let mut listener = Listener { budget, ..Listener::default() };
        let (outcome, messages) = self.heard(&mut listener, |control| named_atoms(control, shown))?;
        if let Some(exceeded) = listener.exceeded {
            return Err(SolverError::Budget(exceeded));
        }
        if let Some(error) = self.explain(&messages.0) {
            return Err(error);
        }
        let mut rules = listener.rules;
        let named = outcome?.into_iter();
        rules.name_atoms(
            named.map(|(term, lit)| (term, lit.map(|l| l.get_integer().unsigned_abs()))).collect(),
        );
        Ok(rules)
    }

    /// Grounds the program with a listener, and reads from the control what is wanted: the outcome, and what
    /// clingo said.
    fn heard<T>(
        &self,
        listener: &mut Listener,
        read: impl FnOnce(&GenericControl<Context<'_>>) -> Result<T, SolverError>,
    ) -> Result<(Result<T, SolverError>, Messages), SolverError> {
        let mut messages = Messages::default();
        let _gate = gate();
        let context = Context { messages: &mut messages, listener, replace: true, non: Box::new(Non) };
        let mut control = clingo::control_with_context(self.arguments(&[]), context)?;
        let outcome = feed(&mut control, self).and_then(|()| read(&control));
        free(control);
        Ok((outcome, messages))
    }

    /// The ground atoms of a program that grounding alone decides, as one without choices, disjunctions and
    /// negation in loops: the predicate, by its place in `shown`, and the arguments, which must be numbers. Much faster
    /// than [`Program::ground`] where there are many.
    ///
    /// # Errors
    /// Those of [`Program::ground`], and [`SolverError::Internal`] for an atom that is no such fact.
    pub fn facts(&self, shown: &[(&str, usize)]) -> Result<Vec<NumberedFact>, SolverError> {
        let mut listener = Listener { deaf: true, ..Listener::default() };
        let (outcome, messages) = self.heard(&mut listener, |control| numbered_facts(control, shown))?;
        match self.explain(&messages.0) {
            Some(error) => Err(error),
            None => outcome,
        }
    }

    /// clingo's first complaint as an error with file, line and column: errors go before warnings.
    fn explain(&self, messages: &[(Warning, String)]) -> Option<SolverError> {
        let grave = |code: &Warning| matches!(code, Warning::RuntimeError);
        let told = |code: &Warning| {
            !matches!(code, Warning::OperationUndefined | Warning::FileIncluded | Warning::GlobalVariable)
        };
        let (_, text) = messages
            .iter()
            .find(|(code, _)| grave(code))
            .or_else(|| messages.iter().find(|(code, _)| told(code)))?;
        // `<block>:LINE:COLUMN-...: error: what`, then more lines, some of them with places of their own.
        let mut lines = text.trim().lines();
        let first = lines.next().unwrap_or_default();
        let Some((place, rest)) = first.strip_prefix(BLOCK).and_then(|t| self.place(t)) else {
            return Some(SolverError::Internal(text.trim().to_owned()));
        };
        let mut message = rest.trim_start_matches([':', ' ']).to_owned();
        for line in lines {
            let (place, rest) =
                line.strip_prefix(BLOCK).and_then(|t| self.place(t)).unwrap_or((String::new(), line));
            message = format!("{message} {place}{rest}");
        }
        let message = message.replace("[#inc_base];", "").replace("[#inc_base]", "");
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        let kinds = ["error: ", "info: ", "warning: "];
        let what = kinds.iter().find_map(|kind| message.strip_prefix(kind)).unwrap_or(&message);
        Some(SolverError::Program { place, message: what.to_owned() })
    }

    /// `LINE:COLUMN-...: rest`, with a line number as [`feed`] counts them, to `file:line:column` and the rest.
    fn place<'t>(&self, text: &'t str) -> Option<(String, &'t str)> {
        let (line, text) = text.split_once(':')?;
        let mut line = line.parse::<usize>().ok()?;
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (column, text) = text.split_at(digits);
        // The place may be a range, within a line (`1-5`) or across lines (`1-2:5`).
        let end = text.find(": ").unwrap_or(text.len());
        let rest = &text[end..];
        for source in &self.sources {
            let lines = source.text.lines().count();
            if line <= lines + MARGIN {
                // What follows the last line of a text shows that it ends too early.
                let line = line.clamp(1, lines.max(1));
                return Some((format!("{}:{line}:{column}", source.name), rest));
            }
            line -= lines + MARGIN;
        }
        None
    }

    /// Grounds the program for clingo's search.
    ///
    /// With a source of randomness each search finds a random answer set, by deciding the named atoms in random
    /// order; without one, clingo searches as it does.
    ///
    /// # Errors
    /// Those of [`Program::ground`].
    pub fn search(
        &self,
        shown: &[(&str, usize)],
        rng: Option<ChaCha8Rng>,
        limit: Duration,
    ) -> Result<Search, SolverError> {
        let mut arguments = vec!["0".to_owned()];
        if rng.is_some() {
            // After each answer set the dice are thrown anew from the start.
            arguments.extend(["--enum-mode=record".to_owned(), "--restart-on-model".to_owned()]);
        }
        let player = Player::new(rng);
        let candidates = player.dice.candidates.clone();
        let orders = player.dice.orders.clone();
        let gate = gate();
        let mut control = clingo::control_with_context(self.arguments(&arguments), player)?;
        let atoms = match feed(&mut control, self).and_then(|()| named_atoms(&control, shown)) {
            Ok(atoms) => atoms,
            Err(error) => {
                free(control);
                drop(gate);
                // This player does not listen to what clingo says about the program.
                return Err(self.ground(shown).err().unwrap_or(error));
            }
        };
        drop(gate);
        let _ = candidates.set(atoms.iter().filter_map(|(_, literal)| *literal).collect());
        let mut literals = Vec::new();
        for literal in atoms.iter().filter_map(|(_, literal)| *literal) {
            let number = literal.get_integer().unsigned_abs() as usize;
            literals.resize(literals.len().max(number + 1), None);
            literals[number] = Some(literal);
        }
        Ok(Search { state: SearchState::Waiting(control), atoms, literals: literals.into(), limit, orders })
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        if let Ok(control) = self.control() {
            free(control);
        }
    }
}

/// The named atoms of a grounding, predicate by predicate, each with its literal (none for a fact).
fn named_atoms<C: ControlCtx>(
    control: &GenericControl<C>,
    shown: &[(&str, usize)],
) -> Result<Vec<(Term, Option<SolverLiteral>)>, SolverError> {
    let mut terms = Terms::default();
    let mut atoms = Vec::new();
    for (name, arity) in shown {
        let signature = clingo::Signature::new(name, *arity as u32, true)?;
        for atom in control.symbolic_atoms()?.iter_with_signature(signature)? {
            let literal = if atom.is_fact()? { None } else { Some(atom.literal()?) };
            atoms.push((terms.of(atom.symbol()?)?, literal));
        }
    }
    Ok(atoms)
}

/// The facts of a grounding over numbers.
fn numbered_facts<C: ControlCtx>(
    control: &GenericControl<C>,
    shown: &[(&str, usize)],
) -> Result<Vec<NumberedFact>, SolverError> {
    let mut facts = Vec::new();
    for (place, (name, arity)) in shown.iter().enumerate() {
        let signature = clingo::Signature::new(name, *arity as u32, true)?;
        for atom in control.symbolic_atoms()?.iter_with_signature(signature)? {
            let symbol = atom.symbol()?;
            let number = |argument: Symbol| argument.number().ok().and_then(|n| u32::try_from(n).ok());
            let arguments: Option<Box<[u32]>> = symbol.arguments()?.into_iter().map(number).collect();
            match arguments.filter(|_| atom.is_fact().unwrap_or(false)) {
                Some(arguments) => facts.push((place, arguments)),
                None => return Err(SolverError::Internal(format!("`{symbol}` is no fact over numbers"))),
            }
        }
    }
    Ok(facts)
}

/// Turns symbols into terms; equal symbols become one shared term.
#[derive(Default)]
struct Terms {
    known: HashMap<Symbol, Term>,
    names: HashMap<*const u8, Arc<str>>,
}

impl Terms {
    fn of(&mut self, symbol: Symbol) -> Result<Term, SolverError> {
        if let Some(term) = self.known.get(&symbol) {
            return Ok(term.clone());
        }
        let odd = || SolverError::Internal(format!("`{symbol}` is no term that racgen can name"));
        let term = match symbol.symbol_type()? {
            SymbolType::Number => Term::Number(symbol.number()?),
            SymbolType::Function => {
                let name = symbol.name()?;
                if name.is_empty() || !symbol.is_positive()? {
                    return Err(odd());
                }
                let args =
                    symbol.arguments()?.into_iter().map(|arg| self.of(arg)).collect::<Result<_, _>>()?;
                // clingo keeps one copy of each name for good.
                Term::Function(self.names.entry(name.as_ptr()).or_insert_with(|| name.into()).clone(), args)
            }
            _ => return Err(odd()),
        };
        self.known.insert(symbol, term.clone());
        Ok(term)
    }
}

/// A grounded program and clingo's solver for it. Stays on its thread.
pub struct Search {
    state: SearchState,
    atoms: Vec<(Term, Option<SolverLiteral>)>,
    /// The literals of the named atoms, by the atoms' numbers.
    literals: Arc<[Option<SolverLiteral>]>,
    limit: Duration,
    orders: Arc<Orders>,
}

/// Which atoms are true in an answer set, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth(Vec<u64>);

impl Truth {
    /// Is the atom true?
    pub fn holds(&self, atom: u32) -> bool {
        self.0.get(atom as usize / 64).is_some_and(|word| word >> (atom % 64) & 1 == 1)
    }
}

/// A control waits, or searches for the next random answer set.
enum SearchState {
    Waiting(GenericControl<Player>),
    Drawing(GenericSolveHandle<Player, Non>),
    /// Between the two, or for good after clingo failed.
    Gone,
}

impl Search {
    /// Which named atoms are true, by their numbers, in up to `most` answer sets under the given truth values;
    /// facts are not listed.
    ///
    /// # Errors
    /// [`SolverError::TimeLimit`] if the search takes longer than the limit.
    pub fn truth(&mut self, assume: &[(u32, bool)], most: usize) -> Result<Vec<Truth>, SolverError> {
        let literals = self.literals.clone();
        let of_number = |atom: u32| literals.get(atom as usize).copied().flatten();
        let assume: Vec<SolverLiteral> = assume
            .iter()
            .filter_map(|(atom, value)| of_number(*atom).map(|l| if *value { l } else { l.negate() }))
            .collect();
        self.models(&assume, most, |model| {
            let mut truth = Truth(vec![0; literals.len().div_ceil(64)]);
            for (number, literal) in literals.iter().enumerate() {
                if let Some(literal) = literal
                    && model.is_true(*literal)?
                {
                    truth.0[number / 64] |= 1 << (number % 64);
                }
            }
            Ok(truth)
        })
    }

    fn models<T>(
        &mut self,
        assume: &[SolverLiteral],
        most: usize,
        read: impl Fn(&clingo::Model) -> Result<T, clingo::ClingoError>,
    ) -> Result<Vec<T>, SolverError> {
        let control = self.control()?;
        let set = |deadline| *self.orders.deadline.lock().unwrap_or_else(PoisonError::into_inner) = deadline;
        set(Instant::now().checked_add(self.limit));
        let mut handle = control.solve(SolveMode::YIELD, assume)?;
        let mut found = Vec::new();
        let mut outcome = Ok(());
        while found.len() < most {
            let next = handle.resume().and_then(|()| handle.model());
            match next {
                Ok(Some(model)) => found.push(read(model)?),
                Ok(None) => break,
                Err(_) if self.orders.expired() => {
                    outcome = Err(SolverError::TimeLimit(self.limit));
                    break;
                }
                Err(error) => {
                    outcome = Err(error.into());
                    break;
                }
            }
        }
        set(None);
        self.state = SearchState::Waiting(handle.close()?);
        outcome.map(|()| found)
    }

    /// The true named atoms of up to `most` answer sets, in clingo's own order.
    ///
    /// # Errors
    /// As [`Search::truth`].
    pub fn enumerate(&mut self, most: usize) -> Result<Vec<Vec<Term>>, SolverError> {
        let atoms = std::mem::take(&mut self.atoms);
        self.orders.rest.store(true, Ordering::Relaxed);
        let found = self.models(&[], most, |model| {
            let mut answer = Vec::new();
            for (term, literal) in &atoms {
                if literal.map_or(Ok(true), |l| model.is_true(l))? {
                    answer.push(term.clone());
                }
            }
            Ok(answer)
        });
        self.orders.rest.store(false, Ordering::Relaxed);
        self.atoms = atoms;
        found
    }

    /// The control, after any search has been ended.
    fn control(&mut self) -> Result<GenericControl<Player>, SolverError> {
        match std::mem::replace(&mut self.state, SearchState::Gone) {
            SearchState::Waiting(control) => Ok(control),
            SearchState::Drawing(handle) => Ok(handle.close()?),
            SearchState::Gone => Err(SolverError::Internal("an earlier call failed".into())),
        }
    }

    /// The named atoms, which [`Search::draw`] numbers.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        self.atoms.iter().map(|(term, _)| term)
    }

    /// The named atoms with the numbers that [`Search::truth`] knows them by; a fact has none.
    pub fn atoms(&self) -> impl Iterator<Item = (&Term, Option<u32>)> {
        let number = |literal: &SolverLiteral| literal.get_integer().unsigned_abs();
        self.atoms.iter().map(move |(term, literal)| (term, literal.as_ref().map(number)))
    }

    /// Draws the next random answer set: the numbers of its named atoms. None is drawn twice before all were.
    ///
    /// # Errors
    /// [`SolverError::TimeLimit`] if the search takes longer than the limit.
    pub fn draw(&mut self) -> Result<Option<Vec<usize>>, SolverError> {
        *self.orders.deadline.lock().unwrap_or_else(PoisonError::into_inner) =
            Instant::now().checked_add(self.limit);
        for fresh in [false, true] {
            if fresh || !matches!(self.state, SearchState::Drawing(_)) {
                let control = self.control()?;
                self.state = SearchState::Drawing(control.solve(SolveMode::YIELD, &[])?);
            }
            let SearchState::Drawing(handle) = &mut self.state else { break };
            self.orders.afresh.store(true, Ordering::Relaxed);
            let model = match handle.resume().and_then(|()| handle.model()) {
                Ok(Some(model)) => model,
                Ok(None) if fresh => break,
                Ok(None) => continue,
                Err(_) if self.orders.expired() => return Err(SolverError::TimeLimit(self.limit)),
                Err(error) => return Err(error.into()),
            };
            let mut found = Vec::new();
            for (number, (_, literal)) in self.atoms.iter().enumerate() {
                if literal.map_or(Ok(true), |l| model.is_true(l))? {
                    found.push(number);
                }
            }
            return Ok(Some(found));
        }
        Ok(None)
    }
}
