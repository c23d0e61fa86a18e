//! Mazes of HALMA: their numbers, what is seen and what moves do, who plays how well, what is asked about them and drawn of
//! them, and files and talk gone wrong.

mod commands;
mod dynamic;
mod items;
mod mazes;
mod pictures;
mod play;
mod simulator;
