//! Items read well: one of each type and domain stands in `tests/snapshots/` as a reader sees it, and of some thousands
//! of rows a domain none is malformed.
//!
//! `UPDATE=1 cargo test --test domains items` writes the snapshots anew.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use racgen::data::row::Row;
use racgen::domain::package::Package;
use racgen::factory::settings::Settings;
use racgen::items::source::Item;

/// An item as a reader sees it.
fn page(row: &Row) -> String {
    format!(
        "{} N{}, {} actions, {} ({})\n\n{}\n\n{}\n\n{}\n\n{}\n\n{}\n",
        row.domain,
        row.level,
        row.depth,
        row.question_type,
        row.template,
        row.initial_state,
        row.rules,
        row.actions,
        row.question,
        row.answer
    )
}

#[test]
fn items_look_as_in_the_snapshots() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let update = std::env::var("UPDATE").is_ok();
    let mut differing = Vec::new();
    for domain in crate::common::domains().into_iter().chain(crate::common::library()) {
        let settings = Settings {
            levels: vec![2],
            depths: vec![3],
            items: 60,
            seed: 11,
            splits: crate::common::splits(&[("train", 1.0)]),
            ..Settings::default()
        };
        let items = crate::common::made(&domain, &settings);
        for kind in ["verify", "count", "other"] {
            let of_kind = items.iter().map(|item| &item.row).filter(|row| row.question_type == kind);
            // Answers with names say more than `none`.
            let telling = |row: &&Row| !matches!(row.answer.as_str(), "none" | "0");
            let page = page(of_kind.clone().find(telling).expect("an item of each type"));
            let path = folder.join(format!("{domain}.{kind}.txt"));
            if update {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(&path, &page).unwrap();
            }
            match std::fs::read_to_string(&path) {
                Ok(expected) if expected == page => {}
                Ok(_) => differing.push(format!("{} differs from\n{page}", path.display())),
                // A package that was dropped in has no snapshots.
                Err(_) => eprintln!("{domain}: no snapshot of {kind}; UPDATE=1 writes one"),
            }
        }
    }
    assert!(
        differing.is_empty(),
        "UPDATE=1 cargo test --test domains items accepts what is new:\n{}",
        differing.join("\n")
    );
}

/// Rules that hold for every text.
struct Checks<'p> {
    package: &'p Package,
}

