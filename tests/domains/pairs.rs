//! Promise: the items of a pair differ in what their `change` says, and in nothing else.

use std::collections::{BTreeMap, BTreeSet};

use racgen::audit::attacks::item::Interner;
use racgen::audit::attacks::leaks;
use racgen::audit::reread::judge::Reread;
use racgen::data::row::Row;
use racgen::domain::catalogue::Catalogue;
use racgen::factory::settings::{CONTRAST_SPLIT, Settings};
use racgen::items::clock::Clock;
use racgen::items::source::{GROUP_SIZE, Item};
use racgen::language::tell::paragraphs::Disorder;
use racgen::logic::term::Term;

use crate::common::{LIMIT, domains, factory, made, splits, term};

fn pairs(items: &[Item]) -> Vec<[&Row; 2]> {
    let mut by_pair: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for item in items.iter().filter(|item| !item.row.pair.is_empty()) {
        by_pair.entry(&item.row.pair).or_default().push(&item.row);
    }
    let pairs: Vec<[&Row; 2]> = by_pair
        .into_values()
        .map(|rows| <[&Row; 2]>::try_from(rows).unwrap_or_else(|rows| panic!("{} in a pair", rows.len())))
        .collect();
    for [first, second] in &pairs {
        assert_eq!((&*first.change, &*first.source), ("", ""));
        assert_eq!(second.source, first.id);
        assert_eq!((&first.split, first.level, first.depth), (&second.split, second.level, second.depth));
    }
    pairs
}

fn assert_sound(items: &[Item]) {
    let rows: Vec<Row> = items.iter().map(|item| item.row.clone()).collect();
    let catalogue = Catalogue::find(&[]).unwrap();
    for (row, verdict) in rows.iter().zip(Reread::new(&catalogue, LIMIT).judge(&rows, &|_| ())) {
        verdict.unwrap_or_else(|f| panic!("{} {}: {f:?}\n{}", row.domain, row.change, row.context));
    }
}

/// The innermost question: without the actions that lead to it.
fn asked(query: &str) -> Term {
    let mut term = term(query);
    while ["after", "initially", "changes", "executable"].contains(&term.functor()) {
        // In the generic domain an action is a mere constant.
        match term.args().last() {
            Some(inner) if !inner.args().is_empty() || term.functor() != "executable" => term = inner.clone(),
            _ => break,
        }
    }
    term
}

/// In which places two terms differ.
fn differ(a: &Term, b: &Term) -> Vec<bool> {
    assert_eq!(a.args().len(), b.args().len());
    if a.args().is_empty() {
        return vec![a != b];
    }
    a.args().iter().zip(b.args()).map(|(a, b)| a != b).collect()
}

/// The defined fluents of a domain, by name.
fn defined(domain: &str) -> BTreeSet<String> {
    let program = crate::common::package(domain).domain.text;
    let name = |rest: &str| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap().to_owned();
    program.split("defined(").skip(1).map(name).collect()
}

/// Facts that one row has and the other lacks, those of defined fluents aside.
fn facts_of_one(defined: &BTreeSet<String>, a: &Row, b: &Row) -> [Vec<String>; 2] {
    let lacks = |a: &Row, b: &Row| -> Vec<String> {
        let theirs: BTreeSet<&String> = b.facts.iter().collect();
        let own = a.facts.iter().filter(|f| !theirs.contains(f) && !defined.contains(term(f).functor()));
        own.cloned().collect()
    };
    [lacks(a, b), lacks(b, a)]
}

