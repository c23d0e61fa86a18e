//! A game of the grammar to a table to play it at: its ground rules, what goals are worth, and what a step costs.

use racgen_logic::ground::GroundRule;
use racgen_logic::term::Term;

use crate::games::gdl::syntax::Game;
use crate::games::play::ground_game::{Board, GroundGame, Limits, Whole};
use crate::iq::error::IqError;
use crate::iq::grammar::code::printed;
use crate::iq::grammar::derive::GrammarGame;
use crate::iq::grammar::derived::{Opponent, Seats};

/// A game that is ready to be played.
#[derive(Debug)]
pub struct GameTable {
    /// The game.
    pub grammar: GrammarGame,
    /// Its program, roles and first state.
    pub arena: GroundGame,
    /// Its ground rules.
    whole: Whole,
    /// By goal, its role and what it is worth, from 0 to 1.
    values: Vec<(usize, f64)>,
    /// By move: does it do nothing?
    waits: Vec<bool>,
    /// Ground rules that a state or moves are needed for.
    step_ticks: u64,
}

impl GameTable {
    /// Grounds a game.
    ///
    /// # Errors
    /// What the grammar should never derive: a game with faults, or one that is too large.
    pub fn new(grammar: GrammarGame) -> Result<GameTable, IqError> {
        let file = format!("{}.kif", grammar.id());
        let game = Game::read(&grammar.derived.rules, &file).map_err(|fault| fault.to_string());
        let arena = game
            .and_then(|game| GroundGame::new(game, &Limits::default()).map_err(|error| error.to_string()));
        let unplayable =
            |cause: String| IqError::Unplayable { id: grammar.id(), bits: printed(&grammar.bits), cause };
        let mut arena = arena.map_err(&unplayable)?;
        let Some(whole) = arena.whole.take() else {
            return Err(unplayable(arena.obstacle.clone().unwrap_or_default()));
        };
        let mut values = Vec::with_capacity(whole.goals.len());
        for (role, value) in &whole.goals {
            match value.functor().parse::<u32>() {
                Ok(value) if value <= 100 => values.push((*role as usize, f64::from(value) / 100.0)),
                _ => return Err(unplayable(format!("a goal is worth {value}, and not 0 to 100"))),
            }
        }
        let waits = whole.moves.iter().map(|(_, action)| *action == Term::constant("wait")).collect();
        let open = |rule: &&GroundRule| !rule.choice && rule.body.weighted().next().is_some();
        let step_ticks = whole.ground.rules.iter().filter(open).count().max(1) as u64;
        Ok(GameTable { grammar, values, waits, arena, whole, step_ticks })
    }

    /// The ground game.
    pub fn whole(&self) -> &Whole {
        &self.whole
    }

    /// A board in the first state.
    pub fn board(&self) -> Board<'_> {
        self.whole().board()
    }

    /// How many roles there are.
    pub fn roles(&self) -> usize {
        self.arena.roles.len()
    }

    /// The role of the agent that is measured.
    pub fn own_role(&self) -> usize {
        match self.grammar.derived.seats {
            Seats::One => 0,
            Seats::Two { own, .. } => own,
        }
    }

    /// Who has the other role.
    pub fn opponent(&self) -> Option<Opponent> {
        match self.grammar.derived.seats {
            Seats::One => None,
            Seats::Two { opponent, .. } => Some(opponent),
        }
    }

    /// Ticks of a step: the ground rules with a body, each of which is evaluated once.
    pub fn step_ticks(&self) -> u64 {
        self.step_ticks
    }

    /// What a state is worth to a role, from 0 to 1: the goal that holds.
    pub fn value(&self, board: &Board, role: usize) -> f64 {
        let goals = board.goals();
        let own = goals.iter().map(|goal| self.values[*goal as usize]).filter(|(of, _)| *of == role);
        own.map(|(_, value)| value).fold(0.0, f64::max)
    }

    /// How many goals of a role hold, which is one by construction.
    pub fn goals_of(&self, board: &Board, role: usize) -> usize {
        board.goals().iter().filter(|goal| self.values[**goal as usize].0 == role).count()
    }

    /// The legal moves of a role.
    pub fn legal(&self, board: &Board, role: usize) -> Vec<u32> {
        (0..board.count_legal(role)).filter_map(|rank| board.nth_legal(role, rank)).collect()
    }

    /// Does a move do nothing?
    pub fn is_wait(&self, made: u32) -> bool {
        self.waits[made as usize]
    }

    /// A move as text, in the game's own notation.
    pub fn told(&self, made: u32) -> String {
        symbols(&self.whole().moves[made as usize].1)
    }

    /// A state as a string of symbols: its fluents.
    pub fn seen(&self, board: &Board) -> String {
        let fluents = board.fluents();
        let told = fluents.iter().map(|fluent| symbols(&self.whole().fluents[*fluent as usize]));
        told.collect::<Vec<_>>().join(" ")
    }
}

/// A term in the notation of the rules: `(go w1 east)`.
pub fn symbols(term: &Term) -> String {
    if term.args().is_empty() {
        return term.to_string();
    }
    let arguments = term.args().iter().map(symbols).collect::<Vec<_>>().join(" ");
    format!("({} {arguments})", term.functor())
}
