//! A report to its files: `audit.json` for programs, `audit.html` for people.

use std::path::Path;

use racgen_data::error::DataError;
use racgen_data::write::text::replace;

use crate::audit::page::page;
use crate::audit::report::AuditReport;

/// Writes both files into a folder.
///
/// # Errors
/// Those of the operating system; older reports are then untouched.
pub fn write_report(report: &AuditReport, folder: &Path) -> Result<(), DataError> {
    let json = folder.join("audit.json");
    let text = serde_json::to_string_pretty(report)
        .map_err(|error| DataError::Encode { path: json.clone(), message: error.to_string() })?;
    replace(&json, &(text + "\n"))?;
    replace(&folder.join("audit.html"), &page(report)).map(drop)
}
