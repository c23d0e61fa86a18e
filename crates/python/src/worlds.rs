//! A world to act in, kept by a thread of its own, for Python.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::{PyResult, Python, pyclass, pymethods};
use racgen::domain::package::Package;
use racgen::language::acting::{ActedWorld, WorldShape};
use racgen_logic::term::Term;

use crate::actors::Actor;
use crate::domains::{LIMIT, load};
use crate::failure::CallFailure;

/// A domain, by its name or folder, and the folders that are looked in.
type NamedDomain = (String, Vec<PathBuf>);

/// The package of a domain, which stays: there are few in a process, and the worlds of many episodes share them.
fn package(named: NamedDomain) -> Result<&'static Package, CallFailure> {
    static PACKAGES: Mutex<BTreeMap<NamedDomain, &'static Package>> = Mutex::new(BTreeMap::new());
    let mut packages = PACKAGES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = packages.get(&named) {
        return Ok(known);
    }
    let made: &'static Package = Box::leak(Box::new(load(&named.0, &named.1)?));
    packages.insert(named, made);
    Ok(made)
}

fn json(value: &impl serde::Serialize) -> Result<String, CallFailure> {
    serde_json::to_string(value).map_err(CallFailure::other)
}

/// A world of a domain to act in.
#[pyclass(frozen, module = "racgen._native")]
pub struct ActingWorld {
    world: Actor<ActedWorld<'static>>,
}

#[pymethods]
impl ActingWorld {
    /// The world of a level that a seed draws; `parameters` are fixed whatever the level says.
    #[new]
    fn new(
        py: Python<'_>,
        domain: String,
        level: i32,
        seed: u64,
        parameters: BTreeMap<String, i64>,
        domain_dir: Vec<PathBuf>,
    ) -> PyResult<ActingWorld> {
        let make = move || {
            let package = package((domain, domain_dir))?;
            if !package.levels.contains_key(&level) {
                let known: Vec<String> = package.levels.keys().map(ToString::to_string).collect();
                return Err(CallFailure::usage(format!(
                    "there is no level {level}; there are {}",
                    known.join(", ")
                )));
            }
            ActedWorld::new(package, level, seed, &parameters, LIMIT).map_err(CallFailure::other)
        };
        Ok(ActingWorld { world: Actor::begin(py, make)? })
    }

    /// Was it made by this process, rather than by the one that this was forked from?
    fn is_here(&self) -> bool {
        self.world.is_here()
    }

    /// What stays the same, whatever is done, as a JSON object.
    fn shape(&self, py: Python<'_>) -> PyResult<String> {
        let told = self.world.ask(py, |world| {
            let shape: WorldShape = world.shape()?;
            json(&shape)
        })?;
        told.map_err(|error: CallFailure| error.raised(py))
    }

    /// Begins in the situation of a number: its true fluents and executable actions, by their places.
    fn begin(&self, py: Python<'_>, situation: usize) -> PyResult<(Vec<usize>, Vec<usize>)> {
        let seen = self.world.ask(py, move |world| world.begin(situation).map_err(CallFailure::other))?;
        seen.map(|seen| (seen.fluents, seen.executable)).map_err(|error| error.raised(py))
    }

    /// Does the action of a number; None where it cannot be done.
    fn act(&self, py: Python<'_>, action: usize) -> PyResult<Option<(Vec<usize>, Vec<usize>)>> {
        let seen = self.world.ask(py, move |world| world.act(action).map_err(CallFailure::other))?;
        seen.map(|seen| seen.map(|seen| (seen.fluents, seen.executable))).map_err(|error| error.raised(py))
    }

    /// The situation as a paragraph.
    fn told(&self, py: Python<'_>) -> PyResult<String> {
        let told = self.world.ask(py, |world| world.told().map_err(CallFailure::from))?;
        told.map_err(|error| error.raised(py))
    }

    /// What can be asked, with answers, as a JSON array; of one query only, if one is given.
    fn asked(&self, py: Python<'_>, query: Option<String>) -> PyResult<String> {
        let term = query.map(|query| query.parse::<Term>()).transpose();
        let term = term.map_err(|error| CallFailure::usage(error).raised(py))?;
        let asked = self.world.ask(py, move |world| json(&world.asked(term.as_ref())))?;
        asked.map_err(|error| error.raised(py))
    }
}
