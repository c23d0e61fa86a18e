//! A layout's logic program to its transitions and answers: ground once, ask often.
//!
//! The one-step program and the question layer are grounded once, with the situation at time 0 left open. A
//! native evaluator then settles situations, successors and answers; clingo solves the same program under the
//! same assumptions as judge, and in place of the evaluator where that cannot decide.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use racgen_logic::clingo::{Program, Search, Truth};
use racgen_logic::error::LogicError;
use racgen_logic::evaluate::lanes::{LaneEvaluator, LaneValues, Word};
use racgen_logic::ground::GroundProgram;
use racgen_logic::term::Term;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::simulate::error::SimulationError;
use crate::simulate::lanes::{load, truth, unload};
use crate::simulate::situation::{AnswerSheet, BitSet, Outcome, Situation};
use crate::simulate::theory::changers::{Changers, Changing};
use crate::simulate::theory::named_atoms::{AtomPlace, NamedAtoms};

/// One thing the question layer can say: that `answer` answers `question`.
#[derive(Clone, Debug)]
pub struct AnswerAtom {
    /// Index into [`CompiledLayout::questions`].
    pub question: usize,
    /// The answer's term.
    pub answer: Term,
}

/// The kind of a question (section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Yes or no.
    Verify,
    /// A number.
    Count,
    /// Objects.
    Other,
}

impl Kind {
    /// All kinds, in the order of the data set's documentation.
    pub const ALL: [Kind; 3] = [Kind::Verify, Kind::Count, Kind::Other];

    /// The name in logic programs and in the data set.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Verify => "verify",
            Kind::Count => "count",
            Kind::Other => "other",
        }
    }
}

/// A question of the layout.
#[derive(Clone, Debug)]
pub struct Question {
    /// The question as a term.
    pub term: Term,
    /// What kind of answer it has.
    pub kind: Kind,
    /// Its answers: a range of [`CompiledLayout::answers`].
    pub answers: std::ops::Range<usize>,
    /// Which of them is yes.
    pub yes: Option<usize>,
}

/// What grounding a layout's one-step program gives; shared by all engines of the layout.
pub struct CompiledLayout {
    program: Program,
    /// All fluents, in the order of their terms.
    pub fluents: Vec<Term>,
    /// Which fluents are inertial: those that an initial situation must give.
    pub inertial: BitSet,
    /// All actions, in the order of their terms.
    pub actions: Vec<Term>,
    /// All questions, in the order of their terms.
    pub questions: Vec<Question>,
    /// All question-answer pairs, grouped by question.
    pub answers: Vec<AnswerAtom>,
    /// The number of ground rules.
    pub rules: usize,
    now: Vec<AtomPlace>,
    next: Vec<AtomPlace>,
    /// Where the negations of fluents stand, now and one step later.
    not_now: Vec<AtomPlace>,
    not_next: Vec<AtomPlace>,
    occ: Vec<AtomPlace>,
    can: Vec<AtomPlace>,
    can_next: Vec<AtomPlace>,
    asked: Vec<AtomPlace>,
    answered: Vec<AtomPlace>,
    trivial: Vec<AtomPlace>,
    native: Option<Native>,
    /// By atom, the atoms that its rules read; worked out once it is asked for.
    definitions: OnceLock<HashMap<u32, Vec<u32>>>,
    changers: OnceLock<Changers>,
}

/// The rules, each time as far as they are needed.
struct Native {
    /// For what holds after an action and can be done then.
    step: LaneEvaluator,
    /// For the inertial fluents among it.
    bare_step: LaneEvaluator,
    /// For the questions in a situation.
    sheet: LaneEvaluator,
}

/// Values for the evaluators, once they are needed.
#[derive(Default)]
struct NativeValues {
    step: Option<LaneValues<WIDTH>>,
    bare_step: Option<LaneValues<WIDTH>>,
    sheet: Option<LaneValues<WIDTH>>,
}

/// Steps through a layout's situations and answers its questions.
pub struct TransitionSystem {
    compiled: Arc<CompiledLayout>,
    values: NativeValues,
    /// Does clingo decide everything?
    by_clingo: bool,
    judge: Option<Search>,
    limit: Duration,
}

