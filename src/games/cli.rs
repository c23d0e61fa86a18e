//! The command `racgen games`: raw arguments to runs.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::arena::{Arena, Limits};
use super::baselines::{baselines_of, scores_table};
use super::check::check;
use super::error::GameError;
use super::gdl::Game;
use super::make::{Form, Output, make, read_game, types_of};
use super::own::{listing, own_games};
use super::play::{Playing, Style};
use super::score::score;
use super::triples::{Apart, Cut};
use crate::fault::Fault;

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
    pub options: Options,
}

/// Commands besides making tasks.
#[derive(Debug, Subcommand)]
pub enum GamesCommand {
    /// Checks games and tells their dimensions
    Check {
        /// Games in the Game Description Language
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Prints the types inferred from a game's rules
    Types {
        /// A game in the Game Description Language
        file: PathBuf,
    },
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
    },
    /// Lists the games that come with racgen
    List,
    /// Makes the tasks of all games that come with racgen
    All {
        #[command(flatten)]
        options: Options,
    },
}

/// How tasks are made.
#[derive(Debug, Args)]
pub struct Options {
    /// Output folder
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
    pub play: Style,
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
    pub format: Vec<Form>,
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
    /// Seconds that one game may take
    #[arg(long, default_value_t = 600.0, value_name = "SECONDS")]
    pub time_limit: f64,
    /// Mebibytes that one game may take, about
    #[arg(long, default_value_t = 4096, value_name = "MIB")]
    pub memory_limit: u64,
    /// Threads; 0 for one a processor
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// Replace what an earlier run wrote
    #[arg(long)]
    pub force: bool,
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
                let games = self.files.iter().map(|file| (file.as_path(), read_game(file)));
                self.options.make(games, tell, stop)
            }
            Some(GamesCommand::Check { files }) => {
                let mut errors = Vec::new();
                for file in files {
                    match checked(file) {
                        Ok(text) => tell(&text),
                        Err(error) => errors.push(error),
                    }
                }
                together(errors)
            }
            Some(GamesCommand::Types { file }) => {
                let arena = Arena::new(read_game(file)?, &Limits::default())?;
                tell(&types_of(&arena, None)?.to_string());
                Ok(())
            }
            Some(GamesCommand::Baselines { dir }) => {
                tell(&scores_table(&baselines_of(dir)?));
                Ok(())
            }
            Some(GamesCommand::Score { answer, test }) => {
                let tally = score(answer, test)?;
                let solved = if tally.perfect() { "yes" } else { "no" };
                tell(&format!(
                    "balanced accuracy {:.2} %, perfectly solved: {solved} ({} of {} positives, {} of {} negatives)\n",
                    tally.balanced_accuracy(),
                    tally.true_positives,
                    tally.positives,
                    tally.true_negatives,
                    tally.negatives
                ));
                Ok(())
            }
            Some(GamesCommand::List) => {
                tell(&listing()?);
                Ok(())
            }
            Some(GamesCommand::All { options }) => options.make(own_games(), tell, stop),
        }
    }
}

/// One error for all; a single one stays as it is.
fn together(mut errors: Vec<GameError>) -> Result<(), GameError> {
    match errors.len() {
        0 => Ok(()),
        1 => Err(errors.remove(0)),
        _ => {
            Err(GameError::Arguments(errors.iter().map(GameError::to_string).collect::<Vec<_>>().join("\n")))
        }
    }
}

fn checked(file: &Path) -> Result<String, GameError> {
    let game = read_game(file)?;
    let verdict = check(&game);
    if !verdict.errors.is_empty() {
        return Err(GameError::Faults(verdict.errors));
    }
    let mut text = verdict.to_string();
    let arena = Arena::new(game, &Limits::default())?;
    let roles: Vec<String> = arena.roles.iter().map(ToString::to_string).collect();
    text += &format!("  {} roles: {}\n", roles.len(), roles.join(", "));
    match (&arena.whole, &arena.obstacle) {
        (Some(whole), _) => {
            text += &format!(
                "  {} fluents, {} moves, {} goals, {} statics\n",
                whole.fluents.len(),
                whole.moves.len(),
                whole.goals.len(),
                arena.statics.len()
            );
        }
        (None, why) => {
            let why = why.as_deref().unwrap_or("more than it may");
            text += &format!("  too large to be grounded as a whole ({why}); clingo plays it step by step\n");
        }
    }
    Ok(text)
}

impl Options {
    fn make<N>(
        &self,
        games: impl IntoIterator<Item = (N, Result<Game, GameError>)>,
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
        let time = Duration::try_from_secs_f64(self.time_limit).ok().filter(|t| !t.is_zero());
        let Some(time) = time else {
            return Err(GameError::Arguments("--time-limit takes seconds above 0".into()));
        };
        if self.threads > 1024 {
            return Err(GameError::Arguments("--threads takes a number from 0 to 1024".into()));
        }
        let limits = Limits { time, memory: self.memory_limit.saturating_mul(1 << 20) };
        let playing = Playing { traces: self.traces, steps: self.steps, seed: self.seed, style: self.play };
        let cut = Cut {
            seed: self.seed,
            apart: self.split_by,
            balance: self.balance,
            noise: self.noise,
            drop: self.drop,
        };
        let mut forms = self.format.clone();
        forms.sort();
        forms.dedup();
        let output = Output {
            out: self.out.clone(),
            forms,
            explicit_negatives: self.explicit_negatives,
            max_negatives: self.max_negatives,
            force: self.force,
            judged: self.judge,
            derived: self.derived,
        };
        let mut names = std::collections::BTreeSet::new();
        let mut errors: Vec<GameError> = Vec::new();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = pool.map_err(|e| GameError::Arguments(format!("cannot start threads: {e}")))?;
        for (_, game) in games {
            let one = || -> Result<String, GameError> {
                let game = game?;
                if !names.insert(game.name.clone()) {
                    return Err(Fault {
                        place: game.file.clone(),
                        cause: format!("another file of this run is named {}, too", game.name),
                        remedy: "rename one of them".into(),
                    }
                    .into());
                }
                let types = self.types.as_ref().map(|path| {
                    if path.is_dir() { path.join(format!("{}.typ", game.name)) } else { path.clone() }
                });
                // A folder need not have types for every game.
                let types =
                    types.filter(|path| path.exists() || self.types.as_ref().is_some_and(|t| !t.is_dir()));
                let made =
                    pool.install(|| make(game, types.as_deref(), &playing, &cut, &output, &limits, stop))?;
                Ok(made.text())
            };
            match one() {
                Ok(text) => tell(&text),
                Err(GameError::Interrupted) => return Err(GameError::Interrupted),
                Err(error) => errors.push(error),
            }
        }
        together(errors)
    }
}
