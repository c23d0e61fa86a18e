//! The command `racgen halma`: raw arguments to mazes, episodes and scores.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::{Args, Subcommand};
use racgen_data::table::{Table, TableStyle, print as table_text};
use racgen_data::write::folder::Taking;
use racgen_logic::seed::digest;
use racgen_logic::unread::Unread;

use crate::campaign::jobs::maze_data::write_mazes;
use crate::campaign::repeat::Repeat;
use crate::campaign::run::Origin;
use crate::cli::args::folders::folder;
use crate::cli::maze_items::MazeItems;
use crate::cli::maze_pictures::{MazePictures, digit_shapes};
use crate::cli::output::exit::{Exit, print};
use crate::halma::dynamic::kinds::TestKind;
use crate::halma::dynamic::knowledge::Knowledge;
use crate::halma::dynamic::mazes::test_mazes;
use crate::halma::error::HalmaError;
use crate::halma::maze::generate::Branching;
use crate::halma::maze::set::{ChartedMaze, MazeSplit, maze_set, read_mazes};
use crate::halma::measure::bands::PanelCounts;
use crate::halma::measure::paper::reference;
use crate::halma::measure::score::{score, splits_of, table};
use crate::halma::play::agents::names::AgentName;
use crate::halma::play::episode::HalmaTask;
use crate::halma::play::log::{LogHead, LogWriter, PlayLog};
use crate::halma::play::serve::{PanelPictures, play_all, serve};

/// The most mazes of a split.
const MOST_MAZES: u64 = 1_000_000;

/// `racgen halma`.
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  racgen halma gen --out mazes\n  racgen halma play mazes --agent oracle --log oracle.jsonl\n  \
                  racgen halma score mazes oracle.jsonl\n  racgen halma render mazes --log oracle.jsonl --out trial.svg\n  \
                  racgen halma items --items 500 --out asked"
)]
pub struct HalmaArgs {
    /// What to do
    #[command(subcommand)]
    pub command: HalmaCommand,
}

/// What can be done with mazes.
#[derive(Debug, Subcommand)]
pub enum HalmaCommand {
    /// Makes a set of mazes, and tells what their panels show
    Gen {
        /// Mazes for training, with deceptive branches of two cells on average
        #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(..=MOST_MAZES))]
        train: u64,
        /// Mazes of the same kind that are none of those
        #[arg(long, default_value_t = 150, value_name = "N", value_parser = clap::value_parser!(u64).range(..=MOST_MAZES))]
        random: u64,
        /// Mazes with branches of five cells on average
        #[arg(long, default_value_t = 150, value_name = "N", value_parser = clap::value_parser!(u64).range(..=MOST_MAZES))]
        test: u64,
        /// Seed of all random choices
        #[arg(long, short, default_value_t = 0)]
        seed: u64,
        /// Output folder
        #[arg(long, short, default_value = "data/halma", value_parser = folder())]
        out: PathBuf,
        /// Replace what an earlier run wrote into the output folder
        #[arg(long)]
        force: bool,
        /// Print errors only
        #[arg(long, short)]
        quiet: bool,
    },
    /// Plays an episode in each maze: an agent of racgen, or whoever sends requests, one JSON object a line
    Play {
        /// Folder of a set of mazes, or a file of mazes
        mazes: PathBuf,
        /// Who plays; without it, requests are read from standard input and answered on standard output
        #[arg(long, value_enum)]
        agent: Option<AgentName>,
        /// Mazes of this split only
        #[arg(long)]
        split: Option<String>,
        /// The most primitives of an option: 1, 3 or 5
        #[arg(long, default_value_t = 5, value_name = "N")]
        max_option: u8,
        /// Seed of the agent's choices
        #[arg(long, short, default_value_t = 0)]
        seed: u64,
        /// Write every move into this file
        #[arg(long, value_name = "FILE")]
        log: Option<PathBuf>,
        /// Continue the log after the last finished episode
        #[arg(long)]
        resume: bool,
        /// A log of an earlier run, from which the explorer takes what it learned there
        #[arg(long, value_name = "LOG", requires = "agent")]
        memory: Option<PathBuf>,
        /// Show panels as pictures only: 128 rows of 128 pixels, red, green and blue, as base64
        #[arg(long, conflicts_with = "agent")]
        pictures: bool,
        /// Digits of a folder with IDX files, as MNIST's, instead of drawn ones
        #[arg(long, value_name = "FOLDER", requires = "pictures")]
        digits: Option<PathBuf>,
    },
    /// Draws a maze, a panel or a trial as SVG or PNG
    Render(Box<MazePictures>),
    /// Makes mazes that need what the agent of a log has not seen, kind by kind
    Test {
        /// A log of what the agent saw while it was trained
        #[arg(long, value_name = "LOG")]
        memory: PathBuf,
        /// Mazes of each kind
        #[arg(long, short = 'n', default_value_t = 150, value_name = "N")]
        mazes: usize,
        /// How often something must have been met to count as known
        #[arg(long, default_value_t = 1, value_name = "N")]
        least: u64,
        /// Seed of all random choices
        #[arg(long, short, default_value_t = 0)]
        seed: u64,
        /// Output folder
        #[arg(long, short, default_value = "data/halma_tests", value_parser = folder())]
        out: PathBuf,
        /// Replace what an earlier run wrote into the output folder
        #[arg(long)]
        force: bool,
        /// Print errors only
        #[arg(long, short)]
        quiet: bool,
    },
    /// Makes questions about panels and mazes in English, as items like those of domains
    Items(Box<MazeItems>),
    /// Scores logs: valid moves, goals reached and efficiency, split by split
    Score {
        /// Folder of the set of mazes that was played in, or a file of mazes
        mazes: PathBuf,
        /// Logs
        #[arg(required = true)]
        logs: Vec<PathBuf>,
        /// Further sets of mazes that logs tell of, such as dynamic tests
        #[arg(long, value_name = "MAZES")]
        with: Vec<PathBuf>,
        /// How the table is printed
        #[arg(long, value_enum, default_value = "text")]
        format: TableStyle,
    },
}

