//! What whoever plays can do: choose a move, and be told what came of it.

use crate::halma::play::episode::{HalmaMove, HalmaTask, MoveOutcome};
use crate::halma::play::log::LoggedMove;
use crate::halma::play::panel::Panel;

/// Whoever plays. It sees panels and what came of its moves, never the maze.
pub trait HalmaAgent {
    /// An episode begins, in another maze perhaps. Random choices depend on its number.
    fn begin(&mut self, task: &HalmaTask, episode: u64);

    /// The next move.
    fn choose(&mut self, panel: &Panel) -> HalmaMove;

    /// What came of it.
    fn told(&mut self, made: &HalmaMove, outcome: &MoveOutcome);

    /// It was trained, and this is what it did; nobody but who learns takes anything from it.
    fn remember(&mut self, moves: &[LoggedMove]) {
        let _ = moves;
    }

    /// Does it take anything from one episode to the next? Then a log can only be continued by playing what is in it again.
    fn learns(&self) -> bool {
        false
    }
}
