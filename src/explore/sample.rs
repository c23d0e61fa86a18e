//! A data set to the items that a page shows: those that an audit faults, and a sample of the others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use racgen_data::read::rows::rows;
use racgen_data::row::Row;
use racgen_logic::seed::stream;
use racgen_logic::unread::Unread;
use rand::RngExt;

use crate::explore::error::ExploreError;

/// The ids of the items that an `audit.json` beside the data faults; none without it.
fn faulted(data: &Path) -> Result<BTreeSet<String>, ExploreError> {
    let path = data.join("audit.json");
    if !path.is_file() {
        return Ok(BTreeSet::new());
    }
    let text = fs::read_to_string(&path).map_err(Unread::at(&path))?;
    let report: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let examples = report["reading"]["examples"].as_array().into_iter().flatten();
    Ok(examples.filter_map(|example| Some(example["id"].as_str()?.to_owned())).collect())
}

/// At most so many items, in the order of the data: faulted ones, and others, each as likely as any other. Their ids and
/// the seed decide which.
///
/// # Errors
/// Data that cannot be read; no items.
pub fn sampled(data: &Path, items: usize, seed: u64) -> Result<Vec<Row>, ExploreError> {
    let faulted = faulted(data)?;
    let mut kept: BTreeMap<(bool, u64, usize), Row> = BTreeMap::new();
    for (place, row) in rows(data)?.enumerate() {
        let row: Row = row?;
        let lot = stream(seed, &["explore", &row.id]).random::<u64>();
        kept.insert((!faulted.contains(&row.id), lot, place), row);
        if kept.len() > items {
            kept.pop_last();
        }
    }
    if kept.is_empty() {
        return Err(ExploreError::Empty(data.display().to_string()));
    }
    let mut found: Vec<(usize, Row)> = kept.into_iter().map(|((_, _, place), row)| (place, row)).collect();
    found.sort_by_key(|(place, _)| *place);
    Ok(found.into_iter().map(|(_, row)| row).collect())
}
