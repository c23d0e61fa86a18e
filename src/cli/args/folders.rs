//! Folders of packages, as they are named on the command line, to a catalogue.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::cli::output::exit::Exit;
use crate::domain::catalogue::Catalogue;

/// Reads the name of a folder to write into. A single dash would mean standard output elsewhere.
pub fn folder() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.as_os_str() == "-" {
        true => Err(
            "it takes a folder, and racgen writes none to standard output; a folder of that name is `./-`",
        ),
        false => Ok(path),
    })
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
        Ok(Catalogue::find(&self.domain_dir)?)
    }
}

/// The names of the packages of a catalogue.
pub fn names(catalogue: &Catalogue) -> Vec<String> {
    catalogue.iter().map(|found| found.name.clone()).collect()
}
