//! The games that come with racgen, embedded in the binary.

use include_dir::{Dir, include_dir};

use super::arena::{Arena, Limits};
use super::error::GameError;
use super::gdl::Game;
use super::types::Types;

static GAMES: Dir = include_dir!("$CARGO_MANIFEST_DIR/games");

/// All games that come with racgen, by name.
pub fn own_games() -> Vec<(String, Result<Game, GameError>)> {
    let mut files: Vec<_> =
        GAMES.files().filter(|f| f.path().extension().is_some_and(|e| e == "kif")).collect();
    files.sort_by_key(|f| f.path());
    let read = |file: &include_dir::File| {
        let name = format!("games/{}", file.path().display());
        let text = file.contents_utf8().unwrap_or_default();
        (name.clone(), Game::read(text, &name).map_err(GameError::from))
    };
    files.into_iter().map(read).collect()
}

/// Spatial dimensions of a game, as figure 5 counts them by eye: the most numbers or letters in a row by which a
/// fluent tells a place, judged by types that a successor relation orders; 0, 1 or 2.
pub fn dimensions(arena: &Arena) -> usize {
    let types = Types::infer(arena);
    // A type is ordered where a static relation maps its members one to another.
    let ordered: Vec<&str> = types
        .declarations
        .iter()
        .filter(|d| &*d.result == "bool" && d.arguments.len() == 2 && d.arguments[0] == d.arguments[1])
        .filter(|d| arena.statics.iter().any(|s| s.is(&d.name, 2)))
        .map(|d| &*d.arguments[0])
        .collect();
    let places =
        |d: &super::types::Declaration| d.arguments.iter().filter(|a| ordered.contains(&&***a)).count();
    // A single ordered argument alone, as in (step 3), is a counter and no place.
    let fluents = types.declarations.iter().filter(|d| &*d.result == "prop" && d.arguments.len() > 1);
    fluents.map(places).max().unwrap_or(0).min(2)
}

/// A table of the games that come with racgen: rules, literals, players, dimensions as in figure 5.
///
/// # Errors
/// A game that cannot be played.
pub fn listing() -> Result<String, GameError> {
    let mut text =
        format!("{:24} {:>5} {:>8} {:>7} {:>10}\n", "game", "rules", "literals", "players", "dimensions");
    for (_, game) in own_games() {
        let arena = Arena::new(game?, &Limits::default())?;
        text += &format!(
            "{:24} {:>5} {:>8} {:>7} {:>10}\n",
            arena.game.name,
            arena.game.rules,
            arena.game.literals,
            arena.roles.len(),
            dimensions(&arena)
        );
    }
    Ok(text)
}