impl Deref for TransitionSystem {
    type Target = CompiledLayout;

    fn deref(&self) -> &CompiledLayout {
        &self.compiled
    }
}

/// Words of 64 situations that are evaluated at once.
const WIDTH: usize = 1;
/// How many situations that is.
const LANES: usize = Word::<WIDTH>::LANES;

/// What a step leads to, if the action can occur.
type Stepped = Option<Outcome>;
/// A settled situation with its answers, if it is one.
type Considered = Option<(Outcome, AnswerSheet)>;

const SHOWN: &[(&str, usize)] = &[
    ("fluent", 1),
    ("inertial", 1),
    ("action", 1),
    ("holds", 2),
    ("occ", 2),
    ("executable", 2),
    ("ask", 2),
    ("answer", 2),
    ("trivial", 1),
];

/// Questions and their answers, and where their atoms stand.
#[derive(Default)]
struct QuestionAtoms {
    questions: Vec<Question>,
    answers: Vec<AnswerAtom>,
    asked: Vec<AtomPlace>,
    answered: Vec<AtomPlace>,
    trivial: Vec<AtomPlace>,
}

/// The questions of a one-step program, in the order of their terms, each with its answers in that of theirs.
fn question_atoms(names: &NamedAtoms) -> Result<QuestionAtoms, LogicError> {
    let mut found = QuestionAtoms::default();
    let mut pairs: HashMap<&Term, Vec<(&Term, AtomPlace)>> = HashMap::default();
    for (term, place) in names.predicate("answer", 2) {
        pairs.entry(&term.args()[0]).or_default().push((&term.args()[1], place));
    }
    pairs.values_mut().for_each(|answers| answers.sort_unstable_by_key(|(term, _)| *term));
    let mut asks: Vec<(&Term, AtomPlace)> = names.predicate("ask", 2).collect();
    asks.sort_unstable_by_key(|(term, _)| *term);
    for (ask, place) in asks {
        let [term, kind] = ask.args() else { continue };
        let named = Kind::ALL.into_iter().find(|known| known.name() == kind.functor());
        let kind = named.ok_or_else(|| LogicError::Program {
            place: "questions.lp".into(),
            message: format!(
                "`{ask}` asks for kind `{}`; the kinds are verify, count and other",
                kind.functor()
            ),
        })?;
        let first = found.answers.len();
        for (answer, place) in pairs.get(term).into_iter().flatten() {
            found.answers.push(AnswerAtom { question: found.questions.len(), answer: (*answer).clone() });
            found.answered.push(*place);
        }
        let answers = first..found.answers.len();
        let yes = answers.clone().find(|a| found.answers[*a].answer.is("yes", 0));
        found.asked.push(place);
        found.trivial.push(names.place(&Term::function("trivial", vec![term.clone()])));
        found.questions.push(Question { term: term.clone(), kind, answers, yes });
    }
    Ok(found)
}

impl CompiledLayout {
    /// Grounds a layout's one-step program with its question layer.
    ///
    /// # Errors
    /// Those of [`Program::ground`].
    pub fn new(program: Program) -> Result<CompiledLayout, LogicError> {
        let ground = program.ground(SHOWN)?;
        let mut compiled = CompiledLayout::of_named(program, &ground.named)?;
        let open = |places: &[&[AtomPlace]]| -> Vec<u32> {
            let all = places.iter().flat_map(|p| p.iter());
            all.filter_map(|p| if let AtomPlace::Atom(a) = p { Some(*a) } else { None }).collect()
        };
        let CompiledLayout { now, next, occ, can, can_next, asked, answered, trivial, .. } = &compiled;
        let inertial: Vec<AtomPlace> = compiled.inertial.iter().map(|fluent| next[fluent]).collect();
        let for_all = |targets: &[&[AtomPlace]]| LaneEvaluator::new(&ground, &open(targets)).ok();
        let step = for_all(&[occ, next, can_next]);
        let bare_step = for_all(&[occ, &inertial, can_next]);
        let sheet = for_all(&[now, can, asked, answered, trivial]);
        if let (Some(step), Some(bare_step), Some(sheet), true) =
            (step, bare_step, sheet, only_inputs_open(&ground))
        {
            compiled.native = Some(Native { step, bare_step, sheet });
        }
        compiled.rules = ground.rules.len();
        Ok(compiled)
    }

