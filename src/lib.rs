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
pub mod campaign;
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
pub mod domain;
pub mod factory;
pub mod games;
pub mod items;
pub mod language;
pub mod phrases;
pub mod rules;
pub mod score;
pub mod simulate;

pub use racgen_data as data;
pub use racgen_logic as logic;
