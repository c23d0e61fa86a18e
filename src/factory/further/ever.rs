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
use crate::factory::further::lasting_facts::Lasting;
use crate::factory::further::never::never;
use crate::factory::further::offers::{Offers, SearchArgument, SearchEffort};
use crate::factory::further::option_lists::{OptionLister, OptionLook};
use crate::factory::further::proving::{Confined, ConfinedWays, FutureInvariants};
use crate::factory::further::search_families::{LONGEST_WAY, SearchFamily};
use crate::factory::further::searching::{DrawnGoal, SearchOffer, SearchedStory, verdict};
use crate::simulate::search::goal::GoalFact;
use crate::simulate::situation::Situation;
use crate::simulate::story::Simulator;

/// Proofs that are tried for each fact that is to stay true; and of what can be, questions besides those that go with what cannot.
const MOST_PROOFS: usize = 12;
const MOST_BESIDES: usize = 12;
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
        (sayable, lasting): (&SayableTerms, Lasting),
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
        if lasting != Lasting::None {
            let may_last = |fluent: &usize| self.may_last_in(stage, families, *fluent);
            let (new, mut old) = could_last(story, sayable, may_last);
            if lasting == Lasting::New {
                old.clear();
            }
            let chosen = self.known.lasting.chosen(stage, (new, old), rng);
            let facts: Vec<GoalFact> = chosen.iter().map(|held| (*held, true)).collect();
            [&mut now, &mut then].into_iter().for_each(|ways| ways.follow(facts.clone()));
            for held in chosen {
                let ways = (&mut now, &mut then);
                let ends = self.held((stage, story), held, ways, families, sayable, (offers, rng))?;
                let is_new = !story.initially.reached[0].situation.contains(held);
                self.known.lasting.note(stage, (held, is_new), ends);
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

    /// Which facts of a story are to stay true in questions about what can be meanwhile?
    pub(super) fn look_at(
        &mut self,
        stage: &Simulator,
        (initial, last): (&Situation, &Situation),
        families: &[(usize, SearchFamily)],
        sayable: &SayableTerms,
    ) -> Lasting {
        let may_last = |fluent: &usize| last.contains(*fluent) && self.may_last_in(stage, families, *fluent);
        let all = sayable.fluents.iter().copied().filter(may_last);
        let (new, old): (Vec<usize>, Vec<usize>) = all.partition(|fluent| !initial.contains(*fluent));
        self.known.lasting.look_at(stage, (&new, &old))
    }

    /// May a fact stay so in questions of any of some families?
    fn may_last_in(&self, stage: &Simulator, families: &[(usize, SearchFamily)], fluent: usize) -> bool {
        let functor = stage.engine.fluents[fluent].functor();
        families.iter().any(|(family, search)| search.holds() && self.may_last(*family, functor))
    }

    /// May facts of a functor stay so in questions of a family?
    fn may_last(&self, family: usize, functor: &str) -> bool {
        self.lasting.is_empty() || self.lasting.get(&family).is_some_and(|all| all.contains(functor))
    }

    /// Questions about what can be so while something stays true; is there anything that cannot?
    fn held(
        &mut self,
        (stage, story): (&Simulator, &SearchedStory),
        held: usize,
        (now, then): (&mut ConfinedWays, &mut ConfinedWays),
        families: &[(usize, SearchFamily)],
        sayable: &SayableTerms,
        (offers, rng): (&mut Offers, &mut ChaCha8Rng),
    ) -> Result<bool, FactoryError> {
        let (confined, then) = (now.by(Some((held, true))), then.by(Some((held, true))));
        if confined.within(usize::MAX).iter().nth(1).is_none() {
            return Ok(false);
        }
        let mut ends = false;
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
            let settled = self.settled(stage, confined, then, (aims, &lister))?;
            ends |= settled.iter().any(|one| !one.yes);
            for family in own {
                if family.1.is_never() {
                    never(stage, story, family, (Some(held), &settled), (&mut *offers, &mut *rng));
                    continue;
                }
                for SettledAim { aim, yes, before } in with_counterparts(&settled, &lister, rng) {
                    let Some(first) = aim.places(&story.now).iter().next() else { continue };
                    story.add(
                        offers,
                        family,
                        SearchOffer {
                            detail: format!("{functor}, {}", aim.detail(stage)),
                            arguments: vec![SearchArgument::Fluent(held), aim.argument()],
                            answer: verdict(*yes),
                            class: 0,
                            trivial: before == yes,
                            plain: before == yes,
                            effort: story.effort(story.now.reached[first].distance),
                        },
                    );
                }
            }
        }
        Ok(ends)
    }

    /// Which of these can ever be so while something stays true, as far as that is known; each can be so together with it.
    fn settled(
        &mut self,
        stage: &Simulator,
        confined: &mut Confined,
        then: &Confined,
        (mut aims, lister): (Vec<Aim>, &OptionLister),
    ) -> Result<Vec<SettledAim>, FactoryError> {
        let Some((held, truth)) = confined.held else { return Ok(Vec::new()) };
        let now = confined.near;
        let (near, far) = (confined.within(LONGEST_WAY), confined.within(usize::MAX));
        let joint = now.places.of_goal(&[(held, truth)]);
        let before = then.within(usize::MAX);
        // What could be at first by longer ways than are known, could for all that is known if it can now.
        let all_known = then.is_all_known();
        aims.retain(|aim| aim.is_in(now, &joint));
        let (can, mut others): (Vec<Aim>, Vec<Aim>) = aims.into_iter().partition(|aim| aim.is_in(now, &near));
        others.retain(|aim| !aim.is_in(now, &far));
        if others.len() > MOST_PROOFS {
            // Of what may never be so, first what looks like something that can be.
            let look = |aim: &Aim| Some(lister.look(aim.single()?));
            let looks: HashSet<OptionLook> = can.iter().filter_map(look).collect();
            others.sort_by_cached_key(|aim| look(aim).is_none_or(|look| !looks.contains(&look)));
            others.truncate(MOST_PROOFS);
        }
        let mut cannot = Vec::new();
        for aim in others {
            if self.never(stage, confined, &aim)? {
                cannot.push(aim);
            }
        }
        let all = can.into_iter().map(|aim| (aim, true)).chain(cannot.into_iter().map(|aim| (aim, false)));
        let could = |aim: &Aim, yes: bool| aim.is_in(then.near, &before) || yes && !all_known;
        Ok(all.map(|(aim, yes)| SettledAim { before: could(&aim, yes), aim, yes }).collect())
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

/// Facts that could stay true or not: such as the told actions made true, and others.
fn could_last(
    story: &SearchedStory,
    sayable: &SayableTerms,
    may_last: impl Fn(&usize) -> bool,
) -> (Vec<usize>, Vec<usize>) {
    let here = &story.now.reached[0].situation;
    let start = &story.initially.reached[0].situation;
    let ends = |fluent: &usize| story.now.reached.iter().any(|near| !near.situation.contains(*fluent));
    let all = sayable.fluents.iter().copied().filter(|fluent| here.contains(*fluent));
    all.filter(may_last).filter(ends).partition(|fluent| !start.contains(*fluent))
}

/// What cannot be so; of what can be that which looks like it, and that which could not be at first; of the rest, of which there is
/// by far the most, a few.
fn with_counterparts<'s>(
    settled: &'s [SettledAim],
    lister: &OptionLister,
    rng: &mut ChaCha8Rng,
) -> Vec<&'s SettledAim> {
    let (can, cannot): (Vec<&SettledAim>, Vec<&SettledAim>) = settled.iter().partition(|one| one.yes);
    let look = |one: &&SettledAim| one.aim.single().map(|number| lister.look(number));
    let looks: HashSet<OptionLook> = cannot.iter().filter_map(look).collect();
    let is_like =
        |one: &&SettledAim| !looks.is_empty() && look(one).is_some_and(|look| looks.contains(&look));
    let (kept, others): (Vec<&SettledAim>, Vec<&SettledAim>) =
        can.into_iter().partition(|one| !one.before || is_like(one));
    cannot.into_iter().chain(kept).chain(others.sample(rng, MOST_BESIDES).copied()).collect()
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
    let may = |(fluent, truth): &GoalFact| !*truth || sayable.statable.contains(*fluent);
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
