//! Rule data sets to folders: their files, questions about them as a data set of items inside, and a manifest.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use racgen_data::error::DataError;
use racgen_data::papers::card::CARD;
use racgen_data::papers::manifest::{FileEntry, MANIFEST, Manifest};
use racgen_data::write::files::Files;
use racgen_data::write::folder::{Folder, Part};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::campaign::error::CampaignError;
use crate::campaign::run::{Config, Origin, Output, run};
use crate::campaign::shares::Shares;
use crate::items::progress::{Progress, Silent};
use crate::rules::files::folder::{Extra, RUDAS_FILES, write_files};
use crate::rules::files::manifest::details;
use crate::rules::files::suite::{Made, Member};
use crate::rules::generate::command::command_of;
use crate::rules::generate::dataset::{RuleData, rule_data};
use crate::rules::questions::source::RuleQuestions;

/// Folder of the questions, below that of a data set.
const QUESTIONS: &str = "questions";

/// What is written of a rule data set.
#[derive(Clone, Debug)]
pub struct RuleWriting {
    /// Besides RuDaS's files.
    pub extras: Vec<Extra>,
    /// Questions in plain language, at least, if [`Extra::Questions`] is written.
    pub questions: u64,
    /// How they are written; the folder is another.
    pub items: Output,
}

impl RuleWriting {
    /// What is written into a folder, in Parquet where there are questions.
    pub fn new(extras: &[Extra], questions: u64, out: &Path) -> RuleWriting {
        RuleWriting { extras: extras.to_vec(), questions, items: Output::into(out) }
    }

    /// A command with the options that write the same files again.
    fn command(&self, start: &str) -> String {
        let mut command = start.to_owned();
        if self.extras != Extra::ALL {
            let names: Vec<&str> = self.extras.iter().map(|extra| extra.name()).collect();
            command +=
                &format!(" --extras {}", if names.is_empty() { "none".into() } else { names.join(",") });
        }
        if !self.extras.contains(&Extra::Questions) {
            return command;
        }
        command += &format!(" --questions {}", self.questions);
        let usual = Output::into(&self.items.out);
        if self.items.formats != usual.formats {
            let names: Vec<&str> = self.items.formats.iter().map(|format| format.extension()).collect();
            command += &format!(" --format {}", names.join(","));
        }
        if !self.items.styles.is_empty() {
            let names: Vec<&str> = self.items.styles.iter().map(|style| style.name()).collect();
            command += &format!(" --style {}", names.join(","));
        }
        if self.items.licence != usual.licence {
            command += &format!(" --license {}", self.items.licence);
        }
        if self.items.rows_per_file != usual.rows_per_file {
            command += &format!(" --rows-per-file {}", self.items.rows_per_file);
        }
        command
    }

    /// Where a data set comes from that is written so.
    fn origin(&self, data: &RuleData) -> Origin {
        Origin { command: self.command(&command_of(&data.settings)), seed: data.settings.seed }
    }
}

/// The plan of a folder of rule data, as it is kept beside its parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RulePlan {
    version: String,
    command: String,
    seed: u64,
    /// What the manifest of the whole says was asked for.
    settings: serde_json::Value,
    /// The data sets of a suite; empty for one data set.
    pub(crate) members: Vec<String>,
    shards: usize,
}

impl RulePlan {
    fn new(
        writing: &RuleWriting,
        origin: &Origin,
        settings: serde_json::Value,
        members: Vec<String>,
    ) -> RulePlan {
        RulePlan {
            version: env!("CARGO_PKG_VERSION").into(),
            command: origin.command.clone(),
            seed: origin.seed,
            settings,
            members,
            shards: writing.items.shard.map_or(1, |(_, shards)| shards),
        }
    }

    /// The parts of a suite, each with the shard that makes it.
    pub(crate) fn parts(&self) -> Shares<'_> {
        Shares { parts: &self.members, shards: self.shards }
    }
}

/// Writes a data set into a folder.
///
/// # Errors
/// Those of the output; a new folder is then gone again.
pub fn write_rule_data(
    data: &RuleData,
    writing: &RuleWriting,
    stop: &AtomicBool,
) -> Result<(), CampaignError> {
    let out = &writing.items.out;
    let origin = writing.origin(data);
    let plan = RulePlan::new(writing, &origin, serde_json::json!(data.settings), Vec::new());
    let names = RUDAS_FILES.iter().chain(&[QUESTIONS]).map(PathBuf::from);
    let folder = Folder::open(out, &plan, writing.items.taking(), names)?;
    let files = Files::below(out);
    match write_into(data, writing, &origin, &files, stop) {
        Ok(()) => {
            folder.complete();
            Ok(())
        }
        Err(error) => {
            folder.abandon(&files.finish());
            Err(error)
        }
    }
}

