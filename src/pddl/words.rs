//! Expressions of a planning text to the words and lists that are expected there, or to faults that say what is not.

use std::fmt;

use racgen_logic::expressions::{Expression, TextPlace, expressions, fault_at};
use racgen_logic::fault::Fault;

use crate::pddl::syntax::Parameter;

/// The text of a file, for faults.
#[derive(Clone, Copy)]
pub(crate) struct PddlText<'f> {
    /// The file, as the user called it.
    pub(crate) file: &'f str,
}

/// What is left of a list after its first word.
pub(crate) type AfterFirst<'e> = &'e [Expression];

impl PddlText<'_> {
    pub(crate) fn fault(
        self,
        place: TextPlace,
        cause: impl fmt::Display,
        remedy: impl fmt::Display,
    ) -> Fault {
        fault_at(self.file, place, cause, remedy)
    }

    /// The sections of `(define (KIND NAME) SECTION...)`, and the name.
    pub(crate) fn define(self, text: &str, kind: &str) -> Result<(String, Vec<Expression>), Fault> {
        let start = TextPlace { line: 1, column: 1 };
        let all = expressions(text, self.file)?;
        let remedy = format!("write (define ({kind} NAME) ...)");
        let [Expression::List(parts, place)] = all.as_slice() else {
            let place = all.get(1).map_or(start, Expression::place);
            return Err(self.fault(place, "a file holds one (define ...) and nothing else", remedy));
        };
        let [define, head, sections @ ..] = parts.as_slice() else {
            return Err(self.fault(*place, "this is no definition", remedy));
        };
        let (found, names) = self.headed(head)?;
        match (self.word(define)?.as_str(), found.as_str(), names) {
            ("define", found, [name]) if found == kind => Ok((self.word(name)?, sections.to_vec())),
            ("define", found, _) => {
                let cause = format!("this file defines a {found}, and a {kind} is expected here");
                Err(self.fault(head.place(), cause, "name the domain's file first, then those of problems"))
            }
            _ => Err(self.fault(*place, "this is no definition", remedy)),
        }
    }

    /// A word, in small letters.
    pub(crate) fn word(self, expression: &Expression) -> Result<String, Fault> {
        match expression {
            Expression::Word(word, _) => Ok(word.to_lowercase()),
            Expression::List(_, place) => Err(self.fault(
                *place,
                "a list stands where a word is needed",
                "write the word without parentheses",
            )),
        }
    }

    /// A name: of a type, a predicate, an object.
    pub(crate) fn name(self, expression: &Expression) -> Result<String, Fault> {
        let word = self.word(expression)?;
        let plain = word.starts_with(char::is_alphanumeric)
            && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@' | '#' | '+'));
        if plain {
            return Ok(word);
        }
        Err(self.fault(
            expression.place(),
            format!("`{word}` is no name"),
            "names start with a letter or digit, and have letters, digits, - and _",
        ))
    }

    /// What stands in a list.
    pub(crate) fn list(self, expression: &Expression) -> Result<AfterFirst<'_>, Fault> {
        match expression {
            Expression::List(parts, _) => Ok(parts),
            Expression::Word(word, place) => {
                let cause = format!("`{word}` stands where a list is needed");
                Err(self.fault(*place, cause, format!("write ({word} ...)")))
            }
        }
    }

    /// The first word of a list, and the rest.
    pub(crate) fn headed(self, expression: &Expression) -> Result<(String, AfterFirst<'_>), Fault> {
        match self.list(expression)? {
            [first, rest @ ..] => Ok((self.word(first)?, rest)),
            [] => Err(self.fault(
                expression.place(),
                "empty parentheses",
                "remove them, or put something in them",
            )),
        }
    }

    /// `a b - t c - (either t u)`: names with the types that follow them; `object` where none does.
    pub(crate) fn typed(self, list: AfterFirst, variables: bool) -> Result<Vec<Parameter>, Fault> {
        let mut found: Vec<Parameter> = Vec::new();
        let (mut first, mut at) = (0, 0);
        while at < list.len() {
            let place = list[at].place();
            if matches!(&list[at], Expression::Word(word, _) if word == "-") {
                let Some(written) = list.get(at + 1) else {
                    return Err(self.fault(
                        place,
                        "no type follows the hyphen",
                        "write `- TYPE` after the names",
                    ));
                };
                if first == found.len() {
                    return Err(self.fault(place, "no name stands before this type", "write `NAME - TYPE`"));
                }
                let types = self.types(written)?;
                found[first..].iter_mut().for_each(|parameter| parameter.types.clone_from(&types));
                first = found.len();
                at += 2;
                continue;
            }
            let name = if variables { self.variable(&list[at])? } else { self.name(&list[at])? };
            if variables && found.iter().any(|known| known.name == name) {
                return Err(self.fault(place, format!("`?{name}` stands twice"), "name each parameter once"));
            }
            found.push(Parameter { name, types: vec!["object".to_owned()], place });
            at += 1;
        }
        Ok(found)
    }

    fn types(self, written: &Expression) -> Result<Vec<String>, Fault> {
        if let Expression::Word(..) = written {
            return Ok(vec![self.name(written)?]);
        }
        match self.headed(written)? {
            (either, types) if either == "either" && !types.is_empty() => {
                types.iter().map(|name| self.name(name)).collect()
            }
            _ => Err(self.fault(
                written.place(),
                "this is no type",
                "write `- TYPE` or `- (either TYPE TYPE)`",
            )),
        }
    }

    /// A variable, without its question mark.
    pub(crate) fn variable(self, expression: &Expression) -> Result<String, Fault> {
        let word = self.word(expression)?;
        match word.strip_prefix('?').filter(|name| !name.is_empty()) {
            Some(name) => Ok(name.to_owned()),
            None => {
                let cause = format!("`{word}` stands where a variable is needed");
                Err(self.fault(expression.place(), cause, "variables start with a question mark"))
            }
        }
    }
}
