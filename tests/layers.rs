//! Promise: rooms import downward only, files import each other in no circle, and what is heavy stands behind its wall.
//!
//! The `use` lines and paths of all source files are read as text; unit tests at the end of a file do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The floors, from the top. A room may import what stands on lower floors, and itself.
const FLOORS: [&[&str]; 14] = [
    &["cli", "racgen_python"],
    &["score"],
    &["audit"],
    &["campaign"],
    &["iq"],
    &["check", "explore", "games", "halma", "invent", "pddl", "rules"],
    &["factory"],
    &["language"],
    &["simulate"],
    &["domain"],
    &["phrases"],
    &["items", "pictures"],
    &["racgen_data"],
    &["racgen_logic"],
];

/// Crates that only one room may name.
const WALLS: [(&str, &[&str]); 7] = [
    ("racgen_logic", &["clingo"]),
    ("racgen_data", &["arrow_array", "arrow_buffer", "arrow_schema", "parquet", "csv"]),
    ("phrases", &["tera"]),
    ("pictures", &["resvg", "png", "ttf_parser", "dejavu"]),
    ("cli", &["clap", "indicatif", "ctrlc", "console", "textwrap"]),
    ("main", &["mimalloc"]),
    ("racgen_python", &["pyo3"]),
];

/// A source file: its module, as `racgen_data::write::rows::sink` or `games::gdl::syntax`, and its text without tests.
struct File {
    path: PathBuf,
    module: Vec<String>,
    text: String,
}

fn files() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for (folder, of) in [
        ("src", None),
        ("crates/logic/src", Some("racgen_logic")),
        ("crates/data/src", Some("racgen_data")),
        ("crates/python/src", Some("racgen_python")),
    ] {
        let mut open = vec![root.join(folder)];
        while let Some(next) = open.pop() {
            for entry in fs::read_dir(next).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else if path.extension().is_some_and(|ending| ending == "rs") {
                    found.push(file(&root.join(folder), path, of));
                }
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 150, "only {} files were found", found.len());
    found
}

fn file(folder: &Path, path: PathBuf, of: Option<&str>) -> File {
    let inside = path.strip_prefix(folder).unwrap().with_extension("");
    let parts = inside.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    let mut module: Vec<String> = of.map(str::to_owned).into_iter().chain(parts).collect();
    module.retain(|part| part != "mod" && part != "lib");
    let text = fs::read_to_string(&path).unwrap();
    let text = text.split("\n#[cfg(test)]").next().unwrap_or_default();
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    File { module, text: code.collect::<Vec<_>>().join("\n"), path }
}

/// The room of a module: `games`, `racgen_data`.
fn room(module: &[String]) -> &str {
    module.first().map_or("lib", String::as_str)
}

/// The height of a room, counted from the ground.
fn floor(room: &str) -> Option<usize> {
    FLOORS.iter().rev().position(|rooms| rooms.contains(&room))
}

/// Paths of a text that lead to another module of the workspace, as modules: `use` trees taken apart, and paths in code.
fn imports(file: &File) -> BTreeSet<Vec<String>> {
    let own = file.module.first().filter(|root| root.starts_with("racgen_"));
    let mut found = BTreeSet::new();
    for (at, _) in file.text.match_indices("super::") {
        let before = file.text[..at].chars().next_back();
        if before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':') {
            let above = &file.module[..file.module.len().saturating_sub(1)];
            let mut paths = Vec::new();
            expand(&file.text[at + "super::".len()..], above, &mut paths);
            found.extend(paths);
        }
    }
    let starts = [
        ("crate::", own.cloned()),
        // What a member of the workspace takes of the crate at its top.
        ("racgen::", None),
        ("racgen_data::", Some("racgen_data".to_owned())),
        ("racgen_logic::", Some("racgen_logic".to_owned())),
    ];
    for (start, root) in starts {
        for (at, _) in file.text.match_indices(start) {
            let before = file.text[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            let mut paths = Vec::new();
            expand(&file.text[at + start.len()..], &root.iter().cloned().collect::<Vec<_>>(), &mut paths);
            found.extend(paths);
        }
    }
    found
}

