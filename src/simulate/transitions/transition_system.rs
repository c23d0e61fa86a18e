//! A compiled layout to its transitions and answers: ground once, ask often.
//!
//! A native evaluator settles situations, successors and answers; clingo solves the same program under the same
//! assumptions as judge, and in place of the evaluator where that cannot decide.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use racgen_logic::clingo::{Program, Search, Truth};
use racgen_logic::error::LogicError;
use racgen_logic::evaluate::lanes::{LaneValues, Word};
use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use crate::simulate::error::SimulationError;
use crate::simulate::situation::{AnswerSheet, BitSet, Outcome, Situation};
use crate::simulate::theory::named_atoms::AtomPlace;
use crate::simulate::transitions::compiled_layout::{AnswerAtom, CompiledLayout, Kind, Native, SHOWN};
use crate::simulate::transitions::lanes::{load, truth, unload};
use crate::simulate::transitions::met_situations::MetSituations;

/// Values for the evaluators, once they are needed.
#[derive(Default)]
pub(super) struct NativeValues {
    pub(super) step: StepValues,
    pub(super) bare_step: StepValues,
    pub(super) bare_course: StepValues,
    pub(super) course: StepValues,
    pub(super) able: StepValues,
    sheet: Option<LaneValues<WIDTH>>,
}

/// Values for few steps at once, and for many.
#[derive(Default)]
pub(super) struct StepValues {
    pub(super) few: Option<LaneValues<WIDTH>>,
    pub(super) many: Option<LaneValues<WIDE>>,
}

/// Steps through a layout's situations and answers its questions.
pub struct TransitionSystem {
    pub(super) compiled: Arc<CompiledLayout>,
    pub(super) values: NativeValues,
    /// Does clingo decide everything?
    pub(super) by_clingo: bool,
    judge: Option<StepJudge>,
    /// clingo without the questions, which takes steps in a fraction of the time, where there is such a program.
    stepper: Option<StepJudge>,
    limit: Duration,
    /// What is known of situations that were met.
    pub(super) met_situations: MetSituations,
}

/// clingo's search in the layout's own program, and the names of its atoms, which may have other numbers than those that
/// the evaluator knows.
struct StepJudge {
    search: Search,
    names: Arc<CompiledLayout>,
    /// By the judge's numbers of fluents, actions, outcomes and answers, those of the layout.
    fluents: Vec<Option<usize>>,
    actions: Vec<Option<usize>>,
    outcomes: Vec<Option<usize>>,
    answers: Vec<Option<usize>>,
    /// How many fluents and answers the layout has.
    sizes: (usize, usize),
}

impl StepJudge {
    /// clingo at work on a program of the layout: its own, or that without the questions.
    fn new(program: &Program, compiled: &CompiledLayout, limit: Duration) -> Result<StepJudge, LogicError> {
        let search = program.search(SHOWN, None, limit)?;
        let named: Vec<(Term, Option<u32>)> = search.atoms().map(|(t, a)| (t.clone(), a)).collect();
        let names = Arc::new(CompiledLayout::of_named(program.clone(), &named)?);
        Ok(StepJudge::of(search, names, compiled))
    }

    fn of(search: Search, names: Arc<CompiledLayout>, compiled: &CompiledLayout) -> StepJudge {
        let fluents = names.fluents.iter().map(|term| compiled.fluents.binary_search(term).ok()).collect();
        let actions = names.actions.iter().map(|term| compiled.actions.binary_search(term).ok()).collect();
        let known = &compiled.deeds.outcomes;
        let outcomes = names.deeds.outcomes.iter().map(|term| known.binary_search(term).ok()).collect();
        let numbers = compiled.questions.iter().enumerate().map(|(number, q)| ((&q.term, q.kind), number));
        let numbers: HashMap<(&Term, Kind), usize> = numbers.collect();
        let answer = |answer: &AnswerAtom| {
            let question = &names.questions[answer.question];
            let among = compiled.questions[*numbers.get(&(&question.term, question.kind))?].answers.clone();
            let first = among.start;
            let found = compiled.answers[among].binary_search_by(|known| known.answer.cmp(&answer.answer));
            Some(first + found.ok()?)
        };
        let answers = names.answers.iter().map(answer).collect();
        let sizes = (compiled.fluents.len(), compiled.answers.len());
        StepJudge { search, names, fluents, actions, outcomes, answers, sizes }
    }

