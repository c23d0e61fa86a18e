//! Values of independent games to a confidence sequence: intervals that hold at all times together.
//!
//! The values x_1, x_2, ... lie in [0, 1] and are independent, but their means differ, since budgets do. For a prediction
//! p_i that is made before x_i is seen, and 0 <= r < 1,
//!
//! `prod_i exp(r (x_i - E x_i) - psi(r) (x_i - p_i)^2)`, with `psi(r) = -ln(1 - r) - r`,
//!
//! is a nonnegative supermartingale that begins at 1 (Fan, Grama and Liu 2015; Howard, Ramdas, McAuliffe and Sekhon 2021,
//! theorem 4), and so is a mixture of them over several r. By Ville's inequality it exceeds 2/alpha at any time with
//! probability alpha/2 at most. Solved for the sum of x_i - E x_i, and done for both sides, that gives an interval around the
//! mean of all x so far which covers the mean of their expectations at all times together, with probability 1 - alpha. No
//! mean need be constant, unlike in betting on it.

/// Rates of the mixture: from large ones for little variance to small ones for many games.
const RATES: u32 = 9;

/// A confidence sequence under way.
#[derive(Clone, Debug, Default)]
pub struct ConfidenceSequence {
    count: u64,
    sum: f64,
    /// Sum of squared distances from predictions.
    variance: f64,
}

fn rates() -> impl Iterator<Item = (f64, f64)> {
    // 0.8, 0.8/sqrt 2, ..., each with its share of a sum of 1.
    (0..RATES).map(|place| (0.8 * 0.5_f64.powf(f64::from(place) / 2.0), 1.0 / f64::from(RATES)))
}

impl ConfidenceSequence {
    /// Takes the next value.
    pub fn add(&mut self, value: f64) {
        // The mean so far, drawn towards the middle where little is known.
        let predicted = (0.5 + self.sum) / (1 + self.count) as f64;
        self.variance += (value - predicted).powi(2);
        self.sum += value;
        self.count += 1;
    }

    /// The mean so far.
    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    /// The interval that covers the mean of all expectations so far, at all times together with probability 1 - alpha.
    pub fn interval(&self, alpha: f64) -> (f64, f64) {
        if self.count == 0 {
            return (0.0, 1.0);
        }
        let least = (2.0 / alpha).ln();
        let exceeds = |deviation: f64| {
            let terms = rates().map(|(rate, share)| {
                let psi = -(1.0 - rate).ln() - rate;
                share.ln() + rate * deviation - psi * self.variance
            });
            let terms: Vec<f64> = terms.collect();
            let most = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            most + terms.iter().map(|term| (term - most).exp()).sum::<f64>().ln() > least
        };
        let (mut low, mut high) = (0.0, self.count as f64);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if exceeds(middle) { high = middle } else { low = middle }
        }
        let half = high / self.count as f64;
        ((self.mean() - half).max(0.0), (self.mean() + half).min(1.0))
    }
}

/// Half the width of a time-uniform interval that knows of no variance: Robbins' normal mixture for sums of values in
/// [0, 1], whose variance counts as 1/4 each, narrowest where `tuned` values are there.
pub fn hoeffding_half_width(count: u64, tuned: u64, alpha: f64) -> f64 {
    let (variance, log) = (count as f64 / 4.0, 2.0 * (1.0 / alpha).ln());
    // The weight for which the boundary is lowest there, about.
    let rho = tuned as f64 / 4.0 / (log + (1.0 + log).ln());
    ((variance + rho) * (((variance + rho) / rho).ln() + log)).sqrt() / count as f64
}

#[cfg(test)]
mod tests {
    use racgen_logic::seed::stream;
    use rand::RngExt;

    use super::*;
    use crate::iq::measure::schedule::{games_after, schedule, weights};

    /// Synthetic agents, whose mean grows with the budget, and whose values are of many shapes.
    fn value(rng: &mut rand::rngs::ChaCha8Rng, shape: u32, doublings: u32) -> (f64, f64) {
        let gain = 1.0 - 0.5_f64.powi(doublings as i32 + 1);
        match shape % 5 {
            // All or nothing.
            0 => (f64::from(u8::from(rng.random_bool(0.8 * gain))), 0.8 * gain),
            // Rare wins.
            1 => (f64::from(u8::from(rng.random_bool(0.02 * gain))), 0.02 * gain),
            // Anything.
            2 => (gain * rng.random::<f64>(), gain / 2.0),
            // Little spread.
            3 => (0.5 * gain + 0.1 * rng.random::<f64>(), 0.5 * gain + 0.05),
            // Thirds.
            _ => (gain * f64::from(rng.random_range(0..4_u32)) / 3.0, gain / 2.0),
        }
    }

    /// Of 4,000 agents, the intervals of at least 95 % cover Y_n after each of ten iterations.
    #[test]
    fn it_covers_at_all_iterations_together() {
        const AGENTS: u32 = 4_000;
        let games = schedule(10);
        let mut covered = 0;
        for agent in 0..AGENTS {
            let mut rng = stream(7, &["sequence", &agent.to_string()]);
            let mut sequence = ConfidenceSequence::default();
            let means: Vec<f64> = (0..10).map(|k| value(&mut rng, agent, k).1).collect();
            let mut all = true;
            for game in &games {
                sequence.add(value(&mut rng, agent, game.doublings).0);
                if game.number + 1 == games_after(game.iteration) {
                    let target: f64 =
                        weights(game.iteration).iter().zip(&means).map(|(w, mean)| w * mean).sum();
                    let (low, high) = sequence.interval(0.05);
                    all &= (low..=high).contains(&target);
                }
            }
            covered += u32::from(all);
        }
        assert!(f64::from(covered) >= 0.95 * f64::from(AGENTS), "{covered} of {AGENTS}");
    }

    /// It is none that covers because it is wide: where the spread is a quarter, it is narrower than an interval that knows
    /// no variance, even one that was made for this number of games.
    #[test]
    fn it_is_narrower_than_hoeffdings() {
        for iteration in 9..13 {
            let mut sequence = ConfidenceSequence::default();
            for number in 0..games_after(iteration) {
                // A standard deviation of a quarter.
                sequence.add(if number % 2 == 0 { 0.25 } else { 0.75 });
            }
            let (low, high) = sequence.interval(0.05);
            let count = games_after(iteration);
            let other = hoeffding_half_width(count, count, 0.05);
            assert!((high - low) / 2.0 < other, "{} and {other} of {count}", (high - low) / 2.0);
        }
    }
}
