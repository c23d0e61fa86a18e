//! The games that come with racgen, embedded in the binary.

use std::collections::{BTreeMap, BTreeSet};

use include_dir::{Dir, include_dir};

use super::arena::{Arena, Limits};
use super::error::GameError;
use super::gdl::Game;

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

/// Spatial dimensions of a game, which figure 5 counts by eye: 2 where a fluent has two arguments that are numbers or
/// letters in all states, 1 where it has one and something besides that is no role, otherwise 0.
pub fn dimensions(arena: &Arena) -> usize {
    let Some(whole) = &arena.whole else { return 0 };
    let mut seen: BTreeMap<(&str, usize), Vec<BTreeSet<&str>>> = BTreeMap::new();
    for fluent in whole.fluents.iter().filter(|f| f.args().len() > 1) {
        let places = seen.entry((fluent.functor(), fluent.args().len())).or_default();
        places.resize(fluent.args().len(), BTreeSet::new());
        places.iter_mut().zip(fluent.args()).for_each(|(place, argument)| {
            place.insert(argument.functor());
        });
    }
    let coordinate = |place: &&BTreeSet<&str>| {
        let letters = place.iter().all(|s| s.len() == 1 && s.chars().all(char::is_alphabetic));
        place.len() > 1 && (letters || place.iter().all(|s| s.parse::<i64>().is_ok()))
    };
    let role = |place: &&BTreeSet<&str>| place.iter().all(|s| arena.roles.iter().any(|r| r.functor() == *s));
    let dimensions = |places: &Vec<BTreeSet<&str>>| {
        let roles = places.iter().filter(role).count();
        match places.iter().filter(|p| !role(p)).filter(coordinate).count() {
            1 if places.len() - roles > 1 => 1,
            0 | 1 => 0,
            _ => 2,
        }
    };
    seen.values().map(dimensions).max().unwrap_or(0)
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
