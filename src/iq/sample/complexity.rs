//! A game to what playing it costs, in ticks of the interpreter, and so to its complexity.
//!
//! K = l + log2 max(tau, tau0), after section 2.2 of the paper: l is the length of the derivation, and tau the mean
//! number of ticks of an episode of a random agent. A tick is one ground rule evaluated, so that tau is the same on all
//! machines; what the fixed adversary evaluates to find its moves counts as well. The random numbers of the episodes come
//! from the text of the game, so that tau is a number of the game and nothing else.

use racgen_logic::seed::stream;

use crate::iq::play::choosing::random;
use crate::iq::play::table::GameTable;

/// Episodes that tau is the mean of (R).
pub const EPISODES: u32 = 32;

/// Ticks below which games count as equally fast, by default (tau0).
pub const TAU0: f64 = 1024.0;

/// What random episodes of a game say of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomPlay {
    /// Mean ticks of an episode.
    pub tau: f64,
    /// Mean reward.
    pub value: f64,
    /// Steps of the longest.
    pub longest: u32,
}

/// Plays the episodes of a random agent against the fixed adversary.
pub fn random_play(table: &GameTable) -> RandomPlay {
    let mut rng = stream(0, &["iq", "tau", &table.grammar.text()]);
    let (own, opponent) = (table.own_role(), table.opponent());
    let mut board = table.board();
    let (mut ticks, mut value, mut longest) = (0_u64, 0.0, 0_u32);
    for _ in 0..EPISODES {
        board.reset();
        let mut steps = 0;
        while !board.terminal() {
            let mut moves = Vec::with_capacity(table.roles());
            for role in 0..table.roles() {
                let made = match opponent {
                    Some(opponent) if role != own => {
                        opponent.choose(table, &board, role, &mut rng, &mut ticks)
                    }
                    _ => random(&board, role, &mut rng),
                };
                moves.extend(made);
            }
            if moves.len() < table.roles() {
                break;
            }
            board.advance(&moves);
            ticks += table.step_ticks();
            steps += 1;
        }
        longest = longest.max(steps);
        value += table.value(&board, own);
    }
    let of = f64::from(EPISODES);
    RandomPlay { tau: ticks as f64 / of, value: value / of, longest }
}

/// K, in bits.
pub fn complexity(length: u32, tau: f64, tau0: f64) -> f64 {
    f64::from(length) + tau.max(tau0).log2()
}
