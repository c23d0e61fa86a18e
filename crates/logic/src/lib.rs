//! Logic programs to ground rules and truth, with clingo as grounder and judge.
//!
//! | module | from | to |
//! |---|---|---|
//! | [`term`] | a text | a ground term |
//! | [`clingo`] | a program's texts | ground rules, facts, answer sets; the only module that names the solver |
//! | [`ground`] | | the ground rules, as data |
//! | [`evaluate`] | ground rules and the truth of inputs | the truth of everything else, without a search |
//! | [`canonical`] | the facts of a world | a key that renaming objects does not change |
//! | [`statements`] | a program's text | its statements, by form alone |
//! | [`expressions`] | a text in prefix notation | nested lists of words, with their places |
//! | [`seed`] | a seed and words | an independent random stream, a digest |
//! | [`error`] | | what can go wrong between a text and the truth of its atoms |
//! | [`fault`] | | what is wrong with a user's file, where, and what to do |
//!
//! A program is grounded once. Its answer sets under assumptions are then clingo's to find; where there can only be
//! one, the ground rules are evaluated without a search, which takes a small part of the time:
//!
//! ```
//! use std::time::Duration;
//!
//! use racgen_logic::clingo::{Program, Source};
//! use racgen_logic::evaluate::lanes::{LaneEvaluator, Word};
//!
//! let text = "{ switch; power }.  light :- switch, power.  dark :- not light.";
//! let program = Program { sources: vec![Source::new("lamp.lp", text)], ..Program::default() };
//! let shown = [("switch", 0), ("power", 0), ("dark", 0)];
//!
//! let ground = program.ground(&shown)?;
//! let atom = |name| ground.predicate(name, 0).find_map(|(_, atom)| atom).unwrap();
//! let inputs = [(atom("switch"), true), (atom("power"), false)];
//!
//! let mut search = program.search(&shown, None, Duration::from_secs(20))?;
//! let answer_sets = search.truth(&inputs, 2)?;
//! assert_eq!(answer_sets.len(), 1);
//! assert!(answer_sets[0].holds(atom("dark")));
//!
//! // Sixty-four situations at once; here they are all alike.
//! let evaluator = LaneEvaluator::new(&ground, &[atom("dark")])?;
//! let mut values = evaluator.values::<1>();
//! for (input, value) in inputs {
//!     values.set(input, if value { Word::ALL } else { Word::NONE });
//! }
//! let verdict = evaluator.run(&mut values);
//! assert!(verdict.inconsistent.is_none() && verdict.undecided.is_none());
//! assert_eq!(values.get(atom("dark")), Word::ALL);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod canonical;
pub mod clingo;
pub mod error;
pub mod evaluate;
pub mod expressions;
pub mod fault;
pub mod ground;
pub mod memory;
pub mod seed;
pub mod statements;
pub mod term;
pub mod unread;
