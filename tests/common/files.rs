//! What lies in a folder, hidden files included.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// All files below a folder that exists, by their paths from there.
pub fn paths(folder: &Path) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
                found.insert(name, path);
            }
        }
    }
    found
}

/// All files below a folder that exists, with their bytes.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    paths(folder).into_iter().map(|(name, path)| (name, fs::read(path).unwrap())).collect()
}

/// Copies all files below a folder into another, over those that are there.
pub fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    for (name, path) in paths(from) {
        let target = to.join(name);
        fs::create_dir_all(target.parent().unwrap_or(to))?;
        fs::copy(path, target)?;
    }
    Ok(())
}
