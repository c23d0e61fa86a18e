//! racgen makes question-answer data sets about actions and change. Action domains are answer-set programs, kept
//! as data; clingo grounds them and judges; templates turn atoms into sentences.
//!
//! The way of one row, each stage a module:
//!
//! 1. [`domain`]: a folder of files, with the [`phrases`] of its book, to a checked package;
//! 2. [`simulate`]: a package to layouts, initial situations, trajectories and stories;
//! 3. [`language`]: a story to English, and English back to terms;
//! 4. [`factory`]: stories to balanced questions with answers, made to rows in [`items`];
//! 5. [`campaign`]: any source of items to a finished folder, through [`data`]'s files, card and manifest.
//!
//! What comes out is read back and judged by [`audit`], and predictions are measured by [`score`]; [`check`] tells what
//! is wrong with a package. Beside the domains, [`games`] and [`rules`] are sources of items, too, and make tasks for
//! rule learners; [`iq`] samples games and measures agents by them.
//!
//! Below all of it, [`logic`] is the only room that names clingo, and [`data`] the only one that names Arrow. Each room
//! imports lower ones only; ARCHITECTURE.md has the floors.
//!
//! ```
//! use racgen::domain::package::Package;
//! use racgen::factory::settings::Settings;
//! use racgen::factory::source::Factory;
//! use racgen::items::clock::Clock;
//! use racgen::items::source::Stream;
//!
//! let package = Package::load("blocks").unwrap();
//! let settings = Settings { items: 10, ..Settings::default() };
//! let factory = Factory::new(package, settings, std::time::Duration::from_secs(20));
//! let train = Stream { level: 1, depth: 1, ..Stream::default() };
//! let items = factory.group(train, 0, 8, &Clock::default()).unwrap();
//! assert_eq!(items.len(), 8);
//! assert!(items[0].row.question.ends_with('?'));
//! ```

pub mod audit;
pub mod campaign;
pub mod check;
// There, comments are help texts, and groups of options have none.
#[allow(missing_docs)]
#[cfg(feature = "cli")]
pub mod cli;
pub mod domain;
pub mod explore;
pub mod factory;
pub mod games;
pub mod halma;
pub mod invent;
pub mod iq;
pub mod items;
pub mod language;
pub mod pddl;
pub mod phrases;
pub mod pictures;
pub mod rules;
pub mod score;
pub mod simulate;

pub use racgen_data as data;
pub use racgen_logic as logic;
