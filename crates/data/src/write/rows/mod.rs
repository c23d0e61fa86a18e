//! Rows to Parquet, JSONL and CSV.

mod csv;
mod encode;
pub mod jsonl;
pub(crate) mod parquet;
mod record_batch;
#[cfg(feature = "stream")]
pub mod arrow_stream;
pub mod sink;
