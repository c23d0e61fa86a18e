//! Counts of what moves did to moves: a table for each colour, digit and number of units, nothing read into digits.
//!
//! The explorer begins knowing neither what a digit is nor what a colour or a hint means. It counts which moves were
//! affordable where a panel showed which digit of which colour, and which directions belonged to ways that reached the
//! goal, by the hint and by the colours of the goal. Once it has reached the goal it goes that way again, without its loops.

use std::collections::HashMap;

use racgen_logic::seed::stream;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::halma::maze::grid::Direction;
use crate::halma::play::agents::agent::HalmaAgent;
use crate::halma::play::agents::known_way::KnownWay;
use crate::halma::play::episode::{HalmaMove, HalmaTask, MOST_UNITS, MoveOutcome};
use crate::halma::play::log::LoggedMove;
use crate::halma::play::panel::{Panel, Symbols};

/// How often something went well, and how often not.
#[derive(Clone, Copy, Debug, Default)]
struct Outcomes {
    good: u32,
    bad: u32,
}

/// What tells where to go: the hint, and the colours in which the goal is shown.
type Occasion = (i8, [bool; 4]);

/// Learns by counting, over all its episodes.
#[derive(Debug)]
pub struct Explorer {
    seed: u64,
    rng: ChaCha8Rng,
    task: HalmaTask,
    /// Whether so many units are affordable in a direction whose larger digit is this.
    affordable: HashMap<(Direction, i8, u8), Outcomes>,
    /// Whether a direction belongs to a way to the goal.
    directions: HashMap<(Occasion, Direction), Outcomes>,
    /// Whether it pays to go as far as the lesser of two digits.
    stops: Outcomes,
    /// What was seen and done in this trial.
    trial: Vec<(Symbols, HalmaMove)>,
    seen: Symbols,
    /// The way, once it is known in this maze.
    known: Option<KnownWay>,
}

impl Outcomes {
    fn add(&mut self, good: bool) {
        if good {
            self.good += 1;
        } else {
            self.bad += 1;
        }
    }

    /// The share of what went well, a half where nothing is known.
    fn share(self) -> f64 {
        (f64::from(self.good) + 1.0) / (f64::from(self.good + self.bad) + 2.0)
    }

    fn all(self) -> f64 {
        f64::from(self.good + self.bad)
    }
}

fn occasion(seen: &Symbols) -> Occasion {
    (seen[10], [seen[8] < 0, seen[9] < 0, seen[8] > 0, seen[9] > 0])
}

impl Explorer {
    /// One who knows nothing yet.
    pub fn new(seed: u64) -> Explorer {
        Explorer {
            seed,
            rng: stream(seed, &["halma", "explorer"]),
            task: HalmaTask::default(),
            affordable: HashMap::new(),
            directions: HashMap::new(),
            stops: Outcomes::default(),
            trial: Vec::new(),
            seen: [0; 11],
            known: None,
        }
    }

    fn afford(&self, direction: Direction, units: u8) -> Outcomes {
        let digit = self.seen[direction.index()];
        self.affordable.get(&(direction, digit, units)).copied().unwrap_or_default()
    }

    /// How many units may be tried: those that were never found too many.
    fn units(&self, direction: Direction) -> Vec<u8> {
        let most = MOST_UNITS * self.task.max_option;
        (1..=most).filter(|units| self.afford(direction, *units).share() >= 0.5).collect()
    }

    fn direction(&mut self) -> Direction {
        let occasion = occasion(&self.seen);
        let mut best = (f64::MIN, Direction::Left);
        for direction in Direction::ALL {
            let counts = self.directions.get(&(occasion, direction)).copied().unwrap_or_default();
            // Where little is known, chance decides; where no unit is affordable, nothing is gained.
            let chance = self.rng.random_range(-1.0..1.0) / (1.0 + counts.all()).sqrt();
            let shut = self.units(direction).is_empty();
            let worth = counts.share() + chance - if shut { 2.0 } else { 0.0 };
            if worth > best.0 {
                best = (worth, direction);
            }
        }
        // A little chance keeps it from going to and fro.
        if self.rng.random_range(0.0..1.0) < 0.1 {
            Direction::ALL[self.rng.random_range(0..4)]
        } else {
            best.1
        }
    }

