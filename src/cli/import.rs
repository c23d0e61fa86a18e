//! The command `racgen import`: planning domains in PDDL to packages.

use std::path::{Path, PathBuf};

use clap::Args;
use racgen_logic::fault::Fault;

use crate::campaign::jobs::row_options::whole_number;
use crate::cli::args::folders::folder;
use crate::cli::args::solver_limits::SolverLimits;
use crate::cli::output::exit::{Exit, print};
use crate::domain::scaffold::write_folder;
use crate::pddl::import::{ImportSettings, import};
use crate::pddl::syntax::{PddlDomain, PddlProblem};

/// What is imported, and where to.
#[derive(Clone, Debug, Args)]
pub struct ImportArgs {
    /// The file of the domain
    pub domain: PathBuf,
    /// Files of problems of this domain, whose initial states and objects make the worlds
    #[arg(required = true)]
    pub problems: Vec<PathBuf>,
    /// Folder of the package, which is new; its name is that of the package
    #[arg(long, short, value_parser = folder())]
    pub out: PathBuf,
    /// How many initial situations each level is to have
    #[arg(long, default_value_t = 240, value_parser = whole_number)]
    pub situations: u64,
    /// Seed of the walks that lead to them, and of what is left out of smaller worlds
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    #[command(flatten)]
    pub limits: SolverLimits,
}

fn text_of(path: &Path) -> Result<(String, String), Exit> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Fault::new(&file, 0, error.to_string(), "name a file of text that can be read"))?;
    Ok((text, file))
}

impl ImportArgs {
    /// Writes the package.
    ///
    /// # Errors
    /// What is wrong with the files, or cannot be imported; a folder that is there already.
    pub fn run(&self) -> Result<(), Exit> {
        let limit = self.limits.enforce()?;
        let (text, file) = text_of(&self.domain)?;
        let domain = PddlDomain::read(&text, &file)?;
        let mut problems = Vec::new();
        for path in &self.problems {
            let (text, file) = text_of(path)?;
            problems.push(PddlProblem::read(&text, &file, &domain)?);
        }
        let name = self.out.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let situations = usize::try_from(self.situations).unwrap_or(usize::MAX).clamp(1, 10_000);
        let settings = ImportSettings { situations, seed: self.seed, limit };
        let made = import(&name, &domain, &problems, settings)?;
        let parent = self.out.parent().filter(|parent| !parent.as_os_str().is_empty());
        let files = made.files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes()));
        let folder = write_folder(&name, parent.unwrap_or(Path::new(".")), files)?;
        let mut out = format!(
            "{0} is written, with {1} worlds; `racgen check {0}` checks it and lists its drafts\n",
            folder.display(),
            made.worlds.len()
        );
        made.notes.iter().for_each(|note| out += &format!("note: {note}\n"));
        print(&out)
    }
}
