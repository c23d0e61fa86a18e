//! A range of a split's rows to the rows, made by many threads: what a run writes, for whoever keeps it in memory.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

use racgen_data::row::Row;

use crate::campaign::error::CampaignError;
use crate::campaign::ordered::ordered;
use crate::campaign::run::Config;
use crate::items::clock::Clock;
use crate::items::split_rows::{GroupRows, SplitRows};

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
    let mut rows = Vec::with_capacity(parts.iter().map(|part| part.rows.len()).sum());
    each_group(configs, &parts, pool, stop, |made| {
        rows.extend(made);
        ControlFlow::Continue(())
    })?;
    Ok(rows)
}

/// Makes groups and hands over the rows of each, in order; `take` may end it.
///
/// # Errors
/// Those of [`rows_in`].
pub fn each_group(
    configs: &[Config],
    parts: &[GroupRows],
    pool: &rayon::ThreadPool,
    stop: &AtomicBool,
    mut take: impl FnMut(Vec<Row>) -> ControlFlow<()>,
) -> Result<(), CampaignError> {
    let clock = Clock::default();
    let mut failed = None;
    ordered(
        pool,
        parts.len(),
        |n| (parts[n].source, parts[n].stream.member),
        |n| {
            let part = &parts[n];
            let made = configs[part.source].source.group(part.stream, part.group, part.items, &clock);
            made.map_err(|cause| CampaignError::Items { config: configs[part.source].name.clone(), cause })
                .map(|items| (n, items))
        },
        |made| {
            let flow = match made {
                Ok((n, items)) => {
                    let wanted = items.into_iter().skip(parts[n].rows.start).take(parts[n].rows.len());
                    take(wanted.map(|item| item.row).collect())
                }
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            };
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { flow }
        },
    );
    match failed {
        Some(error) => Err(error),
        None if stop.load(Ordering::Relaxed) => Err(CampaignError::Interrupted),
        None => Ok(()),
    }
}
