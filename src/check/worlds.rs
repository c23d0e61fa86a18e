//! A level to the number of its distinct worlds: all of them where its layouts and situations can be listed, else those
//! met in layouts drawn.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use racgen_logic::fault::Fault;
use racgen_logic::seed::stream;

use crate::check::places::level_line;
use crate::domain::package::Package;
use crate::factory::settings::Settings;
use crate::simulate::error::SimulationError;
use crate::simulate::layout::Layout;
use crate::simulate::layout_cache::LayoutCache;
use crate::simulate::plans::sampling::Sampling;
use crate::simulate::story::Simulator;

/// So many worlds are enough for any splits; no more are counted.
const ENOUGH: usize = 100;
/// With fewer, chance decides whether a small split has several.
const FEW: usize = 20;
/// Layouts looked at, where not all are; one may be looked at again, for other situations.
const LAYOUTS: u64 = 24;
/// Situations drawn of a layout that has more than can be listed.
const DRAWS: usize = 48;

/// How many distinct worlds a level has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorldCount {
    /// Those that were met.
    pub met: usize,
    /// Are these all?
    pub all: bool,
}

impl fmt::Display for WorldCount {
    /// `12`, or where there may be more, `12+`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", self.met, if self.all { "" } else { "+" }))
    }
}

/// Counts the distinct worlds of a level.
///
/// # Errors
/// Layouts that contradict the constraints or have no situation; solver failures.
pub(crate) fn worlds(package: &Package, level: i32, limit: Duration) -> Result<WorldCount, SimulationError> {
    let listed = listed(package, level);
    let places = listed.as_ref().map_or(LAYOUTS, |all| all.len() as u64);
    let cache: LayoutCache<()> = LayoutCache::default();
    let met: RefCell<BTreeSet<String>> = RefCell::default();
    let mut all = listed.is_some();
    for turn in 0..LAYOUTS.max(places) {
        if turn == places && all {
            break;
        }
        let place = turn % places;
        let dice = |what, number: u64| {
            stream(0, &["check", &package.name, &level.to_string(), what, &number.to_string()])
        };
        let drawn = BTreeMap::new();
        let fixed = listed.as_ref().map_or(&drawn, |all| &all[place as usize]);
        let sample = || {
            let mut rng = dice("layout", place);
            Ok::<_, SimulationError>((Layout::sample(package, level, fixed, &mut rng, limit)?, rng))
        };
        let (prepared, _) = cache.at((level, place), package, limit, sample, |_, _| Ok(()))?;
        let mut stage = Simulator::of(package, prepared, Sampling::Walk, limit);
        let known = stage.worlds(|key| met.borrow_mut().insert(key.to_owned()));
        if known.is_none() {
            all = false;
            stage.go_to((turn / places) as usize * DRAWS);
            let mut rng = dice("world", turn);
            for _ in 0..DRAWS {
                let key = stage.draw_world(&mut rng)?.1;
                met.borrow_mut().insert(key.to_string());
            }
        }
        if met.borrow().len() >= ENOUGH {
            all &= turn + 1 == places;
            break;
        }
    }
    let met = met.into_inner().len();
    Ok(WorldCount { met, all })
}

/// The parameters of all layouts of a level, where nothing but these tells its layouts apart, and they are few.
fn listed(package: &Package, level: i32) -> Option<Vec<BTreeMap<String, i64>>> {
    let ranges = package.levels.get(&level).filter(|_| package.statics.is_empty())?;
    let mut all = vec![BTreeMap::new()];
    for (name, (low, high)) in ranges {
        let values = usize::try_from(high - low + 1).ok()?;
        if all.len().saturating_mul(values) > LAYOUTS as usize {
            return None;
        }
        let with = |value: i64| all.iter().map(move |known: &BTreeMap<_, _>| (known.clone(), value));
        let more = (*low..=*high).flat_map(with);
        all = more
            .map(|(mut known, value)| {
                known.insert(name.clone(), value);
                known
            })
            .collect();
    }
    Some(all)
}

/// What is to be said of a level with few worlds: it cannot be split at all, or not well.
pub(crate) fn advice(package: &Package, level: i32, count: WorldCount) -> Option<Result<String, Fault>> {
    let splits = Settings::default().splits.len();
    let worlds = if count.met == 1 { "world" } else { "worlds" };
    let found = match count.all {
        true => format!("level N{level} has {} distinct {worlds}", count.met),
        false => format!("{} distinct {worlds} of level N{level} were found in {LAYOUTS} layouts", count.met),
    };
    if count.met < splits {
        let cause = format!("{found}, fewer than the {splits} usual splits, which share none");
        let remedy = "widen the level's ranges, or let world.lp admit more initial situations";
        return Some(Err(Fault::new(&package.head.name, level_line(package, level), cause, remedy)));
    }
    (count.met < FEW).then(|| {
        Ok(format!(
            "{found}, so a small split may rest on one or two of them; widen its ranges, or make data with \
             --split-by instance or fewer splits"
        ))
    })
}
