//! A text to a ground term, as logic programs write them: `at(r1,l2)`, `neg(f3)`, `7`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::error::LogicError;

/// A ground term: a number, or a function with zero or more arguments (a constant has none).
///
/// ```
/// use racgen_logic::term::Term;
/// let term: Term = "at(r1,l2)".parse().unwrap();
/// assert_eq!(term.functor(), "at");
/// assert_eq!(term.args()[1].to_string(), "l2");
/// assert!("at(r1,".parse::<Term>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    /// An integer.
    Number(i32),
    /// A functor and its arguments.
    Function(Arc<str>, Arc<[Term]>),
}

impl Term {
    /// The constant `name`.
    pub fn constant(name: &str) -> Term {
        Term::Function(name.into(), Arc::new([]))
    }

    /// The function `name(args...)`.
    pub fn function(name: &str, args: Vec<Term>) -> Term {
        Term::Function(name.into(), args.into())
    }

    /// The functor, or the empty string for a number.
    pub fn functor(&self) -> &str {
        match self {
            Term::Number(_) => "",
            Term::Function(name, _) => name,
        }
    }

    /// The arguments, none for numbers and constants.
    pub fn args(&self) -> &[Term] {
        match self {
            Term::Number(_) => &[],
            Term::Function(_, args) => args,
        }
    }

    /// Does the term have this functor and number of arguments?
    pub fn is(&self, functor: &str, arity: usize) -> bool {
        matches!(self, Term::Function(name, args) if &**name == functor && args.len() == arity)
    }

    /// The term with other constants in place of those that have new names.
    pub fn renamed(&self, names: &BTreeMap<&str, &str>) -> Term {
        match self {
            Term::Function(name, args) if args.is_empty() => {
                names.get(&**name).map_or_else(|| self.clone(), |new| Term::constant(new))
            }
            Term::Function(name, args) => {
                Term::Function(name.clone(), args.iter().map(|arg| arg.renamed(names)).collect())
            }
            Term::Number(_) => self.clone(),
        }
    }

    /// Is the constant a part of the term?
    pub fn mentions(&self, constant: &str) -> bool {
        self.constants().any(|other| other == constant)
    }

    /// The constants of the term, from left to right, each as often as it stands there.
    ///
    /// ```
    /// use racgen_logic::term::Term;
    /// let term: Term = "happened(move(b1,f(b2)),3,b1)".parse().unwrap();
    /// assert_eq!(term.constants().collect::<Vec<_>>(), ["b1", "b2", "b1"]);
    /// ```
    pub fn constants(&self) -> impl Iterator<Item = &str> {
        // Most terms nest so little that nothing is put aside.
        let (mut here, mut aside) = (std::slice::from_ref(self).iter(), Vec::new());
        std::iter::from_fn(move || {
            loop {
                match here.next() {
                    Some(Term::Function(name, args)) if args.is_empty() => return Some(&**name),
                    Some(term) => {
                        let rest = std::mem::replace(&mut here, term.args().iter());
                        if !rest.as_slice().is_empty() {
                            aside.push(rest);
                        }
                    }
                    None => here = aside.pop()?,
                }
            }
        })
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Number(n) => write!(f, "{n}"),
            Term::Function(name, args) => {
                f.write_str(name)?;
                for (i, arg) in args.iter().enumerate() {
                    f.write_str(if i == 0 { "(" } else { "," })?;
                    arg.fmt(f)?;
                }
                if args.is_empty() { Ok(()) } else { f.write_str(")") }
            }
        }
    }
}

impl Serialize for Term {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl std::str::FromStr for Term {
    type Err = LogicError;

    fn from_str(text: &str) -> Result<Term, LogicError> {
        let mut reader = TermReader { bytes: text.as_bytes(), at: 0, depth: 0 };
        match reader.term() {
            Some(term) if reader.at == text.len() => Ok(term),
            _ => Err(LogicError::Term { text: text.to_owned(), offset: reader.at }),
        }
    }
}

/// How deep terms may nest.
const DEEPEST: usize = 200;

struct TermReader<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
}

impl TermReader<'_> {
    fn eat(&mut self, byte: u8) -> bool {
        let found = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn while_is(&mut self, test: impl Fn(u8) -> bool) -> &str {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|b| test(*b)) {
            self.at += 1;
        }
        std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or_default()
    }

    fn term(&mut self) -> Option<Term> {
        match self.bytes.get(self.at)? {
            b'-' | b'0'..=b'9' => {
                // With its sign, for the least number has no positive counterpart.
                let sign = if self.eat(b'-') { "-" } else { "" };
                let digits = self.while_is(|b| b.is_ascii_digit());
                format!("{sign}{digits}").parse().ok().map(Term::Number)
            }
            b'a'..=b'z' | b'_' => {
                let name = self.while_is(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'\'').to_owned();
                let mut args = Vec::new();
                if self.depth < DEEPEST && self.eat(b'(') {
                    self.depth += 1;
                    loop {
                        args.push(self.term()?);
                        if self.eat(b')') {
                            self.depth -= 1;
                            break;
                        }
                        if !self.eat(b',') {
                            return None;
                        }
                    }
                }
                Some(Term::function(&name, args))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for text in ["a", "-4", "-2147483648", "f(a,g(b,-1),c)", "after(move(b1,table),clear(b2))"] {
            assert_eq!(text.parse::<Term>().unwrap().to_string(), text);
        }
        for text in ["", "f(", "f()", "f(a,)", "f(a) ", "X", "f(a))", "-", "--1", "99999999999"] {
            assert!(text.parse::<Term>().is_err(), "{text}");
        }
        assert!("f(".repeat(100_000).parse::<Term>().is_err());
    }
}
