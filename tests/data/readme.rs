//! What the papers say is so: they name every command and option and no other, what they show is understood, their links
//! and paths lead somewhere, and their domain works as it stands there.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{CommandFactory, Parser};
use racgen::campaign::run::{Config, Origin, Output, run};
use racgen::cli::args::arguments::Cli;
use racgen::data::format::Format;
use racgen::domain::catalogue::Catalogue;
use racgen::factory::settings::Settings;
use racgen::factory::source::Factory;
use racgen::items::progress::Silent;

/// A text in Markdown.
pub struct Paper {
    pub name: String,
    pub text: String,
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The papers for users.
pub fn papers() -> Vec<Paper> {
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().file_name());
    let docs =
        docs.map(|name| format!("docs/{}", name.to_string_lossy())).filter(|name| name.ends_with(".md"));
    let mut names: Vec<String> = docs.collect();
    names.extend(["README.md", "domains/README.md", "games/README.md"].map(str::to_owned));
    names.sort();
    names.iter().map(|name| Paper::read(name)).collect()
}

/// The papers for whoever changes racgen.
fn papers_of_makers() -> Vec<Paper> {
    let names = [
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "crates/data/README.md",
        "crates/logic/README.md",
    ];
    names.map(Paper::read).into()
}

impl Paper {
    fn read(name: &str) -> Paper {
        let text = fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        Paper { name: name.to_owned(), text }
    }

    /// The blocks of code in a language.
    fn blocks(&self, language: &str) -> Vec<String> {
        let fence = format!("```{language}");
        let mut lines = self.text.lines();
        let mut blocks = Vec::new();
        while lines.by_ref().any(|line| line == fence) {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push(block.join("\n") + "\n");
        }
        blocks
    }

    /// The lines that are no code.
    fn prose(&self) -> impl Iterator<Item = &str> {
        let mut code = false;
        self.text.lines().filter(move |line| {
            let fence = line.starts_with("```");
            code ^= fence;
            !code && !fence
        })
    }

    /// The commands shown, one a line, without what is said of them behind `#`.
    pub fn shown(&self) -> Vec<String> {
        let blocks = self.blocks("sh");
        let lines = blocks.iter().flat_map(|block| block.lines());
        let commands = lines.map(|line| line.split(" #").next().unwrap_or_default().trim().to_owned());
        commands.filter(|command| !command.is_empty()).collect()
    }

    /// Where its links lead, but for those that leave the repository.
    fn links(&self) -> Vec<&str> {
        let targets = self.text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        targets.filter(|target| !target.starts_with("http")).collect()
    }
}

/// What stands in backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The first cell of a table's row.
fn first_cell(row: &str) -> &str {
    row.split('|').nth(1).unwrap_or_default()
}

/// All commands, by their words, as `games items`; without a command it is `racgen`.
fn commands() -> BTreeMap<String, clap::Command> {
    let mut all = BTreeMap::from([("racgen".to_owned(), Cli::command())]);
    let mut open = vec![(String::new(), Cli::command())];
    while let Some((above, command)) = open.pop() {
        for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
            let name = format!("{above} {}", sub.get_name()).trim().to_owned();
            all.insert(name.clone(), sub.clone());
            open.push((name, sub.clone()));
        }
    }
    all
}

/// The options of a command, `--out` and `-o`.
fn options(command: &clap::Command) -> BTreeSet<String> {
    let long =
        command.get_arguments().filter_map(|argument| argument.get_long()).map(|name| format!("--{name}"));
    let short =
        command.get_arguments().filter_map(|argument| argument.get_short()).map(|name| format!("-{name}"));
    long.chain(short).collect()
}

/// A table of options: its commands, and the options it tells of.
struct OptionTable {
    paper: String,
    commands: Vec<String>,
    options: BTreeSet<String>,
}

fn option_tables(paper: &Paper) -> Vec<OptionTable> {
    let mut tables = Vec::new();
    let mut lines = paper.text.lines();
    while let Some(head) = lines.by_ref().find(|line| line.starts_with("| option of ")) {
        // The line below the head is a rule.
        let rows = lines.by_ref().skip(1).take_while(|line| line.starts_with('|'));
        let words = rows.flat_map(|row| quoted(first_cell(row))).filter_map(|span| span.split(' ').next());
        let options: BTreeSet<String> = words.map(str::to_owned).collect();
        let commands = quoted(first_cell(head)).map(str::to_owned).collect();
        tables.push(OptionTable { paper: paper.name.clone(), commands, options });
    }
    tables
}

