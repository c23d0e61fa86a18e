//! A range of a split's rows to the rows, made by many threads: what a run writes, for whoever keeps it in memory.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

use racgen_data::row::Row;

use crate::campaign::error::CampaignError;
use crate::campaign::ordered::ordered;
use crate::campaign::run::Config;
use crate::items::clock::Clock;
use crate::items::split_rows::SplitRows;

/// The rows of a range; fewer where the split ends before it does. They are those of the files of a run, whichever ranges
/// were made before, and however many threads the pool has.
///
/// # Errors
/// Everything that keeps an item from being made; that `stop` was set.
pub fn rows_in(
    configs: &[Config],
    split: &SplitRows,
    range: Range<u64>,
    pool: &rayon::ThreadPool,
    stop: &AtomicBool,
) -> Result<Vec<Row>, CampaignError> {
    let parts = split.groups(range);
    let clock = Clock::default();
    let mut rows = Vec::with_capacity(parts.iter().map(|part| part.rows.len()).sum());
    let mut failed = None;
    ordered(
        pool,
        parts.len(),
        |n| {
            let part = &parts[n];
            let made = configs[part.source].source.group(part.stream, part.group, part.items, &clock);
            made.map_err(|cause| CampaignError::Items { config: configs[part.source].name.clone(), cause })
                .map(|items| (n, items))
        },
        |made| {
            match made {
                Ok((n, items)) => {
                    let wanted = items.into_iter().skip(parts[n].rows.start).take(parts[n].rows.len());
                    rows.extend(wanted.map(|item| item.row));
                }
                Err(error) => failed = Some(error),
            }
            if failed.is_some() || stop.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        },
    );
    match failed {
        Some(error) => Err(error),
        None if stop.load(Ordering::Relaxed) => Err(CampaignError::Interrupted),
        None => Ok(rows),
    }
}
