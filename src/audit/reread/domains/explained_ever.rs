//! A rationale of what can ever be so to whether its ways lead there, and whether what it says to stay so does.

use racgen_data::row::Row;
use racgen_logic::term::Term;

use crate::audit::reread::domains::asked::extra;
use crate::audit::reread::domains::explained::DueCourse;
use crate::audit::reread::domains::free_ways::{FreeWay, WayLength};
use crate::audit::reread::domains::left_out::Rests;
use crate::audit::reread::domains::reading::ReadStory;
use crate::audit::reread::domains::replay::{Play, Solvers, StoryReplay};
use crate::audit::reread::domains::searched::AskedSearch;
use crate::audit::reread::verdict::{Finding, Trouble, finding, solver};
use crate::factory::further::extra_cells::PLAN_LENGTH;
use crate::factory::further::search_families::SearchFamily;
use crate::language::read::rationale_parser::{Claim, Steps};
use crate::language::tell::course::{Ending, KeptWhile};
use crate::simulate::search::by_clingo::{Sought, TermLiteral};
use crate::simulate::search::goal::{GoalFact, is_met};
use crate::simulate::situation::Situation;

/// Something that is never reached, and as long as what.
struct NeverReached {
    held: Option<GoalFact>,
    goal: Vec<GoalFact>,
    action: Option<usize>,
    under: KeptWhile,
}

impl StoryReplay {
    /// The rationale of a question about what can ever be so, or must be so on the way.
    pub(super) fn ever_explained(
        &self,
        solvers: &mut Solvers,
        (play, story): (&Play, &ReadStory),
        (search, steps): (&AskedSearch, &Steps),
        row: &Row,
    ) -> Result<(), Finding> {
        let gold: Vec<Term> = row.gold.iter().filter_map(|term| term.parse().ok()).collect();
        let family = search.family;
        let (goal, held) = (search.goal.clone(), search.held);
        let mut due = DueCourse { ending: Ending::Untold, ..DueCourse::of(play) };
        let mut never = None;
        let mut others: Vec<usize> = Vec::new();
        let mut followed: Vec<usize> = goal.iter().chain(&held).map(|(fluent, _)| *fluent).collect();
        followed.extend(&search.listed);
        let shortest = || FreeWay {
            goal: goal.clone(),
            length: WayLength::Actions(extra(row, PLAN_LENGTH).parse().unwrap_or(0)),
            first: None,
            last: None,
            held: None,
        };
        let own = |goal: &[GoalFact]| Ending::Of(goal.iter().map(|(fluent, _)| *fluent).collect());
        let (yes, is_about_actions) = (row.answer == "yes", family.is_about_actions());
        if family == SearchFamily::WhichLandmark || family == SearchFamily::Landmark && yes {
            let landmark = gold.first().and_then(|fact| self.index(fact).ok());
            let avoided = landmark.map(|fluent| (fluent, false)).or(held);
            followed.extend(avoided.map(|(fluent, _)| fluent));
            (due.free, due.ending) = (Some(shortest()), own(&goal));
            never = Some((avoided, goal.clone(), None, KeptWhile::Avoided));
        } else if family.is_never() {
            let options = if is_about_actions { &search.actions } else { &search.listed };
            let index = |term: &Term| match is_about_actions {
                true => self.action(term).ok(),
                false => self.index(term).ok(),
            };
            let right = gold.first().and_then(index);
            others = options.iter().copied().filter(|option| Some(*option) != right).collect();
            never = right.map(|right| match is_about_actions {
                true => (held, Vec::new(), Some(right), KeptWhile::of(held)),
                false => (held, vec![(right, true)], None, KeptWhile::of(held)),
            });
        } else if yes || family == SearchFamily::Landmark {
            let last = search.action;
            due.free = Some(FreeWay { length: WayLength::Any, last, held, ..shortest() });
            due.ending = if last.is_some() { Ending::Untold } else { own(&goal) };
        } else {
            never = Some((held, goal.clone(), search.action, KeptWhile::of(held)));
        }
        let never = never.map(|(held, goal, action, under)| NeverReached { held, goal, action, under });
        let claims = steps.read(&row.rationale).unwrap_or_default();
        // Where what stays so cannot be told, it is only said that there is no way.
        let bare = never.as_ref().map(|never| never.under.bare());
        due.comparison = bare.filter(|bare| claims.contains(&Claim::Comparison(bare.clone())));
        let is_bare = due.comparison.is_some();
        let is_of_landmark = |claim: &&Claim| matches!(claim, Claim::NeverMet(_) | Claim::Avoiding(..));
        let of_landmark = claims.iter().filter(is_of_landmark).count();
        due.remarks = others.len() + of_landmark + usize::from(never.is_some() && !is_bare);
        due.rests.push(Rests::Followed(followed));
        let last = play.passed[play.passed.len() - 1].clone();
        let mut remarks = self.explained(&mut solvers.engine, steps, due, row)?;
        if let Some(never) = never.filter(|_| !is_bare) {
            let place = remarks.iter().position(|claim| matches!(claim, Claim::Kept(..)));
            let Some(Claim::Kept(under, kept)) = place.map(|place| remarks.remove(place)) else {
                return finding(Trouble::Rationale, "it does not say what stays so");
            };
            self.stays_so(solvers, story, (&last, &never), (under, &kept))?;
        }
        if family == SearchFamily::WhichLandmark {
            let avoidable = search.listed.iter().copied();
            let landmark = gold.first().and_then(|fact| self.index(fact).ok());
            let avoidable = avoidable.filter(|option| Some(*option) != landmark).collect();
            return self.each_is_avoided(solvers, (&last, &goal), avoidable, &remarks);
        }
        self.each_is_reached(solvers, (&last, held), (others, is_about_actions), &remarks)
    }

