//! Iterations to games and their budgets: the any-time scheme of section 2.4 of the paper.
//!
//! Iteration i evaluates 2^i games: half of them with the budget T0, a quarter with 2 T0, and so on, and one with 2^i T0.
//! After iteration n there are 2^(n+1) - 1 games, of which 2^(n-k) had the budget 2^k T0, and they cost (n+1) 2^n T0.

/// A game's place in the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// The number of the game, counted from 0 over all iterations.
    pub number: u64,
    /// The iteration, from 0.
    pub iteration: u32,
    /// Its budget is 2 to this times T0.
    pub doublings: u32,
}

/// Games after iteration n, which is counted from 0.
pub fn games_after(iteration: u32) -> u64 {
    (2 << iteration) - 1
}

/// Cost after iteration n, in units of T0.
pub fn cost_after(iteration: u32) -> u64 {
    u64::from(iteration + 1) << iteration
}

/// The games of all iterations up to n.
pub fn schedule(iterations: u32) -> Vec<ScheduledGame> {
    let mut all = Vec::new();
    for iteration in 0..iterations {
        for place in 0..1_u64 << iteration {
            // Of 2^i places, the upper half is doubled no time, the upper half of the rest once, and so on.
            let doublings = match place {
                0 => iteration,
                _ => iteration - 1 - place.ilog2(),
            };
            all.push(ScheduledGame { number: all.len() as u64, iteration, doublings });
        }
    }
    all
}

/// Weights of the budgets 2^k T0, k from 0 to n, in the estimate after iteration n.
pub fn weights(iteration: u32) -> Vec<f64> {
    let of = |k: u32| (1_u64 << (iteration - k)) as f64 / games_after(iteration) as f64;
    (0..=iteration).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_double_games_and_budgets() {
        let all = schedule(11);
        for iteration in 0..11_u32 {
            let own: Vec<&ScheduledGame> = all.iter().filter(|game| game.iteration == iteration).collect();
            assert_eq!(own.len(), 1 << iteration);
            for doublings in 0..=iteration {
                let count = own.iter().filter(|game| game.doublings == doublings).count();
                let expected = if doublings == iteration { 1 } else { 1 << (iteration - 1 - doublings) };
                assert_eq!(count, expected, "{iteration}, {doublings}");
            }
            let so_far = &all[..games_after(iteration) as usize];
            assert!(so_far.iter().all(|game| game.iteration <= iteration));
            assert_eq!(so_far.iter().map(|game| 1 << game.doublings).sum::<u64>(), cost_after(iteration));
            for (doublings, weight) in weights(iteration).into_iter().enumerate() {
                let count = so_far.iter().filter(|game| game.doublings == doublings as u32).count();
                assert_eq!(count as u64, 1 << (iteration - doublings as u32));
                assert_eq!(weight, count as f64 / so_far.len() as f64);
            }
        }
        assert!(all.iter().enumerate().all(|(place, game)| game.number == place as u64));
    }
}
