//! Jobs of domains to the sources that make their items, and to a folder.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::campaign::error::CampaignError;
use crate::campaign::jobs::row_options::RowOptions;
use crate::campaign::run::{Config, Origin, Output, Summary, run};
use crate::check::survey::check_quick;
use crate::domain::catalogue::Catalogue;
use crate::factory::settings::Settings;
use crate::factory::source::Factory;
use crate::items::progress::Progress;

/// One configuration of a data set of domains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Its name, which is that of its folder where there are several.
    pub name: String,
    /// The domain.
    pub domain: String,
    /// What its rows are.
    pub settings: Settings,
}

/// The jobs that options ask for, one for each domain named; `known` are the domains that were found. All of them are those
/// whose actions have one outcome each: of others not the same can be asked. A configuration's name is that of its domain
/// unless one is given.
///
/// # Errors
/// Options that make no sense, or name no domain.
pub fn jobs(options: &RowOptions, name: Option<&str>, known: &Catalogue) -> Result<Vec<Job>, CampaignError> {
    let domains = options.domain.as_deref().ok_or_else(|| {
        let known = known.names().join(", ");
        CampaignError::Settings(format!("which domain? --domain takes one of {known}, or several, or all"))
    })?;
    let domains: Vec<&str> = match domains {
        "all" => {
            known.iter().filter(|found| !found.has_outcomes()).map(|found| found.name.as_str()).collect()
        }
        list => list.split(',').map(str::trim).collect(),
    };
    let settings = options.settings()?;
    let several = domains.len() > 1;
    let job = |domain: &&str| Job {
        name: match name {
            Some(name) if several => format!("{name}_{domain}"),
            Some(name) => name.to_owned(),
            None => (*domain).to_owned(),
        },
        domain: (*domain).to_owned(),
        settings: settings.clone(),
    };
    Ok(domains.iter().map(job).collect())
}

/// A factory for each job; `limit` is that of each solver call.
///
/// # Errors
/// Faults of packages, settings that make no sense.
pub fn factories(
    catalogue: &Catalogue,
    jobs: &[Job],
    limit: Duration,
) -> Result<Vec<Factory>, CampaignError> {
    jobs.iter().map(|job| factory(catalogue, job, limit)).collect()
}

/// The factory of one job.
///
/// # Errors
/// Those of [`factories`].
pub fn factory(catalogue: &Catalogue, job: &Job, limit: Duration) -> Result<Factory, CampaignError> {
    job.settings.check().map_err(CampaignError::Settings)?;
    let package = catalogue.load(&job.domain)?;
    job.settings.check_for(&package).map_err(CampaignError::Settings)?;
    check_quick(&package, limit)?;
    Ok(Factory::new(package, job.settings.clone(), limit))
}

/// The configurations of jobs and their factories.
pub fn configs<'f>(jobs: &[Job], factories: &'f [Factory]) -> Vec<Config<'f>> {
    let config = |(job, source): (&Job, &'f Factory)| Config { name: job.name.clone(), source };
    jobs.iter().zip(factories).map(config).collect()
}

/// Makes a data set of domains, or one shard of it.
///
/// # Errors
/// Those of [`factories`] and of [`run`].
pub fn run_jobs(
    catalogue: &Catalogue,
    jobs: &[Job],
    limit: Duration,
    output: &Output,
    command: &str,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<Summary, CampaignError> {
    let factories = factories(catalogue, jobs, limit)?;
    let origin = Origin { command: command.to_owned(), seed: seed(jobs) };
    run(&configs(jobs, &factories), output, &origin, progress, stop)
}

/// The root seed of jobs: that of the first.
pub fn seed(jobs: &[Job]) -> u64 {
    jobs.first().map_or(0, |job| job.settings.seed)
}
