//! Worlds to the parts of a cross-validation, so that whoever learns has seen none that is guessed.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

/// Parts of a cross-validation.
pub const FOLDS: usize = 5;

/// The part that a world belongs to.
pub fn fold(world: &str) -> u8 {
    let mut hasher = FxHasher::default();
    world.hash(&mut hasher);
    ((hasher.finish() >> 32) % FOLDS as u64) as u8
}
