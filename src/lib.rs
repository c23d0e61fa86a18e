//! racgen makes question-answer data sets about actions and change. Action domains are answer-set programs, kept
//! as data; clingo grounds them and judges; templates turn atoms into sentences.
//!
//! The way of one row, each arrow a module:
//!
//! 1. [`package`]: a folder of files to a checked domain ([`Package`]);
//! 2. [`world`]: a package and a level to a [`Layout`]; [`situations`]: a layout to initial situations;
//!    [`backdrop`] keeps both;
//! 3. [`story`]: a situation to a sequence of executable actions and all that can be asked about it;
//! 4. [`deck`]: a level to the question forms that can be balanced, and in which order they are put;
//! 5. [`choice`]: a place in that order to a question of a story; [`teller`]: atoms, actions and questions to sentences;
//!    [`paragraphs`]: a story to its text; [`rationale`]: a question to the steps that lead to its answer;
//! 6. [`factory`]: settings to rows, alone (`group`) or in pairs (`pairs`, `twins`); [`campaign`]: rows to files.
//!
//! What comes out is read back and judged by [`audit`], scored against predictions by [`score`], and brought into the
//! forms of other tools by [`export`]. Beside the domains, [`games`] turns games into induction tasks, and [`rules`]
//! makes and scores rule sets with facts to learn them from.
//!
//! Below them, [`solver`] is the only module that names clingo, [`evaluate`] runs the rules that clingo grounded,
//! and [`engine`] steps and asks with both.
//!
//! ```
//! use racgen::{Clock, Factory, Package, Settings, Stream};
//!
//! let package = Package::load("blocks").unwrap();
//! let settings = Settings { items: 10, ..Settings::default() };
//! let factory = Factory::new(package, settings, std::time::Duration::from_secs(20));
//! let train = Stream { split: 0, level: 1, depth: 1 };
//! let items = factory.group(train, 0, 8, &Clock::default()).unwrap();
//! assert_eq!(items.len(), 8);
//! assert!(items[0].row.question.ends_with('?'));
//! ```

pub mod audit;
pub mod backdrop;
pub mod campaign;
pub mod canon;
pub mod card;
pub mod check;
pub mod choice;
pub mod cli;
pub mod clock;
pub mod deck;
pub mod engine;
pub mod evaluate;
pub mod export;
pub mod factory;
pub mod fault;
pub mod games;
pub mod generic_view;
pub mod ground;
mod group;
pub mod listing;
pub mod manifest;
pub mod narrator;
mod ordered;
pub mod package;
mod pairs;
pub mod paragraphs;
pub mod phrase;
mod proportion;
pub mod rationale;
pub mod read;
pub mod replay;
pub mod row;
pub mod rules;
pub mod scaffold;
pub mod score;
pub mod seed;
pub mod settings;
pub mod show;
pub mod sink;
pub mod situations;
pub mod solver;
pub mod story;
pub mod teller;
pub mod template;
pub mod term;
pub mod theory;
mod twins;
pub mod world;

pub use backdrop::{Backdrop, Backdrops, Scenery};
pub use campaign::*;
pub use canon::world_key;
pub use card::{CardConfig, CardInfo, CardSplit, card, write_card};
pub use check::{LevelReport, Report, check, check_quick};
pub use choice::*;
pub use clock::{Clock, Timer};
pub use deck::*;
pub use engine::*;
pub use evaluate::{Evaluator, Unsupported, Values};
pub use factory::*;
pub use fault::Fault;
pub use generic_view::*;
pub use ground::{Body, GroundProgram, Literal, Rule};
pub use listing::domains_table;
pub use manifest::{FileEntry, Manifest, Tally};
pub use narrator::Narrator;
pub use package::*;
pub use paragraphs::*;
pub use phrase::*;
pub use read::{OwnedRow, ReadError};
pub use replay::{Replay, ShowError, Step};
pub use row::*;
pub use scaffold::write_new;
pub use settings::*;
pub use show::show;
pub use sink::{Format, OutputError, Sink, Written};
pub use situations::*;
pub use solver::{Budget, Program, Search, SolverError, Source};
pub use story::*;
pub use teller::*;
pub use template::*;
pub use term::{Term, TermError};
pub use theory::*;
pub use world::*;
