//! Folders of packages, as they are named on the command line, to a catalogue.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::cli::output::exit::Exit;
use crate::domain::catalogue::Catalogue;
use crate::invent::invented::files_by_name;

/// What is said of a dash where a folder is wanted.
pub(crate) const NO_FOLDER: &str =
    "it takes a folder, and racgen writes none to standard output; a folder of that name is `./-`";

/// Is it a single dash, which means standard output where lines are written?
pub(crate) fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads the name of a folder to write into.
pub fn folder() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new()
        .try_map(|path| if is_standard_output(&path) { Err(NO_FOLDER) } else { Ok(path) })
}

/// Where packages are looked for.
#[derive(Clone, Debug, Default, Args)]
pub struct Folders {
    /// Look for domain packages here, too (may be given several times)
    #[arg(help_heading = "Domains", long, value_name = "DIR")]
    pub domain_dir: Vec<PathBuf>,
}

impl Folders {
    /// The packages that are found.
    ///
    /// # Errors
    /// Folders that cannot be read.
    pub fn catalogue(&self) -> Result<Catalogue, Exit> {
        Ok(Catalogue::find(&self.domain_dir)?.with_made(files_by_name))
    }
}
