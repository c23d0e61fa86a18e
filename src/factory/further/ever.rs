//! Stories to what they offer to families that ask whether something can ever be so, or be so while something else stays
//! true.
//!
//! That it can be is known by a way that the search finds, and that it cannot by clingo's invariant. What cannot be reached
//! while something stays true could be reached otherwise, and could be true together with it, so that neither a look at the
//! question nor one at the rules tells the answer.

use std::sync::Arc;

use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::error::FactoryError;
use crate::factory::further::aims::{Aim, SettledAim};
use crate::factory::further::gathering::SayableTerms;
use crate::factory::further::judging_searches::invariant_search;
use crate::factory::further::never::never;
use crate::factory::further::offers::{Offers, SearchArgument, SearchEffort};
use crate::factory::further::search_families::{LONGEST_WAY, SearchFamily};
use crate::factory::further::searching::{DrawnGoal, SearchOffer, SearchedStory, verdict};
use crate::simulate::error::SimulationError;
use crate::simulate::search::by_clingo::{Sought, TermLiteral};
use crate::simulate::search::by_invariant::{InvariantSearch, Values, values_of, widen};
use crate::simulate::search::goal::GoalFact;
use crate::simulate::search::surroundings::{NearSituation, Surroundings};
use crate::simulate::search::wandering::wander;
use crate::simulate::situation::BitSet;
use crate::simulate::story::Simulator;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Facts that are to stay true, of each story, and proofs that are tried for each.
const HELD: usize = 4;
const MOST_PROOFS: usize = 12;
/// Goals, and actions, that are tried without such.
const TRIED: usize = 12;
/// The most facts of a goal.
const MOST_FACTS: usize = 2;

/// The program that invariants are found with, once it is needed.
#[derive(Default)]
pub(super) struct FutureInvariants(pub(super) Option<InvariantSearch>);

/// The values that fluents come to have while a fact, if any, stays so, once they are needed.
pub(super) struct Confined<'s> {
    around: &'s Surroundings,
    kept: Vec<Option<usize>>,
    held: Option<GoalFact>,
    closed: Option<Values>,
}

impl<'s> Confined<'s> {
    /// What is around a situation, as far as it is reached while a fact stays so.
    pub(super) fn by(around: &'s Surroundings, held: GoalFact) -> Confined<'s> {
        Confined { around, kept: around.keeping(held), held: Some(held), closed: None }
    }

    /// The fewest actions that lead to what is asked, as far as that is known.
    pub(super) fn distance(&self, aim: &Aim) -> Option<usize> {
        let reached = self.around.reached.iter().zip(&self.kept);
        reached.filter(|(here, _)| aim.is_reached(here)).filter_map(|(_, distance)| *distance).min()
    }
}

impl FutureInvariants {
    fn search(&mut self, stage: &Simulator) -> Result<&mut InvariantSearch, SimulationError> {
        Ok(match &mut self.0 {
            Some(known) => known,
            open => open.insert(invariant_search(stage)?),
        })
    }

    /// Does an invariant prove that something is never reached?
    pub(super) fn never(
        &mut self,
        stage: &Simulator,
        confined: &mut Confined,
        aim: &Aim,
    ) -> Result<bool, FactoryError> {
        let (fluents, actions) = (&stage.engine.fluents, &stage.engine.actions);
        let search = self.search(stage)?;
        let held = confined.held;
        let mut work = || -> Result<bool, SimulationError> {
            if confined.closed.is_none() {
                let reached = &confined.around.reached;
                let mut values = values_of(&reached[0].situation, fluents.len());
                let kept = reached.iter().zip(&confined.kept).filter(|(_, distance)| distance.is_some());
                let kept: Vec<&NearSituation> = kept.map(|(here, _)| here).collect();
                kept.iter().for_each(|here| widen(&mut values, &here.situation));
                let mut engine = TransitionSystem::of(Arc::clone(stage.engine.compiled()), stage.limit());
                wander(&mut engine, &kept, held, &mut values)?;
                search.close(&mut values, held)?;
                confined.closed = Some(values);
            }
            let Some(values) = &confined.closed else { return Ok(false) };
            if let Aim::Fact(fluent) = aim {
                return Ok(!values[*fluent][1]);
            }
            let wanted: Vec<TermLiteral>;
            let sought = match aim {
                Aim::Fact(fluent) => {
                    wanted = vec![(fluents[*fluent].clone(), true)];
                    Sought::Facts(&wanted)
                }
                Aim::Goal(goal) => {
                    wanted = goal.iter().map(|(f, truth)| (fluents[*f].clone(), *truth)).collect();
                    Sought::Facts(&wanted)
                }
                Aim::Action(action) => Sought::Executable(&actions[*action]),
            };
            Ok(!search.admits(values, held, sought)?)
        };
        Ok(work()?)
    }

