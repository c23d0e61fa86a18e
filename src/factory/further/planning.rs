//! Stories to what they offer to families that list actions: do they lead to a goal, which fails first and why, which is not needed.
//!
//! Wrong plans are near misses: plans of the story with an action exchanged or two changed places, with the objects of a
//! type changed throughout, with the goal of another plan, or plans of another story. Right ones come out of the same changes, too.

use std::collections::BTreeSet;

use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;

use crate::factory::error::FactoryError;
use crate::factory::further::dealing::UsedCell;
use crate::factory::further::gathering::{Gatherer, SayableTerms};
use crate::factory::further::named_objects::NamedObjects;
use crate::factory::further::offers::{Given, Offers, SearchArgument, facts};
use crate::factory::further::proposals::{Fate, MOST_FACTS, Proposal, arguments, fate, length, lengths};
use crate::factory::further::rivals::mated;
use crate::factory::further::search_families::SearchFamily;
use crate::factory::further::searching::{SearchOffer, SearchedStory, changed, verdict};
use crate::factory::further::superfluous::superfluous;
use crate::factory::further::unmet::{requirements_of, why_failure};
use crate::simulate::search::surroundings::{PlayedOut, Surroundings};
use crate::simulate::story::Simulator;

/// Plans that are drawn for each length and story, how often each is changed, and how many of other stories are tried.
const DRAWN_PLANS: usize = 6;
const CHANGED_PLANS: usize = 4;
const PLANS_OF_OTHERS: usize = 6;
/// Goals of other plans that each plan is looked at with.
const OTHER_GOALS: usize = 3;

/// How wrong plans are wrong, at the end of what a cell of `valid_plan` is about.
const MISSED: &str = "goal missed";
const FAILING: &str = "not executable";

/// Cells of `valid_plan` so that of the wrong plans as many miss the goal as cannot be carried out, whichever has more cells.
pub(super) fn by_turns(cells: Vec<UsedCell>) -> Vec<UsedCell> {
    let (missed, failing): (Vec<UsedCell>, Vec<UsedCell>) =
        cells.into_iter().partition(|used| used.cell.detail.ends_with(MISSED));
    let rounds = if missed.is_empty() || failing.is_empty() { 1 } else { missed.len().max(failing.len()) };
    let one = |cells: &[UsedCell], round: usize| cells.get(round % cells.len().max(1)).cloned();
    match rounds {
        1 => missed.into_iter().chain(failing).collect(),
        _ => (0..rounds).flat_map(|round| [one(&missed, round), one(&failing, round)]).flatten().collect(),
    }
}

