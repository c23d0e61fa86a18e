//! Two sets to how far they are the same.

/// The F1 of two sets of these sizes that share so many: the harmonic mean of the shares that this is of each; 0 where they
/// share none.
pub(crate) fn overlap(shared: usize, said: usize, wanted: usize) -> f64 {
    2.0 * shared as f64 / (said + wanted).max(1) as f64
}
