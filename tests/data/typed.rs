//! Promise: what is typed wrong is told with its place and a remedy, on the command line as in a campaign file, and what
//! is typed right in either way means the same.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use clap::Parser;
use racgen::cli::args::arguments::Cli;
use racgen::data::format::Format;
use racgen::data::training::style::Style;
use racgen::domain::catalogue::Catalogue;
use serde_json::Value;

fn racgen(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_racgen")).args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// What a campaign file comes to, or its error.
fn campaign(text: &str) -> Result<racgen::cli::generate::Resolved, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c.toml");
    fs::write(&file, text).unwrap();
    let path = file.to_string_lossy().into_owned();
    let cli = Cli::try_parse_from(["racgen", "--config", &path]).unwrap();
    cli.generate
        .resolve(&Catalogue::find(&[]).unwrap())
        .map_err(|exit| exit.to_string().replace(&path, "c.toml"))
}

#[test]
fn campaign_files_take_numbers_lists_and_tables() {
    let written = "format = [\"jsonl\", \"parquet\"]\nstyle = \"messages\"\nlicense = \"mit\"\n[defaults]\n\
                   domain = [\"blocks\", \"dwr\"]\nitems = 60\n[config.a]\ndepth = 1\nlevel = [1, 3]\n\
                   mix = { verify = 1, count = 2 }\nset = { blocks = 6, towers = 2 }\nfamily = [\"on\", \"clear\"]\n\
                   splits = [\"train=3\", \"test=1\"]\n[config.b]\ndepth = \"1-2\"\nlevel = 2\nset = [\"blocks=6\"]\n";
    let resolved = campaign(written).unwrap();
    assert_eq!(resolved.output.formats, [Format::Parquet, Format::Jsonl]);
    assert_eq!(
        (resolved.output.styles.as_slice(), &*resolved.output.licence),
        (&[Style::Messages][..], "mit")
    );
    let names: Vec<&str> = resolved.jobs.iter().map(|job| &*job.name).collect();
    assert_eq!(names, ["a_blocks", "a_dwr", "b_blocks", "b_dwr"]);
    let (a, b) = (&resolved.jobs[0].members[0].settings, &resolved.jobs[2].members[0].settings);
    assert_eq!((&*a.levels, &*a.depths, a.mix, a.items), (&[1, 3][..], &[1][..], [1, 2, 0], 60));
    assert_eq!((a.parameters["blocks"], a.parameters["towers"]), (6, 2));
    assert_eq!(a.families, ["on", "clear"]);
    assert_eq!(a.splits.iter().map(|split| &*split.name).collect::<Vec<_>>(), ["train", "test"]);
    assert_eq!((&*b.levels, &*b.depths, b.parameters["blocks"]), (&[2][..], &[1, 2][..], 6));
}

/// What shows only once data are made.
#[test]
fn errors_of_campaign_runs_name_file_and_configuration() {
    let folder = tempfile::tempdir().unwrap();
    for (text, words) in [
        (
            "[defaults]\ndomain = \"blocks\"\nitems = 20\n[config.good]\n[config.tall]\nset = { floors = 3 }\n",
            &["c.toml:5, [config.tall]", "no parameter `floors`"][..],
        ),
        (
            "[config.a]\ndomain = \"blocks,dwr\"\nitems = 20\nfamily = \"on\"\n",
            &["c.toml:1, [config.a]", "a_blocks: no count question of `blocks`", "leave it out of --mix"],
        ),
        (
            "[config.a]\ndomain = \"blocks\"\nset = { blocks = 40 }\nholdout-names = 0.2\n",
            &["c.toml:1, [config.a]", "names of type `block`"],
        ),
    ] {
        fs::write(folder.path().join("c.toml"), text).unwrap();
        let (code, _, error) = racgen(&["--config", "c.toml", "-q"], folder.path());
        let missing: Vec<&&str> = words.iter().filter(|word| !error.contains(**word)).collect();
        assert!(code != 0 && missing.is_empty(), "{text}\nlacks {missing:?}: {error}");
        let left: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["c.toml"], "a run that failed leaves nothing");
    }
    // What stands there already stays.
    fs::create_dir(folder.path().join("data")).unwrap();
    let failed = racgen(&["-d", "blocks", "--set", "floors=3", "-n", "20", "-q"], folder.path());
    assert!(failed.0 != 0 && folder.path().join("data").is_dir(), "{failed:?}");
    assert_eq!(fs::read_dir(folder.path().join("data")).unwrap().count(), 0);
}

