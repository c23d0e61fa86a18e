//! Games that were played to a source of items: what each of them reported, read back group by group.

use std::collections::BTreeMap;
use std::path::Path;

use racgen_data::error::DataError;
use racgen_data::papers::manifest::Exception;
use serde_json::json;

use crate::items::clock::Clock;
use crate::items::error::ItemError;
use crate::items::source::{About, Item, ItemSource, Split, Stream};
use crate::items::spool::{Spool, Spooling};

/// What is known of a game whose items were made.
#[derive(Clone, Debug, Default)]
pub struct PlayedGame {
    /// Its name.
    pub name: String,
    /// Everything that decides its rows.
    pub settings: serde_json::Value,
    /// What could not be asked as often as wanted.
    pub exceptions: Vec<Exception>,
    /// Texts by which anyone can derive the answers again: its flattened rules, its own rules, its phrase book.
    pub companions: BTreeMap<String, String>,
}

/// Collects the items of one game after the other.
pub struct GameCollector {
    games: Vec<PlayedGame>,
    splits: Vec<Split>,
    spooling: Spooling,
}

/// The items of games.
pub struct GameSource {
    games: Vec<PlayedGame>,
    splits: Vec<Split>,
    spool: Spool,
}

impl GameCollector {
    /// Begins; the items wait on the disk of the output folder.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn new(splits: &[Split], out: &Path) -> Result<GameCollector, DataError> {
        Ok(GameCollector { games: Vec::new(), splits: splits.to_vec(), spooling: Spooling::beside(out)? })
    }

    /// Adds an item of the game that comes next.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn item(&mut self, item: &Item) -> Result<(), DataError> {
        let split = self.splits.iter().position(|split| *split.name == *item.row.split).unwrap_or(0);
        let (level, depth) = (item.row.level, item.row.depth);
        self.spooling.add(Stream { member: self.games.len(), split, level, depth }, item)
    }

    /// The game that came next is complete. Returns its number of items.
    pub fn game(&mut self, game: PlayedGame) -> u64 {
        let items = self.spooling.items(self.games.len());
        self.games.push(game);
        items
    }

    /// The game that came next failed: its items are forgotten.
    pub fn failed(&mut self) {
        self.spooling.forget(self.games.len());
    }

    /// No more games come.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn finish(self) -> Result<GameSource, DataError> {
        Ok(GameSource { games: self.games, splits: self.splits, spool: self.spooling.finish()? })
    }
}

impl GameSource {
    /// The games, in order.
    pub fn games(&self) -> &[PlayedGame] {
        &self.games
    }
}

impl ItemSource for GameSource {
    fn about(&self) -> About {
        About {
            subject: "Questions about games".into(),
            titles: self.games.iter().map(|game| game.name.clone()).collect(),
            by_instance: false,
        }
    }

    fn settings(&self) -> serde_json::Value {
        let game = |game: &PlayedGame| json!({"domain": game.name, "settings": game.settings});
        self.games.iter().map(game).collect()
    }

    fn splits(&self) -> &[Split] {
        &self.splits
    }

    fn streams(&self, split: usize) -> Vec<(Stream, u64)> {
        self.spool.streams().filter(|(stream, _)| stream.split == split).collect()
    }

    fn group(&self, stream: Stream, group: u64, _: u64, _: &Clock) -> Result<Vec<Item>, ItemError> {
        self.spool.group(stream, group).map_err(ItemError::new)
    }

    fn left_out(&self) -> Vec<Exception> {
        self.games.iter().flat_map(|game| game.exceptions.clone()).collect()
    }

    fn companions(&self) -> BTreeMap<String, String> {
        self.games.iter().flat_map(|game| game.companions.clone()).collect()
    }
}
