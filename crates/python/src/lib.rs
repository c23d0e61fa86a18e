//! racgen as a Python module: thin functions over the crate `racgen`, with plain values and JSON on both sides.
//!
//! The Python files beside it, in `python/racgen`, make them what a user sees. Each long call lets other Python threads run
//! (`waiting`), and a process may fork between calls (`forks`).

mod actors;
mod dataset;
mod domains;
mod failure;
mod forks;
mod game_data;
mod judging;
mod limits;
mod matches;
mod mazes;
mod pools;
mod row_maker;
mod row_stream;
mod rule_sets;
mod run_counter;
mod trials;
mod waiting;
mod worlds;

/// The module `racgen._native`.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::dataset::RowSource;
    #[pymodule_export]
    use crate::domains::{check_domain, describe_domain, list_domains};
    #[pymodule_export]
    use crate::forks::{after_fork, before_fork};
    #[pymodule_export]
    use crate::game_data::{check_game, game_items, game_types, own_game_texts};
    #[pymodule_export]
    use crate::judging::{audit_data, instruction, score_answers, score_files};
    #[pymodule_export]
    use crate::matches::NativeMatch;
    #[pymodule_export]
    use crate::mazes::MazeGame;
    #[pymodule_export]
    use crate::row_stream::RowStream;
    #[pymodule_export]
    use crate::rule_sets::{rule_items, rule_set, score_rule_files};
    #[pymodule_export]
    use crate::trials::SampledTrial;
    #[pymodule_export]
    use crate::worlds::ActingWorld;
}
