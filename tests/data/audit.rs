//! Promise: `racgen audit` reads every item back from its text, and catches whatever is wrong with one.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use racgen::audit::attacks::item::{AuditItem, Interner};
use racgen::audit::attacks::thresholds::Thresholds;
use racgen::audit::attacks::{leaks, shortcuts};
use racgen::audit::reread::judge::Reread;
use racgen::audit::reread::verdict::{Trouble, Verdict};
use racgen::data::row::Row;
use racgen::domain::catalogue::Catalogue;
use racgen::domain::package::Package;
use racgen::factory::settings::Settings;
use racgen::factory::source::Factory;
use racgen::items::clock::Clock;
use racgen::items::source::{GROUP_SIZE, Split};
use racgen::language::read::parser::Inverse;

use crate::wrong::another_answer;

const LIMIT: Duration = Duration::from_secs(60);
const DOMAINS: [&str; 5] = ["blocks", "blocks_hand", "dwr", "generic", "logistics"];

fn settings(levels: &[i32], depths: &[i32], items: u64) -> Settings {
    Settings { levels: levels.to_vec(), depths: depths.to_vec(), items, ..Settings::default() }
}

/// One split, where splits do not matter: each of them begins groups of its own.
fn one() -> Vec<Split> {
    vec![Split { name: "train".into(), weight: 1.0 }]
}

/// Rows of a domain, of all splits.
fn rows(domain: &str, settings: Settings) -> Vec<Row> {
    let factory = Factory::new(Package::load(domain).unwrap(), settings, LIMIT);
    let mut rows = Vec::new();
    for split in 0..factory.splits().len() {
        for (stream, count) in factory.streams(split) {
            for group in 0..count.div_ceil(GROUP_SIZE) {
                let items = factory.group(stream, group, count, &Clock::default()).unwrap();
                rows.extend(items.into_iter().map(|item| item.row));
            }
        }
    }
    rows
}

fn judge(rows: &[Row]) -> Vec<Verdict> {
    let catalogue = Catalogue::find(&[]).unwrap();
    Reread::new(&catalogue, LIMIT).judge(rows, &|_| ())
}

fn assert_sound(rows: &[Row]) {
    for (row, verdict) in rows.iter().zip(judge(rows)) {
        let texts = [&*row.initial_state, &row.actions, &row.question, &row.answer];
        let sound = verdict.unwrap_or_else(|f| panic!("{}: {f:?}\n{}", row.domain, texts.join("\n")));
        if !row.template.contains("generic.") {
            assert_eq!(*sound.world, *row.world);
        }
    }
}

/// Each change is found with one of the troubles, whatever the item.
fn assert_caught(changed: &[Row], troubles: &[Trouble]) {
    assert!(changed.len() >= 100, "only {} changes", changed.len());
    for (row, verdict) in changed.iter().zip(judge(changed)) {
        let text = format!("{}\n{}\n{} {}", row.initial_state, row.actions, row.question, row.answer);
        match verdict {
            Ok(_) => panic!("not caught: {text}"),
            Err(found) => assert!(troubles.contains(&found.trouble), "{found:?}: {text}"),
        }
    }
}

/// The context that the paragraphs make.
fn recontext(row: &mut Row) {
    row.context = [&*row.initial_state, &row.rules, &row.actions].join("\n\n").into();
}

#[test]
fn reads_back_every_domain() {
    for domain in DOMAINS {
        assert_sound(&rows(domain, Settings { splits: one(), ..settings(&[1, 3], &[1, 3], 200) }));
    }
}

#[test]
fn reads_back_the_generic_vocabulary() {
    for domain in DOMAINS {
        let settings = Settings { as_generic: true, splits: one(), ..settings(&[1, 2], &[2], 80) };
        assert_sound(&rows(domain, settings));
    }
}

#[test]
fn built_in_phrasings_can_be_told_apart() {
    for domain in DOMAINS {
        let (_, faults) = Inverse::new(&Package::load(domain).unwrap());
        let told: Vec<String> = faults.iter().map(|fault| fault.to_string()).collect();
        assert!(told.is_empty(), "{}", told.join("\n"));
    }
}

#[test]
fn flipped_answers_are_caught() {
    let mut changed = Vec::new();
    for domain in ["blocks", "dwr"] {
        for mut row in rows(domain, settings(&[2], &[2], 60)) {
            row.answer = another_answer(&row);
            // Those who change answers know the other columns, too.
            row.gold = vec![row.answer.clone()];
            changed.push(row);
        }
    }
    assert_caught(&changed, &[Trouble::WrongAnswer]);
}

