//! What a model printed to its final answer: that of a box or tag, behind "the answer is", or said in so many words.
//!
//! A text answers once. Of two answers that differ, the later counts where something between them says that it follows
//! from more thought, or takes the earlier back; else there is none. Questions, hedges and sentences that say other things
//! than the question asks are no answers.

use crate::score::normal::Normal;
use crate::score::plain_text::Plain;
use crate::score::question_asked::{AnswerKind, QuestionAsked};
use crate::score::vocabulary::{WORDS, listed};

/// How plainly a text says that something is its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// A statement that gives an answer and no more.
    Said,
    /// Behind "so" or "therefore".
    Concluded,
    /// Behind "the answer is".
    Stated,
    /// Behind "the final answer is".
    Final,
    /// In a box or a tag.
    Marked,
}

/// A place that gives an answer.
#[derive(Debug)]
struct AnswerClaim {
    standing: Standing,
    /// The number of its statement.
    statement: usize,
    readings: Vec<Normal>,
}

/// The readings of the final answer of a text; more than one only where a list may be cut in several ways, and none where
/// there is no answer.
///
/// ```
/// use racgen::score::final_answer::final_answer;
/// use racgen::score::normal::Normal;
/// use racgen::score::question_asked::QuestionAsked;
///
/// let asked = QuestionAsked::new("number", "How many containers are in pile-3?", ["pile-3", "zither"]);
/// assert_eq!(final_answer("There were 2. One more came, so the answer is 3.", &asked), [Normal::Number(3)]);
/// assert_eq!(final_answer("3 or 4", &asked), []);
/// ```
pub fn final_answer(text: &str, asked: &QuestionAsked) -> Vec<Normal> {
    // A model that goes on makes up further questions of its own.
    if let Some(own) = run_on(text) {
        let found = of_text(own, asked, 0);
        if !found.is_empty() {
            return found;
        }
    }
    of_text(text, asked, 0)
}

/// What stands before a further question, where something does.
fn run_on(text: &str) -> Option<&str> {
    let begin = text.len() - text.trim_start().len();
    let at = WORDS.run_on.iter().filter_map(|start| text[begin..].find(start.as_str())).min()?;
    Some(&text[..begin + at])
}

fn of_text(text: &str, asked: &QuestionAsked, depth: usize) -> Vec<Normal> {
    let plain = Plain::new(text);
    let mut claims = Vec::new();
    for (number, statement) in plain.statements.iter().enumerate() {
        for mark in Plain::marks(statement) {
            let Some(content) = plain.marked.get(mark) else { continue };
            let readings =
                if Plain::offers(statement) { Vec::new() } else { of_content(content, asked, depth) };
            claims.push(AnswerClaim { standing: Standing::Marked, statement: number, readings });
        }
        let whole = plain.with_marked(statement);
        // A question gives no answer, and what would be under a condition is none either.
        if statement.ends_with('?') || asked.is_conditional(&whole) {
            continue;
        }
        if let Some((standing, body)) = announced(&whole) {
            // A value of JSON, with others behind it.
            let value = whole.contains('{') && body.starts_with(['"', '[']);
            let readings = asked.readings(if value { quoted(body) } else { body });
            claims.push(AnswerClaim { standing, statement: number, readings });
        } else if let Some(body) = concluded(&whole) {
            // "So this is it." concludes, but names nothing.
            let readings = asked.sure(body);
            if !readings.is_empty() {
                claims.push(AnswerClaim { standing: Standing::Concluded, statement: number, readings });
            }
        }
    }
    joined(&mut claims, &plain, asked);
    let explicit = claims.iter().any(|claim| claim.standing >= Standing::Stated);
    let last = plain.statements.len().saturating_sub(1);
    for (number, statement) in plain.statements.iter().enumerate() {
        if claims.iter().any(|claim| claim.statement == number) {
            continue;
        }
        let readings = if number == last && !explicit {
            if last == 0 { asked.readings(statement) } else { asked.sure(statement) }
        } else if number == 0 {
            asked.leading(statement)
        } else {
            asked.bare(statement)
        };
        if !readings.is_empty() {
            claims.push(AnswerClaim { standing: Standing::Said, statement: number, readings });
        }
    }
    if claims.is_empty() && last > 0 {
        let readings = asked.readings(&plain.statements[last]);
        claims.push(AnswerClaim { standing: Standing::Said, statement: last, readings });
    }
    if let Some(whole) = lines(&plain, asked) {
        return whole;
    }
    claims.sort_by_key(|claim| claim.statement);
    resolved(&claims, &plain)
}

/// The answer in a box or tag, which may hold thoughts as well.
fn of_content(content: &str, asked: &QuestionAsked, depth: usize) -> Vec<Normal> {
    let lines: Vec<&str> = content.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let plain = Plain::new(&lines.join("\n"));
    let found = match plain.statements.as_slice() {
        [only] if plain.marked.is_empty() => asked.readings(only),
        _ => Vec::new(),
    };
    // No text nests deeply in earnest.
    if found.is_empty() && depth < 3 { of_text(content, asked, depth + 1) } else { found }
}

/// Boxes of one statement with nothing but commas between them are one list.
fn joined(claims: &mut Vec<AnswerClaim>, plain: &Plain, asked: &QuestionAsked) {
    if asked.kind() != AnswerKind::Names {
        return;
    }
    for (number, statement) in plain.statements.iter().enumerate() {
        let marks: Vec<&str> =
            Plain::marks(statement).filter_map(|mark| plain.marked.get(mark)).map(String::as_str).collect();
        if marks.len() > 1 {
            let list = if Plain::offers(statement) { String::new() } else { marks.join(", ") };
            let readings = asked.readings(&list);
            claims.retain(|claim| claim.statement != number || claim.standing != Standing::Marked);
            claims.push(AnswerClaim { standing: Standing::Marked, statement: number, readings });
        }
    }
}

