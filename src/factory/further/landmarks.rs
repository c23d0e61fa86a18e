//! Stories to what they offer to families that ask what is true at some time on every way to a goal: landmarks (Hoffmann,
//! Porteous and Sebastia, Ordered Landmarks in Planning, section 2).
//!
//! A fluent is none if a way to the goal is found on which it stays false, and is one if an invariant says that there is
//! no such way, however long. Asked about is what is true on some shortest way and need not be true once the goal is reached,
//! and what looks like a landmark and is none.

use std::collections::{BTreeMap, BTreeSet};

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::error::FactoryError;
use crate::factory::further::aims::Aim;
use crate::factory::further::gathering::SayableTerms;
use crate::factory::further::offers::{Given, Offers, SearchArgument, facts};
use crate::factory::further::option_lists::{OptionList, TermShape, shape};
use crate::factory::further::proving::{ConfinedWays, FutureInvariants};
use crate::factory::further::search_families::{LONGEST_WAY, SearchFamily};
use crate::factory::further::searching::{DrawnGoal, SearchOffer, SearchedStory, verdict};
use crate::simulate::search::goal;
use crate::simulate::search::surroundings::Surroundings;
use crate::simulate::situation::BitSet;
use crate::simulate::story::Simulator;

/// Goals of each story, and how many where those offer no choice; fluents on a shortest way that are looked at for each.
const GOALS: usize = 4;
const MOST_GOALS: usize = 12;
const FLUENTS: usize = 8;
/// Proofs that are tried for each goal.
const MOST_PROOFS: usize = 3;
/// Fluents beside it that are looked at because they look like a landmark, and those that are asked about.
const LOOKED_AT: usize = 12;
const ALIKE: usize = 4;

/// A fluent, and whether it must be true at some time on the way to a goal; and whether it would have to be if the told actions had
/// not happened, as far as that is known.
#[derive(Clone, Copy)]
struct Passing {
    fluent: usize,
    must: bool,
    then: Option<bool>,
}

/// Fluents that are false: those that are true on some shortest way to a goal and need not be true once it is reached, and
/// those that are not true on any.
fn passed(around: &Surroundings, goal: &DrawnGoal, sayable: &SayableTerms) -> (Vec<usize>, Vec<usize>) {
    let true_at = |fluent: usize, place: usize| around.reached[place].situation.contains(fluent);
    let ends = around.places.of_goal(&goal.goal);
    let on_the_way = around.on_the_way(&goal.goal);
    let open = sayable.fluents.iter().copied().filter(|fluent| !true_at(*fluent, 0));
    let (mut some, none): (Vec<usize>, Vec<usize>) =
        open.partition(|fluent| on_the_way.iter().any(|place| true_at(*fluent, *place)));
    some.retain(|fluent| ends.iter().any(|place| !true_at(*fluent, place)));
    (some, none)
}

/// What is named by the facts that the told actions changed.
fn moved<'s>(stage: &'s Simulator, story: &SearchedStory) -> BTreeSet<&'s str> {
    let [here, there] = [&story.now, &story.initially].map(|near| &near.reached[0].situation);
    let fluents = &stage.engine.fluents;
    let changed = (0..fluents.len()).filter(|fluent| here.contains(*fluent) != there.contains(*fluent));
    changed.flat_map(|fluent| fluents[fluent].constants()).collect()
}

