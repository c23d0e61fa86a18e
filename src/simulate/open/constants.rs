//! A program's text to one that reads some of its constants from facts, so that they may differ after grounding.
//!
//! `:- #count { X : up(X) } > most.` becomes `:- #count { X : up(X) } > Racgen_most; racgen_parameter(most,Racgen_most).`

use racgen_logic::clingo::Source;
use racgen_logic::statements::{Statement, TokenKind, statements};

/// The predicate of the facts: name and value.
pub(super) const PARAMETER: &str = "racgen_parameter";

/// The source with these constants read from facts; none where one of them stands in a directive, or in a weak
/// constraint.
pub(super) fn read_from_facts(source: &Source, constants: &[&str]) -> Option<Source> {
    let text = &*source.text;
    let (mut rewritten, mut done) = (String::with_capacity(text.len()), 0);
    for statement in statements(text) {
        let places = places(&statement, text, constants);
        if places.is_empty() {
            continue;
        }
        match statement.directive(text) {
            Some("#program" | "#defined") => continue,
            Some(_) => return None,
            None => {}
        }
        let signs = || statement.tokens.iter().filter(|token| token.kind == TokenKind::Sign);
        let first = statement.tokens.first()?.place.start;
        // The weight of a weak constraint stands behind its full stop.
        if text[first..].starts_with(":~") || text[first..].starts_with('[') {
            return None;
        }
        let mut named: Vec<&str> = Vec::new();
        for place in places {
            let token = &statement.tokens[place];
            let name = token.text(text);
            rewritten += &text[done..token.place.start];
            rewritten += &variable(name);
            done = token.place.end;
            if !named.contains(&name) {
                named.push(name);
            }
        }
        let end = statement.tokens.last()?.place.end;
        rewritten += &text[done..end];
        done = end;
        let has_body = signs().any(|token| token.text(text) == ":-");
        for (number, name) in named.into_iter().enumerate() {
            let before = if has_body || number > 0 { "; " } else { " :- " };
            rewritten += &format!("{before}{PARAMETER}({name},{})", variable(name));
        }
    }
    rewritten += &text[done..];
    Some(Source::new(source.name.clone(), rewritten))
}

fn variable(name: &str) -> String {
    format!("Racgen_{name}")
}

/// The tokens of a statement that are such a constant, and no predicate or function of its name.
fn places(statement: &Statement, text: &str, constants: &[&str]) -> Vec<usize> {
    let tokens = &statement.tokens;
    let is_constant = |place: &usize| {
        let token = &tokens[*place];
        token.kind == TokenKind::Name
            && constants.contains(&token.text(text))
            && tokens.get(place + 1).is_none_or(|next| next.text(text) != "(")
    };
    (0..tokens.len()).filter(is_constant).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> Option<String> {
        read_from_facts(&Source::new("world.lp", text), &["most", "size"])
            .map(|source| source.text.to_string())
    }

    #[test]
    fn constants_become_variables_that_facts_bind() {
        let cases = [
            ("p(X) :- q(X).", "p(X) :- q(X)."),
            (
                ":- #count { X : up(X) } > most. % most",
                ":- #count { X : up(X) } > Racgen_most; racgen_parameter(most,Racgen_most). % most",
            ),
            (
                "{ a(L) : l(L) } = size.\nsize(1).",
                "{ a(L) : l(L) } = Racgen_size :- racgen_parameter(size,Racgen_size).\nsize(1).",
            ),
            (
                ":- size > 0, #count { X : h(X) } != most - size.",
                ":- Racgen_size > 0, #count { X : h(X) } != Racgen_most - Racgen_size; \
                 racgen_parameter(size,Racgen_size); racgen_parameter(most,Racgen_most).",
            ),
            ("p(most).", "p(Racgen_most) :- racgen_parameter(most,Racgen_most)."),
        ];
        for (before, after) in cases {
            assert_eq!(rewritten(before).as_deref(), Some(after));
        }
        assert_eq!(rewritten("#const n = size."), None);
        assert_eq!(rewritten(":~ p. [size]"), None);
    }
}
