//! Rows to all that is known of them, and to the report on them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use racgen_data::error::DataError;
use racgen_data::read::rows::{data_files, rows};
use racgen_data::row::Row;
use racgen_logic::seed::digest;
use rayon::prelude::*;
use rustc_hash::FxHashMap as HashMap;

use crate::audit::attacks::apart::apart;
use crate::audit::attacks::item::{AuditItem, Interner};
use crate::audit::attacks::leaks::Promises;
use crate::audit::attacks::thresholds::Thresholds;
use crate::audit::attacks::{giveaways, leaks, shortcuts};
use crate::audit::beside::manifest;
use crate::audit::foreign::ColumnMap;
use crate::audit::ledgers::{LedgerReport, Ledgers, place};
use crate::audit::report::{AuditReport, Beyond, DataShape, Example, ReadBack};
use crate::audit::reread::domains::reading::is_generic;
use crate::audit::reread::judge::Reread;
use crate::audit::reread::verdict::{Finding, Trouble, Verdict};
use crate::campaign::error_class::{Classed, ErrorClass};
use crate::domain::catalogue::Catalogue;
use crate::factory::extra::columns;
use crate::items::progress::Progress;

/// Rows that are read and judged at once: enough to share groundings, few enough to fit in memory.
const CHUNK: usize = 50_000;

/// Examples of each kind of trouble that a report shows.
const MOST_EXAMPLES: usize = 10;

/// How a data set is audited.
#[derive(Clone, Debug)]
pub struct AuditOptions {
    /// The share of stories whose texts are read back.
    pub sample: f64,
    /// Another data set that should share nothing with this one.
    pub against: Option<PathBuf>,
    /// Names of columns that are not racgen's; such rows are not read back.
    pub map: Option<ColumnMap>,
    /// What counts as a fault.
    pub thresholds: Thresholds,
    /// Limit of each solver call.
    pub time_limit: Duration,
}

impl Default for AuditOptions {
    fn default() -> Self {
        AuditOptions {
            sample: 1.0,
            against: None,
            map: None,
            thresholds: Thresholds::default(),
            time_limit: Duration::from_secs(60),
        }
    }
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The data cannot be read, or the report cannot be written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The folder has no rows.
    #[error("`{}` holds no items, so there is nothing to audit; give the output folder of a run", .0.display())]
    Empty(PathBuf),
}

impl Classed for AuditError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Failure
    }
}

/// Audits the data files at or below a path.
///
/// # Errors
/// Files that cannot be read, with file and row. What is wrong with the items is no error, but stands in the report.
pub fn audit(
    path: &Path,
    catalogue: &Catalogue,
    options: &AuditOptions,
    progress: &dyn Progress,
) -> Result<AuditReport, AuditError> {
    let mut texts = Interner::default();
    let own = gather(path, catalogue, options, progress, &mut texts)?;
    if own.items.is_empty() {
        return Err(AuditError::Empty(path.to_owned()));
    }
    let other = match &options.against {
        Some(path) => Some((path.clone(), gather(path, catalogue, options, progress, &mut texts)?)),
        None => None,
    };
    let found = shortcuts::measure(&own.items, &texts, &options.thresholds);
    let given = giveaways::measure(&own.items, &texts, &options.thresholds);
    let mut leaks = leaks::within(&own.items, &texts, &promises(path));
    leaks.extend(manifest(path).iter().flat_map(|manifest| apart(manifest, catalogue)));
    let between = other.as_ref().map(|(path, other)| {
        let name = path.display().to_string();
        (name, leaks::between(&own.items, &other.items, &texts))
    });
    let shape = DataShape::of(&own.items, &texts);
    let reading = if options.map.is_some() { None } else { Some(own.reading) };
    Ok(AuditReport::new(
        path,
        own.items.len(),
        reading,
        Beyond { ledgers: own.ledgers, unknown: own.unknown },
        found,
        given,
        leaks,
        between,
        shape,
        &options.thresholds,
    ))
}

/// What a data set came to.
#[derive(Default)]
struct Gathered {
    items: Vec<AuditItem>,
    reading: ReadBack,
    /// What manifests say otherwise; none for other people's data.
    ledgers: Option<LedgerReport>,
    /// Columns that are none of racgen's.
    unknown: BTreeSet<String>,
}

/// Is the column one that some of racgen's rows have?
fn is_known(name: &str) -> bool {
    columns(true, true).iter().any(|column| *column.name == *name)
}

fn gather(
    path: &Path,
    catalogue: &Catalogue,
    options: &AuditOptions,
    progress: &dyn Progress,
    texts: &mut Interner,
) -> Result<Gathered, AuditError> {
    let mut gathered = Gathered::default();
    if let Some(map) = &options.map {
        for row in map.rows(path)? {
            gathered.items.push(AuditItem::new(&row, texts));
        }
        return Ok(gathered);
    }
    progress.begin(promised_rows(path), 0);
    let reread = Reread::new(catalogue, options.time_limit).with(path);
    let mut ledgers = Ledgers::of(path);
    let mut chunk = Vec::new();
    for file in data_files(path)? {
        let place = place(&file);
        ledgers.file(&place);
        for row in rows(&file)? {
            let row = row?;
            ledgers.add(&place, &row, reread.numbers_across(&row.domain));
            gathered.unknown.extend(row.extra.keys().filter(|name| !is_known(name)).map(|n| n.to_string()));
            chunk.push(row);
            if chunk.len() == CHUNK {
                gathered.judge(&chunk, &reread, options, progress, texts);
                chunk.clear();
            }
        }
    }
    gathered.judge(&chunk, &reread, options, progress, texts);
    gathered.ledgers = Some(ledgers.report());
    Ok(gathered)
}

