//! Items, as numbers and hashes, to what could be guessed of them and what their splits share.

pub mod answering;
pub mod apart;
pub mod bag;
pub mod bayes;
pub mod boost;
pub mod bounded_share;
pub mod choosing;
pub mod folds;
pub mod giveaways;
mod holm;
pub mod initially;
pub mod item;
pub mod leaks;
pub mod options;
pub mod pairing;
pub mod shortcuts;
pub mod thresholds;
