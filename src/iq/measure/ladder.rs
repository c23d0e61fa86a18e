//! Agents and games for two to matches of each pair, in both roles, and so to a ladder.

use std::sync::atomic::{AtomicBool, Ordering};

use racgen_logic::seed::stream;
use rand::Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::iq::error::IqError;
use crate::iq::measure::rating::{PairScore, Rating, ratings};
use crate::iq::measure::run::{AgentPrograms, MeasuredAgent, Player};
use crate::iq::play::matches::play_match;
use crate::iq::play::trial::TrialClock;
use crate::iq::sample::sampler::Sampler;

/// A match of two agents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchRow {
    /// The number of the game in the sample of games for two.
    pub number: u64,
    /// Its name.
    pub game: String,
    /// What it is.
    pub kind: String,
    /// K.
    pub complexity: f64,
    /// Who has the first role.
    pub first: String,
    /// Who has the second.
    pub second: String,
    /// Points of the first, from 0 to 1.
    pub first_points: f64,
    /// Points of the second.
    pub second_points: f64,
}

/// How a ladder is played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LadderRules {
    /// Games.
    pub games: u64,
    /// Ticks of an agent that comes with racgen in each match.
    pub budget: u64,
    /// Steps of a program in each match.
    pub steps: u64,
    /// Episodes of a match that count, at most.
    pub episodes: u64,
}

impl LadderRules {
    fn clock(&self, agent: &MeasuredAgent) -> TrialClock {
        match agent {
            MeasuredAgent::Own(_) => TrialClock { budget: self.budget, in_steps: false, pace: 0 },
            MeasuredAgent::Program(..) => TrialClock { budget: self.steps, in_steps: true, pace: 0 },
        }
    }
}

/// Plays all matches of one game.
fn matches_of(
    number: u64,
    sampler: &Sampler,
    agents: &[MeasuredAgent],
    rules: &LadderRules,
    programs: &AgentPrograms,
) -> Result<Vec<MatchRow>, IqError> {
    let game = sampler.game(number)?;
    let mut rows = Vec::new();
    for first in 0..agents.len() {
        for second in (0..agents.len()).filter(|second| *second != first) {
            let words = |side: &str| {
                let (a, b) = (agents[first].name(), agents[second].name());
                let words = ["iq", "ladder", &number.to_string(), a, b, side];
                stream(sampler.seed, &words).next_u64()
            };
            let mut one = Player::begin(&agents[first], first, words("first"), number, programs)?;
            let mut other = Player::begin(&agents[second], second, words("second"), number, programs)?;
            let sides =
                [(one.agent(), rules.clock(&agents[first])), (other.agent(), rules.clock(&agents[second]))];
            let points = play_match(&game.table, sides, rules.episodes, words("match"));
            one.end(None, programs);
            other.end(None, programs);
            rows.push(MatchRow {
                number,
                game: game.table.grammar.id(),
                kind: game.table.grammar.derived.kind.clone(),
                complexity: game.complexity,
                first: agents[first].name().to_owned(),
                second: agents[second].name().to_owned(),
                first_points: points[0],
                second_points: points[1],
            });
        }
    }
    Ok(rows)
}

/// Plays all matches, game by game.
///
/// # Errors
/// Games that cannot be played, Ctrl-C.
pub fn play_ladder(
    sampler: &Sampler,
    agents: &[MeasuredAgent],
    rules: &LadderRules,
    stop: &AtomicBool,
    advance: &(dyn Fn() + Sync),
) -> Result<Vec<MatchRow>, IqError> {
    let programs = AgentPrograms::new(agents.len());
    let of_game = |number: u64| {
        if stop.load(Ordering::Relaxed) {
            return Err(IqError::Interrupted);
        }
        let rows = matches_of(number, sampler, agents, rules, &programs);
        advance();
        rows
    };
    let rows: Vec<Vec<MatchRow>> = (0..rules.games).into_par_iter().map(of_game).collect::<Result<_, _>>()?;
    Ok(rows.into_iter().flatten().collect())
}

/// The ladder of some matches: agent, rating, and share of the points of its matches.
pub fn ladder(agents: &[String], rows: &[MatchRow], seed: u64) -> Vec<(String, Rating, f64)> {
    let place = |name: &str| agents.iter().position(|agent| agent == name).unwrap_or(0);
    let mut scores = Vec::new();
    let mut points = vec![(0.0, 0.0); agents.len()];
    for row in rows {
        let pair = (place(&row.first), place(&row.second));
        // Points of both sum to 1 in most games. Where they do not, only who had how much of them counts.
        let of = row.first_points + row.second_points;
        let share = if of > 0.0 { row.first_points / of } else { 0.5 };
        scores.push(PairScore { game: row.number, pair, points: share, of: 1.0 });
        for (agent, share) in [(pair.0, share), (pair.1, 1.0 - share)] {
            points[agent].0 += share;
            points[agent].1 += 1.0;
        }
    }
    let rated = ratings(agents.len(), &scores, seed);
    let all = agents.iter().zip(rated).zip(points);
    all.map(|((agent, rating), (sum, count))| (agent.clone(), rating, sum / f64::max(count, 1.0))).collect()
}
