//! A situation to all that can be reached from it, how soon, and by which actions: the primitives that goals and plans rest
//! on.

pub mod by_clingo;
pub mod by_invariant;
pub mod costs;
pub mod fact_places;
pub mod given;
pub mod goal;
pub mod kept_ways;
pub mod step_bounds;
pub mod surroundings;
pub mod values;
pub mod wandering;
