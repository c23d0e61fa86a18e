//! The command `racgen pddl`: a world of a domain to PDDL.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use racgen_logic::fault::Fault;
use racgen_logic::seed::stream;

use crate::cli::args::folders::folder;
use crate::cli::args::world_args::WorldArgs;
use crate::cli::output::exit::{Exit, print};
use crate::cli::packages::load;
use crate::domain::package::Package;
use crate::pddl::export::{PddlFiles, export};
use crate::simulate::layout::Layout;
use crate::simulate::plans::sampling::Sampling;
use crate::simulate::replay::Replay;
use crate::simulate::story::Simulator;

/// Which world is written, and where to; the plan of a row makes the goal.
#[derive(Clone, Debug, Args)]
pub struct PddlArgs {
    #[command(flatten)]
    pub world: WorldArgs,
    /// Folder for domain.pddl and problem.pddl
    #[arg(long, short, value_parser = folder())]
    pub out: PathBuf,
    /// Replace the two files
    #[arg(long)]
    pub force: bool,
}

/// Actions of the story that makes the goal of a world that is drawn, where so many can be carried out.
const DEPTH: usize = 6;
/// Draws of such a story.
const TRIES: usize = 200;

impl PddlArgs {
    /// Writes the files.
    ///
    /// # Errors
    /// A package, or a row, that is not there; what cannot be said in PDDL.
    pub fn run(&self) -> Result<(), Exit> {
        let package = load(&self.world.package, &self.world.folders)?;
        let files = match self.world.wanted_row()? {
            Some(row) => {
                let replay = Replay::new(&package, &row).map_err(Exit::failure)?;
                let last = replay.steps.last().map_or(&replay.initial, |step| &step.situation);
                export(&package, &replay.layout, replay.engine.compiled(), &replay.initial, last)?
            }
            None => self.drawn(&package)?,
        };
        self.write("domain.pddl", &files.domain)?;
        self.write("problem.pddl", &files.problem)?;
        print(&format!("domain.pddl and problem.pddl are written; {}\n", self.out.display()))
    }

    fn drawn(&self, package: &Package) -> Result<PddlFiles, Exit> {
        let WorldArgs { level, seed, limits, .. } = &self.world;
        let limit = limits.enforce()?;
        let mut rng = stream(*seed, &["pddl", &package.name, &level.to_string()]);
        let none = BTreeMap::new();
        let layout = Layout::sample(package, *level, &none, &mut rng, limit).map_err(Exit::failure)?;
        let mut stage =
            Simulator::new(package, layout, Sampling::Walk, limit, &mut rng).map_err(Exit::failure)?;
        let mut depth = DEPTH;
        loop {
            if let Ok(Some(story)) = stage.tell(depth, false, |_| true, TRIES, &mut rng) {
                let last = story.passed.last().unwrap_or(&story.initial);
                return Ok(export(package, stage.layout(), stage.engine.compiled(), &story.initial, last)?);
            }
            let Some(less) = depth.checked_sub(1) else {
                let fault =
                    Fault::new(&package.origin, 0, "no story was found", "choose another level or seed");
                return Err(fault.into());
            };
            depth = less;
        }
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Exit> {
        let path: &Path = &self.out.join(name);
        let place = path.display().to_string();
        if path.exists() && !self.force {
            return Err(
                Fault::new(&place, 0, "it exists already", "choose another folder, or give --force").into()
            );
        }
        std::fs::create_dir_all(&self.out).and_then(|()| std::fs::write(path, text)).map_err(|error| {
            Fault::new(&place, 0, error.to_string(), "choose a folder that can be written to").into()
        })
    }
}
