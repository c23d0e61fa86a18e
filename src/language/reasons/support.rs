//! A question and a situation to the fluents and the static facts that suffice to see the answer.
//!
//! The one-step program of a layout is grounded a second time, with its static facts left open as well, so that its
//! rules name them. A derivation of the answer then ends at fluents and static facts; of these, all are dropped without
//! which the answer is certain still. Where so many are left that are all false, and must be, that they say little, what
//! the rules find to be true on the way is told as well: "the vase is at the fishery, the truck at the foundry" says more
//! than at which places they are not.

use racgen_logic::clingo::Source;
use racgen_logic::error::LogicError;
use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use crate::domain::package::Package;
use crate::language::reasons::cone::{Cone, DefiningRules, Known};
use crate::language::reasons::derivation::Derivation;
use crate::simulate::layout::Layout;
use crate::simulate::situation::Situation;
use crate::simulate::transitions::compiled_layout::{CompiledLayout, Kind};

/// Up to so many inputs of a derivation are tried whether the answer is certain without them.
const MOST_TRIED: usize = 48;
/// So many false fluents say little.
const MANY_FALSE: usize = 3;
/// So many true ones beside them say more.
const MOST_NEAR: usize = 12;
/// More static facts are not told of what a question names.
const MOST_ABOUT: usize = 6;
/// What it costs to need a fluent, and a static fact: a reader has to follow the first through all actions.
const FLUENT_COST: u64 = 100;
const FACT_COST: u64 = 10;

/// What the rules read, and no rule settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Input {
    /// A fluent that can be said.
    Fluent(usize),
    /// A static fact that can be said, by its place among those of the layout.
    Fact(usize),
    /// A fluent that cannot be said.
    Unsaid(usize),
    /// An action is the one that is supposed.
    Action(usize),
    /// A term is a fluent at all, whatever that depends on.
    Declared,
}

/// What can be said of a layout.
pub struct Sayable<'s> {
    /// By fluent.
    pub fluents: Vec<bool>,
    /// By static fact, the first of the facts that are told as it is; none if it cannot be said.
    pub facts: Vec<Option<usize>>,
    /// The domain.
    pub package: &'s Package,
}

/// Fluents and static facts, each ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Support {
    /// Fluents, whose truth in the situation must be known.
    pub fluents: Vec<usize>,
    /// Static facts.
    pub facts: Vec<usize>,
}

/// Where a question is asked.
#[derive(Clone, Copy)]
pub struct AskedSituation<'s> {
    /// The situation.
    pub here: &'s Situation,
    /// The action that is supposed to come next.
    pub supposed: Option<usize>,
}

/// The rules of a layout, for whoever wants to know on what an answer rests.
pub struct Reasons {
    rules: DefiningRules,
    inputs: HashMap<u32, Input>,
    /// By question, the atoms of its answers that the rules leave open.
    answers: Vec<Vec<u32>>,
    /// By question for whose answer no rule is left, the static facts about what it names.
    about: HashMap<usize, Vec<usize>>,
    kinds: Vec<Kind>,
}

/// The rules that the answers to a question follow from.
struct Inquest {
    cone: Cone,
    goals: Vec<usize>,
    /// By place in the cone.
    inputs: Vec<Option<Input>>,
    kind: Kind,
}