#[test]
fn errors_of_campaign_files_name_file_and_configuration() {
    for (text, words) in [
        (
            "[config.a]\ndomain = \"blocks\"\n[config.b]\ndomain = \"blocks\"\nlevel = 9\n",
            &["c.toml:3, [config.b]", "--level", "`9`"][..],
        ),
        ("[config.a]\ndomain = \"bloks\"\n", &["c.toml:1, [config.a]", "`bloks`", "blocks, blocks_hand"]),
        ("[config.a]\nlevel = 1\n", &["c.toml:1, [config.a]", "which domain?"]),
        ("[defaults]\ndomain = \"blocks\"\nmix = \"verify\"\n", &["c.toml:1, [defaults]", "--mix"]),
        ("[config.a]\ndomain = \"blocks\"\nlevle = 1\n", &["c.toml:3", "in [config.a]", "`levle`"]),
        (
            "[config.a]\ndomain = \"blocks\"\nstyle = [\"qa\"]\n",
            &["c.toml:3", "[config.a]", "at the top of the file"],
        ),
        (
            "[config.a]\ndomain = \"blocks\"\ndepth = true\n",
            &["c.toml:3", "[config.a]", "a number, or a list"],
        ),
        ("style = [\"poem\"]\n", &["c.toml:1", "poem"]),
        ("license = \"My own\"\n[defaults]\ndomain = \"blocks\"\n", &["c.toml", "`license`", "cc-by-4.0"]),
    ] {
        let error = campaign(text).unwrap_err();
        let missing: Vec<&&str> = words.iter().filter(|word| !error.contains(**word)).collect();
        assert!(missing.is_empty(), "{text}\nlacks {missing:?}: {error}");
    }
}

#[test]
fn wrong_arguments_are_told_for_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir_all(at.join("plain")).unwrap();
    let make = ["-d", "blocks", "-n", "20", "--splits", "train=1", "--format", "jsonl", "--out", "d", "-q"];
    assert_eq!(racgen(&make, at).0, 0);
    for (arguments, code, words) in [
        ("show nothing", 1, &["`nothing` is not there", "spelling"][..]),
        ("audit nothing", 1, &["`nothing` is not there"]),
        ("export nothing --out e", 1, &["`nothing` is not there"]),
        ("score p.jsonl --gold d", 1, &["`p.jsonl` is not there"]),
        ("show d --row 5000", 1, &["`d` holds 20 rows", "no row 5000"]),
        ("check plain", 2, &["plain: this folder holds no domain.toml", "racgen new"]),
        ("check ./none", 2, &["./none: there is no such folder"]),
        ("check bloks", 2, &["no such domain", "blocks_hand"]),
        ("-d blocks -n -5", 2, &["invalid value '-5' for '--items", "whole number"]),
        ("-d blocks -n 5 --seed -1", 2, &["invalid value '-1' for '--seed", "whole number"]),
        ("-d blocks --level -1", 2, &["--level takes numbers"]),
        ("rules -o -", 2, &["--out: it takes a folder", "`./-`"]),
        ("export d --out f --lm-eval -", 2, &["invalid value '-' for '--lm-eval"]),
        ("-d blocks --license Mine", 2, &["invalid value 'Mine'", "cc-by-4.0"]),
        (
            "-d blocks -n 20 --family on,flying --mix verify=1 -q --out x",
            1,
            &["family `flying`", "clear", "racgen domains blocks"],
        ),
        ("-d blocks -n 20 --family on -q --out x", 1, &["no count question", "--mix verify=1"]),
        ("-d blocks --family on --contrast", 2, &["--family goes neither"]),
        ("domains nowhere", 2, &["no such domain"]),
    ] {
        let typed: Vec<&str> = arguments.split(' ').collect();
        let (found, _, error) = racgen(&typed, at);
        let missing: Vec<&&str> = words.iter().filter(|word| !error.contains(**word)).collect();
        assert!(found == code && missing.is_empty(), "{arguments}: {found}, lacks {missing:?}: {error}");
    }
    let left: Vec<_> = fs::read_dir(at).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(racgen(&["show", "d", "--row", "19"], at).0 == 0);
}

#[test]
fn help_has_headings_and_completions_know_the_options() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (code, help, _) = racgen(&["--help"], at);
    assert_eq!(code, 0);
    for heading in [
        "What is made:",
        "Splits:",
        "Texts:",
        "Items in pairs:",
        "Output folder:",
        "Output files:",
        "Running:",
    ] {
        assert_eq!(help.matches(&format!("\n{heading}\n")).count(), 1, "{heading}\n{help}");
    }
    // Nothing but help and version is left without a heading.
    let rest = help.split("\nOptions:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    assert!(rest.contains("--help") && !rest.contains("--out"), "{rest}");
    for shell in ["bash", "zsh", "fish"] {
        let (code, script, _) = racgen(&["completions", shell], at);
        assert!(code == 0 && script.contains("holdout-names") && script.contains("game"), "{shell}");
    }
}

