//! What can ever be so, and what cannot, to how that can be seen: a way, or what stays as it is whatever is done.

use racgen_logic::term::Term;

use crate::factory::error::FactoryError;
use crate::factory::further::explaining::CourseBuilder;
use crate::factory::further::gathering::sayable;
use crate::factory::further::judging_searches::invariant_search;
use crate::factory::further::offers::{Given, SearchArgument};
use crate::factory::further::search_families::SearchFamily;
use crate::language::tell::course::{Ending, KeptWhile, Remark};
use crate::simulate::error::SimulationError;
use crate::simulate::search::by_clingo::{Sought, TermLiteral};
use crate::simulate::search::goal::{GoalFact, is_met};
use crate::simulate::search::surroundings::{NearSituation, Surroundings};
use crate::simulate::situation::Situation;

/// What is asked of the future, and under which condition.
struct AskedFuture<'a> {
    held: Option<GoalFact>,
    goal: &'a [GoalFact],
    action: Option<usize>,
}

impl AskedFuture<'_> {
    fn is_reached(&self, near: &NearSituation) -> bool {
        match self.action {
            Some(action) => near.executable.binary_search(&action).is_ok(),
            None => is_met(self.goal, &near.situation),
        }
    }
}

impl CourseBuilder<'_, '_> {
    /// A question about what can ever be so, or must be so on the way.
    pub(super) fn ever(
        &mut self,
        family: SearchFamily,
        arguments: &[SearchArgument],
        answer: &Given,
    ) -> Result<(), FactoryError> {
        let (mut fluents, mut action, mut goal) = (Vec::new(), None, Vec::new());
        let (mut facts, mut actions): (&[usize], &[usize]) = (&[], &[]);
        for argument in arguments {
            match argument {
                SearchArgument::Fluent(fluent) => fluents.push(*fluent),
                SearchArgument::Action(one) => action = Some(*one),
                SearchArgument::Goal(all) => goal.clone_from(all),
                SearchArgument::Fluents(all) => facts = all,
                SearchArgument::Actions(all) => actions = all,
                _ => {}
            }
        }
        goal.extend(fluents.get(1).map(|second| (*second, true)));
        let held = fluents.first().map(|first| (*first, true)).filter(|_| family.holds());
        let can = self.stage.executable(&[&self.here])?.pop().unwrap_or_default();
        let around = Surroundings::of(&mut self.stage.engine, &self.here, can)?;
        let yes = matches!(answer, Given::Term(term) if term.is("yes", 0));
        self.follow(goal.iter().map(|(fluent, _)| *fluent));
        self.follow(held.map(|(fluent, _)| fluent));
        self.follow(facts.iter().copied());
        let asked = AskedFuture { held, goal: &goal, action };
        match family {
            SearchFamily::Landmark | SearchFamily::WhichLandmark => {
                let landmark = match answer {
                    Given::Fact((fluent, _)) => Some(*fluent),
                    _ => fluents.first().copied(),
                };
                let Some(landmark) = landmark else { return Ok(()) };
                let avoided = AskedFuture { held: Some((landmark, false)), ..asked };
                self.follow([landmark]);
                if family == SearchFamily::Landmark && !yes {
                    return self.way(&around, &avoided);
                }
                let here = self.here.clone();
                self.shortest(&goal, None)?;
                let others = facts.iter().copied().filter(|option| *option != landmark).collect();
                self.avoided(&around, &asked, others);
                self.kept(&here, &avoided, KeptWhile::Avoided)
            }
            family if family.is_never() => {
                let is_about_actions = family.is_about_actions();
                let right = match answer {
                    Given::Fluents(all) | Given::Actions(all) => all.first().copied(),
                    _ => None,
                };
                for option in if is_about_actions { actions } else { facts } {
                    let fact = [(*option, true)];
                    let of = AskedFuture {
                        held,
                        goal: if is_about_actions { &[] } else { &fact },
                        action: is_about_actions.then_some(*option),
                    };
                    if right == Some(*option) {
                        let here = self.here.clone();
                        self.kept(&here, &of, KeptWhile::of(held))?;
                    } else if let Some(way) = self.way_to(&around, &of) {
                        let to = (!is_about_actions).then_some(*option);
                        self.course.remarks.push(Remark::Way(to, way));
                    }
                }
                Ok(())
            }
            _ if yes => self.way(&around, &asked),
            _ => {
                let here = self.here.clone();
                self.kept(&here, &asked, KeptWhile::of(held))
            }
        }
    }

    /// A way to what is asked, with the action at its end that is made possible.
    fn way_to(&self, around: &Surroundings, asked: &AskedFuture) -> Option<Vec<usize>> {
        let known = sayable(self.stage.package, self.lexicon, &self.stage.engine);
        let is_sought = |near: &NearSituation| asked.is_reached(near);
        let told = around.way_keeping(asked.held, &|action| known.actions.contains(action), &is_sought);
        let mut way = told.or_else(|| around.way_keeping(asked.held, &|_| true, &is_sought))?;
        way.extend(asked.action);
        Some(way)
    }

    fn way(&mut self, around: &Surroundings, asked: &AskedFuture) -> Result<(), FactoryError> {
        let way = self.way_to(around, asked).unwrap_or_default();
        self.act_all(&way)?;
        let own = asked.goal.iter().map(|(fluent, _)| *fluent);
        self.course.ending = match asked.action {
            Some(_) => Ending::Untold,
            None => Ending::Of(own.collect()),
        };
        Ok(())
    }

    /// Of what is listed beside a landmark, what the way that was told avoids, and ways that avoid the rest.
    fn avoided(&mut self, around: &Surroundings, asked: &AskedFuture, others: Vec<usize>) {
        let way = self.course.events.iter().skip(self.course.told);
        let passed: Vec<Situation> = way.map(|(_, here)| here.clone().into_owned()).collect();
        let (met, never): (Vec<usize>, Vec<usize>) =
            others.into_iter().partition(|option| passed.iter().any(|here| here.contains(*option)));
        if !never.is_empty() {
            self.course.remarks.push(Remark::NeverMet(never));
        }
        for option in met {
            let without = AskedFuture { held: Some((option, false)), ..*asked };
            if let Some(way) = self.way_to(around, &without) {
                self.course.remarks.push(Remark::Avoiding(option, way));
            }
        }
    }

    /// What stays so from a situation on, and keeps what is asked from being reached; that it is never reached, where what
    /// stays so cannot be told.
    fn kept(&mut self, here: &Situation, asked: &AskedFuture, under: KeptWhile) -> Result<(), FactoryError> {
        let engine = &self.stage.engine;
        let known = sayable(self.stage.package, self.lexicon, engine);
        let wanted: Vec<TermLiteral> =
            asked.goal.iter().map(|(f, truth)| (engine.fluents[*f].clone(), *truth)).collect();
        let term: Option<Term> = asked.action.map(|action| engine.actions[action].clone());
        let sought = term.as_ref().map_or(Sought::Facts(&wanted), Sought::Executable);
        let rank = |fluent: usize| usize::from(known.fluents.binary_search(&fluent).is_err());
        let mut search = invariant_search(self.stage)?;
        let found = search.reason(here, asked.held, sought, &rank).map_err(SimulationError::from)?;
        match found.filter(|found| found.iter().all(|(fluent, _)| rank(*fluent) == 0)) {
            Some(found) => {
                self.follow(found.iter().map(|(fluent, _)| *fluent));
                self.course.remarks.push(Remark::Kept(under, found));
            }
            None => self.course.comparison = Some(under.bare()),
        }
        Ok(())
    }
}