impl Reasons {
    /// Grounds the rules of a layout.
    ///
    /// # Errors
    /// Those of [`racgen_logic::clingo::Program::ground`].
    pub fn new(layout: &Layout, compiled: &CompiledLayout, sayable: &Sayable) -> Result<Reasons, LogicError> {
        let mut program = layout.step_program(sayable.package);
        let told = layout.facts(sayable.package);
        let open = with_choices(&told, &layout.statics, &sayable.facts);
        for source in program.sources.iter_mut().filter(|source| source.name == told.name) {
            *source = open.clone();
        }
        let mut shown: Vec<(&str, usize)> = vec![("holds", 2), ("occ", 2), ("answer", 2)];
        shown.extend([("fluent", 1), ("inertial", 1), ("defined", 1)]);
        shown.extend(sayable.package.statics.iter().map(|(name, arity)| (name.as_str(), *arity)));
        let ground = program.ground(&shown)?;
        let mut inputs = HashMap::default();
        let mut answers = vec![Vec::new(); compiled.questions.len()];
        let facts: HashMap<&Term, usize> = layout.statics.iter().zip(0..).collect();
        let now = Term::Number(0);
        for (term, atom) in &ground.named {
            let Some(atom) = *atom else { continue };
            let input = match (term.functor(), term.args()) {
                ("holds", [fluent, time]) if *time == now => {
                    let fluent = compiled.fluents.binary_search(fluent).ok();
                    fluent.and_then(|f| match (sayable.fluents[f], compiled.inertial.contains(f)) {
                        (true, _) => Some(Input::Fluent(f)),
                        (false, true) => Some(Input::Unsaid(f)),
                        (false, false) => None,
                    })
                }
                ("occ", [action, time]) if *time == now => {
                    compiled.actions.binary_search(action).ok().map(Input::Action)
                }
                ("answer", [question, answer]) => {
                    let first = compiled.questions.partition_point(|q| q.term < *question);
                    let all = compiled.questions.iter().enumerate().skip(first);
                    for (place, q) in all.take_while(|(_, q)| q.term == *question) {
                        // Of a verify question, only that the answer is yes has rules of the domain.
                        if q.kind != Kind::Verify || answer.is("yes", 0) {
                            answers[place].push(atom);
                        }
                    }
                    None
                }
                ("fluent" | "inertial" | "defined", [_]) => Some(Input::Declared),
                _ => facts.get(term).and_then(|fact| sayable.facts[*fact]).map(Input::Fact),
            };
            inputs.extend(input.map(|input| (atom, input)));
        }
        let kinds = compiled.questions.iter().map(|question| question.kind).collect();
        let without = answers.iter().enumerate().filter(|(_, atoms)| atoms.is_empty());
        let about =
            without.map(|(place, _)| (place, facts_about(&compiled.questions[place].term, layout, sayable)));
        let about = about.collect();
        Ok(Reasons { rules: DefiningRules::new(ground), inputs, answers, about, kinds })
    }

    /// The rules behind a question; also those behind a fluent that follows from others, where it is given.
    fn inquest(&self, question: usize, derived: Option<usize>) -> Inquest {
        let atoms = &self.answers[question];
        let is_input = |input: &Input| derived.is_none_or(|fluent| *input != Input::Fluent(fluent));
        let input = |atom: &u32| self.inputs.get(atom).copied().filter(is_input);
        let cone = Cone::new(&self.rules, atoms, |atom| input(&atom).is_some());
        let inputs = cone.atoms.iter().map(input).collect();
        // The goals come first in their cone.
        Inquest { goals: (0..atoms.len()).collect(), cone, inputs, kind: self.kinds[question] }
    }

    /// Few fluents and static facts that suffice to see the answer; all on which it may rest where the rules leave
    /// something open.
    pub fn support(&self, question: usize, setting: AskedSituation) -> Support {
        self.support_beneath(question, setting, None)
    }

    /// As [`Reasons::support`], and of a fluent that follows from others these in its place.
    pub fn support_beneath(
        &self,
        question: usize,
        setting: AskedSituation,
        derived: Option<usize>,
    ) -> Support {
        if let Some(facts) = self.about.get(&question) {
            return Support { fluents: Vec::new(), facts: facts.clone() };
        }
        let inquest = self.inquest(question, derived);
        let full = inquest.known(setting, |_| true);
        if !inquest.is_answered(&full) {
            return inquest.support(|_| true);
        }
        let goals: Vec<usize> = match inquest.kind {
            // One number is the answer, and the others follow to be none.
            Kind::Count => inquest.goals.iter().copied().filter(|goal| full.certain[*goal]).collect(),
            _ => inquest.goals.clone(),
        };
        let cost = |atom: usize| {
            inquest.inputs[atom].map(|input| match input {
                Input::Fluent(_) => FLUENT_COST,
                Input::Fact(_) => FACT_COST,
                Input::Unsaid(_) | Input::Action(_) | Input::Declared => 0,
            })
        };
        let derivation = Derivation::new(&inquest.cone, &full.certain, cost);
        let to_inputs = |atoms: Vec<usize>| atoms.into_iter().filter_map(|atom| inquest.inputs[atom]);
        let mut inputs: Vec<Input> = to_inputs(derivation.uses(&goals)).collect();
        inputs.sort_unstable();
        inputs.dedup();
        if inputs.len() <= MOST_TRIED {
            let mut place = 0;
            while place < inputs.len() {
                let without = inputs[place];
                let rest = |input: Input| input != without && inputs.contains(&input);
                if inquest.is_answered(&inquest.known(setting, rest)) {
                    inputs.remove(place);
                } else {
                    place += 1;
                }
            }
        }
        if !inquest.is_answered(&inquest.known(setting, |input| inputs.contains(&input))) {
            return inquest.support(|_| true);
        }
        let is_true = |input: &Input| matches!(input, Input::Fluent(f) if setting.here.contains(*f));
        let fluents = inputs.iter().filter(|input| matches!(input, Input::Fluent(_))).count();
        if fluents > MANY_FALSE && !inputs.iter().any(is_true) {
            let mut near: Vec<Input> = to_inputs(derivation.near(&goals))
                .filter(|input| is_true(input) || matches!(input, Input::Fact(_)))
                .collect();
            near.sort_unstable();
            near.dedup();
            if near.iter().filter(|input| is_true(input)).count() <= MOST_NEAR {
                inputs.extend(near);
            }
        }
        inquest.support(|input| inputs.contains(&input))
    }

