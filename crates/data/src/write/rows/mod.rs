//! Rows to Parquet, JSONL and CSV.

#[cfg(feature = "stream")]
pub mod arrow_stream;
mod csv;
mod encode;
pub(crate) mod features;
pub mod jsonl;
pub(crate) mod parquet;
pub(crate) mod record_batch;
pub mod sink;
