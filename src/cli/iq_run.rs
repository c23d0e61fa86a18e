//! The commands `racgen iq run` and `racgen iq ladder`: raw arguments to agents that play.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use racgen_data::table::{TableStyle, print as table_text};
use racgen_data::write::folder::Taking;

use crate::campaign::jobs::iq_data::{write_ladder, write_run};
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
/// The most iterations: 65,535 games.
const MOST_ITERATIONS: u32 = 16;

/// Who plays.
#[derive(Clone, Debug, Args)]
pub struct AgentOptions {
    /// Agents that come with racgen
    #[arg(long, value_enum, value_delimiter = ',', value_name = "NAME,...")]
    pub agent: Vec<IqAgentName>,
    /// A program that plays, as a shell runs it: it reads and writes lines of JSON
    #[arg(long, value_name = "COMMAND")]
    pub command: Option<String>,
    /// What the program is called in results
    #[arg(long, default_value = "program", requires = "command")]
    pub name: String,
    /// Give the program the rules of each game
    #[arg(long, requires = "command")]
    pub rules: bool,
    /// Tell the program states and rules in English
    #[arg(long, requires = "command")]
    pub text: bool,
    /// Time of the program for a decision
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS", requires = "command")]
    pub decision_limit: f64,
    /// Time of the program for a game
    #[arg(long, default_value_t = 600.0, value_name = "SECONDS", requires = "command")]
    pub game_limit: f64,
}

impl AgentOptions {
    fn agents(&self) -> Result<Vec<MeasuredAgent>, Exit> {
        let mut agents: Vec<MeasuredAgent> = self.agent.iter().map(|own| MeasuredAgent::Own(*own)).collect();
        if let Some(command) = &self.command {
            let settings = ExternalSettings {
                command: command.clone(),
                decision: seconds("--decision-limit", self.decision_limit)?,
                game: seconds("--game-limit", self.game_limit)?,
                rules: self.rules,
                telling: if self.text { GameTelling::english()? } else { GameTelling::symbols() },
            };
            agents.push(MeasuredAgent::Program(self.name.clone(), Box::new(settings)));
        }
        let names: BTreeSet<&str> = agents.iter().map(MeasuredAgent::name).collect();
        match (agents.len(), names.len()) {
            (0, _) => {
                Err(Exit::usage("who is measured? name agents with --agent, or a program with --command"))
            }
            (all, distinct) if all != distinct => {
                Err(Exit::usage("two agents have the same name; name each once, and the program with --name"))
            }
            _ => Ok(agents),
        }
    }

    fn repeated(&self, command: Repeat) -> Repeat {
        let command = match self.agent[..] {
            [] => command,
            _ => command.names("--agent", &self.agent, &[]),
        };
        let Some(program) = &self.command else { return command };
        command
            .option("--command", program)
            .unusual("--name", self.name.as_str(), "program")
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
    /// The budget T0 of most games: ticks, or with --command steps of the game [default: 262144 ticks, 64 steps]
    #[arg(long, value_name = "T0", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub budget: Option<u64>,
    /// Play asynchronously: the game goes on every so many ticks, or with --command milliseconds, while an agent thinks
    #[arg(long, value_name = "PACE", value_parser = clap::value_parser!(u64).range(1..))]
    pub pace: Option<u64>,
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
        let in_steps = self.agents.command.is_some();
        if in_steps && !self.agents.agent.is_empty() {
            return Err(Exit::usage(
                "a program's time is counted in steps, that of agents of racgen in ticks; measure them in two runs, and \
                 compare them with `racgen iq report`",
            ));
        }
        let measuring = Measuring {
            seed: sampler.seed,
            tau0: sampler.tau0,
            budget: self.budget.unwrap_or(if in_steps { STEPS } else { TICKS }),
            in_steps,
            pace: self.pace.unwrap_or(0),
            iterations: self.iterations,
            games: sampler.games,
        };
        let command = self.agents.repeated(Repeat::new("racgen iq run"));
        let mut command = self.drawing.repeated(command).option("--iterations", self.iterations);
        command = command.option("--budget", measuring.budget);
        if let Some(pace) = self.pace {
            command = command.option("--pace", pace);
        }
        let origin = Origin { command: command.text(), seed: sampler.seed };
        let bar = Bar::new(self.quiet);
        let tell = |agents: &[AgentEstimate]| {
            if !self.quiet {
                eprint!("{}", told(agents));
            }
        };
        let taking = Taking { force: self.force, resume: self.resume, shard: None };
        let made = pool(self.threads)?
            .install(|| write_run(&measuring, &agents, &origin, (&self.out, taking), &bar, &tell, stop));
        bar.clear();
        let rows = made?;
        if self.quiet { Ok(()) } else { print(&table_text(&report_tables(&rows, &[]), self.format)) }
    }
}

/// A line an agent, after an iteration.
fn told(agents: &[AgentEstimate]) -> String {
    let line = |agent: &AgentEstimate| {
        let at = agent.iterations.last()?;
        let (low, high) = at.sequence;
        Some(format!(
            "{} after {} games: {:.1} % [{:.1}, {:.1}]\n",
            agent.agent,
            at.games,
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
    /// Ticks of each agent in each match
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
        let rules = LadderRules { games: self.games, budget: self.budget, episodes: self.episodes };
        let command = self
            .agents
            .repeated(Repeat::new("racgen iq ladder"))
            .option("--games", self.games)
            .unusual("--budget", self.budget, TICKS)
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
