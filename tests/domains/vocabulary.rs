//! Answers of validation and test use no word that train lacks; held-out phrasings and names are in the split
//! `test_language` only.

use std::collections::{BTreeMap, BTreeSet};

use racgen::domain::package::Package;
use racgen::factory::settings::{LANGUAGE_SPLIT, Settings};
use racgen::items::source::Item;

fn words(answer: &str) -> impl Iterator<Item = &str> {
    answer.split(", ")
}

/// The answer words of each split, for each level and depth.
fn vocabularies<'i>(
    items: impl IntoIterator<Item = &'i Item>,
) -> BTreeMap<(i32, i32), BTreeMap<String, BTreeSet<String>>> {
    let mut all: BTreeMap<(i32, i32), BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for row in items.into_iter().map(|item| &item.row) {
        let splits = all.entry((row.level, row.depth)).or_default();
        let vocabulary = splits.entry(row.split.to_string()).or_default();
        vocabulary.extend(words(&row.answer).map(str::to_owned));
    }
    all
}

#[test]
fn other_splits_answer_in_the_words_of_train() {
    for domain in crate::common::domains() {
        // With as few rows as these, train is far from having all names.
        let settings =
            Settings { items: 400, levels: vec![2, 4], depths: vec![2], seed: 4, ..Settings::default() };
        let few = crate::common::made(&domain, &settings);
        for ((level, depth), splits) in vocabularies(few.iter().chain(crate::corpus::deep(&domain))) {
            for (split, vocabulary) in &splits {
                let new: Vec<&String> = vocabulary.difference(&splits["train"]).collect();
                assert!(new.is_empty(), "{domain} N{level}, depth {depth}: train lacks {new:?} of {split}");
            }
        }
    }
}

#[test]
fn an_open_vocabulary_has_new_words() {
    let settings = Settings { items: 300, open_vocabulary: true, ..Settings::default() };
    let vocabularies = vocabularies(&crate::common::made("logistics", &settings));
    let splits = &vocabularies[&(1, 1)];
    assert!(splits["test"].difference(&splits["train"]).next().is_some(), "all words are in train by chance");
}

/// Takes names out of sentences.
struct Skeletons {
    /// Names and their types by first letter, longer names first.
    names: BTreeMap<char, Vec<(String, String)>>,
    types: BTreeSet<String>,
}

impl Skeletons {
    fn new(package: &Package) -> Skeletons {
        let mut names: BTreeMap<char, Vec<(String, String)>> = BTreeMap::new();
        let of_types = package.types.iter().flat_map(|t| t.names.iter().map(|name| (name, t.name.as_str())));
        let of_persons = package.common.persons.iter().map(|name| (name, "person"));
        for (name, kind) in of_types.chain(of_persons) {
            let name = name.to_lowercase();
            let first = name.chars().next().expect("a letter");
            names.entry(first).or_default().push((name, format!("<{kind}>")));
        }
        names.values_mut().for_each(|names| names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len())));
        let types = names.values().flatten().map(|(_, kind)| kind.clone()).collect();
        Skeletons { names, types }
    }

    /// The sentence with its type for each name, and for each list of names.
    fn of(&self, sentence: &str) -> String {
        let text = sentence.to_lowercase();
        let (mut out, mut rest) = (String::new(), text.as_str());
        while let Some(first) = rest.chars().next() {
            let starts_word = !out.ends_with(char::is_alphanumeric);
            let ends_word = |(name, _): &&(String, String)| {
                rest.strip_prefix(name.as_str()).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
            };
            match self.names.get(&first).into_iter().flatten().find(ends_word).filter(|_| starts_word) {
                Some((name, kind)) => {
                    out.push_str(kind);
                    rest = &rest[name.len()..];
                }
                None => {
                    out.push(first);
                    rest = &rest[first.len_utf8()..];
                }
            }
        }
        for kind in &self.types {
            let list = format!("{kind}, {kind}");
            while out.contains(&list) {
                out = out.replace(&list, kind);
            }
        }
        out
    }
}

#[test]
fn held_out_phrasings_and_names_are_in_test_language_only() {
    for (domain, share) in crate::common::domains().iter().flat_map(|d| [(d, 0.2), (d, 0.3)]) {
        let package = crate::common::package(domain);
        let settings = Settings {
            items: 900,
            levels: vec![2],
            depths: vec![2],
            splits: crate::common::splits(&[("train", 0.5), ("test", 0.25)]),
            holdout_phrasings: share,
            holdout_names: share,
            ..Settings::default()
        };
        let items = crate::common::made(domain, &settings);
        let (held, kept): (Vec<&Item>, Vec<&Item>) =
            items.iter().partition(|item| &*item.row.split == LANGUAGE_SPLIT);
        assert!(held.len() >= 200, "{domain}: {} rows of {LANGUAGE_SPLIT}", held.len());

        // Names, of objects and of people.
        let names = |items: &[&Item]| -> BTreeSet<String> {
            let objects = items.iter().flat_map(|item| item.row.objects.iter());
            objects.map(|o| o.name.to_string()).collect()
        };
        let both: Vec<String> = names(&held).intersection(&names(&kept)).cloned().collect();
        assert!(both.is_empty(), "{domain}: names on both sides: {both:?}");
        let people = |items: &[&Item]| -> BTreeSet<String> {
            let texts: String =
                items.iter().map(|item| format!("{} {} ", item.row.actions, item.row.question)).collect();
            let known: BTreeSet<&str> = texts.split(|c: char| !c.is_alphabetic()).collect();
            package.common.persons.iter().filter(|p| known.contains(p.as_str())).cloned().collect()
        };
        let both: Vec<String> = people(&held).intersection(&people(&kept)).cloned().collect();
        assert!(both.is_empty(), "{domain}: people on both sides: {both:?}");

        // Numbers of phrasings: in `after.one.3/which_on.2` those of both lists.
        let numbers = |items: &[&Item]| -> BTreeSet<(String, u32)> {
            let templates = items.iter().flat_map(|item| item.row.template.split('/'));
            let parts = templates.map(|t| t.rsplit_once('.').expect("list and number"));
            parts.map(|(list, number)| (list.to_owned(), number.parse().expect("a number"))).collect()
        };
        let (held_numbers, kept_numbers) = (numbers(&held), numbers(&kept));
        for (list, number) in &held_numbers {
            let highest = kept_numbers.iter().filter(|(l, _)| l == list).map(|(_, n)| *n).max();
            assert!(
                highest.is_none_or(|highest| highest < *number),
                "{domain}: {list}.{number} is held out, and {highest:?} is not"
            );
        }
        assert!(
            held_numbers.len() > if *domain == "generic" { 15 } else { 20 } && kept_numbers.len() > 20,
            "{domain}: {} templates held out, {} kept",
            held_numbers.len(),
            kept_numbers.len()
        );

        // Whole sentences, those of the context included.
        let skeletons = Skeletons::new(&package);
        let sentences = |items: &[&Item]| -> BTreeSet<String> {
            let mut found = BTreeSet::new();
            for row in items.iter().map(|item| &item.row) {
                for text in [&*row.initial_state, &*row.rules, &*row.actions, &row.question] {
                    found.extend(text.split_inclusive(['.', '?']).map(|s| skeletons.of(s.trim())));
                }
            }
            found
        };
        let both: Vec<String> = sentences(&held).intersection(&sentences(&kept)).cloned().collect();
        assert!(both.is_empty(), "{domain}, share {share}: sentences on both sides: {both:#?}");
    }
}
