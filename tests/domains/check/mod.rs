//! A package is checked: every kind of fault is told with its file, line and remedy, and the packages racgen comes
//! with have none.

mod package;
mod phrases;
mod programs;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use racgen::check::survey::{check, check_quick};
use racgen::domain::catalogue::Catalogue;
use racgen::domain::listing::domains_table;
use racgen::domain::package::Package;
use racgen::domain::scaffold::write_new;
use racgen::factory::settings::Settings;
use racgen::factory::source::Factory;
use racgen::items::clock::Clock;
use racgen::items::source::GROUP_SIZE;
use racgen::logic::fault::{Fault, Faults};
use rayon::prelude::*;

const LIMIT: Duration = Duration::from_secs(60);

fn example(parent: &Path) -> PathBuf {
    write_new("lamps", parent).unwrap()
}

fn all(faults: &[Fault]) -> String {
    faults.iter().map(|f| format!("  {f}\n")).collect()
}

#[test]
fn built_in_packages_pass() {
    let catalogue = Catalogue::find(&[]).unwrap();
    let found: Vec<_> = catalogue.iter().filter(|found| crate::common::is_wanted(&found.name)).collect();
    let number = found.len();
    found.par_iter().enumerate().for_each(|(place, found)| {
        let start = Instant::now();
        let package = found.load().unwrap_or_else(|faults| panic!("{}:\n{}", found.name, all(&faults)));
        let quick = check_quick(&package, LIMIT);
        assert!(quick.is_ok(), "{}:\n{}", found.name, all(&quick.unwrap_err()));
        let took = start.elapsed();
        // Every second one, as each takes seconds, and all where the look is thorough or few are looked at.
        if !crate::common::further::is_thorough() && number > 6 && place % 2 == 1 {
            return;
        }
        let report = check(&package, LIMIT);
        eprintln!("{}: quick {took:?}, thorough {:?}", found.name, start.elapsed() - took);
        match report {
            Ok(report) => {
                eprint!("{report}");
                assert!(report.levels.iter().all(|level| level.worlds.met >= 20), "few worlds:\n{report}");
                // Static facts name every jug and every tile of the sliding puzzle, so no text says nothing of one.
                let note = "no question of the group unknown of --ask can be asked";
                let impossible = report.notes.iter().any(|known| known.contains(note));
                let known = match found.name.as_str() {
                    "jugs" | "npuzzle" => Some(true),
                    "ferry" | "gripper" => Some(false),
                    _ => None,
                };
                assert!(known.is_none_or(|known| known == impossible), "{}: {report}", found.name);
            }
            Err(faults) => panic!("{}:\n{}", found.name, all(&faults)),
        }
    });
}

#[test]
fn the_scaffold_passes_and_makes_data() {
    let parent = tempfile::tempdir().unwrap();
    let folder = example(parent.path());
    let package = Package::load(&folder.to_string_lossy()).unwrap_or_else(|f| panic!("{}", all(&f)));
    check_quick(&package, LIMIT).unwrap_or_else(|f| panic!("{}", all(&f)));
    let report = check(&package, LIMIT).unwrap_or_else(|f| panic!("{}", all(&f)));
    eprint!("{report}");
    // Each lamp hangs in a room, and each switch is wired to a lamp.
    assert!(matches!(report.notes.as_slice(), [only] if only.contains("of the group unknown")), "{report}");

    let settings = Settings { items: 60, depths: vec![2], levels: vec![2], ..Settings::default() };
    let factory = Factory::new(package, settings, LIMIT);
    let mut rows = Vec::new();
    for split in 0..3 {
        for (stream, count) in factory.streams(split) {
            for group in 0..count.div_ceil(GROUP_SIZE) {
                rows.extend(
                    factory.group(stream, group, count, &Clock::default()).unwrap_or_else(|e| panic!("{e}")),
                );
            }
        }
    }
    assert_eq!(rows.len(), 60);
    let templates: std::collections::BTreeSet<&str> =
        rows.iter().map(|r| r.row.template.split('.').next().unwrap_or_default()).collect();
    assert!(templates.len() > 8, "{templates:?}");
}

/// What is done to the example, and what must be said about it.
struct Break {
    what: &'static str,
    file: &'static str,
    /// A text of the file and what it is replaced with; an empty text stands for the whole file.
    replace: (&'static str, &'static str),
    /// The file that is blamed, and a text of its line (of the broken file); none where no line is to blame.
    blamed: (&'static str, Option<&'static str>),
    /// Words of the message.
    says: &'static [&'static str],
}

fn breaks() -> impl Iterator<Item = &'static Break> {
    [package::BREAKS, phrases::BREAKS, programs::BREAKS].into_iter().flatten()
}

/// The line of the first place of a text, counted from 1.
fn line(text: &str, part: &str) -> usize {
    let (part, below) = part.strip_prefix("LINE AFTER ").map_or((part, 0), |part| (part, 1));
    let at = text.find(part).unwrap_or_else(|| panic!("no `{part}`"));
    text[..at].matches('\n').count() + 1 + below
}

/// Breaks the example; the faults then found, and the files.
fn broken(folder: &Path, case: &Break) -> Faults {
    let path = folder.join(case.file);
    match case.replace {
        ("", "DELETE") => std::fs::remove_file(&path).unwrap(),
        ("", text) => std::fs::write(&path, text).unwrap(),
        (old, new) => {
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.contains(old), "{}: no `{old}` in {}", case.what, case.file);
            std::fs::write(&path, text.replacen(old, new, 1)).unwrap();
        }
    }
    match Package::load(&folder.to_string_lossy()) {
        Err(faults) => faults,
        Ok(package) => check(&package, LIMIT).err().unwrap_or_default(),
    }
}

