//! Stories to questions beyond prediction: about all of their situations, about what would have been, and about what can
//! be reached from where they end.
//!
//! Families are data: wordings in `templates/common.toml`, meaning in `asp/GROUP.lp`. What is here gathers what stories
//! offer, deals families, cells and answers evenly, and pairs verify questions of equal profile.

mod aims;
pub(crate) mod answer_patterns;
pub(crate) mod begun_ways;
mod choices;
mod compared_values;
pub(crate) mod composing;
mod costs;
pub(crate) mod crossing;
mod crossing_twins;
pub mod dealing;
mod edited;
mod ever;
mod examples;
pub(crate) mod explaining;
pub(crate) mod explaining_cases;
mod explaining_ever;
pub mod extra_cells;
pub mod family_probe;
mod futures;
pub mod gathering;
mod hidden;
pub mod judging;
pub(crate) mod judging_searches;
mod landmarks;
pub(crate) mod lasting_facts;
pub(crate) mod matter;
mod named_objects;
mod never;
pub mod offers;
mod option_lists;
mod outcomes;
pub(crate) mod pair_candidates;
pub mod pairing;
pub(crate) mod part_twins;
pub(crate) mod partly;
mod plan_twins;
mod planning;
pub mod programs;
mod proposals;
pub(crate) mod proving;
mod replanning;
mod rivals;
pub mod search_families;
mod search_profile;
mod searching;
mod settling;
mod strangers;
mod superfluous;
pub mod telling;
pub(crate) mod threes;
mod turned_twins;
mod unmet;
