//! Rows of measures to a table: plain text, CSV, JSON or LaTeX.

use serde_json::{Map, Value, json};

/// How a table is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum TableStyle {
    /// Aligned columns.
    #[default]
    Text,
    /// Comma-separated values, with a first column for the title.
    Csv,
    /// An array of objects, one a row.
    Json,
    /// A tabular environment.
    Latex,
}

/// What stands in a place of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A whole number.
    Count(u64),
    /// A measure, printed with four decimals where people read it.
    Measure(f64),
    /// There is nothing to tell.
    None,
}

impl Cell {
    fn text(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(count) => count.to_string(),
            Cell::Measure(measure) => format!("{measure:.4}"),
            Cell::None => "-".into(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Text(text) => json!(text),
            Cell::Count(count) => json!(count),
            Cell::Measure(measure) => json!(measure),
            Cell::None => Value::Null,
        }
    }

    /// As exact as numbers print.
    fn exact(&self) -> String {
        match self {
            Cell::Measure(measure) => measure.to_string(),
            Cell::None => String::new(),
            other => other.text(),
        }
    }
}

/// A table with a title.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// As many cells as the head has.
    pub rows: Vec<Vec<Cell>>,
}

/// Prints tables.
pub fn print(tables: &[Table], layout: TableStyle) -> String {
    match layout {
        TableStyle::Text => tables.iter().map(text).collect::<Vec<_>>().join("\n"),
        TableStyle::Csv => tables.iter().map(csv).collect::<Vec<_>>().join("\n"),
        TableStyle::Json => {
            let all: Vec<Value> = tables.iter().map(json_of).collect();
            let all = if let [one] = all.as_slice() { one.clone() } else { Value::Array(all) };
            format!("{all:#}\n")
        }
        TableStyle::Latex => tables.iter().map(latex).collect::<Vec<_>>().join("\n"),
    }
}

fn text(table: &Table) -> String {
    let cells: Vec<Vec<String>> = table.rows.iter().map(|row| row.iter().map(Cell::text).collect()).collect();
    let width = |column: usize| {
        let lengths = cells.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        lengths.chain([table.head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.head.len()).map(width).collect();
    let mut out = format!("{}\n", table.title);
    for line in std::iter::once(&table.head).chain(&cells) {
        let mut row = String::new();
        for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
            // Names to the left, figures to the right.
            row += &if column == 0 { format!("{cell:width$}") } else { format!("  {cell:>width$}") };
        }
        out += row.trim_end();
        out.push('\n');
    }
    out
}

fn csv(table: &Table) -> String {
    let quote = |text: &str| {
        if text.contains([',', '"', '\n']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.to_owned()
        }
    };
    let line = |first: &str, cells: Vec<String>| {
        let all: Vec<String> =
            std::iter::once(first.to_owned()).chain(cells).map(|cell| quote(&cell)).collect();
        all.join(",") + "\n"
    };
    let mut out = line("table", table.head.clone());
    for row in &table.rows {
        out += &line(&table.title, row.iter().map(Cell::exact).collect());
    }
    out
}

fn json_of(table: &Table) -> Value {
    let rows: Vec<Value> = table
        .rows
        .iter()
        .map(|row| {
            let entries = table.head.iter().zip(row).map(|(name, cell)| (name.clone(), cell.json()));
            Value::Object(entries.collect::<Map<_, _>>())
        })
        .collect();
    json!({ "title": table.title, "rows": rows })
}

fn latex(table: &Table) -> String {
    let escape = |text: &str| {
        let mut out = String::new();
        for c in text.chars() {
            match c {
                '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
                '\\' => out.push_str("\\textbackslash{}"),
                '~' => out.push_str("\\textasciitilde{}"),
                '^' => out.push_str("\\textasciicircum{}"),
                _ => out.push(c),
            }
        }
        out
    };
    let line = |cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| escape(cell)).collect();
        format!("  {} \\\\\n", cells.join(" & "))
    };
    let columns = "r".repeat(table.head.len().saturating_sub(1));
    let mut out = format!("% {}\n\\begin{{tabular}}{{l{columns}}}\n  \\hline\n", table.title);
    out += &line(table.head.clone());
    out += "  \\hline\n";
    table.rows.iter().for_each(|row| out += &line(row.iter().map(Cell::text).collect()));
    out + "  \\hline\n\\end{tabular}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layout_has_every_cell() {
        let table = Table {
            title: "A, title".into(),
            head: vec!["learner".into(), "H-score".into(), "n".into()],
            rows: vec![
                vec![Cell::Text("a_b".into()), Cell::Measure(1.0 / 3.0), Cell::Count(7)],
                vec![Cell::Text("c".into()), Cell::None, Cell::Count(0)],
            ],
        };
        let all = |layout| print(std::slice::from_ref(&table), layout);
        assert_eq!(
            all(TableStyle::Text),
            "A, title\nlearner  H-score  n\na_b       0.3333  7\nc              -  0\n"
        );
        assert_eq!(
            all(TableStyle::Csv),
            "table,learner,H-score,n\n\"A, title\",a_b,0.3333333333333333,7\n\"A, title\",c,,0\n"
        );
        let json: Value = serde_json::from_str(&all(TableStyle::Json)).expect("JSON");
        assert_eq!(json["rows"][1]["H-score"], Value::Null);
        assert!(all(TableStyle::Latex).contains("  a\\_b & 0.3333 & 7 \\\\\n"));
    }
}
