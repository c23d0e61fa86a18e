//! How a long run tells how far it is.

/// Is told how a run goes.
pub trait Progress: Sync {
    /// A run of so many items begins, of which so many are there already.
    fn begin(&self, items: u64, done: u64);
    /// So many more items are done.
    fn advance(&self, items: u64);
}

/// Tells nobody.
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: u64, _: u64) {}
    fn advance(&self, _: u64) {}
}
