//! Sources of items, whichever they are, to a finished folder.

pub mod error;
pub mod error_class;
pub mod finish;
pub mod jobs;
pub mod join;
pub mod ordered;
pub mod output_words;
pub mod plan;
pub mod pool;
pub mod ranges;
pub mod repeat;
pub mod run;
pub(crate) mod shares;
pub mod stream;
pub mod writer;
