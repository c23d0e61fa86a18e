//! An answer to the facts that suffice to see it.

pub(crate) mod cone;
pub(crate) mod derivation;
pub mod support;
