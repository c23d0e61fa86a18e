//! Jobs to a folder of data files: parallel making, ordered writing, resuming, sharding.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use racgen_data::card::{CardConfig, CardInfo, write_card};
use racgen_data::export::{ExportError, Style, Styled, write_styles};
use racgen_data::manifest::{Exception, FileEntry, Manifest, Tally};
use racgen_data::read::rows;
use racgen_data::row::Row;
use racgen_data::write as sink;
use racgen_data::write::{Format, OutputError, Sink, shard_path};
use racgen_logic::fault::Faults;
use serde::{Deserialize, Serialize};

use crate::campaign::ordered::ordered;
use crate::check::survey::check_quick;
use crate::domain::catalogue::Catalogue;
use crate::domain::package::Package;
use crate::factory::settings::{Settings, SplitBy};
use crate::factory::source::{Factory, FactoryError, GROUP_SIZE, Item, Stream};
use crate::items::clock::{Clock, Stage};

/// One configuration of a data set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Its name, which is that of its folder where there are several.
    pub name: String,
    /// The domain.
    pub domain: String,
    /// What its rows are.
    pub settings: Settings,
}

/// Where and how a data set is written.
#[derive(Clone, Debug)]
pub struct Output {
    /// The folder.
    pub out: PathBuf,
    /// The formats, at least one.
    pub formats: Vec<Format>,
    /// About how many rows a file may hold.
    pub rows_per_file: u64,
    /// Which shard of how many is made, counted from 1.
    pub shard: Option<(usize, usize)>,
    /// Replace what an earlier run wrote.
    pub force: bool,
    /// Continue an earlier run.
    pub resume: bool,
    /// Threads; 0 for one a processor.
    pub threads: usize,
    /// Limit of each solver call.
    pub time_limit: Duration,
    /// Forms in which the items are written, too, each as a configuration of its own.
    pub styles: Vec<Style>,
}

/// Folder of a run's progress, below the output folder.
const PROGRESS: &str = ".racgen";

/// Why a data set was not written.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// Faults of a package.
    #[error(transparent)]
    Package(Faults),
    /// Rows could not be made.
    #[error("{job}: {cause}")]
    Factory {
        /// The job.
        job: String,
        /// Why.
        cause: FactoryError,
    },
    /// Files could not be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The folder holds something already.
    #[error("`{}` {what}", path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
        /// What it holds, and what to do.
        what: String,
    },
    /// The other forms of the items could not be written.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The user stopped the run.
    #[error("interrupted; nothing half-written was left behind, and --resume continues")]
    Interrupted,
    /// Settings that make no sense.
    #[error("{0}")]
    Settings(String),
}

/// Tells how a run goes.
pub trait Progress: Sync {
    /// A run of so many rows begins, of which so many are there already.
    fn begin(&self, rows: u64, done: u64);
    /// So many more rows are written.
    fn advance(&self, rows: u64);
}

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Summary {
    /// What the rows add up to.
    pub tally: Tally,
    /// The files of the data set.
    pub files: Vec<FileEntry>,
    /// Forms left out.
    pub exceptions: Vec<Exception>,
    /// Is the data set complete? If not, other shards are missing.
    pub complete: bool,
    /// Rows made in this run.
    pub made: u64,
    /// Where the time went.
    pub clock: BTreeMap<Stage, Duration>,
    /// How long it took.
    pub elapsed: Duration,
}

/// The plan of a run, as it is kept beside its parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct RunPlan {
    version: String,
    jobs: Vec<Job>,
    formats: Vec<Format>,
    rows_per_file: u64,
    shards: usize,
    #[serde(default)]
    styles: Vec<Style>,
    command: String,
}

/// What is kept of a finished file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Part {
    files: Vec<FileEntry>,
    tally: Tally,
    example: Option<Row>,
    exceptions: Vec<Exception>,
}

/// A file to be made: the groups it holds.
#[derive(Clone, Debug)]
struct FilePlan {
    job: usize,
    split: String,
    number: usize,
    of: usize,
    groups: Vec<(Stream, u64, u64)>,
}

impl FilePlan {
    fn rows(&self) -> u64 {
        let part = |(_, group, rows): &(Stream, u64, u64)| {
            rows.min(&((group + 1) * GROUP_SIZE)) - group * GROUP_SIZE
        };
        self.groups.iter().map(part).sum()
    }

