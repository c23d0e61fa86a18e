//! Jobs of domains to the sources that make their items, and to a folder.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::campaign::error::CampaignError;
use crate::campaign::jobs::domain_list::asked_domains;
use crate::campaign::jobs::row_options::RowOptions;
use crate::campaign::pool::dealing::{DomainProof, dealt};
use crate::campaign::pool::identity::DomainIdentity;
use crate::campaign::pool::member::{JobMember, Shelf};
use crate::campaign::pool::members::DomainPool;
use crate::campaign::run::{Config, Origin, Output, Summary, run};
use crate::domain::catalogue::Catalogue;
use crate::factory::settings::Settings;
use crate::items::progress::Progress;
use crate::items::source::{ItemSource, Split};

/// What a configuration of several domains is called.
const POOL: &str = "pool";

/// One configuration of a data set of domains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Its name, which is that of its folder where there are several.
    pub name: String,
    /// The domains, at least one.
    pub members: Vec<JobMember>,
    /// The names of its splits, where the domains have different ones.
    pub splits: Vec<String>,
}

impl Job {
    /// A configuration of one domain.
    pub fn of(name: &str, domain: &str, settings: Settings) -> Job {
        let members = vec![JobMember { domain: domain.to_owned(), settings }];
        Job { name: name.to_owned(), members, splits: Vec::new() }
    }

    /// Are its domains dealt to splits?
    fn is_dealt(&self) -> bool {
        self.members.iter().any(|member| member.settings.split_by.is_of_domains())
    }
}

/// The jobs that options ask for: one for each domain named, or one for all of them; `all` are those whose actions have one
/// outcome each. A configuration's name is that of its domain unless one is given.
///
/// # Errors
/// Options that make no sense, or name no domain; where whole domains are dealt to splits, faults of packages.
pub fn jobs(
    options: &RowOptions,
    name: Option<&str>,
    catalogue: &Catalogue,
) -> Result<Vec<Job>, CampaignError> {
    let domains = options.domain.as_deref().ok_or_else(|| {
        let known = catalogue.names().join(", ");
        CampaignError::Settings(format!("which domain? --domain takes one of {known}, or several, or all"))
    })?;
    let settings = options.settings()?;
    let asked = asked_domains(domains, &catalogue.all())?;
    let several = asked.len() > 1;
    let mut members: Vec<JobMember> = Vec::new();
    for domain in asked {
        let items = (settings.items as f64 * domain.weight).round().max(1.0) as u64;
        members.push(JobMember { domain: domain.name, settings: Settings { items, ..settings.clone() } });
    }
    if settings.split_by.is_of_domains() {
        deal(&mut members, &settings, catalogue)?;
    }
    if options.pool && several || settings.split_by.is_of_domains() {
        let splits = settings.splits.iter().map(|split| split.name.clone()).collect();
        return Ok(vec![Job { name: name.unwrap_or(POOL).to_owned(), members, splits }]);
    }
    let job = |member: JobMember| Job {
        name: match name {
            Some(name) if several => format!("{name}_{}", member.domain),
            Some(name) => name.to_owned(),
            None => member.domain.clone(),
        },
        members: vec![member],
        splits: Vec::new(),
    };
    Ok(members.into_iter().map(job).collect())
}

/// What tells domains and their clones.
///
/// # Errors
/// Faults of packages.
pub fn identities(domains: &[&str], catalogue: &Catalogue) -> Result<Vec<DomainIdentity>, CampaignError> {
    let of = |domain: &&str| Ok(DomainIdentity::of(&catalogue.load(domain)?));
    domains.par_iter().map(of).collect()
}

/// Gives each domain one of the splits.
fn deal(members: &mut [JobMember], settings: &Settings, catalogue: &Catalogue) -> Result<(), CampaignError> {
    let names: Vec<&str> = members.iter().map(|member| member.domain.as_str()).collect();
    let identities = identities(&names, catalogue)?;
    let splits = dealt(&identities, &settings.splits, settings.split_by, settings.seed)?;
    for (member, split) in members.iter_mut().zip(splits) {
        member.settings.splits = vec![Split { weight: 1.0, ..settings.splits[split].clone() }];
    }
    Ok(())
}

/// A source for each job; `limit` is that of each solver call.
///
/// # Errors
/// Faults of packages, settings that make no sense.
pub fn sources(
    catalogue: &Catalogue,
    jobs: &[Job],
    limit: Duration,
) -> Result<Vec<DomainPool>, CampaignError> {
    each_source(catalogue, jobs, limit).into_iter().collect()
}

/// As [`sources`], with what is wrong of each job.
pub fn each_source(
    catalogue: &Catalogue,
    jobs: &[Job],
    limit: Duration,
) -> Vec<Result<DomainPool, CampaignError>> {
    let shelf = Arc::new(Shelf::default());
    let mut made: Vec<Result<DomainPool, CampaignError>> = jobs
        .par_iter()
        .map(|job| DomainPool::new(catalogue, (&job.members, &job.splits), limit, shelf.clone()))
        .collect();
    let mut proof = DomainProof::default();
    for (job, source) in jobs.iter().zip(&made) {
        if let (true, Ok(source)) = (job.is_dealt(), source) {
            source.prove(&mut proof);
        }
    }
    if let (false, Some(Ok(first))) = (proof.0.is_empty(), made.first_mut()) {
        first.tell("domains", serde_json::json!(proof));
    }
    made
}

/// The configurations of jobs and their sources.
pub fn configs<'f>(jobs: &[Job], sources: &'f [DomainPool]) -> Vec<Config<'f>> {
    let config = |(job, source): (&Job, &'f DomainPool)| Config {
        name: job.name.clone(),
        source: source as &dyn ItemSource,
    };
    jobs.iter().zip(sources).map(config).collect()
}

/// Makes a data set of domains, or one shard of it.
///
/// # Errors
/// Those of [`sources`] and of [`run`].
pub fn run_jobs(
    catalogue: &Catalogue,
    jobs: &[Job],
    limit: Duration,
    output: &Output,
    command: &str,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<Summary, CampaignError> {
    let sources = sources(catalogue, jobs, limit)?;
    let origin = Origin { command: command.to_owned(), seed: seed(jobs) };
    run(&configs(jobs, &sources), output, &origin, progress, stop)
}

/// The root seed of jobs: that of the first.
pub fn seed(jobs: &[Job]) -> u64 {
    jobs.first().and_then(|job| job.members.first()).map_or(0, |member| member.settings.seed)
}
