//! The command `racgen iq`: raw arguments to sampled games, measured agents, ladders and reports.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Args, Subcommand};
use racgen_data::table::{TableStyle, print as table_text};
use racgen_data::write::folder::Taking;
use racgen_logic::unread::Unread;
use rayon::prelude::*;

use crate::campaign::jobs::iq_data::{LADDER, write_sample};
use crate::campaign::jobs::iq_results::RESULTS;
use crate::campaign::repeat::Repeat;
use crate::campaign::run::Origin;
use crate::cli::args::folders::folder;
use crate::cli::args::iq_args::DrawOptions;
use crate::cli::args::run_args::pool;
use crate::cli::iq_run::{LadderOptions, MeasureOptions};
use crate::cli::output::bar::Bar;
use crate::cli::output::exit::{Exit, print};
use crate::iq::error::IqError;
use crate::iq::measure::results::read_results;
use crate::iq::report::page::{Rated, page, report_tables};
use crate::iq::sample::audit::{AuditedGame, audited, tables};
use crate::items::progress::Progress;

/// `racgen iq`.
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  racgen iq sample --games 20 --out sampled\n  racgen iq audit --games 200\n  \
                  racgen iq run --agent random,greedy,uct,tabular --iterations 7 --out measured\n  \
                  racgen iq run --command 'python3 my_agent.py' --iterations 5 --out mine\n  \
                  racgen iq ladder --agent random,greedy,uct --out climbed\n  racgen iq report measured mine"
)]
pub struct IqArgs {
    /// What to do
    #[command(subcommand)]
    pub command: IqCommand,
}

/// What can be done with sampled games.
#[derive(Debug, Subcommand)]
pub enum IqCommand {
    /// Draws games in proportion to 2^-K, and writes each as a file in the Game Description Language
    Sample {
        #[command(flatten)]
        sample: SampleOptions,
        /// Output folder
        #[arg(long, short, default_value = "data/iq_games", value_parser = folder())]
        out: PathBuf,
        /// Replace what an earlier run wrote into the output folder
        #[arg(long)]
        force: bool,
        /// Print errors only
        #[arg(long, short)]
        quiet: bool,
    },
    /// Tells what sampled games are worth as a test: shares of discriminating, trivial and impossible ones, sizes, doubles
    Audit {
        #[command(flatten)]
        sample: SampleOptions,
        /// Write what is found of each game into this file, one JSON object a line
        #[arg(long, value_name = "FILE")]
        details: Option<PathBuf>,
        /// How the tables are printed
        #[arg(long, value_enum, default_value = "text")]
        format: TableStyle,
    },
    /// Measures agents: they learn each game, then are evaluated; estimates come with intervals after each iteration
    Run(MeasureOptions),
    /// Has agents play each other in games for two, and rates them
    Ladder(LadderOptions),
    /// Tells the results of runs anew, side by side, as tables or as a page
    Report {
        /// Folders of runs, or files of results; agents are compared in the games that the runs have in common
        #[arg(required = true, value_name = "RUN")]
        runs: Vec<PathBuf>,
        /// Write a page of HTML into this file
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
        /// How the tables are printed
        #[arg(long, value_enum, default_value = "text")]
        format: TableStyle,
    },
}

/// Which games.
#[derive(Clone, Debug, Args)]
pub struct SampleOptions {
    /// How many games
    #[arg(long, short = 'n', default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub games: u64,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub drawing: DrawOptions,
    /// Threads; 0 for one a processor
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
}

impl IqArgs {
    /// Does what the arguments say.
    ///
    /// # Errors
    /// Whatever went wrong, with an exit code.
    pub fn run(&self, stop: &AtomicBool) -> Result<(), Exit> {
        match &self.command {
            IqCommand::Sample { sample, out, force, quiet } => {
                let sampler = sample.drawing.sampler()?;
                let command = Repeat::new("racgen iq sample").option("--games", sample.games);
                let command = sample.drawing.repeated(command).text();
                let origin = Origin { command, seed: sample.drawing.seed };
                let taking = Taking { force: *force, resume: false, shard: None };
                let bar = Bar::new(*quiet);
                let made = pool(sample.threads)?
                    .install(|| write_sample(&sampler, sample.games, &origin, out, taking, &bar));
                bar.clear();
                let games = made?.len();
                if *quiet { Ok(()) } else { print(&format!("{games} games in {}\n", out.display())) }
            }
            IqCommand::Audit { sample, details, format } => audit(sample, details.as_deref(), *format, stop),
            IqCommand::Run(options) => options.make(stop),
            IqCommand::Ladder(options) => options.make(stop),
            IqCommand::Report { runs, html, format } => report(runs, html.as_deref(), *format),
        }
    }
}

/// Audits games, and prints what was found.
fn audit(
    sample: &SampleOptions,
    details: Option<&Path>,
    format: TableStyle,
    stop: &AtomicBool,
) -> Result<(), Exit> {
    let sampler = sample.drawing.sampler()?;
    let bar = Bar::new(false);
    bar.begin(sample.games, 0);
    let one = |number: u64| -> Result<AuditedGame, IqError> {
        if stop.load(Ordering::Relaxed) {
            return Err(IqError::Interrupted);
        }
        let found = audited(&sampler.game(number)?, sampler.seed);
        bar.advance(1);
        found
    };
    let games = pool(sample.threads)?.install(|| {
        (0..sample.games).into_par_iter().map(one).collect::<Result<Vec<AuditedGame>, IqError>>()
    });
    bar.clear();
    let games = games?;
    if let Some(path) = details {
        let lines = games.iter().map(serde_json::to_string).collect::<Result<Vec<String>, _>>();
        let text = lines.map_err(Exit::failure)?.join("\n") + "\n";
        written_file(path, &text)?;
    }
    print(&table_text(&tables(&games), format))
}

/// Writes a file that the user named.
pub fn written_file(path: &Path, text: &str) -> Result<(), Exit> {
    let wrong =
        |error| Exit::usage(format!("cannot write `{}`: {error}; choose another path", path.display()));
    std::fs::write(path, text).map_err(wrong)
}

/// Tells results anew.
fn report(runs: &[PathBuf], html: Option<&Path>, format: TableStyle) -> Result<(), Exit> {
    let (mut rows, mut rated) = (Vec::new(), Vec::new());
    let several = runs.iter().filter(|run| !run.join(LADDER).is_file()).count() > 1;
    for run in runs {
        let ladder = run.join(LADDER);
        if ladder.is_file() {
            let text =
                std::fs::read_to_string(&ladder).map_err(Unread::at(&ladder)).map_err(IqError::from)?;
            let own: Vec<Rated> = serde_json::from_str(&text).map_err(|error| {
                Exit::usage(format!("`{}` is no ladder: {error}; make it anew", ladder.display()))
            })?;
            rated.extend(own);
            continue;
        }
        let file = if run.is_dir() { run.join(RESULTS) } else { run.clone() };
        let mut own = read_results(&file).map_err(Exit::usage)?;
        // Two runs may have an agent of the same name.
        if several {
            let name = run.display().to_string();
            own.iter_mut().for_each(|row| row.agent = format!("{} ({name})", row.agent));
        }
        rows.extend(own);
    }
    if let Some(path) = html {
        written_file(path, &page("How well agents play games", &rows, &rated))?;
    }
    print(&table_text(&report_tables(&rows, &rated), format))
}
