//! Stories to what they offer to families about an action that is hidden or failed: observed facts that only one explanation
//! accounts for.

use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom, IteratorRandom, SliceRandom};

use crate::factory::error::FactoryError;
use crate::factory::further::gathering::{Gatherer, SayableTerms};
use crate::factory::further::offers::{
    Given, OfferCell, OfferedQuestion, Offers, PartAsked, PartSubject, Subject,
};
use crate::factory::further::partly::{play, situation_at};
use crate::simulate::error::SimulationError;
use crate::simulate::narrative::partly::PartTelling;
use crate::simulate::search::goal::GoalFact;
use crate::simulate::situation::Situation;
use crate::simulate::story::{Simulator, Story};
use crate::simulate::transitions::compiled_layout::Kind;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Steps of a story of which one is not told.
const STEPS: usize = 2;
/// Of fewer told actions names mostly tell which one did not take place.
const LEAST_TOLD: usize = 3;
/// The most facts that are observed, and how often there is one more than are needed.
const MOST_OBSERVED: usize = 4;
const ONE_MORE: f64 = 0.5;

/// What may have happened from some step of a story on, by the number of the story and the name of the explanation: an action,
/// or a step.
struct Tale {
    story: usize,
    name: usize,
    rest: Vec<usize>,
}

/// What is observed at the end of a story.
struct Observation {
    told: usize,
    telling: PartTelling,
    /// How many explanations there are before that.
    explanations: usize,
    observed: Vec<GoalFact>,
}

impl Observation {
    /// Offers the question what explains it. It is plain where names alone tell the answer.
    fn offer(self, offers: &mut Offers, family: usize, (answer, class, plain): (Given, u32, bool)) {
        let Observation { told, telling, explanations: completions, observed } = self;
        let cell = OfferCell { kind: Kind::Other, family, detail: String::new() };
        let asked = PartAsked::Observed(observed);
        let subject = Subject::Partly(Box::new(PartSubject { telling, completions, stated: 0, asked }));
        let offer = OfferedQuestion { plain, class, ..OfferedQuestion::new(told, subject, answer) };
        offers.entry(cell).or_default().push(offer);
    }
}

