//! What a learner printed to the program in it: Popper, Aleph, Metagol, ILASP.

use std::collections::BTreeSet;

/// Does a text without a telling name hold a program or a learner's log? Predictions have no rules.
pub fn is_program(text: &str) -> bool {
    let marks = [":-", "SOLUTION", "[theory]", "% unable to learn", "UNSATISFIABLE"];
    marks.iter().any(|mark| text.contains(mark))
}

/// The program in a learner's log, line by line; what is none of it is an empty line.
///
/// ```
/// use racgen::games::learned::log::program_of_log;
/// let log = "12:00:00 New best hypothesis:\n12:00:00 p(A):- q(A).\n\
///            ***** SOLUTION *****\nPrecision:1.00 Recall:1.00\np(A):- r(A).\n*****\n";
/// assert_eq!(program_of_log(log).trim(), "p(A):- r(A).");
/// let log = "[theory]\n\n[Rule 1] [Pos cover = 3 Neg cover = 0]\np(A) :-\n   r(A).\n\n[Training set performance]\n  Actual\n";
/// assert_eq!(program_of_log(log).trim(), "p(A) :-\n   r(A).");
/// ```
pub fn program_of_log(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(untimed).collect();
    // What has a time before it is no program, unless it is in one of the parts below.
    let timed: Vec<bool> = text.lines().map(|line| untimed(line).len() < line.len()).collect();
    let nothing = lines.iter().any(|line| matches!(line.trim(), "NO SOLUTION" | "UNSATISFIABLE"));
    let told = |line: &str| {
        line.starts_with("[Rule")
            || line.starts_with("Precision:")
            || line.starts_with("tp:")
            || matches!(line, "true." | "false.")
    };
    // Where a log has parts with programs, nothing else is one. Popper's best so far counts until there is a better one.
    let mut parts: Vec<(&str, Vec<usize>)> = Vec::new();
    let mut inside = false;
    for (number, line) in lines.iter().map(|line| line.trim()).enumerate() {
        let starts = (line.starts_with('*') && line.contains("SOLUTION"))
            || line.starts_with("New best hypothesis")
            || line == "[theory]";
        if starts {
            inside = true;
            parts.push(("", Vec::new()));
        } else if line.starts_with("*****") || (line.starts_with('[') && !line.starts_with("[Rule")) {
            inside = false;
        } else if inside
            && !told(line)
            && let Some((head, own)) = parts.last_mut()
        {
            if head.is_empty() {
                *head = line.split(['(', ':', '.', ' ']).next().unwrap_or_default();
            }
            own.push(number);
        }
    }
    let whole = parts.is_empty() && !nothing;
    let mut kept: Vec<bool> =
        lines.iter().zip(&timed).map(|(line, timed)| whole && !timed && !told(line.trim())).collect();
    // Of two programs for one relation, the later one.
    let mut heads: BTreeSet<&str> = BTreeSet::new();
    for (head, own) in parts.iter().rev() {
        if heads.insert(head) {
            own.iter().for_each(|number| kept[*number] = true);
        }
    }
    let mut out = String::new();
    for (number, line) in lines.iter().enumerate() {
        if kept[number] {
            out += line;
        }
        out.push('\n');
    }
    out
}

/// A line without the time that Popper puts before it.
fn untimed(line: &str) -> &str {
    let bytes = line.as_bytes();
    let time = bytes.len() > 8
        && bytes[..8]
            .iter()
            .enumerate()
            .all(|(n, b)| if n % 3 == 2 { *b == b':' } else { b.is_ascii_digit() });
    if time { line[8..].trim_start() } else { line }
}
