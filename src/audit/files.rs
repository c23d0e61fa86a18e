//! A report to its files: `audit.json` for programs, `audit.html` for people, and a page of the items with faults.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::Path;

use racgen_data::error::DataError;
use racgen_data::read::rows::rows;
use racgen_data::row::Row;
use racgen_data::write::text::replace;

use crate::audit::page::{FAULTY, page};
use crate::audit::report::AuditReport;
use crate::explore::item::ItemExplorer;
use crate::explore::write::write_page;

/// Writes both files into a folder, and where some items of the data have faults, a page of those that the report names.
///
/// # Errors
/// Those of the operating system; data that cannot be read again.
pub fn write_report(
    report: &AuditReport,
    data: &Path,
    explorer: &ItemExplorer,
    folder: &Path,
) -> Result<(), DataError> {
    let json = folder.join("audit.json");
    let text = serde_json::to_string_pretty(report)
        .map_err(|error| DataError::Encode { path: json.clone(), message: error.to_string() })?;
    replace(&json, &(text + "\n"))?;
    replace(&folder.join("audit.html"), &page(report))?;
    let faulty: BTreeSet<&str> =
        report.reading.iter().flat_map(|r| &r.examples).map(|example| example.id.as_str()).collect();
    let faults = folder.join(FAULTY);
    if faulty.is_empty() {
        // An earlier report's page would show items that are no longer at fault.
        return match std::fs::remove_file(&faults) {
            Err(cause) if cause.kind() != ErrorKind::NotFound => {
                Err(DataError::Write { action: "remove", path: faults, cause })
            }
            _ => Ok(()),
        };
    }
    // Of data whose ids repeat, more rows than are meant have one.
    let found = rows(data)?.filter(|row| row.as_ref().map_or(true, |row| faulty.contains(row.id.as_str())));
    let found = found.take(2 * faulty.len()).collect::<Result<Vec<Row>, _>>()?;
    write_page(data, &found, explorer, &faults).map(drop)
}
