//! A data set to files in the forms that training tools take as they are.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::columns::image_of;
use crate::error::DataError;
use crate::format::{Format, shard_path};
use crate::papers::arrow_size::record_size;
use crate::papers::front_matter::{CardConfig, counts, front_matter, style_columns};
use crate::papers::manifest::FileEntry;
use crate::read::rows::rows;
use crate::row::Row;
use crate::training::exported::{prune, record, take};
use crate::training::file_names;
use crate::training::style::Style;
use crate::write::records::RecordFile;
use crate::write::text::replace;

/// Writes items in each of the forms, `OUT/CONFIG/data/SPLIT-00000-of-00001.FORMAT`, where the configuration is called
/// as the style, or as `prefix` and the style. Files that are complete get their names when all are. With pictures, which only
/// Parquet can hold as training tools take them, records have those, too.
///
/// # Errors
/// Items that cannot be read, with file and row; files that are there already.
pub fn write_styles(
    data: impl Iterator<Item = Result<Row, DataError>>,
    out: &Path,
    wanted: &[Style],
    prefix: Option<&str>,
    (format, pictured): (Format, bool),
) -> Result<Styled, DataError> {
    let name = |style: Style| match prefix {
        Some(prefix) => format!("{prefix}_{}", style.name()),
        None => style.name().to_owned(),
    };
    let mut wanted = wanted.to_vec();
    wanted.sort();
    wanted.dedup();
    // Splits stay in the order of the data.
    let mut open: BTreeMap<Style, Vec<(String, PathBuf, RecordFile)>> = BTreeMap::new();
    let mut styled = Styled::default();
    let mut memory: BTreeMap<String, u64> = BTreeMap::new();
    for row in data {
        let row = row?;
        file_names::check(&row)?;
        styled.items += 1;
        for style in &wanted {
            let Some(record) = style.record(&row, pictured) else { continue };
            let files = open.entry(*style).or_default();
            let place = match files.iter().position(|(split, ..)| **split == *row.split) {
                Some(place) => place,
                None => {
                    let path = out.join(shard_path(Some(&name(*style)), &row.split, 0, 1, format));
                    let columns = style.columns(pictured).map(|column| (column.name, column.cells)).collect();
                    let file = RecordFile::create(&path, format, columns)?;
                    files.push((row.split.to_string(), path, file));
                    files.len() - 1
                }
            };
            let (split, path, file) = &mut files[place];
            *memory.entry(format!("{}/{split}", style.name())).or_default() += record_size(&record);
            file.add(record, path)?;
        }
    }
    for (style, files) in open {
        let mut entries = Vec::new();
        let mut sizes = BTreeMap::new();
        for (split, path, file) in files {
            let entry = FileEntry::of_items(out, &split, format, &file.finish(&path)?);
            let size = memory.get(&format!("{}/{split}", style.name())).copied().unwrap_or(0);
            sizes.insert(entry.path.clone(), size);
            entries.push(entry);
        }
        let config = CardConfig::of_style(&name(style), style, pictured, &entries);
        styled.configs.push(config.with_memory(&sizes));
        styled.files.extend(entries);
    }
    Ok(styled)
}

/// What was written in other forms.
#[derive(Clone, Debug, Default)]
pub struct Styled {
    /// How many items were read.
    pub items: u64,
    /// The files.
    pub files: Vec<FileEntry>,
    /// The configurations, one a form.
    pub configs: Vec<CardConfig>,
}

/// Writes a folder in which each style is a configuration of its own, with a card that names them all. With `force`, forms
/// of an earlier call are replaced.
///
/// # Errors
/// Data that cannot be read, with file and row; a folder that is taken.
pub fn styles(data: &Path, out: &Path, wanted: &[Style], force: bool) -> Result<u64, DataError> {
    let pictured = has_images(data)?;
    let format = if pictured { Format::Parquet } else { Format::Jsonl };
    let rows = rows(data)?;
    take(out, force)?;
    let styled = write_styles(rows, out, wanted, None, (format, pictured)).inspect_err(|_| prune(out))?;
    let licence = licence(data).unwrap_or_else(|| "unknown".into());
    let mut card = String::new();
    // Writing to a string does not fail.
    let _ = front_matter(
        &mut card,
        "Reasoning about actions, in the forms of training tools",
        &licence,
        &styled.configs,
    );
    card += "# Items in the forms that training tools take\n\n";
    let _ = counts(&mut card, &styled.configs);
    card += "\n## Columns\n\n";
    let _ = style_columns(&mut card, &styled.configs);
    let _ = write!(
        card,
        "\n## How it was made\n\nracgen {} exported the items of another data set, whose card and manifest tell how \
         they came to be; `id` finds an item there.\n\n## Limits\n\n- `boolq` holds yes/no questions only.\n- What \
         applies to that data set applies here.\n\n## Licence\n\nThat of the data set: `{licence}`.\n",
        env!("CARGO_PKG_VERSION")
    );
    let card = replace(&out.join("README.md"), &card)?;
    record(out, "forms", styled.files.into_iter().chain([FileEntry::new(out, &card)]).collect())?;
    Ok(styled.items)
}

/// Has any item a picture?
fn has_images(data: &Path) -> Result<bool, DataError> {
    for row in rows(data)? {
        if !image_of(&row?).is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The licence that the card of a data set names.
fn licence(data: &Path) -> Option<String> {
    let folder = if data.is_dir() { data } else { data.parent()? };
    let card = [folder, folder.parent().unwrap_or(folder)];
    let text = card.iter().find_map(|f| std::fs::read_to_string(f.join("README.md")).ok())?;
    let line = text.lines().find_map(|line| line.strip_prefix("license:"))?;
    Some(line.trim().trim_matches('"').to_owned())
}
