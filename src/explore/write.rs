//! Rows to a file with the page of them.

use std::path::Path;

use racgen_data::error::DataError;
use racgen_data::row::Row;
use racgen_data::write::text::stream as write_file;
use rayon::prelude::*;
use serde_json::Value;

use crate::explore::item::ItemExplorer;
use crate::explore::page::page;

/// Writes the page of these rows, and says how many bytes it has.
///
/// # Errors
/// A page that cannot be written.
pub fn write_page(
    data: &Path,
    rows: &[Row],
    explorer: &ItemExplorer,
    out: &Path,
) -> Result<usize, DataError> {
    let items: Vec<Value> = rows.par_iter().map(|row| explorer.item(row)).collect();
    // The folders around it are nobody else's business.
    let name = data.file_name().unwrap_or(data.as_os_str());
    let text = page(&name.to_string_lossy(), &items);
    write_file(out, |file| file.write_all(text.as_bytes()))?;
    Ok(text.len())
}
