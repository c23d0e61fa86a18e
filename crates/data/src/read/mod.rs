//! Files of items, or of records of any columns, to rows.

mod csv;
mod jsonl;
mod parquet;
pub mod record;
pub mod rows;
