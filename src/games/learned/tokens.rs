//! A program's text to the tokens of its statements.

use std::ops::Range;

/// What statements are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LearnedToken {
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
pub(super) fn cut(text: &str) -> Vec<(Range<usize>, Vec<LearnedToken>)> {
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

/// Is the token this sign?
pub(super) fn is_sign(token: &LearnedToken, sign: &str) -> bool {
    matches!(token, LearnedToken::Sign(found) if *found == sign)
}
