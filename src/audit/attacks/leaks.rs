//! Items to what splits, or data sets, share that they should not.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap as HashMap;
use serde::Serialize;

use crate::audit::attacks::item::{AuditItem, Interner};
use crate::audit::attacks::pairing::PairSide;
use crate::factory::contrast::change::Change;
use crate::factory::settings::{CONTRAST_SPLIT, LANGUAGE_SPLIT, NAMES_SPLIT};
use crate::language::read::phrasing_table::readable;

/// What the manifest says of a domain's rows; without one, the usual.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Promises {
    /// Splits share worlds, but not worlds with their plans.
    pub by_instance: bool,
    /// Each domain is of one split.
    pub by_domain: bool,
    /// Splits may have answers that the first one lacks.
    pub open_vocabulary: bool,
    /// The share of phrasings that only the split for language has.
    pub holdout_phrasings: f64,
    /// The share of names that only the split for language has.
    pub holdout_names: f64,
}

/// Something that leaked, with examples.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Leak {
    /// What kind.
    pub kind: &'static str,
    /// In words.
    pub detail: String,
    /// How many items, worlds or words.
    pub count: usize,
    /// Ids or words, some of them.
    pub examples: Vec<String>,
}

const MOST_EXAMPLES: usize = 5;

pub(super) fn leak(
    kind: &'static str,
    detail: String,
    found: impl IntoIterator<Item = String>,
) -> Option<Leak> {
    let all: BTreeSet<String> = found.into_iter().collect();
    let (count, examples) = (all.len(), all.into_iter().take(MOST_EXAMPLES).collect());
    (count > 0).then_some(Leak { kind, detail, count, examples })
}

/// What leaks within one data set.
pub fn within(items: &[AuditItem], texts: &Interner, promises: &BTreeMap<String, Promises>) -> Vec<Leak> {
    let name = |number: u32| texts.text(number).to_string();
    let mut leaks = Vec::new();

    let mut ids: HashMap<u32, usize> = HashMap::default();
    items.iter().for_each(|item| *ids.entry(item.id).or_default() += 1);
    let twice = ids.iter().filter(|(_, times)| **times > 1).map(|(id, _)| name(*id));
    leaks.extend(leak("repeated ids", "ids that several items have".into(), twice));

    let mut by_text: HashMap<u128, Vec<&AuditItem>> = HashMap::default();
    items.iter().for_each(|item| by_text.entry(item.text).or_default().push(item));
    let same = by_text.values().filter(|all| all.len() > 1);
    let twice = same.clone().flat_map(|all| all.iter().skip(1)).map(|item| name(item.id));
    leaks.extend(leak("duplicates", "items whose context and question another item has".into(), twice));
    let torn = same.filter(|all| all.iter().any(|item| item.answer != all[0].answer));
    let torn = torn.map(|all| name(all[0].id));
    leaks.extend(leak("contradictions", "items with the same text and different answers".into(), torn));

    leaks.extend(broken_pairs(items, texts));

    let mut domains: BTreeMap<u32, Vec<&AuditItem>> = BTreeMap::new();
    items.iter().for_each(|item| domains.entry(item.domain).or_default().push(item));
    for (domain, items) in domains {
        let domain = name(domain);
        let promised = promises.get(&domain).cloned().unwrap_or_default();
        of_domain(&domain, &items, texts, &promised, &mut leaks);
    }
    leaks
}

/// Pairs that lack an item, have too many, or have one answer where there should be two.
fn broken_pairs(items: &[AuditItem], texts: &Interner) -> Vec<Leak> {
    let name = |number: u32| texts.text(number).to_string();
    let mut pairs: HashMap<u32, Vec<&AuditItem>> = HashMap::default();
    let paired = items.iter().filter(|item| !texts.text(item.pair).is_empty());
    paired.for_each(|item| pairs.entry(item.pair).or_default().push(item));
    let changed = |item: &&&AuditItem| !texts.text(item.change).is_empty();
    let torn = pairs.values().filter(|all| all.len() != 2 || all.iter().filter(changed).count() != 1);
    let torn: Vec<String> = torn.flatten().map(|item| name(item.id)).collect();
    let two = pairs.values().filter(|all| all.len() == 2);
    let odd = two.filter(|all| {
        let sides: Vec<&PairSide> = all.iter().filter_map(|item| item.side.as_deref()).collect();
        match sides[..] {
            [one, other] if other.is_changed() => !one.fits(other),
            [other, one] => !one.fits(other),
            _ => true,
        }
    });
    let odd: Vec<String> = odd.flatten().map(|item| name(item.id)).collect();
    // Change and source are those of pairs only.
    let alone = items.iter().filter(|item| item.side.is_some() && texts.text(item.pair).is_empty());
    let torn = torn.into_iter().chain(odd).chain(alone.map(|item| name(item.id)));
    let same = pairs.values().filter(|all| {
        let of_contrast = |name: &str| Change::CONTRAST.iter().find(|(_, change)| change.name() == name);
        let kept =
            |item: &&AuditItem| of_contrast(texts.text(item.change)).is_some_and(|(_, c)| c.may_agree());
        all.iter().all(|item| item.answer == all[0].answer) && !all.iter().any(kept)
    });
    let same = same.filter(|all| all.len() == 2).flatten().map(|item| name(item.id));
    let what = "items of a pair that is no item and one made from it by the change it names";
    let torn = leak("broken pairs", what.into(), torn);
    let same = leak("equal answers", "items of a pair whose answers should differ".into(), same);
    torn.into_iter().chain(same).collect()
}

