//! Whatever goes wrong is told in a sentence with a remedy, in bounded time, and leaves no half-written file under a
//! final name; what others put into the folder is never touched.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use tempfile::TempDir;

/// What any command of these tests may take, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

struct Outcome {
    code: Option<i32>,
    stdout: String,
    stderr: String,
    took: Duration,
}

impl From<(Output, Instant)> for Outcome {
    fn from((output, start): (Output, Instant)) -> Outcome {
        Outcome {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            took: start.elapsed(),
        }
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_racgen"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs racgen to its end, or ends it when patience is at its end.
fn racgen(arguments: &[&str]) -> Outcome {
    let start = Instant::now();
    let mut child = command(arguments).spawn().unwrap();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    (child.wait_with_output().unwrap(), start).into()
}

/// Runs racgen until it writes its first data file, and then sends it a signal.
fn racgen_until_signal(arguments: &[&str], data: &Path, signal: &str) -> Outcome {
    let start = Instant::now();
    let child = command(arguments).spawn().unwrap();
    while !std::fs::read_dir(data).is_ok_and(|mut entries| entries.next().is_some()) {
        assert!(start.elapsed() < PATIENCE, "nothing is written");
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    (child.wait_with_output().unwrap(), start).into()
}

/// Every file below a folder with its bytes; none where a run left no folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    if folder.exists() { crate::common::files::files(folder) } else { BTreeMap::new() }
}

fn names(folder: &Path) -> Vec<String> {
    files(folder).into_keys().collect()
}

/// Arguments that make no sense, and what the remedy must hold.
const MISUSES: &[(&str, &str)] = &[
    // Levels and depths.
    ("--domain blocks --level 6", "from 1 to 5"),
    ("--domain blocks --level 0", "from 1 to 5"),
    ("--domain blocks --level five", "from 1 to 5"),
    ("--domain blocks --level 3-1", "backwards"),
    ("--domain blocks --level 1,,2", "from 1 to 5"),
    ("--domain blocks --level=", "from 1 to 5"),
    ("--domain blocks --depth 10001", "from 0 to 10000"),
    ("--domain blocks --depth=-1", "from 0 to 100"),
    ("--domain blocks --depth 99999999999", "from 0 to 100"),
    // Numbers of items and of rows.
    ("--domain blocks --items 0", "above 0"),
    ("--domain blocks --items 1e3", "invalid value"),
    ("--domain blocks --items 18446744073709551615", "--items takes"),
    ("--domain blocks --rows-per-file 0", "invalid value"),
    ("--domain blocks --threads 4000000000", "--threads"),
    ("--domain blocks --seed=-1", "invalid value"),
    // Mixes.
    ("--domain blocks --mix verify", "NAME=NUMBER"),
    ("--domain blocks --mix truth=1", "verify, count, other"),
    ("--domain blocks --mix verify=-1", "from 0 to 1000"),
    ("--domain blocks --mix verify=0.5", "from 0 to 1000"),
    ("--domain blocks --mix verify=NaN", "from 0 to 1000"),
    ("--domain blocks --mix verify=100000", "from 0 to 1000"),
    ("--domain blocks --mix verify=0,count=0", "weight"),
    // Splits.
    ("--domain blocks --splits train", "NAME=NUMBER"),
    ("--domain blocks --splits train=0", "above 0"),
    ("--domain blocks --splits train=-3,test=1", "above 0"),
    ("--domain blocks --splits train=NaN", "above 0"),
    ("--domain blocks --splits train=inf", "above 0"),
    ("--domain blocks --splits my-train=1", "letters, digits"),
    ("--domain blocks --splits ../train=1", "letters, digits"),
    ("--domain blocks --splits =1", "letters, digits"),
    ("--domain blocks --splits train=1,train=1", "train"),
    ("--domain blocks --split-by row", "world, instance"),
    ("--domain blocks --split-by domain", "name more domains"),
    ("--domain blocks,dwr,gripper --split-by composition", "name more domains"),
    ("--domain blocks,dwr,gripper --split-by domain --contrast", "leave one of them out"),
    // Shards, time, shares, choices.
    ("--domain blocks --shard 0/3", "from 1 to N"),
    ("--domain blocks --shard 4/3", "from 1 to N"),
    ("--domain blocks --shard 1", "from 1 to N"),
    ("--domain blocks --shard 1/0", "from 1 to N"),
    ("--domain blocks --time-limit 0", "above 0"),
    ("--domain blocks --time-limit=-5", "above 0"),
    ("--domain blocks --time-limit NaN", "above 0"),
    ("--domain blocks --time-limit inf", "above 0"),
    ("--domain dwr --level 5 --time-limit 0.0000001", "raise the time limit"),
    ("--domain blocks --holdout-names 0.9", "from 0 to 0.5"),
    ("--domain blocks --holdout-names=-0.1", "from 0 to 0.5"),
    ("--domain blocks --holdout-phrasings NaN", "from 0 to 0.5"),
    ("--domain blocks --sampling best", "explore, walk, enumerate"),
    ("--domain blocks --format xml", "parquet"),
    ("--domain blocks --rules no", "with, without"),
    ("--domain blocks --sampling enumerate --set blocks=9 --set towers=5 --depth 6", "--sampling walk"),
    // Domains and their parameters.
    ("", "--domain"),
    ("--level 2", "--domain"),
    ("--domain chess", "known are"),
    ("--domain blocks,chess", "known are"),
    ("--domain blocks,blocks", "blocks"),
    ("--domain blocks=0", "above 0"),
    ("--domain blocks=two", "above 0"),
    ("--domain invented:5-1", "invented:0-255"),
    ("--domain=", "known are"),
    ("--domain blocks --domain-dir /nowhere", "racgen new"),
    ("--domain blocks --set robots=3", "it has blocks, towers"),
    ("--domain blocks --set blocks", "NAME=NUMBER"),
    ("--domain blocks --set blocks=many", "no number"),
    ("--domain blocks --set blocks=2.5", "whole"),
    ("--domain blocks --set blocks=NaN", "whole"),
    ("--domain blocks --set blocks=1000", "names for"),
    ("--domain blocks --set blocks=-1", "names for"),
    ("--domain blocks --set blocks=1e30", "whole"),
    ("--domain blocks --set blocks=0", "correct the level"),
    ("--domain blocks --set blocks=2 --level 5", "correct the level"),
    ("--domain blocks --set towers=1000000", "correct the level"),
    ("--domain blocks --set blocks=3", "--split-by instance"),
    ("--domain dwr --set containers=1000", "names for"),
    ("--domain dwr --set robots=3 --set locations=2", "correct the level"),
    ("--domain dwr --set extra=99", "correct the level"),
    ("--domain dwr --set piles=0", "correct the level"),
    ("--domain logistics --set airports=99", "correct the level"),
    ("--domain logistics --set cities=0", "correct the level"),
    ("--domain generic --set fluents=0", "correct the level"),
    ("--domain generic --set actions=100000", "names for"),
    // Files and commands.
    ("--config /nowhere.toml", "check the path"),
    ("--nonsense", "--help"),
    ("suite paper --scale 0", "above 0"),
    ("suite paper --scale NaN", "above 0"),
    ("suite thesis", "paper"),
    ("suite transfer --scale 2", "suite paper"),
    ("suite transfer --domains 0", "above 0"),
    ("suite transfer --domains 4 --items 2", "larger --items"),
    ("suite transfer --split-by world", "leave --split-by"),
    ("suite transfer --domain blocks,dwr --domains 2 --held-out 1", "3 are needed"),
    ("suite transfer --domain blocks=2,dwr --domains 1 --held-out 1", "leave weights out"),
    ("join /nowhere", "copy"),
];

#[test]
fn every_misuse_is_told_in_a_sentence_with_a_remedy() {
    let folder = TempDir::new().unwrap();
    let faults: Vec<String> = MISUSES
        .par_iter()
        .enumerate()
        .filter_map(|(n, (text, remedy))| {
            let out = folder.path().join(n.to_string());
            let place = out.to_string_lossy().into_owned();
            let mut arguments: Vec<&str> = text.split_whitespace().collect();
            // Few rows, unless the number of rows is what is wrong.
            if text.starts_with("--domain") || text.starts_with("--level") || text.starts_with("--config") {
                arguments.extend(["--out", &place]);
                if !text.contains("--items") {
                    arguments.extend(["--items", "20"]);
                }
            } else if text.starts_with("suite") {
                arguments.extend(["--out", &place]);
            }
            let outcome = racgen(&arguments);
            let fault = fault(&outcome, remedy);
            let left = names(&out);
            let fault = fault.or((!left.is_empty()).then(|| format!("leaves {left:?}")));
            fault.map(|fault| {
                format!(
                    "`racgen {text}` {fault}\n    {:?} after {:?}: {}",
                    outcome.code, outcome.took, outcome.stderr
                )
            })
        })
        .collect();
    assert!(faults.is_empty(), "{} of {} misuses:\n{}", faults.len(), MISUSES.len(), faults.join("\n"));
}

fn fault(outcome: &Outcome, remedy: &str) -> Option<String> {
    let stderr = &outcome.stderr;
    if outcome.took > PATIENCE {
        return Some("takes too long".into());
    }
    if stderr.contains("panicked") {
        return Some("panics".into());
    }
    if !matches!(outcome.code, Some(1 | 2)) {
        return Some("ends with another code than 1 or 2".into());
    }
    if !outcome.stdout.is_empty() {
        return Some("prints to standard output".into());
    }
    if !stderr.contains(remedy) {
        return Some(format!("does not say `{remedy}`"));
    }
    // racgen's own messages are one line, after warnings; those about the form of arguments come from the argument
    // parser.
    let lines: Vec<&str> = stderr.lines().filter(|line| !line.starts_with("racgen: warning: ")).collect();
    let own = lines.len() == 1 && lines[0].starts_with("racgen: ");
    let parsers = stderr.contains("--help");
    (!own && !parsers).then(|| "is not one sentence".into())
}

/// What is unusual but not wrong comes to an end, too.
#[test]
fn unusual_settings_end_well_or_with_a_sentence() {
    let folder = TempDir::new().unwrap();
    let unusual = [
        "--domain generic --depth 100 --items 20",
        "--domain dwr --depth 100 --items 20",
        "--domain blocks --depth 0 --items 20",
        "--domain blocks --items 1",
        "--domain blocks --items 3 --rows-per-file 1 --threads 7",
        "--domain blocks --items 20 --shard 77/99",
        "--domain blocks --set towers=0 --set blocks=30 --items 20",
        "--domain logistics --level 1 --items 20 --splits only=1 --sampling enumerate",
        "--domain generic --set fluents=40 --set actions=40 --items 20",
        "--domain blocks --items 20 --splits a=0.000001,b=1000000",
    ];
    let faults: Vec<String> = unusual
        .par_iter()
        .enumerate()
        .filter_map(|(n, text)| {
            let place = folder.path().join(n.to_string()).to_string_lossy().into_owned();
            let mut arguments: Vec<&str> = text.split_whitespace().collect();
            arguments.extend(["--out", &place]);
            let outcome = racgen(&arguments);
            let fault = if outcome.code == Some(0) { None } else { fault(&outcome, "") };
            println!("{:6.1} s, {:?}: racgen {text}", outcome.took.as_secs_f64(), outcome.code);
            fault.map(|fault| format!("`racgen {text}` {fault}: {}", outcome.stderr))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn campaign_files_are_refused_with_their_line() {
    let folder = TempDir::new().unwrap();
    let cases = [
        ("[config.a]\ndomain = \"blocks\"\nlevle = \"1\"\n", ":3:", "levle"),
        ("[config.a\n", ":1:", "--help"),
        ("[config.a]\ndomain = \"blocks\"\nitems = \"many\"\n", ":3:", "--help"),
        ("[config.a]\ndomain = \"blocks\"\nlevel = \"9\"\n", "", "from 1 to 5"),
        ("[config.a-b]\ndomain = \"blocks\"\n", "", "letters, digits"),
        ("", "", "--domain"),
    ];
    for (n, (text, place, remedy)) in cases.into_iter().enumerate() {
        let file = folder.path().join(format!("{n}.toml"));
        std::fs::write(&file, text).unwrap();
        let out = folder.path().join(n.to_string());
        let outcome = racgen(&["--config", &file.to_string_lossy(), "--out", &out.to_string_lossy()]);
        assert_eq!(fault(&outcome, remedy), None, "{text}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(place), "{text}: {}", outcome.stderr);
        assert_eq!(names(&out), Vec::<String>::new());
    }
}

#[test]
fn a_killed_or_interrupted_run_leaves_nothing_half_written_and_can_be_resumed() {
    for (signal, code) in [("-KILL", None), ("-INT", Some(130))] {
        let folder = TempDir::new().unwrap();
        let out = folder.path().join("out");
        let place = out.to_string_lossy();
        let arguments =
            ["--domain", "logistics", "--items", "2400", "--out", &place, "--format", "parquet,jsonl"];
        let outcome = racgen_until_signal(&arguments, &out.join("data"), signal);
        assert_eq!(outcome.code, code, "{}", outcome.stderr);
        let left = names(&out);
        let is_hidden = |name: &&String| name.rsplit('/').next().unwrap_or(name).starts_with('.');
        let is_progress = |name: &&String| name.starts_with(".racgen/");
        let wrong: Vec<&String> = left.iter().filter(|n| !is_hidden(n) && !is_progress(n)).collect();
        assert!(wrong.is_empty(), "{signal} leaves {wrong:?}");
        if signal == "-INT" {
            assert!(outcome.stderr.contains("--resume continues"), "{}", outcome.stderr);
            assert!(!left.iter().any(|name| name.ends_with(".partial")), "{left:?}");
        }

        let again = racgen(&arguments);
        assert_eq!(fault(&again, "--resume"), None, "{}", again.stderr);
        let other = racgen(&[&arguments[..], &["--seed", "1", "--resume"]].concat());
        assert_eq!(fault(&other, "other settings"), None, "{}", other.stderr);
        let resumed = racgen(&[&arguments[..], &["--resume"]].concat());
        assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
        let mut expected: Vec<String> = ["test", "train", "validation"]
            .iter()
            .flat_map(|s| ["jsonl", "parquet"].map(|f| format!("data/{s}-00000-of-00001.{f}")))
            .chain(["README.md".into(), "manifest.json".into()])
            .collect();
        expected.sort();
        assert_eq!(names(&out), expected, "after {signal} and --resume");
    }
}

#[test]
fn folders_that_cannot_be_written_are_told() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "mine").unwrap();
    for out in [file.clone(), file.join("below"), "/dev/null/below".into()] {
        for more in [&[][..], &["--force"], &["--resume"]] {
            let place = out.to_string_lossy().into_owned();
            let arguments = ["--domain", "blocks", "--items", "20", "--out", &place];
            let outcome = racgen(&[&arguments[..], more].concat());
            assert_eq!(fault(&outcome, "another"), None, "{place} {more:?}: {}", outcome.stderr);
            assert!(outcome.stderr.contains(&place), "{}", outcome.stderr);
        }
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
}

#[test]
fn what_others_wrote_is_never_touched() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let place = out.to_string_lossy().into_owned();
    let make = |more: &[&str]| {
        let arguments = ["--domain", "blocks", "--items", "60", "--format", "jsonl", "--out", &place];
        racgen(&[&arguments[..], more].concat())
    };
    let write = |name: &str| {
        let path = out.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "mine").unwrap();
    };

    // A folder that holds something.
    write("notes.txt");
    let refused = make(&[]);
    assert_eq!(fault(&refused, "choose another --out"), None, "{}", refused.stderr);
    assert_eq!(names(&out), ["notes.txt"]);

    // Where --force would replace what is not ours, it refuses.
    for name in ["README.md", "manifest.json", "data/train-00000-of-00001.jsonl"] {
        write(name);
        let outcome = make(&["--force"]);
        assert_eq!(files(&out)[name], b"mine", "--force replaced {name}: {}", outcome.stdout);
        assert_eq!(fault(&outcome, "another"), None, "{name}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(name), "{}", outcome.stderr);
        std::fs::remove_file(out.join(name)).unwrap();
        let _ = std::fs::remove_dir(out.join("data"));
    }

    // With --force the data set comes beside it; a second one only with --force, too.
    assert_eq!(make(&["--force"]).code, Some(0));
    let first = files(&out);
    for more in [&[][..], &["--resume"]] {
        let refused = make(more);
        assert_eq!(fault(&refused, "replace it with --force"), None, "{}", refused.stderr);
        assert_eq!(files(&out), first);
    }
    write("data/notes.txt");
    let again = make(&["--force", "--seed", "1", "--splits", "dev=1"]);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    let mut expected = vec!["README.md", "data/dev-00000-of-00001.jsonl", "data/notes.txt", "manifest.json"];
    expected.push("notes.txt");
    assert_eq!(names(&out), expected);
    for name in ["notes.txt", "data/notes.txt"] {
        assert_eq!(files(&out)[name], b"mine");
    }
}

/// The last row of defence: an argument that is wrong in one of several configurations stops all of them at once.
#[test]
fn nothing_is_written_if_one_configuration_cannot_be_made() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("two.toml");
    let text =
        "[config.good]\ndomain = \"logistics\"\n[config.poor]\ndomain = \"blocks\"\nset = [\"blocks=3\"]\n";
    std::fs::write(&file, text).unwrap();
    let out = folder.path().join("out");
    let outcome = racgen(&["--config", &file.to_string_lossy(), "--out", &out.to_string_lossy()]);
    assert_eq!(fault(&outcome, "--split-by instance"), None, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("poor"), "{}", outcome.stderr);
    assert!(!out.exists(), "{:?}", names(&out));
}
