//! Rows and records to files, none of them half-written under a final name.

pub mod facts;
pub mod files;
pub mod folder;
pub mod partial;
pub mod records;
pub mod rows;
pub mod text;
pub mod triples;
