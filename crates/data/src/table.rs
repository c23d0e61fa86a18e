//! Tables of everything that racgen tells: plain text, CSV, JSON or LaTeX.

use std::fmt;

use serde_json::{Map, Value, json};

/// How a table is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum TableStyle {
    /// Aligned columns.
    #[default]
    Text,
    /// Comma-separated values, with a first column for the title where there is one.
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
    /// A measure, printed with two decimals where people read it, as percents are.
    Figure(f64),
    /// A percentage and the bounds of its interval, printed with one decimal: `87.5 [81.2, 92.0]`.
    Interval(f64, f64, f64),
    /// A percentage and half the width of its interval, printed with one decimal: `87.5 ±5.4`.
    PlusMinus(f64, f64),
    /// There is nothing to tell.
    None,
}

impl Cell {
    /// As people read it.
    pub fn text(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(count) => count.to_string(),
            Cell::Measure(measure) => format!("{measure:.4}"),
            Cell::Figure(figure) => format!("{figure:.2}"),
            Cell::Interval(percent, low, high) => format!("{percent:.1} [{low:.1}, {high:.1}]"),
            Cell::PlusMinus(percent, half) => format!("{percent:.1} \u{b1}{half:.1}"),
            Cell::None => "-".into(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Text(text) => json!(text),
            Cell::Count(count) => json!(count),
            Cell::Measure(measure) | Cell::Figure(measure) => json!(measure),
            Cell::Interval(percent, low, high) => json!([percent, low, high]),
            Cell::PlusMinus(percent, half) => json!([percent, half]),
            Cell::None => Value::Null,
        }
    }

    /// As exact as numbers print.
    fn exact(&self) -> String {
        match self {
            Cell::Measure(measure) | Cell::Figure(measure) => measure.to_string(),
            Cell::None => String::new(),
            other => other.text(),
        }
    }
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What it shows; empty where that is plain.
    pub title: String,
    /// An upper line of the head: names, and how many columns stand below each, from the second column on. Mostly empty.
    pub spans: Vec<(String, usize)>,
    /// Names of the columns.
    pub head: Vec<String>,
    /// As many cells as the head has.
    pub rows: Vec<Vec<Cell>>,
    /// Lines below it; CSV leaves them out.
    pub notes: Vec<String>,
}

impl Table {
    /// Does a column hold words, which stand to the left? The first does.
    fn words(&self, column: usize) -> bool {
        column == 0 || self.rows.iter().any(|row| matches!(row.get(column), Some(Cell::Text(_))))
    }

    /// The head without its upper line: the first name stands in that line, where there is one.
    fn lower(&self) -> Vec<String> {
        let mut head = self.head.clone();
        if !self.spans.is_empty() {
            head[0].clear();
        }
        head
    }
}

