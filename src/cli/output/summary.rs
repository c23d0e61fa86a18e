//! What a run came to, as a table.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use racgen_data::papers::tally::CellCount;
use racgen_data::table::{Cell, Table};

use crate::campaign::finish::Finished;
use crate::campaign::join::Joined;
use crate::campaign::run::Summary;
use crate::items::clock::Stage;
use crate::rules::files::suite::Made;

/// Each of so many domains has lines of its own; of more there is one line for all of them.
const FEW_DOMAINS: usize = 12;

fn head<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).into()
}

/// The table, how fast it went, and with `timing`, where the time went.
pub fn text(summary: &Summary, timing: bool) -> String {
    let mut table = table(&summary.finished);
    let seconds = summary.elapsed.as_secs_f64();
    let rate = summary.made as f64 / seconds.max(1e-9);
    table.notes.push(format!("{} items in {seconds:.1} s, {rate:.0} a second", summary.made));
    let mut text = table.to_string();
    if timing {
        let total: Duration = summary.clock.values().sum();
        let rows = summary.clock.iter().map(|(stage, time)| times(*stage, *time, total)).collect();
        text += &Table { head: head(["stage", "seconds", "%"]), rows, ..Table::default() }.to_string();
    }
    text
}

/// What shards came to.
pub fn joined(joined: &Joined) -> String {
    match joined {
        Joined::Items(finished) => table(finished).to_string(),
        Joined::RuleSets(made) => rule_sets(made),
        Joined::Results(results) => format!("{results} results\n"),
        Joined::Games(games) => format!("tasks of {} games\n", games.len()),
    }
}

/// One line about the data sets of a suite.
pub fn rule_sets(made: &[Made]) -> String {
    let fully = made.iter().filter(|made| made.identifiable).count();
    format!("{} data sets, {fully} of them without a dispensable rule or body atom\n", made.len())
}

fn times(stage: Stage, time: Duration, total: Duration) -> Vec<Cell> {
    let share = 100.0 * time.as_secs_f64() / total.as_secs_f64().max(1e-9);
    vec![Cell::Text(stage.name().into()), Cell::Figure(time.as_secs_f64()), Cell::Figure(share)]
}

/// A part of a whole in percent.
fn percent(part: Option<u64>, whole: u64) -> Cell {
    part.map_or(Cell::None, |part| Cell::Figure(100.0 * part as f64 / whole.max(1) as f64))
}

/// One line a domain, or all of them where they are many, split and type of question, with what two simple guesses come to: the answer that the initial
/// state gives, and the most frequent answer.
pub fn table(finished: &Finished) -> Table {
    let mut lines: BTreeMap<[String; 3], CellCount> = BTreeMap::new();
    let domains: BTreeSet<&str> = finished.tally.cells.keys().map(|key| &*key.domain).collect();
    let together = (domains.len() > FEW_DOMAINS).then(|| format!("{} domains", domains.len()));
    for (key, cell) in &finished.tally.cells {
        let domain = together.clone().unwrap_or_else(|| key.domain.to_string());
        let name = [domain, key.split.to_string(), key.question_type.to_string()];
        lines.entry(name).or_default().merge(cell);
    }
    let row = |(name, count): ([String; 3], CellCount)| {
        let of_verify = |count| if name[2] == "verify" { Cell::Count(count) } else { Cell::None };
        let counts = [Cell::Count(count.items), of_verify(count.yes), of_verify(count.no)];
        let guesses = [count.initially(), count.majority()].map(|part| percent(part, count.items));
        name.map(Cell::Text).into_iter().chain(counts).chain(guesses).collect()
    };
    let worlds = finished.tally.worlds_of_splits();
    let worlds: Vec<String> =
        worlds.iter().map(|(split, keys)| format!("{} in {split}", keys.len())).collect();
    let mut notes = vec![format!("distinct worlds: {}", worlds.join(", "))];
    if !finished.exceptions.is_empty() {
        let count = finished.exceptions.len();
        notes
            .push(format!("{count} question forms left out at some level; manifest.json says which and why"));
    }
    Table {
        head: head(["domain", "split", "type", "items", "yes", "no", "initial state %", "majority %"]),
        rows: lines.into_iter().map(row).collect(),
        notes,
        ..Table::default()
    }
}
