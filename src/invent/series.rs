//! A seed and numbers to the theories of domains.

use std::collections::{BTreeMap, HashMap};

use racgen_logic::seed::stream;
use rayon::prelude::*;

use crate::invent::drawn::DrawnTheory;
use crate::invent::filters::judge;
use crate::invent::identity::{family_keys, theory_key};
use crate::invent::judging::families::judge_families;
use crate::invent::judging::reasons::Reason;
use crate::invent::theory::grammar::{QuotaCell, draw};

/// How many theories are drawn for a number before it is given up.
const ATTEMPTS: usize = 4000;

/// What the theories of a series have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesSettings {
    /// The root of all random numbers.
    pub seed: u64,
    /// The least and the most bits of a theory.
    pub bits: (f64, f64),
}

impl Default for SeriesSettings {
    fn default() -> SeriesSettings {
        SeriesSettings { seed: 0, bits: (0.0, 1000.0) }
    }
}

/// The theory of a number, which depends on it and the settings alone; else what speaks against all that were drawn.
pub fn theory_of(settings: &SeriesSettings, number: u64) -> Result<DrawnTheory, BTreeMap<Reason, usize>> {
    let cell = QuotaCell::of(number);
    let seed = settings.seed.to_string();
    let mut rejected: BTreeMap<Reason, usize> = BTreeMap::new();
    for attempt in 0..ATTEMPTS {
        let (number_word, attempt) = (number.to_string(), attempt.to_string());
        let words = ["invent", &seed, &number_word, &attempt];
        let judged = match draw(&cell, stream(settings.seed, &words)) {
            None => Err(Reason::Unfinished),
            Some((_, bits)) if bits < settings.bits.0 || bits > settings.bits.1 => Err(Reason::Length),
            Some((theory, bits)) => judge(&theory, bits, &words).and_then(|()| {
                let key = theory_key(&theory);
                let drawn = DrawnTheory { number, theory, bits, key, rejected: BTreeMap::new() };
                judge_families(&drawn).map(|()| drawn)
            }),
        };
        match judged {
            Ok(drawn) => return Ok(DrawnTheory { rejected, ..drawn }),
            Err(reason) => *rejected.entry(reason).or_default() += 1,
        }
    }
    Err(rejected)
}

/// The theories of a range of numbers, without repeats and clones.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Those that are kept, in the order of their numbers.
    pub kept: Vec<DrawnTheory>,
    /// Numbers that are left out since an earlier one of the range is the same or a clone, with that one.
    pub clones: Vec<(u64, u64)>,
    /// Numbers of which no theory was kept.
    pub without: Vec<u64>,
    /// Why theories were left out, and how many.
    pub rejected: BTreeMap<Reason, usize>,
}

/// Draws the theories of a range. `progress` is told of each.
pub fn series(
    settings: &SeriesSettings,
    numbers: std::ops::Range<u64>,
    progress: &(dyn Fn() + Sync),
) -> Series {
    type Drawn = Result<DrawnTheory, BTreeMap<Reason, usize>>;
    let drawn: Vec<(u64, Drawn)> = numbers
        .into_par_iter()
        .map(|number| {
            let drawn = theory_of(settings, number);
            progress();
            (number, drawn)
        })
        .collect();
    let family =
        |drawn: &(u64, Result<DrawnTheory, _>)| drawn.1.as_ref().map(|d| family_keys(&d.theory)).ok();
    let families: Vec<_> = drawn.par_iter().map(family).collect();
    let mut series = Series::default();
    let mut owners: HashMap<String, u64> = HashMap::new();
    for ((number, drawn), family) in drawn.into_iter().zip(families) {
        let rejected = drawn.as_ref().map_or_else(|rejected| rejected, |drawn| &drawn.rejected);
        for (reason, count) in rejected {
            *series.rejected.entry(*reason).or_default() += count;
        }
        let (Ok(theory), Some(family)) = (drawn, family) else {
            series.without.push(number);
            continue;
        };
        if let Some(earlier) = family.iter().find_map(|key| owners.get(key)) {
            series.clones.push((theory.number, *earlier));
            *series.rejected.entry(Reason::Clone).or_default() += 1;
            continue;
        }
        owners.extend(family.into_iter().map(|key| (key, theory.number)));
        series.kept.push(theory);
    }
    series
}