    /// What the named atoms of a one-step program say, without its rules.
    fn of_named(program: Program, named: &[(Term, Option<u32>)]) -> Result<CompiledLayout, LogicError> {
        let names = NamedAtoms::new(named);
        let (fluents, actions) = (names.arguments("fluent"), names.arguments("action"));
        let mut inertial = BitSet::new(fluents.len());
        let numbers = names.arguments("inertial").into_iter().filter_map(|f| fluents.binary_search(&f).ok());
        numbers.for_each(|f| inertial.insert(f));
        let QuestionAtoms { questions, answers, asked, answered, trivial } = question_atoms(&names)?;
        let negations: Vec<Term> = fluents.iter().map(|f| Term::function("neg", vec![f.clone()])).collect();
        Ok(CompiledLayout {
            now: names.timed("holds", &fluents, 0),
            next: names.timed("holds", &fluents, 1),
            not_now: names.timed("holds", &negations, 0),
            not_next: names.timed("holds", &negations, 1),
            occ: names.timed("occ", &actions, 0),
            can: names.timed("executable", &actions, 0),
            can_next: names.timed("executable", &actions, 1),
            program,
            fluents,
            inertial,
            actions,
            questions,
            answers,
            rules: 0,
            asked,
            answered,
            trivial,
            native: None,
            definitions: OnceLock::new(),
            changers: OnceLock::new(),
        })
    }

    /// Are the rules evaluated natively, rather than by clingo?
    pub fn is_native(&self) -> bool {
        self.native.is_some()
    }

    /// The actions that can change each inertial fluent; not known where clingo decides instead of the rules.
    pub fn changers(&self) -> &Changers {
        self.changers.get_or_init(|| match &self.native {
            None => Changers::default(),
            Some(Native { step, .. }) => {
                let falsity = Changing { now: &self.not_now, next: &self.not_next };
                let truth = Changing { now: &self.now, next: &self.next };
                Changers::new(step.rules(), &self.occ, &falsity, &truth)
            }
        })
    }

    /// The fluents that the answers to a question rest on: those that the rules come to first, going back from its
    /// answers, among the fluents that `sayable` accepts. All of these where clingo decides instead of the rules.
    pub fn premises(&self, question: usize, sayable: impl Fn(usize) -> bool) -> BitSet {
        let mut found = BitSet::new(self.fluents.len());
        let Some(Native { sheet, .. }) = &self.native else {
            (0..self.fluents.len()).filter(|f| sayable(*f)).for_each(|f| found.insert(f));
            return found;
        };
        let definitions = self.definitions.get_or_init(|| sheet.definitions());
        let atom = |place: &AtomPlace| if let AtomPlace::Atom(atom) = place { Some(*atom) } else { None };
        let fluents: HashMap<u32, usize> =
            self.now.iter().enumerate().filter_map(|(f, place)| Some((atom(place)?, f))).collect();
        let mut open: Vec<u32> =
            self.questions[question].answers.clone().filter_map(|a| atom(&self.answered[a])).collect();
        let mut seen: HashSet<u32> = open.iter().copied().collect();
        while let Some(atom) = open.pop() {
            match fluents.get(&atom).filter(|f| sayable(**f)) {
                Some(fluent) => found.insert(*fluent),
                None => {
                    let reads = definitions.get(&atom).into_iter().flatten();
                    open.extend(reads.filter(|atom| seen.insert(**atom)));
                }
            }
        }
        found
    }

    /// Has each action occur in the lanes that are given for it.
    fn load_actions<const L: usize>(
        &self,
        values: &mut LaneValues<L>,
        actions: impl Iterator<Item = Option<usize>>,
    ) {
        for place in &self.occ {
            if let AtomPlace::Atom(atom) = place {
                values.set(*atom, Word::NONE);
            }
        }
        for (lane, action) in actions.enumerate() {
            if let Some(AtomPlace::Atom(atom)) = action.map(|action| self.occ[action]) {
                let mut word = values.get(atom);
                word.insert(lane);
                values.set(atom, word);
            }
        }
    }

