//! The command `racgen games`: raw arguments to runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::{Args, Subcommand};

use crate::campaign::jobs::game_items::new_name;
use crate::campaign::jobs::task_data::{TaskFolder, write_tasks};
use crate::campaign::repeat::Repeat;
use crate::campaign::run::Origin;
use crate::cli::args::game_args::{CheckLimits, LimitOptions};
use crate::cli::args::run_args::FolderArgs;
use crate::cli::game_items::ItemOptions;
use crate::cli::output::exit::{Exit, print};
use crate::games::builtin::{games_meant, listing, own_texts};
use crate::games::error::GameError;
use crate::games::jobs::job::{GameJob, Message, Work};
use crate::games::jobs::sandbox::{guarded, serve};
use crate::games::play::traces::{PlayStyle, Playing};
use crate::games::tasks::baselines::{baselines_of, scores_table};
use crate::games::tasks::output::{TaskFormat, TaskForms};
use crate::games::tasks::triples::{Apart, TaskSettings};

/// Steps of each game that clingo judges, where nothing else is said.
const JUDGED: usize = 25;

/// `racgen games`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    after_help = "Examples:\n  racgen games my_game.kif --out tasks\n  racgen games check my_game.kif\n  \
                  racgen games all --out corpus --traces 100"
)]
pub struct GamesArgs {
    /// What to do; without a command, tasks are made of the files
    #[command(subcommand)]
    pub command: Option<GamesCommand>,
    /// Games: files in the Game Description Language, or names of games that come with racgen
    #[arg(value_name = "GAME")]
    pub games: Vec<String>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub options: TaskOptions,
}

/// Commands besides making tasks.
#[derive(Debug, Subcommand)]
pub enum GamesCommand {
    /// Checks the form of games and, where that shows soon, tells their dimensions
    Check {
        /// Games: files, names of games that come with racgen, or `all` of those
        #[arg(required = true, value_name = "GAME")]
        games: Vec<String>,
        #[command(flatten)]
        limits: CheckLimits,
    },
    /// Prints the types inferred from a game's rules
    Types {
        /// A game: a file, or the name of one that comes with racgen
        game: String,
        #[command(flatten)]
        limits: LimitOptions,
    },
    /// Asks questions about states of games in plain language: legal moves, next states, goals, ends
    Items(ItemOptions),
    /// Does one job of a run of racgen
    #[command(hide = true)]
    Play,
    /// Scores True, Inertia, Mean and nearest neighbours on the tasks of a folder
    Baselines {
        /// A folder with files in the published layout
        dir: PathBuf,
    },
    /// Scores a learned program, as its learner printed it, or predictions on a test file
    Score {
        /// A program (.lp, .pl) or a learner's log; or predictions, one line of atoms a triple
        answer: PathBuf,
        /// GAME_TARGET_test.dat
        test: PathBuf,
        #[command(flatten)]
        limits: LimitOptions,
    },
    /// Lists the games that come with racgen
    List,
    /// Makes the tasks of all games that come with racgen
    All {
        #[command(flatten)]
        options: TaskOptions,
    },
}