    /// Its place below the output folder.
    fn path(&self, jobs: &[Job], format: Format) -> PathBuf {
        let config = (jobs.len() > 1).then(|| jobs[self.job].name.as_str());
        shard_path(config, &self.split, self.number, self.of, format)
    }

    fn part(&self, out: &Path) -> PathBuf {
        out.join(PROGRESS).join(format!("{}-{}-{}.json", self.job, self.split, self.number))
    }
}

/// Divides the rows of a job among files, by whole groups.
fn file_plans(job: usize, factory: &Factory, rows_per_file: u64, shards: usize) -> Vec<FilePlan> {
    let mut plans = Vec::new();
    for (number, split) in factory.splits().iter().enumerate() {
        let mut groups = Vec::new();
        let mut total = 0;
        for (stream, rows) in factory.streams(number) {
            groups.extend((0..rows.div_ceil(GROUP_SIZE)).map(|g| (stream, g, rows)));
            total += rows;
        }
        let of = (total.div_ceil(rows_per_file.max(1)) as usize).max(shards).min(groups.len());
        for file in 0..of {
            let share = groups.len() * file / of..groups.len() * (file + 1) / of;
            plans.push(FilePlan {
                job,
                split: split.name.clone(),
                number: file,
                of,
                groups: groups[share].to_vec(),
            });
        }
    }
    plans
}

/// Makes a data set, or one shard of it.
///
/// # Errors
/// Everything that keeps a row from being made or written; see [`CampaignError`]. Finished files stay, so that
/// the run can be resumed; unfinished ones leave nothing behind.
pub fn run(
    catalogue: &Catalogue,
    jobs: &[Job],
    output: &Output,
    command: &str,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<Summary, CampaignError> {
    let start = Instant::now();
    let (shard, shards) = output.shard.unwrap_or((1, 1));
    let plan = RunPlan {
        version: env!("CARGO_PKG_VERSION").into(),
        jobs: jobs.to_vec(),
        formats: output.formats.clone(),
        rows_per_file: output.rows_per_file,
        shards,
        styles: output.styles.clone(),
        command: command.to_owned(),
    };
    check_names(jobs, &output.styles)?;
    if !output.styles.is_empty() && output.formats == [Format::Csv] {
        return Err(CampaignError::Settings(
            "--style needs parquet or jsonl in --format, because CSV has no lists of messages; or use `racgen export`"
                .into(),
        ));
    }
    let mut packages: BTreeMap<&str, Package> = BTreeMap::new();
    for job in jobs {
        if !packages.contains_key(job.domain.as_str()) {
            let package = catalogue.load(&job.domain).map_err(CampaignError::Package)?;
            check_quick(&package, output.time_limit).map_err(CampaignError::Package)?;
            packages.insert(&job.domain, package);
        }
    }
    let clock = Clock::default();
    let factories: Vec<Factory> = jobs
        .iter()
        .map(|job| {
            Factory::new(packages[job.domain.as_str()].clone(), job.settings.clone(), output.time_limit)
        })
        .collect();
    let all: Vec<FilePlan> = factories
        .iter()
        .enumerate()
        .flat_map(|(job, factory)| file_plans(job, factory, output.rows_per_file, shards))
        .collect();
    let fresh = prepare(output, &plan, &all)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(output.threads).build().map_err(|error| {
        CampaignError::Settings(format!("cannot start the threads: {error}; use --threads 1"))
    })?;

    let mine = |plan: &&FilePlan| {
        let owner = plan.number * shards / plan.of.max(1);
        owner + 1 == shard
    };
    let (done, todo): (Vec<&FilePlan>, Vec<&FilePlan>) =
        all.iter().filter(mine).partition(|p| p.part(&output.out).is_file());
    let rows = |plans: &[&FilePlan]| plans.iter().map(|p| p.rows()).sum::<u64>();
    progress.begin(rows(&done) + rows(&todo), rows(&done));

    // Decks first: what is wrong with a level is told before anything is written.
    let mut cells: Vec<(usize, i32, i32)> =
        todo.iter().flat_map(|p| p.groups.iter().map(|(s, ..)| (p.job, s.level, s.depth))).collect();
    cells.sort_unstable();
    cells.dedup();
    let mut failed = None;
    ordered(
        &pool,
        cells.len(),
        |n| {
            let (job, level, depth) = cells[n];
            factories[job].deck(level, depth, &clock).map(drop).map_err(|cause| (job, cause))
        },
        |result| flow(result, &mut failed, stop),
    );
    let fail =
        |(job, cause): (usize, FactoryError)| CampaignError::Factory { job: jobs[job].name.clone(), cause };
    if let Some(failure) = failed.take() {
        // Of a run that goes on, or has other shards, what is finished stays.
        if fresh {
            let _ = std::fs::remove_dir_all(output.out.join(PROGRESS))
                .and_then(|()| std::fs::remove_dir(&output.out));
        }
        return Err(fail(failure));
    }

    let tasks: Vec<(usize, Stream, u64, u64)> = todo
        .iter()
        .enumerate()
        .flat_map(|(file, plan)| plan.groups.iter().map(move |(s, g, rows)| (file, *s, *g, *rows)))
        .collect();
    let mut writer =
        Writer { output, factories: &factories, jobs, todo: &todo, open: None, made: 0, clock: &clock };
    let mut broken: Option<OutputError> = None;
    ordered(
        &pool,
        tasks.len(),
        |n| {
            let (file, stream, group, rows) = tasks[n];
            let job = todo[file].job;
            let items = factories[job].group(stream, group, rows, &clock);
            items.map(|items| (file, items)).map_err(|cause| (job, cause))
        },
        |result| {
            let made = match result {
                Ok((file, items)) => {
                    let count = items.len() as u64;
                    match writer.take(file, items) {
                        Ok(()) => progress.advance(count),
                        Err(error) => {
                            broken = Some(error);
                            return ControlFlow::Break(());
                        }
                    }
                    Ok(())
                }
                Err(failure) => Err(failure),
            };
            flow(made, &mut failed, stop)
        },
    );
    if let Some(error) = broken {
        return Err(error.into());
    }
    if let Some(failure) = failed {
        return Err(fail(failure));
    }
    if stop.load(Ordering::Relaxed) {
        return Err(CampaignError::Interrupted);
    }
    writer.close()?;
    let made = writer.made;
    let mut summary = finish(&output.out, &plan, &all, &packages)?;
    summary.made = made;
    summary.clock = clock.read();
    summary.elapsed = start.elapsed();
    Ok(summary)
}

fn flow<E>(result: Result<(), E>, failed: &mut Option<E>, stop: &AtomicBool) -> ControlFlow<()> {
    if let Err(failure) = result {
        *failed = Some(failure);
        return ControlFlow::Break(());
    }
    if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// What the other forms of a job's items are called after, besides their style: the job where there are several.
fn style_prefix<'j>(jobs: &[Job], job: &'j Job) -> Option<&'j str> {
    (jobs.len() > 1).then_some(job.name.as_str())
}