impl Gatherer<'_> {
    /// Stories of which one action is not told.
    pub(super) fn hidden_action(
        &self,
        stage: &mut Simulator,
        family: usize,
        stories: &[(usize, &Story)],
        sayable: &SayableTerms,
        offers: &mut Offers,
        rng: &mut ChaCha8Rng,
    ) -> Result<(), FactoryError> {
        // A story may be told twice, without one action or another.
        let twice: Vec<(usize, &Story)> = stories.iter().flat_map(|story| [*story; STEPS]).collect();
        let mut steps: Vec<usize> = Vec::new();
        for (_, story) in stories {
            let mut drawn: Vec<usize> = (0..story.plan.len()).sample(rng, STEPS);
            drawn.resize(STEPS, drawn[0]);
            steps.extend(drawn);
        }
        let stories = twice;
        let here = |number: usize| situation_at(stories[number].1, steps[number]);
        let places: Vec<&Situation> = (0..stories.len()).map(here).collect();
        let possible = stage.executable(&places)?;
        let mut tales = Vec::new();
        for (number, possible) in possible.iter().enumerate() {
            for action in possible {
                let mut plan = vec![*action];
                plan.extend(&stories[number].1.plan[steps[number] + 1..]);
                tales.push(Tale { story: number, name: *action, rest: plan });
            }
        }
        let explained = explained(&mut stage.engine, stories.len(), &tales, |tale| places[tale.story])?;
        let functors: Vec<&str> = functors(&stage.engine);
        for (number, explanations) in explained.iter().enumerate() {
            let (told, story) = stories[number];
            let action = story.plan[steps[number]];
            if explanations.len() < 2 || !sayable.actions.contains(action) {
                continue;
            }
            let told_of = &sayable.fluents;
            let Some(observed) = beside(&stage.engine, action, told_of, rng)
                .into_iter()
                .find_map(|some| observed(explanations, action, story, &some, rng))
            else {
                continue;
            };
            let functor = stage.engine.actions[action].functor();
            let class = functors.iter().position(|known| *known == functor).unwrap_or(0) + 1;
            let telling = PartTelling { left_out: Vec::new(), untold: Some(steps[number]) };
            let plain = names_all(&stage.engine.actions[action], &fluents(&stage.engine, &observed));
            let asked = Observation { told, telling, explanations: explanations.len(), observed };
            asked.offer(offers, family, (Given::Actions(vec![action]), class as u32, plain));
        }
        Ok(())
    }

    /// Stories of which one told action did not take place.
    pub(super) fn failed_action(
        &self,
        stage: &mut Simulator,
        family: usize,
        stories: &[(usize, &Story)],
        sayable: &SayableTerms,
        offers: &mut Offers,
        rng: &mut ChaCha8Rng,
    ) -> Result<(), FactoryError> {
        let mut tales = Vec::new();
        let is_long = |(_, (_, story)): &(usize, &(usize, &Story))| story.plan.len() >= LEAST_TOLD;
        for (number, (_, story)) in stories.iter().enumerate().filter(is_long) {
            for step in 0..story.plan.len() {
                tales.push(Tale { story: number, name: step, rest: story.plan[step + 1..].to_vec() });
            }
        }
        let explained = explained(&mut stage.engine, stories.len(), &tales, |tale| {
            situation_at(stories[tale.story].1, tale.name)
        })?;
        for (number, explanations) in explained.iter().enumerate() {
            let (told, story) = stories[number];
            if explanations.len() < 2 {
                continue;
            }
            let effects = direct_effects(&stage.engine, story, &sayable.fluents);
            for (step, end) in explanations {
                let is_direct = |fluent: &usize| effects[*step].iter().any(|(own, _)| own == fluent);
                let indirect: Vec<usize> =
                    sayable.fluents.iter().copied().filter(|fluent| !is_direct(fluent)).collect();
                for some in [&indirect, &sayable.fluents] {
                    let Some(mut observed) = observed(explanations, *step, story, some, rng) else {
                        continue;
                    };
                    // What another action did, and a later one undid, looks as if that had not taken place.
                    let others = effects.iter().enumerate().filter(|(other, _)| other != step);
                    let undone: Vec<GoalFact> = others
                        .flat_map(|(_, own)| own)
                        .filter(|(fluent, so)| end.contains(*fluent) != *so)
                        .map(|(fluent, so)| (*fluent, !so))
                        .filter(|fact| !observed.contains(fact))
                        .collect();
                    if let Some(decoy) = undone.choose(rng) {
                        observed.insert(rng.random_range(0..=observed.len()), *decoy);
                    }
                    let denied =
                        |own: &Vec<GoalFact>| own.iter().any(|(f, so)| observed.contains(&(*f, !so)));
                    let plain =
                        effects.iter().enumerate().all(|(other, own)| denied(own) == (other == *step));
                    let telling = PartTelling::default();
                    let asked = Observation { told, telling, explanations: explanations.len(), observed };
                    asked.offer(
                        offers,
                        family,
                        (Given::Term(Term::Number(*step as i32 + 1)), *step as u32 + 1, plain),
                    );
                }
            }
        }
        Ok(())
    }
}

/// Do others name all objects of a term?
fn names_all(term: &Term, others: &[&Term]) -> bool {
    term.constants().all(|name| others.iter().any(|other| other.mentions(name)))
}

/// By step of a story, what its action changes and names all objects of: what whoever knows the action alone expects of it.
fn direct_effects(engine: &TransitionSystem, story: &Story, fluents: &[usize]) -> Vec<Vec<GoalFact>> {
    let of = |step: usize| {
        let (before, after) = (situation_at(story, step), situation_at(story, step + 1));
        let action = &engine.actions[story.plan[step]];
        let changed = fluents.iter().copied().filter(|f| before.contains(*f) != after.contains(*f));
        let direct = changed.filter(|fluent| names_all(&engine.fluents[*fluent], &[action]));
        direct.map(|fluent| (fluent, after.contains(fluent))).collect()
    };
    (0..story.plan.len()).map(of).collect()
}

