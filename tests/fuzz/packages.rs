//! Files of a user: `domain.toml`, a map of columns, and rows.

use std::path::Path;

use racgen::audit::foreign::ColumnMap;
use racgen::data::format::Format;
use racgen::data::read;
use racgen::data::row::Row;
use racgen::data::write::rows::sink;
use racgen::domain::package::Package;

use crate::document::Documents;
use crate::target::fuzz;
use crate::texts::rows;

const TOML: &[&str] = &[
    "[levels]\n",
    "N1 = { blocks = 3 }\n",
    "N9",
    "[2, 5]",
    "[5, 2]",
    "[types.block]\n",
    "id = \"b\"\n",
    "count = \"blocks\"\n",
    "names = [\"red\", \"green\"]\n",
    "names = { prefix = \"r\", from = 1, to = 99 }\n",
    "from = 0",
    "to = 4294967295",
    "[constants]\n",
    "table = \"the table\"\n",
    "statics = [\"on/2\"]\n",
    "title = \"\"\n",
    "=",
    "{",
    "}",
    "[[",
    "\"\"\"",
    "#",
    "n",
    "/-1",
    "é",
];

#[test]
fn packages() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["domain.lp", "world.lp", "questions.lp"] {
        std::fs::copy(Path::new("domains/blocks").join(file), folder.path().join(file)).unwrap();
    }
    std::fs::copy("templates/blocks.toml", folder.path().join("phrases.toml")).unwrap();
    let heads: Vec<String> = std::fs::read_dir("domains")
        .unwrap()
        .filter_map(|entry| std::fs::read_to_string(entry.unwrap().path().join("domain.toml")).ok())
        .collect();
    fuzz(bolero::check!(), "packages", Documents::new(heads, TOML), |text| {
        std::fs::write(folder.path().join("domain.toml"), text).unwrap();
        match Package::load(&folder.path().display().to_string()) {
            Ok(_) => true,
            Err(faults) => {
                assert!(!faults.is_empty() && faults.len() < 20_000, "{} faults", faults.len());
                false
            }
        }
    });
}

#[test]
fn column_maps() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.toml");
    let seeds = ["question = \"prompt\"\nanswer = \"gold\"\n# else\nsplit = 'part'\n"];
    fuzz(bolero::check!(), "column_maps", Documents::new(seeds, TOML), |text| {
        std::fs::write(&path, text).unwrap();
        ColumnMap::read(&path).is_ok()
    });
}

/// A file of one row, its header included.
fn csv(row: &Row) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seed.csv");
    let mut file = sink::open(Format::Csv, &path).unwrap();
    file.write(std::slice::from_ref(row)).unwrap();
    file.finish().unwrap();
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn data_files() {
    let folder = tempfile::tempdir().unwrap();
    let own = rows("blocks", false);
    let json = own.iter().map(|row| serde_json::to_string(row).unwrap() + "\n");
    let seeds = json.chain(own.iter().map(csv)).collect::<Vec<_>>();
    let tokens = &[
        "{", "}", "[", "]", "\"", ":", ",", "null", "true", "1e400", "-1", "\\u0000", "\\ud800", "\n",
        "\"id\":",
    ];
    fuzz(bolero::check!(), "data_files", Documents::new(seeds, tokens), |text| {
        let mut read_any = false;
        for name in ["rows.jsonl", "rows.csv"] {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            let Ok(rows) = read::rows::rows(&path) else { continue };
            read_any |= rows.filter(Result::is_ok).count() > 0;
        }
        read_any
    });
}
