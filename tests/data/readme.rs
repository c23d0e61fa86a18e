//! What the README says is so: it names every option, and its domain works as it stands there.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::CommandFactory;
use racgen::campaign::domains::{Job, run_jobs};
use racgen::campaign::progress::Silent;
use racgen::campaign::run::Output;
use racgen::cli::arguments::Cli;
use racgen::data::format::Format;
use racgen::domain::catalogue::Catalogue;
use racgen::factory::settings::Settings;

const README: &str = include_str!("../../README.md");

/// The long flags of a command and of all below it.
fn flags(command: &clap::Command) -> Vec<String> {
    let own = command.get_arguments().filter_map(|a| a.get_long()).map(|name| format!("--{name}"));
    own.chain(command.get_subcommands().flat_map(flags)).collect()
}

/// The words of the README's tables, as `--level` or `racgen`.
fn table_words() -> Vec<Vec<&'static str>> {
    let rows = README.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| line.split([' ', '`', ',', ';']).filter(|word| !word.is_empty()).collect()).collect()
}

#[test]
fn every_option_and_command_is_in_the_tables() {
    let command = Cli::command();
    let rows = table_words();
    let known = flags(&command);
    let missing: Vec<&String> =
        known.iter().filter(|flag| !rows.iter().any(|row| row.contains(&flag.as_str()))).collect();
    assert!(missing.is_empty(), "no table of README.md has {missing:?}");
    for sub in command.get_subcommands() {
        let words = ["|", "racgen", sub.get_name()];
        assert!(rows.iter().any(|row| row.starts_with(&words)), "no table of README.md has {words:?}");
    }
    for flag in rows.iter().flatten().filter(|word| word.starts_with("--") && word.len() > 3) {
        assert!(known.iter().any(|k| k == flag), "README.md tells of {flag}, which racgen does not know");
    }
}

/// The files shown in the README: a line that is a path in backquotes, and the block after it.
fn files() -> BTreeMap<&'static str, String> {
    let mut files = BTreeMap::new();
    let mut lines = README.lines();
    while let Some(line) = lines.next() {
        let path = line.strip_prefix('`').and_then(|rest| rest.strip_suffix("`:"));
        let Some(path) = path.filter(|path| path.starts_with("coins/")) else { continue };
        let block: Vec<&str> = lines
            .by_ref()
            .skip_while(|line| !line.starts_with("```"))
            .skip(1)
            .take_while(|line| *line != "```")
            .collect();
        files.insert(path, block.join("\n") + "\n");
    }
    files
}

#[test]
fn the_domain_shown_makes_data() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let files = files();
    let names: Vec<&str> = files.keys().copied().collect();
    let parts = ["domain.lp", "domain.toml", "phrases.toml", "questions.lp", "world.lp"];
    assert_eq!(names, parts.map(|part| format!("coins/{part}")));
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        std::fs::write(path, text)?;
    }

    let catalogue = Catalogue::find(&[folder.path().to_owned()])?;
    let package = catalogue.load("coins").unwrap_or_else(|faults| panic!("{faults:?}"));
    assert_eq!(package.title, "Coins in boxes");
    let settings = Settings { levels: vec![1, 2], depths: vec![2], items: 200, ..Settings::default() };
    let jobs = [Job { name: "coins".into(), domain: "coins".into(), settings }];
    let out = folder.path().join("out");
    let output = Output { formats: vec![Format::Jsonl], threads: 2, ..Output::into(&out) };
    let stop = AtomicBool::new(false);
    let limit = Duration::from_secs(20);
    let summary = run_jobs(&catalogue, &jobs, limit, &output, "racgen", &Silent, &stop)?;
    assert!(summary.finished.complete);
    assert_eq!(summary.finished.tally.cells.values().map(|cell| cell.items).sum::<u64>(), 200);
    for (kind, family) in
        [("verify", "in"), ("verify", "executable"), ("other", "which_in"), ("count", "empty_boxes")]
    {
        let some = summary
            .finished
            .tally
            .cells
            .keys()
            .any(|key| &*key.question_type == kind && &*key.family == family);
        assert!(some, "no {kind} question of the family {family}");
    }
    Ok(())
}
