//! Choices to games for one: worlds to act in, each with something to achieve, under one clock.

pub mod lights;
pub mod quest;
pub mod tiles;
pub mod world;
pub mod worlds;