    /// Adds the questions that a story offers.
    pub(super) fn offer(
        &mut self,
        stage: &Simulator,
        story: &SearchedStory,
        goals: &[DrawnGoal],
        families: &[(usize, SearchFamily)],
        sayable: &SayableTerms,
        (offers, rng): (&mut Offers, &mut ChaCha8Rng),
    ) -> Result<(), FactoryError> {
        let here = &story.now.reached[0];
        let few: Vec<&DrawnGoal> = goals.iter().filter(|drawn| drawn.goal.len() <= MOST_FACTS).collect();
        let later: Vec<usize> = {
            let can = story.now.reached.iter().flat_map(|near| near.executable.iter().copied());
            let mut all: Vec<usize> = can.filter(|action| sayable.actions.contains(*action)).collect();
            all.sort_unstable();
            all.dedup();
            all.retain(|action| here.executable.binary_search(action).is_err());
            all
        };
        // What can be reached from the initial situation only can be asked about where no way leads back there.
        let is_final = story.now.distance_of(&story.initially.reached[0].situation).is_none();
        for family in families.iter().filter(|_| is_final) {
            let aims = match family.1 {
                SearchFamily::Ever | SearchFamily::EverExecutable | SearchFamily::NeverExecutable => {
                    free_aims(stage, story, family.1, (&few, &later), sayable, rng)
                }
                SearchFamily::NeverTrue => {
                    let open = |fluent: &&usize| !here.situation.contains(**fluent);
                    let mut all: Vec<Aim> =
                        sayable.fluents.iter().filter(open).map(|fluent| Aim::Fact(*fluent)).collect();
                    all.shuffle(rng);
                    all
                }
                _ => continue,
            };
            self.free(stage, story, *family, aims, (&mut *offers, &mut *rng))?;
        }
        self.landmarks(stage, story, &few, families, sayable, (&mut *offers, &mut *rng))?;
        if families.iter().any(|(_, search)| search.holds()) {
            for held in held(story, sayable, rng) {
                self.held(stage, story, held, families, sayable, (offers, rng))?;
            }
        }
        Ok(())
    }

    /// Questions about what can ever be so.
    fn free(
        &mut self,
        stage: &Simulator,
        story: &SearchedStory,
        family: (usize, SearchFamily),
        aims: Vec<Aim>,
        (offers, rng): (&mut Offers, &mut ChaCha8Rng),
    ) -> Result<(), FactoryError> {
        let kept = story.now.reached.iter().map(|near| Some(near.distance)).collect();
        let mut confined = Confined { around: &story.now, kept, held: None, closed: None };
        let mut found: Vec<SettledAim> = Vec::new();
        for aim in aims {
            let yes = match confined.distance(&aim) {
                Some(distance) if distance <= LONGEST_WAY => true,
                Some(_) => continue,
                None if self.never(stage, &mut confined, &aim)? => false,
                None => continue,
            };
            let before = yes || story.initially.reached.iter().any(|near| aim.is_reached(near));
            found.push(SettledAim { aim, yes, before });
        }
        // Only where the told actions have put an end to something does it take more than the initial situation to tell.
        if found.iter().all(|settled| settled.yes == settled.before) {
            return Ok(());
        }
        if family.1.is_never() {
            never(stage, story, family, (None, &found), (offers, rng));
            return Ok(());
        }
        for SettledAim { aim, yes, before } in found {
            story.add(
                offers,
                family,
                SearchOffer {
                    detail: aim.detail(stage),
                    arguments: vec![aim.argument()],
                    answer: verdict(yes),
                    class: 0,
                    trivial: before == yes,
                    plain: before == yes,
                    effort: SearchEffort::default(),
                },
            );
        }
        Ok(())
    }

