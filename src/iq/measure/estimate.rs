//! Results to estimates of an agent after each iteration, with both intervals and what they cost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::iq::measure::interval::{plain, pointwise};
use crate::iq::measure::results::ResultRow;
use crate::iq::measure::schedule::{cost_after, games_after};
use crate::iq::measure::sequence::ConfidenceSequence;
use crate::iq::play::agents::agent::Loss;

/// What the confidence sequence may miss with which probability.
const ALPHA: f64 = 0.05;

/// The estimate after an iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The iteration n, from 0.
    pub iteration: u32,
    /// Games so far.
    pub games: u64,
    /// Cost so far, in units of T0.
    pub cost: u64,
    /// The mean value.
    pub mean: f64,
    /// Covers Y_n at all iterations together.
    pub sequence: (f64, f64),
    /// Covers Y_n at this iteration.
    pub pointwise: (f64, f64),
    /// What AIQ would say, for comparison.
    pub plain: (f64, f64),
}

/// An agent, and how it did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentEstimate {
    /// The agent.
    pub agent: String,
    /// Does it know the rules?
    pub knows_rules: bool,
    /// T0: ticks, or steps of the game.
    pub budget: u64,
    /// Is it a number of steps?
    pub in_steps: bool,
    /// After each iteration.
    pub iterations: Vec<Estimate>,
    /// The mean over games for one, and over games for two.
    pub by_players: [Option<f64>; 2],
    /// The mean over games of a whole number of bits of complexity, and how many there are.
    pub by_complexity: Vec<(i64, f64, u64)>,
    /// Games that it lost by what it did, by how.
    pub losses: Vec<(String, u64)>,
    /// Steps that games went on without it, and those of them that were random.
    pub passes: (u64, u64),
    /// Games in which it never switched.
    pub never_switched: u64,
}

fn mean<'r>(rows: impl Iterator<Item = &'r ResultRow>) -> Option<(f64, u64)> {
    let (sum, count) = rows.fold((0.0, 0), |(sum, count), row| (sum + row.result.value, count + 1));
    (count > 0).then(|| (sum / count as f64, count))
}

/// The estimates of one agent from its rows, which are sorted by number.
pub fn estimate(rows: &[&ResultRow]) -> Option<AgentEstimate> {
    let first = rows.first()?;
    let values: Vec<f64> = rows.iter().map(|row| row.result.value).collect();
    let mut sequence = ConfidenceSequence::default();
    let mut iterations = Vec::new();
    for (place, value) in values.iter().enumerate() {
        sequence.add(*value);
        let iteration = rows[place].iteration;
        if place as u64 + 1 == games_after(iteration) {
            iterations.push(Estimate {
                iteration,
                games: place as u64 + 1,
                cost: cost_after(iteration),
                mean: sequence.mean(),
                sequence: sequence.interval(ALPHA),
                pointwise: pointwise(&values[..=place]),
                plain: plain(&values[..=place]),
            });
        }
    }
    let all = || rows.iter().copied();
    let of = |players| mean(all().filter(|row| row.players == players)).map(|(mean, _)| mean);
    let bits = |row: &ResultRow| row.complexity.floor() as i64;
    let mut levels: Vec<i64> = all().map(bits).collect();
    levels.sort_unstable();
    levels.dedup();
    let by_complexity = levels.into_iter().filter_map(|level| {
        let (mean, count) = mean(all().filter(|row| bits(row) == level))?;
        Some((level, mean, count))
    });
    let losses = Loss::ALL.map(|loss| {
        let count = all().filter(|row| row.result.lost == Some(loss)).count() as u64;
        (loss.name().to_owned(), count)
    });
    Some(AgentEstimate {
        agent: first.agent.clone(),
        knows_rules: first.knows_rules,
        budget: first.budget >> first.doublings,
        in_steps: first.in_steps,
        iterations,
        by_players: [of(1), of(2)],
        by_complexity: by_complexity.collect(),
        losses: losses.into_iter().filter(|(_, count)| *count > 0).collect(),
        passes: (all().map(|row| row.result.passes).sum(), all().map(|row| row.result.random_passes).sum()),
        never_switched: all().filter(|row| !row.result.switched && row.result.lost.is_none()).count() as u64,
    })
}

/// What two agents had of each game that both played: pairs of values. The same number may mean another game in another run.
pub fn shared(first: &[&ResultRow], second: &[&ResultRow]) -> Vec<(f64, f64)> {
    let known: BTreeMap<(u64, &str), f64> =
        second.iter().map(|row| ((row.number, row.derivation.as_str()), row.result.value)).collect();
    let pair =
        |row: &&ResultRow| Some((row.result.value, *known.get(&(row.number, row.derivation.as_str()))?));
    first.iter().filter_map(pair).collect()
}

/// How much better the first of two agents is, with an interval of 95 %: that of paired differences.
pub fn difference(pairs: &[(f64, f64)]) -> (f64, f64, f64) {
    // Differences lie in [-1, 1]; halved and moved they are values as others are.
    let halves: Vec<f64> = pairs.iter().map(|(a, b)| f64::midpoint(a - b, 1.0)).collect();
    let mean = halves.iter().sum::<f64>() / halves.len().max(1) as f64;
    let (low, high) = pointwise(&halves);
    (2.0 * mean - 1.0, 2.0 * low - 1.0, 2.0 * high - 1.0)
}

/// The rows of each agent, in the order in which agents come first.
pub fn by_agent(rows: &[ResultRow]) -> Vec<Vec<&ResultRow>> {
    let mut agents: Vec<Vec<&ResultRow>> = Vec::new();
    for row in rows {
        match agents.iter_mut().find(|own| own[0].agent == row.agent) {
            Some(own) => own.push(row),
            None => agents.push(vec![row]),
        }
    }
    agents.iter_mut().for_each(|own| own.sort_by_key(|row| row.number));
    agents
}