impl fmt::Display for Table {
    /// The plain text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(self))
    }
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
    let mut lines = vec![table.lower()];
    lines.extend(table.rows.iter().map(|row| row.iter().map(Cell::text).collect()));
    let length = |text: &String| text.chars().count();
    let width = |column: usize| lines.iter().filter_map(|line| line.get(column)).map(length).max();
    let mut widths: Vec<usize> = (0..table.head.len()).map(|column| width(column).unwrap_or(0)).collect();
    let mut out = String::new();
    if !table.title.is_empty() {
        out += &format!("{}\n", table.title);
    }
    let mut upper = String::new();
    if !table.spans.is_empty() {
        widths[0] = widths[0].max(length(&table.head[0]));
        upper += &format!("{:1$}", table.head[0], widths[0]);
        let mut first = 1;
        for (name, span) in &table.spans {
            let below = &mut widths[first..first + span];
            let room = below.iter().sum::<usize>() + 2 * (span - 1);
            below[span - 1] += length(name).saturating_sub(room);
            upper += &format!("  {name:>0$}", room.max(length(name)));
            first += span;
        }
        upper.push('\n');
    }
    out += &upper;
    let words: Vec<bool> = (0..widths.len()).map(|column| table.words(column)).collect();
    for line in &lines {
        let mut row = String::new();
        for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
            row += if column == 0 { "" } else { "  " };
            row += &if words[column] { format!("{cell:width$}") } else { format!("{cell:>width$}") };
        }
        out += row.trim_end();
        out.push('\n');
    }
    table.notes.iter().for_each(|note| out += &format!("{note}\n"));
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
        let first = (!table.title.is_empty()).then(|| first.to_owned());
        let all: Vec<String> = first.into_iter().chain(cells).map(|cell| quote(&cell)).collect();
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
    let mut all = json!({ "title": table.title, "rows": rows });
    if !table.notes.is_empty() {
        all["notes"] = json!(table.notes);
    }
    all
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
                '\u{b1}' => out.push_str("$\\pm$ "),
                _ => out.push(c),
            }
        }
        out
    };
    let line = |cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| escape(cell)).collect();
        format!("  {} \\\\\n", cells.join(" & "))
    };
    let columns: String =
        (0..table.head.len()).map(|column| if table.words(column) { 'l' } else { 'r' }).collect();
    let comment = |text: &String| text.lines().map(|line| format!("% {line}\n")).collect::<String>();
    let mut out = comment(&table.title) + &format!("\\begin{{tabular}}{{{columns}}}\n  \\hline\n");
    if !table.spans.is_empty() {
        let spans = table.spans.iter();
        let upper = spans.map(|(name, span)| format!("\\multicolumn{{{span}}}{{c}}{{{}}}", escape(name)));
        let upper: Vec<String> = std::iter::once(escape(&table.head[0])).chain(upper).collect();
        out += &format!("  {} \\\\\n", upper.join(" & "));
    }
    out += &line(table.lower());
    out += "  \\hline\n";
    table.rows.iter().for_each(|row| out += &line(row.iter().map(Cell::text).collect()));
    out += "  \\hline\n\\end{tabular}\n";
    out + &table.notes.iter().map(comment).collect::<String>()
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
            ..Table::default()
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

    #[test]
    fn spans_stand_above_their_columns_and_notes_below() {
        let row = |name: &str, half: f64, word: &str| {
            vec![Cell::Text(name.into()), Cell::PlusMinus(87.5, half), Cell::None, Cell::Text(word.into())]
        };
        let table = Table {
            spans: vec![("a_b".into(), 2), ("longest".into(), 1)],
            head: ["train", "T/F", "Num", "w"].map(str::to_owned).into(),
            rows: vec![row("x", 5.4, "good"), row("y", 12.0, "so")],
            notes: vec!["This is all.".into()],
            ..Table::default()
        };
        assert_eq!(
            table.to_string(),
            "train              a_b  longest\n              T/F  Num  w\nx       87.5 \u{b1}5.4    -  good\n\
             y      87.5 \u{b1}12.0    -  so\nThis is all.\n"
        );
        let all = |layout| print(std::slice::from_ref(&table), layout);
        assert!(all(TableStyle::Csv).starts_with("train,T/F,Num,w\nx,87.5 \u{b1}5.4,,good\n"));
        let json: Value = serde_json::from_str(&all(TableStyle::Json)).expect("JSON");
        assert_eq!(
            (&json["rows"][1]["T/F"], &json["notes"][0]),
            (&json!([87.5, 12.0]), &json!("This is all."))
        );
        let latex = all(TableStyle::Latex);
        assert!(latex.starts_with("\\begin{tabular}{lrrl}\n"), "{latex}");
        assert!(
            latex.contains("  train & \\multicolumn{2}{c}{a\\_b} & \\multicolumn{1}{c}{longest} \\\\\n"),
            "{latex}"
        );
        assert!(latex.contains("  x & 87.5 $\\pm$ 5.4 & - & good \\\\\n"), "{latex}");
        assert_eq!(Cell::Interval(87.5, 81.25, 92.04).text(), "87.5 [81.2, 92.0]");
    }
}