#[test]
fn a_domain_tells_its_parameters_and_families() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (code, text, _) = racgen(&["domains", "blocks"], at);
    assert!(code == 0 && text.contains("which_on") && text.contains("towers"), "{text}");
    let (code, text, _) = racgen(&["domains", "--json"], at);
    let all: Value = serde_json::from_str(&text).unwrap();
    assert!(code == 0 && all.as_array().unwrap().iter().any(|domain| domain["domain"] == "dwr"), "{text}");
    let (code, text, _) = racgen(&["domains", "blocks", "--json"], at);
    let offer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(code, 0);
    let families = offer["families"].as_array().unwrap();
    let of = |kind: &str| -> Vec<&str> {
        let of_kind = families.iter().filter(|family| family["type"] == kind);
        of_kind.map(|family| family["family"].as_str().unwrap()).collect()
    };
    assert!(of("verify").contains(&"on") && of("other").contains(&"which_on"), "{families:?}");
    assert_eq!(offer["types"][0]["type"], "block");
    let parameter = offer["types"][0]["count"].as_str().unwrap();
    assert!(offer["levels"]["N1"][parameter][0].as_i64().unwrap() > 0, "{offer}");

    // The list has the mechanisms of all, and the number of their objects.
    let entry = |name: &str| all.as_array().unwrap().iter().find(|domain| domain["domain"] == name).unwrap();
    assert_eq!(entry("dwr")["mechanisms"], serde_json::json!(["stack", "containment", "graph"]));
    assert_eq!(entry("logistics")["objects"], serde_json::json!([12, 33]));
    assert_eq!(offer["mechanisms"], entry("blocks")["mechanisms"]);
    let (_, text, _) = racgen(&["domains"], at);
    let line = text.lines().find(|line| line.starts_with("dwr ")).unwrap();
    assert!(line.contains("stack, containment, graph") && line.contains("Dock-worker robots"), "{text}");

    // What is listed can be chosen, and then nothing else is asked.
    let make =
        ["-d", "blocks", "-n", "80", "--family", "on,which_on", "--mix", "verify=1,other=1", "--depth", "2"];
    let (code, _, error) = racgen(&[&make[..], &["--format", "jsonl", "--out", "f", "-q"]].concat(), at);
    assert_eq!(code, 0, "{error}");
    let rows = racgen::data::read::rows::rows(&at.join("f")).unwrap().map(Result::unwrap);
    let asked: std::collections::BTreeSet<String> = rows.map(|row| row.family.to_string()).collect();
    assert_eq!(asked.into_iter().collect::<Vec<_>>(), ["on", "which_on"]);
    let manifest = fs::read_to_string(at.join("f/manifest.json")).unwrap();
    assert!(manifest.contains("--family on,which_on"), "{manifest}");
}

#[test]
fn a_new_package_starts_from_a_copy_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, like) in [("port", "dwr"), ("theory", "generic"), ("pier", "port/")] {
        let (code, text, error) = racgen(&["new", name, "--like", like], at);
        assert!(code == 0 && text.contains(name), "{name}: {error}");
    }
    // All files are those of the other package, its phrase book and rules among them.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (copied, own) in [
        ("port/domain.lp", "domains/dwr/domain.lp"),
        ("port/phrases.toml", "templates/dwr.toml"),
        ("pier/questions.lp", "domains/dwr/questions.lp"),
        ("theory/rules.tera", "templates/generic.rules.tera"),
    ] {
        assert_eq!(fs::read(at.join(copied)).unwrap(), fs::read(root.join(own)).unwrap(), "{copied}");
    }
    assert!(!at.join("port/rules.tera").exists());
    for (name, title) in [("port", "Dock-worker robots"), ("theory", "Generic domain")] {
        let (code, text, _) = racgen(&["domains", "--domain-dir", "."], at);
        let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        assert!(code == 0 && line.contains(title) && line.contains("N1-N5"), "{text}");
    }
    let (code, _, error) = racgen(
        &[
            "-d",
            "pier",
            "--domain-dir",
            ".",
            "-n",
            "60",
            "--depth",
            "2",
            "--set",
            "extra=0",
            "-q",
            "--out",
            "d",
        ],
        at,
    );
    assert_eq!(code, 0, "{error}");

    // What cannot be copied is told, and leaves nothing behind.
    fs::remove_file(at.join("pier/world.lp")).unwrap();
    for (like, says) in [
        ("docks", &["domain `docks`", "no such domain", "known are blocks"][..]),
        ("./nowhere", &["there is no such folder"]),
        ("pier", &["has no `world.lp`"]),
    ] {
        let (code, _, error) = racgen(&["new", "other", "--like", like, "--domain-dir", "."], at);
        assert!(code == 2 && says.iter().all(|part| error.contains(part)), "{like}: {code} {error}");
        assert!(!at.join("other").exists(), "{like}");
    }
    let (code, _, error) = racgen(&["new", "port", "--like", "dwr"], at);
    assert!(code == 2 && error.contains("exists already"), "{error}");
}

