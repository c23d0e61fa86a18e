//! Shares with their bounds to those that are above them, when as many shares are looked at as there are families and domains.
//!
//! Whoever looks at a thousand fair shares finds some of them above a bound by chance. Holm (1979) takes the least likely
//! first and asks of it to be a thousand times as unlikely as one alone, of the next to be 999 times as unlikely, and so on
//! until one is not: then with the chance of one test alone none is called unfair that is fair.

use crate::audit::attacks::bounded_share::BoundedShare;

/// The chance that any share is said to be above its bound that is not: that of one side of a 99 % interval.
const CHANCE: f64 = 0.005;

/// How likely so large a share is by chance where the bound is what is true, by the normal distribution.
fn likelihood(share: BoundedShare, bound: f64) -> f64 {
    let error = (bound * (1.0 - bound) / share.of.max(1) as f64).sqrt();
    let above = share.value().unwrap_or(0.0) - bound;
    match error > 0.0 {
        true => 0.5 * libm::erfc(above / error / std::f64::consts::SQRT_2),
        false if above > 0.0 => 0.0,
        false => 1.0,
    }
}

/// Of each share, whether it is above its bound by more than chance, all of them taken together.
pub(super) fn above_bounds(shares: &[(BoundedShare, f64)]) -> Vec<bool> {
    let likely: Vec<f64> = shares.iter().map(|(share, bound)| likelihood(*share, *bound)).collect();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|one, other| likely[*one].total_cmp(&likely[*other]));
    let mut above = vec![false; shares.len()];
    for (taken, place) in order.iter().enumerate() {
        if likely[*place] > CHANCE / (shares.len() - taken) as f64 {
            break;
        }
        above[*place] = true;
    }
    above
}

#[cfg(test)]
mod tests {
    use racgen_logic::seed::stream;
    use rand::RngExt;

    use super::*;

    const fn share(some: usize, of: usize) -> BoundedShare {
        BoundedShare { some, of }
    }

    #[test]
    fn one_share_alone_is_held_to_its_interval() {
        for (some, is_above) in [(600, false), (639, false), (641, true), (900, true)] {
            let one = share(some, 1000);
            assert_eq!(above_bounds(&[(one, 0.6)]), [is_above], "{some}");
            assert_eq!(one.low() > 0.6, is_above, "{some}");
        }
        assert_eq!(above_bounds(&[(share(1, 10), 0.0), (share(0, 10), 0.0)]), [true, false]);
    }

    #[test]
    fn among_many_a_share_must_be_less_likely() {
        let fair = (share(600, 1000), 0.6);
        let odd = (share(650, 1000), 0.6);
        assert!(above_bounds(&[odd, fair])[0]);
        assert!(above_bounds(&[vec![odd], vec![fair; 999]].concat()).iter().all(|above| !above));
        let worse = (share(700, 1000), 0.6);
        assert!(above_bounds(&[vec![fair; 999], vec![worse]].concat())[999]);
    }

    /// Of a thousand rounds of 200 fair shares each, nearly all are told to be fair altogether.
    #[test]
    fn fair_shares_are_seldom_called_unfair() {
        let mut dice = stream(1, &["holm"]);
        let mut thrown = |_| {
            let some = (0..300).filter(|_| dice.random_bool(0.6)).count();
            (share(some, 300), 0.6)
        };
        let (mut unfair, mut each) = (0, 0);
        for _ in 0..1000 {
            let shares: Vec<(BoundedShare, f64)> = (0..200).map(&mut thrown).collect();
            unfair += usize::from(above_bounds(&shares).contains(&true));
            each += usize::from(shares.iter().any(|(share, bound)| share.low() > *bound));
        }
        assert!(unfair <= 15, "{unfair} of 1,000");
        assert!(each > 500, "one by one, only {each} of 1,000 rounds had one above");
    }
}
