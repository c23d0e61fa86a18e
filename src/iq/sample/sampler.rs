//! A seed and a number to a game, drawn in proportion to 2^-K.

use racgen_logic::seed::stream;
use rand::rngs::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::iq::error::IqError;
use crate::iq::grammar::derive::GrammarGame;
use crate::iq::grammar::derived::{DerivedGame, Seats};
use crate::iq::play::table::GameTable;
use crate::iq::sample::complexity::{RandomPlay, complexity, random_play};
use crate::iq::sample::proportion::accepted;

/// A game of the sample.
#[derive(Debug)]
pub struct SampledGame {
    /// Its number in the sample.
    pub number: u64,
    /// The game.
    pub table: GameTable,
    /// What random play says of it.
    pub play: RandomPlay,
    /// Its complexity K, in bits.
    pub complexity: f64,
    /// Games that were drawn before it and not accepted.
    pub refused: u64,
}

/// Which games are drawn: those of the grammar of which the first bit says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum GameChoice {
    /// All that the grammar derives
    #[default]
    All,
    /// Games for one
    Solo,
    /// Games for two, against fixed adversaries
    Duel,
}

impl GameChoice {
    /// Is a game one of them?
    pub fn has(self, game: &DerivedGame) -> bool {
        match self {
            GameChoice::All => true,
            GameChoice::Solo => game.seats == Seats::One,
            GameChoice::Duel => game.seats != Seats::One,
        }
    }
}

/// Draws games.
#[derive(Clone, Copy, Debug)]
pub struct Sampler {
    /// The seed of all games.
    pub seed: u64,
    /// Ticks below which games count as equally fast.
    pub tau0: f64,
    /// Which games.
    pub games: GameChoice,
}

impl Sampler {
    /// The game with a number, which depends on nothing but this and the seed.
    ///
    /// # Errors
    /// A game that cannot be played.
    pub fn game(&self, number: u64) -> Result<SampledGame, IqError> {
        let mut rng = stream(self.seed, &["iq", "game", &number.to_string()]);
        let measured = |game: GrammarGame| {
            let table = GameTable::new(game)?;
            let play = random_play(&table);
            Ok::<_, IqError>(((table, play), play.tau))
        };
        let draw = |coin: &mut ChaCha8Rng| GrammarGame::drawn_of(coin, |game| self.games.has(game));
        let ((table, play), refused) = accepted(&mut rng, self.tau0, draw, measured)?;
        let complexity = complexity(table.grammar.length(), play.tau, self.tau0);
        Ok(SampledGame { number, table, play, complexity, refused })
    }
}