/// Lines on standard output are those of the files, whatever makes the items, and nothing is written beside them.
#[test]
fn items_go_to_standard_output_too() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (command, config) in [
        ("-d blocks,logistics -l 1,2 --depth 1-2 -n 130 -s 5", None),
        ("games items tic_tac_toe -n 80 --traces 100", Some("")),
        ("rules items -n 60", Some("")),
        ("halma items -n 60 --pictures", Some("")),
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let (code, lines, error) = racgen(&[&words[..], &["--out", "-", "-q"]].concat(), at);
        assert_eq!((code, error.as_str()), (0, ""), "{command}");
        assert_eq!(fs::read_dir(at).unwrap().count(), 0, "{command}");
        let (code, _, error) =
            racgen(&[&words[..], &["--out", "d", "-q", "--format", "jsonl", "--threads", "1"]].concat(), at);
        assert_eq!(code, 0, "{error}");
        let mut written = String::new();
        for config in if config.is_some() { &["data"][..] } else { &["blocks/data", "logistics/data"] } {
            for split in ["train", "validation", "test"] {
                let file = at.join("d").join(config).join(format!("{split}-00000-of-00001.jsonl"));
                written += &fs::read_to_string(file).unwrap_or_default();
            }
        }
        assert!(written.lines().count() >= 60 && lines == written, "{command}");
        fs::remove_dir_all(at.join("d")).unwrap();
    }
    for flags in ["--style qa", "--format csv", "--shard 1/2", "--resume", "--lm-eval tasks", "--timing"] {
        let words = format!("-d blocks --out - {flags}");
        let (code, _, error) = racgen(&words.split(' ').collect::<Vec<_>>(), at);
        assert!(code == 2 && error.contains("goes with a folder"), "{flags}: {error}");
    }
    for command in ["games tron", "rules", "rules suite v0", "halma gen"] {
        let words = format!("{command} --out -");
        let (code, _, error) = racgen(&words.split(' ').collect::<Vec<_>>(), at);
        assert!(code == 2 && error.contains("racgen writes none to standard output"), "{command}: {error}");
    }
}

/// A disk without room is Linux's `/dev/full`.
#[test]
fn a_full_disk_is_an_error_for_whatever_is_printed() {
    if !Path::new("/dev/full").exists() {
        println!("a_full_disk_is_an_error_for_whatever_is_printed: skipped, there is no /dev/full");
        return;
    }
    for arguments in [
        "--help",
        "--version",
        "games list",
        "games --help",
        "domains",
        "domains blocks --json",
        "completions bash",
        "-d blocks -n 60 --out - -q",
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_racgen"));
        let output = command.args(arguments.split(' ')).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(1) && error.contains("cannot write to standard output"),
            "{arguments}: {error}"
        );
    }
}

/// A type of question is asked by the groups of which the named families have any; the others leave it to these.
#[test]
fn groups_without_a_named_family_of_a_type_leave_it_to_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let named = ["--ask", "prediction,time", "--family", "at,whole_state"];
    let make = ["-d", "dwr", "-n", "60", "--depth", "2", "--format", "jsonl", "--out", "d", "-q"];
    let (code, _, error) = racgen(&[&make[..], &named[..], &["--mix", "verify=2,other=1"]].concat(), at);
    assert_eq!(code, 0, "{error}");
    let rows = racgen::data::read::rows::rows(&at.join("d")).unwrap().map(Result::unwrap);
    let asked = rows.map(|row| format!("{} {}", row.question_type, row.family));
    let asked: std::collections::BTreeSet<String> = asked.collect();
    assert_eq!(asked.into_iter().collect::<Vec<_>>(), ["other whole_state", "verify at"]);
    // Of a type that none of them has, it is said so.
    let (code, _, error) = racgen(&[&make[..], &named[..], &["--mix", "count=1", "--force"]].concat(), at);
    assert!(code == 1 && error.contains("no count question"), "{code}: {error}");
}
