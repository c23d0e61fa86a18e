//! A logic program's text to its statements: tokens with their places, comments left out.
//!
//! This reads form only, as much of it as tells what a program derives, what it reads, and which directives it has.
//! What a program means is clingo's to say.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A predicate, a function or a constant.
    Name,
    /// A variable, or `_`.
    Variable,
    /// A number.
    Number,
    /// A text in quotes.
    Quoted,
    /// A directive, an aggregate or one of `#true`, `#inf` and the like.
    Hash,
    /// Anything else: `:-`, `(`, `;`.
    Sign,
}

/// A token of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its place in the text, in bytes.
    pub place: Range<usize>,
    /// The line it starts in, counted from 1.
    pub line: usize,
}

/// A rule, a fact, a constraint or a directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its tokens, without the full stop.
    pub tokens: Vec<Token>,
    /// The part of the program that it belongs to: what the last `#program` before it names.
    pub part: String,
}

/// An atom as a rule writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenAtom<'t> {
    /// The predicate.
    pub name: &'t str,
    /// The tokens of each argument.
    pub args: Vec<&'t [Token]>,
    /// The line it starts in.
    pub line: usize,
}

impl Token {
    /// The token as it is written.
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.place.clone()]
    }
}

/// The statements of a text. What follows the last full stop counts as one, too.
pub fn statements(text: &str) -> Vec<Statement> {
    let (mut found, mut part) = (Vec::new(), "base".to_owned());
    let mut tokens: Vec<Token> = Vec::new();
    let all = Tokens { text, at: 0, line: 1 };
    for token in all {
        if token.kind == TokenKind::Sign && token.text(text) == "." {
            let tokens = std::mem::take(&mut tokens);
            if let [directive, name, ..] = &tokens[..]
                && directive.text(text) == "#program"
            {
                part = name.text(text).to_owned();
            }
            found.push(Statement { tokens, part: part.clone() });
        } else {
            // A script ends with a directive of its own and no rule.
            let script = token.kind == TokenKind::Hash && token.text(text) == "#script";
            tokens.push(token);
            if script {
                found.push(Statement { tokens: std::mem::take(&mut tokens), part: part.clone() });
            }
        }
    }
    if !tokens.is_empty() {
        found.push(Statement { tokens, part });
    }
    found
}

impl Statement {
    /// The line it starts in; 0 without tokens.
    pub fn line(&self) -> usize {
        self.tokens.first().map_or(0, |token| token.line)
    }

    /// The directive that it is: `#program`; none for rules.
    pub fn directive<'t>(&self, text: &'t str) -> Option<&'t str> {
        let first = self.tokens.first().filter(|token| token.kind == TokenKind::Hash)?;
        let word = first.text(text);
        const DIRECTIVES: [&str; 14] = [
            "#program",
            "#include",
            "#script",
            "#end",
            "#const",
            "#show",
            "#defined",
            "#external",
            "#minimize",
            "#maximize",
            "#heuristic",
            "#edge",
            "#project",
            "#theory",
        ];
        DIRECTIVES.contains(&word).then_some(word)
    }

    /// Where its body starts, if it has one.
    fn neck(&self, text: &str) -> Option<usize> {
        self.tokens.iter().position(|token| [":-", ":~"].contains(&token.text(text)))
    }

    /// Is it a constraint: a body without a head?
    pub fn is_constraint(&self, text: &str) -> bool {
        self.tokens.first().is_some_and(|token| token.text(text) == ":-")
    }

    /// The atoms that it derives.
    pub fn derives<'t>(&'t self, text: &'t str) -> Vec<WrittenAtom<'t>> {
        if self.directive(text).is_some() {
            return Vec::new();
        }
        self.split(text).0
    }

    /// The atoms that it reads: those of the body, and the conditions of the head.
    pub fn reads<'t>(&'t self, text: &'t str) -> Vec<WrittenAtom<'t>> {
        match self.directive(text) {
            None => self.split(text).1,
            Some("#external" | "#minimize" | "#maximize" | "#heuristic" | "#edge" | "#show" | "#project") => {
                atoms(&self.tokens[1..], text).into_iter().map(|(atom, _)| atom).collect()
            }
            Some(_) => Vec::new(),
        }
    }

    fn split<'t>(&'t self, text: &'t str) -> (Vec<WrittenAtom<'t>>, Vec<WrittenAtom<'t>>) {
        let neck = self.neck(text).unwrap_or(self.tokens.len());
        let (head, body) = self.tokens.split_at(neck);
        let (mut derived, mut read) = (Vec::new(), Vec::new());
        for (atom, condition) in atoms(head, text) {
            if condition { read.push(atom) } else { derived.push(atom) }
        }
        read.extend(atoms(body, text).into_iter().map(|(atom, _)| atom));
        (derived, read)
    }
}

