//! Many domains to one source of items, and whole domains to splits.

pub mod dealing;
pub mod identity;
pub mod member;
pub mod members;
