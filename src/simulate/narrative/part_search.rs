//! A story told in part to all of its completions, by clingo alone.
//!
//! `asp/partly.lp` says what a completion is. What is told comes as assumptions (`asp/told_part.lp`), so that a layout is grounded
//! once for each number of actions.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use racgen_logic::clingo::{Program, Search, Truth};
use racgen_logic::error::LogicError;
use racgen_logic::term::Term;

use crate::domain::embedded::axioms;
use crate::simulate::narrative::partly_by_clingo::{PartFacts, StoryWay};

/// The most completions that are listed.
const MOST_WAYS: usize = 400;
/// How many searches are kept.
const KEPT: usize = 8;
/// What may be told of a story, and what is so in a completion.
const TOLD: [(&str, usize); 5] =
    [("complete", 1), ("stated", 1), ("told_action", 2), ("untold", 1), ("one_failed", 0)];
const SHOWN: [(&str, usize); 4] = [("holds", 2), ("executable", 2), ("deed", 2), ("failed", 1)];

/// The searches of one layout, by the number of actions.
#[derive(Default)]
pub struct PartSearches(BTreeMap<usize, PartSearch>);

impl PartSearches {
    /// All completions of a story, in order. `program` is that of what is so in every situation of the layout, for stories of so
    /// many actions.
    ///
    /// # Errors
    /// Solver failures; more completions than a question may have.
    pub fn ways(
        &mut self,
        facts: &PartFacts,
        program: impl FnOnce(usize) -> Program,
        limit: Duration,
    ) -> Result<Vec<StoryWay>, LogicError> {
        let actions = facts.plan.len();
        if !self.0.contains_key(&actions) {
            if self.0.len() == KEPT {
                self.0.clear();
            }
            self.0.insert(actions, PartSearch::new(program(actions), actions, limit)?);
        }
        self.0.get_mut(&actions).map_or_else(|| Ok(Vec::new()), |search| search.ways(facts))
    }
}

/// Of what a completion consists.
#[derive(Clone, Copy)]
enum WayPart {
    Initial,
    End,
    Can,
    Done,
    Failed,
}

/// A search for completions of stories of so many actions.
struct PartSearch {
    search: Search,
    /// What may be told, and the number of its atom.
    told: BTreeMap<Term, u32>,
    /// What a completion may consist of; where there is no number, all have it.
    parts: Vec<(WayPart, Term, Option<u32>)>,
}

impl PartSearch {
    fn new(mut program: Program, actions: usize, limit: Duration) -> Result<PartSearch, LogicError> {
        program.sources.extend([axioms("partly.lp"), axioms("told_part.lp")]);
        let shown: Vec<(&str, usize)> = TOLD.into_iter().chain(SHOWN).collect();
        let search = program.search(&shown, None, limit)?;
        let (first, last) = (Term::Number(0), Term::Number(actions as i32));
        let (mut told, mut parts) = (BTreeMap::new(), Vec::new());
        for (atom, number) in search.atoms() {
            let mut part = |part: WayPart, term: &Term| parts.push((part, term.clone(), number));
            match (atom.functor(), atom.args()) {
                ("holds", [fluent, time]) if !fluent.is("neg", 1) => {
                    if *time == first {
                        part(WayPart::Initial, fluent);
                    }
                    if *time == last {
                        part(WayPart::End, fluent);
                    }
                }
                ("executable", [action, time]) if *time == last => part(WayPart::Can, action),
                ("deed", [..]) => part(WayPart::Done, atom),
                ("failed", [step]) => part(WayPart::Failed, step),
                ("complete" | "stated" | "told_action" | "untold" | "one_failed", _) => {
                    // What is true in no answer set has the number 0, and cannot be assumed.
                    told.extend(number.filter(|number| *number > 0).map(|number| (atom.clone(), number)));
                }
                _ => {}
            }
        }
        Ok(PartSearch { search, told, parts })
    }

    fn ways(&mut self, facts: &PartFacts) -> Result<Vec<StoryWay>, LogicError> {
        let told: BTreeSet<Term> = facts.terms().into_iter().collect();
        // What the layout does not have can be neither stated nor done.
        if told.iter().any(|term| !term.is("complete", 1) && !self.told.contains_key(term)) {
            return Ok(Vec::new());
        }
        let assumed: Vec<(u32, bool)> =
            self.told.iter().map(|(term, number)| (*number, told.contains(term))).collect();
        let found = self.search.truth(&assumed, MOST_WAYS + 1)?;
        if found.len() > MOST_WAYS {
            let message = format!("the story has more than {MOST_WAYS} completions");
            return Err(LogicError::Program { place: "asp/partly.lp".into(), message });
        }
        let untold = facts.plan.iter().position(Option::is_none).map(|step| Term::Number(step as i32 + 1));
        let mut ways: Vec<StoryWay> = found.iter().map(|truth| self.way(truth, &untold)).collect();
        ways.sort_unstable();
        ways.dedup();
        Ok(ways)
    }

    fn way(&self, truth: &Truth, untold: &Option<Term>) -> StoryWay {
        let mut way = StoryWay::default();
        for (part, term, number) in &self.parts {
            if !number.is_none_or(|number| truth.holds(number)) {
                continue;
            }
            match (part, term) {
                (WayPart::Initial, fluent) => way.initial.push(fluent.clone()),
                (WayPart::End, fluent) => way.end.push(fluent.clone()),
                (WayPart::Can, action) => way.can.push(action.clone()),
                (WayPart::Done, deed) => {
                    if let [step, action] = deed.args()
                        && untold.as_ref() == Some(step)
                    {
                        way.untold = Some(action.clone());
                    }
                }
                (WayPart::Failed, Term::Number(step)) => way.failed = Some(*step),
                (WayPart::Failed, _) => {}
            }
        }
        way.initial.sort_unstable();
        way.end.sort_unstable();
        way.can.sort_unstable();
        way
    }
}
