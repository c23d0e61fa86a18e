//! Weights to whole numbers and to cycles.

/// Shares a whole number out in proportion to weights, by largest remainders.
pub fn apportion(total: u64, weights: &[f64]) -> Vec<u64> {
    let sum: f64 = weights.iter().sum();
    let exact: Vec<f64> = weights.iter().map(|w| total as f64 * w / sum).collect();
    let mut shares: Vec<u64> = exact.iter().map(|x| x.floor() as u64).collect();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|a, b| (exact[*b].fract()).total_cmp(&exact[*a].fract()).then(a.cmp(b)));
    let rest = total - shares.iter().sum::<u64>();
    order.iter().cycle().take(rest as usize).for_each(|i| shares[*i] += 1);
    shares
}

/// A cycle of kinds in the given proportions, spread evenly.
pub fn interleave(mix: &[u32; 3]) -> Vec<usize> {
    let total: u32 = mix.iter().sum();
    let mut credit = [0i64; 3];
    (0..total.max(1))
        .map(|_| {
            (0..3).for_each(|k| credit[k] += i64::from(mix[k]));
            let best = (0..3).max_by_key(|k| (credit[*k], std::cmp::Reverse(*k))).unwrap_or(0);
            credit[best] -= i64::from(total);
            best
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up() {
        assert_eq!(apportion(10, &[0.8, 0.1, 0.1]), [8, 1, 1]);
        assert_eq!(apportion(7, &[1.0, 1.0, 1.0]), [3, 2, 2]);
        assert_eq!(apportion(0, &[1.0]), [0]);
    }

    #[test]
    fn kinds_are_spread_in_proportion() {
        let cycle = interleave(&[4, 3, 3]);
        assert_eq!(cycle.len(), 10);
        assert_eq!([0, 1, 2].map(|k| cycle.iter().filter(|c| **c == k).count()), [4, 3, 3]);
        assert_eq!(interleave(&[1, 0, 0]), [0]);
    }
}
