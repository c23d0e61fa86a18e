//! A match of a game to act in, kept by a thread of its own, for Python.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::{PyResult, Python, pyclass, pymethods};
use racgen::campaign::jobs::game_items::with_book;
use racgen::games::builtin::games_meant;
use racgen::games::error::GameError;
use racgen::games::gdl::syntax::Game;
use racgen::games::play::ground_game::{GroundGame, Limits};
use racgen::games::tasks::write_tasks::read_game;
use racgen::games::words::acted_game::ActedGame;
use racgen::games::words::phrase_book::GameBook;

use crate::actors::Actor;
use crate::failure::CallFailure;

/// A game's name or file, and its text where that is given.
pub(crate) type NamedGame = (String, Option<String>);

/// What a phrase book is read from: its file and text.
type BookText = Option<(String, String)>;

/// A game as it was asked for, and its phrase book.
pub(crate) fn read(named: &NamedGame, generic: bool) -> Result<(Game, BookText), GameError> {
    let (word, given) = named;
    let (file, text) = match given {
        Some(text) => (word.clone(), Some(text.clone())),
        None => games_meant(word).into_iter().next().unwrap_or_else(|| (word.clone(), None)),
    };
    let game = match &text {
        Some(text) => Game::read(text, &file)?,
        None => read_game(file.as_ref())?,
    };
    // A phrase book is found by the file or name, and a text has neither.
    let book = if generic || given.is_some() { None } else { with_book((file, text))?.2 };
    Ok((game, book))
}

/// A game that is ready to be played. It stays: there are few in a process, and many matches share one.
fn grounded(
    named: NamedGame,
    generic: bool,
    limits: Limits,
) -> Result<(&'static GroundGame, &'static GameBook), GameError> {
    type Known = BTreeMap<(NamedGame, bool, Duration), (&'static GroundGame, &'static GameBook)>;
    static GAMES: Mutex<Known> = Mutex::new(BTreeMap::new());
    let (game, book) = read(&named, generic)?;
    // A file may have changed, so that what it says now is part of the key.
    let said = (format!("{}\n{:?}", named.0, game.clauses), book.as_ref().map(|(_, text)| text.clone()));
    let key = (said, generic, limits.time);
    let mut games = GAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = games.get(&key) {
        return Ok(*known);
    }
    let book = GameBook::of(&game, book.as_ref().map(|(file, text)| (file.as_str(), text.as_str())))?;
    let made: (&'static GroundGame, &'static GameBook) =
        (Box::leak(Box::new(GroundGame::new(game, &limits)?)), Box::leak(Box::new(book)));
    games.insert(key, made);
    Ok(made)
}

fn json(value: &impl serde::Serialize) -> Result<String, CallFailure> {
    serde_json::to_string(value).map_err(CallFailure::other)
}

/// A match of a game. States are JSON objects.
#[pyclass(frozen, module = "racgen._native", name = "GameMatch")]
pub struct NativeMatch {
    game: Actor<ActedGame<'static>>,
}

#[pymethods]
impl NativeMatch {
    /// The game of a name or file, or of a text that is called so.
    #[new]
    #[pyo3(signature = (game, text, generic, time_limit))]
    fn new(
        py: Python<'_>,
        game: String,
        text: Option<String>,
        generic: bool,
        time_limit: f64,
    ) -> PyResult<NativeMatch> {
        let time =
            Duration::try_from_secs_f64(time_limit).map_err(|error| CallFailure::usage(error).raised(py))?;
        let make = move || {
            let (arena, book) = grounded((game, text), generic, Limits { time, ..Limits::default() })?;
            Ok(ActedGame::new(arena, book)?)
        };
        Ok(NativeMatch { game: Actor::begin(py, make)? })
    }

    /// Was it made by this process, rather than by the one that this was forked from?
    fn is_here(&self) -> bool {
        self.game.is_here()
    }

    /// What stays the same, whatever is played, as a JSON object.
    fn shape(&self, py: Python<'_>) -> PyResult<String> {
        self.game.ask(py, |game| json(&game.shape()))?.map_err(|error| error.raised(py))
    }

    /// Begins anew; the first state.
    fn begin(&self, py: Python<'_>) -> PyResult<String> {
        self.game.ask(py, |game| json(&game.begin()?))?.map_err(|error: CallFailure| error.raised(py))
    }

    /// Each role makes its move, given as role and move; the next state.
    fn act(&self, py: Python<'_>, moves: Vec<(String, String)>) -> PyResult<String> {
        let made = self.game.ask(py, move |game| json(&game.act(&moves)?))?;
        made.map_err(|error: CallFailure| error.raised(py))
    }

    /// The state as a paragraph.
    fn told(&self, py: Python<'_>) -> PyResult<String> {
        self.game.ask(py, |game| game.told())
    }
}
