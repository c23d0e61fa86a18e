//! Games to a folder of induction tasks: one part a game, a manifest once all are there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use racgen_data::error::DataError;
use racgen_data::papers::manifest::{FileEntry, Manifest};
use racgen_data::write::folder::{Folder, Part, Taking};
use serde::{Deserialize, Serialize};

use crate::campaign::error::CampaignError;
use crate::campaign::run::Origin;
use crate::campaign::shares::Shares;
use crate::games::error::GameError;
use crate::games::jobs::job::{GameJob, Message, Work};

/// How a job is done: here, or by a watched process. What it reports is passed on.
pub type Perform<'p> =
    &'p dyn Fn(&GameJob, &mut dyn FnMut(Message) -> Result<(), GameError>) -> Result<(), GameError>;

/// Where tasks are written.
#[derive(Clone, Copy, Debug)]
pub struct TaskFolder<'a> {
    /// The folder.
    pub out: &'a Path,
    /// What may be done with what stands there.
    pub taking: Taking,
    /// Which shard of how many is made, counted from 1.
    pub shard: Option<(usize, usize)>,
}

/// The plan of a folder of tasks, as it is kept beside its parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TaskPlan {
    version: String,
    command: String,
    seed: u64,
    settings: serde_json::Value,
    pub(crate) games: Vec<String>,
    shards: usize,
}

impl TaskPlan {
    /// The games, each with the shard that makes it.
    pub(crate) fn parts(&self) -> Shares<'_> {
        Shares { parts: &self.games, shards: self.shards }
    }
}

/// What a run came to.
#[derive(Debug, Default)]
pub struct TaskSummary {
    /// The games that could not be made, and why.
    pub failed: Vec<GameError>,
    /// Are all games there, or known to fail? If not, other shards are missing.
    pub complete: bool,
}

/// Makes the tasks of games, or of a shard of them. A game that fails does not keep the others from being made.
///
/// # Errors
/// A folder that cannot be had, Ctrl-C.
pub fn write_tasks(
    jobs: &[GameJob],
    folder: TaskFolder,
    settings: &serde_json::Value,
    origin: &Origin,
    perform: Perform,
    tell: &dyn Fn(&str),
) -> Result<TaskSummary, CampaignError> {
    let (shard, shards) = folder.shard.unwrap_or((1, 1));
    let plan = TaskPlan {
        version: env!("CARGO_PKG_VERSION").into(),
        command: origin.command.clone(),
        seed: origin.seed,
        settings: settings.clone(),
        games: jobs.iter().map(GameJob::name).collect(),
        shards,
    };
    let names = plan.games.iter().map(|game| PathBuf::from(format!("{game}.json")));
    let folder = Folder::open(folder.out, &plan, folder.taking, names)?;
    let mut summary = TaskSummary::default();
    let mut failed: BTreeMap<String, String> = BTreeMap::new();
    let todo: Vec<usize> = plan.parts().of(shard).filter(|game| !folder.has(&plan.games[*game])).collect();
    for job in todo.into_iter().map(|game| &jobs[game]) {
        match make(job, &folder, perform, tell) {
            Ok(()) => {}
            Err(CampaignError::Games(GameError::Interrupted)) => return Err(CampaignError::Interrupted),
            Err(CampaignError::Games(error)) => {
                failed.insert(job.name(), error.to_string());
                summary.failed.push(error);
            }
            Err(other) => return Err(other),
        }
    }
    if !failed.is_empty() && !plan.games.iter().any(|game| folder.has(game)) {
        folder.abandon(&[]);
        return Ok(summary);
    }
    summary.complete = finish_tasks(folder, &plan, &failed)?;
    Ok(summary)
}

/// Writes the manifest of a folder of tasks once all games are there that did not fail. Are they?
pub(crate) fn finish_tasks(
    folder: Folder,
    plan: &TaskPlan,
    failed: &BTreeMap<String, String>,
) -> Result<bool, DataError> {
    let parts: Vec<Part<()>> = plan.games.iter().filter_map(|game| folder.part::<()>(game)).collect();
    let complete = parts.len() + failed.len() == plan.games.len();
    if complete {
        let files: Vec<FileEntry> = parts.into_iter().flat_map(|part| part.files).collect();
        let manifest = Manifest::new(plan.command.clone(), plan.seed as i64, plan.settings.clone(), files);
        let details = serde_json::json!({"games": plan.games, "failed": failed});
        manifest.with_details(details).write(folder.path())?;
        folder.complete();
    }
    Ok(complete)
}

fn make(job: &GameJob, folder: &Folder, perform: Perform, tell: &dyn Fn(&str)) -> Result<(), CampaignError> {
    let mut files = Vec::new();
    let stage = folder.stage(&job.name())?;
    let mut job = job.clone();
    if let Work::Tasks { out, .. } = &mut job.work {
        *out = Some(stage.path().to_owned());
    }
    perform(&job, &mut |message| {
        match message {
            Message::Text(text) => tell(&text),
            Message::Files(written) => files = written,
            _ => {}
        }
        Ok(())
    })?;
    stage.publish(&files)?;
    folder.keep(&job.name(), &Part { files, told: () })?;
    Ok(())
}
