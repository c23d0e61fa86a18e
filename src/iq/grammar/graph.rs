//! States and what actions make of them to how far states are from each other.

use std::collections::VecDeque;

/// The distances of all states from one, where it cannot be reached none. `next` tells where an action leads.
pub fn distances(
    states: usize,
    actions: usize,
    from: usize,
    next: impl Fn(usize, usize) -> usize,
    closed: &[usize],
) -> Vec<Option<u32>> {
    let mut distances = vec![None; states];
    distances[from] = Some(0);
    let mut open = VecDeque::from([(from, 0)]);
    while let Some((state, far)) = open.pop_front() {
        for action in 0..actions {
            let to = next(state, action);
            if distances[to].is_none() && !closed.contains(&to) {
                distances[to] = Some(far + 1);
                open.push_back((to, far + 1));
            }
        }
    }
    distances
}

/// The states at exactly this distance, or at the greatest if there are none; and that distance.
pub fn ring(distances: &[Option<u32>], wanted: u32) -> (Vec<usize>, u32) {
    let farthest = distances.iter().flatten().copied().max().unwrap_or(0);
    let wanted = wanted.min(farthest);
    let at = distances.iter().enumerate().filter(|(_, distance)| **distance == Some(wanted));
    (at.map(|(state, _)| state).collect(), wanted)
}
