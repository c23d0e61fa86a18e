//! What a theory is made of, and how one is drawn.

pub(crate) mod conditions;
pub(crate) mod couplings;
pub mod drawing;
pub mod grammar;
mod mechanisms;
pub mod parts;
mod static_laws;
