//! Type signatures to text, and text to signatures (the language of section 4.2).

use std::fmt;
use std::sync::Arc;

use racgen_logic::expressions::TextPlace;
use racgen_logic::fault::Fault;

use super::signature::{Declaration, Types};

impl Types {
    /// Reads the language of section 4.2. Declarations may repeat.
    ///
    /// # Errors
    /// The first fault, with line and column.
    ///
    /// ```
    /// use racgen::games::play::types::Types;
    /// let types = Types::read("true :: prop -> bool. at :: pos -> prop. 1, 2 :: pos.", "a.typ").unwrap();
    /// assert_eq!(types.declarations.len(), 4);
    /// let fault = Types::read("1, 2 : pos.", "a.typ").unwrap_err();
    /// assert!(fault.to_string().starts_with("a.typ:1:6: "), "{fault}");
    /// ```
    pub fn read(text: &str, file: &str) -> Result<Types, Fault> {
        let mut types = Types { file: file.to_owned(), ..Types::default() };
        let mut words: Vec<(String, TextPlace)> = Vec::new();
        let fault = |place: TextPlace, cause: String| Fault {
            place: format!("{file}:{}:{}", place.line, place.column),
            cause,
            remedy: "write `a, b :: type -> result.` or `subtype :> type.`".into(),
        };
        for (number, line) in text.lines().enumerate() {
            let line = line.split('%').next().unwrap_or_default();
            let mut column = 0;
            let mut word = String::new();
            let mut start = 0;
            for c in line.chars().chain([' ']) {
                column += 1;
                if !(c.is_whitespace() || c == ',' || c == '.') {
                    if word.is_empty() {
                        start = column;
                    }
                    word.push(c);
                    continue;
                }
                if !word.is_empty() {
                    let place = TextPlace { line: number as u32 + 1, column: start };
                    signs_apart(&std::mem::take(&mut word), place, &mut words);
                }
                if c == '.' {
                    types.statement(&std::mem::take(&mut words)).map_err(|(p, cause)| fault(p, cause))?;
                }
            }
        }
        match words.first() {
            Some((_, place)) => {
                Err(fault(*place, "the last declaration does not end with a full stop".into()))
            }
            None => Ok(types),
        }
    }

    fn statement(&mut self, words: &[(String, TextPlace)]) -> Result<(), (TextPlace, String)> {
        let Some((_, start)) = words.first() else { return Ok(()) };
        let sign = words.iter().position(|(w, _)| w == "::" || w == ":>");
        let Some(at) = sign.filter(|at| *at > 0 && at + 1 < words.len()) else {
            let odd = words.iter().find(|(w, _)| w.contains(':'));
            let (word, place) = odd.map_or(("this", *start), |(w, p)| (w, *p));
            return Err((place, format!("`{word}` declares nothing")));
        };
        let name = |(word, place): &(String, TextPlace)| match word.as_str() {
            "::" | ":>" | "->" => Err((*place, format!("`{word}` stands where a name is needed"))),
            word => Ok(Arc::<str>::from(word)),
        };
        let left = words[..at].iter().map(name).collect::<Result<Vec<_>, _>>()?;
        let mut right = Vec::new();
        for (index, word) in words[at + 1..].iter().enumerate() {
            if index % 2 == 0 {
                right.push(name(word)?);
            } else if word.0 != "->" {
                return Err((word.1, format!("`{}` stands where `->` is needed", word.0)));
            }
        }
        let Some(result) = right.pop().filter(|_| (words.len() - at).is_multiple_of(2)) else {
            return Err((words[words.len() - 1].1, "the declaration ends with an arrow".into()));
        };
        if words[at].0 == ":>" {
            self.below.extend(left.into_iter().map(|sub| (sub, result.clone())));
        } else {
            self.declarations.extend(left.into_iter().map(|name| Declaration {
                name,
                arguments: right.clone(),
                result: result.clone(),
            }));
        }
        Ok(())
    }
}

impl fmt::Display for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Declarations of the same type share a line.
        let mut left: Vec<&Declaration> = self.declarations.iter().collect();
        while let Some(first) = left.first().copied() {
            let same = |d: &Declaration| d.arguments == first.arguments && d.result == first.result;
            let names: Vec<&str> = left.iter().filter(|d| same(d)).map(|d| &*d.name).collect();
            let right: Vec<&str> =
                first.arguments.iter().chain([&first.result]).map(|name| &**name).collect();
            writeln!(f, "{} :: {}.\n", names.join(", "), right.join(" -> "))?;
            left.retain(|d| !same(d));
        }
        for (sub, sup) in &self.below {
            writeln!(f, "{sub} :> {sup}.\n")?;
        }
        self.notes().iter().try_for_each(|note| writeln!(f, "% Listed in tasks: {note}."))
    }
}

/// Parts a word where a sign stands in it without blanks around it, as in `int->`.
fn signs_apart(word: &str, place: TextPlace, words: &mut Vec<(String, TextPlace)>) {
    let mut start = 0;
    let mut push = |from: usize, to: usize| {
        if from < to {
            let column = place.column + word[..from].chars().count() as u32;
            words.push((word[from..to].to_owned(), TextPlace { column, ..place }));
        }
    };
    for (at, sign) in word.char_indices().filter_map(|(at, _)| word.get(at..at + 2).map(|sign| (at, sign))) {
        if at >= start && matches!(sign, "->" | "::" | ":>") {
            push(start, at);
            push(at, at + 2);
            start = at + 2;
        }
    }
    push(start, word.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_need_no_blanks() -> Result<(), Fault> {
        let types = Types::read("even, num::int-> bool. small:>int. 1,2 ::small.", "a.typ")?;
        assert_eq!(types.declarations.len(), 4);
        assert_eq!(&*types.declarations[0].arguments[0], "int");
        assert_eq!(types.below, [("small".into(), "int".into())]);
        let fault =
            Types::read("a :: int->\n ->b.", "a.typ").err().map(|f| f.to_string()).unwrap_or_default();
        assert!(fault.starts_with("a.typ:2:2: "), "{fault}");
        Ok(())
    }
}
