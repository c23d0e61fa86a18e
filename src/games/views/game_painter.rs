//! A game to pictures of its states.

use std::collections::BTreeSet;

use racgen_logic::clingo::{Program, Source};
use racgen_logic::fault::Fault;
use racgen_logic::term::Term;

use crate::games::error::GameError;
use crate::games::play::ground_game::GroundGame;
use crate::games::views::usual::usual_view;
use crate::pictures::graph::{DRAWING, DrawnGraph, PictureWords};

/// Draws states of a game.
pub struct GamePainter {
    view: Source,
    /// What is so in every state.
    statics: String,
}

/// The view that is made for a game: from all fluents that it may have, or where it is too large for that, from those of some
/// states.
pub fn made_game_view(arena: &GroundGame, states: &[Vec<Term>]) -> Source {
    let name = format!("the view that is made for `{}`", arena.game.name);
    let whole = arena.whole.as_ref().map(|whole| &whole.fluents);
    // Numbers are names in rules of games, and numbers as soon as they are printed.
    let printed = |fluent: &Term| fluent.to_string().parse().ok();
    let known: Vec<Term> = match whole {
        Some(fluents) => fluents.iter().filter_map(printed).collect(),
        None => states.iter().flatten().filter_map(printed).collect(),
    };
    let text = usual_view(known.iter());
    Source::new(name, text)
}

impl GamePainter {
    /// Draws by a view.
    pub fn new(arena: &GroundGame, view: Source) -> GamePainter {
        GamePainter { view, statics: arena.statics.iter().map(|atom| format!("{atom}.\n")).collect() }
    }

    /// The view.
    pub fn view(&self) -> &Source {
        &self.view
    }

    /// The drawing atoms of a state, all of whose fluents are given.
    ///
    /// # Errors
    /// A view that clingo does not take, or by which a state has no picture, or several.
    pub fn atoms(&self, state: &[Term]) -> Result<Vec<Term>, GameError> {
        let mut facts = "#defined holds/1.\n".to_owned();
        for (name, arity) in DRAWING {
            facts += &format!("#defined {name}/{arity}.\n");
        }
        facts += &self.statics;
        facts.extend(state.iter().map(|fluent| format!("holds({fluent}).\n")));
        let sources = vec![Source::new("the state", facts), self.view.clone()];
        let ground = Program { sources, ..Program::default() }
            .ground_with_texts(&DRAWING)
            .map_err(|cause| GameError::Solver { file: self.view.name.to_string(), cause })?;
        if ground.named.iter().any(|(_, atom)| atom.is_some()) {
            let cause = "a state has several pictures by it, or none";
            let remedy = "derive the drawing atoms by rules without choices and without negation in loops";
            return Err(Fault::new(&self.view.name, 0, cause, remedy).into());
        }
        let atoms: BTreeSet<Term> = ground.named.into_iter().map(|(term, _)| term).collect();
        Ok(atoms.into_iter().collect())
    }

    /// What is to be drawn of a state.
    ///
    /// # Errors
    /// As [`GamePainter::atoms`]; atoms that cannot be drawn.
    pub fn graph(&self, state: &[Term]) -> Result<DrawnGraph, GameError> {
        DrawnGraph::of(&self.atoms(state)?, &PictureWords::default()).map_err(|wrong| {
            let remedy = "domains/README.md says which atoms are drawn";
            Fault::new(&self.view.name, 0, wrong.to_string(), remedy).into()
        })
    }
}
