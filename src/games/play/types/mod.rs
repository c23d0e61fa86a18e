//! Type signatures: read, written, inferred from rules, and turned into all atoms that they allow (section 4.2).

mod classes;
mod declare;
mod inference;
mod signature;
mod terms;
mod text;

pub use self::signature::{Declaration, Types};
