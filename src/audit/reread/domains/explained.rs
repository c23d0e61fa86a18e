//! A rationale to whether it tells what happens, states what is so, leaves nothing out and comes to the row's answer.

use racgen_data::row::Row;
use racgen_logic::term::Term;

use crate::audit::reread::domains::asked::{AskedFurther, extra};
use crate::audit::reread::domains::free_ways::{FreeWay, WayLength};
use crate::audit::reread::domains::left_out::{ReadRationale, Rests, fits};
use crate::audit::reread::domains::origin::OwnLayout;
use crate::audit::reread::domains::reading::ReadStory;
use crate::audit::reread::domains::replay::{Play, Solvers, StoryReplay};
use crate::audit::reread::domains::searched::AskedSearch;
use crate::audit::reread::verdict::{Finding, Trouble, finding, solver};
use crate::factory::further::extra_cells::PLAN_LENGTH;
use crate::factory::further::gathering::names;
use crate::factory::further::judging_searches::altered;
use crate::factory::further::search_families::SearchFamily;
use crate::language::read::family_reader::ReadSlot;
use crate::language::read::rationale_parser::{Claim, Steps};
use crate::language::tell::course::{Comparison, CourseEvent, Ending};
use crate::simulate::narrative::edits::PlanEdit;
use crate::simulate::search::costs::costs;
use crate::simulate::search::goal::{GoalFact, is_met};
use crate::simulate::situation::Situation;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// What a rationale has to tell.
pub(super) struct DueCourse<'r> {
    pub(super) initial: Situation,
    /// What happens, each with the situation after it; why something is impossible is left to the rationale.
    pub(super) events: Vec<(CourseEvent, Situation)>,
    /// How many of them the text tells.
    pub(super) told: usize,
    /// What comes after that, if anything.
    pub(super) free: Option<FreeWay>,
    pub(super) ending: Ending,
    pub(super) comparison: Option<Comparison>,
    /// How much is to be said beside.
    pub(super) remarks: usize,
    /// On what the answer rests.
    pub(super) rests: Vec<Rests<'r>>,
}

