//! Options of every run that writes a folder, and of those that fill it with items: one set for all sources.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, ValueEnum};
use racgen_data::error::DataError;
use racgen_data::format::Format;
use racgen_data::training::exported;
use racgen_data::training::lm_eval::lm_eval;
use racgen_data::training::style::Style;
use racgen_data::write::folder::Taking;

use crate::campaign::error::CampaignError;
use crate::campaign::output_words::{self, licence};
use crate::campaign::run::{Config, LICENCE, Origin, Output, Summary, run};
use crate::campaign::stream::stream_lines;
use crate::cli::args::folders::{NO_FOLDER, folder, is_standard_output};
use crate::cli::output::bar::Bar;
use crate::cli::output::exit::{Exit, print};
use crate::cli::output::{summary, warnings};

/// Headings of the help.
const FOLDER: &str = "Output folder";
const FILES: &str = "Output files";
pub(crate) const RUNNING: &str = "Running";

/// Options of a run that writes a folder, whatever it holds.
#[derive(Clone, Debug, Args)]
pub struct FolderArgs {
    /// Output folder; where items are made, `-` for lines of JSON on standard output [default: below data/]
    #[arg(help_heading = FOLDER, long, short)]
    pub out: Option<PathBuf>,
    /// Threads; 0 for one a processor
    #[arg(help_heading = RUNNING, long, default_value_t = 0)]
    pub threads: usize,
    /// Make only shard I of N
    #[arg(help_heading = FOLDER, long, value_name = "I/N")]
    pub shard: Option<String>,
    /// Replace what an earlier run wrote into the output folder
    #[arg(help_heading = FOLDER, long)]
    pub force: bool,
    /// Continue an interrupted run
    #[arg(help_heading = FOLDER, long)]
    pub resume: bool,
    /// Print errors only
    #[arg(help_heading = RUNNING, long, short)]
    pub quiet: bool,
}

/// How items are written.
#[derive(Clone, Debug, Args)]
pub struct ItemFileArgs {
    /// File formats
    #[arg(help_heading = FILES, long, value_enum, value_delimiter = ',', default_value = "parquet")]
    pub format: Vec<Format>,
    /// How the folder is laid out: `hf` as Hugging Face datasets loads it, by the configurations of the card
    #[arg(help_heading = FILES, long, value_enum, default_value = "hf")]
    pub layout: FolderLayout,
    /// Write the items in these forms, too, each as a configuration of its own
    #[arg(help_heading = FILES, long, value_enum, value_delimiter = ',', value_name = "FORM,...")]
    pub style: Vec<Style>,
    /// Write tasks of lm-evaluation-harness into this folder, too
    #[arg(help_heading = FILES, long, value_name = "DIR", value_parser = folder())]
    pub lm_eval: Option<PathBuf>,
    /// The licence of the items, as the Hugging Face hub calls it; the card names it
    #[arg(help_heading = FILES, long, value_name = "ID", default_value = LICENCE, value_parser = licence)]
    pub license: String,
    /// Rows that a file holds at most, about
    #[arg(help_heading = FILES, long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub rows_per_file: u64,
    /// Print where the time went
    #[arg(help_heading = RUNNING, long)]
    pub timing: bool,
}

/// Options of a run that makes items.
#[derive(Clone, Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub folder: FolderArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub files: ItemFileArgs,
}

/// Layouts of an output folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FolderLayout {
    /// Configurations and splits as in the front matter of the card, for `datasets.load_dataset`.
    Hf,
}

/// Seconds of a `--time-limit`.
///
/// # Errors
/// A number that is none of seconds.
pub fn time_limit(seconds: f64) -> Result<Duration, Exit> {
    output_words::time_limit(seconds).map_err(Exit::usage)
}

/// Threads of a `--threads`, as a pool.
///
/// # Errors
/// Too many.
pub fn pool(threads: usize) -> Result<rayon::ThreadPool, Exit> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(checked(threads)?).build();
    pool.map_err(|error| Exit::usage(format!("cannot start the threads: {error}; use --threads 1")))
}

fn checked(threads: usize) -> Result<usize, Exit> {
    output_words::threads(threads).map_err(Exit::usage)
}

impl FolderArgs {
    /// The folder, or `usual` where none is named.
    ///
    /// # Errors
    /// Standard output, which takes no folder.
    pub fn out(&self, usual: &Path) -> Result<PathBuf, Exit> {
        match &self.out {
            Some(out) if is_standard_output(out) => Err(Exit::usage(format!("--out: {NO_FOLDER}"))),
            Some(out) => Ok(out.clone()),
            None => Ok(usual.to_owned()),
        }
    }

    /// The number of threads.
    ///
    /// # Errors
    /// Too many.
    pub fn threads(&self) -> Result<usize, Exit> {
        checked(self.threads)
    }

    /// Which shard of how many.
    ///
    /// # Errors
    /// What is not of the form I/N.
    pub fn shard(&self) -> Result<Option<(usize, usize)>, Exit> {
        self.shard.as_deref().map(output_words::shard).transpose().map_err(Exit::usage)
    }

