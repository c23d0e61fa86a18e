//! A text in prefix notation to nested lists of words, with their places: what games (KIF) and planning domains (PDDL) are
//! written in.

use std::fmt;

use crate::fault::Fault;

/// Line and column, both counted from 1.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextPlace {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

// The world keys of games are hashes of clauses in this form, so the names in it stay as they are.
impl fmt::Debug for TextPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Place").field("line", &self.line).field("column", &self.column).finish()
    }
}

/// A fault of a text, at a place of it.
pub fn fault_at(file: &str, place: TextPlace, cause: impl fmt::Display, remedy: impl fmt::Display) -> Fault {
    Fault {
        place: format!("{file}:{}:{}", place.line, place.column),
        cause: cause.to_string(),
        remedy: remedy.to_string(),
    }
}

/// How deep parentheses may nest.
const DEEPEST: usize = 100;

/// A word or a list in parentheses.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A word, as it is written.
    Word(String, TextPlace),
    /// A list and what stands in it.
    List(Vec<Expression>, TextPlace),
}

impl Expression {
    /// Where it begins.
    pub fn place(&self) -> TextPlace {
        match self {
            Expression::Word(_, place) | Expression::List(_, place) => *place,
        }
    }
}

/// Text to expressions, without recursion: a stack holds the lists that are still open.
///
/// # Errors
/// Parentheses that do not match or nest too deep; characters that no text has.
pub fn expressions(text: &str, file: &str) -> Result<Vec<Expression>, Fault> {
    let mut place = TextPlace { line: 1, column: 0 };
    let mut open: Vec<(Vec<Expression>, TextPlace)> = Vec::new();
    let mut top = Vec::new();
    let mut word: Option<(String, TextPlace)> = None;
    let mut comment = false;
    for c in text.chars().chain(std::iter::once('\n')) {
        if c == '\n' {
            comment = false;
        } else if c != '\u{feff}' {
            place.column += 1;
        }
        let in_word = !comment && !c.is_whitespace() && !matches!(c, '(' | ')' | ';' | '\u{feff}');
        if in_word {
            if c.is_control() {
                let cause = format!("the character U+{:04X} has no place in such a text", c as u32);
                return Err(fault_at(file, place, cause, "check that the file is plain text"));
            }
            word.get_or_insert_with(|| (String::new(), place)).0.push(c);
        } else if let Some((word, at)) = word.take() {
            let list = open.last_mut().map_or(&mut top, |(list, _)| list);
            list.push(Expression::Word(word, at));
        }
        match c {
            '\n' => place = TextPlace { line: place.line + 1, column: 0 },
            _ if comment => {}
            ';' => comment = true,
            '(' => {
                if open.len() == DEEPEST {
                    let cause = format!("parentheses nest deeper than {DEEPEST}");
                    return Err(fault_at(file, place, cause, "close those that are open"));
                }
                open.push((Vec::new(), place));
            }
            ')' => {
                let Some((list, start)) = open.pop() else {
                    return Err(fault_at(
                        file,
                        place,
                        "this parenthesis closes none",
                        "remove it, or open one before it",
                    ));
                };
                let outer = open.last_mut().map_or(&mut top, |(list, _)| list);
                outer.push(Expression::List(list, start));
            }
            _ => {}
        }
    }
    match open.first() {
        Some((_, start)) => {
            Err(fault_at(file, *start, "this parenthesis is never closed", "close it, or remove it"))
        }
        None => Ok(top),
    }
}
