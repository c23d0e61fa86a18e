//! Sources of items to the files that they will fill.

use std::collections::BTreeMap;
use std::path::PathBuf;

use racgen_data::columns::{ExtraColumn, ExtraKind};
use racgen_data::format::{Format, shard_path};
use racgen_data::training::style::Style;
use serde::{Deserialize, Serialize};

use crate::items::source::{About, GROUP_SIZE, ItemSource, Stream};
use crate::items::split_rows::{GroupRows, RowOrder, SplitRows};

/// The plan of a run, as it is kept beside its parts: enough to complete the folder once all parts are there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunPlan {
    /// Version of racgen.
    pub version: String,
    /// The configurations.
    pub configs: Vec<ConfigPlan>,
    /// The formats.
    pub formats: Vec<Format>,
    /// In how many shards the run is made.
    pub shards: usize,
    /// Other forms of the items.
    pub styles: Vec<Style>,
    /// The licence of the items, as the card names it.
    pub licence: String,
    /// The command that repeats the run.
    pub command: String,
    /// Root seed.
    pub seed: u64,
    /// What the manifest tells besides.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub details: BTreeMap<String, serde_json::Value>,
    /// The files.
    pub files: Vec<FilePlan>,
}

/// One configuration of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConfigPlan {
    /// Its name.
    pub name: String,
    /// What a card says of it.
    pub about: About,
    /// Everything that decides its rows.
    pub settings: serde_json::Value,
    /// Its columns besides those of all rows.
    pub extra: Vec<ExtraColumn>,
}

/// A file to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilePlan {
    /// Its configuration.
    pub config: usize,
    /// Its split.
    pub split: String,
    /// Its number among the files of the split.
    pub number: usize,
    /// How many files the split has.
    pub of: usize,
    /// Its number of items.
    pub items: u64,
}

/// A group of a file: stream, number, and the number of items of the stream.
pub type Group = (Stream, u64, u64);

impl FilePlan {
    /// Its place below the output folder.
    pub fn path(&self, plan: &RunPlan, format: Format) -> PathBuf {
        let config = (plan.configs.len() > 1).then(|| plan.configs[self.config].name.as_str());
        shard_path(config, &self.split, self.number, self.of, format)
    }

    /// The name of its record.
    pub fn record(&self) -> String {
        format!("{}-{}-{}", self.config, self.split, self.number)
    }

    /// Which shard makes it, counted from 1.
    pub fn shard(&self, shards: usize) -> usize {
        self.number * shards / self.of.max(1) + 1
    }
}

/// Divides the items of a configuration among files, by whole groups.
pub fn file_plans(
    config: usize,
    source: &dyn ItemSource,
    rows_per_file: u64,
    shards: usize,
) -> Vec<(FilePlan, Vec<Group>)> {
    let mut plans = Vec::new();
    for (number, split) in source.splits().iter().enumerate() {
        let rows = SplitRows::new(&[source], number, RowOrder::Files);
        let total = rows.rows();
        let group = |part: GroupRows| (part.stream, part.group, part.items);
        let groups: Vec<Group> = rows.groups(0..total).into_iter().map(group).collect();
        let of = (total.div_ceil(rows_per_file.max(1)) as usize).max(shards).min(groups.len());
        for file in 0..of {
            let share = groups[groups.len() * file / of..groups.len() * (file + 1) / of].to_vec();
            let size =
                |(_, group, items): &Group| items.min(&((group + 1) * GROUP_SIZE)) - group * GROUP_SIZE;
            let items = share.iter().map(size).sum();
            plans.push((FilePlan { config, split: split.name.clone(), number: file, of, items }, share));
        }
    }
    plans
}

/// Is one of the columns of images?
pub(crate) fn is_pictured(columns: &[ExtraColumn]) -> bool {
    columns.iter().any(|column| column.kind == ExtraKind::Image)
}

impl ConfigPlan {
    /// Have its items pictures?
    pub fn is_pictured(&self) -> bool {
        is_pictured(&self.extra)
    }
}

impl RunPlan {
    /// The configuration of one form of a configuration's items.
    pub fn style_config(&self, config: &ConfigPlan, style: Style) -> String {
        self.style_prefix(config)
            .map_or_else(|| style.name().to_owned(), |prefix| format!("{prefix}_{}", style.name()))
    }

    /// What the other forms of a configuration's items are called after, besides their style: the configuration where
    /// there are several.
    pub fn style_prefix<'c>(&self, config: &'c ConfigPlan) -> Option<&'c str> {
        (self.configs.len() > 1).then_some(config.name.as_str())
    }
}
