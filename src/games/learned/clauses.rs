//! Programs in Prolog or for clingo to clauses: what learners found, or what was written by hand.

use std::ops::Range;

use super::tokens::{LearnedToken, cut, is_sign};

/// A term: a variable, or anything else with the variables in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnedTerm {
    /// As clingo writes it.
    pub text: String,
    /// The variables in it, in order.
    pub variables: Vec<String>,
}

/// A relation with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnedAtom {
    /// The relation.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<LearnedTerm>,
}

/// A condition of a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LearnedLiteral {
    /// An atom.
    Is(LearnedAtom),
    /// The negation of an atom.
    Not(LearnedAtom),
    /// A comparison, with clingo's sign.
    Compare(LearnedTerm, &'static str, LearnedTerm),
    /// What is never the case.
    Never,
}

/// A rule or fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnedClause {
    /// What is derived.
    pub head: LearnedAtom,
    /// From what.
    pub body: Vec<LearnedLiteral>,
}

/// A statement of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LearnedStatement {
    /// A rule or fact.
    Clause(LearnedClause),
    /// Relations that may be undefined.
    Declared(Vec<(String, usize)>),
    /// A directive without a meaning here.
    Directive,
    /// What is none of these.
    Other,
}

/// A statement and where it stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Its line, from 1.
    pub line: usize,
    /// Its bytes in the text that was read.
    pub bytes: Range<usize>,
    /// What it says.
    pub statement: LearnedStatement,
}

/// The statements of a program.
pub fn statements(text: &str) -> Vec<Placed> {
    let mut found = Vec::new();
    let mut anonymous = 0;
    for (bytes, tokens) in cut(text) {
        let line = 1 + text[..bytes.start].matches('\n').count();
        let statement = statement(&tokens, &mut anonymous).unwrap_or(LearnedStatement::Other);
        found.push(Placed { line, bytes, statement });
    }
    found
}

struct LearnedTokens<'t> {
    rest: &'t [LearnedToken],
    anonymous: &'t mut usize,
    /// How deep terms and conditions are nested.
    depth: usize,
}

/// Deeper nesting is read by nobody.
const DEEPEST: usize = 50;

fn statement(tokens: &[LearnedToken], anonymous: &mut usize) -> Option<LearnedStatement> {
    let mut tokens = LearnedTokens { rest: tokens, anonymous, depth: 0 };
    if tokens.take(":-") {
        return tokens.directive();
    }
    let head = tokens.atom()?;
    let mut body = Vec::new();
    if tokens.take(":-") {
        tokens.conditions(&mut body)?;
    }
    tokens.rest.is_empty().then_some(LearnedStatement::Clause(LearnedClause { head, body }))
}

