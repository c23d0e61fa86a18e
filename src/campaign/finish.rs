//! Finished parts to a finished folder: other forms of the items, texts beside them, card and manifest.

use std::collections::{BTreeMap, BTreeSet};

use racgen_data::error::DataError;
use racgen_data::format::{Format, shard_path};
use racgen_data::papers::card::{CardInfo, write_card};
use racgen_data::papers::front_matter::CardConfig;
use racgen_data::papers::manifest::{Exception, FileEntry, Manifest};
use racgen_data::papers::tally::Tally;
use racgen_data::read::rows::rows;
use racgen_data::training::files::{Styled, write_styles};
use racgen_data::write::folder::{Folder, Part};

use crate::campaign::plan::{ConfigPlan, RunPlan};
use crate::campaign::writer::Counted;

/// The name of the record of texts beside the items.
pub const COMPANIONS: &str = "companions";

/// What a folder holds.
#[derive(Clone, Debug, Default)]
pub struct Finished {
    /// What the rows add up to.
    pub tally: Tally,
    /// The files of the data set.
    pub files: Vec<FileEntry>,
    /// Forms of questions left out.
    pub exceptions: Vec<Exception>,
    /// Is the data set complete? If not, other shards are missing.
    pub complete: bool,
}

/// Writes card and manifest once all parts are there.
///
/// # Errors
/// Those of the operating system.
pub fn finish(folder: Folder, plan: &RunPlan) -> Result<Finished, DataError> {
    let mut done = Finished { complete: true, ..Finished::default() };
    let mut by_config: Vec<Vec<FileEntry>> = vec![Vec::new(); plan.configs.len()];
    let mut example = None;
    // Every file of a source repeats them.
    let mut exceptions: BTreeSet<Exception> = BTreeSet::new();
    let mut memory: BTreeMap<String, u64> = BTreeMap::new();
    for file in &plan.files {
        let Some(Part { files, told }) = folder.part::<Counted>(&file.record()) else {
            done.complete = false;
            continue;
        };
        memory.extend(files.iter().map(|file| (file.path.clone(), told.memory)));
        by_config[file.config].extend(files.iter().cloned());
        done.files.extend(files);
        done.tally.merge(told.tally);
        exceptions.extend(told.exceptions);
        example = example.or(told.example);
    }
    done.exceptions = exceptions.into_iter().collect();
    if !done.complete {
        return Ok(done);
    }
    done.files.extend(folder.part::<()>(COMPANIONS).into_iter().flat_map(|part| part.files));
    let own = plan.configs.iter().zip(&by_config);
    let mut configs: Vec<CardConfig> = own
        .clone()
        .map(|(config, files)| {
            CardConfig::new(&config.name, files).with_extra(&config.extra).with_memory(&memory)
        })
        .collect();
    let mut forms = Vec::new();
    for (config, files) in own.filter(|_| !plan.styles.is_empty()) {
        let styled = other_forms(&folder, plan, config, files)?;
        configs.extend(styled.configs);
        forms.extend(styled.files);
    }
    if let Some(example) = example {
        let info = CardInfo {
            title: title(plan),
            licence: plan.licence.clone(),
            command: plan.command.clone(),
            by_instance: plan.configs.iter().any(|config| config.about.by_instance),
            configs,
            example,
        };
        write_card(folder.path(), &info)?;
    }
    let settings = plan.configs.iter().flat_map(|config| match &config.settings {
        serde_json::Value::Array(members) => members.clone(),
        one => vec![one.clone()],
    });
    let manifest =
        Manifest::new(plan.command.clone(), plan.seed as i64, settings.collect(), done.files.clone());
    forms.sort_by(|a: &FileEntry, b: &FileEntry| a.path.cmp(&b.path));
    let manifest = manifest.with_details(&plan.details);
    let manifest = Manifest { forms, ..manifest.with_items(&done.tally, done.exceptions.clone()) };
    manifest.write(folder.path())?;
    folder.complete();
    Ok(done)
}

/// What a card is called: the subject, and what all configurations are about.
fn title(plan: &RunPlan) -> String {
    let mut titles: Vec<&str> = Vec::new();
    for title in plan.configs.iter().flat_map(|config| &config.about.titles) {
        if !titles.contains(&title.as_str()) {
            titles.push(title);
        }
    }
    let subject = plan.configs.first().map_or("", |config| config.about.subject.as_str());
    if titles.is_empty() { subject.to_owned() } else { format!("{subject}: {}", titles.join(", ")) }
}

/// Writes the items of a configuration in the other forms that were asked for.
fn other_forms(
    folder: &Folder,
    plan: &RunPlan,
    config: &ConfigPlan,
    files: &[FileEntry],
) -> Result<Styled, DataError> {
    let out = folder.path();
    // Hugging Face datasets takes all files of a card to have one format.
    let format = files.iter().filter_map(|file| file.format).min().unwrap_or(Format::Parquet);
    // What a run wrote that was killed before its card is written again.
    for (style, file) in plan.styles.iter().flat_map(|style| files.iter().map(move |file| (style, file))) {
        let name = plan.style_config(config, *style);
        let _ = std::fs::remove_file(out.join(shard_path(Some(&name), &file.split, 0, 1, format)));
    }
    let mut data: Vec<_> = Vec::new();
    for file in files.iter().filter(|file| file.format == Some(format)) {
        data.push(rows(&out.join(&file.path))?);
    }
    let form = (format, config.is_pictured());
    write_styles(data.into_iter().flatten(), out, &plan.styles, plan.style_prefix(config), form)
}