/// The sentences of a story, one for each action.
fn sentences(row: &Row) -> Vec<String> {
    let mut found: Vec<String> =
        row.actions.split(". ").map(|s| s.trim_end_matches('.').to_owned() + ".").collect();
    found.truncate(row.plan.len());
    found
}

#[test]
fn swapped_plan_orders_are_caught() {
    let mut changed = Vec::new();
    for domain in ["blocks", "logistics"] {
        for mut row in rows(domain, settings(&[2], &[3], 80)) {
            let mut told = sentences(&row);
            if told.len() == 3 && row.plan[0] != row.plan[2] {
                told.swap(0, 2);
                row.actions = told.join(" ").into();
                recontext(&mut row);
                changed.push(row);
            }
        }
    }
    assert_caught(&changed, &[Trouble::Columns, Trouble::Impossible]);
}

#[test]
fn shuffled_facts_are_caught() {
    let mut changed = Vec::new();
    for domain in ["blocks", "dwr"] {
        for mut row in rows(domain, settings(&[2], &[1], 100)) {
            // Two objects of one type trade places in what is told of the initial state, but for the list of them.
            let [.., a, b] = &row.objects[..] else { continue };
            let (a, b) = (a.clone(), b.clone());
            assert_eq!(a.kind, b.kind);
            let (list, told) = row.initial_state.split_once(&format!("{}.", b.name)).unwrap();
            let told = told.replace(&*a.name, "#").replace(&*b.name, &a.name).replace('#', &b.name);
            row.initial_state = format!("{list}{}.{told}", b.name).into();
            let id = |text: &String| text.replace(&*a.id, "#").replace(&*b.id, &a.id).replace('#', &b.id);
            let mut facts: Vec<String> = row.facts.iter().map(id).collect();
            facts.sort();
            let mut known = row.facts.to_vec();
            known.sort();
            recontext(&mut row);
            if facts != known {
                changed.push(row);
            }
        }
    }
    assert_caught(&changed, &[Trouble::Columns, Trouble::Impossible]);
}

#[test]
fn words_that_no_phrasing_has_are_caught() {
    let mut changed = rows("blocks", settings(&[1], &[1], 100));
    for (number, row) in changed.iter_mut().enumerate() {
        match number % 3 {
            0 => row.question = row.question.replace("block", "brick").replace('?', " now?"),
            1 => row.initial_state = format!("It is raining. {}", row.initial_state).into(),
            _ => row.actions = row.actions.replace('.', " gently.").into(),
        }
        recontext(row);
    }
    assert_caught(&changed, &[Trouble::Unreadable]);
}

#[test]
fn rules_that_say_something_else_are_caught() {
    let mut changed = rows("generic", settings(&[1, 2], &[1], 110));
    changed.retain_mut(|row| {
        let mut fluents = row.objects.iter().filter(|o| &*o.kind == "fluent");
        let (a, b) = (fluents.next().unwrap().name.clone(), fluents.next().unwrap().name.clone());
        let rules = row.rules.replace(&*a, "#").replace(&*b, &a).replace('#', &b);
        // Unless the two fluents play the same part.
        let sorted = |text: &str| {
            let mut all: Vec<String> = text.split(". ").map(str::to_owned).collect();
            all.sort();
            all
        };
        let differs = sorted(&rules) != sorted(&row.rules);
        row.rules = rules.into();
        recontext(row);
        differs
    });
    assert_caught(&changed, &[Trouble::Columns]);
}

/// Items as an audit keeps them, with the keys that reading back gives.
fn items(rows: &[Row], texts: &mut Interner) -> Vec<AuditItem> {
    rows.iter().map(|row| AuditItem::new(row, texts)).collect()
}

/// One story each, so that a family has as many items as are wanted.
fn of_family(family: &str, rows: &[Row]) -> Vec<Row> {
    rows.iter().filter(|row| &*row.family == family).cloned().collect()
}

fn measures(rows: &[Row]) -> Vec<&'static str> {
    let mut texts = Interner::default();
    let items = items(rows, &mut texts);
    let found = shortcuts::measure(&items, &texts, &Thresholds::default());
    found.deviations.iter().map(|d| d.measure).collect()
}

/// A leak by words, and by length.
const LEAK: &str = "Well, now that all of it has been told, from the first thing to the very last, and every single\
                    one of the steps has been taken as it was said, here is what is to be asked: ";

