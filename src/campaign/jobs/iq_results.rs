//! Measured agents to a folder: parts that can be left, taken up again and shared out, then results, estimates and a page.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use racgen_data::error::DataError;
use racgen_data::papers::manifest::Manifest;
use racgen_data::write::files::Files;
use racgen_data::write::folder::{Folder, Part, Taking};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::campaign::error::CampaignError;
use crate::campaign::jobs::iq_data::{PAGE, write_json, write_table};
use crate::campaign::run::Origin;
use crate::campaign::shares::Shares;
use crate::iq::measure::estimate::{AgentEstimate, by_agent, estimate};
use crate::iq::measure::results::{RESULT_COLUMNS, ResultRow};
use crate::iq::measure::run::{AgentPrograms, MeasuredAgent, Measuring};
use crate::iq::measure::schedule::{ScheduledGame, games_after, schedule};
use crate::iq::report::page::page;
use crate::items::progress::Progress;

/// The file of a run with its results.
pub const RESULTS: &str = "results.parquet";
/// The estimates of a run.
pub const ESTIMATES: &str = "estimates.json";
/// Games of a part of a run at most.
const PART: usize = 32;

/// The plan of a run, as it is kept while the folder is filled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct IqRunPlan {
    version: String,
    command: String,
    seed: u64,
    settings: Json,
    agents: Vec<String>,
    parts: Vec<String>,
    shards: usize,
}

impl IqRunPlan {
    /// The parts, each with the shard that makes it.
    pub(crate) fn shares(&self) -> Shares<'_> {
        Shares { parts: &self.parts, shards: self.shards }
    }
}

/// Where a run is written.
#[derive(Clone, Copy, Debug)]
pub struct IqRunFolder<'f> {
    /// The folder.
    pub out: &'f Path,
    /// What may be done with what is there.
    pub taking: Taking,
    /// Which shard of how many is made, counted from 1.
    pub shard: Option<(usize, usize)>,
}

/// Measures agents, part by part, or those of a shard, and writes results and report when all parts are there; none is
/// returned while parts of other shards are missing. `tell` is told of estimates when an iteration is complete.
///
/// # Errors
/// Those of the measure and of the folder. What is finished stays, and a run with the same plan goes on from there.
pub fn write_run(
    measuring: &Measuring,
    agents: &[MeasuredAgent],
    origin: &Origin,
    folder: IqRunFolder,
    progress: &dyn Progress,
    tell: &dyn Fn(&[AgentEstimate]),
    stop: &AtomicBool,
) -> Result<Option<Vec<ResultRow>>, CampaignError> {
    let (shard, shards) = folder.shard.unwrap_or((1, 1));
    let games = schedule(measuring.iterations);
    let parts: Vec<&[ScheduledGame]> =
        games.chunk_by(|a, b| a.iteration == b.iteration).flat_map(|games| games.chunks(PART)).collect();
    let first = |part: &&[ScheduledGame]| part.first().map_or(0, |game| game.number);
    let agent_names: Vec<String> = agents.iter().map(|agent| agent.name().to_owned()).collect();
    let plan = IqRunPlan {
        version: env!("CARGO_PKG_VERSION").into(),
        command: origin.command.clone(),
        seed: origin.seed,
        settings: json!({"measuring": measuring, "agents": agent_names}),
        agents: agent_names,
        parts: parts.iter().map(|part| format!("games-{:06}", first(part))).collect(),
        shards,
    };
    let folder =
        Folder::open(folder.out, &plan, folder.taking, [RESULTS, PAGE, ESTIMATES].map(PathBuf::from))?;
    let programs = AgentPrograms::new(agents.len());
    let own: Vec<usize> = plan.shares().of(shard).collect();
    let (mut rows, mut whole): (Vec<ResultRow>, bool) = (Vec::new(), true);
    progress.begin(own.iter().map(|number| parts[*number].len() as u64).sum(), 0);
    for (number, (part, name)) in parts.iter().zip(&plan.parts).enumerate() {
        let mine = own.contains(&number);
        match folder.part::<Vec<ResultRow>>(name) {
            Some(done) => rows.extend(done.told),
            None if mine => rows.extend(made(measuring.rows(part, agents, &programs, stop)?, name, &folder)?),
            None => whole = false,
        }
        progress.advance(if mine { part.len() as u64 } else { 0 });
        if whole && part.last().is_some_and(|game| game.number + 1 == games_after(game.iteration)) {
            tell(&estimates(&rows));
        }
    }
    match plan.shares().lacking(|part| folder.has(part)) {
        Some(_) => Ok(None),
        None => Ok(Some(finish_run(folder, &plan)?)),
    }
}

/// Keeps the rows of a part.
fn made(rows: Vec<ResultRow>, name: &str, folder: &Folder) -> Result<Vec<ResultRow>, DataError> {
    let part = Part { files: Vec::new(), told: rows };
    folder.keep(name, &part)?;
    // Numbers that were written and read again may differ in their last bit, so that all rows go this way.
    Ok(folder.part(name).unwrap_or(part).told)
}

fn estimates(rows: &[ResultRow]) -> Vec<AgentEstimate> {
    by_agent(rows).iter().filter_map(|own| estimate(own)).collect()
}

/// Writes what a folder is for once all its parts are there; returns the rows.
pub(crate) fn finish_run(folder: Folder, plan: &IqRunPlan) -> Result<Vec<ResultRow>, DataError> {
    let parts = plan.parts.iter().filter_map(|part| folder.part::<Vec<ResultRow>>(part));
    let mut rows: Vec<ResultRow> = parts.flat_map(|part| part.told).collect();
    // Agent by agent, each in the order of games.
    rows.sort_by_key(|row| (plan.agents.iter().position(|name| *name == row.agent), row.number));
    let files = Files::below(folder.path());
    write_table(RESULTS, &RESULT_COLUMNS, &rows, &files)?;
    write_json(ESTIMATES, &estimates(&rows), &files)?;
    files.text(PAGE, &page("How well agents play games", &rows, &[]))?;
    Manifest::new(plan.command.clone(), plan.seed as i64, plan.settings.clone(), files.list())
        .with_details(json!({}))
        .write(folder.path())?;
    folder.complete();
    Ok(rows)
}