    /// The true named atoms of the only answer set in which these fluents are true at first, and this deed takes place, if
    /// any.
    fn solve(
        &mut self,
        situation: &Situation,
        deed: Option<(usize, Option<usize>)>,
    ) -> Result<Option<Truth>, SimulationError> {
        let names = &*self.names;
        let fluents = names.inertial.iter().filter_map(|i| {
            let holds = self.fluents[i].is_some_and(|fluent| situation.contains(fluent));
            Some((names.now[i].atom()?, holds))
        });
        let (action, comes) = (deed.map(|(action, _)| action), deed.and_then(|(_, outcome)| outcome));
        let actions = names.occ.iter().enumerate().filter_map(|(i, place)| {
            let is_supposed = action.is_some() && self.actions[i] == action;
            Some((place.atom()?, is_supposed))
        });
        let mut assume: Vec<(u32, bool)> = actions.collect();
        if action.is_some() && !assume.iter().any(|(_, is_supposed)| *is_supposed) {
            return Ok(None);
        }
        let outcomes = names.comes.iter().enumerate().filter_map(|(i, place)| {
            let is_supposed = comes.is_some() && self.outcomes[i] == comes;
            Some((place.atom()?, is_supposed))
        });
        assume.extend(outcomes);
        assume.extend(fluents);
        // What is true comes first: much of the rest follows from it, and need not be assumed one by one.
        assume.sort_by_key(|(_, holds)| !holds);
        let mut found = self.search.truth(&assume, 2)?;
        if found.len() > 1 {
            let action = self.actions.iter().position(|number| *number == action && action.is_some());
            let action = action.map_or("no action".to_owned(), |action| names.actions[action].to_string());
            return Err(SimulationError::Nondeterministic { action });
        }
        Ok(found.pop())
    }

    /// What the atoms say in the layout's numbers; none if something holds that the layout does not know.
    fn outcome(&self, truth: &Truth, fluents: &[AtomPlace], actions: &[AtomPlace]) -> Option<Outcome> {
        let found = self.names.outcome(|place| look_up(place, truth), fluents, actions);
        let situation = translated(&found.situation, &self.fluents, self.sizes.0)?;
        let mut executable: Vec<usize> =
            found.executable.iter().map(|action| self.actions[*action]).collect::<Option<_>>()?;
        executable.sort_unstable();
        Some(Outcome { situation, executable })
    }

    /// What there is after the step.
    fn after(&self, truth: &Truth) -> Option<Outcome> {
        self.outcome(truth, &self.names.next, &self.names.can_next)
    }

    /// The situation before it, and its answers.
    fn read(&self, truth: &Truth) -> Option<(Outcome, AnswerSheet)> {
        let (_, sheet) = self.names.read(|place| look_up(place, truth), &self.names.now, &self.names.can);
        let outcome = self.outcome(truth, &self.names.now, &self.names.can)?;
        Some((outcome, translated(&sheet, &self.answers, self.sizes.1)?))
    }
}