    /// Questions about what can be so while something stays true.
    fn held(
        &mut self,
        stage: &Simulator,
        story: &SearchedStory,
        held: usize,
        families: &[(usize, SearchFamily)],
        sayable: &SayableTerms,
        (offers, rng): (&mut Offers, &mut ChaCha8Rng),
    ) -> Result<(), FactoryError> {
        let mut confined = Confined::by(&story.now, (held, true));
        if confined.kept.iter().flatten().count() < 2 {
            return Ok(());
        }
        let functor = stage.engine.fluents[held].functor();
        for is_about_actions in [false, true] {
            let own: Vec<(usize, SearchFamily)> = families
                .iter()
                .copied()
                .filter(|(_, search)| search.holds() && search.is_about_actions() == is_about_actions)
                .collect();
            if own.is_empty() {
                continue;
            }
            let aims = open_aims(story, held, is_about_actions, sayable, rng);
            let settled = self.settled(stage, story, &mut confined, aims)?;
            for family in own {
                if family.1.is_never() {
                    never(stage, story, family, (Some(held), &settled), (&mut *offers, &mut *rng));
                    continue;
                }
                for SettledAim { aim, yes, before } in &settled {
                    let Some(first) = story.now.reached.iter().find(|near| aim.is_reached(near)) else {
                        continue;
                    };
                    let same = before == yes;
                    story.add(
                        offers,
                        family,
                        SearchOffer {
                            detail: format!("{functor}, {}", aim.detail(stage)),
                            arguments: vec![SearchArgument::Fluent(held), aim.argument()],
                            answer: verdict(*yes),
                            class: 0,
                            trivial: same,
                            plain: same,
                            effort: story.effort(first.distance),
                        },
                    );
                }
            }
        }
        Ok(())
    }

    /// Which of these can ever be so while something stays true, as far as that is known; each can be so together with it.
    fn settled(
        &mut self,
        stage: &Simulator,
        story: &SearchedStory,
        confined: &mut Confined,
        aims: Vec<Aim>,
    ) -> Result<Vec<SettledAim>, FactoryError> {
        let Some((held, truth)) = confined.held else { return Ok(Vec::new()) };
        let (now, then) = (&story.now, &story.initially);
        let kept = &confined.kept;
        let kept_then = then.keeping((held, truth));
        let near = Passed::of(now, |place| kept[place].is_some_and(|distance| distance <= LONGEST_WAY));
        let far = Passed::of(now, |place| kept[place].is_some());
        let joint = Passed::of(now, |place| now.reached[place].situation.contains(held) == truth);
        let before = Passed::of(then, |place| kept_then[place].is_some());
        let (mut found, mut proofs) = (Vec::new(), 0);
        for aim in aims.into_iter().filter(|aim| joint.has(aim)) {
            let yes = near.has(&aim);
            if !yes && (far.has(&aim) || proofs == MOST_PROOFS) {
                continue;
            }
            proofs += usize::from(!yes);
            if yes || self.never(stage, confined, &aim)? {
                found.push(SettledAim { before: before.has(&aim), aim, yes });
            }
        }
        Ok(found)
    }
}

/// What may be asked about while a fact stays true: other statements that are false, or actions that cannot be carried out.
fn open_aims(
    story: &SearchedStory,
    held: usize,
    is_about_actions: bool,
    sayable: &SayableTerms,
    rng: &mut ChaCha8Rng,
) -> Vec<Aim> {
    let here = &story.now.reached[0];
    let mut aims: Vec<Aim> = match is_about_actions {
        true => {
            let open = |action: &usize| here.executable.binary_search(action).is_err();
            sayable.actions.iter().filter(open).map(Aim::Action).collect()
        }
        false => {
            let open = |fluent: &&usize| **fluent != held && !here.situation.contains(**fluent);
            sayable.fluents.iter().filter(open).map(|fluent| Aim::Fact(*fluent)).collect()
        }
    };
    aims.shuffle(rng);
    aims
}

/// What is true, and what can be carried out, somewhere among some situations.
struct Passed {
    facts: BitSet,
    actions: BitSet,
}

impl Passed {
    fn of(around: &Surroundings, counts: impl Fn(usize) -> bool) -> Passed {
        let mut facts = vec![0; around.reached[0].situation.words().len()];
        let mut actions: Vec<u64> = Vec::new();
        for (_, near) in around.reached.iter().enumerate().filter(|(place, _)| counts(*place)) {
            facts.iter_mut().zip(near.situation.words()).for_each(|(all, word)| *all |= word);
            for action in &near.executable {
                actions.resize(actions.len().max(action / 64 + 1), 0);
                actions[action / 64] |= 1 << (action % 64);
            }
        }
        Passed { facts: BitSet::of_words(facts), actions: BitSet::of_words(actions) }
    }

