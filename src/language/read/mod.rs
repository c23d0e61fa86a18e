//! English back to terms, by the phrasings turned round.

pub(crate) mod cuts;
pub mod family_reader;
pub mod forms;
pub mod name_index;
pub mod parser;
pub mod phrasing_table;
pub mod rationale_parser;
pub mod sentence;
