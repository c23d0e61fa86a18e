//! Rows to Parquet, JSONL and CSV.

mod csv;
mod encode;
mod jsonl;
pub(crate) mod parquet;
pub mod sink;