fn of_domain(
    domain: &str,
    items: &[&AuditItem],
    texts: &Interner,
    promised: &Promises,
    leaks: &mut Vec<Leak>,
) {
    let name = |number: u32| texts.text(number).to_string();
    let mut splits: BTreeSet<u32> = items.iter().map(|item| item.split).collect();
    if promised.by_domain && splits.len() > 1 {
        let detail = format!("splits that all have items of {domain}, of which one should");
        leaks.extend(leak("shared domains", detail, splits.iter().map(|split| name(*split))));
    }
    let mut in_splits: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for item in items {
        let key = if promised.by_instance { item.instance } else { item.world };
        in_splits.entry(key).or_default().insert(item.split);
    }
    let what = if promised.by_instance { "worlds with their plans" } else { "worlds" };
    let mut pairs: BTreeMap<(u32, u32), Vec<String>> = BTreeMap::new();
    for (key, splits) in in_splits {
        let splits: Vec<u32> = splits.into_iter().collect();
        for (place, one) in splits.iter().enumerate() {
            splits[place + 1..].iter().for_each(|other| {
                pairs.entry((*one, *other)).or_default().push(name(key));
            });
        }
    }
    for ((one, other), keys) in pairs {
        let detail = format!("{what} of {domain} that are in {} and in {}", name(one), name(other));
        leaks.extend(leak("shared worlds", detail, keys));
    }

    // The split that others take their vocabulary from.
    let first = splits.iter().copied().find(|s| &**texts.text(*s) == "train");
    let first = first.or_else(|| items.first().map(|item| item.split));
    let Some(first) = first.filter(|_| splits.len() > 1) else { return };
    splits.remove(&first);
    let words = |item: &AuditItem| -> Vec<String> {
        // Statements are made of names in phrasings, and are new in every world.
        match item.sentences {
            true => Vec::new(),
            false => texts.text(item.answer).split(", ").map(str::to_owned).collect(),
        }
    };
    let known: BTreeSet<String> = items.iter().filter(|i| i.split == first).flat_map(|i| words(i)).collect();
    for split in &splits {
        let own_names = &**texts.text(*split) == LANGUAGE_SPLIT && promised.holdout_names > 0.0;
        // There, names are random letters, or may be.
        let random_names = [NAMES_SPLIT, CONTRAST_SPLIT].contains(&&**texts.text(*split));
        if promised.open_vocabulary || own_names || random_names {
            continue;
        }
        let of_split = items.iter().filter(|i| i.split == *split);
        let new = of_split.flat_map(|i| words(i)).filter(|word| !known.contains(word));
        let detail = format!("answer words of {domain} that {} has and {} lacks", name(*split), name(first));
        leaks.extend(leak("unknown answers", detail, new));
    }
    let language = splits.iter().find(|s| &**texts.text(**s) == LANGUAGE_SPLIT);
    let Some(language) = language else { return };
    let (held, others): (Vec<&&AuditItem>, Vec<&&AuditItem>) =
        items.iter().partition(|i| i.split == *language);
    if promised.holdout_phrasings > 0.0 {
        // Each number in a phrasing's name tells the phrasing of one part of its form.
        let phrasings = |items: &[&&AuditItem]| -> BTreeSet<(u32, usize, u32)> {
            let all = items.iter().flat_map(|item| {
                item.template.1.iter().enumerate().map(|(place, n)| (item.template.0, place, *n))
            });
            all.collect()
        };
        let (held, others) = (phrasings(&held), phrasings(&others));
        let both = held.intersection(&others).map(|(form, _, number)| format!("{}.{number}", name(*form)));
        let detail = format!("phrasings of {domain} that {LANGUAGE_SPLIT} shares with other splits");
        leaks.extend(leak("held-out phrasings", detail, both));
    }
    if promised.holdout_phrasings > 0.0 {
        let said = |items: &[&&AuditItem]| -> BTreeSet<u32> {
            items.iter().flat_map(|item| item.said.iter().copied()).collect()
        };
        let (held, others) = (said(&held), said(&others));
        let both = held.intersection(&others).map(|number| readable(&name(*number)));
        let detail = format!(
            "phrasings of initial states and actions of {domain} that {LANGUAGE_SPLIT} shares with other splits"
        );
        leaks.extend(leak("held-out phrasings", detail, both));
    }
    if promised.holdout_names > 0.0 {
        let names = |items: &[&&AuditItem]| -> BTreeSet<u32> {
            items.iter().flat_map(|item| item.all_names.iter().copied()).collect()
        };
        let (held, others) = (names(&held), names(&others));
        let both = held.intersection(&others).map(|number| name(*number));
        let detail = format!("names of {domain} that {LANGUAGE_SPLIT} shares with other splits");
        leaks.extend(leak("held-out names", detail, both));
    }
}

/// What two data sets share. Their texts must have been numbered together.
pub fn between(items: &[AuditItem], others: &[AuditItem], texts: &Interner) -> Vec<Leak> {
    let name = |number: u32| texts.text(number).to_string();
    let mut leaks = Vec::new();
    let worlds: BTreeSet<u32> = others.iter().map(|item| item.world).collect();
    let same: BTreeSet<u32> = items.iter().map(|i| i.world).filter(|w| worlds.contains(w)).collect();
    leaks.extend(leak("shared worlds", "worlds that both data sets have".into(), same.into_iter().map(name)));
    let seen: BTreeSet<u128> = others.iter().map(|item| item.text).collect();
    let twice = items.iter().filter(|item| seen.contains(&item.text)).map(|item| name(item.id));
    leaks.extend(leak("duplicates", "items whose context and question the other data set has".into(), twice));
    let ids: BTreeSet<u32> = others.iter().map(|item| item.id).collect();
    let twice = items.iter().filter(|item| ids.contains(&item.id)).map(|item| name(item.id));
    leaks.extend(leak("repeated ids", "ids that both data sets have".into(), twice));
    leaks
}
