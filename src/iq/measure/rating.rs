//! Results of pairs of agents to ratings: Bradley and Terry's model on the scale of Elo, with intervals.

use racgen_logic::seed::stream;
use rand::RngExt;
use serde::{Deserialize, Serialize};

/// What the first of two agents scored against the second in one game: the sum of its points, of at most `of`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairScore {
    /// The game, whose results are not independent of each other.
    pub game: u64,
    /// The agents.
    pub pair: (usize, usize),
    /// Points of the first.
    pub points: f64,
    /// Points of both.
    pub of: f64,
}

/// An agent's rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// On the scale of Elo, where 400 points are odds of ten to one; the mean of all agents is 0.
    pub elo: f64,
    /// Its interval of 95 %.
    pub low: f64,
    /// Its end.
    pub high: f64,
}

/// Samples of the bootstrap.
const SAMPLES: usize = 400;
/// Draws against an opponent of rating 0 that each agent is thought to have had, so that who always won is not rated
/// without end.
const PRIOR: f64 = 1.0;

/// The ratings of so many agents. Intervals come from drawing games anew (bootstrap, percentiles), so that what one game
/// says in several matches counts as one thing.
pub fn ratings(agents: usize, scores: &[PairScore], seed: u64) -> Vec<Rating> {
    let mut games: Vec<u64> = scores.iter().map(|score| score.game).collect();
    games.sort_unstable();
    games.dedup();
    let of_game: Vec<Vec<&PairScore>> =
        games.iter().map(|game| scores.iter().filter(|score| score.game == *game).collect()).collect();
    let fitted = |chosen: &mut dyn Iterator<Item = usize>| {
        let mut points = vec![vec![0.0; agents]; agents];
        for score in chosen.flat_map(|game| &of_game[game]) {
            points[score.pair.0][score.pair.1] += score.points;
            points[score.pair.1][score.pair.0] += score.of - score.points;
        }
        fit(&points)
    };
    let all = fitted(&mut (0..games.len()));
    let mut rng = stream(seed, &["iq", "ladder", "bootstrap"]);
    let mut samples: Vec<Vec<f64>> = vec![Vec::with_capacity(SAMPLES); agents];
    for _ in 0..SAMPLES {
        let chosen: Vec<usize> = games.iter().map(|_| rng.random_range(0..games.len())).collect();
        for (sample, elo) in samples.iter_mut().zip(fitted(&mut chosen.into_iter())) {
            sample.push(elo);
        }
    }
    let percentile = |sample: &[f64], share: f64| sample[((SAMPLES - 1) as f64 * share).round() as usize];
    all.into_iter()
        .zip(&mut samples)
        .map(|(elo, sample)| {
            sample.sort_by(f64::total_cmp);
            Rating { elo, low: percentile(sample, 0.025), high: percentile(sample, 0.975) }
        })
        .collect()
}

/// The strengths that make these points most likely (Hunter 2004's iteration), on the scale of Elo around 0.
fn fit(points: &[Vec<f64>]) -> Vec<f64> {
    let agents = points.len();
    let mut strengths = vec![1.0_f64; agents];
    for _ in 0..2_000 {
        let mut moved: f64 = 0.0;
        for own in 0..agents {
            let won: f64 = points[own].iter().sum::<f64>() + PRIOR / 2.0;
            let met = (0..agents)
                .filter(|other| *other != own)
                .map(|other| (points[own][other] + points[other][own]) / (strengths[own] + strengths[other]));
            let next = won / (met.sum::<f64>() + PRIOR / (strengths[own] + 1.0));
            moved = moved.max((next / strengths[own]).ln().abs());
            strengths[own] = next;
        }
        if moved < 1e-9 {
            break;
        }
    }
    let elo: Vec<f64> = strengths.iter().map(|strength| 400.0 * strength.log10()).collect();
    let mean = elo.iter().sum::<f64>() / agents.max(1) as f64;
    elo.into_iter().map(|elo| elo - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results drawn from known ratings give these back, and intervals of 95 % cover most of them.
    #[test]
    fn synthetic_ratings_are_recovered() {
        let truth = [-300.0, -120.0, 0.0, 150.0, 270.0];
        let (mut covered, mut worst) = (0, 0.0_f64);
        for run in 0..20 {
            let mut rng = stream(run, &["ladder", "test"]);
            let mut scores = Vec::new();
            for game in 0..400 {
                for first in 0..truth.len() {
                    for second in first + 1..truth.len() {
                        let odds = 10_f64.powf((truth[first] - truth[second]) / 400.0);
                        let won = (0..2).filter(|_| rng.random_bool(odds / (1.0 + odds))).count();
                        scores.push(PairScore { game, pair: (first, second), points: won as f64, of: 2.0 });
                    }
                }
            }
            for (rating, truth) in ratings(truth.len(), &scores, run).iter().zip(truth) {
                worst = worst.max((rating.elo - truth).abs());
                covered += u32::from((rating.low..=rating.high).contains(&truth));
                assert!(rating.high - rating.low < 120.0);
            }
        }
        assert!(worst < 60.0, "{worst}");
        // Of 100 intervals.
        assert!(covered >= 88, "{covered}");
    }
}