    /// Is the answer certain to whoever knows these fluents and static facts only? None where it is not even to those
    /// who know all.
    pub fn suffices(
        &self,
        question: usize,
        setting: AskedSituation,
        is_known: impl Fn(Input) -> bool,
    ) -> Option<bool> {
        let inquest = self.inquest(question, None);
        let full = inquest.is_answered(&inquest.known(setting, |_| true));
        full.then(|| inquest.is_answered(&inquest.known(setting, is_known)))
    }
}

impl Inquest {
    /// What follows from the situation, where only these fluents and facts are known of it.
    fn known(&self, setting: AskedSituation, is_known: impl Fn(Input) -> bool) -> Known {
        let given = |input: &Option<Input>| match (*input)? {
            Input::Unsaid(fluent) => Some(setting.here.contains(fluent)),
            Input::Action(action) => Some(setting.supposed == Some(action)),
            Input::Declared => Some(true),
            input if !is_known(input) => None,
            Input::Fluent(fluent) => Some(setting.here.contains(fluent)),
            Input::Fact(_) => Some(true),
        };
        // An atom that is no input and has no rule is never true.
        let given: Vec<Option<bool>> =
            self.inputs.iter().map(|i| if i.is_some() { given(i) } else { Some(false) }).collect();
        self.cone.known(&given)
    }

    fn is_answered(&self, known: &Known) -> bool {
        match self.kind {
            Kind::Count => {
                self.goals.is_empty()
                    || self.goals.iter().any(|goal| known.certain[*goal])
                    || self.goals.iter().all(|goal| !known.possible[*goal])
            }
            _ => self.goals.iter().all(|goal| known.settles(*goal)),
        }
    }

    fn support(&self, keep: impl Fn(Input) -> bool) -> Support {
        let mut found = Support::default();
        for input in self.inputs.iter().flatten().copied().filter(|input| keep(*input)) {
            match input {
                Input::Fluent(fluent) => found.fluents.push(fluent),
                Input::Fact(fact) => found.facts.push(fact),
                Input::Unsaid(_) | Input::Action(_) | Input::Declared => {}
            }
        }
        for list in [&mut found.fluents, &mut found.facts] {
            list.sort_unstable();
            list.dedup();
        }
        found
    }
}

/// The static facts about what a question names, where they are few: a truck cannot be driven to another city, whatever
/// happens.
fn facts_about(question: &Term, layout: &Layout, sayable: &Sayable) -> Vec<usize> {
    fn names<'t>(term: &'t Term, found: &mut Vec<&'t Term>) {
        match term.args() {
            [] => found.push(term),
            args => args.iter().for_each(|argument| names(argument, found)),
        }
    }
    let mut named = Vec::new();
    names(question, &mut named);
    let about = |fact: &&Term| fact.args().iter().any(|argument| named.contains(&argument));
    let all = layout.statics.iter().zip(&sayable.facts).filter(|(fact, _)| about(fact));
    let mut found: Vec<usize> = all.filter_map(|(_, said)| *said).collect();
    found.sort_unstable();
    found.dedup();
    if found.len() > MOST_ABOUT { Vec::new() } else { found }
}

/// The facts of a layout as a program in which those that can be said are left open.
fn with_choices(facts: &Source, statics: &[Term], sayable: &[Option<usize>]) -> Source {
    let said = statics.iter().zip(sayable).filter(|(_, said)| said.is_some());
    let open: HashMap<String, String> = said.map(|(t, _)| (format!("{t}."), format!("{{ {t} }}."))).collect();
    let text: Vec<&str> =
        facts.text.lines().map(|line| open.get(line).map_or(line, String::as_str)).collect();
    Source::new(facts.name.clone(), text.join("\n") + "\n")
}