/// How tasks are made.
#[derive(Debug, Args)]
pub struct TaskOptions {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub folder: FolderArgs,
    /// A type signature, or a folder with one GAME.typ a game; inferred where there is none
    #[arg(long, value_name = "FILE")]
    pub types: Option<PathBuf>,
    /// Traces of each game
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub traces: u64,
    /// Steps of a trace at most
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub steps: u32,
    /// Seed of all random choices
    #[arg(long, short, default_value_t = 0)]
    pub seed: u64,
    /// How moves are chosen
    #[arg(long, value_enum, default_value = "random")]
    pub play: PlayStyle,
    /// What no two splits share
    #[arg(long, value_enum, default_value = "state")]
    pub split_by: Apart,
    /// Have positives and negatives in each split, where the game allows
    #[arg(long)]
    pub balance: bool,
    /// Share of labels flipped in the training split
    #[arg(long, default_value_t = 0.0, value_name = "SHARE")]
    pub noise: f64,
    /// Share of background atoms missing from the training split
    #[arg(long, default_value_t = 0.0, value_name = "SHARE")]
    pub drop: f64,
    /// Forms of output
    #[arg(long, value_enum, value_delimiter = ',', default_value = "dat")]
    pub format: Vec<TaskFormat>,
    /// Write negatives into the rows of Parquet and JSONL
    #[arg(long)]
    pub explicit_negatives: bool,
    /// Negatives of a triple at most, where they are written
    #[arg(long, value_name = "N")]
    pub max_negatives: Option<usize>,
    /// Put the helper relations of the rules that change with the state into backgrounds
    #[arg(long)]
    pub derived: bool,
    /// Steps of each game that clingo judges
    #[arg(long, default_value_t = JUDGED, value_name = "N")]
    pub judge: usize,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub limits: LimitOptions,
}

impl GamesArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// All that went wrong, game by game; games without a fault are finished all the same.
    pub fn run(&self, stop: &AtomicBool) -> Result<(), Exit> {
        match &self.command {
            None if self.games.is_empty() => {
                Err(Exit::usage("which games? name files, or make all with `racgen games all`"))
            }
            None => {
                let games = self.games.iter().flat_map(|game| games_meant(game));
                let names = self.games.iter().filter_map(|game| Path::new(game).file_name());
                let command = names
                    .fold(Repeat::new("racgen games"), |command, name| command.word(&name.to_string_lossy()));
                self.options.make(games.collect(), command, stop)
            }
            Some(GamesCommand::Check { games, limits }) => {
                let limits = limits.limits();
                each_told(games, |file, text| limits.job(file, text, 0, Work::Check), stop)
            }
            Some(GamesCommand::Types { game, limits }) => {
                let games = std::slice::from_ref(game);
                each_told(games, |file, text| limits.job(file, text, 0, Work::Types), stop)
            }
            Some(GamesCommand::Items(options)) => options.make(stop),
            Some(GamesCommand::Play) => {
                serve(stop);
                Ok(())
            }
            Some(GamesCommand::Baselines { dir }) => print(&scores_table(&baselines_of(dir)?).to_string()),
            Some(GamesCommand::Score { answer, test, limits }) => {
                let work = Work::Score { answer: answer.clone() };
                told(&limits.job(test.display().to_string(), None, 0, work)?, stop)
            }
            Some(GamesCommand::List) => print(&listing()?),
            Some(GamesCommand::All { options }) => {
                let games = own_texts().into_iter().map(|(file, text)| (file, Some(text.to_owned())));
                options.make(games.collect(), Repeat::new("racgen games all"), stop)
            }
        }
    }
}

/// Has a job done with each game, and prints what it has to say; games without a fault are told of all the same.
fn each_told(
    games: &[String],
    job: impl Fn(String, Option<String>) -> Result<GameJob, Exit>,
    stop: &AtomicBool,
) -> Result<(), Exit> {
    let all = games.iter().flat_map(|game| games_meant(game));
    Exit::together(
        all.filter_map(|(file, text)| job(file, text).and_then(|job| told(&job, stop)).err()).collect(),
    )
}

/// Has a job done, and prints what it has to say.
fn told(job: &GameJob, stop: &AtomicBool) -> Result<(), Exit> {
    let mut text = String::new();
    let done = guarded(job, stop, &mut |message| {
        if let Message::Text(more) = message {
            text += &more;
        }
        Ok(())
    });
    print(&text)?;
    Ok(done?)
}

