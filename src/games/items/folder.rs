//! Items of games to a folder of data: files by split, a data card and a manifest, as for the domains, and the flattened
//! rules of each game, by which anyone can derive the answers again.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use racgen_data::card::{CardConfig, CardInfo, write_card};
use racgen_data::manifest::{Exception, FileEntry, Manifest, Tally};
use racgen_data::row::Row;
use racgen_data::write::staging::{Staging, write};
use racgen_data::write::{Format, OutputError, Sink, open, shard_path};

use crate::games::error::GameError;
use crate::rules::error::RulesError;

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

/// Items on the disk, without a name: a large data set need not fit in memory, and a game that fails leaves nothing.
pub struct Spool {
    file: BufWriter<File>,
    folder: PathBuf,
    rows: u64,
}

impl Spool {
    /// Adds an item; is its answer that of the state told?
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn write(&mut self, row: &Row, trivial: bool) -> Result<(), GameError> {
        self.rows += 1;
        let line = serde_json::to_string(&(row, trivial)).unwrap_or_default();
        let written = writeln!(self.file, "{line}");
        written.map_err(|cause| refused(&self.folder, cause).into())
    }

    fn read(self) -> Result<impl Iterator<Item = Result<(Row, bool), GameError>>, GameError> {
        let failed = |cause| GameError::from(refused(&self.folder, cause));
        let mut file = self.file.into_inner().map_err(|error| failed(error.into_error()))?;
        file.rewind().map_err(failed)?;
        let folder = self.folder;
        let item = move |line: io::Result<String>| {
            let item = line.and_then(|line| Ok(serde_json::from_str(&line)?));
            item.map_err(|cause| refused(&folder, cause).into())
        };
        Ok(BufReader::new(file).lines().map(item))
    }
}

fn refused(folder: &Path, cause: io::Error) -> OutputError {
    OutputError::Io { action: "write", path: folder.to_owned(), cause }
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

    /// Adds all of one game: its items, what could not be asked, and its flattened rules. Returns the number of items.
    ///
    /// # Errors
    /// Those of the operating system and the formats.
    pub fn add(
        &mut self,
        game: &str,
        spool: Spool,
        exceptions: Vec<Exception>,
        reference: &str,
    ) -> Result<u64, GameError> {
        let rows = spool.rows;
        for item in spool.read()? {
            let (row, trivial) = &item?;
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
        Ok(rows)
    }

    /// A place for the items of one game until all are there.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn spool(&self) -> Result<Spool, GameError> {
        let file = tempfile::tempfile_in(self.staging.path())
            .map_err(|cause| refused(self.staging.path(), cause))?;
        Ok(Spool { file: BufWriter::new(file), folder: self.staging.path().to_owned(), rows: 0 })
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
                by_instance: false,
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