impl Gatherer<'_> {
    /// Families that list actions.
    pub(super) fn plans(
        &self,
        stage: &Simulator,
        stories: &[SearchedStory],
        wanted: &[(usize, SearchFamily)],
        sayable: &SayableTerms,
        offers: &mut Offers,
        rng: &mut ChaCha8Rng,
    ) -> Result<(), FactoryError> {
        let asks_why = wanted.iter().any(|(_, search)| *search == SearchFamily::WhyFailure);
        let conditions = if asks_why { requirements_of(stage)? } else { Vec::new() };
        let named = NamedObjects::of(&stage.engine);
        let own: Vec<Vec<Proposal>> =
            stories.iter().map(|story| proposals(&story.now, sayable, rng)).collect();
        let mut listed = Vec::new();
        for (number, story) in stories.iter().enumerate() {
            let mut tried: BTreeSet<Proposal> = own[number].iter().cloned().collect();
            for proposal in &own[number] {
                for _ in 0..CHANGED_PLANS {
                    tried.extend(self.changed_plan((stage, &named), &story.now, proposal, sayable, rng));
                }
            }
            let others: Vec<&Proposal> = (own.iter().enumerate())
                .filter(|(other, _)| *other != number)
                .flat_map(|(_, proposals)| proposals)
                .collect();
            tried.extend(others.sample(rng, PLANS_OF_OTHERS).map(|proposal| (*proposal).clone()));
            let tried: Vec<Proposal> = tried.into_iter().collect();
            for family in wanted {
                match family.1 {
                    SearchFamily::ValidPlan => {
                        let mut all: BTreeSet<Proposal> = tried.iter().cloned().collect();
                        all.extend(with_other_goals(&named, &own[number]));
                        let all: Vec<Proposal> = all.into_iter().collect();
                        valid_plan(&named, story, *family, &all, offers);
                    }
                    SearchFamily::FirstFailure => first_failure(story, *family, &tried, offers),
                    SearchFamily::WhyFailure => {
                        let lists: BTreeSet<&[usize]> = tried.iter().map(|p| p.actions.as_slice()).collect();
                        why_failure(&stage.engine, story, *family, (&lists, &conditions), sayable, offers);
                    }
                    SearchFamily::Superfluous | SearchFamily::SuperfluousTwo => {
                        let count = family.1.leaves_out().unwrap_or(1);
                        let found = superfluous((&stage.engine, &named), story, count, sayable, rng);
                        listed.extend(found.into_iter().map(|found| ((story, *family), found)));
                    }
                    SearchFamily::Reuse => self.reuse(story, *family, &own[number], sayable, (offers, rng)),
                    SearchFamily::Generalise => {
                        let layout = (stage, &named);
                        self.generalise(layout, story, *family, &own[number], sayable, (offers, rng));
                    }
                    _ => {}
                }
            }
        }
        for ((story, family), (offer, rivalry)) in mated(listed, |(_, (_, rivalry))| *rivalry, rng) {
            story.add_listed(offers, family, (offer, rivalry));
        }
        Ok(())
    }

    /// A plan with something changed; none where that comes to nothing that can be told.
    fn changed_plan(
        &self,
        (stage, named): (&Simulator, &NamedObjects),
        around: &Surroundings,
        proposal: &Proposal,
        sayable: &SayableTerms,
        rng: &mut ChaCha8Rng,
    ) -> Option<Proposal> {
        let mut changed = proposal.clone();
        let step = rng.random_range(0..changed.actions.len());
        match rng.random_range(0..4) {
            // An action of the same kind about another object.
            0 => {
                let action = &stage.engine.actions[changed.actions[step]];
                let differs = |other: &usize| {
                    let other = &stage.engine.actions[*other];
                    other.is(action.functor(), action.args().len())
                        && other.args().iter().zip(action.args()).filter(|(a, b)| a != b).count() == 1
                };
                let all: Vec<usize> = sayable.actions.iter().filter(differs).collect();
                changed.actions[step] = *all.choose(rng)?;
            }
            // Another action that is possible in its place.
            1 => {
                let PlayedOut::Ends(place) = around.course(&changed.actions[..step]) else { return None };
                let all: Vec<usize> = around.reached[place]
                    .executable
                    .iter()
                    .copied()
                    .filter(|action| *action != changed.actions[step] && sayable.actions.contains(*action))
                    .collect();
                changed.actions[step] = *all.choose(rng)?;
            }
            2 => {
                let next = (step + 1) % changed.actions.len();
                changed.actions.swap(step, next);
            }
            // Two objects of a type in each other's place throughout, so that all hangs together as before.
            _ => changed = self.renamed((stage, named), proposal, rng)?,
        }
        let start = &around.reached[0].situation;
        let is_open = changed.goal.iter().all(|(fluent, truth)| start.contains(*fluent) != *truth);
        let is_told = changed.actions.iter().all(|action| sayable.actions.contains(*action))
            && changed.goal.iter().all(|(fluent, _)| sayable.statable.contains(*fluent));
        (is_open && is_told && changed != *proposal).then_some(changed)
    }

    /// A plan and its goal with two objects of a type in each other's place.
    pub(super) fn renamed(
        &self,
        (stage, named): (&Simulator, &NamedObjects),
        proposal: &Proposal,
        rng: &mut ChaCha8Rng,
    ) -> Option<Proposal> {
        let objects = &stage.layout().objects;
        let one = objects.choose(rng)?;
        let alike: Vec<&str> = objects
            .iter()
            .filter(|other| other.kind == one.kind && other.id != one.id)
            .map(|other| &*other.id)
            .collect();
        named.exchanged(proposal, &one.id, alike.choose(rng)?)
    }
}

/// Plans that can be carried out, with goals that they reach.
fn proposals(around: &Surroundings, sayable: &SayableTerms, rng: &mut ChaCha8Rng) -> Vec<Proposal> {
    let mut found = Vec::new();
    for length in lengths(around) {
        for _ in 0..DRAWN_PLANS {
            let Some((actions, end)) = walk(around, length, sayable, rng) else { continue };
            let count = rng.random_range(1..=MOST_FACTS);
            let from = &around.reached[0].situation;
            let goal = changed(from, &around.reached[end].situation, count, sayable, rng);
            if goal.len() == count {
                found.push(Proposal { actions, goal });
            }
        }
    }
    found
}

