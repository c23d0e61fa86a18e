//! The racgen command.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use racgen::audit::foreign::ColumnMap;
use racgen::audit::thresholds::Thresholds;
use racgen::campaign::run::{CampaignError, Progress, Summary};
use racgen::cli::generate::{AuditArgs, Cli, Command, Folders, Generate, Resolved};
use racgen::domain::catalogue::Catalogue;
use racgen::games::error::GameError;
use racgen::logic::fault::{Fault, Faults};
use racgen::rules::error::RulesError;

/// clingo allocates much; this allocator serves it, too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A bar on a terminal, silence elsewhere.
struct Bar {
    bar: ProgressBar,
}

impl Bar {
    fn new(quiet: bool) -> Bar {
        let bar = if quiet || !std::io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(0)
        };
        let style =
            ProgressStyle::with_template("{bar:32} {human_pos}/{human_len} items  {per_sec}  {eta} left");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        Bar { bar }
    }
}

impl Progress for Bar {
    fn begin(&self, rows: u64, done: u64) {
        self.bar.set_length(rows);
        self.bar.set_position(done);
        self.bar.reset_eta();
    }
    fn advance(&self, rows: u64) {
        self.bar.inc(rows);
    }
}

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Exit { code, text }) => {
            if !text.is_empty() {
                let _ = writeln!(std::io::stderr(), "racgen: {text}");
            }
            ExitCode::from(code)
        }
    }
}

/// How the process ends when something is wrong: 1 for what was found wrong, 2 for arguments and packages, 130
/// after an interruption.
struct Exit {
    code: u8,
    text: String,
}

impl From<CampaignError> for Exit {
    fn from(error: CampaignError) -> Exit {
        let code = match error {
            CampaignError::Interrupted => 130,
            CampaignError::Settings(_) | CampaignError::Package(_) | CampaignError::Occupied { .. } => 2,
            CampaignError::Factory { .. } | CampaignError::Output(_) | CampaignError::Export(_) => 1,
        };
        Exit { code, text: error.to_string() }
    }
}

impl From<Fault> for Exit {
    fn from(fault: Fault) -> Exit {
        Exit { code: 2, text: fault.to_string() }
    }
}

impl From<RulesError> for Exit {
    fn from(error: RulesError) -> Exit {
        let code = match error {
            RulesError::Settings(_) | RulesError::Fault(_) | RulesError::Read { .. } => 2,
            _ => 1,
        };
        Exit { code, text: error.to_string() }
    }
}

/// Prints to standard output; a reader who has left is no error.
fn print(text: &str) -> Result<(), Exit> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Exit { code: 1, text: format!("cannot write to standard output: {error}") })
        }
        _ => Ok(()),
    }
}

fn catalogue(folders: &Folders) -> Result<Catalogue, Exit> {
    Ok(Catalogue::find(&folders.domain_dir)?)
}

