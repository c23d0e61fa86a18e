//! What a derivation says: rules, who plays, and how long at most.

/// The fixed adversary of a game for two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Opponent {
    /// Makes random moves.
    Random,
    /// Makes a move whose next state is worth most.
    Greedy,
    /// Makes the move whose random playouts end best.
    Playouts,
}

impl Opponent {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Opponent::Random => "random",
            Opponent::Greedy => "greedy",
            Opponent::Playouts => "playouts",
        }
    }
}

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seats {
    /// One player.
    One,
    /// Two: which role the agent has, and who has the other where no second agent does.
    Two {
        /// The agent's role, 0 or 1.
        own: usize,
        /// The other's player.
        opponent: Opponent,
    },
}

/// What a derivation says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivedGame {
    /// What the game is, in a few words.
    pub kind: String,
    /// Its rules in the Game Description Language.
    pub rules: String,
    /// Steps after which it is over at the latest.
    pub horizon: u32,
    /// Who plays.
    pub seats: Seats,
}
