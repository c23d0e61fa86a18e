//! Panels to the moves of the paper's oracle (section 3.3, appendix A.3).

use crate::halma::maze::grid::Direction;
use crate::halma::play::agents::agent::HalmaAgent;
use crate::halma::play::agents::known_way::KnownWay;
use crate::halma::play::episode::{HalmaMove, HalmaTask, MoveOutcome};
use crate::halma::play::panel::Panel;

/// Plays as the oracle does.
#[derive(Debug, Default)]
pub struct Oracle {
    task: HalmaTask,
    /// The moves of a first trial.
    made: Vec<(Direction, u8)>,
    /// The way, once it is known.
    known: Option<KnownWay>,
}

/// Where the oracle goes: at a crossing where the hint points, elsewhere in a free direction that brings the goal nearer;
/// as far as the nearest of wall, crossing and goal.
pub fn explore(panel: &Panel) -> (Direction, u8) {
    let toward = Direction::ALL.into_iter().find(|d| panel.wall(*d) > 0 && panel.goal(*d) > 0);
    let direction = panel.hint().or(toward).unwrap_or(Direction::Left);
    let goal = Some(panel.goal(direction)).filter(|units| *units > 0);
    let units = [panel.crossing(direction), goal].into_iter().flatten().fold(panel.wall(direction), u8::min);
    (direction, units)
}

impl HalmaAgent for Oracle {
    fn begin(&mut self, task: &HalmaTask, _: u64) {
        *self = Oracle { task: *task, ..Oracle::default() };
    }

    fn choose(&mut self, panel: &Panel) -> HalmaMove {
        match &mut self.known {
            Some(way) => way.choose(&self.task),
            None => {
                let (direction, units) = explore(panel);
                HalmaMove::of_units(direction, units, &self.task)
            }
        }
    }

    fn told(&mut self, made: &HalmaMove, outcome: &MoveOutcome) {
        if let Some(way) = &mut self.known {
            return way.told(made, outcome);
        }
        self.made.push((made.direction(), made.units()));
        if outcome.reached {
            self.known = Some(KnownWay::of(self.made.drain(..)));
        } else if outcome.trial_over {
            self.made.clear();
        }
    }
}
