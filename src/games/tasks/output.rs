//! In which forms tasks are written, and where.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Forms of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum TaskFormat {
    /// The published layout: GAME_TARGET_SPLIT.dat.
    Dat,
    /// One row a triple, Apache Parquet.
    Parquet,
    /// One row a triple, one JSON object a line.
    Jsonl,
    /// bk.pl, exs.pl and bias.pl for Popper.
    Popper,
    /// .b, .f and .n files for Aleph.
    Aleph,
    /// One Prolog file for Metagol.
    Metagol,
    /// One file of context-dependent examples for ILASP.
    Ilasp,
}

/// What is written of tasks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TaskForms {
    /// The forms.
    pub forms: Vec<TaskFormat>,
    /// Write negatives into rows.
    pub explicit_negatives: bool,
    /// Negatives of a triple at most, where they are written.
    pub max_negatives: Option<usize>,
    /// Steps that clingo judges.
    pub judged: usize,
    /// Put the helper relations of the rules that change with the state into backgrounds.
    pub derived: bool,
}

/// Where the tasks of one game are written, and what of them.
#[derive(Clone, Debug)]
pub struct TaskOutput {
    /// The folder.
    pub out: PathBuf,
    /// What is written.
    pub forms: TaskForms,
}
