//! Arguments to library calls, one file a command.

pub mod args;
pub mod audit;
pub mod draw;
mod draw_game;
pub mod explore;
pub mod export;
pub mod game_items;
pub mod games;
pub mod generate;
pub mod halma;
pub mod import;
pub mod invent;
pub mod iq;
pub mod iq_run;
pub mod maze_items;
pub mod maze_pictures;
pub mod output;
pub mod packages;
pub mod pddl;
pub mod rule_items;
pub mod rules;
pub mod score;
