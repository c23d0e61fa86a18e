//! Trials of agents to rows of a table, and back.

use racgen_data::error::DataError;
use racgen_data::read::rows::files;
use racgen_data::write::records::Cells;
use serde::{Deserialize, Serialize};
use std::path::Path;

use crate::iq::play::trial::TrialResult;

/// How an agent did in one game: a row of the results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultRow {
    /// The agent.
    pub agent: String,
    /// Does it know the rules?
    pub knows_rules: bool,
    /// The number of the game in the sample.
    pub number: u64,
    /// Its name.
    pub game: String,
    /// What it is.
    pub kind: String,
    /// Players.
    pub players: u64,
    /// The fixed adversary; empty in games for one.
    pub opponent: String,
    /// Bits of its derivation.
    pub derivation: String,
    /// Their number l.
    pub length: u64,
    /// Mean ticks of a random episode.
    pub tau: f64,
    /// K.
    pub complexity: f64,
    /// The iteration.
    pub iteration: u32,
    /// The budget is 2 to this times T0.
    pub doublings: u32,
    /// The budget: ticks, or steps.
    pub budget: u64,
    /// Is it a number of steps?
    pub in_steps: bool,
    /// V, and how it came about.
    #[serde(flatten)]
    pub result: TrialResult,
}

/// The columns of the table.
pub const RESULT_COLUMNS: [(&str, Cells); 25] = [
    ("agent", Cells::Text),
    ("knows_rules", Cells::Bool),
    ("number", Cells::Whole),
    ("game", Cells::Text),
    ("kind", Cells::Text),
    ("players", Cells::Whole),
    ("opponent", Cells::Text),
    ("derivation", Cells::Text),
    ("length", Cells::Whole),
    ("tau", Cells::Number),
    ("complexity", Cells::Number),
    ("iteration", Cells::Whole),
    ("doublings", Cells::Whole),
    ("budget", Cells::Whole),
    ("in_steps", Cells::Bool),
    ("value", Cells::Number),
    ("switched", Cells::Bool),
    ("learned", Cells::Whole),
    ("evaluated", Cells::Whole),
    ("deviation", Cells::Number),
    ("steps", Cells::Whole),
    ("spent", Cells::Whole),
    ("passes", Cells::Whole),
    ("random_passes", Cells::Whole),
    ("lost", Cells::Text),
];

/// Reads the rows of a file of results.
///
/// # Errors
/// A file that cannot be read, or holds something else.
pub fn read_results(path: &Path) -> Result<Vec<ResultRow>, DataError> {
    let mut rows = Vec::new();
    for (file, records) in files(path)? {
        for record in records {
            let record = record?;
            let row = serde_json::from_value(record.columns.into()).map_err(|error| DataError::Broken {
                path: file.clone(),
                place: record.place.clone(),
                cause: format!("this is no result of `racgen iq run`: {error}"),
            })?;
            rows.push(row);
        }
    }
    Ok(rows)
}
