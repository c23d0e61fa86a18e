//! The command line as it is typed, and which command does what.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;

use crate::campaign::jobs::row_options::whole_number;
use crate::campaign::join::{Joined, join};
use crate::cli::args::folders::{Folders, folder};
use crate::cli::args::solver_limits::SolverLimits;
use crate::cli::audit::AuditArgs;
use crate::cli::draw::DrawArgs;
use crate::cli::explore::{ExploreArgs, write_page_of_rows};
use crate::cli::export::ExportArgs;
use crate::cli::games::GamesArgs;
use crate::cli::generate::{Generate, SuiteArgs};
use crate::cli::halma::HalmaArgs;
use crate::cli::import::ImportArgs;
use crate::cli::invent::InventArgs;
use crate::cli::iq::IqArgs;
use crate::cli::output::bar::stop_flag;
use crate::cli::output::exit::{Exit, print, written};
use crate::cli::output::{show, summary, warnings};
use crate::cli::packages;
use crate::cli::pddl::PddlArgs;
use crate::cli::rules::RulesArgs;
use crate::cli::score::ScoreArgs;

/// The version, and what it was built from.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("RACGEN_BUILT_FROM"));

/// Makes question-answer data sets about actions and change. Every answer is derived by the answer-set solver
/// clingo.
#[derive(Debug, Parser)]
#[command(
    name = "racgen",
    version = VERSION,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true,
    after_help = "Examples:\n  racgen --domain dwr --depth 5\n  racgen --domain blocks,logistics --level 1-5 --depth 3 \
                  --items 100000 --out worlds\n  racgen show data/dwr/data/train-00000-of-00001.parquet --row 7\n  \
                  racgen new lamps && racgen check lamps"
)]
pub struct Cli {
    /// What to do; without a command, a data set is made.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The data set.
    #[command(flatten)]
    pub generate: Generate,
}

/// Commands besides making a data set.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Lists the domains that are found, and where; of one, its parameters and families of questions
    Domains {
        /// A domain, or the folder of a package
        name: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        folders: Folders,
    },
    /// Checks a domain package thoroughly
    Check {
        /// Folder of the package, or name of a domain
        package: String,
        #[command(flatten)]
        folders: Folders,
        #[command(flatten)]
        limits: SolverLimits,
    },
    /// Writes a working domain package to start from: a small one, or a copy of one that there is
    New {
        /// Its name: small letters, digits and _
        name: String,
        /// Folder to write it into
        #[arg(long, default_value = ".", value_parser = folder())]
        dir: PathBuf,
        /// Start from a copy of this domain, by its name or the folder of its package
        #[arg(long, value_name = "DOMAIN")]
        like: Option<String>,
        #[command(flatten)]
        folders: Folders,
    },
    /// Writes a domain package for a planning domain in PDDL and problems of it
    Import(ImportArgs),
    /// Writes a world of a domain as a planning domain and a problem in PDDL
    Pddl(PddlArgs),
    /// Invents domains that nobody has seen, and writes them as packages
    Invent(InventArgs),
    /// Prints items as a person would read them, with the state after each action
    Show {
        /// A data file (.parquet, .jsonl, .csv) or a folder of them
        file: PathBuf,
        /// Which row, counted from 0
        #[arg(long, default_value_t = 0, value_parser = whole_number)]
        row: u64,
        /// How many rows
        #[arg(long, default_value_t = 1, value_parser = whole_number)]
        rows: u64,
        /// Write them as a page with pictures into this file instead, as `racgen explore` does
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
        #[command(flatten)]
        folders: Folders,
    },
    /// Draws a situation of a domain, or the situations of an item
    Draw(DrawArgs),
    /// Makes one page of a data set to leaf through: items with pictures before and after each action
    Explore(ExploreArgs),
    /// Audits a data set: reads every text back, has clingo answer anew, and looks for shortcuts and leaks
    Audit(AuditArgs),
    /// Scores predictions: exact match by type, family, level and depth, with 95 % intervals
    Score(ScoreArgs),
    /// Writes a data set in the forms that training and evaluation tools take as they are
    Export(ExportArgs),
    /// Makes the data sets of a paper, or those that show what carries over to other domains
    Suite {
        #[command(flatten)]
        suite: SuiteArgs,
        #[command(flatten)]
        generate: Generate,
    },
    /// Makes induction tasks of games in the Game Description Language
    Games(GamesArgs),
    /// Makes mazes of coloured digits, plays in them, and scores who plays (after HALMA)
    Halma(HalmaArgs),
    /// Measures agents by games that are sampled by their complexity
    Iq(IqArgs),
    /// Completes a data set from shards that were copied into one folder
    Join {
        /// The folder
        out: PathBuf,
    },
    /// Makes rule sets with facts to learn them from, and scores learned rules
    Rules(Box<RulesArgs>),
    /// Prints a script that completes the words of a command line in a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// Numbers below zero are values, not options that nobody knows: so the error tells what is wrong with them.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|argument| {
        let takes = argument.get_action().takes_values();
        if takes { argument.allow_negative_numbers(true) } else { argument }
    });
    command.mut_subcommands(with_negative_numbers)
}

