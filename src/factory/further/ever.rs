//! Stories to what they offer to families that ask whether something can ever be so, or be so while something else stays
//! true.
//!
//! That it can be is known by a way that the search finds, and that it cannot by an invariant. What cannot be reached
//! while something stays true could be reached otherwise, and could be true together with it, so that neither a look at the
//! question nor one at the rules tells the answer.

use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rustc_hash::FxHashSet as HashSet;

use crate::factory::error::FactoryError;
use crate::factory::further::aims::{Aim, SettledAim};
use crate::factory::further::gathering::SayableTerms;
use crate::factory::further::never::never;
use crate::factory::further::offers::{Offers, SearchArgument, SearchEffort};
use crate::factory::further::option_lists::{OptionLister, OptionLook};
use crate::factory::further::proving::{Confined, ConfinedWays, FutureInvariants};
use crate::factory::further::search_families::{LONGEST_WAY, SearchFamily};
use crate::factory::further::searching::{DrawnGoal, SearchOffer, SearchedStory, verdict};
use crate::simulate::search::goal::GoalFact;
use crate::simulate::search::surroundings::Surroundings;
use crate::simulate::story::Simulator;

/// Facts that are to stay true, of each story, and proofs that are tried for each.
const HELD: usize = 6;
const MOST_PROOFS: usize = 12;
/// Goals, and actions, that are tried without such.
const TRIED: usize = 12;
/// The most facts of a goal.
const MOST_FACTS: usize = 2;