#[test]
fn minimal_pairs_differ_in_one_place_and_in_their_answers() {
    for domain in domains() {
        let settings = Settings {
            levels: vec![1, 3],
            depths: vec![2],
            items: 240,
            splits: splits(&[("train", 1.0)]),
            minimal_pairs: true,
            ..Settings::default()
        };
        let items = made(&domain, &settings);
        let pairs = pairs(&items);
        let defined = defined(&domain);
        assert!(pairs.len() >= 110, "{domain}: {} pairs", pairs.len());
        for [a, b] in &pairs {
            assert_ne!(a.answer, b.answer, "{domain}: {} {}", a.question, b.question);
            assert_eq!((&a.template, a.question_type.as_ref()), (&b.template, b.question_type.as_ref()));
            let plans = a.plan.iter().zip(&*b.plan).filter(|(a, b)| a != b).count();
            let [gone, come] = facts_of_one(&defined, a, b);
            match &*b.change {
                "word" => {
                    assert_eq!(a.context, b.context);
                    let (a, b) = (asked(&a.query), asked(&b.query));
                    assert_eq!(differ(&a, &b).iter().filter(|d| **d).count(), 1, "{a} {b}");
                }
                "action" => {
                    assert_eq!((&a.question, &a.facts), (&b.question, &b.facts));
                    assert_eq!(a.initial_state, b.initial_state);
                    assert_eq!(plans, 1, "{:?} {:?}", a.plan, b.plan);
                }
                "fact" => {
                    assert_eq!((&a.question, &a.plan, &a.actions), (&b.question, &b.plan, &b.actions));
                    // Which fluents of a theory are defined is not to be seen in the generic domain's program.
                    if domain != "generic" {
                        assert!(gone.len() <= 1 && come.len() <= 1, "{gone:?} {come:?}");
                    }
                    assert_ne!(a.initial_state, b.initial_state);
                    assert_ne!(a.facts, b.facts);
                }
                other => panic!("no change of a minimal pair: {other}"),
            }
        }
        let kinds = crate::common::count(pairs.iter().map(|[_, b]| b.change.to_string()));
        for kind in ["action", "fact", "word"] {
            let share = kinds.get(kind).copied().unwrap_or(0) as f64 / pairs.len() as f64;
            assert!(share > 0.12, "{domain}: {kinds:?}");
        }
        let yes = |place: usize| {
            let verify = pairs.iter().map(|pair| pair[place]).filter(|r| r.question_type == "verify");
            let (yes, all): (Vec<bool>, Vec<bool>) = verify.map(|r| (r.answer == "yes", true)).unzip();
            yes.iter().filter(|y| **y).count() as f64 / all.len() as f64
        };
        assert!((yes(0) - 0.5).abs() < 0.15 && (yes(1) - 0.5).abs() < 0.15, "{domain}: {}", yes(0));
        assert_sound(&items);
    }
}

#[test]
fn minimal_pairs_are_told_in_the_generic_vocabulary() {
    let settings =
        Settings { depths: vec![2], items: 80, minimal_pairs: true, as_generic: true, ..Settings::default() };
    let items = made("blocks", &settings);
    let pairs = pairs(&items);
    assert!(pairs.len() >= 38 && pairs.iter().all(|[a, b]| a.answer != b.answer));
    assert_sound(&items);
}

#[test]
fn contrast_items_are_changed_as_they_say() {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for domain in ["blocks", "dwr", "logistics", "generic"] {
        let settings = Settings {
            levels: vec![2],
            depths: vec![2],
            items: 240,
            splits: splits(&[("train", 1.0)]),
            contrast: true,
            ..Settings::default()
        };
        let factory = factory(domain, &settings);
        let split = factory.splits().iter().position(|s| s.name == CONTRAST_SPLIT).unwrap();
        let mut items = Vec::new();
        for (stream, rows) in factory.streams(split) {
            for group in 0..rows.div_ceil(GROUP_SIZE) {
                items.extend(factory.group(stream, group, rows, &Clock::default()).unwrap());
            }
        }
        for [a, b] in pairs(&items) {
            *kinds.entry(b.change.to_string()).or_default() += 1;
            let (number_a, number_b) = (a.answer.parse::<i32>().ok(), b.answer.parse::<i32>().ok());
            let objects = b.objects.len() as i64 - a.objects.len() as i64;
            let (asked_a, asked_b) = (asked(&a.query), asked(&b.query));
            let text = format!("{domain} {}: {} {}", b.change, a.query, b.query);
            match &*b.change {
                "entity_added" => assert!(objects == 1 && number_b > number_a, "{text}"),
                "entity_removed" => assert!(objects == -1 && number_b < number_a, "{text}"),
                "words_changed" => assert!(a.answer != b.answer && a.context == b.context, "{text}"),
                "entities_changed" => {
                    assert!(a.context == b.context && a.answer != b.answer, "{text}");
                    assert!(differ(&asked_a, &asked_b).iter().all(|d| *d), "{text}");
                }
                "object_changed" => {
                    assert!(a.context == b.context && a.answer != b.answer, "{text}");
                    let places = differ(&asked_a, &asked_b);
                    assert!(places[0] && !places[1..].contains(&true), "{text}");
                }
                "paraphrased" => {
                    assert!(a.context == b.context && a.query == b.query && a.answer == b.answer, "{text}");
                    assert_ne!(a.question, b.question);
                }
                "question_word_changed" => {
                    assert!(a.context == b.context && a.query != b.query, "{text}");
                    assert!(a.question_type != "verify" && b.question_type != "verify", "{text}");
                }
                "name_changed" => {
                    assert!(a.query == b.query && a.facts == b.facts && a.gold == b.gold, "{text}");
                    let renamed: Vec<_> = a.objects.iter().zip(&*b.objects).filter(|(a, b)| a != b).collect();
                    let [(old, new)] = renamed[..] else { panic!("{text}") };
                    assert_eq!(old.id, new.id);
                    assert!(!b.context.contains(&*old.name) || old.name.len() < 4, "{text}");
                }
                other => panic!("no kind of change: {other}"),
            }
        }
        assert_sound(&items);
    }
    assert_eq!(kinds.len(), 8, "{kinds:?}");
    assert!(kinds.values().all(|n| *n >= 12), "{kinds:?}");
}