/// The configuration of one form of a job's items.
fn style_config(jobs: &[Job], job: &Job, style: Style) -> String {
    style_prefix(jobs, job)
        .map_or_else(|| style.name().to_owned(), |prefix| format!("{prefix}_{}", style.name()))
}

pub(crate) fn check_names(jobs: &[Job], styles: &[Style]) -> Result<(), CampaignError> {
    let good = |name: &str| {
        !name.is_empty()
            && name
                .split('.')
                .all(|p| !p.is_empty() && p.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
    };
    for job in jobs {
        let mut names = vec![&job.name];
        names.extend(job.settings.splits.iter().map(|s| &s.name));
        if let Some(name) = names.into_iter().find(|n| !good(n)) {
            return Err(CampaignError::Settings(format!(
                "`{name}` cannot name a configuration or split; use letters, digits, `_` and `.`"
            )));
        }
        if let Some(style) =
            styles.iter().find(|s| jobs.iter().any(|j| style_config(jobs, j, **s) == job.name))
        {
            return Err(CampaignError::Settings(format!(
                "the configuration `{}` is called as the one of --style {}; give it another name",
                job.name,
                style.name()
            )));
        }
        if jobs.iter().filter(|other| other.name == job.name).count() > 1 {
            return Err(CampaignError::Settings(format!(
                "two configurations are called `{}`; name each domain once",
                job.name
            )));
        }
        let s = &job.settings;
        if let Some(twice) =
            s.splits.iter().find(|a| s.splits.iter().filter(|b| a.name == b.name).count() > 1)
        {
            return Err(CampaignError::Settings(format!(
                "two splits are called `{}`; give each a name of its own",
                twice.name
            )));
        }
        if s.splits.is_empty() || s.splits.iter().any(|s| !s.weight.is_finite() || s.weight <= 0.0) {
            return Err(CampaignError::Settings("each split needs a weight above 0".into()));
        }
        if s.mix.iter().all(|w| *w == 0) {
            return Err(CampaignError::Settings("--mix gives no kind of question any weight".into()));
        }
        for (share, flag) in
            [(s.holdout_phrasings, "--holdout-phrasings"), (s.holdout_names, "--holdout-names")]
        {
            if !(0.0..=0.5).contains(&share) {
                return Err(CampaignError::Settings(format!("{flag} takes a share from 0 to 0.5")));
            }
        }
    }
    Ok(())
}

/// A file being written in all formats.
struct OpenFile {
    /// Its place in the list of files to be made.
    number: usize,
    sinks: Vec<Box<dyn Sink>>,
    part: Part,
}

/// Writes the groups of one file after the other.
struct Writer<'a> {
    output: &'a Output,
    factories: &'a [Factory],
    jobs: &'a [Job],
    todo: &'a [&'a FilePlan],
    open: Option<OpenFile>,
    made: u64,
    clock: &'a Clock,
}

