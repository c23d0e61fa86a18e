//! The programs of a package to the directives that they may not have, and to parts that nobody grounds.

use racgen_logic::clingo::Source;
use racgen_logic::fault::{Fault, Faults};
use racgen_logic::statements::{forbidden, statements};

/// The parts of world.lp besides `base`.
pub(crate) const WORLD_PARTS: [&str; 4] = ["layout", "situation", "invariant", "goal"];

/// Finds what a program may not have; `parts` are those that it may have besides `base`.
pub(crate) fn check_program(source: &Source, parts: &[&str], faults: &mut Faults) {
    if let Some((line, why)) = forbidden(&source.text) {
        faults.push(Fault::new(&source.name, line, why, "write the rules themselves in this file"));
        return;
    }
    let text = &source.text;
    for statement in statements(text) {
        if statement.directive(text) != Some("#program") {
            continue;
        }
        let words: Vec<&str> = statement.tokens.iter().map(|token| token.text(text)).collect();
        let name = words.get(1).copied().unwrap_or_default();
        let plain = words.len() == 2 || words[2..] == ["(", ")"];
        if plain && (name == "base" || parts.contains(&name)) {
            continue;
        }
        let cause = format!("`{}` is an unknown part: its rules are never used", words[1..].concat());
        let remedy = match parts {
            [] => "strike the line; parts are for world.lp only".to_owned(),
            parts => format!("the parts of this file are {} and base, without arguments", parts.join(", ")),
        };
        faults.push(Fault::new(&source.name, statement.line(), cause, remedy));
    }
}
