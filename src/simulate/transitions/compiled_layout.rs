//! A layout's logic program to its fluents, actions and questions, and to what evaluates them natively.
//!
//! The one-step program and the question layer are grounded once, with the situation at time 0 left open.

use std::sync::OnceLock;

use racgen_logic::clingo::Program;
use racgen_logic::error::LogicError;
use racgen_logic::evaluate::lanes::{LaneEvaluator, LaneValues, Word};
use racgen_logic::ground::GroundProgram;
use racgen_logic::term::Term;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::simulate::open::grounding::LayoutGrounding;
use crate::simulate::situation::{AnswerSheet, BitSet, Outcome, Situation};
use crate::simulate::theory::changers::{Changers, Changing};
use crate::simulate::theory::named_atoms::{AtomPlace, NamedAtoms};
use crate::simulate::transitions::deeds::Deeds;
use crate::simulate::transitions::lanes::{load, truth, unload};

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
    /// Are stories to be sought in which it is yes, since few are so by themselves?
    pub sought: bool,
}

/// What grounding a layout's one-step program gives; shared by all engines of the layout.
pub struct CompiledLayout {
    pub(super) program: Program,
    /// All fluents, in the order of their terms.
    pub fluents: Vec<Term>,
    /// Which fluents are inertial: those that an initial situation must give.
    pub inertial: BitSet,
    /// All actions, in the order of their terms.
    pub actions: Vec<Term>,
    /// What can be done and come of it.
    pub deeds: Deeds,
    /// All questions, in the order of their terms.
    pub questions: Vec<Question>,
    /// All question-answer pairs, grouped by question.
    pub answers: Vec<AnswerAtom>,
    /// The number of ground rules.
    pub rules: usize,
    /// Do its rules come from a grounding that the layouts of its level share?
    pub is_shared: bool,
    pub(super) now: Vec<AtomPlace>,
    pub(super) next: Vec<AtomPlace>,
    /// Where the negations of fluents stand, now and one step later.
    not_now: Vec<AtomPlace>,
    not_next: Vec<AtomPlace>,
    pub(super) occ: Vec<AtomPlace>,
    /// Where it stands that an outcome comes, by the order of [`Deeds::outcomes`].
    pub(super) comes: Vec<AtomPlace>,
    pub(super) can: Vec<AtomPlace>,
    pub(super) can_next: Vec<AtomPlace>,
    pub(super) asked: Vec<AtomPlace>,
    pub(super) answered: Vec<AtomPlace>,
    pub(super) trivial: Vec<AtomPlace>,
    pub(super) native: Option<Native>,
    /// By atom, the atoms that its rules read; worked out once it is asked for.
    definitions: OnceLock<HashMap<u32, Vec<u32>>>,
    changers: OnceLock<Changers>,
}

/// The rules, each time as far as they are needed.
pub(super) struct Native {
    /// For what holds after an action and can be done then.
    pub(super) step: LaneEvaluator,
    /// For the inertial fluents among it.
    pub(super) bare_step: LaneEvaluator,
    /// For the questions in a situation.
    pub(super) sheet: LaneEvaluator,
    /// For the inertial fluents after an action alone; made once it is needed.
    bare_course: OnceLock<LaneEvaluator>,
    /// The same for all that holds after it, and for what can be done in a situation.
    course: OnceLock<LaneEvaluator>,
    able: OnceLock<LaneEvaluator>,
}