impl LearnedTokens<'_> {
    fn take(&mut self, sign: &str) -> bool {
        let there = matches!(self.rest.first(), Some(LearnedToken::Sign(found)) if *found == sign);
        if there {
            self.rest = &self.rest[1..];
        }
        there
    }

    fn directive(&mut self) -> Option<LearnedStatement> {
        let Some(LearnedToken::Word(name)) = self.rest.first() else { return None };
        let others = [
            "use_module",
            "style_check",
            "module",
            "set_prolog_flag",
            "ensure_loaded",
            "set",
            "initialization",
        ];
        if others.contains(&name.as_str()) {
            return Some(LearnedStatement::Directive);
        }
        if !matches!(name.as_str(), "dynamic" | "discontiguous" | "table") {
            return None;
        }
        self.rest = &self.rest[1..];
        let parentheses = self.take("(");
        let mut declared = Vec::new();
        loop {
            match self.rest {
                [
                    LearnedToken::Word(name),
                    LearnedToken::Sign("/"),
                    LearnedToken::Number(arity),
                    rest @ ..,
                ] => {
                    declared.push((name.clone(), arity.parse().ok()?));
                    self.rest = rest;
                }
                _ => return None,
            }
            if !self.take(",") {
                break;
            }
        }
        (parentheses == self.take(")") && self.rest.is_empty())
            .then_some(LearnedStatement::Declared(declared))
    }

    fn conditions(&mut self, body: &mut Vec<LearnedLiteral>) -> Option<()> {
        loop {
            self.condition(body)?;
            if !self.take(",") {
                return Some(());
            }
        }
    }

    fn condition(&mut self, body: &mut Vec<LearnedLiteral>) -> Option<()> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let (before, depth) = (self.rest, self.depth);
        let done = if self.take("\\+") {
            self.negation(body)
        } else if matches!(self.rest, [LearnedToken::Word(not), next, ..] if not == "not" && !is_sign(next, ":-"))
        {
            self.rest = &self.rest[1..];
            self.negation(body)
        } else {
            self.plain_condition(body).or_else(|| {
                // Not a term in parentheses, but conditions.
                (self.rest, self.depth) = (before, depth);
                (self.take("(") && self.conditions(body).is_some() && self.take(")")).then_some(())
            })
        };
        self.depth -= 1;
        done
    }

    fn negation(&mut self, body: &mut Vec<LearnedLiteral>) -> Option<()> {
        let mut inner = Vec::new();
        self.condition(&mut inner)?;
        let Ok([one]) = <[LearnedLiteral; 1]>::try_from(inner) else { return None };
        body.push(match one {
            LearnedLiteral::Is(atom) => LearnedLiteral::Not(atom),
            LearnedLiteral::Compare(a, sign, b) => {
                let pairs = [("=", "!="), ("<", ">="), (">", "<=")];
                let other = pairs.iter().find_map(|(x, y)| match sign {
                    s if s == *x => Some(*y),
                    s if s == *y => Some(*x),
                    _ => None,
                });
                LearnedLiteral::Compare(a, other?, b)
            }
            LearnedLiteral::Not(_) | LearnedLiteral::Never => return None,
        });
        Some(())
    }

    fn plain_condition(&mut self, body: &mut Vec<LearnedLiteral>) -> Option<()> {
        let before = self.rest;
        let left = self.term()?;
        let sign = match self.rest.first() {
            Some(LearnedToken::Sign(sign)) => match *sign {
                "=" | "==" | "=:=" => Some("="),
                "\\=" | "\\==" | "=\\=" | "!=" => Some("!="),
                "<" => Some("<"),
                ">" => Some(">"),
                "=<" | "<=" => Some("<="),
                ">=" => Some(">="),
                _ => None,
            },
            Some(LearnedToken::Word(is)) if is == "is" => Some("="),
            _ => None,
        };
        if let Some(sign) = sign {
            self.rest = &self.rest[1..];
            let right = self.term()?;
            body.push(LearnedLiteral::Compare(left, sign, right));
            return Some(());
        }
        self.rest = before;
        let atom = self.atom()?;
        match (atom.name.as_str(), atom.arguments.len()) {
            ("true", 0) => {}
            ("fail" | "false", 0) => body.push(LearnedLiteral::Never),
            _ => body.push(LearnedLiteral::Is(atom)),
        }
        Some(())
    }

    fn atom(&mut self) -> Option<LearnedAtom> {
        let name = match self.rest.first()? {
            LearnedToken::Word(name) if name != "not" => name.clone(),
            LearnedToken::Quoted(name) if is_plain(name) => name.clone(),
            _ => return None,
        };
        self.rest = &self.rest[1..];
        let arguments = if self.take("(") { self.arguments()? } else { Vec::new() };
        Some(LearnedAtom { name, arguments })
    }

    /// What stands between parentheses; the first is taken already.
    fn arguments(&mut self) -> Option<Vec<LearnedTerm>> {
        let mut arguments = vec![self.term()?];
        while self.take(",") {
            arguments.push(self.term()?);
        }
        self.take(")").then_some(arguments)
    }

    fn term(&mut self) -> Option<LearnedTerm> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut term = self.simple()?;
        while let Some(LearnedToken::Sign(sign @ ("+" | "-" | "*"))) = self.rest.first() {
            self.rest = &self.rest[1..];
            let next = self.simple()?;
            term.text += sign;
            term.text += &next.text;
            term.variables.extend(next.variables);
        }
        self.depth -= 1;
        Some(term)
    }

    fn simple(&mut self) -> Option<LearnedTerm> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let term = self.unsigned();
        self.depth -= 1;
        term
    }

    /// A term without operators around it.
    fn unsigned(&mut self) -> Option<LearnedTerm> {
        let constant = |text: String| LearnedTerm { text, variables: Vec::new() };
        if self.take("-") {
            let inner = self.simple()?;
            return Some(LearnedTerm { text: format!("-{}", inner.text), ..inner });
        }
        if self.take("(") {
            let inner = self.term()?;
            return self.take(")").then(|| LearnedTerm { text: format!("({})", inner.text), ..inner });
        }
        let first = self.rest.first()?;
        self.rest = &self.rest[1..];
        match first {
            LearnedToken::Number(number) => Some(constant(number.clone())),
            LearnedToken::Variable(name) => {
                let name = self.variable(name);
                Some(LearnedTerm { text: name.clone(), variables: vec![name] })
            }
            LearnedToken::Word(name) if name == "not" => None,
            LearnedToken::Text(name) => Some(constant(quoted(name))),
            LearnedToken::Quoted(name) if !is_plain(name) => Some(constant(quoted(name))),
            LearnedToken::Word(name) | LearnedToken::Quoted(name) => {
                if !self.take("(") {
                    return Some(constant(name.clone()));
                }
                let arguments = self.arguments()?;
                let texts: Vec<&str> = arguments.iter().map(|a| a.text.as_str()).collect();
                let text = format!("{name}({})", texts.join(","));
                Some(LearnedTerm {
                    text,
                    variables: arguments.into_iter().flat_map(|a| a.variables).collect(),
                })
            }
            _ => None,
        }
    }

    /// A variable as clingo takes it: `_` is another one each time, and a capital is wanted.
    fn variable(&mut self, name: &str) -> String {
        let letters = name.trim_start_matches('_');
        if letters.is_empty() {
            *self.anonymous += 1;
            format!("Any_{}", self.anonymous)
        } else if letters.starts_with(|c: char| c.is_ascii_uppercase()) {
            name.to_owned()
        } else {
            format!("V{name}")
        }
    }
}