fn run(cli: Cli) -> Result<(), Exit> {
    match cli.command {
        None => {
            let catalogue = catalogue(&cli.generate.folders)?;
            let resolved = cli.generate.resolve(&names(&catalogue))?;
            make(&catalogue, &cli.generate, resolved)
        }
        Some(Command::Suite { name, scale, generate }) => {
            let catalogue = catalogue(&generate.folders)?;
            let resolved = generate.suite(name, scale, &names(&catalogue))?;
            make(&catalogue, &generate, resolved)
        }
        Some(Command::Games(games)) => {
            let stop = stop_flag();
            let told = |text: &str| {
                let _ = print(text);
            };
            games.run(&told, &stop).map_err(|error| {
                let code = match &error {
                    GameError::Interrupted => 130,
                    error if error.usage() => 2,
                    _ => 1,
                };
                Exit { code, text: error.to_string() }
            })
        }
        Some(Command::Join { out, folders }) => {
            let summary = racgen::campaign::run::join(&catalogue(&folders)?, &out, Duration::from_secs(20))?;
            print(&table(&summary))
        }
        Some(Command::Audit(args)) => audit(&args),
        Some(Command::Export { data, out, style, lm_eval }) => {
            let told = |error: racgen::data::export::ExportError| Exit { code: 1, text: error.to_string() };
            let mut text = String::new();
            if let Some(out) = out {
                let items = racgen::data::export::styles(&data, &out, &style).map_err(told)?;
                text += &format!("{items} items in {} forms; {}\n", style.len(), out.display());
            }
            if let Some(out) = lm_eval {
                let items = racgen::data::export::lm_eval(&data, &out, "racgen").map_err(told)?;
                text += &format!("tasks with {items} items; {}\n", out.display());
            }
            print(&text)
        }
        Some(Command::Score(args)) => {
            let options = racgen::score::run::ScoreOptions {
                id: args.id.clone(),
                prediction: args.prediction.clone(),
                baselines: !args.no_baselines,
            };
            let scores =
                racgen::score::run::score(&args.files(), &args.gold, &catalogue(&args.folders)?, &options)
                    .map_err(|error| Exit { code: 1, text: error.to_string() })?;
            print(&racgen::score::table::write(&scores, args.style))
        }
        Some(Command::Show { file, row, rows, folders }) => show(&file, row, rows, &folders),
        Some(Command::Domains(folders)) => {
            print(&racgen::domain::listing::domains_table(&catalogue(&folders)?))
        }
        Some(Command::Check { package, folders, time_limit }) => {
            let faults = |faults: Faults| Exit { code: 2, text: faults.to_string() };
            let limit = Duration::try_from_secs_f64(time_limit)
                .map_err(|_| Exit { code: 2, text: "--time-limit takes seconds above 0".into() })?;
            let package = if Path::new(&package).is_dir() {
                racgen::domain::package::Package::load(&package)
            } else {
                catalogue(&folders)?.load(&package)
            };
            let report = racgen::check::survey::check(&package.map_err(faults)?, limit).map_err(faults)?;
            print(&report.to_string())
        }
        Some(Command::Rules(args)) => print(&racgen::cli::rules::run(&args)?),
        Some(Command::New { name, dir }) => {
            let path = racgen::domain::scaffold::write_new(&name, &dir)?;
            print(&format!("{0} is written; `racgen check {0}` checks it\n", path.display()))
        }
    }
}

/// Audits a data set. Faults of its items end the process with 1, after the report is written.
fn audit(args: &AuditArgs) -> Result<(), Exit> {
    let wrong = |text: String| Exit { code: 2, text };
    let catalogue = catalogue(&args.folders)?;
    let limit = Duration::try_from_secs_f64(args.time_limit)
        .map_err(|_| wrong("--time-limit takes seconds above 0".into()))?;
    if !(args.sample > 0.0 && args.sample <= 1.0) {
        return Err(wrong("--sample takes a share above 0 and up to 1".into()));
    }
    let options = racgen::audit::run::AuditOptions {
        sample: args.sample,
        against: args.against.clone(),
        map: args.format_map.as_deref().map(ColumnMap::read).transpose()?,
        thresholds: Thresholds::with(&args.threshold).map_err(wrong)?,
        time_limit: limit,
    };
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None if args.data.is_dir() => args.data.clone(),
        None => args.data.parent().map_or_else(|| ".".into(), Path::to_owned),
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.min(1024))
        .build()
        .map_err(|error| wrong(format!("cannot start the threads: {error}; use --threads 1")))?;
    let bar = Bar::new(args.quiet);
    let start = std::time::Instant::now();
    let report = pool.install(|| racgen::audit::run::audit(&args.data, &catalogue, &options, &bar));
    bar.bar.finish_and_clear();
    let told = |error: &dyn std::error::Error| Exit { code: 1, text: error.to_string() };
    let report = report.map_err(|error| told(&error))?;
    report.write(&folder).map_err(|error| told(&error))?;
    if !args.quiet {
        let page = folder.join("audit.html");
        let time = start.elapsed().as_secs_f64();
        print(&format!("{}{} items in {time:.1} s; {}\n", report.table(), report.items, page.display()))?;
    }
    if report.pass { Ok(()) } else { Err(Exit { code: 1, text: report.verdict }) }
}

