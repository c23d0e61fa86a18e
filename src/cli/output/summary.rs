//! What a run came to, as a table.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::campaign::finish::Finished;
use crate::campaign::run::Summary;

/// The table, how fast it went, and with `timing`, where the time went.
pub fn text(summary: &Summary, timing: bool) -> String {
    let mut text = table(&summary.finished);
    let rate = summary.made as f64 / summary.elapsed.as_secs_f64().max(1e-9);
    text +=
        &format!("{} items in {:.1} s, {rate:.0} a second\n", summary.made, summary.elapsed.as_secs_f64());
    if timing {
        let total: Duration = summary.clock.values().sum();
        for (stage, time) in &summary.clock {
            let share = 100.0 * time.as_secs_f64() / total.as_secs_f64().max(1e-9);
            text += &format!("  {:10} {:8.2} s  {share:4.0} %\n", stage.name(), time.as_secs_f64());
        }
    }
    text
}

/// One line a domain, split and type of question.
pub fn table(finished: &Finished) -> String {
    let mut lines: BTreeMap<(String, String, String), [u64; 4]> = BTreeMap::new();
    for (key, cell) in &finished.tally.cells {
        let name = (key.domain.to_string(), key.split.to_string(), key.question_type.to_string());
        let line = lines.entry(name).or_default();
        for (sum, part) in line.iter_mut().zip([cell.items, cell.yes, cell.no, cell.trivial]) {
            *sum += part;
        }
    }
    let mut out = format!(
        "{:12} {:14} {:8} {:>9} {:>9} {:>9} {:>9}\n",
        "domain", "split", "type", "items", "yes", "no", "trivial"
    );
    for ((domain, split, kind), [items, yes, no, trivial]) in lines {
        let (yes, no) = if kind == "verify" { (yes.to_string(), no.to_string()) } else { Default::default() };
        out += &format!("{domain:12} {split:14} {kind:8} {items:>9} {yes:>9} {no:>9} {trivial:>9}\n");
    }
    let worlds: Vec<String> =
        finished.tally.worlds.iter().map(|(split, keys)| format!("{} in {split}", keys.len())).collect();
    out += &format!("distinct worlds: {}\n", worlds.join(", "));
    if !finished.exceptions.is_empty() {
        out += &format!(
            "{} question forms left out at some level; manifest.json says which and why\n",
            finished.exceptions.len()
        );
    }
    out
}