impl Gathered {
    fn judge(
        &mut self,
        chunk: &[Row],
        reread: &Reread,
        options: &AuditOptions,
        progress: &dyn Progress,
        texts: &mut Interner,
    ) {
        let unread = |row: &Row| !reread.reads(&row.domain);
        self.reading.unread += chunk.iter().filter(|row| unread(row)).count();
        self.reading.generic += chunk.iter().filter(|row| is_generic(row)).count();
        self.reading.without_depth += reread.without_depth(chunk);
        let wanted: Vec<usize> =
            (0..chunk.len()).filter(|n| sampled(&chunk[*n], options.sample) && !unread(&chunk[*n])).collect();
        let all = wanted.len() == chunk.len();
        let told = |rows: u64| progress.advance(rows);
        let verdicts: Vec<Verdict> = if all {
            reread.judge(chunk, &told)
        } else {
            let some: Vec<Row> = wanted.iter().map(|n| chunk[*n].clone()).collect();
            progress.advance((chunk.len() - some.len()) as u64);
            reread.judge(&some, &told)
        };
        let mut by_row: BTreeMap<usize, Verdict> = wanted.into_iter().zip(verdicts).collect();
        // Ids are looked at in all rows: what no text tells, such as seed and index, is in them.
        let other_id = |(number, row): (usize, &Row)| {
            reread.identity(row).filter(|id| *id != row.id).map(|id| (number, id))
        };
        let other_ids: BTreeMap<usize, String> =
            chunk.par_iter().enumerate().filter_map(other_id).collect::<Vec<_>>().into_iter().collect();
        // The lists stay until all are numbered, for they are told apart by their places.
        let mut kept = Vec::new();
        let mut said: HashMap<usize, Arc<[u32]>> = HashMap::default();
        for (number, row) in chunk.iter().enumerate() {
            let mut item = AuditItem::new(row, texts);
            let verdict = by_row.remove(&number);
            // One trouble is told of each row.
            if let (None | Some(Ok(_)), Some(id)) = (&verdict, other_ids.get(&number)) {
                let detail = format!("the column id has {}, what the item says makes it {id}", row.id);
                self.trouble(row, &Finding { trouble: Trouble::Id, detail });
            }
            match verdict {
                Some(Ok(sound)) => {
                    item.world = texts.number(&sound.world);
                    item.instance = texts.number(&sound.instance);
                    item.trivial = sound.trivial;
                    // Rows of one story share the list.
                    let numbers = said
                        .entry(sound.said.as_ptr() as usize)
                        .or_insert_with(|| sound.said.iter().map(|text| texts.number(text)).collect());
                    item.said = numbers.clone();
                    self.reading.read += 1;
                    self.reading.pictured += usize::from(sound.pictured);
                    kept.push(sound.said);
                }
                Some(Err(finding)) => {
                    self.reading.read += 1;
                    self.trouble(row, &finding);
                }
                None => {}
            }
            self.items.push(item);
        }
    }

    fn trouble(&mut self, row: &Row, finding: &Finding) {
        let count = self.reading.troubles.entry(finding.trouble).or_default();
        *count += 1;
        if *count <= MOST_EXAMPLES {
            self.reading.examples.push(Example::new(row, finding));
        }
    }
}

/// Does the row's story belong to the sample? Its texts decide, so that a sample is the same each time.
fn sampled(row: &Row, share: f64) -> bool {
    if share >= 1.0 {
        return true;
    }
    let hash = digest([&*row.initial_state, &row.actions]);
    u32::from_str_radix(&hash[..8], 16).unwrap_or(0) as f64 / f64::from(u32::MAX) < share
}

/// The rows that the manifest speaks of; 0 without one.
fn promised_rows(path: &Path) -> u64 {
    let files = manifest(path).and_then(|m| m["files"].as_array().cloned()).unwrap_or_default();
    let format = files.first().map(|f| f["format"].clone());
    let of_format = files.iter().filter(|f| Some(&f["format"]) == format.as_ref());
    of_format.filter_map(|f| f["rows"].as_u64()).sum()
}

/// What the manifest beside the data promises of each domain.
fn promises(path: &Path) -> BTreeMap<String, Promises> {
    let jobs = manifest(path).and_then(|m| m["settings"].as_array().cloned()).unwrap_or_default();
    let mut all: BTreeMap<String, Promises> = BTreeMap::new();
    for job in &jobs {
        let settings = &job["settings"];
        let share = |key: &str| settings[key].as_f64().unwrap_or(0.0);
        let promise = all.entry(job["domain"].as_str().unwrap_or_default().to_owned()).or_default();
        promise.by_instance |= settings["split_by"] == "instance";
        promise.by_domain |= settings["split_by"] == "domain" || settings["split_by"] == "composition";
        promise.open_vocabulary |= settings["open_vocabulary"] == true;
        promise.holdout_phrasings = promise.holdout_phrasings.max(share("holdout_phrasings"));
        promise.holdout_names = promise.holdout_names.max(share("holdout_names"));
    }
    all
}