#[test]
fn shortcuts_are_caught_in_every_family() {
    let settings = Settings { mix: [1, 0, 0], ..settings(&[1], &[2], 6000) };
    let all = rows("dwr", settings);
    let mut families: BTreeMap<&str, usize> = BTreeMap::new();
    for row in all.iter().filter(|row| &*row.split == "train") {
        *families.entry(&row.family).or_default() += 1;
    }
    families.retain(|_, count| *count >= 60);
    assert!(families.len() >= 10, "{families:?}");
    assert_eq!(measures(&all), [""; 0], "before any change");
    for family in families.keys() {
        let own = of_family(family, &all);
        let yes = |row: &Row| row.answer == "yes";
        let one_sided: Vec<Row> = own.iter().filter(|row| yes(row)).cloned().collect();
        assert!(measures(&one_sided).contains(&"balance"), "one-sided {family}");
        let mut leaking = own.clone();
        leaking
            .iter_mut()
            .filter(|row| yes(row))
            .for_each(|row| row.question = format!("{LEAK}{}", row.question));
        let found = measures(&leaking);
        assert!(
            found.contains(&"question_only") && found.contains(&"length_auc"),
            "leak in {family}: {found:?}"
        );
        let mut phrased = own.clone();
        for row in &mut phrased {
            let (form, _) = row.template.rsplit_once('.').unwrap();
            row.template = format!("{form}.{}", if yes(row) { 1 } else { 2 });
        }
        let found = measures(&phrased);
        assert!(
            found.contains(&"template_label") || found.contains(&"context_blind"),
            "phrasing in {family}"
        );
    }
}

#[test]
fn a_world_that_was_copied_to_another_split_is_caught() {
    let all = rows("dwr", settings(&[3], &[1], 300));
    let mut copies = Vec::new();
    for row in all.iter().filter(|row| &*row.split == "train").take(100) {
        // The copy has other names, so that nothing but its structure gives it away.
        let mut copy = row.clone();
        copy.split = "test".into();
        copy.id = format!("copy of {}", row.id);
        for (number, object) in Arc::make_mut(&mut copy.objects).iter_mut().enumerate() {
            let name = format!("thing{number}x");
            let renamed =
                |text: &str| text.replace(&*object.name, &name).replace(&capital(&object.name), &name);
            for text in [&mut copy.initial_state, &mut copy.actions] {
                *text = renamed(text).into();
            }
            for text in [&mut copy.question, &mut copy.answer] {
                *text = renamed(text);
            }
            object.name = name.into();
        }
        recontext(&mut copy);
        copies.push(copy);
    }
    assert_eq!(copies.len(), 100);
    let keys: Vec<String> =
        judge(&copies).into_iter().map(|verdict| verdict.unwrap().world.to_string()).collect();
    let mut texts = Interner::default();
    let own = items(&all, &mut texts);
    let promises = BTreeMap::new();
    let shared = |items: &[AuditItem], texts: &Interner| {
        let leaks = leaks::within(items, texts, &promises);
        leaks.iter().filter(|leak| leak.kind == "shared worlds").count()
    };
    assert_eq!(shared(&own, &texts), 0);
    for (copy, key) in copies.iter().zip(&keys) {
        let mut with_copy = own.clone();
        with_copy.push(AuditItem::new(copy, &mut texts));
        with_copy.last_mut().unwrap().world = texts.number(key);
        assert_eq!(shared(&with_copy, &texts), 1, "{}", copy.initial_state);
    }
}

fn capital(text: &str) -> String {
    let (first, rest) = text.split_at(1);
    first.to_uppercase() + rest
}

fn write(path: &Path, rows: &[Row]) {
    let lines: Vec<String> = rows.iter().map(|row| serde_json::to_string(row).unwrap()).collect();
    fs::write(path, lines.join("\n")).unwrap();
}

