//! A game to many random playouts at once, and how they went.
//!
//! Each playout has a lane of the game's circuits; where one is over, the next one begins. A playout has random numbers of
//! its own, from the seed and its number, so that it goes the same way whatever is played beside it.

use std::ops::Range;

use racgen_logic::evaluate::Unsupported;
use racgen_logic::evaluate::circuit::{CircuitSize, CircuitValues, LaneChoice};
use racgen_logic::evaluate::lanes::Word;
use racgen_logic::seed::stream;
use rand::Rng;

use crate::games::play::circuit::GameCircuits;
use crate::games::play::ground_game::{GroundGame, Whole};

/// How many playouts run side by side: 64 times as many. Of 4, 8 and 16, 8 was fastest for most games.
const WIDTH: usize = 8;

/// A game that is ready for random playouts.
///
/// ```
/// use racgen::games::gdl::syntax::Game;
/// use racgen::games::play::ground_game::{GroundGame, Limits};
/// use racgen::games::play::playouts::Playouts;
/// let text = "(role r) (init (n 0)) (succ 0 1) (succ 1 2) (legal r go)
///             (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 2))) (goal r 50)";
/// let arena = GroundGame::new(Game::read(text, "count.kif").unwrap(), &Limits::default()).unwrap();
/// let playouts = Playouts::new(&arena, arena.whole.as_ref().unwrap()).unwrap();
/// let tally = playouts.play(0, 0..1000, 100);
/// assert_eq!((tally.playouts, tally.steps, tally.finished), (1000, 2000, 1000));
/// assert_eq!(tally.goals, [1000]);
/// ```
#[derive(Debug)]
pub struct Playouts {
    game: String,
    pub(crate) circuits: GameCircuits,
    /// By fluent: does it hold at first?
    initial: Vec<bool>,
    /// Is the first state the end?
    over: bool,
}

/// How playouts went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayoutTally {
    /// How many there were.
    pub playouts: u64,
    /// Steps of all.
    pub steps: u64,
    /// Those that reached a terminal state.
    pub finished: u64,
    /// Those that stopped where a role had no legal move.
    pub stuck: u64,
    /// By goal, how many of those that reached a terminal state have it there.
    pub goals: Vec<u64>,
}

impl Playouts {
    /// Compiles a game.
    ///
    /// # Errors
    /// [`Unsupported`]: loops through negation.
    pub fn new(arena: &GroundGame, whole: &Whole) -> Result<Playouts, Unsupported> {
        let mut initial = vec![false; whole.fluents.len()];
        whole.initial.iter().for_each(|fluent| initial[*fluent as usize] = true);
        let circuits = GameCircuits::new(whole)?;
        let mut values = circuits.values::<1>();
        whole.initial.iter().for_each(|fluent| values.set(*fluent as usize, Word::ALL));
        circuits.find_ends(&mut values);
        let over = values.get(circuits.terminal).get(0);
        Ok(Playouts { game: arena.game.name.clone(), circuits, initial, over })
    }

    /// How large the circuit of a step is.
    pub fn size(&self) -> CircuitSize {
        self.circuits.size()
    }

    /// Plays the playouts with these numbers, each for so many steps at most.
    pub fn play(&self, seed: u64, numbers: Range<u64>, most: u32) -> PlayoutTally {
        self.play_in::<WIDTH>(seed, numbers, most)
    }

    /// As [`Playouts::play`], with `64 * L` of them side by side, which changes nothing but the time it takes.
    pub fn play_in<const L: usize>(&self, seed: u64, numbers: Range<u64>, most: u32) -> PlayoutTally {
        let root = stream(seed, &["games", &self.game, "playouts"]).next_u64();
        let mut table = PlayoutTable::<L>::new(self, root, numbers, most);
        table.begin(Word::ALL);
        // Playouts that begin where others end are not looked at before they go on.
        let no_step = self.over || most == 0;
        while !table.active.is_none() {
            table.end();
            if !no_step {
                table.step();
            }
        }
        table.tally
    }
}

/// Playouts side by side.
struct PlayoutTable<'p, const L: usize> {
    playouts: &'p Playouts,
    values: CircuitValues<L>,
    /// By role.
    choices: Vec<LaneChoice<L>>,
    /// The moves of one role that are made, and the fluents that hold next, before they are put in place.
    made: Vec<Word<L>>,
    next: Vec<Word<L>>,
    root: u64,
    numbers: Range<u64>,
    most: u32,
    /// Where a playout is under way.
    active: Word<L>,
    /// Where a role had no legal move.
    stuck: Word<L>,
    /// Steps of each playout, in binary digits.
    played: Vec<Word<L>>,
    /// The random numbers of each.
    dice: Vec<PlayoutDice>,
    tally: PlayoutTally,
}

/// The random numbers of a playout (SplitMix64: Steele, Lea and Flood 2014).
#[derive(Clone, Copy, Debug, Default)]
struct PlayoutDice(u64);

impl PlayoutDice {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

    #[inline]
    fn mixed(number: u64) -> u64 {
        let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    }

    /// Of the playout with a number.
    fn new(root: u64, playout: u64) -> PlayoutDice {
        PlayoutDice(PlayoutDice::mixed(root ^ PlayoutDice::mixed(playout.wrapping_add(PlayoutDice::STEP))))
    }

