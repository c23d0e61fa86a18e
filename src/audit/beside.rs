//! A data set's folder to what stands beside its rows: which of their domains are games, and the rules of games and of
//! rule sets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::games::builtin::{own_phrases, own_texts};

/// Folders above the data that are searched.
const ABOVE: usize = 3;

/// A game as it stands beside the data, or comes with racgen.
#[derive(Clone, Debug)]
pub(crate) struct GameTexts {
    /// Its file and its text.
    pub(crate) game: (String, String),
    /// Its phrase book, if it is not told in flat terms.
    pub(crate) book: Option<(String, String)>,
    /// Its flattened rules, if they stand beside the data.
    pub(crate) reference: Option<(String, String)>,
    /// Does it come with racgen only, so that the data may have been made of another version?
    pub(crate) own: bool,
}

/// What stands beside the rows of a data set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beside {
    /// The data's folder and those above it.
    folders: Vec<PathBuf>,
    /// The games of the manifest: are they told by a phrase book?
    games: BTreeMap<String, bool>,
}

impl Beside {
    /// Looks beside the data files at or below a path; `manifest` is that of the data.
    pub(crate) fn of(path: &Path, manifest: Option<&Value>) -> Beside {
        let folder = if path.is_dir() { Some(path) } else { path.parent() };
        let above = folder.into_iter().flat_map(Path::ancestors).take(ABOVE);
        let jobs = manifest.and_then(|m| m["settings"].as_array().cloned()).unwrap_or_default();
        let games = jobs.iter().filter(|job| job["settings"]["game"] == true).filter_map(|job| {
            let booked = job["settings"]["phrase_book"] != false;
            Some((job["domain"].as_str()?.to_owned(), booked))
        });
        Beside { folders: above.map(Path::to_owned).collect(), games: games.collect() }
    }

    /// Does the manifest call it a game?
    pub(crate) fn is_game(&self, name: &str) -> bool {
        self.games.contains_key(name)
    }

    /// The first of the files of this name in the data's folder and those above it.
    fn read(&self, file: &str) -> Option<(String, String)> {
        let found = self.folders.iter().map(|folder| folder.join(file)).find(|path| path.is_file())?;
        let text = String::from_utf8_lossy(&std::fs::read(&found).ok()?).into_owned();
        Some((found.display().to_string(), text))
    }

    /// The rules of a rule set.
    pub(crate) fn rules(&self) -> Option<(String, String)> {
        self.read("rules.txt")
    }

    /// A game, if its rules are at hand.
    pub(crate) fn game(&self, name: &str) -> Option<GameTexts> {
        // A name that leads elsewhere is none of a file of the data's.
        if name.is_empty() || name.contains(['/', '\\']) {
            return None;
        }
        let reference = self.read(&format!("reference/{name}.lp"));
        if let Some(game) = self.read(&format!("reference/{name}.kif")) {
            let book = self.read(&format!("reference/{name}.phrases.toml"));
            return Some(GameTexts { game, book, reference, own: false });
        }
        if !self.is_game(name) {
            return None;
        }
        let stem = |file: &str| Path::new(file).file_stem().is_some_and(|stem| stem == name);
        let (file, text) = own_texts().into_iter().find(|(file, _)| stem(file))?;
        let booked = self.games.get(name).is_some_and(|booked| *booked);
        let book = own_phrases(name).filter(|_| booked).map(|(file, text)| (file, text.to_owned()));
        Some(GameTexts { game: (file, text.to_owned()), book, reference, own: true })
    }
}

pub(crate) fn manifest(path: &Path) -> Option<serde_json::Value> {
    let folder = if path.is_dir() { path } else { path.parent()? };
    let places = [folder, folder.parent().unwrap_or(folder)];
    let text = places.iter().find_map(|f| std::fs::read_to_string(f.join("manifest.json")).ok())?;
    serde_json::from_str(&text).ok()
}