impl Cli {
    /// Reads what was typed; none where help or the version was asked for and is printed.
    ///
    /// # Errors
    /// What cannot be understood; a full disk where help should go.
    pub fn read(typed: impl IntoIterator<Item = OsString>) -> Result<Option<Cli>, Exit> {
        let command = with_negative_numbers(Cli::command());
        let read = command.try_get_matches_from(typed).and_then(|matches| Cli::from_arg_matches(&matches));
        match read {
            Ok(cli) => Ok(Some(cli)),
            Err(error) if error.use_stderr() => {
                // clap tells it in colours; there is nothing to add.
                let _ = error.print();
                Err(Exit::usage(""))
            }
            Err(help) => written(help.print()).map(|()| None),
        }
    }

    /// Does what the arguments say.
    ///
    /// # Errors
    /// Whatever went wrong, with an exit code.
    pub fn run(&self) -> Result<(), Exit> {
        match &self.command {
            None => {
                let catalogue = self.generate.folders.catalogue()?;
                let resolved = self.generate.resolve(&catalogue)?;
                self.generate.make(&catalogue, &resolved)
            }
            Some(Command::Suite { suite, generate }) => {
                let catalogue = generate.folders.catalogue()?;
                let resolved = generate.suite(suite, &catalogue)?;
                generate.make(&catalogue, &resolved)
            }
            Some(Command::Games(games)) => games.run(&stop_flag()),
            Some(Command::Halma(halma)) => halma.run(&stop_flag()),
            Some(Command::Iq(iq)) => iq.run(&stop_flag()),
            Some(Command::Rules(rules)) => rules.run(&stop_flag()),
            Some(Command::Join { out }) => {
                let joined = join(out)?;
                print(&summary::joined(&joined))?;
                if let Joined::Items(finished) = &joined {
                    warnings::tell(&warnings::after(finished));
                }
                Ok(())
            }
            Some(Command::Draw(draw)) => draw.run(),
            Some(Command::Explore(explore)) => explore.run(),
            Some(Command::Audit(audit)) => audit.run(),
            Some(Command::Invent(invent)) => invent.run(),
            Some(Command::Export(export)) => export.run(),
            Some(Command::Score(score)) => score.run(),
            Some(Command::Show { file, row, rows, html: Some(page), folders }) => {
                write_page_of_rows(file, *row, *rows, page, folders)
            }
            Some(Command::Show { file, row, rows, html: None, folders }) => {
                show::print_rows(file, *row, *rows, folders)
            }
            Some(Command::Domains { name, json, folders }) => {
                packages::domains(name.as_deref(), *json, folders)
            }
            Some(Command::Completions { shell }) => {
                let mut script = Vec::new();
                clap_complete::generate(*shell, &mut Cli::command(), "racgen", &mut script);
                print(&String::from_utf8_lossy(&script))
            }
            Some(Command::Check { package, folders, limits }) => {
                packages::check_package(package, folders, limits)
            }
            Some(Command::Import(import)) => import.run(),
            Some(Command::Pddl(pddl)) => pddl.run(),
            Some(Command::New { name, dir, like, folders }) => {
                packages::new_package(name, dir, like.as_deref(), folders)
            }
        }
    }
}
