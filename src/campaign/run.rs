//! Sources of items to a folder of data files: parallel making, ordered writing, resuming, sharding.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use racgen_data::error::DataError;
use racgen_data::format::Format;
use racgen_data::papers::manifest::FileEntry;
use racgen_data::training::style::Style;
use racgen_data::write::folder::{Folder, Part, Taking};
use racgen_data::write::text::replace;

use crate::campaign::error::CampaignError;
use crate::campaign::finish::{COMPANIONS, Finished, finish};
use crate::campaign::ordered::ordered;
use crate::campaign::plan::{ConfigPlan, FilePlan, Group, RunPlan, file_plans, is_pictured};
use crate::campaign::writer::Writer;
use crate::items::clock::{Clock, Stage};
use crate::items::error::ItemError;
use crate::items::progress::Progress;
use crate::items::source::{ItemSource, Split, Stream};

/// One configuration of a data set.
pub struct Config<'s> {
    /// Its name, which is that of its folder where there are several.
    pub name: String,
    /// What makes its items.
    pub source: &'s dyn ItemSource,
}

/// The licence of items where none is named.
pub const LICENCE: &str = "cc-by-4.0";

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
    /// Forms in which the items are written, too, each as a configuration of its own.
    pub styles: Vec<Style>,
    /// The licence of the items, as the Hugging Face hub knows it.
    pub licence: String,
}

impl Output {
    /// A folder of Parquet files, all in one shard.
    pub fn into(out: &Path) -> Output {
        Output {
            out: out.to_owned(),
            formats: vec![Format::Parquet],
            rows_per_file: 100_000,
            shard: None,
            force: false,
            resume: false,
            threads: 0,
            styles: Vec::new(),
            licence: LICENCE.to_owned(),
        }
    }

    /// What may be done with the folder.
    pub fn taking(&self) -> Taking {
        let shard = self.shard.filter(|(_, shards)| *shards > 1).map(|(shard, _)| shard);
        Taking { force: self.force, resume: self.resume, shard }
    }
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// What the folder holds.
    pub finished: Finished,
    /// Rows made in this run.
    pub made: u64,
    /// Where the time went.
    pub clock: BTreeMap<Stage, Duration>,
    /// How long it took.
    pub elapsed: Duration,
}

/// Where a run comes from: the command that repeats it, and the seed.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The command, without what does not change the rows.
    pub command: String,
    /// The root seed.
    pub seed: u64,
}

