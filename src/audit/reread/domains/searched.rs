//! Questions about goals and plans to clingo's answers, and these against the rows'.
//!
//! That a goal can be reached is an answer set of the domain's program over as many steps, that it cannot is that there is
//! none; listed actions are carried out by clingo step by step.

use std::collections::hash_map::Entry;

use racgen_data::row::Row;
use racgen_logic::term::Term;

use crate::audit::reread::domains::asked::extra;
use crate::audit::reread::domains::origin::OwnLayout;
use crate::audit::reread::domains::reading::ReadStory;
use crate::audit::reread::domains::replay::{Play, Solvers, StoryReplay};
use crate::audit::reread::verdict::{Finding, Trouble, finding, solver};
use crate::audit::reread::voice::{same, same_answer, same_list};
use crate::factory::further::extra_cells::{PLAN_LENGTH, SEARCHED};
use crate::factory::further::judging_searches::{altered, is_as_told};
use crate::factory::further::search_families::{LONGEST_WAY, SearchFamily};
use crate::language::read::family_reader::ReadSlot;
use crate::language::read::name_index::NameIndex;
use crate::language::read::parser::Inverse;
use crate::language::tell::family_question::{DENIED, STATEMENTS};
use crate::phrases::book::PhraseBook;
use crate::simulate::search::by_clingo::{PlanSearch, Sought, TermLiteral, several_steps};
use crate::simulate::search::costs::{KindCost, kinds, prices, total};
use crate::simulate::search::goal::{self, GoalFact, NEGATION, is_met};
use crate::simulate::search::surroundings::Surroundings;
use crate::simulate::situation::Situation;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// How far the first action of a shortest way from the initial situation is looked for.
const FARTHEST: usize = 6;

/// A question of a search, as it was read.
pub(crate) struct AskedSearch {
    /// The search.
    pub(crate) family: SearchFamily,
    pub(super) goal: Vec<GoalFact>,
    pub(super) wanted: Vec<TermLiteral>,
    pub(super) actions: Vec<usize>,
    number: usize,
    /// What has to stay so; for landmarks, what a way would avoid.
    pub(super) held: Option<GoalFact>,
    /// The action of which is asked whether it can ever be carried out.
    pub(super) action: Option<usize>,
    /// What has changed by itself.
    pub(super) changed: Option<Vec<GoalFact>>,
    /// Ways to other goals that are shown.
    shown: Vec<(Vec<usize>, Vec<GoalFact>)>,
    /// The fluents to choose from.
    pub(super) listed: Vec<usize>,
    /// How many actions are the fewest, as the row has it.
    fewest: usize,
    /// By action, what it costs.
    pub(super) prices: Vec<usize>,
    /// The least cost, as the row has it.
    pub(super) least: usize,
}

/// What clingo finds.
pub(super) struct FoundBySearch {
    pub(super) answers: Vec<Term>,
    pub(super) kind: &'static str,
}

/// Fluents, each with whether it is to be true, as a term of this functor.
pub(crate) fn literals_term(functor: &str, literals: &[TermLiteral]) -> Term {
    let literal = |(fluent, truth): &TermLiteral| match truth {
        true => fluent.clone(),
        false => Term::function(NEGATION, vec![fluent.clone()]),
    };
    Term::function(functor, literals.iter().map(literal).collect())
}

