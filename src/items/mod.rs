//! What every source of items shares: the trait it implements, how items are dealt to streams, how a row is put
//! together, and where the time goes.

pub mod apportion;
pub mod clock;
pub mod error;
pub mod progress;
pub mod row_builder;
pub mod source;
pub mod split_rows;
pub mod spool;
