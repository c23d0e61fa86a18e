//! Files of items, or of records of any columns, to rows.

mod csv;
pub mod entry;
mod jsonl;
mod parquet;
pub mod record;
pub mod rows;
