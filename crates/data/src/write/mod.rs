//! Rows and records to files, none of them half-written under a final name.

mod csv;
mod encode;
pub mod facts;
pub mod files;
pub mod folder;
mod jsonl;
mod parquet;
pub mod partial;
pub mod records;
pub mod sink;
pub mod text;
pub mod triples;
