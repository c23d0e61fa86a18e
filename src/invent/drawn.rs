//! What is kept of a theory that was drawn for a number.

use std::collections::BTreeMap;

use crate::invent::judging::reasons::Reason;
use crate::invent::theory::parts::InventedTheory;

/// A theory that was kept.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnTheory {
    /// Its number.
    pub number: u64,
    /// The theory.
    pub theory: InventedTheory,
    /// The length of its code in bits, given its cell; before anything was rejected.
    pub bits: f64,
    /// The key of its canonical form.
    pub key: String,
    /// Why the theories drawn for this number before it were left out, and how many.
    pub rejected: BTreeMap<Reason, usize>,
}