/// Makes a data set, or one shard of it.
///
/// # Errors
/// Everything that keeps an item from being made or written; see [`CampaignError`]. Finished files stay, so that
/// the run can be resumed; unfinished ones leave nothing behind.
pub fn run(
    configs: &[Config],
    output: &Output,
    origin: &Origin,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<Summary, CampaignError> {
    let start = Instant::now();
    check_names(configs, &output.styles)?;
    if !output.styles.is_empty() && output.formats == [Format::Csv] {
        return Err(CampaignError::Settings(
            "--style needs parquet or jsonl in --format, because CSV has no lists of messages; or use `racgen export`"
                .into(),
        ));
    }
    let has_pictures = |config: &Config| is_pictured(config.source.extra_columns());
    if !output.styles.is_empty()
        && !output.formats.contains(&Format::Parquet)
        && configs.iter().any(has_pictures)
    {
        return Err(CampaignError::Settings(
            "--style needs parquet in --format where items have pictures, which training tools cannot read from JSON".into(),
        ));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(output.threads).build().map_err(|error| {
        CampaignError::Settings(format!("cannot start the threads: {error}; use --threads 1"))
    })?;
    let (plan, groups) = plan(configs, output, origin);
    let folder = Folder::open(&output.out, &plan, output.taking(), writes(&plan, configs))?;
    let (shard, shards) = output.shard.unwrap_or((1, 1));
    let (done, todo): (Vec<usize>, Vec<usize>) = (0..plan.files.len())
        .filter(|file| plan.files[*file].shard(shards) == shard)
        .partition(|file| folder.has(&plan.files[*file].record()));
    let items = |files: &[usize]| files.iter().map(|file| plan.files[*file].items).sum::<u64>();
    progress.begin(items(&done) + items(&todo), items(&done));

    let clock = Clock::default();
    let sources: Vec<&dyn ItemSource> = configs.iter().map(|config| config.source).collect();
    let fail =
        |(config, cause): Failure| CampaignError::Items { config: configs[config].name.clone(), cause };
    // First what is wrong with a stream is told, before anything is written.
    if let Err(failure) = prepare(&plan, &groups, &todo, &sources, &pool, &clock, stop) {
        folder.abandon(&[]);
        return Err(fail(failure));
    }
    let tasks: Vec<(usize, Group)> = todo
        .iter()
        .enumerate()
        .flat_map(|(place, file)| groups[*file].iter().map(move |group| (place, *group)))
        .collect();
    let files: Vec<&FilePlan> = todo.iter().map(|file| &plan.files[*file]).collect();
    let mut writer = Writer::new(&folder, &plan, &sources, &files, &clock);
    let (mut failed, mut broken): (Option<Failure>, Option<DataError>) = (None, None);
    ordered(
        &pool,
        tasks.len(),
        |n| kind(files[tasks[n].0].config, tasks[n].1.0),
        |n| {
            let (place, (stream, group, items)) = tasks[n];
            let config = files[place].config;
            let made = sources[config].group(stream, group, items, &clock);
            made.map(|items| (place, items)).map_err(|cause| (config, cause))
        },
        |result| {
            let made = result.map(|(place, items)| {
                let count = items.len() as u64;
                match writer.take(place, items) {
                    Ok(()) => progress.advance(count),
                    Err(error) => broken = Some(error),
                }
            });
            let flow = flow(made, &mut failed, stop);
            if broken.is_some() { ControlFlow::Break(()) } else { flow }
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
    if shard == 1 {
        companions(&folder, &sources)?;
    }
    let finished = finish(folder, &plan)?;
    Ok(Summary { finished, made, clock: clock.read(), elapsed: start.elapsed() })
}

/// Which configuration failed, and why.
type Failure = (usize, ItemError);

/// The plan of a run, and for each of its files the groups that it holds.
fn plan(configs: &[Config], output: &Output, origin: &Origin) -> (RunPlan, Vec<Vec<Group>>) {
    let shards = output.shard.map_or(1, |(_, shards)| shards);
    let all = configs
        .iter()
        .enumerate()
        .flat_map(|(number, config)| file_plans(number, config.source, output.rows_per_file, shards));
    let (files, groups) = all.unzip();
    let config = |config: &Config| ConfigPlan {
        name: config.name.clone(),
        about: config.source.about(),
        settings: config.source.settings(),
        extra: config.source.extra_columns().to_vec(),
    };
    let plan = RunPlan {
        version: env!("CARGO_PKG_VERSION").into(),
        configs: configs.iter().map(config).collect(),
        formats: output.formats.clone(),
        shards,
        styles: output.styles.clone(),
        licence: output.licence.clone(),
        command: origin.command.clone(),
        seed: origin.seed,
        details: configs.iter().flat_map(|config| config.source.details()).collect(),
        files,
    };
    (plan, groups)
}

/// Everything that a run will write, below its folder.
fn writes(plan: &RunPlan, configs: &[Config]) -> BTreeSet<PathBuf> {
    let data = plan.files.iter().flat_map(|file| plan.formats.iter().map(|format| file.path(plan, *format)));
    let forms = plan
        .configs
        .iter()
        .flat_map(|config| plan.styles.iter().map(|style| plan.style_config(config, *style).into()));
    let beside = configs.iter().flat_map(|config| config.source.companions().into_keys().map(PathBuf::from));
    data.chain(forms).chain(beside).collect()
}

fn prepare(
    plan: &RunPlan,
    groups: &[Vec<Group>],
    todo: &[usize],
    sources: &[&dyn ItemSource],
    pool: &rayon::ThreadPool,
    clock: &Clock,
    stop: &AtomicBool,
) -> Result<(), Failure> {
    // Streams of one level and depth are prepared together.
    let mut cells = BTreeMap::new();
    for file in todo {
        for (stream, ..) in &groups[*file] {
            let config = plan.files[*file].config;
            cells.entry((config, stream.member, stream.level, stream.depth)).or_insert(*stream);
        }
    }
    let cells: Vec<_> = cells.into_iter().collect();
    let mut failed = None;
    ordered(
        pool,
        cells.len(),
        |n| kind(cells[n].0.0, cells[n].1),
        |n| {
            let ((config, ..), stream) = cells[n];
            sources[config].prepare(stream, clock).map_err(|cause| (config, cause))
        },
        |result| flow(result, &mut failed, stop),
    );
    failed.map_or(Ok(()), Err)
}

/// What makes the items of a stream of a source: its groundings are made by one thread at a time.
fn kind(config: usize, stream: Stream) -> (usize, usize) {
    (config, stream.member)
}

fn flow<E>(result: Result<(), E>, failed: &mut Option<E>, stop: &AtomicBool) -> ControlFlow<()> {
    if let Err(failure) = result {
        *failed = Some(failure);
        return ControlFlow::Break(());
    }
    if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Writes the texts that stand beside the items.
fn companions(folder: &Folder, sources: &[&dyn ItemSource]) -> Result<(), DataError> {
    if folder.has(COMPANIONS) {
        return Ok(());
    }
    let mut files = Vec::new();
    for (path, text) in sources.iter().flat_map(|source| source.companions()) {
        files.push(FileEntry::new(folder.path(), &replace(&folder.path().join(path), &text)?));
    }
    folder.keep(COMPANIONS, &Part { files, told: () })
}

fn good(name: &str) -> bool {
    !name.is_empty()
        && name.split('.').all(|p| !p.is_empty() && p.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

/// Do the names of configurations, splits and forms fit together?
fn check_names(configs: &[Config], styles: &[Style]) -> Result<(), CampaignError> {
    for config in configs {
        let splits = config.source.splits();
        let mut names = splits.iter().map(|split| &split.name).chain([&config.name]);
        if let Some(name) = names.find(|name| !good(name)) {
            return Err(CampaignError::Settings(format!(
                "`{name}` cannot name a configuration or split; use letters, digits, `_` and `.`"
            )));
        }
        let called = |style: &Style, other: &Config| match configs.len() {
            1 => style.name() == config.name,
            _ => format!("{}_{}", other.name, style.name()) == config.name,
        };
        if let Some(style) = styles.iter().find(|style| configs.iter().any(|other| called(style, other))) {
            return Err(CampaignError::Settings(format!(
                "the configuration `{}` is called as the one of --style {}; give it another name",
                config.name,
                style.name()
            )));
        }
        if configs.iter().filter(|other| other.name == config.name).count() > 1 {
            return Err(CampaignError::Settings(format!(
                "two configurations are called `{}`; name each domain once",
                config.name
            )));
        }
        let twice = |a: &&Split| splits.iter().filter(|b| a.name == b.name).count() > 1;
        if let Some(twice) = splits.iter().find(twice) {
            return Err(CampaignError::Settings(format!(
                "two splits are called `{}`; give each a name of its own",
                twice.name
            )));
        }
    }
    Ok(())
}
