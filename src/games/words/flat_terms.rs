//! Flat terms to terms: `mark(1,2)`, one by one or in a list.

use racgen_logic::term::Term;

use crate::language::words::text::SEPARATOR;

/// How deep flat terms may nest.
const DEEPEST: usize = 100;

/// A term as games print it, `mark(1,2)`, whatever its symbols.
pub(crate) fn flat_term(text: &str) -> Option<Term> {
    nested(text, 0)
}

fn nested(text: &str, depth: usize) -> Option<Term> {
    if text.is_empty() || depth > DEEPEST || text.contains(char::is_whitespace) {
        return None;
    }
    let Some((name, rest)) = text.split_once('(') else {
        return (!text.contains([',', ')'])).then(|| Term::constant(text));
    };
    let inner = rest.strip_suffix(')')?;
    let (mut open, mut from, mut arguments) = (0_usize, 0, Vec::new());
    for (at, c) in inner.char_indices() {
        match c {
            '(' => open += 1,
            ')' => open = open.checked_sub(1)?,
            ',' if open == 0 => {
                arguments.push(nested(&inner[from..at], depth + 1)?);
                from = at + 1;
            }
            _ => {}
        }
    }
    arguments.push(nested(&inner[from..], depth + 1)?);
    let sound = !name.is_empty() && !name.contains([',', ')']) && open == 0;
    sound.then(|| Term::function(name, arguments))
}

/// Flat terms in a list.
pub(crate) fn flat_terms(text: &str) -> Option<Vec<Term>> {
    text.split(SEPARATOR).map(flat_term).collect()
}

/// All ways to take one of each.
pub(crate) fn product<T: Clone>(choices: &[Vec<T>]) -> Vec<Vec<T>> {
    choices.iter().fold(vec![Vec::new()], |ways, choice| {
        let longer = |way: &Vec<T>| {
            let way = way.clone();
            choice.iter().map(move |one| [way.clone(), vec![one.clone()]].concat()).collect::<Vec<_>>()
        };
        ways.iter().flat_map(longer).collect()
    })
}