/// Signs between which there are terms, not atoms.
const OPERATIONS: [&str; 15] =
    ["=", "==", "!=", "<>", "<", ">", "<=", ">=", "+", "-", "*", "/", "\\", "**", ".."];

/// The token before a place.
fn before<'t>(tokens: &[Token], at: usize, text: &'t str) -> Option<&'t str> {
    Some(tokens.get(at.checked_sub(1)?)?.text(text))
}

/// The atoms at the level of literals, each with whether it is a condition: whether it stands after a colon.
fn atoms<'t>(tokens: &'t [Token], text: &'t str) -> Vec<(WrittenAtom<'t>, bool)> {
    let mut found = Vec::new();
    let (mut at, mut condition) = (0, false);
    while let Some(token) = tokens.get(at) {
        let word = token.text(text);
        let next = tokens.get(at + 1).map(|next| next.text(text));
        match (token.kind, word) {
            (TokenKind::Sign, ":") => condition = true,
            (TokenKind::Sign, ";" | "}" | "|" | "{") => condition = false,
            // A term on its own, as a tuple.
            (TokenKind::Sign, "(") => at = closing(tokens, at, text),
            (TokenKind::Name, "not") => {}
            // A constant: the bound of a choice, or a side of a comparison.
            (TokenKind::Name, _) if next.is_some_and(|next| next == "{" || OPERATIONS.contains(&next)) => {}
            (TokenKind::Name, _)
                if before(tokens, at, text).is_some_and(|b| b == "}" || OPERATIONS.contains(&b)) => {}
            (TokenKind::Name, name) => {
                let mut args = Vec::new();
                if next == Some("(") {
                    let end = closing(tokens, at + 1, text);
                    args = arguments(&tokens[at + 2..end.min(tokens.len())], text);
                    at = end;
                }
                found.push((WrittenAtom { name, args, line: token.line }, condition));
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The place of the parenthesis that closes the one at a place.
fn closing(tokens: &[Token], open: usize, text: &str) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text(text) {
            "(" if token.kind == TokenKind::Sign => depth += 1,
            ")" if token.kind == TokenKind::Sign => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len()
}

/// Tokens between parentheses, cut at the commas of their own level.
pub fn arguments<'t>(tokens: &'t [Token], text: &str) -> Vec<&'t [Token]> {
    if tokens.is_empty() {
        return Vec::new();
    }
    let (mut found, mut start, mut at) = (Vec::new(), 0, 0);
    while at < tokens.len() {
        match tokens[at].text(text) {
            "(" if tokens[at].kind == TokenKind::Sign => at = closing(tokens, at, text),
            "," if tokens[at].kind == TokenKind::Sign => {
                found.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    found.push(&tokens[start..]);
    found
}

/// The tokens of a text.
struct Tokens<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl Tokens<'_> {
    /// Passes over so many bytes, and tells their place.
    fn take(&mut self, length: usize) -> Range<usize> {
        let place = self.at..self.at + length;
        self.line += self.text[place.clone()].matches('\n').count();
        self.at = place.end;
        place
    }

    /// The length of what is no token: white space, or a comment.
    fn gap(&self) -> usize {
        let rest = &self.text[self.at..];
        if rest.starts_with("%*") {
            // Such comments may stand in each other.
            let mut depth = 0usize;
            for (at, _) in rest.char_indices() {
                match &rest.as_bytes()[at..(at + 2).min(rest.len())] {
                    b"%*" => depth += 1,
                    b"*%" => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    return at + 2;
                }
            }
            return rest.len();
        }
        match rest.starts_with('%') {
            true => rest.find('\n').unwrap_or(rest.len()),
            false => rest.len() - rest.trim_start().len(),
        }
    }
}

/// Signs of more than one character, the longest first.
const SIGNS: [&str; 10] = [":-", ":~", "..", "!=", "<>", "<=", ">=", "==", "**", "*%"];

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            match self.gap() {
                0 => break,
                length => drop(self.take(length)),
            }
        }
        let (rest, line) = (&self.text[self.at..], self.line);
        let first = rest.chars().next()?;
        let inner = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'';
        let word = |from: usize| from + rest[from..].find(|c| !inner(c)).unwrap_or(rest.len() - from);
        let (kind, length) = match first {
            '"' => {
                let mut escaped = false;
                let end = rest[1..].char_indices().find(|(_, c)| {
                    let ends = !escaped && (*c == '"' || *c == '\n');
                    escaped = !escaped && *c == '\\';
                    ends
                });
                (TokenKind::Quoted, end.map_or(rest.len(), |(at, c)| at + 1 + c.len_utf8()))
            }
            '#' => (TokenKind::Hash, word(1)),
            '0'..='9' => (TokenKind::Number, word(0)),
            '_' | '\'' | 'a'..='z' | 'A'..='Z' => {
                let named =
                    rest.trim_start_matches(['_', '\'']).starts_with(|c: char| c.is_ascii_lowercase());
                (if named { TokenKind::Name } else { TokenKind::Variable }, word(0))
            }
            _ => {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
                (TokenKind::Sign, sign.map_or(first.len_utf8(), |sign| sign.len()))
            }
        };
        // The program of a script is none of ours.
        if &rest[..length] == "#script" {
            let place = self.take(length);
            let end = self.text[self.at..].find("#end").map_or(self.text.len() - self.at, |at| at + 4);
            self.take(end);
            if self.text[self.at..].starts_with('.') {
                self.take(1);
            }
            return Some(Token { kind, place, line });
        }
        Some(Token { kind, place: self.take(length), line })
    }
}

/// A directive that no program may have, since it would bring in what stands elsewhere or runs on its own: its line, and
/// why.
pub fn forbidden(text: &str) -> Option<(usize, &'static str)> {
    if !["#include", "#script", "@"].iter().any(|word| text.contains(word)) {
        return None;
    }
    statements(text).iter().find_map(|statement| {
        let why = match statement.directive(text) {
            Some("#include") => {
                "`#include` is not supported: a program is what stands in its own file, and nothing outside is read"
            }
            Some("#script" | "#end") => {
                "`#script` is not supported: programs are rules, and run no Lua or Python"
            }
            _ => {
                let external = |token: &&Token| token.kind == TokenKind::Sign && token.text(text) == "@";
                // In weak constraints the sign gives a priority: after the full stop, or in the statement.
                let tokens = &statement.tokens;
                let weighed = tokens.first().is_some_and(|first| first.text(text) == "[");
                let after = tokens.iter().position(|t| weighed && t.text(text) == "]").unwrap_or(0);
                let token = tokens[after..].iter().find(external)?;
                if tokens.iter().any(|t| [":~", "#minimize", "#maximize"].contains(&t.text(text))) {
                    return None;
                }
                return Some((token.line, "`@` calls a script, and scripts are not supported"));
            }
        };
        Some((statement.line(), why))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(atoms: Vec<WrittenAtom>) -> Vec<String> {
        atoms.iter().map(|atom| format!("{}/{}", atom.name, atom.args.len())).collect()
    }

    #[test]
    fn rules_derive_and_read() {
        let text = "% no. rule\np(X,f(Y,1..2)) :- q(X), not r, X != Y.\n#program two.\n1 { h(L) : room(R), s } = max :- l(\"a.b\").\n\
                    :- n = #count { X,a : m(X,_) ; Y : k(Y) } . %* t. %* u. *% *% a.";
        let all = statements(text);
        let told: Vec<_> = all
            .iter()
            .map(|s| {
                (s.line(), s.part.as_str(), names(s.derives(text)).join(" "), names(s.reads(text)).join(" "))
            })
            .collect();
        assert_eq!(told[0], (2, "base", "p/2".into(), "q/1 r/0".into()));
        assert_eq!(told[2], (4, "two", "h/1".into(), "room/1 s/0 l/1".into()));
        assert_eq!(told[3].2, "");
        assert!(all[3].is_constraint(text) && told[3].3.contains("m/2") && told[3].3.contains("k/1"));
        assert_eq!(told[4], (5, "two", "a/0".into(), "".into()));
        assert_eq!(all[1].directive(text), Some("#program"));
    }

    #[test]
    fn what_brings_in_more_is_forbidden() {
        assert_eq!(forbidden("p. q :- #count { X : p(X) } > 1."), None);
        assert_eq!(forbidden("% #include \"a\".\np(\"#script\")."), None);
        assert_eq!(forbidden(":~ p(X). [X@2]"), None);
        for (text, line) in [
            ("p.\n#include \"/etc/passwd\".", 2),
            ("#include <incmode>.", 1),
            ("p.\n\n#script (lua) function f() return 1 end #end.", 3),
            ("p(@f(1)).", 1),
        ] {
            assert_eq!(forbidden(text).map(|(line, _)| line), Some(line), "{text}");
        }
    }

    #[test]
    fn any_text_has_statements() {
        for text in ["", ".", "p", "\"", "%*", "p(", "é.ü", "#script", "{", ")", "((", "p((.", "#program."]
        {
            for statement in statements(text) {
                let _ = (statement.derives(text), statement.reads(text), statement.line());
            }
            let _ = forbidden(text);
        }
    }
}
