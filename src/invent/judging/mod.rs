//! A theory and a world of it to what speaks against it, filter by filter.

pub(super) mod families;
pub(super) mod goals;
pub mod reasons;
pub(super) mod shape;
pub(super) mod switches;
pub(super) mod transitions;
pub(super) mod walks;
