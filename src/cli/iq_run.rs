//! The commands `racgen iq run` and `racgen iq ladder`: raw arguments to agents that play.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use racgen_data::table::{TableStyle, print as table_text};
use racgen_data::write::folder::Taking;

use crate::campaign::jobs::iq_data::write_ladder;
use crate::campaign::jobs::iq_results::{IqRunFolder, write_run};
use crate::campaign::output_words::shard;
use crate::campaign::repeat::Repeat;
use crate::campaign::run::Origin;
use crate::cli::args::folders::folder;
use crate::cli::args::iq_args::DrawOptions;
use crate::cli::args::run_args::pool;
use crate::cli::output::bar::Bar;
use crate::cli::output::exit::{Exit, print};
use crate::iq::measure::estimate::AgentEstimate;
use crate::iq::measure::ladder::LadderRules;
use crate::iq::measure::run::{MeasuredAgent, Measuring};
use crate::iq::play::agents::names::IqAgentName;
use crate::iq::play::external::ExternalSettings;
use crate::iq::play::telling::GameTelling;
use crate::iq::report::page::report_tables;
use crate::iq::report::tables::ladder;
use crate::iq::sample::complexity::TAU0;
use crate::iq::sample::sampler::GameChoice;

/// The usual T0: ticks.
const TICKS: u64 = 1 << 18;
/// The usual T0 for programs: steps of the game.
const STEPS: u64 = 64;
/// Steps of a program in a match.
const MATCH_STEPS: u64 = 256;
/// The most iterations: 65,535 games.
const MOST_ITERATIONS: u32 = 16;

/// Who plays.
#[derive(Clone, Debug, Args)]
pub struct AgentOptions {
    /// Agents that come with racgen
    #[arg(long, value_enum, value_delimiter = ',', value_name = "NAME,...")]
    pub agent: Vec<IqAgentName>,
    /// A program that plays, as a shell runs it: it reads and writes lines of JSON; may be given several times
    #[arg(long, value_name = "COMMAND")]
    pub command: Vec<String>,
    /// What a program is called in results, in the order of programs [default: program, or program1 and so on]
    #[arg(long, requires = "command", value_name = "NAME")]
    pub name: Vec<String>,
    /// The budget of programs: steps of the game, whatever they do in between [default: 64; of a match, 256]
    #[arg(long, requires = "command", value_name = "STEPS", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub steps: Option<u64>,
    /// Give programs the rules of each game
    #[arg(long, requires = "command")]
    pub rules: bool,
    /// Tell programs states and rules in English
    #[arg(long, requires = "command")]
    pub text: bool,
    /// Time of a program for a decision
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS", requires = "command")]
    pub decision_limit: f64,
    /// Time of a program for a game
    #[arg(long, default_value_t = 600.0, value_name = "SECONDS", requires = "command")]
    pub game_limit: f64,
}

impl AgentOptions {
    fn agents(&self) -> Result<Vec<MeasuredAgent>, Exit> {
        let mut agents: Vec<MeasuredAgent> = self.agent.iter().map(|own| MeasuredAgent::Own(*own)).collect();
        for (command, name) in self.command.iter().zip(self.names()?) {
            let settings = ExternalSettings {
                command: command.clone(),
                decision: seconds("--decision-limit", self.decision_limit)?,
                game: seconds("--game-limit", self.game_limit)?,
                rules: self.rules,
                telling: if self.text { GameTelling::english()? } else { GameTelling::symbols() },
            };
            agents.push(MeasuredAgent::Program(name, Box::new(settings)));
        }
        let names: BTreeSet<&str> = agents.iter().map(MeasuredAgent::name).collect();
        match (agents.len(), names.len()) {
            (0, _) => {
                Err(Exit::usage("who is measured? name agents with --agent, or a program with --command"))
            }
            (all, distinct) if all != distinct => {
                Err(Exit::usage("two agents have the same name; name each once, and programs with --name"))
            }
            _ => Ok(agents),
        }
    }