impl Writer<'_> {
    fn take(&mut self, file: usize, items: Vec<Item>) -> Result<(), OutputError> {
        if self.open.as_ref().is_none_or(|open| open.number != file) {
            self.close()?;
            let plan = self.todo[file];
            let sinks = self.output.formats.iter().map(|format| {
                let path = self.output.out.join(plan.path(self.jobs, *format));
                // A file without its record is of a run that was killed between the two.
                let _ = std::fs::remove_file(&path);
                sink::open(*format, &path)
            });
            let part = Part { files: vec![], tally: Tally::default(), example: None, exceptions: vec![] };
            self.open = Some(OpenFile { number: file, sinks: sinks.collect::<Result<_, _>>()?, part });
        }
        let Some(OpenFile { sinks, part, .. }) = &mut self.open else { return Ok(()) };
        let timer = self.clock.start(Stage::Writing);
        items.iter().for_each(|item| part.tally.add(&item.row, item.trivial));
        let rows: Vec<Row> = items.into_iter().map(|item| item.row).collect();
        if part.example.is_none() {
            part.example = rows.iter().find(|r| r.question_type == "other").or(rows.first()).cloned();
        }
        for sink in sinks {
            sink.write(&rows)?;
        }
        self.made += rows.len() as u64;
        drop(timer);
        Ok(())
    }

    fn close(&mut self) -> Result<(), OutputError> {
        let Some(OpenFile { number, sinks, mut part }) = self.open.take() else { return Ok(()) };
        let plan = self.todo[number];
        for (sink, format) in sinks.into_iter().zip(&self.output.formats) {
            let written = sink.finish()?;
            part.files.push(FileEntry::new(&self.output.out, &plan.split, *format, &written));
        }
        let domain = &self.jobs[plan.job].domain;
        part.exceptions = self.factories[plan.job]
            .left_out()
            .into_iter()
            .map(|(level, depth, l)| Exception {
                domain: domain.clone(),
                level,
                depth,
                question_type: l.question_type,
                family: l.family,
                reason: l.reason,
            })
            .collect();
        write_json(&plan.part(&self.output.out), &part)
    }
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), OutputError> {
    let text = serde_json::to_string(value)
        .map_err(|error| OutputError::Encode { path: path.to_owned(), message: error.to_string() })?;
    sink::replace(path, &text)
}

fn read_json<T: for<'de> Deserialize<'de>>(path: &Path) -> Option<T> {
    serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
}