    /// Counts what a move did, and at the goal which moves of its trial led there.
    fn learn(&mut self, made: &HalmaMove, valid: bool, reached: bool, trial_over: bool) {
        let digit = self.seen[made.direction().index()];
        self.affordable.entry((made.direction(), digit, made.units())).or_default().add(valid);
        if valid {
            self.trial.push((self.seen, *made));
        }
        if !(trial_over && reached) {
            return;
        }
        let way = self.way();
        for (number, (seen, made)) in self.trial.iter().enumerate() {
            let on_it = way.iter().any(|(of, ..)| *of == number);
            self.directions.entry((occasion(seen), made.direction())).or_default().add(on_it);
            if seen[4 + made.direction().index()] == made.units() as i8 {
                self.stops.add(on_it);
            }
        }
    }

    /// The moves of the trial that was reached by, without those that a later one led back behind.
    fn way(&self) -> Vec<(usize, Direction, u8)> {
        let mut way: Vec<(usize, Direction, u8)> = Vec::new();
        let mut at: Vec<(i32, i32)> = vec![(0, 0)];
        for (number, (_, made)) in self.trial.iter().enumerate().filter(|(_, (_, made))| made.units() > 0) {
            let ((x, y), (dx, dy)) = (at[at.len() - 1], made.direction().unit());
            let units = i32::from(made.units());
            let next = (x + i32::from(dx) * units, y + i32::from(dy) * units);
            match at.iter().position(|was| *was == next) {
                Some(first) => {
                    at.truncate(first + 1);
                    way.truncate(first);
                }
                None => {
                    at.push(next);
                    way.push((number, made.direction(), made.units()));
                }
            }
        }
        way
    }
}

impl HalmaAgent for Explorer {
    fn learns(&self) -> bool {
        true
    }

    fn begin(&mut self, task: &HalmaTask, episode: u64) {
        self.task = *task;
        self.rng = stream(self.seed, &["halma", "explorer", &episode.to_string()]);
        self.trial.clear();
        self.known = None;
    }

    fn choose(&mut self, panel: &Panel) -> HalmaMove {
        self.seen = panel.symbols();
        if let Some(way) = &mut self.known {
            return way.choose(&self.task);
        }
        let direction = self.direction();
        let open = self.units(direction);
        let lesser = self.seen[4 + direction.index()];
        let stop = open.iter().copied().find(|units| *units as i8 == lesser);
        let far = open.last().copied().unwrap_or(1);
        let units = match stop {
            Some(units) if self.rng.random_range(0.0..1.0) < self.stops.share() => units,
            _ if self.rng.random_range(0.0..1.0) < 0.7 => far,
            _ => self.rng.random_range(1..=far),
        };
        HalmaMove::of_units(direction, units, &self.task)
    }

    fn told(&mut self, made: &HalmaMove, outcome: &MoveOutcome) {
        if let Some(way) = &mut self.known {
            return way.told(made, outcome);
        }
        self.learn(made, outcome.valid, outcome.reached, outcome.trial_over);
        if outcome.reached {
            let way = self.way();
            self.known = Some(KnownWay::of(way.into_iter().map(|(_, direction, units)| (direction, units))));
        }
        if outcome.trial_over {
            self.trial.clear();
        }
    }

    /// Counts what it did in training as if it were doing it now, also where it went a way that it knew.
    fn remember(&mut self, moves: &[LoggedMove]) {
        for (place, logged) in moves.iter().enumerate() {
            let Ok(made) = HalmaMove::new(logged.direction, &logged.option) else { continue };
            let goes_on = |next: &LoggedMove| next.episode == logged.episode && next.trial == logged.trial;
            let over = !moves.get(place + 1).is_some_and(goes_on);
            self.seen = logged.seen;
            self.learn(&made, logged.valid, logged.reached, over);
            if over {
                self.trial.clear();
            }
        }
    }
}
