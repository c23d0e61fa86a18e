//! A row to a page for the terminal: its texts, the state after each action, and its terms.

use std::path::Path;

use racgen_data::read::rows::{nth, rows_from};
use racgen_data::row::Row;

use crate::cli::args::folders::Folders;
use crate::cli::output::exit::{Exit, print};
use crate::domain::package::Package;
use crate::language::tell::row_teller::RowTeller;
use crate::simulate::error::SimulationError;
use crate::simulate::narrative::partly::{LEFT_OUT, UNTOLD};
use crate::simulate::replay::{Replay, ReplayStep};
use crate::simulate::situation::Situation;

/// The narrowest page.
const NARROWEST: usize = 40;

/// Everything below a heading stands so far to the right.
const MARGIN: &str = "  ";

/// The page of a row, `width` characters wide; only terms without a space in them may stand out. Without the
/// package the states are left out, and the page says so.
///
/// # Errors
/// Those of [`Replay::new`]: above all a package that is not the one the row was made with.
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let row = racgen::data::read::rows::nth("out/data/train-00000-of-00001.parquet".as_ref(), 0)?;
/// let package = racgen::domain::package::Package::load(&row.domain).ok();
/// println!("{}", racgen::cli::output::show::show(&row, package.as_ref(), 80)?);
/// # Ok(())
/// # }
/// ```
pub fn show(row: &Row, package: Option<&Package>, width: usize) -> Result<String, SimulationError> {
    let mut page = Page { text: String::new(), width: width.max(NARROWEST) };
    page.line("", &format!("{} N{}, depth {}", row.domain, row.level, row.depth));
    page.line(MARGIN, &format!("{} question, family {}", row.question_type, row.family));
    page.line(MARGIN, &format!("split {}, index {}, id {}", row.split, row.index, row.id));

    page.section("Initial state", &row.initial_state);
    page.section("Rules", &row.rules);
    page.section("Actions", &row.actions);
    match package {
        Some(package) if !package.has_outcomes && !is_told_in_part(row) => page.states(row, package)?,
        _ => {
            for (number, action) in row.plan.iter().enumerate() {
                page.line("", "");
                page.line(MARGIN, &format!("{}  {action}", number + 1));
            }
            let absent = match package {
                Some(_) if is_told_in_part(row) => {
                    "(A part of the story is not told, so the states are not shown.)".to_owned()
                }
                Some(_) => "(What came of the actions is not told, so the states are not shown.)".to_owned(),
                None => format!(
                    "(The domain `{}` is not at hand, so the states are not shown; --domain-dir says where it is.)",
                    row.domain
                ),
            };
            page.line("", "");
            page.line(MARGIN, &absent);
        }
    }
    page.section("Question", &row.question);
    page.section("Answer", &row.answer);
    if !row.rationale.is_empty() {
        page.section("Rationale", &row.rationale);
    }

    page.line("", "");
    page.entry("query    ", &row.query);
    page.entry("gold     ", &row.gold.join(", "));
    let objects: Vec<String> = row.objects.iter().map(|o| format!("{} = {}", o.id, o.name)).collect();
    page.entry("objects  ", &objects.join(", "));
    if !row.source.is_empty() {
        page.entry("made from", &format!(" {}, changed: {}", row.source, row.change));
    }
    Ok(page.text)
}

/// Does a row leave out some of its facts, or one of its actions?
fn is_told_in_part(row: &Row) -> bool {
    let left_out = format!("{LEFT_OUT}(");
    row.facts.iter().any(|fact| fact.starts_with(&left_out)) || row.plan.iter().any(|action| action == UNTOLD)
}

struct Page {
    text: String,
    width: usize,
}

impl Page {
    /// A text, each line of it behind a margin.
    fn line(&mut self, margin: &str, text: &str) {
        self.wrap(margin, margin, text);
    }