pub(crate) const SHOWN: &[(&str, usize)] = &[
    ("fluent", 1),
    ("inertial", 1),
    ("action", 1),
    ("holds", 2),
    ("occ", 2),
    ("executable", 2),
    ("outcome", 2),
    ("comes", 2),
    ("ask", 2),
    ("answer", 2),
    ("trivial", 1),
    ("seek", 1),
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
        let sought = names.place(&Term::function("seek", vec![term.clone()]));
        let sought = !matches!(sought, AtomPlace::Never);
        found.questions.push(Question { term: term.clone(), kind, answers, yes, sought });
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
        let named = ground.named.iter().filter_map(|(_, atom)| *atom).filter(|atom| *atom > 0);
        let evaluator = LaneEvaluator::new(&ground, &named.collect::<Vec<_>>()).ok();
        let evaluator = evaluator.filter(|_| only_inputs_open(&ground));
        CompiledLayout::of(program, &ground.named, evaluator.as_ref(), ground.rules.len())
    }

    /// What is made of a layout's program that was ground before, with the layout open; `program` is its own.
    pub(crate) fn of_open(program: Program, ground: &LayoutGrounding) -> Result<CompiledLayout, LogicError> {
        let LayoutGrounding { named, evaluator, .. } = ground;
        let compiled = CompiledLayout::of(program, named, Some(evaluator), evaluator.size())?;
        Ok(CompiledLayout { is_shared: true, ..compiled })
    }

    /// What is made of named atoms and what works them out; clingo does where nothing else does.
    fn of(
        program: Program,
        named: &[(Term, Option<u32>)],
        evaluator: Option<&LaneEvaluator>,
        rules: usize,
    ) -> Result<CompiledLayout, LogicError> {
        let mut compiled = CompiledLayout::of_named(program, named)?;
        compiled.rules = rules;
        let Some(evaluator) = evaluator else { return Ok(compiled) };
        let CompiledLayout { now, next, occ, comes, can, can_next, asked, answered, trivial, .. } = &compiled;
        let inertial = compiled.inertial_next();
        let for_all = |targets: &[&[AtomPlace]]| evaluator.part(&open_atoms(targets));
        let native = Native {
            step: for_all(&[occ, comes, next, can_next]),
            bare_step: for_all(&[occ, comes, &inertial, can_next]),
            sheet: for_all(&[now, comes, can, asked, answered, trivial]),
            bare_course: OnceLock::new(),
            course: OnceLock::new(),
            able: OnceLock::new(),
        };
        compiled.native = Some(native);
        Ok(compiled)
    }

    /// What the named atoms of a one-step program say, without its rules.
    pub(super) fn of_named(
        program: Program,
        named: &[(Term, Option<u32>)],
    ) -> Result<CompiledLayout, LogicError> {
        let names = NamedAtoms::new(named);
        let (fluents, actions) = (names.arguments("fluent"), names.arguments("action"));
        let mut inertial = BitSet::new(fluents.len());
        let numbers = names.arguments("inertial").into_iter().filter_map(|f| fluents.binary_search(&f).ok());
        numbers.for_each(|f| inertial.insert(f));
        let QuestionAtoms { questions, answers, asked, answered, trivial } = question_atoms(&names)?;
        let deeds = Deeds::new(&names, &actions);
        let negations: Vec<Term> = fluents.iter().map(|f| Term::function("neg", vec![f.clone()])).collect();
        Ok(CompiledLayout {
            now: names.timed("holds", &fluents, 0),
            next: names.timed("holds", &fluents, 1),
            not_now: names.timed("holds", &negations, 0),
            not_next: names.timed("holds", &negations, 1),
            occ: names.timed("occ", &actions, 0),
            comes: names.timed("comes", &deeds.outcomes, 0),
            can: names.timed("executable", &actions, 0),
            can_next: names.timed("executable", &actions, 1),
            program,
            fluents,
            inertial,
            actions,
            deeds,
            questions,
            answers,
            rules: 0,
            is_shared: false,
            asked,
            answered,
            trivial,
            native: None,
            definitions: OnceLock::new(),
            changers: OnceLock::new(),
        })
    }

    /// Where it stands that each inertial fluent holds one step later.
    fn inertial_next(&self) -> Vec<AtomPlace> {
        self.inertial.iter().map(|fluent| self.next[fluent]).collect()
    }

    /// The rules for the inertial fluents after an action, without what can be done then.
    pub(super) fn bare_course<'n>(&self, native: &'n Native) -> &'n LaneEvaluator {
        let made = || native.bare_step.part(&open_atoms(&[&self.occ, &self.comes, &self.inertial_next()]));
        native.bare_course.get_or_init(made)
    }

    /// The same for all that holds after it.
    pub(super) fn course<'n>(&self, native: &'n Native) -> &'n LaneEvaluator {
        let made = || native.step.part(&open_atoms(&[&self.occ, &self.comes, &self.next]));
        native.course.get_or_init(made)
    }

    /// The rules for what can be done in a situation.
    pub(super) fn able<'n>(&self, native: &'n Native) -> &'n LaneEvaluator {
        native.able.get_or_init(|| native.sheet.part(&open_atoms(&[&self.now, &self.can])))
    }

    /// The questions for which stories are to be sought.
    pub fn sought(&self) -> Vec<usize> {
        (0..self.questions.len()).filter(|question| self.questions[*question].sought).collect()
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

    /// Has each deed take place in the lanes that are given for it.
    pub(super) fn load_deeds<const L: usize>(
        &self,
        values: &mut LaneValues<L>,
        deeds: impl Iterator<Item = Option<usize>>,
    ) {
        for place in self.occ.iter().chain(&self.comes) {
            if let AtomPlace::Atom(atom) = place {
                values.set(*atom, Word::NONE);
            }
        }
        for (lane, deed) in deeds.enumerate() {
            let Some(deed) = deed else { continue };
            let comes = self.deeds.outcome_of(deed).map(|outcome| self.comes[outcome]);
            for place in std::iter::once(self.occ[self.deeds.action_of(deed)]).chain(comes) {
                if let AtomPlace::Atom(atom) = place {
                    let mut word = values.get(atom);
                    word.insert(lane);
                    values.set(atom, word);
                }
            }
        }
    }

    /// Adds what an evaluator finds some steps to lead to, and tells the places in `found` of those that it cannot decide.
    pub(super) fn steps<const L: usize>(
        &self,
        evaluator: &LaneEvaluator,
        values: &mut Option<LaneValues<L>>,
        asked: &[(&Situation, usize)],
        found: &mut Vec<Option<Outcome>>,
    ) -> Vec<usize> {
        let values = values.get_or_insert_with(|| evaluator.values());
        let situations: Vec<&Situation> = asked.iter().map(|(situation, _)| *situation).collect();
        load(values, &self.now, &situations);
        self.load_deeds(values, asked.iter().map(|(_, action)| Some(*action)));
        let verdict = evaluator.run(values);
        let first = found.len();
        let outcomes = self.outcomes(values, asked.len(), &self.next, &self.can_next);
        let all = outcomes.into_iter().enumerate();
        found.extend(all.map(|(lane, outcome)| (!verdict.inconsistent.get(lane)).then_some(outcome)));
        (0..asked.len()).filter(|lane| verdict.undecided.get(*lane)).map(|lane| first + lane).collect()
    }

    /// What holds and can be done in each of the first lanes.
    pub(super) fn outcomes<const L: usize>(
        &self,
        values: &LaneValues<L>,
        lanes: usize,
        fluents: &[AtomPlace],
        actions: &[AtomPlace],
    ) -> Vec<Outcome> {
        let situations = unload(lanes, fluents.len(), |fluent| truth(values, fluents[fluent]));
        let executable = unload(lanes, actions.len(), |action| truth(values, actions[action]));
        let both = situations.into_iter().zip(executable);
        both.map(|(situation, can)| Outcome { situation, executable: can.listed() }).collect()
    }

    pub(super) fn outcome(
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

    pub(super) fn read(
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

/// The atoms at some places.
fn open_atoms(places: &[&[AtomPlace]]) -> Vec<u32> {
    places.iter().flat_map(|all| all.iter()).filter_map(AtomPlace::atom).collect()
}

/// Are the choices of the program those about the situation at time 0, the action and its outcome, and no others?
fn only_inputs_open(ground: &GroundProgram) -> bool {
    let mut input = vec![false; ground.atoms as usize + 1];
    for (term, atom) in &ground.named {
        if let Some(atom) = atom
            && ["holds", "occ", "comes"].iter().any(|input| term.is(input, 2))
            && term.args()[1] == Term::Number(0)
        {
            input[*atom as usize] = true;
        }
    }
    ground.rules.iter().filter(|r| r.choice).all(|r| r.head.iter().all(|a| input[*a as usize]))
}
