//! Stories to what they offer to families that ask what is true at some time on every way to a goal: landmarks (Hoffmann,
//! Porteous and Sebastia, Ordered Landmarks in Planning, section 2).
//!
//! A fluent is none if a way to the goal is found on which it stays false, and is one if an invariant says that there is
//! no such way, however long. Asked about is what is true on some shortest way and need not be true once the goal is reached,
//! and what looks like a landmark and is none.

use std::collections::BTreeSet;

use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::factory::error::FactoryError;
use crate::factory::further::aims::Aim;
use crate::factory::further::choices::{Options, TermShape, choice, shape};
use crate::factory::further::gathering::SayableTerms;
use crate::factory::further::offers::{Given, Offers, SearchArgument, facts};
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

/// A fluent, and whether it must be true at some time on the way to a goal.
#[derive(Clone, Copy)]
struct Passing {
    fluent: usize,
    must: bool,
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

impl FutureInvariants {
    /// Adds the questions about landmarks that a story offers.
    pub(super) fn landmarks(
        &mut self,
        (stage, story): (&Simulator, &SearchedStory),
        (now, then): (&mut ConfinedWays, &mut ConfinedWays),
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
        let some: Vec<&DrawnGoal> = far.sample(rng, MOST_GOALS).copied().collect();
        let chooses = asked.iter().any(|(_, search)| *search != SearchFamily::Landmark);
        let mut is_offered = false;
        for (number, drawn) in some.into_iter().enumerate() {
            if number >= GOALS && (is_offered || !chooses) {
                break;
            }
            let aim = Aim::Goal(drawn.goal.clone());
            let then = &mut MetThen { places: aim.places(then.near), ways: &mut *then };
            let (mut passed, avoided) = passed(&story.now, drawn, sayable);
            passed.shuffle(rng);
            passed.truncate(FLUENTS);
            let mut found = self.passings(stage, now, drawn, &passed)?;
            let wrong = alike(stage, then, drawn, (&found, &avoided), rng);
            found.extend(wrong.into_iter().map(|fluent| Passing { fluent, must: false }));
            for family in &asked {
                match family.1 {
                    SearchFamily::Landmark => {
                        one_landmark((stage, story, &mut *then), *family, drawn, &found, offers)
                    }
                    _ => {
                        let all = (&mut *offers, &mut *rng);
                        is_offered |= which_landmark((stage, story, &mut *then), *family, drawn, &found, all);
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
                    found.push(Passing { fluent: *fluent, must: false });
                }
                None if proofs < MOST_PROOFS => {
                    proofs += 1;
                    if self.never(stage, avoiding, &aim)? {
                        found.push(Passing { fluent: *fluent, must: true });
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
    then: &mut MetThen,
    drawn: &DrawnGoal,
    (found, avoided): (&[Passing], &[usize]),
    rng: &mut ChaCha8Rng,
) -> BTreeSet<usize> {
    let fluents = &stage.engine.fluents;
    let wanted = goal::term(&drawn.goal, fluents);
    let of = |fluent: usize| shape(&fluents[fluent], &[&wanted]);
    let mut shapes: Vec<TermShape> =
        found.iter().filter(|passing| passing.must).map(|passing| of(passing.fluent)).collect();
    shapes.dedup();
    let mut chosen = BTreeSet::new();
    for own in shapes {
        let mut same: Vec<usize> = avoided.iter().copied().filter(|fluent| of(*fluent) == own).collect();
        same.shuffle(rng);
        same.truncate(LOOKED_AT);
        same.sort_by_cached_key(|fluent| !then.needs(*fluent));
        chosen.extend(same.into_iter().take(ALIKE));
    }
    chosen
}

/// Where a goal is met, if the told actions had not happened.
struct MetThen<'m, 's> {
    ways: &'m mut ConfinedWays<'s>,
    places: BitSet,
}

impl MetThen<'_, '_> {
    /// Would a fluent have to be true at some time, as far as that is known?
    fn needs(&mut self, fluent: usize) -> bool {
        self.ways.by(Some((fluent, false))).distance(&self.places).is_none()
    }
}

/// Must a fluent be true at some time?
fn one_landmark(
    (stage, story, then): (&Simulator, &SearchedStory, &mut MetThen),
    family: (usize, SearchFamily),
    drawn: &DrawnGoal,
    found: &[Passing],
    offers: &mut Offers,
) {
    for Passing { fluent, must } in found {
        let same = then.needs(*fluent) == *must;
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
    (stage, story, then): (&Simulator, &SearchedStory, &mut MetThen),
    family: (usize, SearchFamily),
    drawn: &DrawnGoal,
    found: &[Passing],
    (offers, rng): (&mut Offers, &mut ChaCha8Rng),
) -> bool {
    let of = |must: bool| -> Vec<usize> {
        found.iter().filter(|passing| passing.must == must).map(|passing| passing.fluent).collect()
    };
    let (landmarks, others) = (of(true), of(false));
    let Some(right) = landmarks.choose(rng).copied() else { return false };
    let wanted = goal::term(&drawn.goal, &stage.engine.fluents);
    let chosen = choice(right, &others, (&stage.engine.fluents, &[&wanted]), rng);
    let Some(Options { all, place }) = chosen else { return false };
    let then: Vec<usize> = all.iter().copied().filter(|fluent| then.needs(*fluent)).collect();
    story.add(
        offers,
        family,
        SearchOffer {
            detail: stage.engine.fluents[right].functor().to_owned(),
            arguments: vec![SearchArgument::Goal(drawn.goal.clone()), SearchArgument::Fluents(all)],
            answer: Given::Fact((right, true)),
            class: place as u32,
            trivial: then == [right],
            plain: then == [right],
            effort: story.effort(drawn.distance),
        },
    );
    true
}
