//! How well agents play games that are sampled by their complexity: a measure of general intelligence.
//!
//! After Schaul, Togelius and Schmidhuber, *Measuring Intelligence through Games*. Games are derived from a grammar, their
//! complexity is the length of the derivation and the logarithm of what playing them costs, and agents learn each before
//! they are measured.

pub mod error;
pub mod grammar;
pub mod measure;
pub mod play;
pub mod report;
pub mod sample;