#[test]
fn the_tables_have_the_options_of_each_command_and_no_other() {
    let commands = commands();
    let tables: Vec<OptionTable> = papers().iter().flat_map(option_tables).collect();
    let mut faults = Vec::new();
    for table in &tables {
        for name in &table.commands {
            let Some(command) = commands.get(name) else {
                faults.push(format!("{}: racgen has no command `{name}`", table.paper));
                continue;
            };
            let known = options(command);
            let unknown = table.options.iter().filter(|option| !known.contains(*option));
            faults.extend(unknown.map(|option| format!("{}: `{name}` has no option {option}", table.paper)));
        }
    }
    for (name, command) in &commands {
        let own = tables.iter().filter(|table| table.commands.contains(name));
        let told: BTreeSet<&String> = own.flat_map(|table| &table.options).collect();
        let known = options(command);
        let missing = known.iter().filter(|option| option.starts_with("--") && !told.contains(option));
        faults.extend(missing.map(|option| format!("no table tells of {option} of `{name}`")));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_texts_name_no_option_that_is_none() {
    let known: BTreeSet<String> = commands().values().flat_map(options).collect();
    for paper in papers() {
        for span in paper.prose().flat_map(quoted).filter(|span| span.starts_with("--") && span.len() > 2) {
            let option = span.split([' ', '=']).next().unwrap_or_default();
            assert!(known.contains(option), "{} tells of {option}, which racgen does not know", paper.name);
        }
    }
}

#[test]
fn the_tables_have_every_command_and_no_other() {
    let commands = commands();
    let mut told = BTreeSet::from(["racgen".to_owned()]);
    for paper in papers() {
        for row in paper.prose().filter(|line| line.starts_with("| `racgen ")) {
            for span in quoted(first_cell(row)) {
                let words: Vec<&str> = span.split_whitespace().skip(1).collect();
                let mut names = (1..=words.len()).rev().map(|length| words[..length].join(" "));
                let known = names.find(|name| commands.contains_key(name));
                told.insert(known.unwrap_or_else(|| panic!("{}: `{span}` is no command", paper.name)));
            }
        }
    }
    let missing: Vec<&String> = commands.keys().filter(|name| !told.contains(*name)).collect();
    assert!(missing.is_empty(), "no table tells of the commands {missing:?}");
}

/// What is wrong with a command as it is shown.
fn misunderstood(command: &str, makefile: &str) -> Option<String> {
    let words: Vec<&str> = command.split_whitespace().collect();
    match words.as_slice() {
        ["racgen", ..] => match Cli::try_parse_from(&words) {
            Ok(cli) if cli.command.is_none() => {
                cli.generate.options.settings().err().map(|exit| exit.to_string())
            }
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        },
        ["make", target, ..] => {
            let target = format!("{target}:");
            let known = makefile.lines().any(|line| line.starts_with(&target));
            (!known).then(|| format!("the Makefile has no {target}"))
        }
        _ => None,
    }
}

#[test]
fn the_commands_shown_are_understood() {
    let makefile = fs::read_to_string(root().join("Makefile")).unwrap();
    let (mut shown, mut faults) = (0, Vec::new());
    for paper in papers().into_iter().chain(papers_of_makers()) {
        for command in paper.shown() {
            shown += usize::from(command.starts_with("racgen "));
            let fault = misunderstood(&command, &makefile);
            faults.extend(fault.map(|fault| format!("{}: `{command}`: {fault}", paper.name)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(shown > 20, "the papers show {shown} commands only");
    assert!(misunderstood("racgen --domain dwr --levle 1", &makefile).is_some());
    assert!(misunderstood("racgen --domain dwr --level 9", &makefile).is_some());
    assert!(misunderstood("make nothing", &makefile).is_some());
}

#[test]
fn every_target_of_make_is_told() {
    let makefile = fs::read_to_string(root().join("Makefile")).unwrap();
    let told = Paper::read("CONTRIBUTING.md").text;
    let targets = makefile.lines().filter_map(|line| line.split_once(": ")).map(|(target, _)| target);
    for target in targets.filter(|t| {
        !t.starts_with('.') && *t != "help" && t.chars().all(|c| c.is_ascii_lowercase() || c == '-')
    }) {
        assert!(
            told.contains(&format!("| `make {target}` |")),
            "CONTRIBUTING.md does not tell of `make {target}`"
        );
    }
}

/// A heading as links name it.
fn anchor(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut faults = Vec::new();
    for paper in papers().into_iter().chain(papers_of_makers()) {
        let place = root().join(&paper.name);
        for target in paper.links() {
            let (path, heading) = target.split_once('#').unwrap_or((target, ""));
            let file: PathBuf = if path.is_empty() { place.clone() } else { place.with_file_name(path) };
            let found = match fs::read_to_string(&file) {
                Ok(text) => {
                    let mut headings = text.lines().filter(|line| line.starts_with('#')).map(anchor);
                    heading.is_empty() || headings.any(|known| known == heading)
                }
                Err(_) => false,
            };
            if !found {
                faults.push(format!("{}: the link to {target} leads nowhere", paper.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_files_and_folders_named_are_there() {
    let folders = [
        "asp/",
        "crates/",
        "docs/",
        "domains/",
        "examples/",
        "games/",
        "scripts/",
        "src/",
        "templates/",
        "tests/",
    ];
    let mut faults = Vec::new();
    for name in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"] {
        let paper = Paper::read(name);
        let paths = paper.prose().flat_map(quoted).filter(|span| folders.iter().any(|f| span.starts_with(f)));
        // Capitals stand for any name, and a space for a command.
        let paths = paths.filter(|path| !["NAME", "GAME", "JOB", " "].iter().any(|part| path.contains(part)));
        let missing = paths.filter(|path| !root().join(path).exists());
        faults.extend(missing.map(|path| format!("{name} tells of `{path}`, which is not there")));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_campaign_file_shown_is_one() -> Result<(), Box<dyn Error>> {
    let blocks: Vec<String> = papers().iter().flat_map(|paper| paper.blocks("toml")).collect();
    let text = blocks.iter().find(|block| block.contains("[config.")).ok_or("no campaign file is shown")?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("campaign.toml");
    fs::write(&file, text)?;
    let path = file.to_string_lossy();
    let cli = Cli::try_parse_from(["racgen", "--config", &*path])?;
    let resolved = cli.generate.resolve(&Catalogue::find(&[])?).map_err(|exit| exit.to_string())?;
    assert_eq!(resolved.output.out, Path::new("data/depths"));
    let jobs: Vec<(&str, &[i32], &[i32], u64)> = resolved
        .jobs
        .iter()
        .map(|job| (&*job.name, &job.members[0].settings))
        .map(|(name, settings)| (name, &*settings.levels, &*settings.depths, settings.items))
        .collect();
    let expected: [(&str, &[i32], &[i32], u64); 2] =
        [("long", &[3], &[4, 5], 5000), ("short", &[1], &[1, 2], 5000)];
    assert_eq!(jobs, expected);
    Ok(())
}

/// The files of the domain shown: a line that is a path in backquotes, and the block after it.
pub fn files_shown(text: &str) -> BTreeMap<&str, String> {
    let mut files = BTreeMap::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let path = line.strip_prefix('`').and_then(|rest| rest.strip_suffix("`:"));
        let Some(path) = path.filter(|path| path.starts_with("coins/") || path.starts_with("ferry/")) else {
            continue;
        };
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
fn the_domain_shown_makes_data() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let paper = Paper::read("docs/add-a-domain.md");
    let files = files_shown(&paper.text);
    let names: Vec<&str> = files.keys().copied().collect();
    let parts = ["domain.lp", "domain.toml", "phrases.toml", "questions.lp", "world.lp"];
    assert_eq!(names, parts.map(|part| format!("coins/{part}")));
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        fs::write(path, text)?;
    }

    let catalogue = Catalogue::find(&[folder.path().to_owned()])?;
    let package = catalogue.load("coins").unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(package.title, "Coins in boxes");
    let mut asked: BTreeSet<(String, String)> = BTreeSet::new();
    // Its worlds are so small that it depends on those that are drawn whether the answers of a family are spread enough.
    for seed in 0..3 {
        let settings =
            Settings { levels: vec![1, 2], depths: vec![2], items: 1000, seed, ..Settings::default() };
        let factory = Factory::new(package.clone(), settings, Duration::from_secs(20));
        let config = Config { name: "coins".into(), source: &factory };
        let output = Output {
            formats: vec![Format::Jsonl],
            rows_per_file: 1000,
            threads: 2,
            ..Output::into(&folder.path().join(format!("out-{seed}")))
        };
        let summary = run(&[config], &output, &Origin::default(), &Silent, &AtomicBool::new(false))?;
        assert!(summary.finished.complete);
        let cells = &summary.finished.tally.cells;
        assert_eq!(cells.values().map(|cell| cell.items).sum::<u64>(), 1000);
        asked.extend(cells.keys().map(|key| (key.question_type.to_string(), key.family.to_string())));
    }
    for (kind, family) in
        [("verify", "in"), ("verify", "executable"), ("other", "which_in"), ("count", "empty_boxes")]
    {
        let some = asked.contains(&(kind.to_owned(), family.to_owned()));
        assert!(some, "no {kind} question of the family {family}");
    }
    Ok(())
}