/// Two fluents that are told as each other's denial must not be true at once.
#[test]
fn fluents_that_deny_each_other_are_not_told_together() {
    let parent = tempfile::tempdir().unwrap();
    for (law, faulty) in [("not holds(taped(S),T)", false), ("switch(S)", true)] {
        let folder = example(&tempfile::tempdir_in(parent.path()).unwrap().keep());
        let add = |file: &str, text: &str| {
            let path = folder.join(file);
            std::fs::write(&path, std::fs::read_to_string(&path).unwrap() + text).unwrap();
        };
        add(
            "domain.lp",
            &format!("\ndefined(bare(S)) :- switch(S).\nholds(bare(S),T) :- switch(S), time(T), {law}.\n"),
        );
        add(
            "phrases.toml",
            "\n[fluent.\"bare(switch)\"]\ntold = false\neach = [\"no tape covers switch {{ switch }}.\", \
             \"switch {{ switch }} is bare.\", \"switch {{ switch }} is uncovered.\", \"switch {{ switch }} can be seen.\"]\n\
             ask = [\"Is switch {{ switch }} bare?\", \"Is switch {{ switch }} uncovered?\", \"Can switch {{ switch }} be seen?\", \
             \"Is it true that switch {{ switch }} is bare?\"]\n",
        );
        let package = Package::load(&folder.to_string_lossy()).unwrap_or_else(|f| panic!("{}", all(&f)));
        let faults = check(&package, LIMIT).err().unwrap_or_default();
        let told = faults.iter().any(|f| f.cause.contains("denies") && f.cause.contains("`bare(s"));
        assert_eq!((told, faults.is_empty()), (faulty, !faulty), "{}", all(&faults));
    }
}

#[test]
fn lists_that_would_read_badly_are_noted() {
    let parent = tempfile::tempdir().unwrap();
    let folder = example(parent.path());
    let path = folder.join("phrases.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let text = text.replace("The lamps are: {{ list }}.", "The lamps are {{ list }}.");
    let text = text.replace("The {{ room }} has these lamps: {{ lamp }}.", "The {{ room }} has {{ lamp }}.");
    std::fs::write(&path, text.replace("All the lamps are off.", "The lamps are dark.")).unwrap();
    let report = check(&Package::load(&folder.to_string_lossy()).unwrap(), LIMIT).unwrap();
    let notes = report.notes.join("\n");
    assert_eq!(notes.matches("puts a list into a sentence").count(), 2, "{notes}");
    assert!(notes.contains("phrases.toml:8: \"The lamps are {{ list }}.\""), "{notes}");
    assert!(notes.contains("\"The {{ room }} has {{ lamp }}.\""), "{notes}");
    assert!(notes.contains("\"The lamps are dark.\" is said where no `lit` is true"), "{notes}");
}

#[test]
fn a_quick_check_sees_what_the_phrase_book_lacks() {
    let parent = tempfile::tempdir().unwrap();
    for what in ["fluent without phrasing", "question without phrasing", "question without answer rule"] {
        let case = breaks().find(|case| case.what == what).unwrap();
        let folder = example(&tempfile::tempdir_in(parent.path()).unwrap().keep());
        broken(&folder, case);
        let package = Package::load(&folder.to_string_lossy()).unwrap();
        let faults = check_quick(&package, LIMIT).unwrap_err();
        assert!(case.says.iter().all(|word| all(&faults).contains(word)), "{what}: {}", all(&faults));
    }
}

#[test]
fn packages_with_faults_are_listed_with_the_first() {
    let parent = tempfile::tempdir().unwrap();
    let folder = example(parent.path());
    let case = breaks().find(|case| case.what == "range reversed").unwrap();
    broken(&folder, case);
    let table = domains_table(&Catalogue::find(&[parent.path().to_owned()]).unwrap()).to_string();
    let line = table.lines().find(|line| line.starts_with("lamps ")).unwrap();
    assert!(line.contains("FAULTY") && line.contains("domain.toml:19") && line.contains("1 more"), "{table}");
    assert!(table.lines().any(|line| line.starts_with("blocks ")), "{table}");
}

#[test]
fn every_kind_of_fault_is_told() {
    let parent = tempfile::tempdir().unwrap();
    let mut missed = String::new();
    for (number, case) in breaks().enumerate() {
        let folder = example(&tempfile::tempdir_in(parent.path()).unwrap().keep());
        let faults = broken(&folder, case);
        eprintln!("{number} {}\n{}", case.what, all(&faults).replace(&format!("{}/", folder.display()), ""));
        let place = match case.blamed {
            ("", _) => folder.display().to_string(),
            (file, None) => folder.join(file).display().to_string(),
            (file, Some(part)) => {
                let path = folder.join(file);
                let text = std::fs::read_to_string(&path).unwrap();
                format!("{}:{}", path.display(), line(&text, part))
            }
        };
        // A column may follow.
        let there = |f: &&Fault| f.place == place || f.place.starts_with(&format!("{place}:"));
        let told = faults.iter().filter(there).any(|f| {
            let text = f.to_string();
            !f.remedy.is_empty() && case.says.iter().all(|word| text.contains(word))
        });
        if !told {
            missed += &format!("{}: expected {:?} at {place}, got\n{}", case.what, case.says, all(&faults));
        }
    }
    assert!(missed.is_empty(), "{missed}");
}
