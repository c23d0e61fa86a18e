//! Domain packages to a report, and names to new packages.

use std::path::Path;

use crate::check::survey::check;
use crate::cli::args::folders::Folders;
use crate::cli::args::solver_limits::SolverLimits;
use crate::cli::output::exit::{Exit, print};
use crate::domain::package::Package;
use crate::domain::scaffold::write_new;

/// Checks a package, given by its folder or its name.
///
/// # Errors
/// Its faults.
pub fn check_package(package: &str, folders: &Folders, limits: &SolverLimits) -> Result<(), Exit> {
    let limit = limits.enforce()?;
    let package =
        if Path::new(package).is_dir() { Package::load(package) } else { folders.catalogue()?.load(package) };
    print(&check(&package?, limit)?.to_string())
}

/// Writes a small working package.
///
/// # Errors
/// A name that is none, a folder that is taken.
pub fn new_package(name: &str, dir: &Path) -> Result<(), Exit> {
    let path = write_new(name, dir)?;
    print(&format!("{0} is written; `racgen check {0}` checks it\n", path.display()))
}
