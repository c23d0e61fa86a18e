//! A table to HTML that scrolls where a window is too narrow.

use std::fmt::Write as _;

use racgen_data::table::{Cell, Table};

use crate::iq::report::plot::escaped;

/// The table, its title above and its notes below.
pub fn html_table(table: &Table) -> String {
    let class = |cell: Option<&Cell>| if matches!(cell, Some(Cell::Text(_))) { "" } else { " class=\"n\"" };
    let mut out = format!("<h2>{}</h2><div class=\"scroll\"><table><tr>", escaped(&table.title));
    for (column, name) in table.head.iter().enumerate() {
        let first = table.rows.first().and_then(|row| row.get(column));
        let _ = write!(out, "<th{}>{}</th>", class(first), escaped(name));
    }
    for row in &table.rows {
        out += "</tr>\n<tr>";
        for cell in row {
            let _ = write!(out, "<td{}>{}</td>", class(Some(cell)), escaped(&cell.text()));
        }
    }
    out += "</tr></table></div>";
    for note in &table.notes {
        let _ = write!(out, "<p class=\"faint\">{}</p>", escaped(note));
    }
    out
}
