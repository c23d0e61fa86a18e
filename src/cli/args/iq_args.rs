//! Options of sampled games to a sampler.

use clap::Args;

use crate::campaign::repeat::Repeat;
use crate::cli::output::exit::Exit;
use crate::iq::sample::complexity::TAU0;
use crate::iq::sample::sampler::{GameChoice, Sampler};

/// How games are drawn.
#[derive(Clone, Debug, Args)]
pub struct DrawOptions {
    /// Which games
    #[arg(long, value_enum, default_value = "all")]
    pub choice: GameChoice,
    /// Ticks of an episode below which games count as equally fast
    #[arg(long, default_value_t = TAU0, value_name = "TICKS")]
    pub tau0: f64,
    /// Seed of all random choices
    #[arg(long, short, default_value_t = 0)]
    pub seed: u64,
}

impl DrawOptions {
    /// The sampler.
    ///
    /// # Errors
    /// A tau0 that makes no sense.
    pub fn sampler(&self) -> Result<Sampler, Exit> {
        if !(self.tau0 >= 1.0 && self.tau0.is_finite()) {
            return Err(Exit::usage(format!("--tau0 takes ticks, 1 or more; `{}` is none", self.tau0)));
        }
        Ok(Sampler { seed: self.seed, tau0: self.tau0, games: self.choice })
    }

    /// The options that draw the same games again.
    pub fn repeated(&self, command: Repeat) -> Repeat {
        command
            .names("--choice", &[self.choice], &[GameChoice::All])
            .unusual("--tau0", self.tau0, TAU0)
            .option("--seed", self.seed)
    }
}
