//! Shapes of optimal paths: monotone ways from the start to the goal, counted, and drawn.
//!
//! Each step of a valid path brings the goal one unit nearer (appendix A.1). Up to translation, with the goal at an offset
//! of 1 to 9 by 0 to 9 and its three rotations, there are 738,980 of them (appendix A.2), which is 4 (C(20,10) - 11).

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use crate::halma::maze::grid::{Direction, SIDE};

/// A path shape: its steps, one unit each.
pub type PathShape = Vec<Direction>;

/// How many ways lead over a grid to an offset: C(dx + dy, dx).
pub fn ways(dx: u64, dy: u64) -> u64 {
    (1..=dx).fold(1, |ways, n| ways * (dy + n) / n)
}

/// The offsets of the goal that count, before rotation.
pub fn offsets() -> impl Iterator<Item = (u64, u64)> {
    let most = u64::from(SIDE) - 1;
    (1..=most).flat_map(move |dx| (0..=most).map(move |dy| (dx, dy)))
}

/// The number of path shapes.
pub fn count() -> u64 {
    4 * offsets().map(|(dx, dy)| ways(dx, dy)).sum::<u64>()
}

/// How often an offset is drawn, beside others.
///
/// In proportion to its shapes the digit 9 would come 300 times in a hundred mazes, where the paper has fewer than 100
/// (appendix C): the goal is nine units off for as many cells. So offsets of nine are rare, and others more even.
fn weight(dx: u64, dy: u64) -> f64 {
    let far = dx.max(dy) == u64::from(SIDE) - 1;
    (ways(dx, dy) as f64).powf(EVENNESS) * if far { FAR } else { 1.0 }
}

const EVENNESS: f64 = 0.7;
const FAR: f64 = 0.05;
/// Of so many shapes the one with most corners is taken: corners show the digit 1, of which the paper has more than
/// 4,000 in a hundred mazes.
const SHAPES_COMPARED: usize = 3;

/// Draws a path shape.
pub fn draw(rng: &mut ChaCha8Rng) -> PathShape {
    let all: Vec<((u64, u64), f64)> = offsets().map(|(dx, dy)| ((dx, dy), weight(dx, dy))).collect();
    let mut left = rng.random_range(0.0..all.iter().map(|(_, weight)| weight).sum());
    let found = all.iter().find(|(_, weight)| {
        left -= weight;
        left < 0.0
    });
    let (dx, dy) = found.or(all.last()).map_or((1, 0), |(offset, _)| *offset);
    let turn = rng.random_range(0..4);
    let [along, across] = [turn + 2, turn + 3].map(|n| Direction::ALL[n % 4]);
    let mut steps: PathShape = Vec::new();
    steps.extend((0..dx).map(|_| along));
    steps.extend((0..dy).map(|_| across));
    let mut best: Option<(usize, PathShape)> = None;
    for _ in 0..SHAPES_COMPARED {
        steps.shuffle(rng);
        let corners = steps.windows(2).filter(|pair| pair[0] != pair[1]).count();
        if best.as_ref().is_none_or(|(most, _)| corners > *most) {
            best = Some((corners, steps.clone()));
        }
    }
    best.map_or(steps, |(_, shape)| shape)
}