    /// What may be done with the folder.
    ///
    /// # Errors
    /// Those of [`FolderArgs::shard`].
    pub fn taking(&self) -> Result<Taking, Exit> {
        let shard = self.shard()?.filter(|(_, shards)| *shards > 1).map(|(shard, _)| shard);
        Ok(Taking { force: self.force, resume: self.resume, shard })
    }
}

impl ItemFileArgs {
    /// The formats, each once, in the order of preference.
    pub fn formats(&self) -> Vec<Format> {
        let mut formats = self.format.clone();
        formats.sort();
        formats.dedup();
        formats
    }
}

impl RunArgs {
    /// Where and how items are written; `usual` is the folder where none is named.
    ///
    /// # Errors
    /// Arguments that make no sense.
    pub fn output(&self, usual: &Path) -> Result<Output, Exit> {
        Ok(Output {
            out: self.folder.out.clone().unwrap_or_else(|| usual.to_owned()),
            formats: self.files.formats(),
            rows_per_file: self.files.rows_per_file,
            shard: self.folder.shard()?,
            force: self.folder.force,
            resume: self.folder.resume,
            threads: self.folder.threads()?,
            styles: self.files.style.clone(),
            licence: self.files.license.clone(),
        })
    }

    /// Makes items and everything that is written beside them, and tells what came of it.
    ///
    /// # Errors
    /// Those of [`run`], and those of the tasks of lm-evaluation-harness.
    pub fn make(
        &self,
        configs: &[Config],
        output: &Output,
        origin: &Origin,
        stop: &AtomicBool,
    ) -> Result<Summary, Exit> {
        self.make_asked(configs, output, origin, stop, &|_| None)
    }

    /// As [`RunArgs::make`]; `asked` says where a configuration is asked for, if in a file.
    ///
    /// # Errors
    /// Those of [`RunArgs::make`].
    pub fn make_asked(
        &self,
        configs: &[Config],
        output: &Output,
        origin: &Origin,
        stop: &AtomicBool,
        asked: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Summary, Exit> {
        if is_standard_output(&output.out) {
            let made = self.stream(configs, output, stop)?;
            return Ok(Summary { made, ..Summary::default() });
        }
        if let Some(folder) = &self.files.lm_eval {
            exported::check(folder, self.folder.force)?;
        }
        if !self.folder.quiet {
            warnings::tell(&warnings::before(configs));
        }
        let bar = Bar::new(self.folder.quiet);
        let summary = run(configs, output, origin, &bar, stop);
        bar.clear();
        let summary = summary.map_err(|error| {
            let place = match &error {
                CampaignError::Items { config, .. } => asked(config),
                _ => None,
            };
            match place {
                Some(place) => Exit::from(error).at(&place),
                None => error.into(),
            }
        })?;
        let tasks = self.files.lm_eval.as_ref().filter(|_| summary.finished.complete);
        let written = tasks
            .map(|folder| lm_eval(&output.out, folder, "racgen", self.folder.force))
            .transpose()?
            .unwrap_or_default();
        if !self.folder.quiet {
            let mut text = summary::text(&summary, self.files.timing);
            text += &format!("{}\n", output.out.display());
            if let Some(folder) = tasks {
                text += &format!("tasks of lm-evaluation-harness: {}\n{}", folder.display(), written.note());
            }
            if !summary.finished.complete {
                text += "Other shards are missing; the card and the manifest come with the last one, or with `racgen join`.\n";
            }
            print(&text)?;
            warnings::tell(&warnings::after(&summary.finished));
        }
        Ok(summary)
    }
    /// Writes items to standard output, as lines of JSON, and says how many.
    fn stream(&self, configs: &[Config], output: &Output, stop: &AtomicBool) -> Result<u64, Exit> {
        let (folder, files) = (&self.folder, &self.files);
        let beside = [
            (
                "--format with anything but jsonl",
                output.formats.iter().any(|f| !matches!(f, Format::Jsonl | Format::Parquet)),
            ),
            ("--style", !files.style.is_empty()),
            ("--lm-eval", files.lm_eval.is_some()),
            ("--shard", folder.shard.is_some()),
            ("--resume", folder.resume),
            ("--timing", files.timing),
        ];
        if let Some((flag, _)) = beside.iter().find(|(_, given)| *given) {
            return Err(Exit::usage(format!(
                "{flag} goes with a folder; --out - writes lines of JSON and no files"
            )));
        }
        if !folder.quiet {
            warnings::tell(&warnings::before(configs));
        }
        let pool = pool(folder.threads)?;
        let bar = Bar::new(folder.quiet);
        let made = stream_lines(configs, &pool, &mut std::io::stdout().lock(), &bar, stop);
        bar.clear();
        made.map_err(|error| match error {
            // The sentences of both are about folders.
            CampaignError::Interrupted => Exit::interrupted("interrupted"),
            CampaignError::Data(DataError::Write { cause, .. }) => {
                Exit::failure(format!("cannot write to standard output: {cause}"))
            }
            error => error.into(),
        })
    }
}