    /// What holds and can be done in each of the first lanes.
    fn outcomes<const L: usize>(
        &self,
        values: &LaneValues<L>,
        lanes: usize,
        fluents: &[AtomPlace],
        actions: &[AtomPlace],
    ) -> Vec<Outcome> {
        let situations = unload(lanes, fluents.len(), |fluent| truth(values, fluents[fluent]));
        let executable = unload(lanes, actions.len(), |action| truth(values, actions[action]));
        let both = situations.into_iter().zip(executable);
        both.map(|(situation, can)| Outcome { situation, executable: can.iter().collect() }).collect()
    }

    fn outcome(
        &self,
        truth: impl Fn(AtomPlace) -> bool,
        fluents: &[AtomPlace],
        actions: &[AtomPlace],
    ) -> Outcome {
        let mut situation = BitSet::new(self.fluents.len());
        for (i, place) in fluents.iter().enumerate() {
            if truth(*place) {
                situation.insert(i);
            }
        }
        let executable = actions.iter().enumerate().filter(|(_, p)| truth(**p)).map(|(i, _)| i).collect();
        Outcome { situation, executable }
    }

    fn read(
        &self,
        truth: impl Fn(AtomPlace) -> bool,
        fluents: &[AtomPlace],
        actions: &[AtomPlace],
    ) -> (Outcome, AnswerSheet) {
        let outcome = self.outcome(&truth, fluents, actions);
        let mut sheet = BitSet::new(self.answers.len());
        for (q, question) in self.questions.iter().enumerate() {
            if truth(self.asked[q]) && !truth(self.trivial[q]) {
                for answer in question.answers.clone() {
                    if truth(self.answered[answer]) {
                        sheet.insert(answer);
                    }
                }
            }
        }
        (outcome, sheet)
    }
}

impl TransitionSystem {
    /// Grounds a layout's one-step program with its question layer.
    ///
    /// # Errors
    /// Those of [`Program::ground`].
    pub fn new(program: Program, limit: Duration) -> Result<TransitionSystem, LogicError> {
        Ok(TransitionSystem::of(Arc::new(CompiledLayout::new(program)?), limit))
    }

    /// An engine for a layout that is compiled already.
    pub fn of(compiled: Arc<CompiledLayout>, limit: Duration) -> TransitionSystem {
        TransitionSystem { compiled, values: NativeValues::default(), by_clingo: false, judge: None, limit }
    }

    /// Grounds a layout's one-step program for clingo's own search, which decides everything.
    ///
    /// # Errors
    /// Those of [`Program::search`].
    pub fn by_clingo(program: Program, limit: Duration) -> Result<TransitionSystem, LogicError> {
        let judge = program.search(SHOWN, None, limit)?;
        let named: Vec<(Term, Option<u32>)> = judge.atoms().map(|(t, a)| (t.clone(), a)).collect();
        let compiled = Arc::new(CompiledLayout::of_named(program, &named)?);
        Ok(TransitionSystem {
            compiled,
            values: NativeValues::default(),
            by_clingo: true,
            judge: Some(judge),
            limit,
        })
    }

    /// What the layout was compiled to.
    pub fn compiled(&self) -> &Arc<CompiledLayout> {
        &self.compiled
    }

    /// Settles a situation from its inertial fluents and says what can be asked and answered in it, with
    /// `supposed` as the action that would come next.
    ///
    /// # Errors
    /// Solver failures.
    pub fn consider(
        &mut self,
        situation: &Situation,
        supposed: Option<usize>,
    ) -> Result<Option<(Outcome, AnswerSheet)>, SimulationError> {
        Ok(self.sheets(&[(situation, supposed)])?.pop().flatten())
    }

    /// As [`TransitionSystem::consider`], for many situations at once.
    ///
    /// # Errors
    /// Solver failures.
    pub fn sheets(
        &mut self,
        asked: &[(&Situation, Option<usize>)],
    ) -> Result<Vec<Considered>, SimulationError> {
        let mut found = Vec::with_capacity(asked.len());
        for some in asked.chunks(LANES) {
            let undecided = self.sheets_in_lanes(some, &mut found);
            for ((situation, supposed), place) in some.iter().zip(found.len() - some.len()..) {
                if undecided.get(place % LANES) {
                    let truth = self.solve(situation, *supposed)?;
                    found[place] = truth.map(|t| self.read(|p| look_up(p, &t), &self.now, &self.can));
                }
            }
        }
        Ok(found)
    }

