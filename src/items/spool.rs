//! Items that are made all at once to streams of groups: they wait on the disk, without a name, and are read from there.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use racgen_data::error::DataError;

use crate::items::source::{GROUP_SIZE, Item, Stream};

/// Items being made, stream by stream.
pub struct Spooling {
    file: BufWriter<File>,
    folder: PathBuf,
    bytes: u64,
    streams: BTreeMap<Stream, Spooled>,
}

/// Where the items of a stream stand.
#[derive(Clone, Debug, Default)]
struct Spooled {
    items: u64,
    /// Offset of the first item of each group.
    groups: Vec<u64>,
}

/// Items that were made.
pub struct Spool {
    file: Mutex<File>,
    folder: PathBuf,
    streams: BTreeMap<Stream, Spooled>,
}

fn refused(folder: &Path, cause: io::Error) -> DataError {
    DataError::Write { action: "keep items in", path: folder.to_owned(), cause }
}

impl Spooling {
    /// Starts on the disk of an output folder, which need not be there yet.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn beside(out: &Path) -> Result<Spooling, DataError> {
        let there = |folder: &&Path| folder.as_os_str().is_empty() || folder.is_dir();
        let folder = match out.ancestors().skip(1).find(there) {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let file = tempfile::tempfile_in(folder).map_err(|cause| refused(folder, cause))?;
        let (file, streams) = (BufWriter::new(file), BTreeMap::new());
        Ok(Spooling { file, folder: folder.to_owned(), bytes: 0, streams })
    }

    /// Adds the next item of a stream. Items of one group must follow each other.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn add(&mut self, stream: Stream, item: &Item) -> Result<(), DataError> {
        let spooled = self.streams.entry(stream).or_default();
        if spooled.items.is_multiple_of(GROUP_SIZE) {
            spooled.groups.push(self.bytes);
        }
        spooled.items += 1;
        let line = serde_json::to_string(item).unwrap_or_default() + "\n";
        self.bytes += line.len() as u64;
        self.file.write_all(line.as_bytes()).map_err(|cause| refused(&self.folder, cause))
    }

    /// The number of items of a member.
    pub fn items(&self, member: usize) -> u64 {
        let of_member = self.streams.iter().filter(|(stream, _)| stream.member == member);
        of_member.map(|(_, spooled)| spooled.items).sum()
    }

    /// Forgets the items of a member.
    pub fn forget(&mut self, member: usize) {
        self.streams.retain(|stream, _| stream.member != member);
    }

    /// No more items come.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn finish(self) -> Result<Spool, DataError> {
        let Spooling { file, folder, streams, .. } = self;
        let file = file.into_inner().map_err(|error| refused(&folder, error.into_error()))?;
        Ok(Spool { file: Mutex::new(file), folder, streams })
    }
}

impl Spool {
    /// The streams with their numbers of items, in order.
    pub fn streams(&self) -> impl Iterator<Item = (Stream, u64)> + '_ {
        self.streams.iter().map(|(stream, spooled)| (*stream, spooled.items))
    }

    /// The items of a group.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn group(&self, stream: Stream, group: u64) -> Result<Vec<Item>, DataError> {
        let Some(spooled) = self.streams.get(&stream) else { return Ok(Vec::new()) };
        let Some(offset) = spooled.groups.get(group as usize) else { return Ok(Vec::new()) };
        let count = (spooled.items - group * GROUP_SIZE).min(GROUP_SIZE);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || -> io::Result<Vec<Item>> {
            file.seek(SeekFrom::Start(*offset))?;
            let lines = BufReader::new(&*file).lines().take(count as usize);
            lines.map(|line| Ok(serde_json::from_str(&line?)?)).collect()
        };
        let mut read = read;
        read().map_err(|cause| refused(&self.folder, cause))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_read_in_any_order() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let mut spooling = Spooling::beside(&folder.path().join("not/there/yet"))?;
        let item = |index: i64, split: usize| {
            let mut item = Item { trivial: index % 3 == 0, ..Item::default() };
            item.row.index = index;
            item.row.question = format!("split {split}\nline {index}");
            item
        };
        let stream = |split| Stream { split, level: 1, ..Stream::default() };
        for (split, count) in [(0, 123), (1, 50), (2, 1)] {
            for index in 0..count {
                spooling.add(stream(split), &item(index, split))?;
            }
        }
        let spool = spooling.finish()?;
        let sizes: Vec<u64> = spool.streams().map(|(_, items)| items).collect();
        assert_eq!(sizes, [123, 50, 1]);
        let group = |split, group| spool.group(stream(split), group);
        assert_eq!(group(0, 2)?, (100..123).map(|index| item(index, 0)).collect::<Vec<_>>());
        assert_eq!(group(2, 0)?, [item(0, 2)]);
        assert_eq!(group(0, 0)?.len(), 50);
        assert!(group(1, 1)?.is_empty() && group(3, 0)?.is_empty());
        Ok(())
    }
}