fn quoted(text: &str) -> String {
    let inner = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{inner}\"")
}

fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name != "not"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> LearnedStatement {
        statements(text).remove(0).statement
    }

    #[test]
    fn prolog_and_clingo_are_read_alike() {
        let same = [
            "p(A,B) :- q(A,_), \\+ r(B), A \\== 'b', B = c(1).",
            "p(A,B):-q(A,_),not r(B),A!=b,B=c(1).",
            "p(A, B) :-\n  q(A, _G1), % a note\n  not(r(B)), \\+ (A == b), (B = c(1), true) .",
        ];
        let read: Vec<LearnedStatement> = same.iter().map(|text| one(text)).collect();
        let shape = |statement: &LearnedStatement| match statement {
            LearnedStatement::Clause(clause) => {
                clause.body.iter().map(std::mem::discriminant).collect::<Vec<_>>()
            }
            _ => Vec::new(),
        };
        assert_eq!(read[0], read[1]);
        assert_eq!((shape(&read[0]), shape(&read[0]).len()), (shape(&read[2]), 4));
    }

    #[test]
    fn what_is_no_clause_is_kept_apart() {
        assert_eq!(
            one(":- dynamic p/1,\n q/2."),
            LearnedStatement::Declared(vec![("p".into(), 1), ("q".into(), 2)])
        );
        assert_eq!(one(":- use_module(library(lists))."), LearnedStatement::Directive);
        for text in ["{ p(X) : q(X) } 1.", ":- p(X).", "p(X) :- q(X) ; r(X).", "p(X) :- q(X", "p(1..3)."] {
            assert_eq!(one(text), LearnedStatement::Other, "{text}");
        }
        let two = statements("p(a).\n\nq(b). % end");
        assert_eq!(two.iter().map(|s| s.line).collect::<Vec<_>>(), [1, 3]);
    }
}