impl HalmaArgs {
    /// Does what the arguments say.
    ///
    /// # Errors
    /// Whatever went wrong, with an exit code.
    pub fn run(&self, stop: &AtomicBool) -> Result<(), Exit> {
        match &self.command {
            HalmaCommand::Gen { train, random, test, seed, out, force, quiet } => {
                let split =
                    |name: &str, mazes: u64, branching| MazeSplit { name: name.into(), mazes, branching };
                if [train, random, test].into_iter().all(|mazes| *mazes == 0) {
                    return Err(Exit::usage(
                        "no maze is asked for; give one of --train, --random and --test a number above 0",
                    ));
                }
                let splits = [
                    split("train", *train, Branching::TRAINING),
                    split("random", *random, Branching::TRAINING),
                    split("test", *test, Branching::TEST),
                ];
                let command = Repeat::new("racgen halma gen")
                    .option("--train", train)
                    .option("--random", random)
                    .option("--test", test)
                    .option("--seed", seed);
                let origin = Origin { command: command.text(), seed: *seed };
                let taking = Taking { force: *force, resume: false, shard: None };
                let make = || maze_set(&splits, *seed);
                let mazes = write_mazes(make, serde_json::json!({"mazes": splits}), &origin, out, taking)?;
                if *quiet { Ok(()) } else { print(&told(&mazes, out)) }
            }
            HalmaCommand::Test { memory, mazes, least, seed, out, force, quiet } => {
                let log = PlayLog::read(memory)?;
                let knowledge = Knowledge::of(&log.moves, *least);
                let command = Repeat::new("racgen halma test")
                    .option("--memory", memory.display())
                    .option("--mazes", mazes)
                    .option("--least", least)
                    .option("--seed", seed);
                let origin = Origin { command: command.text(), seed: *seed };
                let taking = Taking { force: *force, resume: false, shard: None };
                let settings = serde_json::json!({"agent": log.head, "mazes": mazes, "least": least});
                let make = || Ok(test_mazes(&knowledge, *mazes, *seed)?.into_values().flatten().collect());
                let made = write_mazes(make, settings, &origin, out, taking)?;
                if *quiet { Ok(()) } else { print(&tests_told(&made, *mazes, out)) }
            }
            HalmaCommand::Play {
                mazes,
                agent,
                split,
                max_option,
                seed,
                log,
                resume,
                memory,
                pictures,
                digits,
            } => {
                let task = HalmaTask::of(*max_option)?;
                let mazes = of_split(read_mazes(mazes)?, split.as_deref())?;
                let name = agent.map_or("player", AgentName::name);
                let kept =
                    memory.as_ref().map(|path| std::fs::read(path).map_err(Unread::at(path))).transpose();
                let kept = kept.map_err(HalmaError::from)?;
                let remembered =
                    kept.map_or(String::new(), |bytes| digest([&*String::from_utf8_lossy(&bytes)]));
                let head = LogHead { agent: name.into(), task, seed: *seed, memory: remembered };
                let mut log = log.as_ref().map(|path| LogWriter::open(path, &head, *resume)).transpose()?;
                let shapes = digit_shapes(digits.as_deref())?;
                let pictures = pictures.then_some(PanelPictures { shapes, seed: *seed });
                match agent {
                    Some(agent) => {
                        let mut agent = agent.agent(*seed);
                        if let Some(memory) = memory {
                            if !agent.learns() {
                                return Err(Exit::usage(
                                    "--memory is for --agent explorer; the others learn nothing",
                                ));
                            }
                            agent.remember(&PlayLog::read(memory)?.moves);
                        }
                        play_all(&mazes, task, &mut *agent, log.as_mut(), stop)?;
                    }
                    None => {
                        let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
                        serve(&mazes, task, input, output, log.as_mut(), pictures.as_ref())?;
                    }
                }
                Ok(())
            }
            HalmaCommand::Items(items) => items.make(stop),
            HalmaCommand::Render(render) => render.make(),
            HalmaCommand::Score { mazes, logs, with, format } => {
                let mazes = all_mazes(mazes, with)?;
                let mut scores = Vec::new();
                for path in logs {
                    let log = PlayLog::read(path)?;
                    let name = format!("{}, max_option {}", log.head.agent, log.head.task.max_option);
                    scores.push((name, score(&log, &mazes)?));
                }
                let reference = reference(&splits_of(&scores));
                let tables: Vec<Table> = std::iter::once(table(&scores)).chain(reference).collect();
                print(&table_text(&tables, *format))
            }
        }
    }
}