/// So many actions that can be carried out one after the other, and where they lead; if possible, nowhere twice.
fn walk(
    around: &Surroundings,
    length: usize,
    sayable: &SayableTerms,
    rng: &mut ChaCha8Rng,
) -> Option<(Vec<usize>, usize)> {
    let (mut actions, mut passed) = (Vec::new(), vec![0]);
    for _ in 0..length {
        let here = passed[passed.len() - 1];
        let told: Vec<(usize, usize)> =
            around.steps(here).filter(|(action, _)| sayable.actions.contains(*action)).collect();
        let new: Vec<(usize, usize)> = told.iter().filter(|(_, to)| !passed.contains(to)).copied().collect();
        let (action, to) = *new.choose(rng).or_else(|| told.choose(rng))?;
        actions.push(action);
        passed.push(to);
    }
    Some((actions, passed[passed.len() - 1]))
}

/// Plans with the goals of others that come after them, all of which they name: most of them miss it, and look as if they did not.
fn with_other_goals(named: &NamedObjects, own: &[Proposal]) -> Vec<Proposal> {
    let of = |(place, proposal): (usize, &Proposal)| -> Vec<Proposal> {
        let others = own[place + 1..].iter().chain(&own[..place]);
        let with_goal =
            |other: &Proposal| Proposal { actions: proposal.actions.clone(), goal: other.goal.clone() };
        let all = others.filter(|other| other.goal != proposal.goal).map(with_goal);
        all.filter(|other| named.names_goal(other)).take(OTHER_GOALS).collect()
    };
    own.iter().enumerate().flat_map(of).collect()
}

/// Do the actions lead to the goal? Plans that name all that it names stand beside each other, since others miss it more often.
fn valid_plan(
    named: &NamedObjects,
    story: &SearchedStory,
    family: (usize, SearchFamily),
    tried: &[Proposal],
    offers: &mut Offers,
) {
    let sizes: BTreeSet<(usize, usize)> = tried.iter().map(|p| (p.actions.len(), p.goal.len())).collect();
    let start = &story.now.reached[0].situation;
    for (actions, count) in sizes {
        let of_size = tried.iter().filter(|p| (p.actions.len(), p.goal.len()) == (actions, count));
        let is_open = |p: &&Proposal| p.goal.iter().all(|(f, truth)| start.contains(*f) != *truth);
        let (mut right, mut missing, mut failing) = (Vec::new(), Vec::new(), Vec::new());
        for proposal in of_size.filter(is_open) {
            match fate(&story.now, proposal) {
                Fate::Reaches => right.push(proposal),
                Fate::Misses => missing.push(proposal),
                Fate::Fails(_) => failing.push(proposal),
                Fate::Unknown => {}
            }
        }
        // Plans that miss the goal and plans that cannot be carried out take turns, each beside right ones.
        for (wrong, how) in [(missing, MISSED), (failing, FAILING)] {
            for (proposal, yes) in
                right.iter().map(|p| (*p, true)).chain(wrong.into_iter().map(|p| (p, false)))
            {
                let before = fate(&story.initially, proposal) == Fate::Reaches;
                let named = if named.names_goal(proposal) { "named" } else { "not all named" };
                let offer = SearchOffer {
                    detail: format!("{actions} actions, {} {named}, {how}", facts(count)),
                    arguments: arguments(proposal),
                    answer: verdict(yes),
                    class: 0,
                    trivial: before == yes,
                    plain: before == yes,
                    effort: length(&proposal.actions),
                };
                story.add(offers, family, offer);
            }
        }
    }
}

/// Which of the actions is the first that cannot be carried out?
fn first_failure(
    story: &SearchedStory,
    family: (usize, SearchFamily),
    tried: &[Proposal],
    offers: &mut Offers,
) {
    let all: BTreeSet<&Vec<usize>> = tried.iter().map(|proposal| &proposal.actions).collect();
    let of = |around: &Surroundings, actions: &[usize]| match around.course(actions) {
        PlayedOut::Fails(step) => Some(step + 1),
        PlayedOut::Ends(_) => Some(0),
        PlayedOut::Unknown => None,
    };
    for actions in all {
        let Some(number) = of(&story.now, actions) else { continue };
        story.add(
            offers,
            family,
            SearchOffer {
                detail: format!("{} actions", actions.len()),
                arguments: vec![SearchArgument::Actions(actions.clone())],
                answer: Given::Term(Term::Number(number as i32)),
                class: number as u32,
                trivial: of(&story.initially, actions) == Some(number),
                plain: of(&story.initially, actions) == Some(number),
                effort: length(actions),
            },
        );
    }
}