    /// A text behind a label, its further lines below its first.
    fn entry(&mut self, label: &str, text: &str) {
        self.wrap(label, &" ".repeat(label.len()), text);
    }

    fn wrap(&mut self, first: &str, others: &str, text: &str) {
        let options = textwrap::Options::new(self.width)
            .initial_indent(first)
            .subsequent_indent(others)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .break_words(false);
        // A file from elsewhere may hold what a terminal takes for commands.
        let text = text.replace(|c: char| c.is_control() && c != '\n', " ");
        for line in textwrap::wrap(&text, options) {
            self.text += line.trim_end();
            self.text.push('\n');
        }
    }

    fn heading(&mut self, heading: &str) {
        self.line("", "");
        self.line("", heading);
    }

    fn section(&mut self, heading: &str, text: &str) {
        self.heading(heading);
        self.line(MARGIN, text);
    }

    /// What each action changes, and the state that the plan ends in.
    fn states(&mut self, row: &Row, package: &Package) -> Result<(), SimulationError> {
        let replay = Replay::new(package, row)?;
        let teller = RowTeller::new(package, &replay, &row.objects);
        let mut here = &replay.initial;
        for (number, step) in replay.steps.iter().enumerate() {
            let label = format!("{}  {}", number + 1, replay.engine.actions[step.action]);
            self.step(&label, here, step, &teller);
            here = &step.situation;
        }
        self.heading("State in the end");
        for statement in statements(&teller, here.iter()) {
            self.wrap(MARGIN, "    ", &statement);
        }
        if !replay.supposed.is_empty() {
            self.heading("Supposed by the question");
        }
        for step in &replay.supposed {
            self.step(&format!("if {}", replay.engine.actions[step.action]), here, step, &teller);
            here = &step.situation;
        }
        Ok(())
    }

    fn step(&mut self, label: &str, before: &Situation, step: &ReplayStep, teller: &RowTeller) {
        let after = &step.situation;
        self.line("", "");
        self.line(MARGIN, label);
        let came = statements(teller, after.iter().filter(|f| !before.contains(*f)));
        let went = statements(teller, before.iter().filter(|f| !after.contains(*f)));
        if came.is_empty() && went.is_empty() {
            self.line("     ", "nothing changes");
        }
        for (heading, statements) in [("     true now   ", came), ("     no longer  ", went)] {
            for (number, statement) in statements.iter().enumerate() {
                let blank = " ".repeat(heading.len());
                self.entry(if number == 0 { heading } else { &blank }, statement);
            }
        }
    }
}

/// What the fluents say, each in its first phrasing; those without a phrase stand as terms.
fn statements(teller: &RowTeller, fluents: impl Iterator<Item = usize>) -> Vec<String> {
    fluents.map(|fluent| teller.statement(fluent)).collect()
}

/// Prints rows as pages; where the states cannot be worked out, the page comes without, and the reason follows.
///
/// # Errors
/// Data that cannot be read, states that cannot be worked out.
pub fn print_rows(file: &Path, row: u64, rows: u64, folders: &Folders) -> Result<(), Exit> {
    let catalogue = folders.catalogue()?;
    let width = usize::from(terminal_width()).clamp(40, 110);
    let mut found = rows_from(file, row)?.take(rows as usize).peekable();
    if rows > 0 && found.peek().is_none() {
        // It says how many there are.
        nth(file, row)?;
    }
    for row in found {
        let row = row?;
        let package = catalogue.load(&row.domain).ok();
        match show(&row, package.as_ref(), width) {
            Ok(page) => print(&format!("{page}\n"))?,
            Err(error) => {
                let page = show(&row, None, width).map_err(Exit::failure)?;
                print(&format!("{page}\n"))?;
                return Err(Exit::failure(error));
            }
        }
    }
    Ok(())
}

/// The columns of the terminal, or 100 where there is none.
fn terminal_width() -> u16 {
    console::Term::stdout().size_checked().map_or(100, |(_, columns)| columns)
}