fn racgen(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_racgen")).args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_command_tells_sound_data_from_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let make =
        ["-d", "blocks", "-n", "300", "--depth", "2", "--out", "good", "--format", "parquet,csv", "-q"];
    assert_eq!(racgen(&make, path).0, 0);
    let (code, out, error) = racgen(&["audit", "good"], path);
    assert_eq!(code, 0, "{out}{error}");
    assert!(out.starts_with("No fault was found in 300 items."), "{out}");
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(path.join("good/audit.json")).unwrap()).unwrap();
    assert_eq!((&json["pass"], &json["reading"]["read"]), (&true.into(), &300.into()));
    let page = fs::read_to_string(path.join("good/audit.html")).unwrap();
    assert!(page.contains("<h1>Passed</h1>") && !page.contains("http"));

    let mut rows: Vec<Row> =
        racgen::data::read::rows::rows(&path.join("good")).unwrap().collect::<Result<_, _>>().unwrap();
    rows[7].answer = if rows[7].answer == "yes" { "no".into() } else { "yes".into() };
    fs::create_dir(path.join("bad")).unwrap();
    write(&path.join("bad/train.jsonl"), &rows);
    let (code, out, error) = racgen(&["audit", "bad", "--against", "good"], path);
    assert_eq!(code, 1, "{out}");
    assert!(
        error.contains("Faults were found in 300 items: text, shared worlds (other data set)"),
        "{error}"
    );
    assert!(fs::read_to_string(path.join("bad/audit.html")).unwrap().contains(&rows[7].id));

    let (code, _, error) = racgen(&["audit", "good", "--threshold", "balanced=1"], path);
    assert!(code == 2 && error.contains("`balanced` is none of sigma, least"), "{error}");
    let (code, _, error) = racgen(&["audit", "nothing"], path);
    assert!(code == 1 && error.contains("`nothing`"), "{error}");
    let bytes = fs::read(path.join("good/data/train-00000-of-00001.parquet")).unwrap();
    fs::write(path.join("cut.parquet"), &bytes[..bytes.len() / 2]).unwrap();
    let (code, _, error) = racgen(&["audit", "cut.parquet", "--out", "other"], path);
    assert!(code == 1 && error.contains("cut.parquet"), "{error}");
    assert!(!path.join("other").exists());
}

#[test]
fn other_peoples_data_are_audited_by_a_map_of_their_columns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let mut lines = vec!["passage,query,label".to_owned()];
    for number in 0..200 {
        let (word, label) = if number % 2 == 0 { ("surely", "True") } else { ("perhaps", "False") };
        lines.push(format!("Story {number} is told.,Is it {word} so in case {}?,{label}", number % 7));
    }
    fs::write(path.join("train.csv"), lines.join("\n")).unwrap();
    fs::write(path.join("map.toml"), "question = \"query\"\nanswer = \"label\"\ncontext = \"passage\"\n")
        .unwrap();
    let (code, out, error) = racgen(&["audit", "train.csv", "--format-map", "map.toml"], path);
    assert_eq!(code, 1, "{out}");
    assert!(error.contains("question_only") && !error.contains("text"), "{error}");
    fs::write(path.join("map.toml"), "question = \"query\"\nanswer = \"lable\"\n").unwrap();
    let (code, _, error) = racgen(&["audit", "train.csv", "--format-map", "map.toml"], path);
    assert!(code == 1 && error.contains("`train.csv`, line 2: the column `lable`"), "{error}");
    fs::write(path.join("map.toml"), "question = \"query\"\n\nanswr = \"label\"\n").unwrap();
    let (code, _, error) = racgen(&["audit", "train.csv", "--format-map", "map.toml"], path);
    assert!(code == 2 && error.contains("map.toml:3: unknown key `answr`"), "{error}");
}

#[test]
fn phrasings_of_states_and_actions_that_leak_are_caught() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let make =
        ["-d", "dwr", "-n", "400", "--level", "2", "--holdout-phrasings", "0.3", "--out", "good", "-q"];
    assert_eq!(racgen(&make, path).0, 0);
    let (code, out, error) = racgen(&["audit", "good"], path);
    assert_eq!(code, 0, "{out}{error}");
    let mut rows: Vec<Row> =
        racgen::data::read::rows::rows(&path.join("good")).unwrap().collect::<Result<_, _>>().unwrap();
    let held = rows.iter().position(|row| &*row.split == "test_language").unwrap();
    let sentence = |row: &Row| row.actions.split_inclusive(". ").next().unwrap().to_owned();
    let other = rows.iter().position(|row| &*row.split == "train" && row.plan != rows[held].plan).unwrap();
    assert_ne!(sentence(&rows[held]), sentence(&rows[other]));
    // A story of the training split in the held-out one. The phrasings of its sentences go by nothing but the text.
    let split = rows[held].split.clone();
    let story = rows[other].initial_state.clone();
    let moved = rows.iter_mut().filter(|row| row.initial_state == story);
    moved.for_each(|row| row.split = split.clone());
    fs::create_dir(path.join("bad")).unwrap();
    write(&path.join("bad/all.jsonl"), &rows);
    fs::copy(path.join("good/manifest.json"), path.join("bad/manifest.json")).unwrap();
    let (code, _, error) = racgen(&["audit", "bad"], path);
    assert!(code == 1 && error.contains("held-out phrasings"), "{error}");
    let report = fs::read_to_string(path.join("bad/audit.json")).unwrap();
    assert!(report.contains("phrasings of initial states and actions of dwr that test_language shares"));
}