/// A set in other numbers; none if one of its members has none.
fn translated(set: &BitSet, numbers: &[Option<usize>], size: usize) -> Option<BitSet> {
    let mut found = BitSet::new(size);
    for member in set.iter() {
        found.insert(numbers[member]?);
    }
    Some(found)
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
pub(super) const LANES: usize = Word::<WIDTH>::LANES;
/// The same where many steps are asked for: each gate is looked up once for all of them.
const WIDE: usize = 4;
pub(super) const MANY: usize = Word::<WIDE>::LANES;

/// What a step leads to, if the action can occur.
type Stepped = Option<Outcome>;
/// A settled situation with its answers, if it is one.
type Considered = Option<(Outcome, AnswerSheet)>;

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
        TransitionSystem {
            compiled,
            values: NativeValues::default(),
            by_clingo: false,
            judge: None,
            stepper: None,
            limit,
            met_situations: MetSituations::default(),
        }
    }

    /// Grounds a layout's one-step program for clingo's own search, which decides everything; steps in the program without
    /// the questions, where that is given.
    ///
    /// # Errors
    /// Those of [`Program::search`].
    pub fn by_clingo(
        program: Program,
        without_questions: Option<&Program>,
        limit: Duration,
    ) -> Result<TransitionSystem, LogicError> {
        let search = program.search(SHOWN, None, limit)?;
        let named: Vec<(Term, Option<u32>)> = search.atoms().map(|(t, a)| (t.clone(), a)).collect();
        let compiled = Arc::new(CompiledLayout::of_named(program, &named)?);
        let judge = StepJudge::of(search, compiled.clone(), &compiled);
        let stepper = without_questions.map(|bare| StepJudge::new(bare, &compiled, limit)).transpose()?;
        Ok(TransitionSystem {
            compiled,
            values: NativeValues::default(),
            by_clingo: true,
            judge: Some(judge),
            stepper,
            limit,
            met_situations: MetSituations::default(),
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
                    let deed = supposed.map(|deed| self.deeds.parts(deed));
                    let judge = self.judge()?;
                    found[place] = judge.solve(situation, deed)?.and_then(|truth| judge.read(&truth));
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
        compiled.load_deeds(values, asked.iter().map(|(_, action)| *action));
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

    /// The situation after an action, or a deed of [`Deeds`](crate::simulate::transitions::deeds::Deeds), and what is
    /// executable there, or none if the action cannot occur.
    ///
    /// # Errors
    /// Solver failures; several successors that do not come of declared outcomes.
    pub fn step(&mut self, situation: &Situation, action: usize) -> Result<Option<Outcome>, SimulationError> {
        Ok(self.steps(&[(situation, action)])?.pop().flatten())
    }

    /// As [`TransitionSystem::step`], for many steps at once.
    ///
    /// # Errors
    /// Solver failures; several successors that do not come of declared outcomes.
    pub fn steps(&mut self, asked: &[(&Situation, usize)]) -> Result<Vec<Stepped>, SimulationError> {
        self.outcomes_of(asked, false)
    }

    /// As [`TransitionSystem::steps`], but with the inertial fluents of the situations alone, which say all else. Takes
    /// less time.
    ///
    /// # Errors
    /// Solver failures; several successors that do not come of declared outcomes.
    pub fn bare_steps(&mut self, asked: &[(&Situation, usize)]) -> Result<Vec<Stepped>, SimulationError> {
        self.outcomes_of(asked, true)
    }

    fn outcomes_of(
        &mut self,
        asked: &[(&Situation, usize)],
        bare: bool,
    ) -> Result<Vec<Stepped>, SimulationError> {
        let mut found = Vec::with_capacity(asked.len());
        for place in self.steps_in_lanes(asked, bare, &mut found) {
            let (situation, action) = asked[place];
            let deed = self.deeds.parts(action);
            let judge = match &mut self.stepper {
                Some(stepper) => stepper,
                None => self.judge()?,
            };
            let truth = judge.solve(situation, Some(deed))?;
            found[place] = truth.and_then(|truth| judge.after(&truth));
        }
        if bare {
            for outcome in found.iter_mut().flatten() {
                outcome.situation = outcome.situation.intersection(&self.compiled.inertial);
            }
        }
        Ok(found)
    }

    /// Adds what the evaluator finds to `found`, and tells the places at which it found nothing out.
    fn steps_in_lanes(
        &mut self,
        asked: &[(&Situation, usize)],
        bare: bool,
        found: &mut Vec<Stepped>,
    ) -> Vec<usize> {
        let compiled = &*self.compiled;
        let Some(native) = compiled.native.as_ref().filter(|_| !self.by_clingo) else {
            found.extend(asked.iter().map(|_| None));
            return (0..asked.len()).collect();
        };
        let (evaluator, values) = match bare {
            true => (&native.bare_step, &mut self.values.bare_step),
            false => (&native.step, &mut self.values.step),
        };
        let mut undecided = Vec::new();
        let mut rest = asked;
        while !rest.is_empty() {
            let (some, others) = rest.split_at(rest.len().min(if rest.len() > LANES { MANY } else { LANES }));
            let open = match some.len() > LANES {
                true => compiled.steps(evaluator, &mut values.many, some, found),
                false => compiled.steps(evaluator, &mut values.few, some, found),
            };
            undecided.extend(open);
            rest = others;
        }
        undecided
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
        let deed = self.deeds.parts(action);
        let judge = self.judge()?;
        let truth = judge.solve(situation, Some(deed))?;
        let found = truth.as_ref().map(|truth| judge.after(truth));
        // What clingo finds and the layout does not know is a disagreement as well.
        if found.as_ref().map(Option::as_ref) == claim.map(Some) {
            Ok(())
        } else {
            Err(self.disagreement("a step by", Some(action)))
        }
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
        let deed = supposed.map(|deed| self.deeds.parts(deed));
        let judge = self.judge()?;
        let sheet = judge.solve(situation, deed)?.and_then(|truth| judge.read(&truth));
        if sheet.as_ref().map(|(_, sheet)| sheet) == Some(claim) {
            Ok(())
        } else {
            Err(self.disagreement("the answers after", supposed))
        }
    }

    fn disagreement(&self, what: &str, action: Option<usize>) -> SimulationError {
        let action = action
            .map_or("no action".to_owned(), |deed| format!("`{}`", self.actions[self.deeds.action_of(deed)]));
        SimulationError::Disagreement { what: format!("{what} {action}") }
    }

    /// clingo, once it is needed.
    fn judge(&mut self) -> Result<&mut StepJudge, SimulationError> {
        let made = match self.judge.take() {
            Some(made) => made,
            None => StepJudge::new(&self.compiled.program, &self.compiled, self.limit)?,
        };
        Ok(self.judge.insert(made))
    }
}

fn look_up(place: AtomPlace, truth: &Truth) -> bool {
    match place {
        AtomPlace::Always => true,
        AtomPlace::Never => false,
        AtomPlace::Atom(atom) => truth.holds(atom),
    }
}
