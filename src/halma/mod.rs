//! Mazes of HALMA: worlds that are seen as coloured digits, to be explored once and then crossed in the fewest moves.
//!
//! After Xie et al., *HALMA: Humanlike Abstraction Learning Meets Affordance in Rapid Problem Solving*. What a maze looks
//! like and where moves lead is derived by clingo from `asp/halma.lp`, once a maze; episodes then look it up.

pub mod dynamic;
pub mod error;
pub mod items;
pub mod maze;
pub mod measure;
pub mod pictures;
pub mod play;
