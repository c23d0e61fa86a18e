//! What can ever be so, what fails for want of a condition, and what is cheapest, to clingo's answers.

use racgen_logic::term::Term;

use crate::audit::reread::domains::reading::ReadStory;
use crate::audit::reread::domains::replay::{Solvers, StoryReplay};
use crate::audit::reread::domains::searched::{AskedSearch, FoundBySearch};
use crate::audit::reread::verdict::{Finding, solver};
use crate::factory::further::search_families::LONGEST_WAY;
use crate::simulate::search::by_clingo::{Sought, TermLiteral, several_steps};
use crate::simulate::search::by_invariant::InvariantSearch;
use crate::simulate::search::costs::is_affordable;
use crate::simulate::search::goal::{self, GoalFact};
use crate::simulate::situation::Situation;
use crate::simulate::theory::requirements::requirements;

impl StoryReplay {
    /// Is the claimed cost the least at which a situation becomes one with the goal?
    pub(super) fn is_cheapest(
        &self,
        story: &ReadStory,
        here: &[Term],
        AskedSearch { wanted, prices, least, .. }: &AskedSearch,
    ) -> Result<bool, Finding> {
        let mut within = [false, false];
        for (found, budget) in within.iter_mut().zip([*least, least.saturating_sub(1)]) {
            let program =
                |steps| several_steps(&self.layout, &self.package.package, story.theory.as_ref(), steps);
            let (priced, asked) = ((&*self.compiled.actions, &**prices), (here, &**wanted));
            *found = is_affordable(program, priced, asked, budget, self.limit).map_err(solver)?;
        }
        Ok(within == [true, false])
    }

    /// Can what is sought ever be reached from a situation, through situations in all of which one fact, if any, is so?
    /// A way of bounded length proves that it can, an invariant that it cannot; none where there is neither.
    pub(super) fn ever(
        &self,
        solvers: &mut Solvers,
        story: &ReadStory,
        start: &Situation,
        held: Option<GoalFact>,
        sought: Sought,
    ) -> Result<Option<bool>, Finding> {
        let fluents = &self.compiled.fluents;
        let here: Vec<Term> = start.iter().map(|fluent| fluents[fluent].clone()).collect();
        let keep = held.map(|(fluent, truth)| (&fluents[fluent], truth));
        let search = self.over(solvers, story, LONGEST_WAY)?;
        if search.reaches_keeping(&here, sought, LONGEST_WAY, keep).map_err(solver)? {
            return Ok(Some(true));
        }
        let search = self.invariants(solvers, story)?;
        // What has to stay so must be so to begin with.
        let possible = held.is_none_or(|(fluent, truth)| start.contains(fluent) == truth);
        let never = !possible || search.never(start, held, sought).map_err(solver)?;
        Ok(never.then_some(false))
    }

    /// Which of what is listed can never be so? None where that is not known, or of more than one.
    pub(super) fn never(
        &self,
        solvers: &mut Solvers,
        story: &ReadStory,
        start: &Situation,
        asked: &AskedSearch,
    ) -> Result<Option<FoundBySearch>, Finding> {
        let is_about_actions = asked.family.is_about_actions();
        let (options, terms, kind) = match is_about_actions {
            true => (&asked.actions, &self.compiled.actions, "action"),
            false => (&asked.listed, &self.compiled.fluents, "facts"),
        };
        let mut answers = Vec::new();
        for option in options {
            let fact = [(terms[*option].clone(), true)];
            let sought = match is_about_actions {
                true => Sought::Executable(&terms[*option]),
                false => Sought::Facts(&fact),
            };
            match self.ever(solvers, story, start, asked.held, sought)? {
                Some(true) => {}
                Some(false) => answers.push(terms[*option].clone()),
                None => return Ok(None),
            }
        }
        Ok(match answers.len() {
            0 => Some(FoundBySearch { answers: vec![Term::constant("none")], kind: "none" }),
            1 => Some(FoundBySearch { answers, kind }),
            _ => None,
        })
    }

    /// clingo, ready to find invariants.
    pub(super) fn invariants<'s>(
        &self,
        solvers: &'s mut Solvers,
        story: &ReadStory,
    ) -> Result<&'s mut InvariantSearch, Finding> {
        Ok(match &mut solvers.invariants {
            Some(known) => known,
            open => {
                let program = several_steps(&self.layout, &self.package.package, story.theory.as_ref(), 1);
                let terms = (&self.compiled.fluents[..], &self.compiled.actions[..]);
                open.insert(InvariantSearch::new(program, terms, self.limit).map_err(solver)?)
            }
        })
    }

    /// The only condition of the first action that cannot be carried out that is not met; none where there is no such.
    pub(super) fn unmet(
        &self,
        solvers: &mut Solvers,
        story: &ReadStory,
        start: &Situation,
        actions: &[usize],
    ) -> Result<Option<FoundBySearch>, Finding> {
        let Err(step) = self.course(solvers, start, actions)? else { return Ok(None) };
        let Ok(there) = self.course(solvers, start, &actions[..step])? else { return Ok(None) };
        let program = several_steps(&self.layout, &self.package.package, story.theory.as_ref(), 1);
        let known = requirements(&program, &self.compiled).map_err(solver)?;
        let Some(conditions) = &known[actions[step]] else { return Ok(None) };
        let terms: Vec<TermLiteral> =
            conditions.iter().map(|c| (self.compiled.fluents[c.fluent].clone(), c.value)).collect();
        let search = self.over(solvers, story, 1)?;
        if !search.requires(&self.compiled.actions[actions[step]], &terms).map_err(solver)? {
            return Ok(None);
        }
        let unmet: Vec<Term> = conditions
            .iter()
            .filter(|c| there.contains(c.fluent) != c.value)
            .map(|c| goal::literal(&(c.fluent, c.value), &self.compiled.fluents))
            .collect();
        Ok((unmet.len() == 1).then_some(FoundBySearch { answers: unmet, kind: "facts" }))
    }
}