impl StoryReplay {
    /// A question of a search, with its terms made whole.
    pub(crate) fn asked_search(
        &self,
        family: SearchFamily,
        slots: &[ReadSlot],
        row: &Row,
    ) -> Result<AskedSearch, Finding> {
        let claim = extra(row, PLAN_LENGTH);
        let mut asked = AskedSearch {
            family,
            goal: Vec::new(),
            wanted: Vec::new(),
            actions: Vec::new(),
            number: 0,
            held: None,
            action: None,
            changed: None,
            shown: Vec::new(),
            listed: Vec::new(),
            fewest: claim.parse().unwrap_or(0),
            prices: Vec::new(),
            least: 0,
        };
        for slot in slots {
            match slot {
                ReadSlot::Goal(literals) => {
                    // What has changed comes before the goal.
                    if family.changes() && asked.changed.is_none() {
                        let fact = |(term, truth): &TermLiteral| Ok((self.index(term)?, *truth));
                        asked.changed = Some(literals.iter().map(fact).collect::<Result<_, Finding>>()?);
                        continue;
                    }
                    // What actions are shown for comes right after them.
                    if family.shows() && !asked.actions.is_empty() {
                        let fact = |(term, truth): &TermLiteral| Ok((self.index(term)?, *truth));
                        let goal = literals.iter().map(fact).collect::<Result<_, Finding>>()?;
                        asked.shown.push((std::mem::take(&mut asked.actions), goal));
                        continue;
                    }
                    for (term, truth) in literals {
                        let fluent = self.index(term)?;
                        asked.goal.push((fluent, *truth));
                        asked.wanted.push((self.compiled.fluents[fluent].clone(), *truth));
                    }
                }
                ReadSlot::Actions(all) => {
                    asked.actions = all.iter().map(|action| self.action(action)).collect::<Result<_, _>>()?;
                }
                ReadSlot::Fluent(term) => {
                    let fluent = self.index(term)?;
                    // What has to stay true comes first, and what is to become true second.
                    if asked.held.is_none() {
                        asked.held = Some((fluent, !family.is_landmark()));
                    } else {
                        asked.goal.push((fluent, true));
                        asked.wanted.push((self.compiled.fluents[fluent].clone(), true));
                    }
                }
                ReadSlot::Action(term) => asked.action = Some(self.action(term)?),
                ReadSlot::Fluents(all) => {
                    asked.listed = all.iter().map(|term| self.index(term)).collect::<Result<_, _>>()?;
                }
                ReadSlot::Costs(all) => self.costs(&mut asked, all, row)?,
                ReadSlot::Number(number) => asked.number = usize::try_from(*number).unwrap_or(0),
                _ => {}
            }
        }
        Ok(asked)
    }

    /// What actions cost, and the least cost of a plan, as the row has it.
    fn costs(&self, asked: &mut AskedSearch, all: &[(Term, i32)], row: &Row) -> Result<(), Finding> {
        let one = |(term, cost): &(Term, i32)| Ok((self.action(term)?, usize::try_from(*cost).unwrap_or(0)));
        let listed: Vec<KindCost> = all.iter().map(one).collect::<Result<_, Finding>>()?;
        asked.prices = prices(&kinds(&self.package.package, &self.compiled.actions), &listed);
        let gold = row.gold.iter().filter_map(|term| term.parse().ok());
        asked.least = match asked.family {
            SearchFamily::Cost => row.answer.parse().unwrap_or(0),
            _ => {
                let plan: Vec<usize> = gold.filter_map(|term| self.action(&term).ok()).collect();
                total(&plan, &asked.prices)
            }
        };
        Ok(())
    }

