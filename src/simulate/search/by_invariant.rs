//! A layout's program over one step to clingo's proof that something can never become so: an inductive invariant.
//!
//! The invariant says of each fluent which values it may come to have. Either the ground rules tell one, and clingo finds no step
//! out of it; or it begins with the values of the situation, and grows by what clingo finds one step to add, until there is
//! an answer set for no further value. What no answer set has at time 0 under the invariant is then never reached.

use std::collections::BTreeSet;
use std::time::Duration;

use racgen_logic::clingo::{Program, Search, Truth};
use racgen_logic::error::LogicError;
use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use crate::domain::embedded::axioms;
use crate::simulate::search::by_clingo::{Assumed, Sought, assumptions};
use crate::simulate::search::goal::{GoalFact, NEGATION};
use crate::simulate::search::step_bounds::{ClosedValues, StepBounds};
use crate::simulate::search::values::{Values, values_of};
use crate::simulate::situation::{BitSet, Situation};

/// What is named in the grounding.
const NAMED: &[(&str, usize)] = &[("holds", 2), ("occ", 2), ("executable", 2), ("open", 1), ("grows", 1)];

/// An atom, if there is one; without a number if it always holds.
type KnownAtom = Option<Option<u32>>;

/// clingo, at work on invariants of a layout.
pub struct InvariantSearch {
    search: Search,
    fluents: Vec<Term>,
    /// By time and fluent, that it is true.
    holds: [Vec<KnownAtom>; 2],
    /// By fluent, that it is not known to come to be false, and true.
    open: Vec<[KnownAtom; 2]>,
    grows: KnownAtom,
    executable: HashMap<Term, Option<u32>>,
    actions: Vec<Term>,
    bounds: Option<StepBounds>,
}

impl InvariantSearch {
    /// Grounds a program over one step, which has these fluents and actions, in order.
    ///
    /// # Errors
    /// Those of [`Program::ground_and_record`].
    pub fn new(
        mut program: Program,
        (fluents, actions): (&[Term], &[Term]),
        limit: Duration,
    ) -> Result<InvariantSearch, LogicError> {
        program.sources.push(axioms("ever.lp"));
        let (ground, recorded) = program.ground_and_record(NAMED, None)?;
        let search = recorded.search(&[], None, limit)?;
        let none = vec![None; fluents.len()];
        let mut found = InvariantSearch {
            holds: [none.clone(), none],
            open: vec![[None, None]; fluents.len()],
            grows: None,
            executable: HashMap::default(),
            actions: actions.to_vec(),
            fluents: fluents.to_vec(),
            bounds: StepBounds::new(&ground, fluents, actions),
            search,
        };
        let atoms: Vec<(Term, Option<u32>)> =
            found.search.atoms().map(|(term, atom)| (term.clone(), atom)).collect();
        for (term, atom) in atoms {
            let what = &term.args()[0];
            let denied = what.is(NEGATION, 1);
            let fluent = fluents.binary_search(if denied { &what.args()[0] } else { what }).ok();
            match (term.functor(), fluent, term.args().get(1)) {
                ("grows", ..) => found.grows = Some(atom),
                ("executable", _, Some(Term::Number(0))) => {
                    found.executable.insert(what.clone(), atom);
                }
                ("open", Some(fluent), _) => found.open[fluent][usize::from(!denied)] = Some(atom),
                ("holds", Some(fluent), Some(Term::Number(time @ (0 | 1)))) if !denied => {
                    found.holds[*time as usize][fluent] = Some(atom);
                }
                _ => {}
            }
        }
        Ok(found)
    }

    /// Values that contain some and that no action leads out of, through situations in all of which one fact, if any, is so, as the
    /// ground rules tell; none where they do not. See [`StepBounds::closed`].
    pub fn by_rules(&self, from: &Values, held: Option<GoalFact>) -> Option<ClosedValues> {
        self.bounds.as_ref()?.closed(from, held)
    }

    /// That fluents have known values at time 0, and one of them this one.
    fn known(&self, values: &Values, held: Option<GoalFact>) -> Vec<Assumed> {
        let fixed = values.iter().enumerate().filter(|(_, [no, yes])| no != yes);
        let fixed = fixed.map(|(fluent, [_, yes])| (self.holds[0][fluent], *yes));
        fixed.chain(held.map(|(fluent, truth)| (self.holds[0][fluent], truth))).collect()
    }

