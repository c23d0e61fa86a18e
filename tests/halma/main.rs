//! Mazes of HALMA: their numbers, what is seen and what moves do, who plays how well, and files and talk gone wrong.

mod dynamic;
mod mazes;
mod play;
mod simulator;
