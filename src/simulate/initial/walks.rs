//! Initial situations of a layout to others that random walks of actions lead to, many at once.
//!
//! clingo takes long to draw a situation at random, a step of 64 walks takes hardly longer than one of a single walk. What
//! is met must be an initial situation as well, as the rules of the layout tell.

use std::sync::Arc;
use std::time::Duration;

use racgen_logic::evaluate::lanes::Word;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rustc_hash::FxHashSet as HashSet;

use crate::simulate::error::SimulationError;
use crate::simulate::initial::legality::{LegalityInLanes, SituationRules};
use crate::simulate::situation::{Outcome, Situation};
use crate::simulate::transitions::compiled_layout::CompiledLayout;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// How many walks there are.
const WALKS: usize = 64;
/// How many steps they make between two situations that are looked at.
const STRIDE: usize = 8;
/// In how many of such rounds a walk begins anew, on average: where actions cannot be undone, most walks end up alike.
const ANEW: f64 = 0.25;
/// How many rounds they make at once, at most, and how many new situations they then have to meet.
const MOST_ROUNDS: usize = 16;
const WORTHWHILE: usize = 8;

/// Walks that begin in situations that are known.
pub(crate) struct Walks {
    engine: Arc<CompiledLayout>,
    legality: Arc<LegalityInLanes>,
    seeds: Vec<Outcome>,
    heads: Vec<Outcome>,
    met: HashSet<Situation>,
    limit: Duration,
}

impl Walks {
    /// Walks from situations of a layout; none where its steps or its situations are left to clingo.
    ///
    /// # Errors
    /// Solver failures.
    pub(crate) fn new<'s>(
        rules: &SituationRules,
        engine: &Arc<CompiledLayout>,
        seeds: impl Iterator<Item = &'s Situation>,
        limit: Duration,
    ) -> Result<Option<Walks>, SimulationError> {
        if !engine.is_native() {
            return Ok(None);
        }
        let Some(legality) = rules.lanes(engine)? else { return Ok(None) };
        let met: HashSet<Situation> = seeds.cloned().collect();
        let mut known: Vec<&Situation> = met.iter().collect();
        known.sort_unstable();
        let asked: Vec<(&Situation, Option<usize>)> = known.iter().map(|seed| (*seed, None)).collect();
        let considered = TransitionSystem::of(engine.clone(), limit).sheets(&asked)?;
        let seeds: Vec<Outcome> = considered.into_iter().flatten().map(|(here, _)| here).collect();
        if seeds.is_empty() {
            return Ok(None);
        }
        let heads: Vec<Outcome> = seeds.iter().cycle().take(WALKS).cloned().collect();
        Ok(Some(Walks { engine: engine.clone(), legality, seeds, heads, met, limit }))
    }

    /// Goes on until as many new situations are met as there are walks, or for long enough; none if few are met.
    ///
    /// # Errors
    /// Solver failures.
    pub(crate) fn go_on(&mut self, rng: &mut ChaCha8Rng) -> Result<Vec<Situation>, SimulationError> {
        let mut engine = TransitionSystem::of(self.engine.clone(), self.limit);
        let mut found = Vec::new();
        for _ in 0..MOST_ROUNDS {
            for head in &mut self.heads {
                if rng.random_bool(ANEW)
                    && let Some(seed) = self.seeds.choose(rng)
                {
                    *head = seed.clone();
                }
            }
            for _ in 0..STRIDE {
                self.step(&mut engine, rng)?;
            }
            let situations: Vec<Situation> =
                self.heads.iter().map(|head| head.situation.intersection(&self.engine.inertial)).collect();
            let (legal, _): (Word<{ WALKS / 64 }>, _) =
                self.legality.of(&situations.iter().collect::<Vec<_>>());
            for (lane, situation) in situations.into_iter().enumerate() {
                if legal.get(lane) && self.met.insert(situation.clone()) {
                    found.push(situation);
                }
            }
            if found.len() >= WALKS {
                break;
            }
        }
        Ok(if found.len() < WORTHWHILE { Vec::new() } else { found })
    }

    /// Each walk takes any action that can be carried out; one that cannot go on begins anew.
    fn step(&mut self, engine: &mut TransitionSystem, rng: &mut ChaCha8Rng) -> Result<(), SimulationError> {
        let (mut going, mut asked) = (Vec::new(), Vec::new());
        for head in &mut self.heads {
            match head.executable.choose(rng).copied() {
                Some(action) => going.push((head, action)),
                None => *head = self.seeds[rng.random_range(0..self.seeds.len())].clone(),
            }
        }
        asked.extend(going.iter().map(|(head, action)| (&head.situation, *action)));
        let outcomes = engine.bare_steps(&asked)?;
        drop(asked);
        for ((head, _), outcome) in going.into_iter().zip(outcomes) {
            if let Some(outcome) = outcome {
                *head = outcome;
            }
        }
        Ok(())
    }
}