impl FutureInvariants<'_> {
    /// Adds the questions about landmarks that a story offers.
    pub(super) fn landmarks<'s>(
        &mut self,
        (stage, story): (&Simulator, &SearchedStory),
        (now, then): (&mut ConfinedWays<'s>, &mut ConfinedWays<'s>),
        goals: &[&DrawnGoal],
        families: &[(usize, SearchFamily)],
        sayable: &SayableTerms,
        (offers, rng): (&mut Offers, &mut ChaCha8Rng),
    ) -> Result<(), FactoryError> {
        let asked: Vec<(usize, SearchFamily)> =
            families.iter().copied().filter(|(_, search)| search.is_landmark()).collect();
        if asked.is_empty() {
            return Ok(());
        }
        let far: Vec<&DrawnGoal> =
            goals.iter().copied().filter(|drawn| (2..=LONGEST_WAY).contains(&drawn.distance)).collect();
        let mut some: Vec<&DrawnGoal> = far.sample(rng, MOST_GOALS).copied().collect();
        // What the told actions did something to comes first, or else it would mostly be as if they had not happened.
        let moved = moved(stage, story);
        let names_moved = |drawn: &DrawnGoal| {
            let fluents = drawn.goal.iter().map(|(fluent, _)| &stage.engine.fluents[*fluent]);
            fluents.flat_map(Term::constants).any(|name| moved.contains(name))
        };
        some.sort_by_key(|drawn| !names_moved(drawn));
        let chooses = asked.iter().any(|(_, search)| *search != SearchFamily::Landmark);
        if !some.is_empty() {
            // Whatever is false may be asked for.
            for ways in [&mut *now, &mut *then] {
                let start = &ways.near.reached[0].situation;
                let open = sayable.fluents.iter().filter(|fluent| !start.contains(**fluent));
                ways.follow(open.map(|fluent| (*fluent, false)).collect());
            }
        }
        let mut is_offered = false;
        for (number, drawn) in some.into_iter().enumerate() {
            if number >= GOALS && (is_offered || !chooses) {
                break;
            }
            let aim = Aim::Goal(drawn.goal.clone());
            let (mut passed, avoided) = passed(&story.now, drawn, sayable);
            passed.shuffle(rng);
            passed.truncate(FLUENTS);
            let mut found = self.passings(stage, now, drawn, &passed)?;
            let mut met = MetThen { places: aim.places(then.near), now: &mut *now, then: &mut *then };
            for passing in &mut found {
                passing.then = met.needs(passing.fluent, passing.must);
            }
            found.extend(alike(stage, &mut met, drawn, (&found, &avoided), rng));
            for passing in found.iter_mut().filter(|passing| passing.must && passing.then.is_none()) {
                let avoiding = then.by(Some((passing.fluent, false)));
                passing.then = self.never(stage, avoiding, &aim)?.then_some(true);
            }
            for family in &asked {
                match family.1 {
                    SearchFamily::Landmark => one_landmark((stage, story), *family, drawn, &found, offers),
                    _ => {
                        let all = (&mut *offers, &mut *rng);
                        is_offered |= which_landmark((stage, story), *family, drawn, &found, all);
                    }
                }
            }
        }
        Ok(())
    }

    /// Which fluents must be true at some time on the way to a goal, as far as that is known.
    fn passings(
        &mut self,
        stage: &Simulator,
        ways: &mut ConfinedWays,
        drawn: &DrawnGoal,
        fluents: &[usize],
    ) -> Result<Vec<Passing>, FactoryError> {
        let aim = Aim::Goal(drawn.goal.clone());
        let places = aim.places(ways.near);
        let (mut found, mut proofs) = (Vec::new(), 0);
        for fluent in fluents {
            let avoiding = ways.by(Some((*fluent, false)));
            match avoiding.distance(&places) {
                Some(distance) if distance <= LONGEST_WAY => {
                    found.push(Passing { fluent: *fluent, must: false, then: None });
                }
                None if proofs < MOST_PROOFS => {
                    proofs += 1;
                    if self.never(stage, avoiding, &aim)? {
                        found.push(Passing { fluent: *fluent, must: true, then: None });
                    }
                }
                _ => {}
            }
        }
        Ok(found)
    }
}

/// Of the fluents that a shortest way avoids, some that look like landmarks to whoever goes by names alone; first of all such
/// as would be landmarks without the told actions.
fn alike(
    stage: &Simulator,
    met: &mut MetThen,
    drawn: &DrawnGoal,
    (found, avoided): (&[Passing], &[usize]),
    rng: &mut ChaCha8Rng,
) -> Vec<Passing> {
    let fluents = &stage.engine.fluents;
    let wanted = goal::term(&drawn.goal, fluents);
    let of = |fluent: usize| shape(&fluents[fluent], &[&wanted]);
    let mut shapes: Vec<TermShape> =
        found.iter().filter(|passing| passing.must).map(|passing| of(passing.fluent)).collect();
    shapes.dedup();
    let mut chosen: BTreeMap<usize, Option<bool>> = BTreeMap::new();
    for own in shapes {
        let mut same: Vec<usize> = avoided.iter().copied().filter(|fluent| of(*fluent) == own).collect();
        same.shuffle(rng);
        same.truncate(LOOKED_AT);
        let mut known: Vec<(usize, Option<bool>)> =
            same.into_iter().map(|fluent| (fluent, met.needs(fluent, false))).collect();
        known.sort_by_key(|(_, then)| *then != Some(true));
        chosen.extend(known.into_iter().take(ALIKE));
    }
    chosen.into_iter().map(|(fluent, then)| Passing { fluent, must: false, then }).collect()
}

