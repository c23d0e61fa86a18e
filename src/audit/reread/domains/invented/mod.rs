//! The rules paragraph of an invented domain to the theory that it tells, and this against the programs of the package.
//!
//! 1. `known_words`: the phrase book to the words for types, fluents and actions;
//! 2. `clauses`: clauses to conditions and changes;
//! 3. `always` and `sentences`: sentences to the parts of a theory;
//! 4. `equivalence`: the theory to rules, and these against those that clingo runs.

mod always;
mod clauses;
pub mod equivalence;
mod known_words;
mod sentences;