impl TaskOptions {
    /// Makes the tasks of games, each a file and perhaps its text; `command` is how they were named.
    fn make(
        &self,
        games: Vec<(String, Option<String>)>,
        command: Repeat,
        stop: &AtomicBool,
    ) -> Result<(), Exit> {
        let share = |value: f64, flag: &str| {
            if (0.0..=1.0).contains(&value) {
                return Ok(());
            }
            Err(Exit::usage(format!("{flag} takes a share from 0 to 1; `{value}` is none")))
        };
        share(self.noise, "--noise")?;
        share(self.drop, "--drop")?;
        let out = self.folder.out(Path::new("data/games"))?;
        let playing = Playing { traces: self.traces, steps: self.steps, seed: self.seed, style: self.play };
        let cut = TaskSettings {
            seed: self.seed,
            apart: self.split_by,
            balance: self.balance,
            noise: self.noise,
            drop: self.drop,
        };
        let mut formats = self.format.clone();
        formats.sort();
        formats.dedup();
        let forms = TaskForms {
            forms: formats,
            explicit_negatives: self.explicit_negatives,
            max_negatives: self.max_negatives,
            judged: self.judge,
            derived: self.derived,
        };
        let mut names = BTreeSet::new();
        let mut jobs = Vec::new();
        let mut refused = Vec::new();
        for (file, text) in games {
            let types = self.types_of(&file);
            let work = Work::Tasks { types, playing, cut, forms: forms.clone(), out: None };
            let job = self.limits.job(file, text, self.folder.threads()?, work)?;
            match new_name(&mut names, &job) {
                Ok(()) => jobs.push(job),
                Err(error) => refused.push(Exit::from(error)),
            }
        }
        let folder = TaskFolder { out: &out, taking: self.folder.taking()?, shard: self.folder.shard()? };
        let settings = serde_json::json!({
            "playing": playing, "tasks": cut, "forms": forms.forms, "derived": self.derived,
            "explicit_negatives": self.explicit_negatives, "max_negatives": self.max_negatives,
        });
        let origin = Origin { command: self.command(command, &forms.forms), seed: self.seed };
        let tell = |text: &str| {
            if !self.folder.quiet {
                let _ = print(text);
            }
        };
        let perform =
            |job: &GameJob, take: &mut dyn FnMut(Message) -> Result<(), GameError>| guarded(job, stop, take);
        let summary = write_tasks(&jobs, folder, &settings, &origin, &perform, &tell)?;
        refused.extend(summary.failed.into_iter().map(Exit::from));
        if !summary.complete && refused.is_empty() {
            tell("Other shards are missing; the manifest comes with the last one, or with `racgen join`.\n");
        }
        Exit::together(refused)
    }

    /// The command with the options that make the same files again, run from the folder of the games.
    fn command(&self, games: Repeat, forms: &[TaskFormat]) -> String {
        let types = self.types.as_ref().and_then(|path| path.file_name());
        let named = match types {
            Some(name) => games.option("--types", name.to_string_lossy()),
            None => games,
        };
        let mut command = named
            .option("--traces", self.traces)
            .option("--steps", self.steps)
            .option("--seed", self.seed)
            .names("--play", &[self.play], &[PlayStyle::Random])
            .names("--split-by", &[self.split_by], &[Apart::State])
            .flag("--balance", self.balance)
            .unusual("--noise", self.noise, 0.0)
            .unusual("--drop", self.drop, 0.0)
            .names("--format", forms, &[TaskFormat::Dat])
            .flag("--explicit-negatives", self.explicit_negatives);
        if let Some(most) = self.max_negatives {
            command = command.option("--max-negatives", most);
        }
        command.flag("--derived", self.derived).unusual("--judge", self.judge, JUDGED).text()
    }

    /// The file of a game's types; a folder need not have one for every game.
    fn types_of(&self, game: &str) -> Option<PathBuf> {
        let stem = Path::new(game).file_stem().unwrap_or_default();
        match self.types.as_ref()? {
            folder if folder.is_dir() => {
                Some(folder.join(stem).with_extension("typ")).filter(|path| path.exists())
            }
            file => Some(file.clone()),
        }
    }
}