impl FutureInvariants<'_> {
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
        // What can be reached from the initial situation only can be asked about where no way leads back there.
        let is_final = story.now.distance_of(&story.initially.reached[0].situation).is_none();
        let [mut now, mut then] = [&story.now, &story.initially].map(ConfinedWays::of);
        for family in families.iter().filter(|_| is_final) {
            let aims = match family.1 {
                SearchFamily::Ever | SearchFamily::EverExecutable | SearchFamily::NeverExecutable => {
                    free_aims((stage, story), family.1, &few, sayable, rng)
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
            self.free((stage, story), &mut now, *family, aims, (&mut *offers, &mut *rng))?;
        }
        let ways = (&mut now, &mut then);
        self.landmarks((stage, story), ways, &few, families, sayable, (&mut *offers, &mut *rng))?;
        if families.iter().any(|(_, search)| search.holds()) {
            let may_last = |fluent: &usize| {
                let functor = stage.engine.fluents[*fluent].functor();
                families.iter().any(|(family, search)| search.holds() && self.may_last(*family, functor))
            };
            for held in held(story, sayable, may_last, rng) {
                self.held((stage, story), held, &mut now, families, sayable, (offers, rng))?;
            }
        }
        Ok(())
    }

    /// Questions about what can ever be so.
    fn free(
        &mut self,
        (stage, story): (&Simulator, &SearchedStory),
        now: &mut ConfinedWays,
        family: (usize, SearchFamily),
        aims: Vec<Aim>,
        (offers, rng): (&mut Offers, &mut ChaCha8Rng),
    ) -> Result<(), FactoryError> {
        let confined = now.by(None);
        let then = &story.initially;
        let mut found: Vec<SettledAim> = Vec::new();
        for aim in aims {
            let yes = match confined.distance(&aim.places(confined.near)) {
                Some(distance) if distance <= LONGEST_WAY => true,
                Some(_) => continue,
                None if self.never(stage, confined, &aim)? => false,
                None => continue,
            };
            let before = yes || aim.is_in(then, then.places.all());
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

    /// May facts of a functor stay so in questions of a family?
    fn may_last(&self, family: usize, functor: &str) -> bool {
        self.lasting.is_empty() || self.lasting.get(&family).is_some_and(|all| all.contains(functor))
    }

    /// Questions about what can be so while something stays true.
    fn held(
        &mut self,
        (stage, story): (&Simulator, &SearchedStory),
        held: usize,
        now: &mut ConfinedWays,
        families: &[(usize, SearchFamily)],
        sayable: &SayableTerms,
        (offers, rng): (&mut Offers, &mut ChaCha8Rng),
    ) -> Result<(), FactoryError> {
        let confined = now.by(Some((held, true)));
        if confined.within(usize::MAX).iter().nth(1).is_none() {
            return Ok(());
        }
        let functor = stage.engine.fluents[held].functor();
        for is_about_actions in [false, true] {
            let own: Vec<(usize, SearchFamily)> = families
                .iter()
                .copied()
                .filter(|(_, search)| search.holds() && search.is_about_actions() == is_about_actions)
                .filter(|(family, _)| self.may_last(*family, functor))
                .collect();
            if own.is_empty() {
                continue;
            }
            let aims = open_aims(story, held, is_about_actions, sayable, rng);
            let held_term = &stage.engine.fluents[held];
            let terms = if is_about_actions { &stage.engine.actions } else { &stage.engine.fluents };
            let lister = story.lister(&stage.engine, terms, vec![held_term]);
            let settled = self.settled(stage, confined, &story.initially, (aims, &lister))?;
            for family in own {
                if family.1.is_never() {
                    never(stage, story, family, (Some(held), &settled), (&mut *offers, &mut *rng));
                    continue;
                }
                for SettledAim { aim, yes, before } in &settled {
                    let Some(first) = aim.places(&story.now).iter().next() else { continue };
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
                            effort: story.effort(story.now.reached[first].distance),
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
        confined: &mut Confined,
        then: &Surroundings,
        (mut aims, lister): (Vec<Aim>, &OptionLister),
    ) -> Result<Vec<SettledAim>, FactoryError> {
        let Some((held, truth)) = confined.held else { return Ok(Vec::new()) };
        let now = confined.near;
        let (near, far) = (confined.within(LONGEST_WAY), confined.within(usize::MAX));
        let joint = now.places.of_goal(&[(held, truth)]);
        let kept_then = then.keeping((held, truth));
        let before = then.places.that(|place| kept_then[place].is_some());
        aims.retain(|aim| aim.is_in(now, &joint));
        // Of what may never be so, first what looks like something that can be.
        let look = |aim: &Aim| Some(lister.look(aim.single()?));
        let can: HashSet<OptionLook> =
            aims.iter().filter(|aim| aim.is_in(now, &near)).filter_map(look).collect();
        aims.sort_by_cached_key(|aim| look(aim).is_none_or(|look| !can.contains(&look)));
        let (mut found, mut proofs) = (Vec::new(), 0);
        for aim in aims {
            let yes = aim.is_in(now, &near);
            if !yes && (aim.is_in(now, &far) || proofs == MOST_PROOFS) {
                continue;
            }
            proofs += usize::from(!yes);
            if yes || self.never(stage, confined, &aim)? {
                found.push(SettledAim { before: aim.is_in(then, &before), aim, yes });
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

/// Facts that could stay true or not, first of all such as the told actions made true.
fn held(
    story: &SearchedStory,
    sayable: &SayableTerms,
    may_last: impl Fn(&usize) -> bool,
    rng: &mut ChaCha8Rng,
) -> Vec<usize> {
    let here = &story.now.reached[0].situation;
    let start = &story.initially.reached[0].situation;
    let ends = |fluent: &usize| story.now.reached.iter().any(|near| !near.situation.contains(*fluent));
    let all = sayable.fluents.iter().copied().filter(|fluent| here.contains(*fluent)).filter(ends);
    let all = all.filter(may_last);
    let (mut old, mut new): (Vec<usize>, Vec<usize>) = all.partition(|fluent| start.contains(*fluent));
    old.shuffle(rng);
    new.shuffle(rng);
    new.truncate(HELD / 2);
    new.into_iter().chain(old).take(HELD).collect()
}

/// What may be asked about without anything that stays true: what the search reached, and what it did not.
fn free_aims(
    (stage, story): (&Simulator, &SearchedStory),
    family: SearchFamily,
    goals: &[&DrawnGoal],
    sayable: &SayableTerms,
    rng: &mut ChaCha8Rng,
) -> Vec<Aim> {
    if family.is_about_actions() {
        let near = |action: &usize| !story.now.places_of_action(*action).is_empty();
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
