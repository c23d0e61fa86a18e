//! What a learner printed to clauses, with or without the log around them: Popper, Aleph, Metagol, ILASP, or a program
//! written by hand, in Prolog or for clingo.

use std::collections::BTreeSet;
use std::ops::Range;

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

/// Does a text without a telling name hold a program or a learner's log? Predictions have no rules.
pub fn is_program(text: &str) -> bool {
    let marks = [":-", "SOLUTION", "[theory]", "% unable to learn", "UNSATISFIABLE"];
    marks.iter().any(|mark| text.contains(mark))
}

/// The program in a learner's log, line by line; what is none of it is an empty line.
///
/// ```
/// use racgen::games::tasks::learned_reader::program_of_log;
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

/// Prolog that is not read as clauses to clingo's language, line by line: what is declared may be undefined, other
/// directives go, negation and comparison are respelled.
///
/// ```
/// use racgen::games::tasks::learned_reader::to_asp;
/// assert_eq!(to_asp(":- dynamic p/1.\nq(X) :- r(X), \\+ p(X), X \\== 'a b'.\n"), "#defined p/1. \nq(X) :- r(X), not p(X), X != \"a b\".\n");
/// ```
pub fn to_asp(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let kept = line.trim_start();
        let directive =
            ["dynamic", "discontiguous", "table", "use_module", "style_check", "module", "set_prolog_flag"];
        let is_directive = kept
            .strip_prefix(":-")
            .is_some_and(|rest| directive.iter().any(|d| rest.trim_start().starts_with(d)));
        let declared =
            [":- dynamic", ":- discontiguous", ":- table"].iter().find_map(|d| kept.strip_prefix(d));
        if let Some(list) = declared {
            let signatures = list.trim().trim_end_matches('.').split(',').map(str::trim);
            signatures.for_each(|s| out += &format!("#defined {s}. "));
        } else if !is_directive {
            let line =
                line.replace("\\+", "not ").replace("\\==", "!=").replace("\\=", "!=").replace("==", "=");
            out += &line.replace("not  ", "not ").replace("!==", "!=").replace('\'', "\"");
        }
        out.push('\n');
    }
    out
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum LearnedToken {
    Word(String),
    Variable(String),
    Number(String),
    Quoted(String),
    Text(String),
    Sign(&'static str),
    Strange,
}

/// The longest come first.
const SIGNS: [&str; 34] = [
    "\\==", "=:=", "=\\=", "=..", ":-", "\\+", "\\=", "==", "=<", "<=", ">=", "!=", "->", "..", "<", ">",
    "=", "(", ")", ",", "|", ";", "[", "]", "+", "-", "*", "/", "#", "{", "}", ":", "@", "~",
];

/// Statements as bytes and tokens. A statement ends with a full stop before a blank or a comment.
fn cut(text: &str) -> Vec<(Range<usize>, Vec<LearnedToken>)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut tokens: Vec<LearnedToken> = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let c = rest.chars().next().unwrap_or(' ');
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        if c == '%' {
            // clingo's comments over several lines stand between `%*` and `*%`.
            at += rest
                .strip_prefix("%*")
                .and_then(|r| r.find("*%"))
                .map_or_else(|| rest.find('\n').unwrap_or(rest.len()), |end| end + 4);
            continue;
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            at += comment.find("*/").map_or(rest.len(), |end| end + 4);
            continue;
        }
        if tokens.is_empty() {
            start = at;
        }
        if c == '.' && rest[1..].chars().next().is_none_or(|next| next.is_whitespace() || next == '%') {
            at += 1;
            found.push((start..at, std::mem::take(&mut tokens)));
            continue;
        }
        let (token, length) = token(rest, c);
        tokens.push(token);
        at += length;
    }
    if !tokens.is_empty() {
        tokens.push(LearnedToken::Strange);
        found.push((start..text.len(), tokens));
    }
    found
}

fn token(rest: &str, c: char) -> (LearnedToken, usize) {
    let word = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    if c.is_ascii_digit() {
        let number = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        return (LearnedToken::Number(rest[..number].to_owned()), number);
    }
    if c.is_ascii_lowercase() {
        return (LearnedToken::Word(rest[..word].to_owned()), word);
    }
    if c.is_ascii_uppercase() || c == '_' {
        return (LearnedToken::Variable(rest[..word].to_owned()), word);
    }
    if c == '\'' || c == '"' {
        let mut inner = String::new();
        let mut chars = rest.char_indices().skip(1).peekable();
        while let Some((at, next)) = chars.next() {
            if next == '\\' {
                inner.extend(chars.next().map(|(_, escaped)| escaped));
            } else if next == c && chars.peek().is_some_and(|(_, after)| *after == c) {
                chars.next();
                inner.push(c);
            } else if next == c {
                let token = if c == '"' { LearnedToken::Text(inner) } else { LearnedToken::Quoted(inner) };
                return (token, at + 1);
            } else {
                inner.push(next);
            }
        }
        return (LearnedToken::Strange, rest.len());
    }
    match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => (LearnedToken::Sign(sign), sign.len()),
        None => (LearnedToken::Strange, c.len_utf8()),
    }
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

fn is_sign(token: &LearnedToken, sign: &str) -> bool {
    matches!(token, LearnedToken::Sign(found) if *found == sign)
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