/// Prints rows as pages; where the states cannot be worked out, the page comes without, and the reason follows.
fn show(file: &Path, row: u64, rows: u64, folders: &Folders) -> Result<(), Exit> {
    let told = |error: &dyn std::error::Error| Exit { code: 1, text: error.to_string() };
    let catalogue = catalogue(folders)?;
    let width = usize::from(terminal_width()).clamp(40, 110);
    let found = racgen::data::read::rows_from(file, row).map_err(|error| told(&error))?;
    for row in found.take(rows as usize) {
        let row = row.map_err(|error| told(&error))?;
        let package = catalogue.load(&row.domain).ok();
        match racgen::cli::show::show(&row, package.as_ref(), width) {
            Ok(page) => print(&format!("{page}\n"))?,
            Err(error) => {
                let page = racgen::cli::show::show(&row, None, width).map_err(|error| told(&error))?;
                print(&format!("{page}\n"))?;
                return Err(told(&error));
            }
        }
    }
    Ok(())
}

/// The columns of the terminal, or 100 where there is none.
fn terminal_width() -> u16 {
    console::Term::stdout().size_checked().map_or(100, |(_, columns)| columns)
}

fn names(catalogue: &Catalogue) -> Vec<String> {
    catalogue.iter().map(|found| found.name.clone()).collect()
}

/// Set by Ctrl-C.
fn stop_flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    // A second Ctrl-C ends the process at once; temporary files are then left, under names of their own.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    stop
}

fn make(catalogue: &Catalogue, generate: &Generate, resolved: Resolved) -> Result<(), Exit> {
    if let Some(folder) = &generate.lm_eval {
        racgen::data::export::empty(folder).map_err(CampaignError::Export)?;
    }
    let stop = stop_flag();
    let bar = Bar::new(generate.quiet);
    let summary = racgen::campaign::run::run(
        catalogue,
        &resolved.jobs,
        &resolved.output,
        &resolved.command,
        &bar,
        &stop,
    );
    bar.bar.finish_and_clear();
    let summary = summary?;
    if let Some(folder) = generate.lm_eval.as_ref().filter(|_| summary.complete) {
        racgen::data::export::lm_eval(&resolved.output.out, folder, "racgen")
            .map_err(CampaignError::Export)?;
    }
    if generate.quiet {
        return Ok(());
    }
    let mut text = table(&summary);
    let rate = summary.made as f64 / summary.elapsed.as_secs_f64();
    text +=
        &format!("{} items in {:.1} s, {rate:.0} a second\n", summary.made, summary.elapsed.as_secs_f64());
    if generate.timing {
        let total: Duration = summary.clock.values().sum();
        for (stage, time) in &summary.clock {
            let share = 100.0 * time.as_secs_f64() / total.as_secs_f64().max(1e-9);
            text += &format!("  {:10} {:8.2} s  {share:4.0} %\n", stage.name(), time.as_secs_f64());
        }
    }
    text += &format!("{}\n", resolved.output.out.display());
    if let Some(folder) = generate.lm_eval.as_ref().filter(|_| summary.complete) {
        text += &format!("tasks of lm-evaluation-harness: {}\n", folder.display());
    }
    if !summary.complete {
        text += "Other shards are missing; the card and the manifest come with the last one, or with `racgen join`.\n";
    }
    print(&text)
}

/// One line a domain, split and type of question.
fn table(summary: &Summary) -> String {
    let mut lines: std::collections::BTreeMap<(String, String, String), [u64; 4]> = Default::default();
    for (key, cell) in &summary.tally.cells {
        let name = (key.domain.to_string(), key.split.to_string(), key.question_type.to_string());
        let line = lines.entry(name).or_default();
        for (sum, part) in line.iter_mut().zip([cell.items, cell.yes, cell.no, cell.trivial]) {
            *sum += part;
        }
    }
    let mut out = format!(
        "{:12} {:14} {:8} {:>9} {:>9} {:>9} {:>9}\n",
        "domain", "split", "type", "items", "yes", "no", "trivial"
    );
    for ((domain, split, kind), [items, yes, no, trivial]) in lines {
        let (yes, no) = if kind == "verify" { (yes.to_string(), no.to_string()) } else { Default::default() };
        out += &format!("{domain:12} {split:14} {kind:8} {items:>9} {yes:>9} {no:>9} {trivial:>9}\n");
    }
    let worlds: Vec<String> =
        summary.tally.worlds.iter().map(|(split, keys)| format!("{} in {split}", keys.len())).collect();
    out += &format!("distinct worlds: {}\n", worlds.join(", "));
    if !summary.exceptions.is_empty() {
        out += &format!(
            "{} question forms left out at some level; manifest.json says which and why\n",
            summary.exceptions.len()
        );
    }
    out
}
