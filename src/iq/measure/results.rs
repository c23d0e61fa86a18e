//! Trials of agents to rows of a table, and back.

use racgen_data::error::DataError;
use racgen_data::read::rows::files;
use racgen_data::write::records::Cells;
use serde::{Deserialize, Serialize};
use std::path::Path;

use crate::iq::play::agents::agent::Loss;

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
    /// V.
    pub value: f64,
    /// Did it switch?
    pub switched: bool,
    /// Episodes completed before the switch.
    pub learned: u64,
    /// Episodes completed after it.
    pub evaluated: u64,
    /// Standard deviation of their rewards.
    pub deviation: f64,
    /// Steps of the game.
    pub steps: u64,
    /// Time spent.
    pub spent: u64,
    /// Steps that the game went on without it.
    pub passes: u64,
    /// Those of them that were random moves.
    pub random_passes: u64,
    /// How it lost the game; empty if it did not.
    pub lost: String,
}

/// The columns of the table.
pub const RESULT_COLUMNS: [(&str, Cells); 24] = [
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

/// The name that a loss has in the table.
pub fn loss_name(lost: Option<Loss>) -> String {
    lost.map_or(String::new(), |lost| lost.name().to_owned())
}

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