    /// A number below a count, 0 if there is nothing to choose. What is left over where 2 to the power of 32 is no
    /// multiple of the count favours a number by less than a millionth.
    #[inline]
    fn roll(&mut self, below: u32) -> u32 {
        self.0 = self.0.wrapping_add(PlayoutDice::STEP & u64::from(below > 1).wrapping_neg());
        let drawn = PlayoutDice::mixed(self.0) >> 32;
        ((drawn * u64::from(below)) >> 32) as u32
    }
}

impl<'p, const L: usize> PlayoutTable<'p, L> {
    fn new(playouts: &'p Playouts, root: u64, numbers: Range<u64>, most: u32) -> PlayoutTable<'p, L> {
        let circuits = &playouts.circuits;
        let options: Vec<usize> = circuits.first_move.windows(2).map(|pair| pair[1] - pair[0]).collect();
        PlayoutTable {
            values: circuits.values(),
            made: vec![Word::NONE; options.iter().copied().max().unwrap_or(0)],
            choices: options.into_iter().map(LaneChoice::new).collect(),
            next: vec![Word::NONE; circuits.fluents],
            root,
            numbers,
            most,
            active: Word::NONE,
            stuck: Word::NONE,
            played: vec![Word::NONE; (u32::BITS - most.leading_zeros()) as usize],
            dice: vec![PlayoutDice::default(); Word::<L>::LANES],
            tally: PlayoutTally { goals: vec![0; circuits.goals.len()], ..PlayoutTally::default() },
            playouts,
        }
    }

    /// Begins a playout in each of these lanes, as long as there are any left.
    fn begin(&mut self, lanes: Word<L>) {
        for lane in lanes.lanes() {
            match self.numbers.next() {
                Some(number) => {
                    self.dice[lane] = PlayoutDice::new(self.root, number);
                    self.active.insert(lane);
                }
                None => self.active = self.active & !Word::lane(lane),
            }
        }
        let state = &mut self.values.slots_mut()[..self.playouts.circuits.fluents];
        for (fluent, initial) in state.iter_mut().zip(&self.playouts.initial) {
            *fluent = if *initial { *fluent | lanes } else { *fluent & !lanes };
        }
        self.played.iter_mut().for_each(|digit| *digit = *digit & !lanes);
    }

    /// Ends the playouts that are over, and has others begin.
    fn end(&mut self) {
        let circuits = &self.playouts.circuits;
        circuits.find_ends(&mut self.values);
        let terminal = self.values.get(circuits.terminal);
        let digits = self.played.iter().enumerate();
        let longest = digits.fold(Word::ALL, |all, (place, digit)| {
            all & if self.most >> place & 1 == 1 { *digit } else { !*digit }
        });
        let over = terminal | longest | self.stuck;
        if over.is_none() {
            return;
        }
        let (over, finished) = (over, terminal & self.active);
        self.tally.playouts += (over & self.active).count();
        self.tally.finished += finished.count();
        self.tally.stuck += (self.stuck & self.active).count();
        if !finished.is_none() && !circuits.goals.is_empty() {
            circuits.find_goals(&mut self.values);
            for (count, goal) in self.tally.goals.iter_mut().zip(&circuits.goals) {
                *count += (self.values.get(*goal) & finished).count();
            }
        }
        self.begin(over);
    }

    /// Has each role of each playout make a random legal move.
    fn step(&mut self) {
        let circuits = &self.playouts.circuits;
        circuits.find_legal(&mut self.values);
        self.stuck = Word::NONE;
        for (choice, moves) in self.choices.iter_mut().zip(circuits.first_move.windows(2)) {
            let (from, to) = (moves[0], moves[1]);
            let made = &mut self.made[..to - from];
            let (values, dice) = (&self.values, &mut self.dice);
            let legal = &circuits.legal[from..to];
            let any =
                choice.choose(|option| values.get(legal[option]), |lane, below| dice[lane].roll(below), made);
            self.stuck = self.stuck | !any;
            let first = circuits.fluents + from;
            self.values.slots_mut()[first..first + made.len()].copy_from_slice(made);
        }
        circuits.find_next(&mut self.values);
        for (next, output) in self.next.iter_mut().zip(&circuits.next) {
            *next = self.values.get(*output);
        }
        self.values.slots_mut()[..self.next.len()].copy_from_slice(&self.next);
        let moved = !self.stuck;
        self.tally.steps += (moved & self.active).count();
        let mut carry = moved;
        for digit in &mut self.played {
            let over = *digit & carry;
            *digit = *digit ^ carry;
            carry = over;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of a few options comes up about as often, and playouts side by side share nothing.
    #[test]
    fn dice_are_fair() {
        for below in [2u32, 3, 7, 100] {
            let mut counts = vec![0u32; below as usize];
            for playout in 0..1000 {
                let mut dice = PlayoutDice::new(5, playout);
                (0..100).for_each(|_| counts[dice.roll(below) as usize] += 1);
            }
            let mean = 100_000.0 / f64::from(below);
            let distance: f64 = counts.iter().map(|n| (f64::from(*n) - mean).powi(2) / mean).sum();
            // The mean of chi-square is its degrees of freedom, the variance twice that.
            let degrees = f64::from(below - 1);
            assert!(distance < degrees + 5.0 * (2.0 * degrees).sqrt(), "{distance} with {below}: {counts:?}");
        }
        let mut dice = PlayoutDice::new(5, 0);
        assert_eq!((dice.roll(0), dice.roll(1), dice.0), (0, 0, PlayoutDice::new(5, 0).0));
    }
}
