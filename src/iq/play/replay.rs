//! A random episode to what clingo says of each of its steps, from the rules as they stand.

use racgen_logic::term::Term;
use rand::rngs::ChaCha8Rng;

use crate::games::error::GameError;
use crate::games::play::ground_game::Board;
use crate::games::play::judge::{StepVerdict, judge};
use crate::iq::error::IqError;
use crate::iq::play::choosing::random_moves;
use crate::iq::play::table::GameTable;

/// Plays a random episode, of which clingo grounds each step afresh; returns how many there were.
///
/// # Errors
/// [`GameError::Disagreement`], and clingo's own.
pub fn replay(table: &GameTable, rng: &mut ChaCha8Rng) -> Result<u32, IqError> {
    let whole = table.whole();
    let fluents = |board: &Board| -> Vec<Term> {
        board.fluents().into_iter().map(|fluent| whole.fluents[fluent as usize].clone()).collect()
    };
    let pair = |(role, term): &(u32, Term)| (table.arena.roles[*role as usize].clone(), term.clone());
    let mut board = table.board();
    let (mut moves, mut steps) = (Vec::new(), 0);
    while !board.terminal() && random_moves(table, &board, rng, &mut moves) {
        let state = fluents(&board);
        let made: Vec<(Term, Term)> = moves.iter().map(|made| pair(&whole.moves[*made as usize])).collect();
        let mut own = StepVerdict {
            legal: board.legal().into_iter().map(|made| pair(&whole.moves[made as usize])).collect(),
            goals: board.goals().into_iter().map(|goal| pair(&whole.goals[goal as usize])).collect(),
            terminal: board.terminal(),
            next: Vec::new(),
        };
        board.advance(&moves);
        own.next = fluents(&board);
        if judge(&table.arena, &state, &made)? != own {
            let state = state.iter().map(Term::to_string).collect::<Vec<_>>().join(" ");
            let what = format!("a step from the state {state}");
            return Err(GameError::Disagreement { file: table.arena.game.file.clone(), what }.into());
        }
        steps += 1;
    }
    Ok(steps)
}
