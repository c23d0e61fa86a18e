//! Promise: remarks, shuffled states and random names change the text, and nothing that follows from it.

use racgen::audit::reread::judge::Reread;
use racgen::data::row::Row;
use racgen::domain::catalogue::Catalogue;
use racgen::factory::settings::{NAMES_SPLIT, Settings};
use racgen::items::source::Item;
use racgen::language::tell::paragraphs::Disorder;

use crate::common::{LIMIT, domains, made, splits};

fn plain() -> Settings {
    let splits = splits(&[("train", 1.0)]);
    Settings { levels: vec![2], depths: vec![2], items: 100, splits, ..Settings::default() }
}

fn sentences(item: &Item) -> Vec<&str> {
    item.row.initial_state.split(". ").map(|s| s.trim_end_matches('.')).collect()
}

fn assert_sound(items: &[Item]) {
    let rows: Vec<Row> = items.iter().map(|item| item.row.clone()).collect();
    let verdicts = Reread::new(&Catalogue::find(&[]).unwrap(), LIMIT).judge(&rows, &|_| ());
    for (row, verdict) in rows.iter().zip(verdicts) {
        verdict.unwrap_or_else(|f| panic!("{}: {f:?}\n{}", row.domain, row.initial_state));
    }
}

#[test]
fn remarks_are_added_and_nothing_else() {
    for domain in domains() {
        let before = made(&domain, &plain());
        let disorder = Disorder { shuffled: false, remarks: 3 };
        let after = made(&domain, &Settings { disorder, ..plain() });
        for (a, b) in before.iter().zip(&after) {
            let (old, mut new) = (sentences(a), sentences(b));
            assert_eq!(new.len(), old.len() + 3, "{domain}");
            new.retain(|sentence| !old.contains(sentence));
            assert_eq!(new.len(), 3, "{domain}: {new:?}");
            assert_eq!((&a.row.question, &a.row.answer), (&b.row.question, &b.row.answer));
        }
        assert_sound(&after);
    }
}

#[test]
fn shuffled_states_hold_the_same_sentences_in_another_order() {
    for domain in domains() {
        let before = made(&domain, &plain());
        let disorder = Disorder { shuffled: true, remarks: 0 };
        let after = made(&domain, &Settings { disorder, ..plain() });
        let mut moved = 0;
        for (a, b) in before.iter().zip(&after) {
            let (mut old, mut new) = (sentences(a), sentences(b));
            moved += usize::from(old != new);
            old.sort_unstable();
            new.sort_unstable();
            assert_eq!(old, new);
        }
        assert!(
            moved * 2 > before.len(),
            "{domain}: {moved} states of {} are in another order",
            before.len()
        );
        assert_sound(&after);
    }
}

#[test]
fn random_names_make_a_split_of_their_own() {
    for domain in domains() {
        let items = made(&domain, &Settings { random_names: true, items: 300, ..plain() });
        let random = |name: &str| {
            name.len() == 5
                && name.chars().filter(char::is_ascii_digit).count() == 1
                && !name.contains(['a', 'e', 'i', 'o', 'u'])
        };
        let (split, others): (Vec<&Item>, Vec<&Item>) =
            items.iter().partition(|item| &*item.row.split == NAMES_SPLIT);
        assert!(split.len() >= 20, "{domain}: {}", split.len());
        assert!(split.iter().all(|item| item.row.objects.iter().all(|o| random(&o.name))), "{domain}");
        assert!(!others.iter().any(|item| item.row.objects.iter().any(|o| random(&o.name))), "{domain}");
        assert_sound(&items);
    }
}
