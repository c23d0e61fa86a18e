//! The shards of a run, copied into one folder, to a finished folder, whatever it holds.

use std::collections::BTreeMap;
use std::path::Path;

use racgen_data::error::DataError;
use racgen_data::write::folder::Folder;
use serde::Deserialize;

use crate::campaign::finish::{Finished, finish};
use crate::campaign::jobs::iq_results::{IqRunPlan, finish_run};
use crate::campaign::jobs::rule_data::{RulePlan, finish_suite};
use crate::campaign::jobs::task_data::{TaskPlan, finish_tasks};
use crate::campaign::plan::RunPlan;
use crate::rules::files::suite::Made;

/// What a folder was completed to.
#[derive(Debug)]
pub enum Joined {
    /// Items.
    Items(Box<Finished>),
    /// The data sets of a suite of rule sets.
    RuleSets(Vec<Made>),
    /// The tasks of these games.
    Games(Vec<String>),
    /// Results of agents in sampled games.
    Results(usize),
}

/// The plan of a run, of whatever kind.
#[derive(Deserialize)]
#[serde(untagged)]
enum AnyPlan {
    Items(RunPlan),
    Rules(RulePlan),
    Games(TaskPlan),
    Results(IqRunPlan),
}

/// What a folder lacks: how many, of what, and the shard that makes the first.
struct Lack {
    what: String,
    shard: usize,
    shards: usize,
}

/// Completes a folder that the shards of one run were copied into.
///
/// # Errors
/// A folder without records of a run, a missing shard, output errors.
pub fn join(out: &Path) -> Result<Joined, DataError> {
    let (folder, plan) = Folder::reopen::<AnyPlan>(out)?;
    if let Some(Lack { what, shard, shards }) = plan.lack(&folder) {
        let what = format!("lacks {what} of shard {shard} of {shards}; make that shard, then join again");
        return Err(DataError::Occupied { path: out.to_owned(), what });
    }
    match plan {
        AnyPlan::Items(plan) => Ok(Joined::Items(Box::new(finish(folder, &plan)?))),
        AnyPlan::Rules(plan) if plan.members.is_empty() => {
            let what = "holds an unfinished rule data set, which has no shards; continue it with its own command and \
                        --resume, or replace it with --force";
            Err(DataError::Occupied { path: out.to_owned(), what: what.into() })
        }
        AnyPlan::Rules(plan) => Ok(Joined::RuleSets(finish_suite(folder, &plan)?.0)),
        AnyPlan::Games(plan) => {
            finish_tasks(folder, &plan, &BTreeMap::new())?;
            Ok(Joined::Games(plan.games))
        }
        AnyPlan::Results(plan) => Ok(Joined::Results(finish_run(folder, &plan)?.len())),
    }
}

impl AnyPlan {
    fn lack(&self, folder: &Folder) -> Option<Lack> {
        let (parts, noun) = match self {
            AnyPlan::Items(plan) => return files(plan, folder),
            AnyPlan::Rules(plan) => (plan.parts(), "data sets"),
            AnyPlan::Games(plan) => (plan.parts(), "games"),
            AnyPlan::Results(plan) => (plan.shares(), "parts"),
        };
        let (lacking, shard) = parts.lacking(|part| folder.has(part))?;
        let what = format!("{} {noun}, the first `{}`", lacking.len(), lacking[0]);
        Some(Lack { what, shard, shards: parts.shards })
    }
}

/// The files of items that are missing.
fn files(plan: &RunPlan, folder: &Folder) -> Option<Lack> {
    let missing: Vec<_> = plan.files.iter().filter(|file| !folder.has(&file.record())).collect();
    let shard = missing.first()?.shard(plan.shards);
    Some(Lack { what: format!("{} files, the first", missing.len()), shard, shards: plan.shards })
}
