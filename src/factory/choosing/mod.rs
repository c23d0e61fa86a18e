//! Stories and a place of the schedule to the question that is asked there.

pub mod offered;
pub mod probe;
pub mod profile;
pub mod schedule;
pub mod seeking;
pub mod selection;
mod telltales;