    fn answer(&mut self, assumed: &[Assumed]) -> Result<Option<Truth>, LogicError> {
        match assumptions(assumed) {
            Some(assume) => Ok(self.search.truth(&assume, 1)?.pop()),
            None => Ok(None),
        }
    }

    /// Adds to some values all that fluents may come to have from them on, through situations in all of which one fact, if
    /// any, is so.
    ///
    /// # Errors
    /// Solver failures.
    pub fn close(&mut self, values: &mut Values, held: Option<GoalFact>) -> Result<(), LogicError> {
        while let Some(truth) = self.leaving(values, held)? {
            for (fluent, known) in values.iter_mut().enumerate() {
                known[usize::from(self.is_so(&truth, 1, fluent))] = true;
            }
        }
        Ok(())
    }

    /// A step out of some values, through situations in both of which one fact, if any, is so.
    fn leaving(&mut self, values: &Values, held: Option<GoalFact>) -> Result<Option<Truth>, LogicError> {
        let mut assumed = self.known(values, held);
        assumed.push((self.grows, true));
        assumed.extend(held.map(|(fluent, truth)| (self.holds[1][fluent], truth)));
        for (known, open) in values.iter().zip(&self.open) {
            assumed.extend([0, 1].map(|value| (open[value], !known[value])));
        }
        self.answer(&assumed)
    }

    /// Is a fluent true at a time?
    fn is_so(&self, truth: &Truth, time: usize, fluent: usize) -> bool {
        match self.holds[time][fluent] {
            None | Some(Some(0)) => false,
            Some(None) => true,
            Some(Some(atom)) => truth.holds(atom),
        }
    }

    /// Is there a situation in which fluents have some of these values, and one fact, if any, is so, that has what is
    /// sought?
    ///
    /// # Errors
    /// Solver failures.
    pub fn admits(
        &mut self,
        values: &Values,
        held: Option<GoalFact>,
        sought: Sought,
    ) -> Result<bool, LogicError> {
        Ok(self.admitted(values, held, sought)?.is_some())
    }

    /// Such a situation, and what can be carried out in it.
    ///
    /// # Errors
    /// Solver failures.
    pub fn witness(
        &mut self,
        values: &Values,
        held: Option<GoalFact>,
        sought: Sought,
    ) -> Result<Option<(Situation, BitSet)>, LogicError> {
        let Some(truth) = self.admitted(values, held, sought)? else { return Ok(None) };
        let so = |known: KnownAtom| known.is_some_and(|atom| atom.is_none_or(|atom| truth.holds(atom)));
        let mut situation = BitSet::new(self.fluents.len());
        (0..self.fluents.len())
            .filter(|fluent| so(self.holds[0][*fluent]))
            .for_each(|fluent| situation.insert(fluent));
        let mut able = BitSet::new(self.actions.len());
        let can = |action: &usize| so(self.executable.get(&self.actions[*action]).copied());
        (0..self.actions.len()).filter(can).for_each(|action| able.insert(action));
        Ok(Some((situation, able)))
    }

    /// Such a situation.
    fn admitted(
        &mut self,
        values: &Values,
        held: Option<GoalFact>,
        sought: Sought,
    ) -> Result<Option<Truth>, LogicError> {
        let mut assumed = self.known(values, held);
        match sought {
            Sought::Facts(facts) => {
                for (fluent, truth) in facts {
                    let place = self.fluents.binary_search(fluent).ok();
                    assumed.push((place.and_then(|place| self.holds[0][place]), *truth));
                }
            }
            Sought::Executable(action) => assumed.push((self.executable.get(action).copied(), true)),
        }
        self.answer(&assumed)
    }

