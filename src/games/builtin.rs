//! The games that come with racgen, embedded in the binary.

use std::path::Path;

use include_dir::{Dir, include_dir};

use crate::games::error::GameError;
use crate::games::gdl::syntax::Game;
use crate::games::play::dimensions::Dimensions;
use crate::games::play::ground_game::{GroundGame, Limits};

static GAMES: Dir = include_dir!("$CARGO_MANIFEST_DIR/games");

/// The files of all games that come with racgen, and their texts.
pub fn own_texts() -> Vec<(String, &'static str)> {
    let games = GAMES.files().filter(|f| f.path().extension().is_some_and(|e| e == "kif"));
    let mut files: Vec<_> = games
        .map(|f| (format!("games/{}", f.path().display()), f.contents_utf8().unwrap_or_default()))
        .collect();
    files.sort_unstable();
    files
}

/// The games that a word on the command line means, each with its file and, where it comes with racgen, its text: a file,
/// the name of a game, or `all` of those that come with racgen. What is neither is taken for a file; a folder of a game's
/// name is not in its way.
pub fn games_meant(word: &str) -> Vec<(String, Option<String>)> {
    let own = || own_texts().into_iter().map(|(file, text)| (file, Some(text.to_owned())));
    let path = Path::new(word);
    let named = |file: &str| Path::new(file).file_stem().is_some_and(|stem| stem == path.as_os_str());
    match word {
        _ if path.exists() && !path.is_dir() => vec![(word.to_owned(), None)],
        "all" => own().collect(),
        _ => own()
            .find(|(file, _)| named(file))
            .map_or_else(|| vec![(word.to_owned(), None)], |game| vec![game]),
    }
}

/// All games that come with racgen, by name.
pub fn own_games() -> Vec<(String, Result<Game, GameError>)> {
    let read =
        |(name, text): (String, &str)| (name.clone(), Game::read(text, &name).map_err(GameError::from));
    own_texts().into_iter().map(read).collect()
}

/// The phrase book of a game that comes with racgen, by the game's name: its file and text.
pub fn own_phrases(name: &str) -> Option<(String, &'static str)> {
    let file = GAMES.get_file(format!("{name}.phrases.toml"))?;
    Some((format!("games/{}", file.path().display()), file.contents_utf8()?))
}

/// The view of a game that comes with racgen, by the game's name: its file and text; none where it has none.
pub fn own_view(name: &str) -> Option<(String, &'static str)> {
    let file = GAMES.get_file(format!("{name}.view.lp"))?;
    Some((format!("games/{}", file.path().display()), file.contents_utf8()?))
}

/// A table of the games that come with racgen: rules, literals, dimensions and players as in figure 5.
///
/// # Errors
/// A game that cannot be played.
pub fn listing() -> Result<String, GameError> {
    let mut text = Dimensions::head();
    for (_, game) in own_games() {
        text += &Dimensions::new(&GroundGame::new(game?, &Limits::default())?).line();
    }
    Ok(text)
}
