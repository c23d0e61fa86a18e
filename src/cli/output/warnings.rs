//! Sources of items, and the folders they came to, to warnings of numbers that are too small to tell anything.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use racgen_data::papers::tally::{DomainSplit, WorldCounts};
use serde_json::Value;

use crate::campaign::finish::Finished;
use crate::campaign::run::Config;
use crate::factory::choosing::schedule::ANY_FAMILY;
use crate::factory::settings::CONTRAST_SPLIT;
use crate::items::apportion::interleave;
use crate::items::source::{ItemSource, Stream};

/// A split that rests on this many worlds, or fewer, tells of little else than them,
const FEW_WORLDS: usize = 2;
/// where it has so many items: with fewer, their number is the smaller worry.
const SOME_ITEMS: u64 = 5;
/// A world with more than one in so many items of a split outweighs the others,
const LARGEST_SHARE: u64 = 5;
/// where the split has more items than these; among fewer, chance alone brings that about.
const MANY_ITEMS: u64 = 100;
/// The most names that are listed.
const MOST_NAMES: usize = 6;
/// The most items that are advised.
const MOST_ITEMS: u64 = 1_000_000_000;

/// Prints warnings to standard error, one a line.
pub fn tell(warnings: &[String]) {
    let mut stderr = std::io::stderr().lock();
    for warning in warnings {
        // Whoever does not read them misses nothing else.
        let _ = writeln!(stderr, "racgen: warning: {warning}");
    }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// What the sources are about to leave without an item, or without a pair of verify questions. Sources of which the
/// same is to be said share a sentence.
pub fn before(configs: &[Config]) -> Vec<String> {
    let mut said: Vec<(String, Vec<String>)> = Vec::new();
    for config in configs {
        let Some(text) = Outlook::new(config.source).warning() else { continue };
        match said.iter_mut().find(|(known, _)| *known == text) {
            Some((_, names)) => names.push(config.name.clone()),
            None => said.push((text, vec![config.name.clone()])),
        }
    }
    let warning = |(text, mut names): (String, Vec<String>)| {
        if names.len() > MOST_NAMES {
            let more = names.split_off(MOST_NAMES - 1).len();
            names.push(format!("{more} others"));
        }
        format!("{}: {text}", listed(&names))
    };
    said.into_iter().map(warning).collect()
}

/// What a source is going to make.
struct Outlook {
    /// The items of each split, by level and depth, and by member.
    splits: Vec<(String, Vec<u64>)>,
    weights: Vec<f64>,
    /// Combinations of level and depth.
    cells: usize,
    /// How many items of a stream it takes until two verify questions are among them; none where none are wanted, or
    /// the source does not say.
    pair: Option<u64>,
    /// The items asked for, where the source says so.
    wanted: Option<u64>,
}

impl Outlook {
    fn new(source: &dyn ItemSource) -> Outlook {
        let names = source.splits();
        let streams: Vec<_> = (0..names.len()).map(|split| source.streams(split)).collect();
        let place = |stream: &Stream| (stream.member, stream.level, stream.depth);
        let places: BTreeSet<_> = streams.iter().flatten().map(|(stream, _)| place(stream)).collect();
        let cells: BTreeSet<_> = places.iter().map(|(_, level, depth)| (level, depth)).collect();
        let settings = source.settings();
        // A source of several members, as games, has settings for each; these differ in other things.
        let settings = settings.get(0).unwrap_or(&settings).get("settings").cloned().unwrap_or_default();
        // Where domains are dealt to splits, a split has none of the others.
        let dealt = ["domain", "composition"].iter().any(|by| settings["split_by"] == *by);
        let sizes = |streams: &Vec<_>| {
            let known: BTreeMap<_, u64> =
                streams.iter().map(|(stream, items)| (place(stream), *items)).collect();
            let own = places.iter().filter(|place| !dealt || known.contains_key(place));
            own.map(|place| known.get(place).copied().unwrap_or(0)).collect()
        };
        let splits = names.iter().zip(&streams).map(|(split, streams)| (split.name.clone(), sizes(streams)));
        Outlook {
            splits: splits.collect(),
            weights: names.iter().map(|split| split.weight).collect(),
            cells: cells.len(),
            pair: pair(&settings),
            wanted: settings.get("items").and_then(Value::as_u64),
        }
    }

    /// What is wrong with it, and what to do.
    fn warning(&self) -> Option<String> {
        let total = |sizes: &[u64]| sizes.iter().sum::<u64>();
        let (filled, empty): (Vec<_>, Vec<_>) = self.splits.iter().partition(|(_, sizes)| total(sizes) > 0);
        let mut lacks = Vec::new();
        if !empty.is_empty() {
            let names: Vec<String> = empty.iter().map(|(name, _)| name.clone()).collect();
            lacks.push(format!("{} empty", listed(&names)));
        }
        let part = |lack: &dyn Fn(&str, u64) -> bool| {
            let lacking = filled.iter().filter_map(|(name, sizes)| {
                let count = sizes.iter().filter(|items| lack(name, **items)).count();
                let of =
                    if sizes.len() > 1 { format!(" ({count} of {})", sizes.len()) } else { String::new() };
                (count > 0).then(|| format!("{name}{of}"))
            });
            listed(&lacking.collect::<Vec<_>>())
        };
        let blank = part(&|_, items| items == 0);
        if !blank.is_empty() {
            lacks.push(format!("levels and depths of {blank} without an item"));
        }
        // The questions of that split follow the changes that it is made by.
        let short = |name: &str, items| name != CONTRAST_SPLIT && self.pair.is_some_and(|pair| items < pair);
        let single = part(&|name, items| items > 0 && short(name, items));
        if !single.is_empty() {
            let cells = if self.cells > 1 { "levels and depths of " } else { "" };
            lacks.push(format!("{cells}{single} without a pair of verify questions"));
        }
        if lacks.is_empty() {
            return None;
        }
        let all: u64 = self.splits.iter().map(|(_, sizes)| total(sizes)).sum();
        let sizes = self.splits.iter().map(|(name, sizes)| format!("{} {name}", total(sizes)));
        let sizes = sizes.collect::<Vec<_>>().join(", ");
        let (verb, items) = if all == 1 { ("leaves", "item") } else { ("leave", "items") };
        Some(format!("{all} {items} {verb} {}: they make {sizes}; {}", lacks.join(", and "), self.remedy()))
    }

    fn remedy(&self) -> String {
        let least = self.least();
        let even = "fewer or more even --splits";
        let cells = if self.cells > 1 { ", or fewer levels and depths" } else { "" };
        match self.wanted {
            Some(_) if least > MOST_ITEMS => format!("use {even}"),
            Some(wanted) if wanted < least => format!("use -n {least} or more, {even}{cells}"),
            // It was asked for enough, and has no more.
            Some(_) => format!("play more or longer --traces, or use {even}"),
            None => "use a larger -n".to_owned(),
        }
    }

    /// The number of items from which on every level and depth of every split has enough.
    fn least(&self) -> u64 {
        let lowest = self.weights.iter().copied().fold(f64::INFINITY, f64::min);
        let each = self.pair.unwrap_or(1) as f64 * self.weights.iter().sum::<f64>() / lowest;
        // What rounding adds is no item.
        ((each - 1e-6).ceil() as u64).saturating_mul(self.cells as u64)
    }
}

/// How many items it takes until two verify questions are among them.
fn pair(settings: &Value) -> Option<u64> {
    let mix: [u32; 3] = serde_json::from_value(settings.get("mix")?.clone()).ok()?;
    // In pairs, the second item is of the first one's kind.
    let each = if settings.get("minimal_pairs") == Some(&Value::Bool(true)) { 2 } else { 1 };
    let mut verify = (1..).zip(interleave(&mix).into_iter().cycle()).filter(|(_, kind)| *kind == 0);
    let place: u64 = (mix[0] > 0).then(|| verify.nth(2 / each - 1)).flatten()?.0;
    Some(place * each as u64)
}

/// Which splits rest on very few worlds, or on one above all, and where kinds of questions lack. Nothing is said of a part of a
/// data set.
pub fn after(finished: &Finished) -> Vec<String> {
    if !finished.complete {
        return Vec::new();
    }
    let remaining = "other splits rest on as few worlds; manifest.json counts those of all";
    let mut warnings = some(resting(finished), remaining);
    warnings.extend(some(
        lacking(finished),
        "other domains lack a type of question; manifest.json names them all",
    ));
    warnings
}

/// A few of the warnings, and how many others there are.
fn some(mut warnings: Vec<String>, others: &str) -> Vec<String> {
    if warnings.len() > MOST_NAMES {
        let more = warnings.split_off(MOST_NAMES - 1).len();
        warnings.push(format!("{more} {others}"));
    }
    warnings
}

/// The levels and depths of each domain at which other kinds of questions stand in for one.
fn lacking(finished: &Finished) -> Vec<String> {
    let mut places: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for left in finished.exceptions.iter().filter(|left| left.family == ANY_FAMILY) {
        let place = format!("N{} with {} actions", left.level, left.depth);
        places.entry((&left.domain, &left.question_type)).or_default().push(place);
    }
    let warning = |((domain, kind), places): (_, Vec<String>)| {
        format!("{domain}: no {kind} question can be asked at {}; other types stand in", listed(&places))
    };
    places.into_iter().map(warning).collect()
}

/// Splits that rest on very few worlds, or on one above all.
fn resting(finished: &Finished) -> Vec<String> {
    let warning = |((domain, split), worlds): (&DomainSplit, &WorldCounts)| {
        let (items, largest) = (worlds.values().sum::<u64>(), worlds.values().max().copied().unwrap_or(0));
        let rests = match worlds.len() {
            count @ 1..=FEW_WORLDS if items >= SOME_ITEMS => {
                let worlds = if count == 1 { "world" } else { "worlds" };
                format!("rests on {count} {worlds}, for {items} items")
            }
            count if items > MANY_ITEMS && largest * LARGEST_SHARE > items => {
                format!("has {largest} of its {items} items from one of its {count} worlds")
            }
            _ => return None,
        };
        let remedy = "what is measured on it holds for little else; choose larger or more varied worlds, or fewer splits";
        Some(format!("{domain}: the split {split} {rests}; {remedy}"))
    };
    finished.tally.worlds.iter().filter_map(warning).collect()
}
