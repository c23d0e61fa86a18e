//! Steps of a game to what clingo says of them.

use racgen_logic::ground::GroundProgram;
use racgen_logic::seed::stream;
use racgen_logic::term::Term;
use rand::RngExt;

use crate::games::error::GameError;
use crate::games::play::corpus::{Corpus, by_pair};
use crate::games::play::ground_game::{GroundGame, order};

/// The terms of one step's grounding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepVerdict {
    /// Legal moves: role and action.
    pub legal: Vec<(Term, Term)>,
    /// Goals: role and value.
    pub goals: Vec<(Term, Term)>,
    /// Is it the end?
    pub terminal: bool,
    /// The fluents of the next state.
    pub next: Vec<Term>,
}

/// What clingo says about a state and moves, by grounding the game's rules with them as facts.
///
/// # Errors
/// clingo's.
pub fn judge(arena: &GroundGame, state: &[Term], moves: &[(Term, Term)]) -> Result<StepVerdict, GameError> {
    let translation = &arena.translation;
    let shown = [("executable", 2), ("goal", 2), ("terminal", 0), ("next", 1)];
    let ground = |moves: &[(Term, Term)]| -> Result<GroundProgram, GameError> {
        let program = translation.step(state.iter(), moves.iter().map(|(r, m)| (r, m)));
        program.ground(&shown).map_err(|e| GameError::solver(&arena.game, e))
    };
    let pairs = |ground: &GroundProgram, name: &'static str| {
        let all = ground.predicate(name, 2);
        let mut all: Vec<(Term, Term)> =
            all.map(|(t, _)| (translation.back(&t.args()[0]), translation.back(&t.args()[1]))).collect();
        all.retain(|(role, _)| arena.roles.contains(role));
        all.sort_by(by_pair);
        all
    };
    let with_moves = ground(moves)?;
    let mut next: Vec<Term> =
        with_moves.predicate("next", 1).map(|(t, _)| translation.back(&t.args()[0])).collect();
    next.sort_by(order);
    let without = if arena.clears && !moves.is_empty() { ground(&[])? } else { with_moves };
    Ok(StepVerdict {
        legal: pairs(&without, "executable"),
        goals: pairs(&without, "goal"),
        terminal: without.predicate("terminal", 0).next().is_some(),
        next,
    })
}

/// Has clingo judge a sample of the transitions and situations that the network played.
///
/// # Errors
/// [`GameError::Disagreement`], and clingo's own.
pub fn judge_sample(
    arena: &GroundGame,
    corpus: &mut Corpus,
    most: usize,
    seed: u64,
) -> Result<(), GameError> {
    if arena.whole.is_none() || corpus.transitions.is_empty() {
        return Ok(());
    }
    let mut rng = stream(seed, &["games", &arena.game.name, "judge"]);
    let term = |n: &u32| corpus.fluents[*n as usize].clone();
    let pair = |n: &u32| corpus.moves[*n as usize].clone();
    for _ in 0..most.min(corpus.transitions.len()) {
        let step = &corpus.transitions[rng.random_range(0..corpus.transitions.len())];
        let from = &corpus.situations[step.from as usize];
        let state: Vec<Term> = from.fluents.iter().map(term).collect();
        let moves: Vec<(Term, Term)> = step.moves.iter().map(pair).collect();
        let said = judge(arena, &state, &moves)?;
        let own = StepVerdict {
            legal: from.legal.iter().map(pair).collect(),
            goals: from.goals.iter().map(|g| corpus.goals[*g as usize].clone()).collect(),
            terminal: from.terminal,
            next: corpus.situations[step.to as usize].fluents.iter().map(term).collect(),
        };
        if said != own {
            let what = match () {
                () if said.legal != own.legal => "legal moves",
                () if said.goals != own.goals => "goals",
                () if said.terminal != own.terminal => "the end",
                () => "the next state",
            };
            let state = state.iter().map(Term::to_string).collect::<Vec<_>>().join(" ");
            let what = format!("{what} in the state {state}");
            return Err(GameError::Disagreement { file: arena.game.file.clone(), what });
        }
        corpus.judged += 1;
    }
    Ok(())
}
