//! The name of an invented domain to its package, and ranges of numbers to such names.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{LazyLock, Mutex, PoisonError};

use racgen_logic::fault::Fault;
use racgen_logic::seed::stream;

use crate::invent::drawn::DrawnTheory;
use crate::invent::series::{SeriesSettings, series, theory_of};
use crate::invent::telling::package_files::{PackageOrigin, package_files};
use crate::invent::theory::parts::InventedTheory;
use crate::invent::words::vocabularies::words_for;
use crate::invent::words::vocabulary::{DomainWords, TheoryWords};

/// How ranges of them begin.
const RANGE: &str = "invented:";
/// The most domains of one range.
const MOST: u64 = 100_000;

/// What a domain of a series is called in a vocabulary: `invented_7_12`, `everyday_7_12`.
pub fn name_of(vocabulary: DomainWords, seed: u64, number: u64) -> String {
    format!("{}_{seed}_{number}", vocabulary.name())
}

/// The words of a domain, which depend on the vocabulary, the seed and its number alone.
pub fn words_of(drawn: &DrawnTheory, vocabulary: DomainWords, seed: u64) -> TheoryWords {
    let mut dice = stream(seed, &["invent", "words", vocabulary.name(), &drawn.number.to_string()]);
    words_for(&drawn.theory, vocabulary, &mut dice)
}

/// The files of a domain's package.
pub fn files_of(drawn: &DrawnTheory, vocabulary: DomainWords, seed: u64) -> BTreeMap<String, String> {
    package_files(drawn, &words_of(drawn, vocabulary, seed), PackageOrigin { seed, vocabulary })
}

/// The vocabulary, the seed and the number of a domain's name; none where the name is another.
pub fn origin_of(name: &str) -> Option<(DomainWords, u64, u64)> {
    let (vocabulary, place) = name.split_once('_')?;
    let (seed, number) = place.split_once('_')?;
    let origin = (DomainWords::named(vocabulary)?, seed.parse().ok()?, number.parse().ok()?);
    (name == name_of(origin.0, origin.1, origin.2)).then_some(origin)
}

/// Theories of this process, since a name is looked up several times.
static KNOWN: LazyLock<Mutex<HashMap<(u64, u64), DrawnTheory>>> = LazyLock::new(Mutex::default);

/// The theory of a domain with a name like `invented_7_12`, if there is one, and the rules that its package has.
pub fn theory_by_name(name: &str) -> Option<(InventedTheory, String)> {
    let (drawn, vocabulary, seed) = drawn_by_name(name)?;
    let rules = files_of(&drawn, vocabulary, seed).remove("domain.lp")?;
    Some((drawn.theory, rules))
}

/// The files of the package with a name like `invented_7_12` or `everyday_7_12`; none where the name is another, or no theory
/// of this number was kept.
pub fn files_by_name(name: &str) -> Option<BTreeMap<String, String>> {
    let (drawn, vocabulary, seed) = drawn_by_name(name)?;
    Some(files_of(&drawn, vocabulary, seed))
}

/// The theory of the number of a name like `invented_7_12`, the vocabulary and the seed; none where the name is another, or no
/// theory of this number was kept. Each is worked out once in a process.
pub fn drawn_by_name(name: &str) -> Option<(DrawnTheory, DomainWords, u64)> {
    let (vocabulary, seed, number) = origin_of(name)?;
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&(seed, number)).cloned();
    let drawn = match known {
        Some(drawn) => drawn,
        None => {
            let drawn = theory_of(&SeriesSettings { seed, ..SeriesSettings::default() }, number).ok()?;
            KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert((seed, number), drawn.clone());
            drawn
        }
    };
    Some((drawn, vocabulary, seed))
}

/// The names that a list of domains stands for: `invented:0-255` is those of seed 0 with these numbers, without clones,
/// `invented:7:0-255` those of seed 7, `invented:7:0-255:everyday` the same in everyday words; all else is left as it is.
///
/// # Errors
/// A range that is none.
pub fn expanded(domains: &str) -> Result<String, Fault> {
    let mut names: Vec<String> = Vec::new();
    for part in domains.split(',').map(str::trim) {
        let Some(range) = part.strip_prefix(RANGE) else {
            names.push(part.to_owned());
            continue;
        };
        let (range, vocabulary) = match range.rsplit_once(':') {
            Some((rest, last)) if last.starts_with(|letter: char| letter.is_ascii_alphabetic()) => {
                let named = DomainWords::named(last);
                (rest, named.ok_or_else(|| no_range(part, "there is no such vocabulary"))?)
            }
            _ => (range, DomainWords::Invented),
        };
        let (seed, numbers) = range.split_once(':').unwrap_or(("0", range));
        let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
        let read = |text: &str| text.trim().parse::<u64>().ok();
        let (Some(seed), Some(first), Some(last)) = (read(seed), read(first), read(last)) else {
            return Err(no_range(part, "it is no range of numbers"));
        };
        if last < first || last - first >= MOST {
            return Err(no_range(part, "it holds no number, or too many"));
        }
        let settings = SeriesSettings { seed, ..SeriesSettings::default() };
        for drawn in series(&settings, first..last + 1, &|| ()).kept {
            names.push(name_of(vocabulary, seed, drawn.number));
            KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert((seed, drawn.number), drawn);
        }
    }
    Ok(names.join(","))
}

fn no_range(part: &str, cause: &str) -> Fault {
    let remedy =
        "write `invented:0-255`, `invented:SEED:0-255`, or `invented:SEED:0-255:everyday` (or `contrary`)";
    Fault::new(&format!("domain `{part}`"), 0, cause, remedy)
}

/// Writes a domain's package into a new folder below `parent`, and returns the folder's name.
///
/// # Errors
/// A place that cannot be written to, or where such a folder is already.
pub fn write_package(
    drawn: &DrawnTheory,
    vocabulary: DomainWords,
    seed: u64,
    parent: &Path,
) -> Result<String, Fault> {
    let name = name_of(vocabulary, seed, drawn.number);
    let folder = parent.join(&name);
    let failed = |error: std::io::Error| {
        let remedy = "choose another --out, or make room";
        Fault::new(&folder.display().to_string(), 0, error.to_string(), remedy)
    };
    std::fs::create_dir_all(parent).map_err(failed)?;
    std::fs::create_dir(&folder).map_err(failed)?;
    for (file, text) in files_of(drawn, vocabulary, seed) {
        std::fs::write(folder.join(file), text).map_err(failed)?;
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_invented_domains_are_read() {
        for name in ["blocks", "invented_1", "everyday_x_1", "invented_01_2", "invented_1_2_3", "other_1_2"] {
            assert!(files_by_name(name).is_none(), "{name}");
        }
        assert_eq!(expanded("blocks, dwr").unwrap(), "blocks,dwr");
        assert_eq!(origin_of("contrary_3_4"), Some((DomainWords::Contrary, 3, 4)));
        let wrong = ["invented:", "invented:5-1", "invented:a-b", "invented:0-999999999", "invented:1:2:3"];
        for range in
            wrong.into_iter().chain(["invented:0-3:odd", "invented:everyday", "invented:everyday:0-3"])
        {
            assert!(expanded(range).unwrap_err().remedy.contains("invented:0-255"), "{range}");
        }
    }
}