    /// Of what is listed, all but the landmark is said to be avoided, and is on the ways that it is said to be avoided on.
    fn each_is_avoided(
        &self,
        solvers: &mut Solvers,
        (last, goal): (&Situation, &[GoalFact]),
        mut avoidable: Vec<usize>,
        remarks: &[Claim],
    ) -> Result<(), Finding> {
        let wrong = |detail: &str| finding(Trouble::Rationale, detail);
        let mut avoided = Vec::new();
        for claim in remarks {
            match claim {
                // Whether these are never true on the way that is told has been looked at.
                Claim::NeverMet(all) => {
                    for fact in all {
                        avoided.push(self.index(fact)?);
                    }
                }
                Claim::Avoiding(fact, actions) => {
                    let option = self.index(fact)?;
                    let mut here = last.clone();
                    let mut is_met_once = here.contains(option);
                    for action in actions {
                        let Some(next) = solvers.engine.step(&here, self.action(action)?).map_err(solver)?
                        else {
                            return wrong("one of its ways cannot be carried out");
                        };
                        here = next.situation;
                        is_met_once |= here.contains(option);
                    }
                    if is_met_once || !is_met(goal, &here) {
                        return wrong("one of its ways does not lead there, or avoids nothing");
                    }
                    avoided.push(option);
                }
                _ => return wrong("it speaks of ways that are not asked about"),
            }
        }
        avoided.sort_unstable();
        avoidable.sort_unstable();
        if avoided == avoidable {
            Ok(())
        } else {
            wrong("it does not say of all others that they are avoided")
        }
    }

    /// What is said to stay so does, and keeps from being reached what is never reached.
    fn stays_so(
        &self,
        solvers: &mut Solvers,
        story: &ReadStory,
        (last, never): (&Situation, &NeverReached),
        (under, kept): (KeptWhile, &[TermLiteral]),
    ) -> Result<(), Finding> {
        let fact = |(term, truth): &TermLiteral| Ok((self.index(term)?, *truth));
        let kept: Vec<GoalFact> = kept.iter().map(fact).collect::<Result<_, Finding>>()?;
        let wanted: Vec<TermLiteral> =
            never.goal.iter().map(|(f, truth)| (self.compiled.fluents[*f].clone(), *truth)).collect();
        let action = never.action.map(|action| self.compiled.actions[action].clone());
        let sought = action.as_ref().map_or(Sought::Facts(&wanted), Sought::Executable);
        let search = self.invariants(solvers, story)?;
        let is_reason = search.is_reason(&kept, never.held, sought).map_err(solver)?;
        match under == never.under && is_met(&kept, last) && is_reason {
            true => Ok(()),
            false => finding(Trouble::Rationale, "what it says to stay so does not, or is no reason"),
        }
    }

    /// By its ways, all that is listed is reached, but what cannot be.
    fn each_is_reached(
        &self,
        solvers: &mut Solvers,
        (last, held): (&Situation, Option<GoalFact>),
        (others, is_about_actions): (Vec<usize>, bool),
        remarks: &[Claim],
    ) -> Result<(), Finding> {
        let wrong = || finding(Trouble::Rationale, "one of its ways leads to none of what is listed");
        if remarks.len() != others.len() {
            return finding(Trouble::Rationale, "it has not a way to each of what is listed");
        }
        for (claim, option) in remarks.iter().zip(others) {
            let Claim::Way(to, actions) = claim else { return wrong() };
            let actions: Vec<usize> =
                actions.iter().map(|action| self.action(action)).collect::<Result<_, _>>()?;
            let mut here = last.clone();
            for (number, action) in actions.iter().enumerate() {
                let Some(next) = solvers.engine.step(&here, *action).map_err(solver)? else { return wrong() };
                here = next.situation;
                let is_bound = !is_about_actions || number + 1 < actions.len();
                if is_bound && held.is_some_and(|held| !is_met(&[held], &here)) {
                    return wrong();
                }
            }
            let is_reached = match is_about_actions {
                true => actions.last() == Some(&option),
                false => {
                    here.contains(option) && to.as_ref().is_some_and(|to| self.index(to).ok() == Some(option))
                }
            };
            if !is_reached {
                return wrong();
            }
        }
        Ok(())
    }
}
