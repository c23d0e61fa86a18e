//! Options to what makes their rows: any range of any split, or the folder that the command writes.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use racgen::campaign::error::CampaignError;
use racgen::campaign::jobs::domains::{Job, configs, jobs, seed, sources};
use racgen::campaign::jobs::row_options::{MOST_ITEMS, RowOptions};
use racgen::campaign::output_words;
use racgen::campaign::pool::members::DomainPool;
use racgen::campaign::ranges::rows_in;
use racgen::campaign::repeat::Repeat;
use racgen::campaign::run::{LICENCE, Origin, Output, run};
use racgen::domain::catalogue::Catalogue;
use racgen::invent::invented::files_by_name;
use racgen::items::progress::Progress;
use racgen::items::source::ItemSource;
use racgen::items::split_rows::{RowOrder, SplitRows};
use racgen_data::columns::ExtraColumn;
use racgen_data::format::Format;
use racgen_data::row::Row;
use racgen_data::training::exported;
use racgen_data::training::lm_eval::lm_eval;
use racgen_data::training::style::Style;
use serde::Deserialize;

use crate::failure::CallFailure;
use crate::pools::pool;

/// What makes rows, ready for any thread.
pub(crate) struct RowMaker {
    jobs: Vec<Job>,
    sources: Vec<DomainPool>,
    command: String,
    order: RowOrder,
}

impl RowMaker {
    pub(crate) fn new(
        options: &str,
        folders: &[PathBuf],
        endless: bool,
        limit: Duration,
    ) -> Result<RowMaker, CallFailure> {
        let mut options: RowOptions = serde_json::from_str(options).map_err(CallFailure::usage)?;
        let command = options.repeated(Repeat::new("racgen")).text();
        if endless {
            options.items = Some(MOST_ITEMS);
        }
        let catalogue = Catalogue::find(folders)?.with_made(files_by_name);
        let jobs = jobs(&options, None, &catalogue)?;
        let sources = sources(&catalogue, &jobs, limit)?;
        let order = if endless { RowOrder::Turns } else { RowOrder::Files };
        Ok(RowMaker { jobs, sources, command, order })
    }

    /// The command that makes the same data set.
    pub(crate) fn command(&self) -> &str {
        &self.command
    }

    /// The names of the splits.
    pub(crate) fn splits(&self) -> Vec<String> {
        let splits = self.sources.first().map_or(&[][..], ItemSource::splits);
        splits.iter().map(|split| split.name.clone()).collect()
    }

    /// The split of a name.
    pub(crate) fn split(&self, name: &str) -> Result<SplitRows, CallFailure> {
        let known = self.splits();
        let Some(number) = known.iter().position(|split| split == name) else {
            return Err(CallFailure::usage(format!(
                "there is no split `{name}`; there are {}",
                known.join(", ")
            )));
        };
        let sources: Vec<&dyn ItemSource> = self.sources.iter().map(|source| source as _).collect();
        Ok(SplitRows::new(&sources, number, self.order))
    }

    /// The columns besides those of all rows.
    pub(crate) fn extra(&self) -> Vec<ExtraColumn> {
        self.sources.first().map_or(Vec::new(), |source| source.extra_columns().to_vec())
    }

    /// RowMaker of a range of a split, made by so many threads.
    pub(crate) fn rows(
        &self,
        split: &SplitRows,
        range: Range<u64>,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Vec<Row>, CallFailure> {
        Ok(rows_in(&configs(&self.jobs, &self.sources), split, range, &*pool(threads)?, stop)?)
    }

    /// Writes the folder that the command writes.
    pub(crate) fn write(
        &self,
        options: &WriteOptions,
        progress: &dyn Progress,
        stop: &AtomicBool,
    ) -> Result<(), CallFailure> {
        let output = options.output()?;
        if let Some(folder) = &options.lm_eval {
            exported::check(folder, options.force)?;
        }
        let origin = Origin { command: self.command.clone(), seed: seed(&self.jobs) };
        let summary = run(&configs(&self.jobs, &self.sources), &output, &origin, progress, stop)?;
        if let Some(folder) = options.lm_eval.as_ref().filter(|_| summary.finished.complete) {
            lm_eval(&output.out, folder, "racgen", options.force)?;
        }
        Ok(())
    }
}

/// How a folder is written; the names are those of the command's options.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WriteOptions {
    out: PathBuf,
    format: Vec<Format>,
    style: Vec<Style>,
    license: Option<String>,
    rows_per_file: u64,
    shard: Option<String>,
    force: bool,
    resume: bool,
    threads: usize,
    lm_eval: Option<PathBuf>,
}

impl WriteOptions {
    fn output(&self) -> Result<Output, CallFailure> {
        let usage = CampaignError::Settings;
        let licence = self.license.as_deref().unwrap_or(LICENCE);
        let licence = output_words::licence(licence).map_err(|cause| usage(format!("--license: {cause}")))?;
        let shard = self.shard.as_deref().map(output_words::shard).transpose().map_err(usage)?;
        if self.format.is_empty() {
            return Err(CallFailure::usage("--format takes at least one of parquet, jsonl and csv"));
        }
        if self.rows_per_file == 0 {
            return Err(CallFailure::usage("--rows-per-file takes a number above 0"));
        }
        let mut formats = self.format.clone();
        formats.sort();
        formats.dedup();
        Ok(Output {
            out: self.out.clone(),
            formats,
            rows_per_file: self.rows_per_file,
            shard,
            force: self.force,
            resume: self.resume,
            threads: output_words::threads(self.threads).map_err(usage)?,
            styles: self.style.clone(),
            licence,
        })
    }
}
