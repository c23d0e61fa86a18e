//! States of games to drawing atoms: by the view beside a game's rules, or by one that is made from its fluents.

pub mod game_painter;
mod usual;
