//! Types and a phrase book to the faults of their form.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use racgen_logic::clingo::Source;
use racgen_logic::fault::{Fault, Faults, line_of};

use crate::domain::package::ObjectType;
use crate::phrases::book::PhraseBook;

/// Constants that the shared logic programs give a meaning.
pub(crate) const TAKEN_CONSTANTS: [&str; 2] = ["n", "max_count"];
/// Predicates that the shared logic programs derive; `fluent` and `action` may be types, too.
const TAKEN_PREDICATES: [&str; 19] = [
    "answer",
    "ask",
    "can",
    "defined",
    "executable",
    "holds",
    "inertial",
    "initially",
    "member",
    "next",
    "now",
    "number",
    "occ",
    "seek",
    "some",
    "suppose",
    "supposing",
    "time",
    "trivial",
];

/// May this be a predicate or constant of a logic program?
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Finds the faults of the types and of all names. The types come with where they stand in `head`.
pub(crate) fn check_types(
    head: &Source,
    types: &[(usize, ObjectType)],
    constants: &BTreeMap<String, String>,
    faults: &mut Faults,
) {
    let (file, text) = (&*head.name, &*head.text);
    let mut names: Vec<(&str, usize)> = constants.values().map(|name| (name.as_str(), 1)).collect();
    let mut ids: HashMap<&str, &str> = HashMap::new();
    for (at, t) in types {
        let line = line_of(text, *at);
        if !is_name(&t.name) || TAKEN_PREDICATES.contains(&t.name.as_str()) {
            faults.push(Fault::new(
                file,
                line,
                format!("`{}` cannot be a type", t.name),
                "choose a name that is no predicate of the shared axioms: small letters, digits and _",
            ));
        }
        if let Some(other) = ids.insert(&t.id, &t.name) {
            faults.push(Fault::new(
                file,
                line,
                format!("`{other}` and `{}` share the letters `{}`", t.name, t.id),
                "give each type its own",
            ));
        }
        if !t.id.chars().all(|c| c.is_ascii_lowercase()) || t.id.is_empty() {
            faults.push(Fault::new(
                file,
                line,
                format!("`{}` does not start an id", t.id),
                "use small letters only",
            ));
        }
        // Enough for every level they must be as well; the levels say how many that is.
        if t.names.is_empty() {
            let remedy = "write at least as many as there may be objects";
            faults.push(Fault::new(file, line, format!("the type `{}` has no names", t.name), remedy));
        }
        names.extend(t.names.iter().map(|name| (name.as_str(), line)));
    }
    check_names(file, &names, faults);
}

/// Finds names that a text could not hold, or that could be taken for a part of others. Each comes with its line.
fn check_names(file: &str, names: &[(&str, usize)], faults: &mut Faults) {
    let lower: Vec<String> = names.iter().map(|(name, _)| name.to_lowercase()).collect();
    for (i, (name, line)) in names.iter().enumerate() {
        let odd = |c: char| c.is_control() || ('\u{e000}'..='\u{f8ff}').contains(&c);
        if name.is_empty() || name.contains([',', ';']) || name.contains(odd) || name.trim() != *name {
            faults.push(Fault::new(
                file,
                *line,
                format!("`{}` cannot be a name", name.escape_debug()),
                "names hold no comma, semicolon, line break or private-use character, and no outer spaces",
            ));
        } else if !name.starts_with(char::is_alphanumeric) {
            // A name is looked for where a word starts.
            faults.push(Fault::new(
                file,
                *line,
                format!("`{name}` cannot be a name: no text that holds it could be read back"),
                "start names with a letter or a digit",
            ));
        } else if name.chars().next().is_some_and(|c| c.to_uppercase().count() > 1) {
            faults.push(Fault::new(
                file,
                *line,
                format!("`{name}` cannot be a name: its first letter has no single capital"),
                "start names with a letter or a digit",
            ));
        }
        // Of a name that stands in many others, as of many that are equal, one fault is enough.
        let part_of = |j: &usize| match lower[i].len().cmp(&lower[*j].len()) {
            Ordering::Less => lower[*j].contains(&lower[i]),
            Ordering::Equal => i < *j && lower[i] == lower[*j],
            Ordering::Greater => false,
        };
        if let Some(other) = (0..names.len()).find(part_of).filter(|_| !name.is_empty()) {
            faults.push(Fault::new(
                file,
                *line,
                format!("the name `{name}` is a part of `{}`", names[other].0),
                "replace one of them",
            ));
        }
    }
}

/// Finds what the phrase book lacks. `own_rules`: does the domain have a template for its rules?
pub(crate) fn check_book(book: &PhraseBook, types: &[ObjectType], own_rules: bool, faults: &mut Faults) {
    for t in types {
        if !book.objects.iter().any(|(kind, _)| *kind == t.name)
            && !book.fluents.iter().chain(&book.facts).any(|r| r.pattern.bare && r.pattern.functor == t.name)
            && !own_rules
        {
            faults.push(Fault::new(
                &book.file,
                0,
                format!("no sentence lists the objects of type `{}`", t.name),
                format!("add `{} = [...]` under [objects]", t.name),
            ));
        }
    }
    if book.actions.is_empty() {
        faults.push(Fault::new(
            &book.file,
            0,
            "no action has phrasings",
            "add `[action.\"...\"]` for each action",
        ));
    }
    if book.rules.is_empty() && !own_rules {
        faults.push(Fault::new(
            &book.file,
            0,
            "there are no rules",
            "add `[rules]` with `sentences = [[...], ...]`",
        ));
    }
}