    /// Does an invariant prove that what is sought is reached from a situation by no actions, through situations in all of
    /// which one fact, if any, is so?
    ///
    /// # Errors
    /// Solver failures.
    pub fn never(
        &mut self,
        situation: &Situation,
        held: Option<GoalFact>,
        sought: Sought,
    ) -> Result<bool, LogicError> {
        let mut values = values_of(situation, self.fluents.len());
        // clingo says of any values whether a step leaves them, wherever they come from.
        if let Some(ClosedValues { values, .. }) = self.by_rules(&values, held)
            && !self.admits(&values, held, sought)?
            && self.leaving(&values, held)?.is_none()
        {
            return Ok(true);
        }
        self.close(&mut values, held)?;
        Ok(!self.admits(&values, held, sought)?)
    }

    /// Do some facts stay so from any situation on in which all of them are, as long as one fact, if any, does, and is what is
    /// sought not so then?
    ///
    /// # Errors
    /// Solver failures.
    pub fn is_reason(
        &mut self,
        kept: &[GoalFact],
        held: Option<GoalFact>,
        sought: Sought,
    ) -> Result<bool, LogicError> {
        let values = self.values_with(kept);
        Ok(self.admitted(&values, held, sought)?.is_none() && self.leaving(&values, held)?.is_none())
    }

    /// A few facts of a situation for which that is so; none where none are known. Those of a low rank come first.
    ///
    /// # Errors
    /// Solver failures.
    pub fn reason(
        &mut self,
        situation: &Situation,
        held: Option<GoalFact>,
        sought: Sought,
        rank: &dyn Fn(usize) -> usize,
    ) -> Result<Option<Vec<GoalFact>>, LogicError> {
        let mut closed = values_of(situation, self.fluents.len());
        self.close(&mut closed, held)?;
        let fixed: Vec<GoalFact> = closed
            .iter()
            .enumerate()
            .filter(|(_, [no, yes])| no != yes)
            .map(|(fluent, [_, yes])| (fluent, *yes))
            .collect();
        // What names the same things comes first, and what is true.
        let names = |term: &Term| term.constants().map(str::to_owned).collect::<Vec<String>>();
        let mut near: BTreeSet<String> = held.iter().flat_map(|(f, _)| names(&self.fluents[*f])).collect();
        match sought {
            Sought::Facts(facts) => near.extend(facts.iter().flat_map(|(fact, _)| names(fact))),
            Sought::Executable(action) => near.extend(names(action)),
        }
        let mut kept: Vec<GoalFact> = Vec::new();
        loop {
            let values = self.values_with(&kept);
            let against = match self.admitted(&values, held, sought)? {
                None => self.leaving(&values, held)?,
                found => found,
            };
            let Some(against) = against else { break };
            let breaks = |(fluent, truth): &&GoalFact| self.is_so(&against, 0, *fluent) != *truth;
            let order = |(fluent, truth): &&GoalFact| {
                let far = self.fluents[*fluent].constants().filter(|name| !near.contains(*name)).count();
                (rank(*fluent), far, !truth)
            };
            match fixed.iter().filter(breaks).min_by_key(order) {
                Some(fact) => {
                    near.extend(names(&self.fluents[fact.0]));
                    kept.push(*fact);
                }
                None => return Ok(None),
            }
        }
        // What is not needed is left out: all at once that names something, since such facts may need each other alone, and then one
        // after the other, first of all what was added last.
        let named: BTreeSet<String> =
            kept.iter().flat_map(|(fluent, _)| names(&self.fluents[*fluent])).collect();
        for name in named {
            let names = |(fluent, _): &GoalFact| self.fluents[*fluent].mentions(&name);
            let fewer: Vec<GoalFact> = kept.iter().copied().filter(|fact| !names(fact)).collect();
            if fewer.len() < kept.len() && self.is_reason(&fewer, held, sought)? {
                kept = fewer;
            }
        }
        for place in (0..kept.len()).rev() {
            let mut fewer = kept.clone();
            fewer.remove(place);
            if self.is_reason(&fewer, held, sought)? {
                kept = fewer;
            }
        }
        kept.sort_unstable();
        Ok(Some(kept))
    }

    /// All values, but for some facts.
    fn values_with(&self, kept: &[GoalFact]) -> Values {
        let mut values = vec![[true; 2]; self.fluents.len()];
        kept.iter().for_each(|(fluent, truth)| values[*fluent][usize::from(!truth)] = false);
        values
    }
}