    /// Answers a question of a search: whether the answer is trivial.
    pub(crate) fn of_search(
        &self,
        solvers: &mut Solvers,
        play: &mut Play,
        story: &ReadStory,
        (asked, query): (&AskedSearch, &Term),
        (inverse, book, names): (&Inverse, &PhraseBook, &NameIndex),
        row: &Row,
    ) -> Result<bool, Finding> {
        let told = match &*row.answer_type {
            "plan" | "action" | "actions" => self.told_actions((inverse, book, names), row)?,
            _ => Vec::new(),
        };
        let [first, last] = [&play.passed[0], &play.passed[play.passed.len() - 1]].map(Situation::clone);
        if is_met(&asked.goal, &last) && !asked.goal.is_empty() {
            return finding(Trouble::Impossible, "the goal is reached before any further action");
        }
        let is_so = |(fluent, truth): GoalFact| last.contains(fluent) == truth;
        if !asked.held.is_none_or(is_so) {
            return finding(Trouble::Impossible, "what is to stay so is not so after the told actions");
        }
        if asked.family.is_never() {
            for action in &asked.actions {
                if solvers.engine.step(&last, *action).map_err(solver)?.is_some() {
                    return finding(
                        Trouble::Impossible,
                        "a listed action can be carried out before any further one",
                    );
                }
            }
        }
        if (asked.family == SearchFamily::WhichLandmark || asked.family.is_never())
            && asked.listed.iter().any(|f| last.contains(*f))
        {
            return finding(Trouble::Impossible, "a listed fact is true before any further action");
        }
        if let Some(action) = asked.action
            && solvers.engine.step(&last, action).map_err(solver)?.is_some()
        {
            return finding(Trouble::Impossible, "the action can be carried out before any further one");
        }
        let found = match asked.family {
            SearchFamily::Recognise => {
                self.served(solvers, story, (&first, &last), play.plan.len(), asked)?
            }
            _ => self.searched(solvers, story, &last, asked, &told)?,
        };
        let Some(found) = found else {
            return finding(
                Trouble::WrongAnswer,
                format!("clingo does not confirm the answer \"{}\"", row.answer),
            );
        };
        let before = match asked.family {
            // What the told actions serve, and what has changed after them, is nothing without them.
            SearchFamily::Recognise | SearchFamily::Replan | SearchFamily::NewPlan => None,
            _ => self.searched(solvers, story, &first, asked, &told)?,
        };
        let gold: Vec<String> = found.answers.iter().map(ToString::to_string).collect();
        same_list("gold", &row.gold, &gold)?;
        same("query", &row.query, &query.to_string())?;
        same("question_type", &row.question_type, asked.family.kind().name())?;
        same("answer_type", &row.answer_type, found.kind)?;
        match found.kind {
            "plan" | "action" | "actions" => {
                let mut told: Vec<Term> = told.iter().map(|a| self.compiled.actions[*a].clone()).collect();
                let mut answers = found.answers.clone();
                // Of several that are no plan the order tells nothing.
                if found.kind == "actions" {
                    [&mut told, &mut answers].into_iter().for_each(|all| all.sort_unstable());
                }
                if told != answers {
                    return finding(
                        Trouble::WrongAnswer,
                        format!("the row says \"{}\", clingo `{}`", row.answer, gold.join(" ")),
                    );
                }
            }
            "facts" => {
                let (said, truth) =
                    row.answer.strip_prefix(DENIED).map_or((&*row.answer, true), |s| (s, false));
                let Some(said) = inverse.says(book, names, said, false) else {
                    return finding(Trouble::Unreadable, format!("the answer \"{}\"", row.answer));
                };
                let said = goal::literal(&(self.index(&said)?, truth), &self.compiled.fluents);
                if found.answers != [said] {
                    return finding(
                        Trouble::WrongAnswer,
                        format!("the row says \"{}\", clingo `{}`", row.answer, gold.join(" ")),
                    );
                }
            }
            _ => same_answer(row, &gold.join(" "))?,
        }
        self.effort_of(solvers, play, asked, row)?;
        Ok(before.is_some_and(|before| before.answers == found.answers))
    }

    /// The actions that the text of an answer says.
    fn told_actions(
        &self,
        (inverse, book, names): (&Inverse, &PhraseBook, &NameIndex),
        row: &Row,
    ) -> Result<Vec<usize>, Finding> {
        let mut told = Vec::new();
        for part in row.answer.split(STATEMENTS) {
            match inverse.says(book, names, part, true) {
                Some(term) => told.push(self.action(&term)?),
                None => return finding(Trouble::Unreadable, format!("the answer, at \"{part}\"")),
            }
        }
        Ok(told)
    }

    /// What clingo answers to a verify question from a situation.
    pub(super) fn yes_or_no(
        &self,
        solvers: &mut Solvers,
        story: &ReadStory,
        start: &Situation,
        asked: &AskedSearch,
    ) -> Result<Option<bool>, Finding> {
        let found = self.searched(solvers, story, start, asked, &[])?;
        Ok(found
            .filter(|found| found.kind == "bool")
            .map(|found| found.answers.iter().any(|a| a.is("yes", 0))))
    }

    /// How many actions are the fewest that reach the goal of a question, by clingo; none where it is too far to tell.
    pub(super) fn fewest(
        &self,
        solvers: &mut Solvers,
        story: &ReadStory,
        start: &Situation,
        asked: &AskedSearch,
    ) -> Result<Option<usize>, Finding> {
        let here: Vec<Term> = start.iter().map(|fluent| self.compiled.fluents[fluent].clone()).collect();
        for steps in 1..=FARTHEST.max(asked.number + 1) {
            let search = self.over(solvers, story, steps)?;
            if search.reaches(&here, &asked.wanted, steps, None).map_err(solver)? {
                return Ok(Some(steps));
            }
        }
        Ok(None)
    }

