//! What every source of items shares: how items are dealt to streams, and where the time goes.

pub mod apportion;
pub mod clock;
