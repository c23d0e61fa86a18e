//! What a command asks for to the folders that hold it: items of domains, tasks of games, rule data, mazes.

pub mod domain_list;
pub mod domains;
pub mod game_items;
pub mod iq_data;
pub mod iq_results;
pub mod maze_data;
pub mod row_options;
pub mod rule_data;
pub mod task_data;
pub mod transfer;
