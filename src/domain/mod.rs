//! A folder of files to a checked domain package.

pub mod catalogue;
pub mod embedded;
mod files;
mod form_checks;
pub mod listing;
pub mod mechanism;
pub mod package;
pub(crate) mod parts;
pub mod question_groups;
mod question_rules;
mod reader;
pub mod scaffold;
