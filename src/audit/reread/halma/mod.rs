//! Reading back questions about mazes.

pub mod voice;