/// The mazes of several sets, no two of one id.
fn all_mazes(first: &Path, others: &[PathBuf]) -> Result<Vec<ChartedMaze>, Exit> {
    let mut mazes = read_mazes(first)?;
    for other in others {
        let more = read_mazes(other)?;
        let ids: HashSet<String> = mazes.iter().map(|maze| maze.record.id.clone()).collect();
        if let Some(twice) = more.iter().find(|maze| ids.contains(&maze.record.id)) {
            let (id, other) = (&twice.record.id, other.display());
            return Err(Exit::usage(format!(
                "`{id}` of `{other}` is in another set as well; score these apart"
            )));
        }
        mazes.extend(more);
    }
    Ok(mazes)
}

/// The mazes of a split, if one is named.
fn of_split(mazes: Vec<ChartedMaze>, split: Option<&str>) -> Result<Vec<ChartedMaze>, Exit> {
    let Some(split) = split else { return Ok(mazes) };
    let mut names: Vec<String> = mazes.iter().map(|maze| maze.record.split.clone()).collect();
    names.dedup();
    let mazes: Vec<ChartedMaze> = mazes.into_iter().filter(|maze| maze.record.split == split).collect();
    match mazes.is_empty() {
        true => Err(Exit::usage(format!("there is no split `{split}`; there are {}", names.join(", ")))),
        false => Ok(mazes),
    }
}

/// How many mazes of each kind there are.
fn tests_told(mazes: &[ChartedMaze], wanted: usize, out: &Path) -> String {
    let mut text = format!("{} mazes in {}\n", mazes.len(), out.display());
    for kind in TestKind::ALL {
        let made = mazes.iter().filter(|maze| maze.record.split == kind.name()).count();
        let told = match made {
            0 => "-".to_owned(),
            _ if made < wanted => format!("{made}, and no more were found"),
            _ => made.to_string(),
        };
        text += &format!("{:6} {told}\n", kind.name());
    }
    text
}

/// What was made.
fn told(mazes: &[ChartedMaze], out: &Path) -> String {
    let mut text = format!("{} mazes in {}\n", mazes.len(), out.display());
    for split in mazes.chunk_by(|a, b| a.record.split == b.record.split) {
        let mut counts = PanelCounts::default();
        split.iter().for_each(|maze| counts.add(&maze.chart));
        let branches: Vec<u8> = split.iter().flat_map(|maze| maze.record.branches.clone()).collect();
        let depth =
            branches.iter().map(|depth| f64::from(*depth)).sum::<f64>() / branches.len().max(1) as f64;
        text += &format!(
            "{}: {} mazes, {:.1} branches each, {depth:.1} cells deep; {:.1} % of panels with 3 to 6 digits; in 100 mazes \
             {:.0} times the digit 1, {:.0} times 9\n",
            split[0].record.split,
            split.len(),
            branches.len() as f64 / split.len() as f64,
            100.0 * counts.share(3..=6),
            counts.in_a_hundred(1),
            counts.in_a_hundred(9),
        );
    }
    text
}
