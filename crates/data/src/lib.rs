//! Items to files, and files to items: rows, their columns, formats, manifest and data card.

pub mod card;
pub mod columns;
pub mod export;
pub mod manifest;
pub mod read;
pub mod row;
pub mod table;
pub mod write;

#[cfg(test)]
mod sample;
