//! Scores to tables: text, JSON, CSV and LaTeX.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::score::paper::{PaperTable, tables};
use crate::score::run::{FOR_PAPER, GROUPINGS, Score, ScoreTally};

/// How tables are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum ScoreStyle {
    /// For a terminal.
    Text,
    /// One object.
    Json,
    /// One line a predictor and group.
    Csv,
    /// One `tabular` a way of grouping.
    Latex,
}

/// The groups of a way of grouping, over all scores.
fn groups(scores: &[Score], grouping: &str) -> Vec<String> {
    let all: BTreeSet<&String> =
        scores.iter().filter_map(|s| s.groups.get(grouping)).flat_map(|g| g.keys()).collect();
    let mut all: Vec<String> = all.into_iter().cloned().collect();
    // A10 comes after A9.
    all.sort_by_key(|name| {
        let start = name.trim_end_matches(|c: char| c.is_ascii_digit());
        (start.to_owned(), name[start.len()..].parse::<u64>().unwrap_or(0))
    });
    all
}

fn tally(score: &Score, grouping: &str, group: &str) -> Option<ScoreTally> {
    score.groups.get(grouping)?.get(group).copied()
}

/// Writes the scores.
pub fn write(scores: &[Score], style: ScoreStyle) -> String {
    match style {
        ScoreStyle::Text => text(scores),
        ScoreStyle::Json => serde_json::to_string_pretty(scores).unwrap_or_default() + "\n",
        ScoreStyle::Csv => csv(scores),
        ScoreStyle::Latex => latex(scores),
    }
}

/// `87.5 [81.2, 92.0]`
fn cell(tally: Option<ScoreTally>) -> String {
    tally.map_or_else(String::new, |t| {
        let (low, high) = t.interval();
        format!("{:.1} [{:.1}, {:.1}]", 100.0 * t.accuracy(), 100.0 * low, 100.0 * high)
    })
}

fn text(scores: &[Score]) -> String {
    let mut out = "Exact match in percent, with 95 % intervals.\n".to_owned();
    for score in scores.iter().filter(|s| s.missing > 0) {
        let _ =
            writeln!(out, "{}: {} items have no prediction and count as wrong.", score.name, score.missing);
    }
    for score in scores.iter().filter(|s| s.unknown > 0) {
        let why = "it has no answer to them, and they do not count";
        let _ = writeln!(out, "{}: {} items are left out; {why}.", score.name, score.unknown);
    }
    let width = |name: &str| name.chars().count().max(19);
    for grouping in GROUPINGS.into_iter().filter(|grouping| !FOR_PAPER.contains(grouping)) {
        let groups = groups(scores, grouping);
        let first = groups.iter().map(|g| g.chars().count()).max().unwrap_or(0).max(grouping.len());
        let _ = write!(out, "\n{grouping:first$} {:>7}", "items");
        for score in scores {
            let _ = write!(out, "  {:>1$}", score.name, width(&score.name));
        }
        out.push('\n');
        for group in groups {
            let items = scores.iter().filter_map(|s| tally(s, grouping, &group)).map(|t| t.items).max();
            let _ = write!(out, "{group:first$} {:>7}", items.unwrap_or(0));
            for score in scores {
                let _ = write!(out, "  {:>1$}", cell(tally(score, grouping, &group)), width(&score.name));
            }
            out.push('\n');
        }
    }
    for table in tables(scores) {
        paper_text(&table, &mut out);
    }
    out
}

/// `87.5 ±5.4`: with half the width of the interval.
fn narrow(tally: Option<ScoreTally>) -> String {
    tally.map_or_else(String::new, |t| {
        let (low, high) = t.interval();
        format!("{:.1} \u{b1}{:.1}", 100.0 * t.accuracy(), 50.0 * (high - low))
    })
}