    /// The names of programs.
    fn names(&self) -> Result<Vec<String>, Exit> {
        match (self.command.len(), self.name.len()) {
            (1, 0) => Ok(vec!["program".into()]),
            (programs, 0) => Ok((1..=programs).map(|number| format!("program{number}")).collect()),
            (programs, names) if programs == names => Ok(self.name.clone()),
            (programs, names) => Err(Exit::usage(format!(
                "{names} names for {programs} programs; give --name once for each --command, or not at all"
            ))),
        }
    }

    fn repeated(&self, command: Repeat) -> Repeat {
        let command = match self.agent[..] {
            [] => command,
            _ => command.names("--agent", &self.agent, &[]),
        };
        if self.command.is_empty() {
            return command;
        }
        let command = self.command.iter().fold(command, |command, own| command.option("--command", own));
        let command = self.name.iter().fold(command, |command, own| command.option("--name", own));
        command
            .flag("--rules", self.rules)
            .flag("--text", self.text)
            .unusual("--decision-limit", self.decision_limit, 10.0)
            .unusual("--game-limit", self.game_limit, 600.0)
    }
}

/// Seconds of an option.
fn seconds(flag: &str, seconds: f64) -> Result<Duration, Exit> {
    let limit = Duration::try_from_secs_f64(seconds).ok().filter(|limit| !limit.is_zero());
    limit.ok_or_else(|| Exit::usage(format!("{flag} takes seconds above 0")))
}

/// How agents are measured.
#[derive(Clone, Debug, Args)]
pub struct MeasureOptions {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub agents: AgentOptions,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub drawing: DrawOptions,
    /// Iterations: n of them play 2^n - 1 games
    #[arg(long, short = 'n', default_value_t = 6, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_ITERATIONS)))]
    pub iterations: u32,
    /// The budget T0 of agents that come with racgen; that of programs is --steps
    #[arg(long, default_value_t = TICKS, value_name = "TICKS", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub budget: u64,
    /// Play asynchronously: the game goes on every so many ticks while an agent thinks
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u64).range(1..))]
    pub pace: Option<u64>,
    /// The same for programs: the game goes on every so many milliseconds
    #[arg(long, requires = "command", value_name = "MILLISECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub pace_time: Option<u64>,
    /// How the tables are printed
    #[arg(long, value_enum, default_value = "text")]
    pub format: TableStyle,
    /// Output folder
    #[arg(long, short, default_value = "data/iq", value_parser = folder())]
    pub out: PathBuf,
    /// Threads; 0 for one a processor
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// Replace what an earlier run wrote into the output folder
    #[arg(long)]
    pub force: bool,
    /// Continue an interrupted run
    #[arg(long)]
    pub resume: bool,
    /// Play only the games of shard I of N
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// Print errors only
    #[arg(long, short)]
    pub quiet: bool,
}

impl MeasureOptions {
    /// Measures agents.
    ///
    /// # Errors
    /// Whatever went wrong, with an exit code.
    pub fn make(&self, stop: &AtomicBool) -> Result<(), Exit> {
        let agents = self.agents.agents()?;
        let sampler = self.drawing.sampler()?;
        let measuring = Measuring {
            seed: sampler.seed,
            tau0: sampler.tau0,
            budget: self.budget,
            steps: self.agents.steps.unwrap_or(STEPS),
            pace: self.pace.unwrap_or(0),
            pace_time: self.pace_time.unwrap_or(0),
            iterations: self.iterations,
            games: sampler.games,
        };
        let command = self.agents.repeated(Repeat::new("racgen iq run"));
        let mut command = self.drawing.repeated(command).option("--iterations", self.iterations);
        if !self.agents.agent.is_empty() {
            command = command.option("--budget", measuring.budget);
        }
        if !self.agents.command.is_empty() {
            command = command.option("--steps", measuring.steps);
        }
        command = command.unusual("--pace", measuring.pace, 0).unusual("--pace-time", measuring.pace_time, 0);
        let origin = Origin { command: command.text(), seed: sampler.seed };
        let bar = Bar::new(self.quiet);
        let tell = |agents: &[AgentEstimate]| {
            if !self.quiet {
                eprint!("{}", told(agents));
            }
        };
        let shard = self.shard.as_deref().map(shard).transpose().map_err(Exit::usage)?;
        let number = shard.filter(|(_, shards)| *shards > 1).map(|(number, _)| number);
        let taking = Taking { force: self.force, resume: self.resume, shard: number };
        let folder = IqRunFolder { out: &self.out, taking, shard };
        let made = pool(self.threads)?
            .install(|| write_run(&measuring, &agents, &origin, folder, &bar, &tell, stop));
        bar.clear();
        match made? {
            _ if self.quiet => Ok(()),
            Some(rows) => print(&table_text(&report_tables(&rows, &[]), self.format)),
            None => print(
                "Other shards are missing; the results come with the last one, or with `racgen join`.\n",
            ),
        }
    }
}

