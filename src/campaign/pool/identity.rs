//! A domain to what it has in common with its clones: keys. Two domains that share one are clones of each other.

use std::collections::{BTreeSet, HashMap};

use racgen_logic::seed::digest;

use crate::domain::package::Package;
use crate::invent::identity::family_keys;
use crate::invent::invented::theory_by_name;

/// What tells a domain, its clones, and what it combines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DomainIdentity {
    /// Its name.
    pub name: String,
    /// The key of its rules, whatever their symbols are called; of an invented domain also those of its theory, and of what
    /// is left of it without one condition or effect.
    pub keys: BTreeSet<String>,
    /// Its mechanisms.
    pub mechanisms: BTreeSet<String>,
}

impl DomainIdentity {
    /// What tells a package.
    pub fn of(package: &Package) -> DomainIdentity {
        let mut keys = BTreeSet::from([rules_key(&package.domain.text)]);
        let mut mechanisms: BTreeSet<String> =
            package.mechanisms.iter().map(|mechanism| mechanism.word().to_owned()).collect();
        // A folder may hold another package of such a name.
        let own = theory_by_name(&package.name).filter(|(_, rules)| **rules == *package.domain.text);
        if let Some((theory, _)) = own {
            keys.extend(family_keys(&theory));
            mechanisms = theory.mechanisms().iter().map(|mechanism| mechanism.name().to_owned()).collect();
        }
        DomainIdentity { name: package.name.clone(), keys, mechanisms }
    }
}

/// The key of logic programs that differ in comments, spaces and the names of symbols and variables only: 32 hexadecimal
/// digits.
pub fn rules_key(program: &str) -> String {
    let mut names: HashMap<&str, usize> = HashMap::new();
    let mut form = String::new();
    for word in words(program) {
        if word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            let next = names.len();
            let number = *names.entry(word).or_insert(next);
            let sort = if word.starts_with(|c: char| c.is_ascii_lowercase()) { 'a' } else { 'V' };
            form += &format!("{sort}{number} ");
        } else {
            form += word;
            form.push(' ');
        }
    }
    digest(["rules", &form]).chars().take(32).collect()
}

/// Names, numbers and signs of a program, without comments.
fn words(program: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for line in program.lines() {
        let mut rest = line.split('%').next().unwrap_or_default();
        while let Some(first) = rest.chars().next() {
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'';
            let length = match first {
                c if c.is_whitespace() => {
                    rest = rest.trim_start();
                    continue;
                }
                c if is_name(c) => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
                c => c.len_utf8(),
            };
            words.push(&rest[..length]);
            rest = &rest[length..];
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_comments_say_nothing_and_all_else_does() {
        let own =
            "% Lamps.\nfluent(on(X)) :- lamp(X).\nholds(on(X),T+1) :- occ(press(X),T), not holds(on(X),T).\n";
        let renamed = own
            .replace("on(", "open(")
            .replace("lamp", "door")
            .replace('X', "Door")
            .replace("Lamps", "Doors");
        assert_eq!(rules_key(own), rules_key(&renamed));
        for other in [own.replace("not ", ""), own.replace("T+1", "T+2"), own.replace("on(X),T)", "on(T),T)")]
        {
            assert_ne!(rules_key(own), rules_key(&other), "{other}");
        }
    }

    #[test]
    fn a_domain_told_in_other_words_has_its_key() {
        let blocks = Package::load("blocks").unwrap();
        let mut other = blocks.clone();
        other.name = "cubes".into();
        other.domain.text = other.domain.text.replace("block", "cube").into();
        let (one, other) = (DomainIdentity::of(&blocks), DomainIdentity::of(&other));
        assert_eq!(one.keys, other.keys);
        assert_ne!(one.keys, DomainIdentity::of(&Package::load("dwr").unwrap()).keys);
    }
}