impl DueCourse<'_> {
    /// A story that passes these situations.
    pub(super) fn of(play: &Play) -> DueCourse<'static> {
        let passed = play.plan.iter().zip(&play.passed[1..]);
        DueCourse {
            initial: play.passed[0].clone(),
            events: passed.map(|(action, next)| (CourseEvent::Done(*action), next.clone())).collect(),
            told: play.plan.len(),
            free: None,
            ending: Ending::Premises,
            comparison: None,
            remarks: 0,
            rests: Vec::new(),
        }
    }

    fn here(&self) -> &Situation {
        self.events.last().map_or(&self.initial, |(_, here)| here)
    }

    /// Carries out an action, if that is possible, by clingo.
    pub(super) fn act(
        &mut self,
        engine: &mut TransitionSystem,
        action: usize,
        impossible: fn(usize, Vec<usize>) -> CourseEvent,
    ) -> Result<bool, Finding> {
        let here = self.here().clone();
        let outcome = engine.step(&here, action).map_err(solver)?;
        let done = outcome.is_some();
        self.events.push(match outcome {
            Some(outcome) => (CourseEvent::Done(action), outcome.situation),
            None => (impossible(action, Vec::new()), here),
        });
        Ok(done)
    }

    /// Carries out actions as far as they are possible.
    fn act_all(&mut self, engine: &mut TransitionSystem, actions: &[usize]) -> Result<bool, Finding> {
        for action in actions {
            if !self.act(engine, *action, CourseEvent::Impossible)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl StoryReplay {
    /// A rationale, if there is one, tells what is due, states what is so, and comes to the row's answer; what it says beside
    /// is handed back.
    pub(super) fn explained(
        &self,
        engine: &mut TransitionSystem,
        steps: &Steps,
        due: DueCourse,
        row: &Row,
    ) -> Result<Vec<Claim>, Finding> {
        let wrong = |detail: String| finding(Trouble::Rationale, detail);
        let claims = match steps.read(&row.rationale) {
            Ok(claims) => claims,
            Err(rest) => return wrong(format!("it cannot be read at \"{rest}\"")),
        };
        let is_true = |wanted: &Term, here: &Situation| {
            here.iter()
                .any(|f| self.compiled.fluents[f] == *wanted || fits(wanted, &self.compiled.fluents[f]))
        };
        let (mut here, mut before) = (due.initial.clone(), due.initial.clone());
        let mut events: Vec<(CourseEvent, Situation)> = Vec::new();
        let (mut answer, mut comparison, mut beyond) = (None, None, None);
        let mut remarks = Vec::new();
        for claim in &claims {
            if answer.is_some() {
                return wrong("it goes on after its answer".into());
            }
            let bad = match claim {
                Claim::True(all) | Claim::Why(all) => all.iter().find(|f| !is_true(f, &here)),
                Claim::False(all) => all.iter().find(|f| is_true(f, &here)),
                Claim::Gained(all) => all.iter().find(|f| !is_true(f, &here) || is_true(f, &before)),
                Claim::Lost(all) => all.iter().find(|f| is_true(f, &here) || !is_true(f, &before)),
                Claim::Facts(all) => all.iter().find(|fact| !self.is_static(fact)),
                Claim::NothingElse | Claim::Unchanged => None,
                Claim::Answer(text) => {
                    answer = Some(text);
                    None
                }
                Claim::Beyond => {
                    beyond = Some(events.len());
                    None
                }
                Claim::Part(_) => return wrong("it speaks of parts of the question".into()),
                Claim::Missing(_) => return wrong("it says that something is missing".into()),
                Claim::CaseCourse
                | Claim::CaseIdle
                | Claim::CaseAction(_)
                | Claim::CaseFailed(_)
                | Claim::CaseFacts(_)
                | Claim::ThenFacts(..)
                | Claim::ThenAll
                | Claim::ThenPossible
                | Claim::ThenImpossible(_)
                | Claim::ThenAction(..) => return wrong("it supposes what the text tells".into()),
                Claim::Kept(..) | Claim::Way(..) | Claim::Avoiding(..) => {
                    remarks.push(claim.clone());
                    None
                }
                Claim::NeverMet(all) => {
                    remarks.push(claim.clone());
                    let before = due.told.checked_sub(1).and_then(|last| events.get(last));
                    let start = before.map_or(&due.initial, |(_, here)| here);
                    let passed = || events.iter().skip(due.told).map(|(_, here)| here).chain([start]);
                    all.iter().find(|f| passed().any(|here| is_true(f, here)))
                }
                Claim::Comparison(one) => {
                    comparison = Some(one.clone());
                    None
                }
                Claim::Step(_)
                | Claim::Skipped(_)
                | Claim::Impossible(_)
                | Claim::LeftOut(_)
                | Claim::Changed => {
                    let told = self.event(claim)?;
                    let next = match due.events.get(events.len()) {
                        Some((event, next)) if is_same(event, &told) => next.clone(),
                        Some(_) => {
                            return wrong(format!("its step {} is none of the story's", events.len() + 1));
                        }
                        None => {
                            let (CourseEvent::Done(action), Some(_)) = (&told, &due.free) else {
                                return wrong(format!(
                                    "its step {} is none of the story's",
                                    events.len() + 1
                                ));
                            };
                            match engine.step(&here, *action).map_err(solver)? {
                                Some(outcome) => outcome.situation,
                                None => {
                                    return wrong(format!(
                                        "its step {} cannot be carried out",
                                        events.len() + 1
                                    ));
                                }
                            }
                        }
                    };
                    before = std::mem::replace(&mut here, next.clone());
                    events.push((told, next));
                    None
                }
            };
            if let Some(term) = bad {
                return wrong(format!("what it says of `{term}` after {} actions is not so", events.len()));
            }
        }
        let mut due_comparison = due.comparison.clone();
        if let Some(way) = &due.free {
            let told = due.events.len().min(events.len());
            let start = told.checked_sub(1).map_or(&due.initial, |last| &events[last].1);
            if !way.is_taken(&events[told..], start) {
                return wrong("its further actions are no such way as is due".into());
            }
            due_comparison = due_comparison.or_else(|| way.compared(&events[told..]));
        } else if events.len() != due.events.len() {
            return wrong(format!("it has {} steps, the story {}", events.len(), due.events.len()));
        }
        if beyond != (due.told > 0 && due.told < events.len()).then_some(due.told) {
            return wrong("it does not say where the told actions end".into());
        }
        if comparison != due_comparison {
            return wrong("it does not say of other ways what the answer rests on".into());
        }
        match answer {
            Some(answer) if *answer == row.answer => {}
            _ => return wrong(format!("it does not end with the answer \"{}\"", row.answer)),
        }
        let passed: Vec<Situation> =
            std::iter::once(due.initial).chain(events.iter().map(|(_, next)| next.clone())).collect();
        let told = ReadRationale {
            lines: row.rationale.lines().map(|line| steps.read(line).unwrap_or_default()).collect(),
            fluents: &self.compiled.fluents,
            passed: &passed,
            ending: &due.ending,
            is_compared: due_comparison.is_some(),
            remarks: due.remarks,
        };
        match told.left_out(&due.rests) {
            None => Ok(remarks),
            Some(what) => wrong(what),
        }
    }

    /// Of layouts that the story may have come from, one with its fluents.
    fn alike<'o>(&self, all: &'o [OwnLayout]) -> Option<&'o OwnLayout> {
        all.iter().find(|own| own.compiled.fluents == self.compiled.fluents)
    }

    /// What a claim says to happen.
    fn event(&self, claim: &Claim) -> Result<CourseEvent, Finding> {
        Ok(match claim {
            Claim::Skipped(action) => CourseEvent::Skipped(self.action(action)?, Vec::new()),
            Claim::Impossible(action) => CourseEvent::Impossible(self.action(action)?, Vec::new()),
            Claim::LeftOut(action) => CourseEvent::LeftOut(self.action(action)?),
            Claim::Step(action) => CourseEvent::Done(self.action(action)?),
            _ => CourseEvent::Changed,
        })
    }

    /// The rationale of a question about the situations that the story passes.
    pub(super) fn history_explained(
        &self,
        solvers: &mut Solvers,
        play: &Play,
        (story, asked, steps): (&ReadStory, &AskedFurther, &Steps),
        row: &Row,
    ) -> Result<(), Finding> {
        if row.rationale.is_empty() {
            return Ok(());
        }
        let all = self.own(solvers, row)?;
        let own = self.alike(&all);
        let package = &self.package.package;
        let mut due = DueCourse::of(play);
        let gold: Vec<Term> = row.gold.iter().filter_map(|term| term.parse().ok()).collect();
        let fluents =
            |terms: &[Term]| -> Vec<usize> { terms.iter().filter_map(|t| self.index(t).ok()).collect() };
        match asked.slots {
            [ReadSlot::Action(action)] => {
                let action = self.action(action)?;
                due.act(&mut solvers.engine, action, CourseEvent::Impossible)?;
                due.ending = Ending::Untold;
                due.rests.push(Rests::Followed(fluents(&gold)));
            }
            [] | [ReadSlot::Actions(_)] | [ReadSlot::Object(_)] => {
                due.rests.push(Rests::Followed(fluents(&gold)));
                due.rests.push(Rests::Followed(self.once_true(play, story, asked.slots, &gold)));
                let listed = match asked.arguments.as_slice() {
                    [list] => list.args(),
                    _ => &gold,
                };
                let is_action = |term: &&Term| self.compiled.actions.binary_search(term).is_ok();
                for action in listed.iter().filter(is_action) {
                    let question = Term::function("executable", vec![action.clone()]);
                    due.rests.extend(own.and_then(|own| own.rests(package, &question, None)));
                }
            }
            _ => {
                due.ending = Ending::Untold;
                due.rests.push(Rests::Followed(fluents(&asked.arguments)));
            }
        }
        self.explained(&mut solvers.engine, steps, due, row).map(|_| ())
    }

    /// Of a question about all that is true, or true of an object, the fluents that are true at some time: some drop out of
    /// the list, and that has to be seen. None for a list of actions.
    fn once_true(&self, play: &Play, story: &ReadStory, slots: &[ReadSlot], gold: &[Term]) -> Vec<usize> {
        let about = match slots {
            [ReadSlot::Object(object)] => Some(object.functor()),
            [] if gold.iter().any(|term| self.index(term).is_ok()) => None,
            _ => return Vec::new(),
        };
        let of_kinds = self.said(story, None);
        let is_due = |fluent: &usize| {
            let term = &self.compiled.fluents[*fluent];
            of_kinds.contains(term) && about.is_none_or(|object| names(term, object))
        };
        let mut once: Vec<usize> = play.passed.iter().flat_map(Situation::iter).collect();
        once.sort_unstable();
        once.dedup();
        once.into_iter().filter(is_due).collect()
    }

    /// The rationale of a question about an edited story.
    pub(super) fn edit_explained(
        &self,
        solvers: &mut Solvers,
        play: &Play,
        (asked, steps): (&AskedFurther, &Steps),
        question: &Term,
        row: &Row,
    ) -> Result<(), Finding> {
        if row.rationale.is_empty() {
            return Ok(());
        }
        let all = self.own(solvers, row)?;
        let own = self.alike(&all);
        let mut due = DueCourse { events: Vec::new(), ..DueCourse::of(play) };
        for (step, turn) in self.edit(asked)?.turns(&play.plan).into_iter().enumerate() {
            match turn {
                Some(action) => {
                    due.act(&mut solvers.engine, action, CourseEvent::Skipped)?;
                }
                None => {
                    let here = due.here().clone();
                    due.events.push((CourseEvent::LeftOut(play.plan[step]), here));
                }
            }
        }
        due.told = due.events.len();
        due.rests.extend(own.and_then(|own| own.rests(&self.package.package, question, None)));
        self.explained(&mut solvers.engine, steps, due, row).map(|_| ())
    }

    /// The rationale of a question of prediction within another.
    pub(super) fn predicted_explained(
        &self,
        solvers: &mut Solvers,
        play: &Play,
        steps: &Steps,
        question: &Term,
        row: &Row,
    ) -> Result<(), Finding> {
        if row.rationale.is_empty() {
            return Ok(());
        }
        let all = self.own(solvers, row)?;
        let own = self.alike(&all);
        let mut due = DueCourse::of(play);
        due.rests.extend(own.and_then(|own| own.rests(&self.package.package, question, None)));
        self.explained(&mut solvers.engine, steps, due, row).map(|_| ())
    }

    /// The edit that a question names, whose steps are those of the story.
    fn edit(&self, asked: &AskedFurther) -> Result<PlanEdit, Finding> {
        let step = |term: &Term| match term {
            Term::Number(number) => usize::try_from(number - 1).unwrap_or(0),
            _ => 0,
        };
        Ok(match asked.arguments.as_slice() {
            [first] => PlanEdit::Without(step(first)),
            [first, second @ Term::Number(_)] => PlanEdit::Swapped(step(first), step(second)),
            [first, action, ..] => PlanEdit::Instead(step(first), self.action(action)?),
            [] => PlanEdit::Without(0),
        })
    }

    /// The rationale of a question of a search.
    pub(super) fn search_explained(
        &self,
        solvers: &mut Solvers,
        (play, story): (&Play, &ReadStory),
        (search, steps): (&AskedSearch, &Steps),
        row: &Row,
    ) -> Result<(), Finding> {
        if row.rationale.is_empty() {
            return Ok(());
        }
        if search.family.is_ever() {
            return self.ever_explained(solvers, (play, story), (search, steps), row);
        }
        let all = self.own(solvers, row)?;
        let own = self.alike(&all);
        let engine = &mut solvers.engine;
        let gold: Vec<Term> = row.gold.iter().filter_map(|term| term.parse().ok()).collect();
        let actions: Vec<usize> = gold.iter().filter_map(|term| self.action(term).ok()).collect();
        let length: usize = extra(row, PLAN_LENGTH).parse().unwrap_or(0);
        let mut due = DueCourse { ending: Ending::Untold, ..DueCourse::of(play) };
        let mut goal = search.goal.clone();
        let way = |goal: &[GoalFact], first| {
            let (length, goal) = (WayLength::Actions(length), goal.to_vec());
            Some(FreeWay { goal, length, first, last: None, held: None })
        };
        match search.family {
            SearchFamily::ValidPlan => {
                if due.act_all(engine, &search.actions)? {
                    due.ending = Ending::Of(Vec::new());
                }
            }
            SearchFamily::FirstFailure | SearchFamily::WhyFailure => {
                due.act_all(engine, &search.actions)?;
            }
            SearchFamily::Superfluous | SearchFamily::SuperfluousTwo => {
                let place = self.left_out_place(engine, due.here(), search, &actions)?;
                let without = place.map_or(0..0, |place| place..place + actions.len());
                for (step, action) in search.actions.iter().enumerate() {
                    if without.contains(&step) {
                        let here = due.here().clone();
                        due.events.push((CourseEvent::LeftOut(*action), here));
                    } else {
                        due.act(engine, *action, CourseEvent::Impossible)?;
                    }
                }
                due.ending = Ending::Of(Vec::new());
                let needed = match search.family {
                    SearchFamily::Superfluous => Comparison::AllNeeded,
                    _ => Comparison::TwoNeeded,
                };
                due.comparison = place.is_none().then_some(needed);
            }
            SearchFamily::Plan
            | SearchFamily::PlanWithin
            | SearchFamily::Reuse
            | SearchFamily::Generalise => {
                due.act_all(engine, &actions)?;
                due.ending = Ending::Of(Vec::new());
                let is_shortest = search.family == SearchFamily::Plan;
                due.comparison = is_shortest.then_some(Comparison::NoFewer(actions.len()));
            }
            SearchFamily::Replan | SearchFamily::NewPlan => {
                let there = altered(due.here(), search.changed.as_deref().unwrap_or_default());
                let settled = engine.consider(&there, None).map_err(solver)?;
                let there = settled.map_or(there, |(outcome, _)| outcome.situation);
                due.events.push((CourseEvent::Changed, there));
                if search.family == SearchFamily::Replan {
                    due.free = way(&goal, None);
                } else {
                    due.act_all(engine, &actions)?;
                    due.ending = Ending::Of(Vec::new());
                }
                due.comparison = Some(Comparison::NoFewer(length));
            }
            SearchFamily::ReachableIn | SearchFamily::PlanLength => {
                due.free = way(&goal, None);
                due.comparison = Some(Comparison::NoFewer(length));
            }
            SearchFamily::Cost => {
                let length = WayLength::Cost(search.prices.clone(), search.least);
                due.free = Some(FreeWay { goal: goal.clone(), length, first: None, last: None, held: None });
            }
            SearchFamily::CheapestPlan => {
                due.act_all(engine, &actions)?;
                due.ending = Ending::Of(Vec::new());
                due.comparison = Some(Comparison::NoCheaper(costs(&actions, &search.prices)));
            }
            SearchFamily::NextAction | SearchFamily::NextChoice => {
                due.free = way(&goal, actions.first().copied());
                let listed = search.family == SearchFamily::NextChoice;
                due.comparison = Some(if listed { Comparison::OnlyListed } else { Comparison::OnlyFirst });
            }
            SearchFamily::Recognise => {
                goal = gold.iter().filter_map(|fact| Some((self.index(fact).ok()?, true))).collect();
                due.free = way(&goal, None);
                due.comparison = Some(Comparison::Serves);
            }
            _ => return finding(Trouble::Rationale, "questions of this group have none"),
        }
        let own_fluents: Vec<usize> = goal.iter().map(|(fluent, _)| *fluent).collect();
        if due.free.is_some() || due.ending != Ending::Untold {
            due.ending = Ending::Of(own_fluents.clone());
        }
        due.rests.push(Rests::Followed(own_fluents));
        if let (Some(own), Some((CourseEvent::Impossible(action, _), _))) = (own, due.events.last()) {
            let question = Term::function("executable", vec![self.compiled.actions[*action].clone()]);
            due.rests.extend(own.rests(&self.package.package, &question, None));
        }
        self.explained(engine, steps, due, row).map(|_| ())
    }

    /// The place of the actions that can be left out, one right after the other, which the answer says in any order.
    fn left_out_place(
        &self,
        engine: &mut TransitionSystem,
        start: &Situation,
        search: &AskedSearch,
        spare: &[usize],
    ) -> Result<Option<usize>, Finding> {
        let all = &search.actions;
        let sorted = |some: &[usize]| {
            let mut some = some.to_vec();
            some.sort_unstable();
            some
        };
        let is_spare = |place: &usize| {
            all.get(*place..*place + spare.len()).is_some_and(|some| sorted(some) == sorted(spare))
        };
        for place in (0..all.len()).filter(|place| !spare.is_empty() && is_spare(place)) {
            let mut here = Some(start.clone());
            for action in all[..place].iter().chain(&all[place + spare.len()..]) {
                let Some(from) = here else { break };
                here = engine.step(&from, *action).map_err(solver)?.map(|outcome| outcome.situation);
            }
            if here.is_some_and(|end| is_met(&search.goal, &end)) {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }
}

/// Is the same told, whatever the reasons?
fn is_same(one: &CourseEvent, other: &CourseEvent) -> bool {
    match (one, other) {
        (CourseEvent::Skipped(a, _), CourseEvent::Skipped(b, _))
        | (CourseEvent::Impossible(a, _), CourseEvent::Impossible(b, _)) => a == b,
        _ => one == other,
    }
}