    fn has(&self, aim: &Aim) -> bool {
        match aim {
            Aim::Fact(fluent) => self.facts.contains(*fluent),
            Aim::Goal(goal) => goal.iter().all(|(fluent, _)| self.facts.contains(*fluent)),
            Aim::Action(action) => self.actions.contains(*action),
        }
    }
}

/// Facts that could stay true or not, first of all such as the told actions made true.
fn held(story: &SearchedStory, sayable: &SayableTerms, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let here = &story.now.reached[0].situation;
    let start = &story.initially.reached[0].situation;
    let ends = |fluent: &usize| story.now.reached.iter().any(|near| !near.situation.contains(*fluent));
    let all = sayable.fluents.iter().copied().filter(|fluent| here.contains(*fluent)).filter(ends);
    let (mut old, mut new): (Vec<usize>, Vec<usize>) = all.partition(|fluent| start.contains(*fluent));
    old.shuffle(rng);
    new.shuffle(rng);
    new.truncate(HELD / 2);
    new.into_iter().chain(old).take(HELD).collect()
}

/// What may be asked about without anything that stays true: what the search reached, and what it did not.
fn free_aims(
    stage: &Simulator,
    story: &SearchedStory,
    family: SearchFamily,
    (goals, later): (&[&DrawnGoal], &[usize]),
    sayable: &SayableTerms,
    rng: &mut ChaCha8Rng,
) -> Vec<Aim> {
    if family.is_about_actions() {
        let near = |action: &usize| later.binary_search(action).is_ok();
        let can = &story.now.reached[0].executable;
        let all = sayable.actions.iter().filter(|action| can.binary_search(action).is_err());
        let (some, others): (Vec<usize>, Vec<usize>) = all.partition(near);
        let drawn = |all: &[usize], rng: &mut ChaCha8Rng| {
            all.sample(rng, TRIED).map(|action| Aim::Action(*action)).collect::<Vec<_>>()
        };
        return [drawn(&some, rng), drawn(&others, rng)].concat();
    }
    let mut aims: Vec<Aim> = goals.sample(rng, TRIED).map(|drawn| Aim::Goal(drawn.goal.clone())).collect();
    let here = &story.now.reached[0].situation;
    let may = |(fluent, truth): &GoalFact| !*truth || sayable.fluents.binary_search(fluent).is_ok();
    let open: Vec<GoalFact> = (0..stage.engine.fluents.len())
        .map(|fluent| (fluent, !here.contains(fluent)))
        .filter(|(fluent, truth)| *truth || sayable.deniable.contains(*fluent))
        .filter(may)
        .collect();
    for count in 1..=MOST_FACTS {
        for _ in 0..TRIED {
            let mut goal: Vec<GoalFact> = open.sample(rng, count).copied().collect();
            goal.sort_unstable();
            if goal.len() == count && story.now.distance(&goal).is_none() {
                aims.push(Aim::Goal(goal));
            }
        }
    }
    aims.shuffle(rng);
    aims
}