/// The sentences that both have, in the order of the first and in that of the second.
fn common<'t>(a: &'t str, b: &'t str) -> [Vec<&'t str>; 2] {
    let sentences = |text: &'t str| -> Vec<&'t str> { text.trim_end_matches('.').split(". ").collect() };
    let both = [sentences(a), sentences(b)];
    let shared: BTreeSet<&str> = both[0].iter().filter(|s| both[1].contains(s)).copied().collect();
    both.map(|all| all.into_iter().filter(|s| shared.contains(s)).collect())
}

#[test]
fn changes_move_no_other_sentence() {
    let disorder = Disorder { shuffled: true, remarks: 3 };
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (domain, contrast) in ["blocks", "dwr", "logistics"].map(|d| [(d, false), (d, true)]).concat() {
        let settings = Settings {
            levels: vec![2],
            depths: vec![2],
            items: 240,
            splits: splits(&[("train", 1.0)]),
            minimal_pairs: !contrast,
            contrast,
            disorder,
            ..Settings::default()
        };
        let items = made(domain, &settings);
        for [a, b] in pairs(&items) {
            let few = match &*b.change {
                // One sentence goes, another comes; what tells of several things at once may change as well.
                "fact" => 6,
                // Whatever names the thing goes or comes.
                "entity_added" | "entity_removed" => 12,
                _ => continue,
            };
            *seen.entry(b.change.to_string()).or_insert(0) += 1;
            let [one, other] = common(&a.initial_state, &b.initial_state);
            let text = format!("{domain} {}:\n{}\n{}", b.change, a.initial_state, b.initial_state);
            assert_eq!(one, other, "{text}");
            assert!(one.len() + few >= a.initial_state.split(". ").count(), "{text}");
        }
    }
    assert!(seen.len() == 3 && seen.values().all(|n| *n >= 8), "{seen:?}");
}

#[test]
fn the_audit_catches_broken_pairs() {
    let settings = Settings { depths: vec![1], items: 100, minimal_pairs: true, ..Settings::default() };
    let items = made("logistics", &settings);
    let rows: Vec<Row> = items.iter().map(|item| item.row.clone()).collect();
    let kinds = |rows: &[Row]| -> BTreeSet<&'static str> {
        let mut texts = Interner::default();
        let items: Vec<racgen::audit::attacks::item::AuditItem> =
            rows.iter().map(|row| racgen::audit::attacks::item::AuditItem::new(row, &mut texts)).collect();
        let found = leaks::within(&items, &texts, &BTreeMap::new());
        found.iter().map(|leak| leak.kind).filter(|kind| !kind.starts_with("unknown")).collect()
    };
    assert!(kinds(&rows).is_empty(), "{:?}", kinds(&rows));
    for (number, row) in rows.iter().enumerate().filter(|(_, row)| !row.pair.is_empty()) {
        let partner = rows.iter().position(|other| other.pair == row.pair && other.id != row.id).unwrap();
        let mut lacking = rows.clone();
        lacking.remove(number);
        assert!(kinds(&lacking).contains("broken pairs"), "{}", row.id);
        let mut equal = rows.clone();
        equal[number].answer.clone_from(&rows[partner].answer);
        assert!(kinds(&equal).contains("equal answers"), "{}", row.id);
    }
}
