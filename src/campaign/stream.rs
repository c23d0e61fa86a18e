//! Sources of items to lines of JSON on one writer, such as standard output: the lines of a run's JSONL files, file after file.

use std::io::{self, ErrorKind, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use racgen_data::error::DataError;
use racgen_data::write::rows::jsonl::append_line;

use crate::campaign::error::CampaignError;
use crate::campaign::ranges::each_group;
use crate::campaign::run::Config;
use crate::items::progress::Progress;
use crate::items::source::ItemSource;
use crate::items::split_rows::{RowOrder, SplitRows};

/// Rows whose groups are listed at once; a listing of all may be large.
const AHEAD: u64 = 200_000;

/// Writes the rows of all splits, and says how many. Whoever reads may leave: then it ends, and that is no error.
///
/// # Errors
/// Everything that keeps an item from being made or written; that `stop` was set.
pub fn stream_lines(
    configs: &[Config],
    pool: &rayon::ThreadPool,
    out: &mut dyn Write,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<u64, CampaignError> {
    let splits = |config: &Config| -> Vec<SplitRows> {
        let source: &dyn ItemSource = config.source;
        (0..source.splits().len()).map(|split| SplitRows::new(&[source], split, RowOrder::Files)).collect()
    };
    let all: Vec<(&Config, SplitRows)> = configs
        .iter()
        .flat_map(|config| splits(config).into_iter().map(move |rows| (config, rows)))
        .collect();
    progress.begin(all.iter().map(|(_, rows)| rows.rows()).sum(), 0);
    let mut written = 0;
    for (config, rows) in &all {
        match stream_split(config, rows, pool, out, progress, stop, &mut written) {
            Err(error) if left(&error) => break,
            done => done?,
        }
    }
    Ok(written)
}

/// Is the error that whoever read has left?
fn left(error: &CampaignError) -> bool {
    matches!(error, CampaignError::Data(DataError::Write { cause, .. }) if cause.kind() == ErrorKind::BrokenPipe)
}

fn stream_split(
    config: &Config,
    rows: &SplitRows,
    pool: &rayon::ThreadPool,
    out: &mut dyn Write,
    progress: &dyn Progress,
    stop: &AtomicBool,
    written: &mut u64,
) -> Result<(), CampaignError> {
    let extra = config.source.extra_columns().to_vec();
    let (mut start, mut failed, mut lines) = (0, None, Vec::new());
    while start < rows.rows() {
        let end = match rows.group_start((start + AHEAD).min(rows.rows())) {
            end if end > start => end,
            _ => rows.rows(),
        };
        let here = [Config { name: config.name.clone(), source: config.source }];
        each_group(&here, &rows.groups(start..end), pool, stop, |made| {
            lines.clear();
            let told = made.iter().try_for_each(|row| append_line(&mut lines, row, &extra));
            let put = told.map_err(io::Error::from).and_then(|()| out.write_all(&lines));
            match put {
                Ok(()) => {
                    *written += made.len() as u64;
                    progress.advance(made.len() as u64);
                    ControlFlow::Continue(())
                }
                Err(cause) => {
                    failed = Some(cause);
                    ControlFlow::Break(())
                }
            }
        })?;
        if let Some(cause) = failed.or_else(|| out.flush().err()) {
            let path = PathBuf::from("standard output");
            return Err(DataError::Write { action: "write", path, cause }.into());
        }
        (start, failed) = (end, None);
    }
    Ok(())
}
