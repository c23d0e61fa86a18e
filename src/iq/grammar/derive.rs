//! Bits to a game: its rules, who plays it, and how long its description is.

use racgen_logic::seed::digest;
use rand::rngs::ChaCha8Rng;

use crate::iq::grammar::code::{ChoiceCode, TooShort, printed};
use crate::iq::grammar::derived::{DerivedGame, Seats};
use crate::iq::grammar::duel::frame::derive as derive_duel;
use crate::iq::grammar::solo::worlds::derive as derive_solo;

/// A game that the grammar derives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrammarGame {
    /// The bits of its derivation. Their number is the length l of the description, in bits: the derivation has
    /// probability 2^-l.
    pub bits: Vec<bool>,
    /// What they say.
    pub derived: DerivedGame,
}

/// Any game.
///
/// # Errors
/// Those of the code.
pub fn derive(code: &mut ChoiceCode) -> Result<DerivedGame, TooShort> {
    match code.bit()? {
        false => derive_solo(code),
        true => derive_duel(code),
    }
}

impl GrammarGame {
    /// A random game, by tossing a coin for each bit.
    pub fn drawn(coin: &mut ChaCha8Rng) -> GrammarGame {
        GrammarGame::drawn_of(coin, |_| true)
    }

    /// The same, of some games only.
    pub fn drawn_of(coin: &mut ChaCha8Rng, wanted: impl Fn(&DerivedGame) -> bool) -> GrammarGame {
        loop {
            let mut code = ChoiceCode::tossed(coin);
            // A coin never ends.
            if let Ok(derived) = derive(&mut code)
                && wanted(&derived)
            {
                return GrammarGame { bits: code.bits().to_vec(), derived };
            }
        }
    }

    /// The game of a whole word of the code; none if the bits are too few or too many.
    pub fn of(bits: &[bool]) -> Option<GrammarGame> {
        let mut code = ChoiceCode::given(bits);
        let derived = derive(&mut code).ok()?;
        (code.bits().len() == bits.len()).then(|| GrammarGame { bits: bits.to_vec(), derived })
    }

    /// The length of the description, in bits.
    pub fn length(&self) -> u32 {
        self.bits.len() as u32
    }

    /// A name that no other derivation has, short enough for a file.
    pub fn id(&self) -> String {
        format!("iq_{}", &digest([printed(&self.bits)])[..12])
    }

    /// The text of a file with the game: a head that tells the derivation, then the rules.
    pub fn text(&self) -> String {
        let DerivedGame { kind, rules, horizon, seats } = &self.derived;
        let players = match seats {
            Seats::One => "one player".to_owned(),
            Seats::Two { own, opponent } => {
                format!("two players; the agent is {}, the other {}", ["a", "b"][*own], opponent.name())
            }
        };
        format!(
            "; {kind}: {players}; at most {horizon} steps.\n; Derivation of {} bits: {}\n{rules}",
            self.bits.len(),
            printed(&self.bits)
        )
    }
}

#[cfg(test)]
mod tests {
    use racgen_logic::seed::stream;

    use super::*;
    use crate::iq::grammar::code::enumerate;

    /// The words of at most 14 bits that are games, and those that none of them begins, are all words of 14 bits.
    #[test]
    fn the_kraft_sum_of_the_grammar_is_one() {
        const MOST: usize = 14;
        let (found, unfinished) = enumerate(&derive, MOST);
        let sum: u64 = found.iter().map(|(bits, _)| 1 << (MOST - bits.len())).sum();
        assert!(found.len() > 20, "{}", found.len());
        assert_eq!(sum + unfinished, 1 << MOST);
    }

    /// A game's bits are its code word: they give it back, one bit fewer or more does not.
    #[test]
    fn bits_give_the_game_back() {
        let mut coin = stream(1, &["test"]);
        for _ in 0..300 {
            let game = GrammarGame::drawn(&mut coin);
            assert_eq!(GrammarGame::of(&game.bits).as_ref(), Some(&game));
            assert_eq!(GrammarGame::of(&[&game.bits[..], &[true]].concat()), None);
            assert_eq!(GrammarGame::of(&game.bits[..game.bits.len() - 1]), None);
        }
    }
}