/// Makes the output folder ready, or says why it is not. Does the run begin there, or go on with another one?
fn prepare(output: &Output, plan: &RunPlan, all: &[FilePlan]) -> Result<bool, CampaignError> {
    let out = &output.out;
    let occupied = |what: &str| CampaignError::Occupied { path: out.clone(), what: what.to_owned() };
    let io = |action, path: &Path, cause| OutputError::Io { action, path: path.to_owned(), cause };
    let progress = out.join(PROGRESS).join("plan.json");
    let earlier: Option<RunPlan> = read_json(&progress);
    if output.force {
        let ours = Ours::find(out, earlier.is_some());
        let data =
            all.iter().flat_map(|file| plan.formats.iter().map(|format| file.path(&plan.jobs, *format)));
        let forms =
            plan.jobs.iter().flat_map(|job| plan.styles.iter().map(|s| style_config(&plan.jobs, job, *s)));
        let names = data.chain(["README.md".into(), "manifest.json".into()]).chain(forms.map(PathBuf::from));
        if let Some(name) = names.into_iter().find(|name| out.join(name).exists() && !ours.wrote(name)) {
            return Err(occupied(&format!(
                "holds `{}`, which racgen did not write; move it away, or choose another --out",
                name.display()
            )));
        }
        ours.remove(out);
    } else if let Some(earlier) = earlier {
        let same = earlier == *plan;
        if (output.resume || plan.shards > 1) && same {
            return Ok(false);
        }
        return Err(occupied(if same {
            "holds an unfinished run of the same settings; continue it with --resume or replace it with --force"
        } else if output.resume {
            "holds an unfinished run of other settings; repeat its command with --resume, or replace it with --force"
        } else {
            "holds an unfinished run; continue it with its own command and --resume, or replace it with --force"
        }));
    } else if out.join("manifest.json").is_file() {
        return Err(occupied("holds a finished data set; choose another --out, or replace it with --force"));
    } else if std::fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(occupied("is not empty; choose another --out (--force replaces only what racgen wrote)"));
    }
    let folder = out.join(PROGRESS);
    std::fs::create_dir_all(&folder).map_err(|cause| io("create", &folder, cause))?;
    write_json(&progress, plan)?;
    Ok(true)
}

/// What racgen wrote into a folder.
struct Ours {
    files: Vec<PathBuf>,
    /// Does the folder have an unfinished run? Its last data file may have no record yet.
    unfinished: bool,
}

impl Ours {
    fn find(out: &Path, unfinished: bool) -> Ours {
        let manifest: Option<Manifest> = read_json(&out.join("manifest.json"));
        let mut files: Vec<PathBuf> = Vec::new();
        if unfinished || manifest.is_some() {
            files.extend(["README.md".into(), "manifest.json".into()]);
        }
        let entries = manifest.into_iter().flat_map(|m| m.files.into_iter().chain(m.forms));
        files.extend(entries.map(|f| f.path.into()));
        if let Ok(parts) = std::fs::read_dir(out.join(PROGRESS)) {
            let parts = parts.flatten().filter_map(|entry| read_json::<Part>(&entry.path()));
            files.extend(parts.flat_map(|part| part.files).map(|f| f.path.into()));
        }
        Ours { files, unfinished }
    }

    fn wrote(&self, name: &Path) -> bool {
        self.unfinished || self.files.iter().any(|file| file.starts_with(name))
    }

    fn remove(self, out: &Path) {
        for file in self.files {
            let _ = std::fs::remove_file(out.join(&file));
            // Folders that are empty now go, too; others are left alone.
            for folder in file.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()) {
                let _ = std::fs::remove_dir(out.join(folder));
            }
        }
        let _ = std::fs::remove_dir_all(out.join(PROGRESS));
    }
}

