//! The packages found to a table.

use std::collections::BTreeMap;

use racgen_data::table::{Cell, Table};
use serde::Serialize;

use crate::domain::catalogue::{Catalogue, FoundPackage};
use crate::domain::mechanism::Mechanism;
use crate::domain::package::{Package, Range};

/// One line a package: name, levels, number of objects, mechanisms, where it stands, and title; for a package with faults
/// the first of them.
pub fn domains_table(catalogue: &Catalogue) -> Table {
    let row = |found: &FoundPackage| {
        let (known, title) = match found.load() {
            Ok(package) => {
                let levels = span(&package.levels.keys().copied().collect::<Vec<_>>());
                let objects = objects(&package).map_or("-".to_owned(), |[low, high]| format!("{low}-{high}"));
                let words = Mechanism::list(&package.mechanisms);
                let mechanisms = if words.is_empty() { "-".to_owned() } else { words };
                ([levels, objects, mechanisms], package.title)
            }
            Err(faults) => {
                let first = faults.first().map(ToString::to_string).unwrap_or_default();
                let more = if faults.len() > 1 {
                    format!(" (and {} more; see `racgen check {}`)", faults.len() - 1, found.name)
                } else {
                    String::new()
                };
                ([(); 3].map(|()| "-".to_owned()), format!("FAULTY: {first}{more}"))
            }
        };
        let [levels, objects, mechanisms] = known;
        [found.name.clone(), levels, objects, mechanisms, found.origin.clone(), title].map(Cell::Text).into()
    };
    Table {
        head: ["domain", "levels", "objects", "mechanisms", "found", "title"].map(str::to_owned).into(),
        rows: catalogue.iter().map(row).collect(),
        ..Table::default()
    }
}

/// A package of the list, for programs.
#[derive(Clone, Debug, Serialize)]
pub struct ListedDomain {
    /// Its name.
    pub domain: String,
    /// Its levels.
    pub levels: Vec<i32>,
    /// The fewest objects of its lowest level, and the most of its highest; none for a package with faults.
    pub objects: Option<[i64; 2]>,
    /// What a reader has to follow.
    pub mechanisms: Vec<Mechanism>,
    /// Where it was found.
    pub found: String,
    /// Its title.
    pub title: String,
    /// What is wrong with it.
    pub faults: Vec<String>,
}

/// One entry a package.
pub fn listed_domains(catalogue: &Catalogue) -> Vec<ListedDomain> {
    let entry = |found: &FoundPackage| {
        let mut entry = ListedDomain {
            domain: found.name.clone(),
            levels: Vec::new(),
            objects: None,
            mechanisms: Vec::new(),
            found: found.origin.clone(),
            title: String::new(),
            faults: Vec::new(),
        };
        match found.load() {
            Ok(package) => {
                entry.levels = package.levels.keys().copied().collect();
                entry.objects = objects(&package);
                entry.mechanisms = package.mechanisms;
                entry.title = package.title;
            }
            Err(faults) => entry.faults = faults.into_iter().map(|fault| fault.to_string()).collect(),
        }
        entry
    };
    catalogue.iter().map(entry).collect()
}

/// The fewest objects of the lowest level, and the most of the highest.
fn objects(package: &Package) -> Option<[i64; 2]> {
    let (lowest, highest) = (package.levels.values().next()?, package.levels.values().next_back()?);
    let counts = |level: &BTreeMap<String, Range>| {
        let of_types = package.types.iter().filter_map(|t| level.get(&t.count));
        of_types.fold([0, 0], |[low, high], range| [low + range.0, high + range.1])
    };
    Some([counts(lowest)[0], counts(highest)[1]])
}

/// Levels in words: `N1-N5`, or one by one where some are left out.
fn span(levels: &[i32]) -> String {
    match levels {
        [] => "-".to_owned(),
        [only] => format!("N{only}"),
        [first, .., last] if (last - first) as usize + 1 == levels.len() => format!("N{first}-N{last}"),
        _ => levels.iter().map(|n| format!("N{n}")).collect::<Vec<_>>().join(","),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_the_built_in_packages() {
        let catalogue = Catalogue::find(&[]).unwrap();
        let origin = catalogue.iter().find(|found| found.name == "blocks").unwrap().origin.clone();
        let table = domains_table(&catalogue).to_string();
        let blocks = table.lines().find(|l| l.starts_with("blocks ")).unwrap();
        assert!(
            ["N1-N5", "stack", &*origin, "Blocks world"].iter().all(|part| blocks.contains(part)),
            "{table}"
        );
        assert_eq!(span(&[1, 2, 5]), "N1,N2,N5");
    }
}
