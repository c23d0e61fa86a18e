//! The command `racgen games`: raw arguments to runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, Subcommand};
use racgen_logic::fault::Fault;

use crate::cli::game_items::ItemOptions;
use crate::games::builtin::{listing, own_texts};
use crate::games::error::GameError;
use crate::games::jobs::job::{GameJob, Message, Work};
use crate::games::jobs::sandbox::{guarded, serve};
use crate::games::play::traces::{PlayStyle, Playing};
use crate::games::tasks::baselines::{baselines_of, scores_table};
use crate::games::tasks::triples::{Apart, TaskSettings};
use crate::games::tasks::write_tasks::{TaskFormat, TaskOutput};

/// `racgen games`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    after_help = "Examples:\n  racgen games my_game.kif --out tasks\n  racgen games check my_game.kif\n  \
                  racgen games all --out corpus --traces 100"
)]
pub struct Games {
    /// What to do; without a command, tasks are made of the files
    #[command(subcommand)]
    pub command: Option<GamesCommand>,
    /// Games in the Game Description Language
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub options: TaskOptions,
}

/// Commands besides making tasks.
#[derive(Debug, Subcommand)]
pub enum GamesCommand {
    /// Checks games and tells their dimensions
    Check {
        /// Games in the Game Description Language
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        limits: LimitOptions,
    },
    /// Prints the types inferred from a game's rules
    Types {
        /// A game in the Game Description Language
        file: PathBuf,
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
    /// Scores a learned program (.lp, .pl) or predictions on a test file
    Score {
        /// The program; or predictions, one line of atoms a triple
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
    /// TaskOutput folder
    #[arg(long, short, default_value = "data/games")]
    pub out: PathBuf,
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
    #[arg(long, default_value_t = 25, value_name = "N")]
    pub judge: usize,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub limits: LimitOptions,
    /// Threads; 0 for one a processor
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// Replace what an earlier run wrote
    #[arg(long)]
    pub force: bool,
}

/// What one game may cost.
#[derive(Clone, Copy, Debug, Args)]
pub struct LimitOptions {
    /// Seconds that one game may take
    #[arg(long, default_value_t = 600.0, value_name = "SECONDS")]
    pub time_limit: f64,
    /// Mebibytes that one game may take
    #[arg(long, default_value_t = 4096, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory_limit: u64,
}

impl LimitOptions {
    /// A job within these limits; without a text, the game is read from the file.
    ///
    /// # Errors
    /// A limit that is none.
    pub fn job(
        &self,
        file: String,
        text: Option<String>,
        threads: usize,
        work: Work,
    ) -> Result<GameJob, GameError> {
        let time = Duration::try_from_secs_f64(self.time_limit).ok().filter(|t| !t.is_zero());
        let Some(time) = time else {
            return Err(GameError::Arguments("--time-limit takes seconds above 0".into()));
        };
        let memory = self.memory_limit.saturating_mul(1 << 20);
        Ok(GameJob { file, text, stepwise: None, time, memory, threads, work })
    }
}

/// What is printed while games are made.
pub type Tell<'a> = &'a dyn Fn(&str);

impl Games {
    /// Runs the command; `tell` takes text for standard output.
    ///
    /// # Errors
    /// All that went wrong, game by game; games without a fault are finished all the same.
    pub fn run(&self, tell: Tell, stop: &AtomicBool) -> Result<(), GameError> {
        match &self.command {
            None if self.files.is_empty() => Err(GameError::Arguments(
                "which games? name files, or make all with `racgen games all`".into(),
            )),
            None => {
                let games = self.files.iter().map(|file| (file.display().to_string(), None));
                self.options.make(games.collect(), tell, stop)
            }
            Some(GamesCommand::Check { files, limits }) => {
                let checked = |file: &PathBuf| -> Result<(), GameError> {
                    let job = limits.job(file.display().to_string(), None, 0, Work::Check)?;
                    guarded(&job, stop, &mut telling(tell))
                };
                together(files.iter().filter_map(|file| checked(file).err()).collect())
            }
            Some(GamesCommand::Types { file, limits }) => {
                let job = limits.job(file.display().to_string(), None, 0, Work::Types)?;
                guarded(&job, stop, &mut telling(tell))
            }
            Some(GamesCommand::Items(options)) => options.make(tell, stop),
            Some(GamesCommand::Play) => {
                serve(stop);
                Ok(())
            }
            Some(GamesCommand::Baselines { dir }) => {
                tell(&scores_table(&baselines_of(dir)?));
                Ok(())
            }
            Some(GamesCommand::Score { answer, test, limits }) => {
                let work = Work::Score { answer: answer.clone() };
                let job = limits.job(test.display().to_string(), None, 0, work)?;
                guarded(&job, stop, &mut telling(tell))
            }
            Some(GamesCommand::List) => {
                tell(&listing()?);
                Ok(())
            }
            Some(GamesCommand::All { options }) => {
                let games = own_texts().into_iter().map(|(file, text)| (file, Some(text.to_owned())));
                options.make(games.collect(), tell, stop)
            }
        }
    }
}

/// Prints what a job has to say.
fn telling(tell: Tell<'_>) -> impl FnMut(Message) -> Result<(), GameError> {
    move |message| {
        if let Message::Text(text) = message {
            tell(&text);
        }
        Ok(())
    }
}

/// One error for all; a single one stays as it is.
pub(crate) fn together(mut errors: Vec<GameError>) -> Result<(), GameError> {
    match errors.len() {
        0 => Ok(()),
        1 => Err(errors.remove(0)),
        _ => {
            let usage = errors.iter().all(GameError::usage);
            let sentence = errors.iter().map(GameError::to_string).collect::<Vec<_>>().join("\n");
            Err(GameError::Told { sentence, usage })
        }
    }
}

impl TaskOptions {
    /// Makes the tasks of games, each a file and perhaps its text.
    fn make(
        &self,
        games: Vec<(String, Option<String>)>,
        tell: Tell,
        stop: &AtomicBool,
    ) -> Result<(), GameError> {
        let share = |value: f64, flag: &str| {
            if (0.0..=1.0).contains(&value) {
                return Ok(());
            }
            Err(GameError::Arguments(format!("{flag} takes a share from 0 to 1; `{value}` is none")))
        };
        share(self.noise, "--noise")?;
        share(self.drop, "--drop")?;
        check_threads(self.threads)?;
        let playing = Playing { traces: self.traces, steps: self.steps, seed: self.seed, style: self.play };
        let cut = TaskSettings {
            seed: self.seed,
            apart: self.split_by,
            balance: self.balance,
            noise: self.noise,
            drop: self.drop,
        };
        let mut forms = self.format.clone();
        forms.sort();
        forms.dedup();
        let output = TaskOutput {
            out: self.out.clone(),
            forms,
            explicit_negatives: self.explicit_negatives,
            max_negatives: self.max_negatives,
            force: self.force,
            judged: self.judge,
            derived: self.derived,
        };
        let mut names = BTreeSet::new();
        let mut errors: Vec<GameError> = Vec::new();
        for (file, text) in games {
            let work = Work::Tasks { types: None, playing, cut, output: output.clone() };
            let mut job = self.limits.job(file, text, self.threads, work)?;
            if let Work::Tasks { types, .. } = &mut job.work {
                *types = self.types_of(&job.file);
            }
            let made = new_name(&mut names, &job).and_then(|()| guarded(&job, stop, &mut telling(tell)));
            match made {
                Ok(()) => {}
                Err(GameError::Interrupted) => return Err(GameError::Interrupted),
                Err(error) => errors.push(error),
            }
        }
        together(errors)
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

/// Two games of one name would be written into the same files.
pub(crate) fn new_name(names: &mut BTreeSet<String>, job: &GameJob) -> Result<(), GameError> {
    if names.insert(job.name()) {
        return Ok(());
    }
    let cause = format!("another file of this run is named {}, too", job.name());
    Err(Fault::new(&job.file, 0, cause, "rename one of them").into())
}

pub(crate) fn check_threads(threads: usize) -> Result<(), GameError> {
    if threads > 1024 {
        return Err(GameError::Arguments("--threads takes a number from 0 to 1024".into()));
    }
    Ok(())
}