/// Where a goal is met, if the told actions had not happened.
struct MetThen<'m, 's> {
    now: &'m mut ConfinedWays<'s>,
    then: &'m mut ConfinedWays<'s>,
    places: BitSet,
}

impl MetThen<'_, '_> {
    /// Would a fluent have to be true at some time, as far as that is known? It is false now, and `must` it be true later?
    ///
    /// Where a way without it leads from one of the two situations to the other, so does what follows from there.
    fn needs(&mut self, fluent: usize, must: bool) -> Option<bool> {
        let (now, then) = (self.now.near, self.then.near);
        let [here, there] = [now, then].map(|near| &near.reached[0].situation);
        if there.contains(fluent) {
            return Some(true);
        }
        let held = Some((fluent, false));
        let avoiding = self.then.by(held);
        let is_avoided = avoiding.distance(&self.places).is_some()
            || !must && then.place_of(here).is_some_and(|place| avoiding.leads_to(place));
        let mut leads_back =
            || must && now.place_of(there).is_some_and(|place| self.now.by(held).leads_to(place));
        if is_avoided { Some(false) } else { leads_back().then_some(true) }
    }
}

/// Must a fluent be true at some time?
fn one_landmark(
    (stage, story): (&Simulator, &SearchedStory),
    family: (usize, SearchFamily),
    drawn: &DrawnGoal,
    found: &[Passing],
    offers: &mut Offers,
) {
    for Passing { fluent, must, then } in found {
        // What nobody knows would have been so cannot be dealt evenly.
        let Some(same) = then.map(|then| then == *must) else { continue };
        let functor = stage.engine.fluents[*fluent].functor();
        story.add(
            offers,
            family,
            SearchOffer {
                detail: format!("{functor}, {}", facts(drawn.goal.len())),
                arguments: vec![SearchArgument::Goal(drawn.goal.clone()), SearchArgument::Fluent(*fluent)],
                answer: verdict(*must),
                class: 0,
                trivial: same,
                plain: same,
                effort: story.effort(drawn.distance),
            },
        );
    }
}

/// Which of four fluents must be true at some time? Is that offered?
fn which_landmark(
    (stage, story): (&Simulator, &SearchedStory),
    family: (usize, SearchFamily),
    drawn: &DrawnGoal,
    found: &[Passing],
    (offers, rng): (&mut Offers, &mut ChaCha8Rng),
) -> bool {
    let of = |must: bool| -> Vec<usize> {
        found.iter().filter(|passing| passing.must == must).map(|passing| passing.fluent).collect()
    };
    let (landmarks, mut others) = (of(true), of(false));
    let Some(right) = landmarks.choose(rng).copied() else { return false };
    let needed_then = |fluent: &usize| {
        found.iter().any(|passing| passing.fluent == *fluent && passing.then.unwrap_or(passing.must))
    };
    others.shuffle(rng);
    others.sort_by_key(|fluent| !needed_then(fluent));
    let wanted = goal::term(&drawn.goal, &stage.engine.fluents);
    // The right one must not stand out by what links its objects at first: what lies in a pile may come to its top.
    let there = story.initially.reached[0].situation.iter();
    let lister = story.lister(&stage.engine, &stage.engine.fluents, vec![&wanted]);
    let lister = lister.linked_initially(there.map(|fluent| &stage.engine.fluents[fluent]));
    let chosen = lister.alike(right, &others, rng);
    let is_offered = !chosen.is_empty();
    for OptionList { all, place, rivalry } in chosen {
        let then: Vec<usize> = all.iter().copied().filter(needed_then).collect();
        let offer = SearchOffer {
            detail: stage.engine.fluents[right].functor().to_owned(),
            arguments: vec![SearchArgument::Goal(drawn.goal.clone()), SearchArgument::Fluents(all)],
            answer: Given::Fact((right, true)),
            class: place as u32,
            trivial: then == [right],
            plain: then == [right],
            effort: story.effort(drawn.distance),
        };
        story.add_listed(offers, family, (offer, Some(rivalry)));
    }
    is_offered
}