impl Checks<'_> {
    /// Is the word an id, letters of a type and a number?
    fn is_id(&self, word: &str) -> bool {
        let number = |rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit());
        self.package.types.iter().any(|t| word.strip_prefix(&t.id).is_some_and(number))
    }

    fn text(&self, text: &str) -> Option<String> {
        if !text.starts_with(char::is_uppercase) {
            return Some("does not begin with a capital".into());
        }
        if text.contains("  ") || text.trim() != text || text.contains(['\n', '\t']) {
            return Some("has stray white space".into());
        }
        if let Some(marks) =
            [" .", " ,", " ?", "..", ",,", ".,", ",.", ":."].iter().find(|m| text.contains(**m))
        {
            return Some(format!("has stray punctuation, `{marks}`"));
        }
        if let Some(mark) = text.chars().find(|c| "_(){}[]<>%=\\`\"".contains(*c)) {
            return Some(format!("holds a `{mark}`, as code does"));
        }
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
        if let Some(word) = words.find(|word| *word == "neg" || self.is_id(word)) {
            return Some(format!("holds `{word}`, as code does"));
        }
        let mut sentences = text.split(['.', '?']).filter_map(|rest| rest.strip_prefix(' '));
        let small = sentences.find(|sentence| sentence.starts_with(char::is_lowercase));
        small.map(|sentence| format!("has a sentence that begins with a small letter, `{sentence}`"))
    }

    fn row(&self, row: &Row) -> Vec<String> {
        let mut faults = Vec::new();
        let paragraphs =
            [("initial state", &*row.initial_state), ("rules", &*row.rules), ("actions", &*row.actions)];
        for (name, text) in paragraphs {
            if !text.ends_with('.') {
                faults.push(format!("the {name} paragraph does not end with a full stop: {text}"));
            }
            if text.contains('?') {
                faults.push(format!("the {name} paragraph asks: {text}"));
            }
        }
        for (name, text) in paragraphs.into_iter().chain([("question", row.question.as_str())]) {
            faults.extend(self.text(text).map(|what| format!("the {name} {what}: {text}")));
        }
        if !row.question.ends_with('?') || row.question.matches('?').count() != 1 {
            faults.push(format!("the question does not end with its only question mark: {}", row.question));
        }
        if row.context.split("\n\n").collect::<Vec<_>>() != paragraphs.map(|(_, text)| text) {
            faults.push("the context is not the three paragraphs".into());
        }
        faults.extend(self.names(row));
        faults.extend(self.answer(row));
        faults
    }

    fn names(&self, row: &Row) -> Vec<String> {
        let mut faults = Vec::new();
        let names: Vec<&str> = row.objects.iter().map(|o| &*o.name).collect();
        let all = names.iter().copied().chain(self.package.constants.values().map(String::as_str));
        let all: Vec<&str> = all.collect();
        for (n, name) in names.iter().enumerate() {
            if all.iter().enumerate().any(|(m, other)| m != n && other.contains(name)) {
                faults.push(format!("the name {name} is a part of another: {all:?}"));
            }
            if !row.context.to_lowercase().contains(&name.to_lowercase()) {
                faults.push(format!("the context never names {name}"));
            }
        }
        faults
    }

    fn answer(&self, row: &Row) -> Option<String> {
        let fault = |what: &str| Some(format!("the answer {what}: {} {:?}", row.answer, row.gold));
        let words: Vec<&str> = row.answer.split(", ").collect();
        let constants: BTreeMap<&str, &str> =
            self.package.constants.iter().map(|(id, name)| (id.as_str(), name.as_str())).collect();
        match &*row.answer_type {
            "bool" if row.question_type != "verify" => fault("is a truth value"),
            "bool" if !matches!(row.answer.as_str(), "yes" | "no") => fault("is neither yes nor no"),
            "number" if row.answer.parse::<u32>().is_err() => fault("is no number"),
            "none" if row.answer != "none" => fault("is not none"),
            "name" if words.len() != 1 => fault("is no single name"),
            "names" if words.len() < 2 => fault("is no list"),
            "bool" | "number" | "none" => None,
            "name" | "names" => {
                let place = |word: &&str| {
                    let of_objects = row.objects.iter().position(|o| &*o.name == *word);
                    of_objects.or(constants.values().any(|name| name == word).then_some(usize::MAX))
                };
                let places: Option<Vec<usize>> = words.iter().map(place).collect();
                match places {
                    None => fault("has names that the text does not have"),
                    // Constants, which the text does not list, come last.
                    Some(places) if !places.is_sorted_by(|a, b| a < b || *a == usize::MAX) => {
                        fault("is not in the order of the text")
                    }
                    Some(_) if words.iter().collect::<BTreeSet<_>>().len() < words.len() => {
                        fault("says something twice")
                    }
                    Some(_) => None,
                }
            }
            _ => fault("has an unknown type"),
        }
    }
}

/// What is wrong with the texts of items of a domain.
pub fn malformed<'i>(domain: &str, items: impl IntoIterator<Item = &'i Item>) -> BTreeSet<String> {
    let package = crate::common::package(domain);
    let checks = Checks { package: &package };
    let of = |row: &Row| {
        checks.row(row).into_iter().map(|fault| format!("{}: {fault}", row.template)).collect::<Vec<_>>()
    };
    items.into_iter().flat_map(|item| of(&item.row)).collect()
}

#[test]
fn no_item_is_malformed() {
    for domain in crate::common::domains() {
        let package = crate::common::package(&domain);
        let items = crate::corpus::broad(&domain).iter().chain(crate::corpus::deep(&domain));
        let faults = malformed(&domain, items.clone());
        let first: Vec<&String> = faults.iter().take(8).collect();
        assert!(faults.is_empty(), "{domain}: {} faults, such as {first:#?}", faults.len());

        // The order of the objects in the text is that of the object list.
        for row in items.map(|item| &item.row) {
            let text = row.initial_state.to_lowercase();
            for kind in package.types.iter().map(|t| &t.name) {
                let of_kind = row.objects.iter().filter(|o| &*o.kind == kind.as_str());
                let names: Vec<String> = of_kind.map(|o| o.name.to_lowercase()).collect();
                let told = package.book.objects.iter().any(|(k, _)| k == kind);
                assert!(
                    names.is_empty() || !told || text.contains(&names.join(", ")),
                    "{domain}: the {kind}s do not come in the order {names:?}: {text}"
                );
            }
        }
    }
}