    /// Adds what the evaluator finds to `found`, and says in which lanes it found nothing out.
    fn sheets_in_lanes(
        &mut self,
        asked: &[(&Situation, Option<usize>)],
        found: &mut Vec<Considered>,
    ) -> Word<WIDTH> {
        let compiled = &*self.compiled;
        let Some(Native { sheet: evaluator, .. }) = compiled.native.as_ref().filter(|_| !self.by_clingo)
        else {
            found.extend(asked.iter().map(|_| None));
            return Word::ALL;
        };
        let values = self.values.sheet.get_or_insert_with(|| evaluator.values());
        let situations: Vec<&Situation> = asked.iter().map(|(situation, _)| *situation).collect();
        load(values, &compiled.now, &situations);
        compiled.load_actions(values, asked.iter().map(|(_, action)| *action));
        let verdict = evaluator.run(values);
        let lanes = asked.len();
        let outcomes = compiled.outcomes(values, lanes, &compiled.now, &compiled.can);
        let askable: Vec<Word<WIDTH>> = compiled
            .asked
            .iter()
            .zip(&compiled.trivial)
            .map(|(asked, trivial)| truth(values, *asked) & !truth(values, *trivial))
            .collect();
        let sheets = unload(lanes, compiled.answers.len(), |answer| {
            askable[compiled.answers[answer].question] & truth(values, compiled.answered[answer])
        });
        let all = outcomes.into_iter().zip(sheets).enumerate();
        found.extend(all.map(|(lane, all)| (!verdict.inconsistent.get(lane)).then_some(all)));
        verdict.undecided
    }

    /// The situation after an action and what is executable there, or none if the action cannot occur.
    ///
    /// # Errors
    /// Solver failures; an action with several outcomes.
    pub fn step(&mut self, situation: &Situation, action: usize) -> Result<Option<Outcome>, SimulationError> {
        Ok(self.steps(&[(situation, action)])?.pop().flatten())
    }

    /// As [`TransitionSystem::step`], for many steps at once.
    ///
    /// # Errors
    /// Solver failures; an action with several outcomes.
    pub fn steps(&mut self, asked: &[(&Situation, usize)]) -> Result<Vec<Stepped>, SimulationError> {
        self.outcomes_of(asked, false)
    }

    /// As [`TransitionSystem::steps`], but with the inertial fluents of the situations alone, which say all else. Takes
    /// less time.
    ///
    /// # Errors
    /// Solver failures; an action with several outcomes.
    pub fn bare_steps(&mut self, asked: &[(&Situation, usize)]) -> Result<Vec<Stepped>, SimulationError> {
        self.outcomes_of(asked, true)
    }

    fn outcomes_of(
        &mut self,
        asked: &[(&Situation, usize)],
        bare: bool,
    ) -> Result<Vec<Stepped>, SimulationError> {
        let mut found = Vec::with_capacity(asked.len());
        for some in asked.chunks(LANES) {
            let undecided = self.steps_in_lanes(some, bare, &mut found);
            for ((situation, action), place) in some.iter().zip(found.len() - some.len()..) {
                if undecided.get(place % LANES) {
                    let truth = self.solve(situation, Some(*action))?;
                    found[place] =
                        truth.map(|t| self.outcome(|p| look_up(p, &t), &self.next, &self.can_next));
                }
            }
        }
        if bare {
            for outcome in found.iter_mut().flatten() {
                outcome.situation = outcome.situation.intersection(&self.compiled.inertial);
            }
        }
        Ok(found)
    }