    pub(super) fn over<'s>(
        &self,
        solvers: &'s mut Solvers,
        story: &ReadStory,
        steps: usize,
    ) -> Result<&'s mut PlanSearch, Finding> {
        match solvers.searches.entry(steps) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(open) => {
                let program =
                    several_steps(&self.layout, &self.package.package, story.theory.as_ref(), steps);
                Ok(open.insert(PlanSearch::new(&program, self.limit).map_err(solver)?))
            }
        }
    }

    /// Where actions lead, by clingo; the number of the first that cannot be carried out, otherwise.
    pub(super) fn course(
        &self,
        solvers: &mut Solvers,
        start: &Situation,
        actions: &[usize],
    ) -> Result<Result<Situation, usize>, Finding> {
        let mut here = start.clone();
        for (step, action) in actions.iter().enumerate() {
            match solvers.engine.step(&here, *action).map_err(solver)? {
                Some(next) => here = next.situation,
                None => return Ok(Err(step)),
            }
        }
        Ok(Ok(here))
    }

    fn reaches(
        &self,
        solvers: &mut Solvers,
        start: &Situation,
        actions: &[usize],
        goal: &[GoalFact],
    ) -> Result<bool, Finding> {
        Ok(self.course(solvers, start, actions)?.is_ok_and(|end| is_met(goal, &end)))
    }

    /// What clingo answers from a situation; none where that is not an answer as it is told.
    fn searched(
        &self,
        solvers: &mut Solvers,
        story: &ReadStory,
        start: &Situation,
        asked: &AskedSearch,
        told: &[usize],
    ) -> Result<Option<FoundBySearch>, Finding> {
        let here: Vec<Term> = start.iter().map(|fluent| self.compiled.fluents[fluent].clone()).collect();
        let action = |number: usize| self.compiled.actions[number].clone();
        let AskedSearch { goal, wanted, actions, number, fewest, .. } = asked;
        let verdict = |yes: bool| FoundBySearch {
            answers: vec![Term::constant(if yes { "yes" } else { "no" })],
            kind: "bool",
        };
        let count =
            |number: usize| FoundBySearch { answers: vec![Term::Number(number as i32)], kind: "number" };
        let plan = || FoundBySearch { answers: told.iter().map(|a| action(*a)).collect(), kind: "plan" };
        Ok(match asked.family {
            SearchFamily::ReachableIn => {
                let search = self.over(solvers, story, *number)?;
                Some(verdict(search.reaches(&here, wanted, *number, None).map_err(solver)?))
            }
            SearchFamily::PlanLength => {
                let search = self.over(solvers, story, *fewest)?;
                let right = search.is_fewest(&here, wanted, *fewest).map_err(solver)?;
                right.then(|| count(*fewest))
            }
            SearchFamily::NextAction => {
                let Some(first) = told.first().map(|only| action(*only)) else { return Ok(None) };
                for steps in 1..=FARTHEST.max(*fewest) {
                    let search = self.over(solvers, story, steps)?;
                    if !search.reaches(&here, wanted, steps, None).map_err(solver)? {
                        continue;
                    }
                    let with = search.reaches(&here, wanted, steps, Some((&first, true))).map_err(solver)?;
                    let without =
                        search.reaches(&here, wanted, steps, Some((&first, false))).map_err(solver)?;
                    let found = FoundBySearch { answers: vec![first], kind: "action" };
                    return Ok((with && !without).then_some(found));
                }
                None
            }
            SearchFamily::NextChoice => {
                for steps in 1..=FARTHEST.max(*fewest) {
                    let search = self.over(solvers, story, steps)?;
                    if !search.reaches(&here, wanted, steps, None).map_err(solver)? {
                        continue;
                    }
                    let mut good = Vec::new();
                    for first in actions.iter().map(|one| action(*one)) {
                        if search.reaches(&here, wanted, steps, Some((&first, true))).map_err(solver)? {
                            good.push(first);
                        }
                    }
                    let found = FoundBySearch { answers: good, kind: "action" };
                    return Ok((found.answers.len() == 1).then_some(found));
                }
                None
            }
            SearchFamily::Replan | SearchFamily::NewPlan => {
                let changed = asked.changed.as_deref().unwrap_or_default();
                let there = altered(start, changed);
                let settled = solvers.engine.consider(&there, None).map_err(solver)?;
                let inertial = &self.compiled.inertial;
                let Some((outcome, _)) =
                    settled.filter(|(outcome, _)| is_as_told(&outcome.situation, &there, inertial, changed))
                else {
                    return Ok(None);
                };
                let terms: Vec<Term> =
                    outcome.situation.iter().map(|f| self.compiled.fluents[f].clone()).collect();
                let search = self.over(solvers, story, *fewest)?;
                let is_fewest = search.is_fewest(&terms, wanted, *fewest).map_err(solver)?;
                if asked.family == SearchFamily::Replan {
                    return Ok(is_fewest.then(|| count(*fewest)));
                }
                let reaches = self.reaches(solvers, &outcome.situation, told, goal)?;
                (is_fewest && told.len() == *fewest && reaches).then(plan)
            }
            SearchFamily::Recognise => None,
            SearchFamily::Plan => {
                let shortest = self.over(solvers, story, told.len())?.is_fewest(&here, wanted, told.len());
                let right = shortest.map_err(solver)? && self.reaches(solvers, start, told, goal)?;
                right.then(plan)
            }
            SearchFamily::Cost => self.is_cheapest(story, &here, asked)?.then(|| count(asked.least)),
            SearchFamily::CheapestPlan => {
                let right = total(told, &asked.prices) == asked.least
                    && self.is_cheapest(story, &here, asked)?
                    && self.reaches(solvers, start, told, goal)?;
                right.then(plan)
            }
            SearchFamily::PlanWithin => {
                let right = told.len() <= *number && self.reaches(solvers, start, told, goal)?;
                right.then(plan)
            }
            SearchFamily::Reuse | SearchFamily::Generalise => {
                let mut right = self.reaches(solvers, start, told, goal)?;
                for (way, other) in &asked.shown {
                    right &= told.len() <= way.len() && self.reaches(solvers, start, way, other)?;
                }
                right.then(plan)
            }
            SearchFamily::ValidPlan => Some(verdict(self.reaches(solvers, start, actions, goal)?)),
            SearchFamily::FirstFailure => {
                let course = self.course(solvers, start, actions)?;
                Some(count(course.map_or_else(|step| step + 1, |_| 0)))
            }
            SearchFamily::WhyFailure => self.unmet(solvers, story, start, actions)?,
            SearchFamily::Ever
            | SearchFamily::EverExecutable
            | SearchFamily::EverWhile
            | SearchFamily::ExecutableWhile => {
                let term = asked.action.map(action);
                let sought = term.as_ref().map_or(Sought::Facts(wanted), Sought::Executable);
                self.ever(solvers, story, start, asked.held, sought)?.map(verdict)
            }
            SearchFamily::NeverTrue
            | SearchFamily::NeverExecutable
            | SearchFamily::NeverTrueWhile
            | SearchFamily::NeverExecutableWhile => self.never(solvers, story, start, asked)?,
            SearchFamily::Landmark => {
                if self.ever(solvers, story, start, None, Sought::Facts(wanted))? != Some(true) {
                    return Ok(None);
                }
                let avoids = self.ever(solvers, story, start, asked.held, Sought::Facts(wanted))?;
                avoids.map(|avoids| verdict(!avoids))
            }
            SearchFamily::WhichLandmark => {
                let mut answers = Vec::new();
                for fluent in &asked.listed {
                    match self.ever(solvers, story, start, Some((*fluent, false)), Sought::Facts(wanted))? {
                        Some(true) => {}
                        Some(false) => answers.push(self.compiled.fluents[*fluent].clone()),
                        None => return Ok(None),
                    }
                }
                let can = self.ever(solvers, story, start, None, Sought::Facts(wanted))? == Some(true);
                (can && answers.len() == 1).then_some(FoundBySearch { answers, kind: "facts" })
            }
            SearchFamily::Superfluous | SearchFamily::SuperfluousTwo => {
                let count = asked.family.leaves_out().unwrap_or(1);
                if actions.len() < count || !self.reaches(solvers, start, actions, goal)? {
                    return Ok(None);
                }
                let mut spare = Vec::new();
                for step in 0..=actions.len() - count {
                    let mut shorter = actions.clone();
                    let left_out: Vec<Term> = shorter.drain(step..step + count).map(action).collect();
                    if self.reaches(solvers, start, &shorter, goal)? {
                        spare.push(left_out);
                    }
                }
                let kind = if count == 1 { "action" } else { "actions" };
                match (spare.pop(), spare.is_empty()) {
                    (None, _) => Some(FoundBySearch { answers: vec![Term::constant("none")], kind: "none" }),
                    (Some(answers), true) => Some(FoundBySearch { answers, kind }),
                    _ => None,
                }
            }
        })
    }

    /// The only listed fluent such that the told actions begin a shortest way to it from the initial situation; none where
    /// there is not exactly one.
    fn served(
        &self,
        solvers: &mut Solvers,
        story: &ReadStory,
        (first, last): (&Situation, &Situation),
        told: usize,
        asked: &AskedSearch,
    ) -> Result<Option<FoundBySearch>, Finding> {
        let terms = |situation: &Situation| -> Vec<Term> {
            situation.iter().map(|fluent| self.compiled.fluents[fluent].clone()).collect()
        };
        let (start, here) = (terms(first), terms(last));
        let mut answers = Vec::new();
        for fluent in &asked.listed {
            let wanted = [(self.compiled.fluents[*fluent].clone(), true)];
            let mut left = None;
            for steps in 1..=LONGEST_WAY {
                if self.over(solvers, story, steps)?.reaches(&here, &wanted, steps, None).map_err(solver)? {
                    left = Some(steps);
                    break;
                }
            }
            let Some(left) = left else { return Ok(None) };
            let sooner = told + left - 1;
            let search = self.over(solvers, story, sooner)?;
            if !search.reaches(&start, &wanted, sooner, None).map_err(solver)? {
                answers.push(wanted[0].0.clone());
            }
        }
        Ok((answers.len() == 1).then_some(FoundBySearch { answers, kind: "facts" }))
    }

    /// The columns of difficulty.
    fn effort_of(
        &self,
        solvers: &mut Solvers,
        play: &mut Play,
        asked: &AskedSearch,
        row: &Row,
    ) -> Result<(), Finding> {
        let given = |name: &str| extra(row, name);
        if asked.family.changes() {
            let length = match asked.family {
                SearchFamily::Replan => row.answer.to_string(),
                _ => row.gold.len().to_string(),
            };
            same(PLAN_LENGTH, &given(PLAN_LENGTH), &length)?;
            return same(SEARCHED, &given(SEARCHED), "");
        }
        if asked.family.is_never() {
            same(PLAN_LENGTH, &given(PLAN_LENGTH), "")?;
            return same(SEARCHED, &given(SEARCHED), "");
        }
        if asked.family.lists() {
            same(PLAN_LENGTH, &given(PLAN_LENGTH), &asked.actions.len().to_string())?;
            return same(SEARCHED, &given(SEARCHED), "");
        }
        let all = self.own(solvers, row)?;
        let Some(own) = all.iter().find(|own| own.is_that_of(&self.compiled)) else { return Ok(()) };
        if play.around.is_none() {
            play.around = Some(self.around(solvers, play, own)?);
        }
        let Some(around) = &play.around else { return Ok(()) };
        // Without anything that has to stay true, a way that there is would have a length, and tell the answer.
        let fewest = match asked.action {
            _ if asked.family.is_ever() && !asked.family.is_landmark() && asked.held.is_none() => None,
            Some(action) => around.distance_to_action(action),
            // Of the listed goals, the one that is the answer.
            None if asked.family == SearchFamily::Recognise => {
                let served = row.gold.first().and_then(|fact| fact.parse::<Term>().ok());
                let served = served.and_then(|fact| self.index(&fact).ok());
                served.and_then(|fluent| around.distance(&[(fluent, true)]))
            }
            None => around.distance(&asked.goal),
        };
        let nearer = fewest.map(|distance| around.nearer(distance).to_string()).unwrap_or_default();
        same(PLAN_LENGTH, &given(PLAN_LENGTH), &fewest.map(|n| n.to_string()).unwrap_or_default())?;
        same(SEARCHED, &given(SEARCHED), &nearer)
    }

    /// What is around the situation after a story.
    fn around(&self, solvers: &mut Solvers, play: &Play, own: &OwnLayout) -> Result<Surroundings, Finding> {
        let last = &play.passed[play.passed.len() - 1];
        let considered = solvers.engine.consider(last, None).map_err(solver)?;
        let can = considered.map(|(outcome, _)| outcome.executable).unwrap_or_default();
        let place = |action: &usize| own.compiled.actions.binary_search(&self.compiled.actions[*action]);
        let possible: Vec<usize> = can.iter().filter_map(|action| place(action).ok()).collect();
        let mut engine = TransitionSystem::of(own.compiled.clone(), self.limit);
        Surroundings::of(&mut engine, last, possible).map_err(solver)
    }
}
