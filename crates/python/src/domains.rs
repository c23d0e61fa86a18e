//! Folders and names of domains to what is known of them, as JSON.

use std::path::{Path, PathBuf};
use std::time::Duration;

use pyo3::{PyResult, Python, pyfunction};
use racgen::check::offer::offer;
use racgen::check::survey::check;
use racgen::domain::catalogue::Catalogue;
use racgen::domain::listing::listed_domains;
use racgen::domain::package::Package;
use racgen::invent::invented::files_by_name;

use crate::failure::CallFailure;
use crate::waiting::wait;

/// What one call of the solver may take where no data are made.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

/// A package, by its name or its folder.
pub(crate) fn load(name: &str, folders: &[PathBuf]) -> Result<Package, CallFailure> {
    if Path::new(name).join("domain.toml").is_file() {
        return Ok(Package::load(name)?);
    }
    Ok(Catalogue::find(folders)?.with_made(files_by_name).load(name)?)
}

fn json(value: &impl serde::Serialize) -> Result<String, CallFailure> {
    serde_json::to_string(value).map_err(CallFailure::other)
}

/// The packages that are found, as a JSON array.
#[pyfunction]
pub fn list_domains(py: Python<'_>, domain_dir: Vec<PathBuf>) -> PyResult<String> {
    let found = wait(py, move |_| json(&listed_domains(&Catalogue::find(&domain_dir)?)))?;
    found.map_err(|error: CallFailure| error.raised(py))
}

/// What a package offers, as a JSON object.
#[pyfunction]
pub fn describe_domain(py: Python<'_>, name: String, domain_dir: Vec<PathBuf>) -> PyResult<String> {
    let told = wait(py, move |_| json(&offer(&load(&name, &domain_dir)?, LIMIT)?))?;
    told.map_err(|error: CallFailure| error.raised(py))
}

/// The report of a thorough check.
#[pyfunction]
pub fn check_domain(
    py: Python<'_>,
    name: String,
    domain_dir: Vec<PathBuf>,
    time_limit: f64,
) -> PyResult<String> {
    let limit = Duration::try_from_secs_f64(time_limit).unwrap_or(LIMIT);
    let told = wait(py, move |_| Ok(check(&load(&name, &domain_dir)?, limit)?.to_string()))?;
    told.map_err(|error: CallFailure| error.raised(py))
}
