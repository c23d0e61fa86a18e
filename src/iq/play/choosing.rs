//! A board to a move of one role, by chance, by looking one step ahead, or by playouts; and what that costs in ticks.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::games::play::ground_game::Board;
use crate::iq::grammar::derived::Opponent;
use crate::iq::play::table::GameTable;

/// Playouts of each move that an opponent makes who plays out.
const PLAYOUTS: u32 = 6;

/// A random legal move.
pub fn random(board: &Board, role: usize, rng: &mut ChaCha8Rng) -> Option<u32> {
    let count = board.count_legal(role);
    let rank = if count > 1 { rng.random_range(0..count) } else { 0 };
    board.nth_legal(role, rank)
}

/// Random legal moves of all roles; false if a role has none, which the grammar rules out.
pub fn random_moves(table: &GameTable, board: &Board, rng: &mut ChaCha8Rng, moves: &mut Vec<u32>) -> bool {
    moves.clear();
    for role in 0..table.roles() {
        match random(board, role, rng) {
            Some(made) => moves.push(made),
            None => return false,
        }
    }
    true
}

/// Plays at random to the end; returns the steps.
pub fn play_out(table: &GameTable, board: &mut Board, rng: &mut ChaCha8Rng) -> u64 {
    let (mut steps, mut moves) = (0, Vec::new());
    while !board.terminal() && random_moves(table, board, rng, &mut moves) {
        board.advance(&moves);
        steps += 1;
    }
    steps
}

/// The move after which most is to be had: at once, or with playouts at the end. The other roles are thought to move at
/// random. Equally good moves are drawn among.
pub fn best(
    table: &GameTable,
    board: &Board,
    role: usize,
    playouts: u32,
    rng: &mut ChaCha8Rng,
    ticks: &mut u64,
) -> Option<u32> {
    let legal = table.legal(board, role);
    if legal.len() < 2 {
        return legal.first().copied();
    }
    let (mut most, mut found) = (f64::NEG_INFINITY, Vec::new());
    let mut moves = Vec::new();
    for candidate in legal {
        let mut sum = 0.0;
        for _ in 0..playouts.max(1) {
            if !random_moves(table, board, rng, &mut moves) {
                return Some(candidate);
            }
            moves[role] = candidate;
            let mut after = board.clone();
            after.advance(&moves);
            let more = if playouts > 0 { play_out(table, &mut after, rng) } else { 0 };
            *ticks += (1 + more) * table.step_ticks();
            sum += table.value(&after, role);
        }
        if sum > most {
            (most, found) = (sum, Vec::new());
        }
        if sum >= most {
            found.push(candidate);
        }
    }
    let place = if found.len() > 1 { rng.random_range(0..found.len()) } else { 0 };
    found.get(place).copied()
}

impl Opponent {
    /// Its move. Ticks that it takes beyond the step itself are added.
    pub fn choose(
        self,
        table: &GameTable,
        board: &Board,
        role: usize,
        rng: &mut ChaCha8Rng,
        ticks: &mut u64,
    ) -> Option<u32> {
        match self {
            Opponent::Random => random(board, role, rng),
            Opponent::Greedy => best(table, board, role, 0, rng, ticks),
            Opponent::Playouts => best(table, board, role, PLAYOUTS, rng, ticks),
        }
    }
}
