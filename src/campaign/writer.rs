//! Groups of items, in order, to files: one file open at a time, in all formats.

use racgen_data::error::DataError;
use racgen_data::papers::arrow_size::arrow_size;
use racgen_data::papers::manifest::{Exception, FileEntry};
use racgen_data::papers::tally::Tally;
use racgen_data::row::Row;
use racgen_data::write::folder::{Folder, Part};
use racgen_data::write::rows::sink::{Sink, open_with};
use serde::{Deserialize, Serialize};

use crate::campaign::plan::{FilePlan, RunPlan};
use crate::items::clock::{Clock, Stage};
use crate::items::source::{Item, ItemSource};

/// What is kept of a finished file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Counted {
    /// What its items add up to.
    pub tally: Tally,
    /// The bytes that they take in memory.
    #[serde(default)]
    pub memory: u64,
    /// One of them.
    pub example: Option<Row>,
    /// What its source leaves out.
    pub exceptions: Vec<Exception>,
}

/// A file being written in all formats.
struct OpenFile {
    /// Its place in the list of files to be made.
    number: usize,
    sinks: Vec<Box<dyn Sink>>,
    counted: Counted,
}

/// Writes the groups of one file after the other.
pub struct Writer<'a> {
    folder: &'a Folder,
    plan: &'a RunPlan,
    sources: &'a [&'a dyn ItemSource],
    todo: &'a [&'a FilePlan],
    clock: &'a Clock,
    open: Option<OpenFile>,
    /// How many items were written.
    pub made: u64,
}

impl<'a> Writer<'a> {
    /// A writer of these files.
    pub fn new(
        folder: &'a Folder,
        plan: &'a RunPlan,
        sources: &'a [&'a dyn ItemSource],
        todo: &'a [&'a FilePlan],
        clock: &'a Clock,
    ) -> Writer<'a> {
        Writer { folder, plan, sources, todo, clock, open: None, made: 0 }
    }

    /// Writes a group into a file, by its place in the list; the file before it is completed.
    ///
    /// # Errors
    /// Those of the operating system and the formats.
    pub fn take(&mut self, file: usize, items: Vec<Item>) -> Result<(), DataError> {
        if self.open.as_ref().is_none_or(|open| open.number != file) {
            self.close()?;
            self.open = Some(self.begin(file)?);
        }
        let Some(OpenFile { sinks, counted, .. }) = &mut self.open else { return Ok(()) };
        let timer = self.clock.start(Stage::Writing);
        let known = self.sources[self.todo[file].config].knows_trivial();
        items.iter().for_each(|item| counted.tally.add(&item.row, known.then_some(item.trivial)));
        let rows: Vec<Row> = items.into_iter().map(|item| item.row).collect();
        counted.memory += rows.iter().map(arrow_size).sum::<u64>();
        if counted.example.is_none() {
            counted.example = rows.iter().find(|r| r.question_type == "other").or(rows.first()).cloned();
        }
        for sink in sinks {
            sink.write(&rows)?;
        }
        self.made += rows.len() as u64;
        drop(timer);
        Ok(())
    }

    fn begin(&self, number: usize) -> Result<OpenFile, DataError> {
        let file = self.todo[number];
        let extra = &self.plan.configs[file.config].extra;
        let sinks = self.plan.formats.iter().map(|format| {
            let path = self.folder.path().join(file.path(self.plan, *format));
            // A file without its record is of a run that was killed between the two.
            let _ = std::fs::remove_file(&path);
            open_with(*format, &path, extra)
        });
        let sinks = sinks.collect::<Result<_, _>>()?;
        Ok(OpenFile { number, sinks, counted: Counted::default() })
    }

    /// Completes the file that is open.
    ///
    /// # Errors
    /// Those of the operating system and the formats.
    pub fn close(&mut self) -> Result<(), DataError> {
        let Some(OpenFile { number, sinks, mut counted }) = self.open.take() else { return Ok(()) };
        let file = self.todo[number];
        let mut files = Vec::new();
        for (sink, format) in sinks.into_iter().zip(&self.plan.formats) {
            files.push(FileEntry::of_items(self.folder.path(), &file.split, *format, &sink.finish()?));
        }
        counted.exceptions = self.sources[file.config].left_out();
        self.folder.keep(&file.record(), &Part { files, told: counted })
    }
}
