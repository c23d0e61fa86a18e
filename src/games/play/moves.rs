//! A board to the moves that a player makes there: random ones, or those whose playouts end best.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::games::play::ground_game::Board;

/// Playouts that the goal-seeking player makes for each move it considers.
const PLAYOUTS: u32 = 4;
/// Moves that the goal-seeking player considers.
const CONSIDERED: u32 = 12;

/// A random legal move for each role; false if one has none.
pub(super) fn draw(board: &Board, roles: usize, rng: &mut ChaCha8Rng, moves: &mut Vec<u32>) -> bool {
    moves.clear();
    for role in 0..roles {
        let count = board.count_legal(role);
        // Games with one move a role need no dice.
        let rank = if count > 1 { rng.random_range(0..count) } else { 0 };
        match board.nth_legal(role, rank) {
            Some(made) => moves.push(made),
            None => return false,
        }
    }
    true
}

/// Plays one random game from where the board stands, recording nothing; returns the number of steps.
///
/// ```
/// use racgen::games::play::ground_game::GroundGame;
/// use racgen::games::gdl::syntax::Game;
/// use racgen::games::play::ground_game::Limits;
/// use racgen::games::play::moves::play_out;
/// let text = "(role r) (init (n 0)) (succ 0 1) (succ 1 2) (legal r go)
///             (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 2)))";
/// let arena = GroundGame::new(Game::read(text, "count.kif").unwrap(), &Limits::default()).unwrap();
/// let mut board = arena.whole.as_ref().unwrap().board();
/// assert_eq!(play_out(&mut board, 1, 100, &mut racgen::logic::seed::stream(0, &["doc"])), 2);
/// ```
pub fn play_out(board: &mut Board, roles: usize, most: u32, rng: &mut ChaCha8Rng) -> u32 {
    let mut moves = Vec::with_capacity(roles);
    let mut steps = 0;
    while steps < most && !board.terminal() && draw(board, roles, rng, &mut moves) {
        board.advance(&moves);
        steps += 1;
    }
    steps
}

/// Replaces random moves by those whose playouts end best, role by role.
pub(super) fn seek(
    board: &Board,
    roles: usize,
    most: u32,
    rng: &mut ChaCha8Rng,
    moves: &mut [u32],
    values: &[i64],
    roles_of: &[u32],
) {
    let drawn = moves.to_vec();
    for role in 0..roles {
        let count = board.count_legal(role);
        if count < 2 {
            continue;
        }
        let mut best: Option<(i64, u32)> = None;
        let first = rng.random_range(0..count);
        for rank in 0..count.min(CONSIDERED) {
            let Some(candidate) = board.nth_legal(role, (first + rank) % count) else { continue };
            let worth = |board: &Board| {
                let own = board.goals().into_iter().filter(|g| roles_of[*g as usize] as usize == role);
                own.map(|g| values[g as usize]).max().unwrap_or(0)
            };
            let mut after = board.clone();
            let mut tried = drawn.clone();
            tried[role] = candidate;
            after.advance(&tried);
            // What the next state is worth decides where no playout ends.
            let mut sum = worth(&after);
            for _ in 0..PLAYOUTS {
                let mut copy = after.clone();
                let steps = play_out(&mut copy, roles, most, rng);
                // A sooner end is better.
                sum += if copy.terminal() { 1000 * worth(&copy) - i64::from(steps) } else { 0 };
            }
            if best.is_none_or(|(most, _)| sum > most) {
                best = Some((sum, candidate));
            }
        }
        if let Some((_, candidate)) = best {
            moves[role] = candidate;
        }
    }
}
