//! A text in prefix notation (KIF) to nested lists of words, with their places.

use racgen_logic::fault::Fault;

use super::syntax::{TextPlace, fault};

/// How deep parentheses may nest.
const DEEPEST: usize = 100;
/// A word or a list in parentheses.
#[derive(Debug)]
pub(super) enum Expression {
    Word(String, TextPlace),
    List(Vec<Expression>, TextPlace),
}

impl Expression {
    /// Where it begins.
    pub(super) fn place(&self) -> TextPlace {
        match self {
            Expression::Word(_, place) | Expression::List(_, place) => *place,
        }
    }
}

/// Text to expressions, without recursion: a stack holds the lists that are still open.
pub(super) fn expressions(text: &str, file: &str) -> Result<Vec<Expression>, Fault> {
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
                let cause = format!("the character U+{:04X} has no place in a game", c as u32);
                return Err(fault(file, place, cause, "check that the file is plain text"));
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
                    return Err(fault(file, place, cause, "close those that are open"));
                }
                open.push((Vec::new(), place));
            }
            ')' => {
                let Some((list, start)) = open.pop() else {
                    return Err(fault(
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
            Err(fault(file, *start, "this parenthesis is never closed", "close it, or remove it"))
        }
        None => Ok(top),
    }
}