/// A line an agent, after an iteration.
fn told(agents: &[AgentEstimate]) -> String {
    let line = |agent: &AgentEstimate| {
        let at = agent.iterations.last()?;
        let (low, high) = at.sequence;
        Some(format!(
            "{} after {} {}: {:.1} % [{:.1}, {:.1}]\n",
            agent.agent,
            at.games,
            if at.games == 1 { "game" } else { "games" },
            100.0 * at.mean,
            100.0 * low,
            100.0 * high
        ))
    };
    agents.iter().filter_map(line).collect()
}

/// How a ladder is played.
#[derive(Clone, Debug, Args)]
pub struct LadderOptions {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub agents: AgentOptions,
    /// Games for two, each played by every pair in both roles
    #[arg(long, short = 'n', default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub games: u64,
    /// Ticks of an agent that comes with racgen in each match; that of programs is --steps
    #[arg(long, default_value_t = TICKS, value_name = "TICKS", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub budget: u64,
    /// Episodes of a match that count, at most
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub episodes: u64,
    /// Ticks of an episode below which games count as equally fast
    #[arg(long, default_value_t = TAU0, value_name = "TICKS")]
    pub tau0: f64,
    /// Seed of all random choices
    #[arg(long, short, default_value_t = 0)]
    pub seed: u64,
    /// How the table is printed
    #[arg(long, value_enum, default_value = "text")]
    pub format: TableStyle,
    /// Output folder
    #[arg(long, short, default_value = "data/iq_ladder", value_parser = folder())]
    pub out: PathBuf,
    /// Threads; 0 for one a processor
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// Replace what an earlier run wrote into the output folder
    #[arg(long)]
    pub force: bool,
    /// Print errors only
    #[arg(long, short)]
    pub quiet: bool,
}

impl LadderOptions {
    /// Plays a ladder.
    ///
    /// # Errors
    /// Whatever went wrong, with an exit code.
    pub fn make(&self, stop: &AtomicBool) -> Result<(), Exit> {
        let agents = self.agents.agents()?;
        if agents.len() < 2 {
            return Err(Exit::usage(
                "a ladder takes two agents or more; name them with --agent and --command",
            ));
        }
        let choice = GameChoice::Duel;
        let drawing = DrawOptions { choice, tau0: self.tau0, seed: self.seed };
        let sampler = drawing.sampler()?;
        let steps = self.agents.steps.unwrap_or(MATCH_STEPS);
        let rules = LadderRules { games: self.games, budget: self.budget, steps, episodes: self.episodes };
        let command = self
            .agents
            .repeated(Repeat::new("racgen iq ladder"))
            .option("--games", self.games)
            .unusual("--budget", self.budget, TICKS)
            .unusual("--steps", steps, MATCH_STEPS)
            .unusual("--episodes", self.episodes, 4)
            .unusual("--tau0", self.tau0, TAU0)
            .option("--seed", self.seed);
        let origin = Origin { command: command.text(), seed: self.seed };
        let taking = racgen_data::write::folder::Taking { force: self.force, resume: false, shard: None };
        let bar = Bar::new(self.quiet);
        let made = pool(self.threads)?
            .install(|| write_ladder(&sampler, &agents, &rules, &origin, (&self.out, taking), &bar, stop));
        bar.clear();
        let rated = made?;
        if self.quiet { Ok(()) } else { print(&table_text(&[ladder(&rated)], self.format)) }
    }
}