    /// Adds what the evaluator finds to `found`, and says in which lanes it found nothing out.
    fn steps_in_lanes(
        &mut self,
        asked: &[(&Situation, usize)],
        bare: bool,
        found: &mut Vec<Stepped>,
    ) -> Word<WIDTH> {
        let compiled = &*self.compiled;
        let Some(native) = compiled.native.as_ref().filter(|_| !self.by_clingo) else {
            found.extend(asked.iter().map(|_| None));
            return Word::ALL;
        };
        let (evaluator, values) = match bare {
            true => (&native.bare_step, &mut self.values.bare_step),
            false => (&native.step, &mut self.values.step),
        };
        let values = values.get_or_insert_with(|| evaluator.values());
        let situations: Vec<&Situation> = asked.iter().map(|(situation, _)| *situation).collect();
        load(values, &compiled.now, &situations);
        compiled.load_actions(values, asked.iter().map(|(_, action)| Some(*action)));
        let verdict = evaluator.run(values);
        let outcomes = compiled.outcomes(values, asked.len(), &compiled.next, &compiled.can_next);
        let all = outcomes.into_iter().enumerate();
        found.extend(all.map(|(lane, outcome)| (!verdict.inconsistent.get(lane)).then_some(outcome)));
        verdict.undecided
    }

    /// Has clingo confirm a step.
    ///
    /// # Errors
    /// [`SimulationError::Disagreement`].
    pub fn judge_step(
        &mut self,
        situation: &Situation,
        action: usize,
        claim: Option<&Outcome>,
    ) -> Result<(), SimulationError> {
        let found = self.solve(situation, Some(action))?;
        let found = found.map(|truth| self.outcome(|p| look_up(p, &truth), &self.next, &self.can_next));
        if found.as_ref() == claim { Ok(()) } else { Err(self.disagreement("a step by", Some(action))) }
    }

    /// Has clingo confirm a sheet.
    ///
    /// # Errors
    /// [`SimulationError::Disagreement`].
    pub fn judge_sheet(
        &mut self,
        situation: &Situation,
        supposed: Option<usize>,
        claim: &AnswerSheet,
    ) -> Result<(), SimulationError> {
        let found = self.solve(situation, supposed)?;
        let sheet = found.map(|truth| self.read(|p| look_up(p, &truth), &self.now, &self.can).1);
        if sheet.as_ref() == Some(claim) {
            Ok(())
        } else {
            Err(self.disagreement("the answers after", supposed))
        }
    }

    fn disagreement(&self, what: &str, action: Option<usize>) -> SimulationError {
        let action = action.map_or("no action".to_owned(), |a| format!("`{}`", self.actions[a]));
        SimulationError::Disagreement { what: format!("{what} {action}") }
    }

    /// clingo's own answer: the true named atoms of the only answer set under the assumptions.
    fn solve(
        &mut self,
        situation: &Situation,
        action: Option<usize>,
    ) -> Result<Option<Truth>, SimulationError> {
        if self.judge.is_none() {
            self.judge = Some(self.compiled.program.search(SHOWN, None, self.limit)?);
        }
        let Some(judge) = &mut self.judge else {
            return Ok(None);
        };
        let compiled = &*self.compiled;
        let mut assume = Vec::new();
        for i in compiled.inertial.iter() {
            if let AtomPlace::Atom(atom) = compiled.now[i] {
                assume.push((atom, situation.contains(i)));
            }
        }
        for (i, place) in compiled.occ.iter().enumerate() {
            match place {
                AtomPlace::Atom(atom) => assume.push((*atom, action == Some(i))),
                _ if action == Some(i) => return Ok(None),
                _ => {}
            }
        }
        let mut found = judge.truth(&assume, 2)?;
        if found.len() > 1 {
            let action = action.map_or("no action".to_owned(), |a| compiled.actions[a].to_string());
            return Err(SimulationError::Nondeterministic { action });
        }
        Ok(found.pop())
    }
}

fn look_up(place: AtomPlace, truth: &Truth) -> bool {
    match place {
        AtomPlace::Always => true,
        AtomPlace::Never => false,
        AtomPlace::Atom(atom) => truth.holds(atom),
    }
}

/// Are the choices of the program those about the situation at time 0 and the action, and no others?
fn only_inputs_open(ground: &GroundProgram) -> bool {
    let mut input = vec![false; ground.atoms as usize + 1];
    for (term, atom) in &ground.named {
        if let Some(atom) = atom
            && (term.is("holds", 2) || term.is("occ", 2))
            && term.args()[1] == Term::Number(0)
        {
            input[*atom as usize] = true;
        }
    }
    ground.rules.iter().filter(|r| r.choice).all(|r| r.head.iter().all(|a| input[*a as usize]))
}