/// Writes all files of a data set, the manifest last.
fn write_into(
    data: &RuleData,
    writing: &RuleWriting,
    origin: &Origin,
    files: &Files,
    stop: &AtomicBool,
) -> Result<(), CampaignError> {
    write_files(data, &writing.extras, files)?;
    let mut listed = files.list();
    let questions = match writing.extras.contains(&Extra::Questions) {
        true => Some(RuleQuestions::new(data, writing.questions)?),
        false => None,
    };
    if let Some(source) = questions.as_ref().filter(|source| source.rows().next().is_some()) {
        let output = Output { out: files.path(QUESTIONS), shard: None, force: true, ..writing.items.clone() };
        let config = Config { name: QUESTIONS.into(), source };
        let summary = run(&[config], &output, origin, &Silent, stop)?;
        listed.extend(summary.finished.files.into_iter().map(|file| file.below(QUESTIONS)));
        // So that a run that replaces this one knows them.
        for name in [CARD, MANIFEST] {
            listed.push(FileEntry::found(&files.path(QUESTIONS), name)?.below(QUESTIONS));
        }
    }
    let asked = questions.iter().flat_map(RuleQuestions::rows);
    let settings = serde_json::json!(data.settings);
    let manifest = Manifest::new(origin.command.clone(), origin.seed as i64, settings, listed);
    let told = details(data, asked, writing.extras.contains(&Extra::Amie));
    manifest.with_details(told).write(&files.path(""))?;
    Ok(())
}

/// Makes the data sets of a suite, or a shard of them, each in a folder of its own. Those that are there already in an
/// unfinished run are not made again. `origin` is the suite's, without how it is written. Returns what there is now, and
/// whether all is there.
///
/// # Errors
/// Those of the data sets, and those of the output.
pub fn write_suite(
    members: &[Member],
    writing: &RuleWriting,
    origin: &Origin,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<(Vec<Made>, bool), CampaignError> {
    let origin = Origin { command: writing.command(&origin.command), seed: origin.seed };
    let all = members.iter().map(|member| member.name.clone()).collect();
    let plan = RulePlan::new(writing, &origin, serde_json::json!({"suite": members}), all);
    let names = members.iter().map(|member| PathBuf::from(&member.name));
    let folder = Folder::open(&writing.items.out, &plan, writing.items.taking(), names)?;
    let (shard, _) = writing.items.shard.unwrap_or((1, 1));
    let (done, todo): (Vec<usize>, Vec<usize>) =
        plan.parts().of(shard).partition(|number| folder.has(&members[*number].name));
    progress.begin((done.len() + todo.len()) as u64, done.len() as u64);
    todo.par_iter().try_for_each(|number| -> Result<(), CampaignError> {
        if stop.load(Ordering::Relaxed) {
            return Err(CampaignError::Interrupted);
        }
        member(&members[*number], writing, &folder, stop)?;
        progress.advance(1);
        Ok(())
    })?;
    Ok(finish_suite(folder, &plan)?)
}

/// Writes the manifest of a suite once all its data sets are there. Returns those that are, and whether these are all.
pub(crate) fn finish_suite(folder: Folder, plan: &RulePlan) -> Result<(Vec<Made>, bool), DataError> {
    let parts = plan.members.iter().map(|member| folder.part::<Made>(member));
    let parts: Vec<Part<Made>> = parts.flatten().collect();
    let made: Vec<Made> = parts.iter().map(|part| part.told.clone()).collect();
    let complete = parts.len() == plan.members.len();
    if complete {
        let files: Vec<FileEntry> = parts.into_iter().flat_map(|part| part.files).collect();
        let manifest = Manifest::new(plan.command.clone(), plan.seed as i64, plan.settings.clone(), files);
        manifest.with_details(serde_json::json!({"data_sets": made})).write(folder.path())?;
        folder.complete();
    }
    Ok((made, complete))
}

/// Makes and writes one data set of a suite.
fn member(
    member: &Member,
    writing: &RuleWriting,
    folder: &Folder,
    stop: &AtomicBool,
) -> Result<(), CampaignError> {
    let data = rule_data(&member.settings)?;
    let files = Files::below(&folder.path().join(&member.name));
    let single = Output { threads: 1, ..writing.items.clone() };
    let single = RuleWriting { items: single, ..writing.clone() };
    write_into(&data, &single, &single.origin(&data), &files, stop)?;
    let manifest: Option<Manifest> = Manifest::read(&files.path(""));
    let listed = manifest.into_iter().flat_map(|manifest| manifest.files.into_iter().chain(manifest.forms));
    let mut listed: Vec<FileEntry> = listed.map(|file| file.below(&member.name)).collect();
    listed.push(FileEntry::found(&files.path(""), MANIFEST)?.below(&member.name));
    folder.keep(&member.name, &Part { files: listed, told: Made::of(member, &data) })?;
    Ok(())
}