/// A text that is a list of names, one a line.
fn lines(plain: &Plain, asked: &QuestionAsked) -> Option<Vec<Normal>> {
    if asked.kind() != AnswerKind::Names || plain.statements.len() < 2 || !plain.marked.is_empty() {
        return None;
    }
    let bare = |statement: &String| matches!(asked.bare(statement).as_slice(), [Normal::Names(names), ..] if !names.is_empty());
    let all = plain.statements.iter().all(bare);
    all.then(|| asked.readings(&plain.statements.join("\n")))
}

/// What stands behind the last "answer is" of a statement, and how plainly.
fn announced(statement: &str) -> Option<(Standing, &str)> {
    let mut found = None;
    for (at, _) in statement.match_indices("answer") {
        let before = &statement[..at];
        if before.ends_with(|c: char| c.is_alphanumeric()) || before.contains("whether ") {
            continue;
        }
        let mut rest = &statement[at + "answer".len()..];
        rest = rest.strip_prefix('s').unwrap_or(rest);
        let Some(body) = verb(rest) else { continue };
        let word = before.trim_end_matches(|c: char| c.is_whitespace() || "\"'_".contains(c));
        let standing = if word.ends_with("final") { Standing::Final } else { Standing::Stated };
        found = Some((standing, body));
    }
    found.or_else(|| {
        let (head, body) = statement.split_once(':')?;
        let head = head.trim().trim_start_matches("final ").trim_start_matches("the ");
        listed(&WORDS.announced, head).then(|| (Standing::Stated, lead(body)))
    })
}

/// What stands behind the verb or colon that follows "answer".
fn verb(rest: &str) -> Option<&str> {
    let mut rest = rest;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "\"'(),".contains(c));
        for sign in [":", "=", "->", "--", "- "] {
            if let Some(body) = rest.strip_prefix(sign) {
                return Some(lead(body));
            }
        }
        let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if listed(&WORDS.verbs, word) {
            let after = after.strip_prefix("n't").map_or(after, |_| "n't");
            return Some(lead(after));
        }
        if word.is_empty() || !listed(&WORDS.between, word) {
            return None;
        }
        rest = after;
    }
}

/// The beginning of an answer, behind words that only lead to it.
fn lead(body: &str) -> &str {
    let mut body = body;
    loop {
        body = body.trim_start_matches(|c: char| c.is_whitespace() || ":,=".contains(c));
        let word = WORDS.leads.iter().find_map(|lead| {
            body.strip_prefix(lead.as_str()).filter(|rest| rest.starts_with([' ', ',', ':']))
        });
        match word {
            Some(rest) => body = rest,
            None => return body,
        }
    }
}

/// The first text or list of a JSON value.
fn quoted(body: &str) -> &str {
    match body.strip_prefix('"') {
        Some(rest) => rest.split('"').next().unwrap_or_default(),
        None => body.find(']').map_or(body, |end| &body[..=end]),
    }
}

/// What stands behind the last word that concludes.
fn concluded(statement: &str) -> Option<&str> {
    let places = WORDS.conclusions.iter().filter_map(|word| {
        let behind = |at: usize| {
            let before = statement[..at].trim_end();
            let starts =
                before.is_empty() || before.ends_with([',', ';', '-', ':']) || before.ends_with(" and");
            let rest = &statement[at + word.len()..];
            (starts && rest.starts_with([' ', ',', ':'])).then_some((at, rest))
        };
        statement.match_indices(word.as_str()).filter_map(|(at, _)| behind(at)).last()
    });
    places.max_by_key(|(at, _)| *at).map(|(_, rest)| lead(rest))
}

/// Do two claims say the same?
fn agree(one: &AnswerClaim, other: &AnswerClaim) -> bool {
    one.readings.iter().any(|reading| other.readings.contains(reading))
}

/// The answer that the claims come to, in the order of the text.
fn resolved(claims: &[AnswerClaim], plain: &Plain) -> Vec<Normal> {
    let Some(top) = claims.iter().map(|claim| claim.standing).max() else { return Vec::new() };
    let Some(place) = claims.iter().rposition(|claim| claim.standing == top) else { return Vec::new() };
    let mut last = &claims[place];
    if last.readings.is_empty() {
        return Vec::new();
    }
    let between = |from: usize, to: usize, words: &[String]| {
        let told = plain.statements[from..=to].iter().skip(usize::from(to > from));
        told.flat_map(|text| text.split(|c: char| !c.is_alphanumeric())).any(|word| listed(words, word))
    };
    for claim in claims[..place].iter().filter(|claim| !claim.readings.is_empty() && !agree(claim, last)) {
        let weaker = claim.standing < last.standing && last.standing >= Standing::Final;
        if !weaker && !between(claim.statement, last.statement, &WORDS.turns) {
            return Vec::new();
        }
    }
    for claim in claims[place + 1..].iter().filter(|claim| !claim.readings.is_empty()) {
        if agree(claim, last) {
            continue;
        }
        if between(last.statement, claim.statement, &WORDS.corrections) {
            last = claim;
        } else if claim.standing != Standing::Concluded {
            return Vec::new();
        }
    }
    let told = plain.statements[last.statement..].iter();
    let taken_back =
        told.clone().any(|text| WORDS.retractions.iter().any(|phrase| text.contains(phrase.as_str())));
    if taken_back { Vec::new() } else { last.readings.clone() }
}
