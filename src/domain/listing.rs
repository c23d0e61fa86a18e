//! The packages found to a table.

use racgen_data::table::{Cell, Table};
use serde::Serialize;

use crate::domain::catalogue::{Catalogue, FoundPackage};

/// One line a package: name, levels, title and where it stands; for a package with faults the first of them.
pub fn domains_table(catalogue: &Catalogue) -> Table {
    let row = |found: &FoundPackage| {
        let (levels, title) = match found.load() {
            Ok(package) => (span(&package.levels.keys().copied().collect::<Vec<_>>()), package.title),
            Err(faults) => {
                let first = faults.first().map(ToString::to_string).unwrap_or_default();
                let more = if faults.len() > 1 {
                    format!(" (and {} more; see `racgen check {}`)", faults.len() - 1, found.name)
                } else {
                    String::new()
                };
                ("-".to_owned(), format!("FAULTY: {first}{more}"))
            }
        };
        [found.name.clone(), levels, found.origin.clone(), title].map(Cell::Text).into()
    };
    Table {
        head: ["domain", "levels", "found", "title"].map(str::to_owned).into(),
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
        let (levels, title, faults) = match found.load() {
            Ok(package) => (package.levels.keys().copied().collect(), package.title, Vec::new()),
            Err(faults) => {
                (Vec::new(), String::new(), faults.into_iter().map(|fault| fault.to_string()).collect())
            }
        };
        ListedDomain { domain: found.name.clone(), levels, found: found.origin.clone(), title, faults }
    };
    catalogue.iter().map(entry).collect()
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
            blocks.contains("N1-N5") && blocks.contains(&origin) && blocks.contains("Blocks world"),
            "{table}"
        );
        assert_eq!(span(&[1, 2, 5]), "N1,N2,N5");
    }
}
