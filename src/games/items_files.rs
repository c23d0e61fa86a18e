//! Items of games to a folder of data: files by split, a data card and a manifest, as for the domains, and the flattened
//! rules of each game, by which anyone can derive the answers again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::card::{CardConfig, CardInfo, write_card};
use crate::manifest::{Exception, FileEntry, Manifest, Tally};
use crate::row::Row;
use crate::rules::RulesError;
use crate::rules::staging::{Staging, write};
use crate::sink::{Format, Sink, open, shard_path};

use super::error::GameError;

/// A folder of items that is being written; it gets its name when it is complete.
pub struct ItemFiles {
    staging: Staging,
    formats: Vec<Format>,
    /// The sinks of each split, in the order of the formats.
    sinks: BTreeMap<Arc<str>, Vec<Box<dyn Sink>>>,
    tally: Tally,
    exceptions: Vec<Exception>,
    example: Option<Row>,
    games: Vec<String>,
}

impl From<RulesError> for GameError {
    fn from(error: RulesError) -> GameError {
        match error {
            RulesError::Output(error) => GameError::Output(error),
            other => GameError::Arguments(other.to_string()),
        }
    }
}

impl ItemFiles {
    /// Starts a folder.
    ///
    /// # Errors
    /// A folder that is there already, unless it is to be replaced.
    pub fn new(out: &Path, formats: &[Format], force: bool) -> Result<ItemFiles, GameError> {
        let mut formats = formats.to_vec();
        formats.sort();
        formats.dedup();
        Ok(ItemFiles {
            staging: Staging::new(out, force)?,
            formats,
            sinks: BTreeMap::new(),
            tally: Tally::default(),
            exceptions: Vec::new(),
            example: None,
            games: Vec::new(),
        })
    }

    /// Adds all of one game: its items, what could not be asked, and its flattened rules.
    ///
    /// # Errors
    /// Those of the operating system and the formats.
    pub fn add(
        &mut self,
        game: &str,
        rows: &[(Row, bool)],
        exceptions: Vec<Exception>,
        reference: &str,
    ) -> Result<(), GameError> {
        for (row, trivial) in rows {
            self.tally.add(row, *trivial);
            if !self.sinks.contains_key(&row.split) {
                let path = |format| self.staging.path().join(shard_path(None, &row.split, 0, 1, format));
                let sinks = self.formats.iter().map(|format| open(*format, &path(*format)));
                self.sinks.insert(row.split.clone(), sinks.collect::<Result<_, _>>()?);
            }
            for sink in self.sinks.get_mut(&row.split).into_iter().flatten() {
                sink.write(std::slice::from_ref(row))?;
            }
            if self.example.as_ref().is_none_or(|e| e.depth == 0 && row.depth > 0) {
                self.example = Some(row.clone());
            }
        }
        write(self.staging.path(), &format!("reference/{game}.lp"), reference)?;
        self.exceptions.extend(exceptions);
        self.games.push(game.to_owned());
        Ok(())
    }

    /// Completes the folder; the settings stand in the manifest, game by game. Returns the number of items.
    ///
    /// # Errors
    /// Those of the operating system and the formats.
    pub fn finish(
        mut self,
        command: String,
        seed: u64,
        settings: serde_json::Value,
    ) -> Result<u64, GameError> {
        let out: PathBuf = self.staging.path().to_owned();
        let mut files = Vec::new();
        for (split, sinks) in std::mem::take(&mut self.sinks) {
            for (sink, format) in sinks.into_iter().zip(&self.formats) {
                files.push(FileEntry::new(&out, &split, *format, &sink.finish()?));
            }
        }
        let items = self.tally.cells.values().map(|cell| cell.items).sum();
        if let Some(example) = self.example {
            let info = CardInfo {
                title: format!("Questions about games: {}", self.games.join(", ")),
                licence: "cc-by-4.0".into(),
                command: command.clone(),
                configs: vec![CardConfig::new("default", &files)],
                example,
            };
            write_card(&out, &info)?;
        }
        let manifest = Manifest::new(command, seed as i64, settings, files, &self.tally, self.exceptions);
        manifest.write(&out)?;
        self.staging.finish()?;
        Ok(items)
    }
}
