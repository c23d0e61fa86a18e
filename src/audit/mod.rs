//! A data set to a verdict on it: is every answer right, by the text alone, and is there no way to guess it?

pub mod invert;
pub mod reread;