/// The leaves of a `use` tree, or the one path that stands there.
fn expand(text: &str, front: &[String], out: &mut Vec<Vec<String>>) -> usize {
    let mut path = front.to_vec();
    let mut at = 0;
    loop {
        let rest = &text[at..];
        if rest.starts_with('{') {
            at += 1;
            loop {
                at += text[at..].len() - text[at..].trim_start_matches([',', ' ', '\n']).len();
                if text[at..].starts_with('}') || text[at..].is_empty() {
                    return at + 1;
                }
                let length = expand(&text[at..], &path, out);
                at += length.max(1);
                // What follows an alias does not count.
                let alias = text[at..].strip_prefix(" as ").map_or(0, |rest| {
                    4 + rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
                });
                at += alias;
            }
        }
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if length == 0 {
            out.push(path);
            return at;
        }
        path.push(rest[..length].to_owned());
        at += length;
        if !text[at..].starts_with("::") {
            out.push(path);
            return at;
        }
        at += 2;
    }
}

/// The files that each file imports, by their modules.
fn arrows(files: &[File]) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let modules: BTreeSet<&Vec<String>> = files.iter().map(|file| &file.module).collect();
    let mut arrows = BTreeMap::new();
    for file in files {
        let to = imports(file).into_iter().filter_map(|path| {
            let known = (1..=path.len()).rev().map(|length| path[..length].to_vec());
            known.into_iter().find(|module| modules.contains(module))
        });
        arrows.insert(file.module.clone(), to.filter(|module| *module != file.module).collect());
    }
    arrows
}

#[test]
fn rooms_import_downward_only() {
    let files = files();
    let mut upward = Vec::new();
    let mut seen = 0;
    for (from, targets) in arrows(&files) {
        let Some(height) = floor(room(&from)) else {
            assert!(from.is_empty() || room(&from) == "main", "`{}` stands on no floor", from.join("::"));
            continue;
        };
        for to in targets {
            seen += 1;
            let target = floor(room(&to)).unwrap_or_else(|| panic!("`{}` stands on no floor", to.join("::")));
            if room(&from) != room(&to) && target >= height {
                upward.push(format!("{} -> {}", from.join("::"), to.join("::")));
            }
        }
    }
    assert!(seen > 500, "only {seen} imports were read");
    assert!(upward.is_empty(), "imports that lead upward, or aside:\n{}", upward.join("\n"));
}

#[test]
fn files_import_each_other_in_no_circle() {
    let arrows = arrows(&files());
    // Files whose imports are all gone go, too, until nothing or a circle is left.
    let mut left = arrows.clone();
    loop {
        let done: Vec<Vec<String>> = left
            .iter()
            .filter(|(_, targets)| targets.iter().all(|target| !left.contains_key(target)))
            .map(|(module, _)| module.clone())
            .collect();
        if done.is_empty() {
            break;
        }
        done.iter().for_each(|module| {
            left.remove(module);
        });
    }
    let told = left.iter().map(|(module, targets)| {
        let targets = targets.iter().filter(|target| left.contains_key(*target));
        let targets: Vec<String> = targets.map(|target| target.join("::")).collect();
        format!("{} -> {}", module.join("::"), targets.join(", "))
    });
    assert!(left.is_empty(), "in circles, or above them:\n{}", told.collect::<Vec<_>>().join("\n"));
}

#[test]
fn heavy_crates_stay_behind_their_walls() {
    let mut through = Vec::new();
    for file in files() {
        for (wall, crates) in WALLS {
            if room(&file.module) == wall || (wall == "cli" && room(&file.module) == "main") {
                continue;
            }
            for name in crates {
                let named = file.text.match_indices(&format!("{name}::")).any(|(at, _)| {
                    let line = &file.text[file.text[..at].rfind('\n').map_or(0, |n| n + 1)..at];
                    let before = file.text[..at].chars().next_back();
                    // The command line's names of an enum's values stand at the enum, behind the feature.
                    let behind = line.contains("cfg_attr(feature = \"cli\"");
                    !behind && before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':')
                });
                if named {
                    through.push(format!("{} names `{name}`", file.path.display()));
                }
            }
        }
    }
    assert!(through.is_empty(), "{}", through.join("\n"));
}

/// Names of one type each: what stands twice is read twice.
#[test]
fn one_name_is_one_type() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files() {
        for line in file.text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let at = words.iter().position(|word| ["struct", "enum", "trait", "type"].contains(word));
            let Some(name) = at.filter(|at| *at < 3).and_then(|at| words.get(at + 1)) else { continue };
            let name: String = name.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            // Members of traits are indented.
            if !line.starts_with(' ') && !name.is_empty() {
                places.entry(name).or_default().push(file.module.join("::"));
            }
        }
    }
    assert!(places.len() > 300, "only {} types were found", places.len());
    let twice = places.iter().filter(|(_, places)| places.len() > 1);
    let told: Vec<String> = twice.map(|(name, places)| format!("{name}: {}", places.join(", "))).collect();
    assert!(told.is_empty(), "types of one name:\n{}", told.join("\n"));
}