fn paper_text(table: &PaperTable, out: &mut String) {
    let first = table.rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(12);
    let width = table.heads.iter().map(|(head, span)| head.chars().count().div_ceil(*span)).max();
    let width = width.unwrap_or(0).max(10);
    let _ = write!(out, "\n{}\n{:first$}", table.title, "train / test");
    for (head, span) in &table.heads {
        let _ = write!(out, "  {head:>0$}", span * (width + 2) - 2);
    }
    out.push('\n');
    if !table.types.is_empty() {
        let _ = write!(out, "{:first$}", "");
        table.types.iter().for_each(|kind| {
            let _ = write!(out, "  {kind:>width$}");
        });
        out.push('\n');
    }
    for (name, cells) in &table.rows {
        let _ = write!(out, "{name:first$}");
        for cell in cells {
            let _ = write!(out, "  {:>width$}", narrow(*cell));
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
}

fn csv(scores: &[Score]) -> String {
    let quoted = |text: &str| {
        if text.contains([',', '"', '\n']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.to_owned()
        }
    };
    let mut out = "predictor,grouping,group,items,right,accuracy,low,high\n".to_owned();
    for score in scores {
        for grouping in GROUPINGS {
            for group in groups(scores, grouping) {
                let Some(t) = tally(score, grouping, &group) else { continue };
                let (low, high) = t.interval();
                let _ = writeln!(
                    out,
                    "{},{},{},{},{},{:.4},{low:.4},{high:.4}",
                    quoted(&score.name),
                    quoted(grouping),
                    quoted(&group),
                    t.items,
                    t.right,
                    t.accuracy()
                );
            }
        }
    }
    out
}

/// Text that LaTeX takes as it is.
fn tex(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '_' | '%' | '&' | '#' | '$' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '\\' => out.push_str("\\textbackslash{}"),
            '~' | '^' => {
                let _ = write!(out, "\\{c}{{}}");
            }
            c => out.push(c),
        }
    }
    out
}

/// One table a way of grouping: predictors down, groups across, as the paper has training levels and test levels.
fn latex(scores: &[Score]) -> String {
    let mut out = "% Exact match in percent, with the half-widths of 95 % intervals.\n".to_owned();
    for table in tables(scores) {
        paper_latex(&table, &mut out);
    }
    for grouping in GROUPINGS.into_iter().filter(|grouping| !FOR_PAPER.contains(grouping)) {
        let groups = groups(scores, grouping);
        let _ =
            writeln!(out, "\n% by {grouping}\n\\begin{{tabular}}{{l{}}}\n\\hline", "r".repeat(groups.len()));
        let head: Vec<String> = groups.iter().map(|g| tex(g)).collect();
        let _ = writeln!(out, " & {} \\\\\n\\hline", head.join(" & "));
        for score in scores {
            let cells = groups.iter().map(|group| {
                tally(score, grouping, group).map_or_else(String::new, |t| {
                    let (low, high) = t.interval();
                    format!("{:.1} $\\pm$ {:.1}", 100.0 * t.accuracy(), 50.0 * (high - low))
                })
            });
            let cells: Vec<String> = cells.collect();
            let _ = writeln!(out, "{} & {} \\\\", tex(&score.name), cells.join(" & "));
        }
        out.push_str("\\hline\n\\end{tabular}\n");
    }
    out
}

fn paper_latex(table: &PaperTable, out: &mut String) {
    let columns: usize = table.heads.iter().map(|(_, span)| span).sum();
    let _ =
        writeln!(out, "\n% {}\n\\begin{{tabular}}{{l{}}}\n\\hline", tex(&table.title), "r".repeat(columns));
    let heads: Vec<String> = table
        .heads
        .iter()
        .map(|(head, span)| match span {
            1 => tex(head),
            span => format!("\\multicolumn{{{span}}}{{c}}{{{}}}", tex(head)),
        })
        .collect();
    let _ = writeln!(out, "Train/test & {} \\\\", heads.join(" & "));
    if !table.types.is_empty() {
        let _ = writeln!(out, " & {} \\\\", table.types.join(" & "));
    }
    out.push_str("\\hline\n");
    for (name, cells) in &table.rows {
        let cells: Vec<String> =
            cells.iter().map(|cell| narrow(*cell).replace('\u{b1}', "$\\pm$ ")).collect();
        let _ = writeln!(out, "{} & {} \\\\", tex(name), cells.join(" & "));
    }
    out.push_str("\\hline\n\\end{tabular}\n");
}