#[test]
fn a_package_that_was_dropped_in_is_audited_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert_eq!(racgen(&["new", "lamps"], path).0, 0);
    let make = ["-d", "lamps", "--domain-dir", ".", "-n", "200", "--depth", "2", "--out", "data", "-q"];
    let (code, _, error) = racgen(&make, path);
    assert_eq!(code, 0, "{error}");
    // With its package every text is read; from elsewhere, without it, none is.
    let (code, out, error) = racgen(&["audit", "data", "--domain-dir", "."], path);
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(path.join("data/audit.json")).unwrap()).unwrap();
    assert_eq!(report["reading"]["read"], 200, "{out}{error}");
    assert_eq!(report["reading"]["troubles"], serde_json::json!({}), "{code} {out}{error}");
    let (code, out, _) = racgen(&["audit", "data", "--out", "."], path);
    assert!(code == 1 && out.contains("the domain is not at hand"), "{out}");
    let mut rows: Vec<Row> =
        racgen::data::read::rows::rows(&path.join("data")).unwrap().collect::<Result<_, _>>().unwrap();
    for row in &mut rows {
        let answer = match row.answer.as_str() {
            "yes" => "no",
            "no" => "yes",
            "1" => "2",
            _ => "1",
        };
        row.answer = answer.into();
        row.gold = vec![answer.into()];
    }
    fs::create_dir(path.join("bad")).unwrap();
    write(&path.join("bad/all.jsonl"), &rows);
    assert_eq!(racgen(&["audit", "bad", "--domain-dir", "."], path).0, 1);
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(path.join("bad/audit.json")).unwrap()).unwrap();
    assert_eq!(report["reading"]["troubles"], serde_json::json!({"wrong_answer": 200}));
}

/// Packages of the first invented domains in all vocabularies, in one folder.
fn invented(folder: &Path) {
    for words in ["invented", "everyday", "contrary"] {
        let args = ["invent", "--seed", "7", "--domains", "3", "--words", words, "--out", "worlds"];
        let ran = Command::new(env!("CARGO_BIN_EXE_racgen")).args(args).current_dir(folder).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    }
}

/// Verdicts on some items of a domain of a folder.
fn of_folder(folder: &Path, name: &str) -> (Vec<Row>, Vec<Verdict>) {
    let catalogue = Catalogue::find(&[folder.join("worlds")]).unwrap();
    let splits = one();
    let settings = Settings { splits, ..settings(&[1, 2], &[1, 3], 24) };
    let factory = Factory::new(catalogue.load(name).unwrap(), settings, LIMIT);
    let mut rows = Vec::new();
    for (stream, count) in factory.streams(0) {
        for group in 0..count.div_ceil(GROUP_SIZE) {
            let items = factory.group(stream, group, count, &Clock::default()).unwrap();
            rows.extend(items.into_iter().map(|item| item.row));
        }
    }
    let verdicts = Reread::new(&catalogue, LIMIT).judge(&rows, &|_| ());
    (rows, verdicts)
}

#[test]
fn rules_of_invented_domains_are_read_back_to_their_theory() {
    let folder = tempfile::tempdir().unwrap();
    invented(folder.path());
    for words in ["invented", "everyday", "contrary"] {
        for number in 0..3 {
            let name = format!("{words}_7_{number}");
            let (rows, verdicts) = of_folder(folder.path(), &name);
            assert_eq!(rows.len(), 24);
            for (row, verdict) in rows.iter().zip(&verdicts) {
                assert!(verdict.is_ok(), "{name}: {verdict:?}\n{}\n{}", row.context, row.question);
            }
            // A phrase book that leaves a condition out, in all its wordings, tells another theory.
            let book = folder.path().join("worlds").join(&name).join("phrases.toml");
            let text = fs::read_to_string(&book).unwrap();
            let is_told = |line: &&str| {
                line.contains(", and ") && line.contains(" exactly if ") && line.ends_with(".\",")
            };
            let line = text
                .lines()
                .find(is_told)
                .unwrap_or_else(|| panic!("{name} has no action with two conditions"));
            let (start, last) = line.trim_end_matches(".\",").rsplit_once(", and ").unwrap();
            assert!(!start.is_empty());
            fs::write(&book, text.replace(&format!(", and {last}"), "")).unwrap();
            let (rows, verdicts) = of_folder(folder.path(), &name);
            assert!(!rows.is_empty());
            for verdict in verdicts {
                assert_eq!(verdict.unwrap_err().trouble, Trouble::Theory, "{name}");
            }
        }
    }
}