/// By story, the explanations after which the rest can be carried out, each with the situation at the end.
fn explained<'s>(
    engine: &mut TransitionSystem,
    stories: usize,
    tales: &'s [Tale],
    start: impl Fn(&Tale) -> &'s Situation,
) -> Result<Vec<Vec<(usize, Situation)>>, SimulationError> {
    let asked: Vec<(&Situation, &[usize])> =
        tales.iter().map(|tale| (start(tale), tale.rest.as_slice())).collect();
    let ends = play(engine, &asked)?;
    let mut explained: Vec<Vec<(usize, Situation)>> = (0..stories).map(|_| Vec::new()).collect();
    for (tale, end) in tales.iter().zip(ends) {
        explained[tale.story].extend(end.map(|end| (tale.name, end)));
    }
    Ok(explained)
}

/// Fluents that do not name one or another object of an action, and all of them, so that what is observed need not name the answer.
fn beside(
    engine: &TransitionSystem,
    action: usize,
    fluents: &[usize],
    rng: &mut ChaCha8Rng,
) -> Vec<Vec<usize>> {
    let mut objects: Vec<&str> = engine.actions[action].constants().collect();
    objects.shuffle(rng);
    let without =
        |object: &&str| fluents.iter().copied().filter(|f| !engine.fluents[*f].mentions(object)).collect();
    objects.iter().map(without).chain([fluents.to_vec()]).collect()
}

/// What is so at the end, of some fluents, and as only one of the explanations accounts for, none of it superfluous but for at most
/// one fact.
fn observed(
    explanations: &[(usize, Situation)],
    right: usize,
    story: &Story,
    fluents: &[usize],
    rng: &mut ChaCha8Rng,
) -> Option<Vec<GoalFact>> {
    let (_, end) = explanations.iter().find(|(name, _)| *name == right)?;
    let mut others: Vec<&Situation> =
        explanations.iter().filter(|(name, _)| *name != right).map(|(_, other)| other).collect();
    let facts: Vec<GoalFact> = fluents.iter().map(|fluent| (*fluent, end.contains(*fluent))).collect();
    let mut found: Vec<GoalFact> = Vec::new();
    while !others.is_empty() {
        let refutes =
            |(fluent, so): GoalFact| others.iter().filter(|other| other.contains(fluent) != so).count();
        let most = facts.iter().map(|fact| refutes(*fact)).max().filter(|most| *most > 0)?;
        let best: Vec<GoalFact> = facts.iter().copied().filter(|fact| refutes(*fact) == most).collect();
        let fact = best.choose(rng).copied()?;
        others.retain(|other| other.contains(fact.0) == fact.1);
        found.push(fact);
    }
    if found.len() > MOST_OBSERVED {
        return None;
    }
    // One that tells nothing, of those that were not so at first.
    let is_new = |fact: &&GoalFact| story.initial.contains(fact.0) != fact.1 && !found.contains(fact);
    let new: Vec<GoalFact> = facts.iter().filter(is_new).copied().collect();
    if found.len() < MOST_OBSERVED && rng.random_bool(ONE_MORE) {
        found.extend(new.choose(rng));
    }
    found.shuffle(rng);
    Some(found)
}

/// The names of kinds of actions, in order.
fn functors(engine: &TransitionSystem) -> Vec<&str> {
    let mut all: Vec<&str> = engine.actions.iter().map(Term::functor).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The fluents of facts as terms.
fn fluents<'e>(engine: &'e TransitionSystem, facts: &[GoalFact]) -> Vec<&'e Term> {
    facts.iter().map(|(fluent, _)| &engine.fluents[*fluent]).collect()
}
