//! Draws in proportion to 2^-l to draws in proportion to 2^-K, by acceptance.
//!
//! A draw of length l has probability 2^-l. It is accepted with probability tau0 / max(tau, tau0), so that what is
//! accepted has a probability in proportion to 2^-l * tau0 / max(tau, tau0), that is to 2^-K. Weights are then needed
//! nowhere: a plain mean over what was accepted estimates the sum over all games.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

/// Draws until one is accepted; also tells how many were not. `tau` may fail.
///
/// # Errors
/// Those of `tau`.
pub fn accepted<T, M, E>(
    rng: &mut ChaCha8Rng,
    tau0: f64,
    mut draw: impl FnMut(&mut ChaCha8Rng) -> T,
    mut tau: impl FnMut(T) -> Result<(M, f64), E>,
) -> Result<(M, u64), E> {
    let mut refused = 0;
    loop {
        let (measured, tau) = tau(draw(rng))?;
        if rng.random::<f64>() < tau0 / tau.max(tau0) {
            return Ok((measured, refused));
        }
        refused += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::convert::Infallible;

    use racgen_logic::seed::stream;

    use super::*;
    use crate::iq::grammar::code::{ChoiceCode, enumerate};
    use crate::iq::sample::complexity::complexity;

    /// A grammar of 35 words, with lengths from 2 to 8 bits and made-up costs from 1 to 900 ticks.
    fn derive(code: &mut ChoiceCode) -> Result<(usize, usize), crate::iq::grammar::code::TooShort> {
        Ok((code.several(6)?, code.among(5)?))
    }

    fn cost((a, b): (usize, usize)) -> f64 {
        (1 + a * a * (b + 1) * 5) as f64
    }

    /// Frequencies agree with 2^-K, summed to 1, by a chi-square test; those of 2^-l, without costs, do not.
    #[test]
    fn frequencies_follow_the_complexity() {
        const DRAWS: u32 = 40_000;
        const TAU0: f64 = 16.0;
        let (all, unfinished) = enumerate(&derive, 12);
        assert_eq!((all.len(), unfinished), (35, 0));
        let mut rng = stream(3, &["test"]);
        let mut counts: BTreeMap<(usize, usize), u32> = BTreeMap::new();
        for _ in 0..DRAWS {
            let draw = |rng: &mut ChaCha8Rng| derive(&mut ChoiceCode::tossed(rng)).unwrap_or_default();
            let tau = |made| Ok::<_, Infallible>((made, cost(made)));
            let Ok((made, _)) = accepted(&mut rng, TAU0, draw, tau);
            *counts.entry(made).or_default() += 1;
        }
        let distance = |weight: &dyn Fn(u32, (usize, usize)) -> f64| {
            let weights = all.iter().map(|(bits, made)| (*made, weight(bits.len() as u32, *made)));
            let weights: Vec<((usize, usize), f64)> = weights.collect();
            let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
            let terms = weights.iter().map(|(made, weight)| {
                let expected = f64::from(DRAWS) * weight / sum;
                (f64::from(counts.get(made).copied().unwrap_or(0)) - expected).powi(2) / expected
            });
            terms.sum::<f64>()
        };
        let by_complexity = distance(&|length, made| (-complexity(length, cost(made), TAU0)).exp2());
        let by_length = distance(&|length, _| (-f64::from(length)).exp2());
        // 34 degrees of freedom: beyond 65.2 in one run of a thousand.
        assert!(by_complexity < 65.2, "{by_complexity}");
        assert!(by_length > 650.0, "{by_length}");
    }
}
