//! Domain packages to a report, and names to new packages.

use std::path::Path;

use racgen_logic::fault::Fault;
use serde::Serialize;

use crate::check::offer::offer;
use crate::check::survey::check;
use crate::cli::args::folders::Folders;
use crate::cli::args::solver_limits::SolverLimits;
use crate::cli::output::exit::{Exit, print};
use crate::domain::catalogue::FoundPackage;
use crate::domain::listing::{domains_table, listed_domains};
use crate::domain::package::Package;
use crate::domain::scaffold::{write_like, write_new};

/// What one solver call may take where no data are made: seconds, and mebibytes.
const OFFER_LIMITS: SolverLimits = SolverLimits { time_limit: 60.0, memory_limit: 8192 };
/// Columns of a page.
const WIDTH: usize = 100;

/// Checks a package, given by its folder or its name.
///
/// # Errors
/// Its faults.
pub fn check_package(package: &str, folders: &Folders, limits: &SolverLimits) -> Result<(), Exit> {
    let limit = limits.enforce()?;
    print(&wrapped(&check(&load(package, folders)?, limit)?.to_string()))
}

/// A package, by its folder or its name.
///
/// # Errors
/// A folder or a name that there is not; faults of the package.
pub(crate) fn load(package: &str, folders: &Folders) -> Result<Package, Exit> {
    let catalogue = folders.catalogue()?;
    if !catalogue.holds(package) && catalogue.knows(package) {
        return Ok(catalogue.load(package)?);
    }
    Ok(found(package, folders)?.load()?)
}

/// Where a package stands that is given by its folder or its name.
fn found(package: &str, folders: &Folders) -> Result<FoundPackage, Exit> {
    let catalogue = folders.catalogue()?;
    let path = Path::new(package);
    if path.join("domain.toml").is_file() {
        return Ok(FoundPackage::at(path));
    }
    let known = catalogue.iter().any(|found| found.name == package);
    // Whoever names a folder means that folder.
    let named = path.components().count() > 1 || package.ends_with('/') || package.starts_with('.');
    if !known && path.is_dir() {
        let place = path.display().to_string();
        let remedy = "a package has one, see domains/README.md; `racgen new NAME` writes one to start from";
        return Err(
            Fault::new(&place, 0, "this folder holds no domain.toml, so it is no package", remedy).into()
        );
    }
    if !known && named {
        return Err(
            Fault::new(package, 0, "there is no such folder", "check the spelling of the path").into()
        );
    }
    Ok(catalogue.named(package)?.clone())
}

/// Lists the domains, or what one of them offers.
///
/// # Errors
/// A domain that there is not, or that has faults.
pub fn domains(name: Option<&str>, json: bool, folders: &Folders) -> Result<(), Exit> {
    let Some(name) = name else {
        let catalogue = folders.catalogue()?;
        return if json {
            print_json(&listed_domains(&catalogue))
        } else {
            print(&domains_table(&catalogue).to_string())
        };
    };
    let offer = offer(&load(name, folders)?, OFFER_LIMITS.enforce()?)?;
    if json { print_json(&offer) } else { print(&offer.to_string()) }
}

fn print_json(value: &impl Serialize) -> Result<(), Exit> {
    let text = serde_json::to_string_pretty(value).map_err(Exit::failure)?;
    print(&(text + "\n"))
}

/// A text with lines of bearable length; those that go on one are set in.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let set_in = if line.starts_with("- ") || line.starts_with("note: ") { "  " } else { "" };
        let options = textwrap::Options::new(WIDTH)
            .subsequent_indent(set_in)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .break_words(false);
        out += textwrap::fill(line, options).trim_end();
        out.push('\n');
    }
    out
}

/// Writes a small working package, or a copy of another one.
///
/// # Errors
/// A name that is none, a folder that is taken; another package that there is not, or that has faults.
pub fn new_package(name: &str, dir: &Path, like: Option<&str>, folders: &Folders) -> Result<(), Exit> {
    let path = match like {
        Some(other) => write_like(name, dir, &found(other, folders)?)?,
        None => write_new(name, dir)?,
    };
    print(&format!("{0} is written; `racgen check {0}` checks it\n", path.display()))
}
