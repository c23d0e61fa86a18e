//! The transfer suite: training sets over more and more domains, each with as many items, and a test set of domains that none
//! of them has.

use std::collections::{BTreeMap, BTreeSet};

use racgen_logic::seed::stream;
use rand::RngExt;
use serde_json::{Value, json};

use crate::campaign::error::CampaignError;
use crate::campaign::jobs::domain_list::asked_domains;
use crate::campaign::jobs::domains::{Job, identities};
use crate::campaign::jobs::row_options::RowOptions;
use crate::campaign::pool::member::JobMember;
use crate::domain::catalogue::Catalogue;
use crate::factory::settings::{Settings, SplitBy};
use crate::items::apportion::apportion;
use crate::items::source::Split;

/// Items of each set where none are asked for.
const ITEMS: u64 = 20_000;
/// The most domains.
const MOST: u64 = 100_000;
/// The configuration of the test set.
const HELD_OUT: &str = "held_out";

/// How many domains the training sets have, and how many are held out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferSizes {
    /// By training set, how many domains it has.
    pub training: Vec<u64>,
    /// How many domains the test set has.
    pub held_out: u64,
}

/// The training sets, and the test set last, with what the manifest says of them. A training set has the domains of all
/// smaller ones. Where no domains are named, they are those of `invented:0-...`; the first ones are held out, so that the
/// test set is the same for whatever training sets.
///
/// # Errors
/// Options that make no sense; too few domains that are no clones of each other; faults of packages.
pub fn transfer_jobs(
    options: &RowOptions,
    sizes: &TransferSizes,
    catalogue: &Catalogue,
) -> Result<(Vec<Job>, BTreeMap<String, Value>), CampaignError> {
    let bad = |text: String| Err(CampaignError::Settings(text));
    let training: BTreeSet<u64> = sizes.training.iter().copied().collect();
    let (Some(most), true) = (training.last(), sizes.held_out > 0 && !training.contains(&0)) else {
        return bad("--domains takes numbers above 0, as 1,4,16, and --held-out one above 0".into());
    };
    if options.split_by.is_some() || options.splits.is_some() {
        return bad(
            "suite transfer deals whole domains to train and test itself; leave --split-by and --splits out"
                .into(),
        );
    }
    let items = options.items.unwrap_or(ITEMS);
    let usual =
        RowOptions { items: Some(items), split_by: Some(SplitBy::Domain), ..options.clone() }.settings()?;
    let wanted = most + sizes.held_out;
    if wanted > MOST || items < *most || items < sizes.held_out {
        return bad(format!(
            "a set of {items} items cannot have an item of each of {} domains; use a larger --items",
            most.max(&sizes.held_out)
        ));
    }
    let names = distinct(options.domain.as_deref(), wanted as usize, catalogue)?;
    let (held_out, others) = names.split_at(sizes.held_out as usize);
    let set = |name: String, split: &str, domains: &[String]| {
        // Each set has stories of its own.
        let seed = stream(usual.seed, &["transfer", &name]).random::<u32>().into();
        let splits = vec![Split { name: split.to_owned(), weight: 1.0 }];
        let settings = Settings { seed, splits, ..usual.clone() };
        let shares = apportion(items, &vec![1.0; domains.len()]);
        let member = |(domain, items): (&String, u64)| JobMember {
            domain: domain.clone(),
            settings: Settings { items, ..settings.clone() },
        };
        Job { name, members: domains.iter().zip(shares).map(member).collect(), splits: Vec::new() }
    };
    let mut jobs: Vec<Job> = Vec::new();
    let mut told: Vec<Value> = Vec::new();
    for count in &training {
        let job = set(format!("domains_{count}"), "train", &others[..*count as usize]);
        told.push(json!({"configuration": job.name, "split": "train", "domains": count, "items": items}));
        jobs.push(job);
    }
    jobs.push(set(HELD_OUT.to_owned(), "test", held_out));
    let test = json!({"configuration": HELD_OUT, "split": "test", "domains": sizes.held_out, "items": items});
    Ok((jobs, BTreeMap::from([("transfer".to_owned(), json!({"training": told, "test": test}))])))
}

/// The first domains of a list that are no clones of each other, so many of them.
fn distinct(list: Option<&str>, wanted: usize, catalogue: &Catalogue) -> Result<Vec<String>, CampaignError> {
    let mut asked = wanted;
    loop {
        let names = match list {
            Some(list) => asked_domains(list, &catalogue.all())?,
            None => asked_domains(&format!("invented:0-{}", asked - 1), &[])?,
        };
        if names.iter().any(|domain| domain.weight != 1.0) {
            return Err(CampaignError::Settings(
                "suite transfer has as many items of each domain; leave weights out".into(),
            ));
        }
        let names: Vec<&str> = names.iter().map(|domain| domain.name.as_str()).collect();
        let mut owned: BTreeSet<String> = BTreeSet::new();
        let mut kept: Vec<String> = Vec::new();
        for identity in identities(&names, catalogue)? {
            if identity.keys.is_disjoint(&owned) {
                owned.extend(identity.keys);
                kept.push(identity.name);
            }
        }
        if kept.len() >= wanted {
            kept.truncate(wanted);
            return Ok(kept);
        }
        if list.is_some() {
            return Err(CampaignError::Settings(format!(
                "--domain names {} domains that are no clones of each other, and {wanted} are needed, the held-out ones \
                 included; name more, or lower --domains or --held-out",
                kept.len()
            )));
        }
        asked += wanted - kept.len();
    }
}
