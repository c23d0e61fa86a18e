//! What a run wrote to the papers beside the files: manifest and data card.

pub mod arrow_size;
pub mod card;
pub mod front_matter;
pub mod manifest;
pub mod tally;
pub mod verify;