/// Writes card and manifest once all parts are there.
fn finish(
    out: &Path,
    plan: &RunPlan,
    all: &[FilePlan],
    packages: &BTreeMap<&str, Package>,
) -> Result<Summary, CampaignError> {
    let mut tally = Tally::default();
    let (mut files, mut forms, mut exceptions) = (Vec::new(), Vec::new(), Vec::new());
    let mut by_job: Vec<Vec<FileEntry>> = vec![Vec::new(); plan.jobs.len()];
    let mut example = None;
    let mut complete = true;
    for file in all {
        let Some(part) = read_json::<Part>(&file.part(out)) else {
            complete = false;
            continue;
        };
        by_job[file.job].extend(part.files.iter().cloned());
        files.extend(part.files);
        tally.merge(part.tally);
        exceptions.extend(part.exceptions);
        example = example.or(part.example);
    }
    exceptions.sort();
    exceptions.dedup();
    if complete {
        let mut configs: Vec<CardConfig> =
            plan.jobs.iter().zip(&by_job).map(|(job, files)| CardConfig::new(&job.name, files)).collect();
        for (job, own) in plan.jobs.iter().zip(&by_job).filter(|_| !plan.styles.is_empty()) {
            let styled = other_forms(out, plan, job, own)?;
            configs.extend(styled.configs);
            forms.extend(styled.files);
        }
        let mut titles: Vec<&str> = plan
            .jobs
            .iter()
            .filter_map(|j| packages.get(j.domain.as_str()))
            .map(|p| p.title.as_str())
            .collect();
        titles.dedup();
        if let Some(example) = example {
            let info = CardInfo {
                title: format!("Reasoning about actions: {}", titles.join(", ")),
                licence: "cc-by-4.0".into(),
                command: plan.command.clone(),
                by_instance: plan.jobs.iter().any(|job| job.settings.split_by == SplitBy::Instance),
                configs,
                example,
            };
            write_card(out, &info)?;
        }
        let settings = serde_json::json!(plan.jobs);
        let seed = plan.jobs.first().map_or(0, |j| j.settings.seed as i64);
        let exceptions = exceptions.clone();
        let manifest = Manifest::new(plan.command.clone(), seed, settings, files.clone(), &tally, exceptions);
        forms.sort_by(|a: &FileEntry, b: &FileEntry| a.path.cmp(&b.path));
        Manifest { forms, ..manifest }.write(out)?;
        let _ = std::fs::remove_dir_all(out.join(PROGRESS));
    }
    let clock = BTreeMap::new();
    Ok(Summary { tally, files, exceptions, complete, made: 0, clock, elapsed: Duration::ZERO })
}

/// Writes the items of a job in the other forms that were asked for.
fn other_forms(out: &Path, plan: &RunPlan, job: &Job, files: &[FileEntry]) -> Result<Styled, CampaignError> {
    // Hugging Face datasets takes all files of a card to have one format.
    let format = files.iter().map(|file| file.format).min().unwrap_or(Format::Parquet);
    // What a run wrote that was killed before its card is written again.
    for (style, file) in plan.styles.iter().flat_map(|style| files.iter().map(move |file| (style, file))) {
        let config = style_config(&plan.jobs, job, *style);
        let _ = std::fs::remove_file(out.join(shard_path(Some(&config), &file.split, 0, 1, format)));
    }
    let mut data: Vec<_> = Vec::new();
    for file in files.iter().filter(|file| file.format == format) {
        data.push(rows(&out.join(&file.path)).map_err(ExportError::from)?);
    }
    Ok(write_styles(data.into_iter().flatten(), out, &plan.styles, style_prefix(&plan.jobs, job), format)?)
}

/// Completes a folder that the shards of one run were copied into.
///
/// # Errors
/// A folder without progress files, a missing shard, output errors.
pub fn join(catalogue: &Catalogue, out: &Path, time_limit: Duration) -> Result<Summary, CampaignError> {
    let occupied = |what: String| CampaignError::Occupied { path: out.to_owned(), what };
    let plan: RunPlan = read_json(&out.join(PROGRESS).join("plan.json")).ok_or_else(|| {
        if out.join("manifest.json").is_file() {
            return occupied("holds no shards, but is complete: there is nothing to join".into());
        }
        occupied(format!("holds no shards; copy their folders into it, {PROGRESS} included"))
    })?;
    let mut packages: BTreeMap<&str, Package> = BTreeMap::new();
    for job in &plan.jobs {
        if !packages.contains_key(job.domain.as_str()) {
            packages.insert(&job.domain, catalogue.load(&job.domain).map_err(CampaignError::Package)?);
        }
    }
    let factory =
        |job: &Job| Factory::new(packages[job.domain.as_str()].clone(), job.settings.clone(), time_limit);
    let all: Vec<FilePlan> = plan
        .jobs
        .iter()
        .enumerate()
        .flat_map(|(n, job)| file_plans(n, &factory(job), plan.rows_per_file, plan.shards))
        .collect();
    let missing: Vec<usize> = all
        .iter()
        .filter(|file| !file.part(out).is_file())
        .map(|file| file.number * plan.shards / file.of.max(1) + 1)
        .collect();
    if let Some(first) = missing.first() {
        return Err(occupied(format!(
            "lacks {} files, the first of shard {first} of {}; make that shard, then join again",
            missing.len(),
            plan.shards
        )));
    }
    finish(out, &plan, &all, &packages)
}
