//! States of games to pictures, for `racgen draw`.

use std::fs;
use std::path::Path;

use racgen_logic::clingo::Source;
use racgen_logic::seed::stream;
use racgen_logic::term::Term;
use rand::seq::IndexedRandom;

use crate::cli::output::exit::Exit;
use crate::games::builtin::{games_meant, own_view};
use crate::games::error::GameError;
use crate::games::gdl::syntax::Game;
use crate::games::play::ground_game::{GroundGame, Limits};
use crate::games::views::game_painter::{GamePainter, made_game_view};
use crate::games::words::acted_game::{ActedGame, SeenState};
use crate::games::words::phrase_book::GameBook;

/// A game as it is named on the command line: its file, and where it comes with racgen, its text; none where the word means no
/// game.
pub(crate) fn named_game(word: &str) -> Option<(String, Option<String>)> {
    let [game] = <[_; 1]>::try_from(games_meant(word)).ok()?;
    let is_file = Path::new(word).is_file() && word.ends_with(".kif");
    (is_file || game.1.is_some()).then_some(game)
}

/// A game that is drawn, and its states.
pub(crate) struct DrawnMatch {
    pub(crate) painter: GamePainter,
    pub(crate) states: Vec<Vec<Term>>,
}

fn read(path: &Path) -> Result<String, GameError> {
    fs::read_to_string(path).map_err(|cause| GameError::Read { file: path.display().to_string(), cause })
}

/// The view that stands beside a game's rules; none where there is none.
fn view_beside(file: &str, is_own: bool) -> Result<Option<Source>, Exit> {
    let path = Path::new(file);
    if is_own {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        return Ok(own_view(&name).map(|(file, text)| Source::new(file, text)));
    }
    let path = path.with_extension("view.lp");
    if !path.is_file() {
        return Ok(None);
    }
    let text = read(&path)?;
    Ok(Some(Source::new(path.display().to_string(), text)))
}

fn terms(seen: &SeenState) -> Vec<Term> {
    seen.fluents.iter().filter_map(|fluent| fluent.parse().ok()).collect()
}

/// A match of so many moves at random, or fewer where it ends before; `made`: by the view that is made for the game.
///
/// # Errors
/// Rules with faults; clingo's.
pub(crate) fn drawn_match(
    (file, text): (String, Option<String>),
    made: bool,
    moves: usize,
    seed: u64,
) -> Result<DrawnMatch, Exit> {
    let is_own = text.is_some();
    let text = match text {
        Some(text) => text,
        None => read(Path::new(&file))?,
    };
    let arena = GroundGame::new(Game::read(&text, &file)?, &Limits::default())?;
    let book = GameBook::generic()?;
    let mut game = ActedGame::new(&arena, &book)?;
    let mut rng = stream(seed, &["draw", &file]);
    let mut seen = game.seen();
    let mut states = vec![terms(&seen)];
    for _ in 0..moves {
        let roles: std::collections::BTreeSet<&String> = seen.legal.iter().map(|legal| &legal.role).collect();
        let chosen = roles.into_iter().filter_map(|role| {
            let own: Vec<_> = seen.legal.iter().filter(|legal| legal.role == *role).collect();
            Some((role.clone(), own.choose(&mut rng)?.term.clone()))
        });
        let chosen: Vec<(String, String)> = chosen.collect();
        if seen.terminal || chosen.is_empty() {
            break;
        }
        seen = game.act(&chosen)?;
        states.push(terms(&seen));
    }
    let own = if made { None } else { view_beside(&file, is_own)? };
    let view = own.unwrap_or_else(|| made_game_view(&arena, &states));
    Ok(DrawnMatch { painter: GamePainter::new(&arena, view), states })
}
