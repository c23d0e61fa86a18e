//! Stories to others from the same situations whose actions begin a shortest way to something.
//!
//! Actions that are drawn for themselves hardly ever all serve one end where many other things can be done.

use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, IteratorRandom};

use crate::domain::package::Package;
use crate::factory::error::FactoryError;
use crate::factory::further::gathering::sayable;
use crate::factory::further::search_families::SearchFamily;
use crate::language::words::lexicon::Lexicon;
use crate::phrases::book::FamilyPhrases;
use crate::simulate::search::surroundings::Surroundings;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::story::{Simulator, Story};
use crate::simulate::transitions::transition_system::TransitionSystem;

/// For how many stories at once.
pub(crate) const BEGUN: usize = 8;

/// How many beginnings of a way are gone on from, for each story.
const BEGINNINGS: usize = 4;

/// How many actions it takes at least until a fluent is true: what the search around a situation knows, and where it ends, one
/// more if no action that can come next there makes the fluent true.
pub(super) fn least(engine: &TransitionSystem, around: &Surroundings, fluent: usize) -> usize {
    if let Some(distance) = around.distance(&[(fluent, true)]) {
        return distance;
    }
    if around.exhausted {
        return usize::MAX;
    }
    let outermost = || around.layer(around.radius).map(|place| &around.reached[place].executable);
    let makers = engine.compiled().changers().of(fluent, true);
    match makers.filter(|_| engine.inertial.contains(fluent)) {
        Some(makers) if !outermost().any(|can| makers.iter().any(|a| can.binary_search(a).is_ok())) => {
            around.radius + 2
        }
        _ => around.radius + 1,
    }
}

/// Does a family ask what told actions serve?
pub(crate) fn is_of_begun_ways(family: &FamilyPhrases) -> bool {
    SearchFamily::of(family) == Some(SearchFamily::Recognise)
}

/// For each story one from the same situation, if there is one with as many actions which begin a shortest way to a fact that
/// it does not reach.
pub(crate) fn begun_ways(
    stage: &mut Simulator,
    (package, lexicon): (&Package, &Lexicon),
    stories: &[&Story],
    rngs: &mut [ChaCha8Rng],
) -> Result<Vec<Story>, FactoryError> {
    let sayable = sayable(package, lexicon, &stage.engine);
    let may = |fluent: usize| sayable.statable.contains(fluent);
    let mut begun: Vec<(&Situation, Vec<usize>)> = Vec::new();
    for (story, rng) in stories.iter().zip(rngs) {
        let around = Surroundings::of(&mut stage.engine, &story.initial, story.possible.clone())?;
        for _ in 0..BEGINNINGS {
            if let Some(plan) = begun_way(stage, &around, story.plan.len(), &may, rng)? {
                begun.push((&story.initial, plan));
                break;
            }
        }
    }
    let tales: Vec<(&Situation, &[usize])> = begun.iter().map(|(start, plan)| (*start, &**plan)).collect();
    Ok(stage.retell_all(&tales, &[])?.into_iter().flatten().collect())
}

/// So many actions that begin a shortest way.
fn begun_way(
    stage: &mut Simulator,
    around: &Surroundings,
    depth: usize,
    may: &dyn Fn(usize) -> bool,
    rng: &mut ChaCha8Rng,
) -> Result<Option<Vec<usize>>, FactoryError> {
    let first = around.radius.min(depth);
    let size = stage.engine.fluents.len();
    let mut known = BitSet::new(size);
    for place in 0..around.layer(first).start {
        around.reached[place].situation.iter().for_each(|fluent| known.insert(fluent));
    }
    // A situation in which something is true that is so in no nearer one.
    let is_new = |place: &usize| around.reached[*place].situation.iter().any(|f| !known.contains(f));
    let Some(place) = around.layer(first).filter(is_new).choose(rng) else { return Ok(None) };
    let here = &around.reached[place];
    let next = Surroundings::of(&mut stage.engine, &here.situation, here.executable.to_vec())?;
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut met = BitSet::new(size);
    for (end, reached) in next.reached.iter().enumerate() {
        for fluent in reached.situation.iter().filter(|fluent| may(*fluent)) {
            if met.contains(fluent) {
                continue;
            }
            met.insert(fluent);
            let total = first + reached.distance;
            if total > depth
                && !here.situation.contains(fluent)
                && least(&stage.engine, around, fluent) >= total
            {
                ends.push((end, fluent));
            }
        }
    }
    let Some((end, _)) = ends.choose(rng) else { return Ok(None) };
    let mut plan = around.way(place);
    plan.extend(next.way(*end));
    plan.truncate(depth);
    Ok(Some(plan))
}
