//! A text to its atoms, one after the other, with places for errors.

use racgen_logic::fault::Fault;
use rustc_hash::FxHashMap as HashMap;

use super::read_rule::{RulePlace, Syntax};
use crate::rules::datalog::syntax::{Arg, Atom, Vocabulary};

pub(super) fn fault(file: &str, place: RulePlace, cause: &str, remedy: &str) -> Fault {
    Fault {
        place: format!("{file}:{}:{}", place.line, place.column),
        cause: cause.to_owned(),
        remedy: remedy.to_owned(),
    }
}

/// What to do about what is no Datalog.
pub(super) const POSITIVE: &str =
    "only positive Datalog can be scored; leave the rule out or write it without";

/// Reads a text from its front.
pub(super) struct RuleReader<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) file: &'a str,
    pub(super) syntax: Syntax,
    pub(super) vocabulary: &'a mut Vocabulary,
    line_starts: Vec<usize>,
    /// The variables of the rule that is being read, by name.
    pub(super) variables: HashMap<&'a str, u32>,
    pub(super) fresh: u32,
}

impl<'a> RuleReader<'a> {
    pub(super) fn new(
        text: &'a str,
        file: &'a str,
        syntax: Syntax,
        vocabulary: &'a mut Vocabulary,
    ) -> RuleReader<'a> {
        let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        let line_starts = std::iter::once(0).chain(ends).collect();
        let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
        RuleReader {
            text,
            at,
            file,
            syntax,
            vocabulary,
            line_starts,
            variables: HashMap::default(),
            fresh: 0,
        }
    }

    pub(super) fn place(&self, offset: usize) -> RulePlace {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts[line.saturating_sub(1)];
        let column = self.text.get(start..offset).map_or(0, |text| text.chars().count()) + 1;
        RulePlace { line, column }
    }

    pub(super) fn fault(&self, offset: usize, cause: &str, remedy: &str) -> Fault {
        fault(self.file, self.place(offset), cause, remedy)
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    pub(super) fn take_while(&mut self, test: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let word = &rest[..rest.find(|c| !test(c)).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    pub(super) fn skip_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    /// Skips blanks and comments; is there anything left?
    pub(super) fn skip(&mut self) -> Result<bool, Fault> {
        loop {
            self.take_while(char::is_whitespace);
            let start = self.at;
            let end = if self.rest().starts_with("/*") {
                "*/"
            } else if self.rest().starts_with("%*") {
                "*%"
            } else if self.rest().starts_with('%') {
                self.skip_line();
                continue;
            } else {
                return Ok(!self.rest().is_empty());
            };
            match self.rest()[2..].find(end) {
                Some(length) => self.at += length + 4,
                None => {
                    return Err(self.fault(start, "the comment does not end", "close it"));
                }
            }
        }
    }

    pub(super) fn full_stop(&mut self, remedy: &str) -> Result<(), Fault> {
        self.skip()?;
        if self.eat(".") || self.rest().is_empty() {
            return Ok(());
        }
        let found: String = self.rest().chars().take_while(|c| !c.is_whitespace()).take(12).collect();
        Err(self.fault(self.at, &format!("unexpected `{found}`"), remedy))
    }

    pub(super) fn refuse_negation(&self) -> Result<(), Fault> {
        let rest = self.rest();
        let spaced = rest.strip_prefix("not").is_some_and(|r| r.starts_with([' ', '\t', '(', '\n']));
        if spaced || ["\\+", "~", "-", "\u{ac}"].iter().any(|sign| rest.starts_with(sign)) {
            return Err(self.fault(self.at, "negation is not supported", POSITIVE));
        }
        Ok(())
    }

    pub(super) fn atom(&mut self) -> Result<Atom, Fault> {
        self.refuse_negation()?;
        let at = self.at;
        let quoted = self.rest().starts_with('\'');
        let name = match self.rest().chars().next() {
            Some('\'') => self.quoted('\'')?,
            Some(c) if c.is_lowercase() => self.take_while(|c| c.is_alphanumeric() || c == '_').to_owned(),
            Some(c) if c.is_uppercase() || c == '_' || c.is_ascii_digit() => {
                let remedy =
                    "begin the predicate with a small letter, or quote it; comparisons are not supported";
                return Err(self.fault(at, "an atom is expected", remedy));
            }
            Some(c) => {
                return Err(self.fault(at, &format!("unexpected `{c}`"), "write atoms as p(X,c1)"));
            }
            None => {
                return Err(self.fault(at, "the text ends where an atom is expected", "complete the rule"));
            }
        };
        let after_name = self.at;
        if !quoted {
            self.skip()?;
        }
        let mut args = Vec::new();
        if self.eat("(") {
            loop {
                self.skip()?;
                args.push(self.arg()?);
                self.skip()?;
                if self.eat(")") {
                    break;
                }
                if !self.eat(",") {
                    let found = self.rest().chars().next();
                    let cause = match found {
                        Some('(') => "functions are not supported as arguments".to_owned(),
                        Some(c) => format!("unexpected `{c}` among the arguments"),
                        None => "the text ends within an atom".to_owned(),
                    };
                    return Err(self.fault(
                        self.at,
                        &cause,
                        "separate arguments with `,` and close with `)`",
                    ));
                }
            }
        } else {
            self.at = after_name;
        }
        self.known(&name, args, at)
    }

    pub(super) fn known(&mut self, name: &str, args: Vec<Arg>, at: usize) -> Result<Atom, Fault> {
        match self.vocabulary.predicate(name, args.len()) {
            Ok(predicate) => Ok(Atom { predicate, args }),
            Err(known) => Err(self.fault(
                at,
                &format!("`{name}` has {} arguments here and {known} elsewhere", args.len()),
                "give each predicate one arity",
            )),
        }
    }

    pub(super) fn variable(&mut self, name: &'a str) -> Arg {
        let number = if name == "_" { None } else { self.variables.get(name).copied() };
        Arg::Variable(number.unwrap_or_else(|| {
            let number = self.fresh;
            self.fresh += 1;
            if name != "_" {
                self.variables.insert(name, number);
            }
            number
        }))
    }

    pub(super) fn arg(&mut self) -> Result<Arg, Fault> {
        let at = self.at;
        match self.rest().chars().next() {
            Some(quote @ ('\'' | '"')) => {
                let name = self.quoted(quote)?;
                Ok(Arg::Constant(self.vocabulary.constant(&name)))
            }
            Some(c) if c.is_uppercase() || matches!(c, '_' | '?') => {
                self.at += c.len_utf8();
                let more = self.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '\''));
                let name = &self.text[at..at + c.len_utf8() + more.len()];
                Ok(self.variable(name))
            }
            Some(c) if c.is_alphanumeric() => {
                let name = self.take_while(|c| c.is_alphanumeric() || c == '_');
                Ok(Arg::Constant(self.vocabulary.constant(name)))
            }
            Some('-') => {
                self.at += 1;
                let digits = self.take_while(|c| c.is_ascii_digit());
                if digits.is_empty() {
                    return Err(self.fault(at, "unexpected `-` among the arguments", POSITIVE));
                }
                Ok(Arg::Constant(self.vocabulary.constant(&self.text[at..self.at])))
            }
            Some(c) => {
                let cause = if c == '[' {
                    "lists are not supported as arguments".to_owned()
                } else {
                    format!("unexpected `{c}` where an argument is expected")
                };
                Err(self.fault(at, &cause, "write variables as X and constants as c1"))
            }
            None => Err(self.fault(at, "the text ends within an atom", "close it with `)`")),
        }
    }

    pub(super) fn quoted(&mut self, quote: char) -> Result<String, Fault> {
        let start = self.at;
        let mut name = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((offset, c)) = chars.next() {
            match c {
                '\\' => match chars.next() {
                    Some((_, 'n')) => name.push('\n'),
                    Some((_, other)) => name.push(other),
                    None => break,
                },
                '\n' => break,
                c if c == quote => {
                    self.at = start + offset + 1;
                    return Ok(name);
                }
                c => name.push(c),
            }
        }
        Err(self.fault(start, "the quoted name does not end on its line", "close the quote"))
    }
}
