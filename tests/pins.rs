//! Promise: small runs of everything that racgen writes give the files whose SHA-256 are in `tests/pins`, to the byte.
//!
//! `RACGEN_PIN=write cargo test --test pins` writes `tests/pins` anew. A new version of the crate `parquet` changes
//! every Parquet file, for its version is in there; the rows beside them in JSONL stay.

#[path = "common/files.rs"]
mod files;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use sha2::{Digest, Sha256};

use files::paths;

/// What runs in one folder, and becomes one file of `tests/pins`.
struct Job {
    name: &'static str,
    /// Arguments of racgen; behind `>` the file that its standard output goes into. Paths are relative to the folder,
    /// which holds all files of `tests/pins/given`, and in `games` those games that come with racgen. `predict`
    /// is no command of racgen, but [`predict`].
    commands: &'static [&'static str],
}

/// The jobs, those that take long first.
const JOBS: &[Job] = &[
    // The domains, each in all formats, and in the harder forms.
    Job { name: "suite_paper", commands: &["suite paper --scale 0.0005 --out d"] },
    Job {
        name: "all_domains",
        commands: &["-d all -l 1,4 --depth 1,4 -n 100 --seed 2 --format jsonl --out d"],
    },
    Job {
        name: "dwr",
        commands: &["-d dwr -l 1,3 --depth 1,3 -n 200 --seed 1 --format parquet,jsonl,csv --out d"],
    },
    Job {
        name: "dwr_hard",
        commands: &["-d dwr -l 2 --depth 1,3 -n 200 --format parquet,jsonl --rationale --minimal-pairs \
                     --contrast --irrelevant 3 --shuffle-state --names random --out d"],
    },
    Job { name: "dwr_large", commands: &["-d dwr -l 5 --depth 5 -n 100 --format jsonl --rationale --out d"] },
    Job {
        name: "logistics",
        commands: &["-d logistics -l 1,3 --depth 1,3 -n 200 --format parquet,jsonl,csv --out d"],
    },
    Job {
        name: "logistics_hard",
        commands: &["-d logistics -l 2 --depth 1,3 -n 200 --format csv,jsonl --rationale --minimal-pairs \
                     --contrast --irrelevant 1 --out d"],
    },
    Job {
        name: "generic",
        commands: &["-d generic -l 1,3 --depth 1,3 -n 200 --format parquet,jsonl,csv --out d"],
    },
    Job {
        name: "generic_hard",
        commands: &["-d generic -l 2,5 --depth 2 -n 200 --format jsonl --rationale --minimal-pairs \
                     --contrast --shuffle-state --out d"],
    },
    Job {
        name: "blocks_hand",
        commands: &["-d blocks_hand -l 1,3 --depth 1,3 -n 200 --format parquet,jsonl,csv --out d"],
    },
    Job {
        name: "blocks_hand_hard",
        commands: &["-d blocks_hand -l 2 --depth 1,3 -n 200 --format jsonl --rationale --minimal-pairs \
                     --contrast --names random --out d"],
    },
    Job {
        name: "blocks",
        commands: &["-d blocks -l 1,3 --depth 1,3 -n 200 --format parquet,jsonl,csv --out d"],
    },
    Job {
        name: "blocks_hard",
        commands: &["-d blocks -l 2 --depth 1,3 -n 200 --format parquet,jsonl --rationale --minimal-pairs \
                     --contrast --irrelevant 2 --shuffle-state --names random --out d"],
    },
    // One option after the other.
    Job {
        name: "as_generic",
        commands: &["-d blocks,logistics -n 100 --depth 2 --as generic --rationale --format jsonl --out d"],
    },
    Job {
        name: "holdouts",
        commands: &["-d blocks -l 2 -n 200 --depth 2 --holdout-names 0.2 --holdout-phrasings 0.2 \
                     --format jsonl --out d"],
    },
    Job {
        name: "enumerate",
        commands: &[
            "-d logistics -n 100 --depth 2 --sampling enumerate --rules without --format jsonl --out d",
        ],
    },
    Job {
        name: "splits",
        commands: &["-d blocks -n 150 --split-by instance --open-vocabulary --mix verify=1 \
                     --splits train=50,more=20,test=50 --format jsonl --out d"],
    },
    Job {
        name: "set",
        commands: &["-d blocks --set blocks=20 --set towers=4 -n 100 --depth 3 --format jsonl --out d"],
    },
    Job {
        name: "shards",
        commands: &[
            "-d generic -n 300 --depth 2 --rows-per-file 60 --format parquet,jsonl --shard 2/2 --out d",
            "-d generic -n 300 --depth 2 --rows-per-file 60 --format parquet,jsonl --shard 1/2 --out d",
        ],
    },
    Job { name: "campaign", commands: &["--config campaign.toml"] },
    Job {
        name: "own_domain",
        commands: &[
            "new lamps",
            "check lamps > check.txt",
            "--domain-dir . -d lamps -l 1-2 --depth 2 -n 100 --rationale --contrast --format jsonl --out d",
        ],
    },
    // The same items in other forms, and what reads them.
    Job {
        name: "styles",
        commands: &["-d blocks,logistics -n 100 --depth 2 --format parquet,jsonl,csv \
                     --style qa,prompt_completion,messages,text,boolq --lm-eval tasks --out d"],
    },
    // Pictures in place of words, and of games.
    Job {
        name: "pictured",
        commands: &[
            "-d blocks,dwr -l 1,3 -n 60 --depth 1 --seed 1 --tell picture --holdout-looks --style messages,qa --lm-eval tasks \
             --format parquet,jsonl --out d",
            "-d ferry -n 20 --depth 2 --tell both --rationale --format jsonl --out both",
            "draw dwr --level 2 --seed 5 --story 3 --out story.png",
            "draw connect_four --moves 9 --out state.svg",
            "draw hex_small --moves 3 --atoms > state.lp",
        ],
    },
    Job {
        name: "export",
        commands: &[
            "-d blocks,generic -n 100 --depth 2 --rationale --out d",
            "export d --out forms --style qa,prompt_completion,messages,text,boolq --lm-eval tasks",
        ],
    },
    Job {
        name: "audit",
        commands: &[
            "-d blocks,dwr -n 200 --depth 2 --format jsonl,csv --out d",
            "-d blocks -n 100 --depth 2 --format jsonl --out e",
            "audit d --out whole",
            "audit d --out sample --sample 0.3 --against e --threshold balance=0.2",
            "audit d/blocks/data/train-00000-of-00001.csv --out foreign --format-map map.toml",
        ],
    },
    Job {
        name: "score",
        commands: &[
            "-d blocks,logistics -n 200 -l 1-2 --depth 1-2 --format jsonl --out d",
            "predict d 3 > few.jsonl",
            "predict d 7 > many.jsonl",
            "score few.jsonl --gold d > score.txt",
            "score few.jsonl --gold d --as json > score.json",
            "score few.jsonl --gold d --as csv > score.csv",
            "score few.jsonl --gold d --as latex > score.tex",
            "score N1=few.jsonl N2=many.jsonl --gold d > table.txt",
            "score A1=few.jsonl A2=many.jsonl --gold d --as latex --no-baselines > table.tex",
        ],
    },
    Job {
        name: "show",
        commands: &[
            "-d blocks,dwr -l 2 -n 100 --depth 2 --rationale --minimal-pairs --contrast --out d",
            "show d --row 5 --rows 2 > show.txt",
            "show d/dwr/data --row 20 --rows 2 > pair.txt",
            "domains > domains.txt",
            "check generic > check.txt",
        ],
    },
    // Games.
    Job { name: "games_all", commands: &["games all --traces 3 --steps 6 --judge 1 --out g > stdout"] },
    Job {
        name: "games_forms",
        commands: &[
            "games games/tic_tac_toe.kif games/buttons_and_lights.kif --traces 10 --steps 10 --judge 2 \
             --format dat,parquet,jsonl,popper,aleph,metagol,ilasp --out g > stdout",
            "games baselines g > baselines.txt",
            "games score g/tic_tac_toe.reference.pl g/tic_tac_toe_next_test.dat > right.txt",
            "games score learned.pl g/tic_tac_toe_next_test.dat > wrong.txt",
        ],
    },
    Job {
        name: "games_options",
        commands: &["games games/coins.kif games/minimal_decay.kif --traces 10 --steps 10 --judge 2 \
             --format dat,parquet,jsonl,popper,aleph,metagol,ilasp --balance --explicit-negatives \
             --max-negatives 5 --noise 0.1 --drop 0.1 --derived --out g > stdout"],
    },
    Job {
        name: "games_play",
        commands: &["games games/rock_paper_scissors.kif games/tic_tac_toe.kif --traces 4 --steps 6 \
             --play goal-seeking --split-by trace --derived --out g > stdout"],
    },
    Job {
        name: "games_tell",
        commands: &[
            "games list > list.txt",
            "games types games/tic_tac_toe.kif > types.txt",
            "games check games/tic_tac_toe.kif games/coins.kif games/sokoban.kif > check.txt",
        ],
    },
    Job {
        name: "games_items",
        commands: &["games items tic_tac_toe coins -n 150 --traces 20 --depth 0-1 \
                     --format parquet,jsonl,csv --quiet --out g"],
    },
    Job {
        name: "games_items_generic",
        commands: &["games items tic_tac_toe games/coins.kif -n 150 --traces 20 --depth 0,2 --generic \
                     --mix verify=1,other=1 --splits train=1,test=1 --format parquet,jsonl,csv --quiet --out g"],
    },
    Job {
        name: "halma",
        commands: &[
            "halma gen --train 4 --random 3 --test 3 --seed 1 --out mazes",
            "halma play mazes --agent explorer --seed 1 --log explorer.jsonl",
            "halma test --memory explorer.jsonl --mazes 2 --seed 1 --out tests",
            "halma score mazes explorer.jsonl --format json > scores.json",
            "halma render mazes --log explorer.jsonl --out trial.svg",
            "halma render mazes --panel 4,1 --out panel.png",
            "halma items -n 120 --seed 1 --format parquet,jsonl --out items",
            "halma items -n 60 --level 1 --depth 0 --pictures --format jsonl --out pictures",
        ],
    },
    Job {
        name: "iq",
        commands: &[
            "iq sample -n 12 --seed 1 --out sampled --quiet",
            "iq audit -n 6 --seed 1 --details audit.jsonl > audit.txt",
            "iq run --agent random,greedy,uct,tabular,planner,never -n 4 --budget 40000 --seed 1 --out run --quiet",
            "iq run --agent random,greedy -n 3 --budget 40000 --pace 900 --seed 1 --out paced --quiet",
            "iq ladder --agent random,greedy,uct -n 6 --budget 40000 --seed 1 --out ladder --quiet",
            "iq report run ladder --html page.html > report.txt",
            "iq report run --format json > report.json",
        ],
    },
    Job {
        name: "games_items_all",
        commands: &["games items all -n 40 --traces 10 --steps 10 --judge 1 --format jsonl --quiet --out g"],
    },
    // Rules.
    Job {
        name: "rules_chain",
        commands: &["rules --category chain --depth 3 --recursive --format parquet,jsonl,csv --out r"],
    },
    Job {
        name: "rules_rdg",
        commands: &[
            "rules --category rdg --depth 3 --seed 5 --format parquet,jsonl,csv --out r > stdout",
            "rules score --original r/rules.txt --support r/eval-support.txt --learned mine=learned.txt \
             --learned whole=r/rules.txt > score.txt",
            "rules score --original r/rules.txt --support r/eval-support.txt --learned learned.txt \
             --universe rudas --per-predicate --format json > score.json",
            "rules score --original r/rules.txt --support r/eval-support.txt --learned learned.txt \
             --format csv > score.csv",
            "rules score --original r/rules.txt --support r/eval-support.txt --learned learned.txt \
             --format latex > score.tex",
        ],
    },
    Job {
        name: "rules_drdg",
        commands: &[
            "rules --category drdg --depth 3 --max-or 3 --arity 1-3 --format parquet,jsonl,csv --out r",
        ],
    },
    Job {
        name: "rules_mixed",
        commands: &["rules --category mixed --size S --components 2-3 --shared-target --targets together \
                     --noise 0.2-0.4 --terms head=2,earlier=3,constant=1,fresh=3 --questions 150 --out r"],
    },
    Job {
        name: "rules_suite",
        commands: &[
            "rules suite v0 --extras none --out v",
            "rules bench v > bench.txt",
            "rules bench v --format csv > bench.csv",
            "rules bench v --format json > bench.json",
            "rules bench v --format latex > bench.tex",
        ],
    },
];

/// Jobs that write so many files that each folder of files has one hash.
const BY_FOLDER: &[&str] = &["rules_suite"];

/// What to do about a difference.
const HINT: &str = "
If a difference is meant, run `RACGEN_PIN=write cargo test --test pins`, and add a line to CHANGELOG.md that says what
changed for whom.";

/// A hash for each path.
type Hashes = BTreeMap<String, String>;

type Outcome<T> = Result<T, String>;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn pin(job: &Job) -> PathBuf {
    here("tests/pins").join(format!("{}.sha256", job.name))
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Puts into the folder what the commands read.
fn lay_out(folder: &Path) {
    fs::create_dir(folder.join("games")).unwrap();
    for (name, path) in paths(&here("tests/pins/given")) {
        fs::copy(path, folder.join(name)).unwrap();
    }
    for (name, path) in paths(&here("games")).into_iter().filter(|(name, _)| name.ends_with(".kif")) {
        fs::copy(path, folder.join("games").join(name)).unwrap();
    }
}

/// Predictions for a data set's test split: its answers, but each time after so many that of the item before.
fn predict(folder: &Path, data: &str, every: usize) -> Vec<u8> {
    let rows = racgen::data::read::rows::rows(&folder.join(data)).unwrap().map(Result::unwrap);
    let tests: Vec<_> = rows.filter(|row| &*row.split == "test").collect();
    let mut lines = String::new();
    for (n, row) in tests.iter().enumerate() {
        let answer = if n % every == every - 1 { &tests[n - 1].answer } else { &row.answer };
        lines += &serde_json::json!({ "id": row.id, "prediction": answer }).to_string();
        lines.push('\n');
    }
    lines.into_bytes()
}

/// Runs a command; what it prints goes into the file behind `>`.
fn run(command: &str, folder: &Path) -> Outcome<()> {
    let (line, file) = command.split_once(" > ").map_or((command, None), |(line, file)| (line, Some(file)));
    let words: Vec<&str> = line.split_whitespace().collect();
    let printed = match words[..] {
        ["predict", data, every] => predict(folder, data, every.parse().unwrap()),
        _ => racgen(&words, folder)?,
    };
    if let Some(file) = file {
        fs::write(folder.join(file), printed).unwrap();
    }
    Ok(())
}

fn racgen(words: &[&str], folder: &Path) -> Outcome<Vec<u8>> {
    let ran = Command::new(env!("CARGO_BIN_EXE_racgen")).args(words).current_dir(folder).output().unwrap();
    // An audit that finds a fault ends with 1, and its report is as good a pin as any.
    let found_fault = words[0] == "audit" && ran.status.code() == Some(1);
    if ran.status.success() || found_fault {
        return Ok(ran.stdout);
    }
    Err(format!("  racgen {}\n  {}: {}", words.join(" "), ran.status, String::from_utf8_lossy(&ran.stderr)))
}

/// Manifests and cards hold the command and racgen's version, and are not pinned; nor are hidden files.
fn is_pinned(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    !["manifest.json", "README.md"].contains(&name) && !name.starts_with('.')
}

/// A file's bytes, in reports without racgen's version.
fn bytes(name: &str, path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    if !name.ends_with("audit.json") && !name.ends_with("audit.html") {
        return bytes;
    }
    String::from_utf8(bytes).unwrap().replace(env!("CARGO_PKG_VERSION"), "VERSION").into_bytes()
}

/// Runs a job and hashes what it wrote.
fn made(job: &Job) -> Outcome<Hashes> {
    let folder = tempfile::tempdir().unwrap();
    lay_out(folder.path());
    let given = paths(folder.path());
    for command in job.commands {
        run(command, folder.path())?;
    }
    let mut hashes = Hashes::new();
    for (name, path) in paths(folder.path()) {
        if is_pinned(&name) && !given.contains_key(&name) {
            let hash = hash(&bytes(&name, &path));
            hashes.insert(name, hash);
        }
    }
    Ok(if BY_FOLDER.contains(&job.name) { by_folder(&hashes) } else { hashes })
}

/// One hash for all files of a folder: that of their lines.
fn by_folder(hashes: &Hashes) -> Hashes {
    let mut folders: BTreeMap<String, Hashes> = BTreeMap::new();
    for (name, hash) in hashes {
        let folder = name.rsplit_once('/').map_or(name.clone(), |(folder, _)| format!("{folder}/"));
        folders.entry(folder).or_default().insert(name.clone(), hash.clone());
    }
    folders.into_iter().map(|(folder, hashes)| (folder, hash(written(&hashes).as_bytes()))).collect()
}

/// The lines of `sha256sum`.
fn written(hashes: &Hashes) -> String {
    hashes.iter().map(|(name, hash)| format!("{hash}  {name}\n")).collect()
}

fn read(text: &str) -> Hashes {
    let pairs = text.lines().filter_map(|line| line.split_once("  "));
    pairs.map(|(hash, name)| (name.to_owned(), hash.to_owned())).collect()
}

/// What is said of each file that is not as pinned.
fn differences(pinned: &Hashes, made: &Hashes) -> String {
    let mut told = String::new();
    for (name, hash) in made {
        match pinned.get(name) {
            None => told += &format!("  new      {name}\n"),
            Some(other) if other != hash => told += &format!("  changed  {name}\n"),
            Some(_) => {}
        }
    }
    for name in pinned.keys().filter(|name| !made.contains_key(*name)) {
        told += &format!("  missing  {name}\n");
    }
    told
}

/// A command as one would type it; predictions are the test's own.
fn told_command(command: &str) -> String {
    let program = if command.starts_with("predict ") { "" } else { "racgen " };
    format!("  {program}{command}\n")
}

/// Writes the pin of a job, or compares it with what the job wrote.
fn settle(job: &Job, write: bool) -> Outcome<()> {
    let made = made(job)?;
    if write {
        fs::write(pin(job), written(&made)).unwrap();
        return Ok(());
    }
    let pinned = fs::read_to_string(pin(job)).unwrap_or_default();
    let told = differences(&read(&pinned), &made);
    if told.is_empty() {
        return Ok(());
    }
    Err(job.commands.iter().map(|command| told_command(command)).collect::<String>() + &told)
}

/// The pins of jobs that are no more.
fn orphans() -> Vec<String> {
    let known: Vec<String> = JOBS.iter().map(|job| format!("{}.sha256", job.name)).collect();
    let names = paths(&here("tests/pins")).into_keys();
    names.filter(|name| name.ends_with(".sha256") && !known.contains(name)).collect()
}

#[test]
fn every_file_is_as_pinned() {
    let write = std::env::var_os("RACGEN_PIN").is_some_and(|mode| mode == "write");
    let open = Mutex::new(JOBS.iter());
    let faults = Mutex::new(Vec::new());
    let work = || {
        loop {
            let Some(job) = open.lock().unwrap().next() else { break };
            if let Err(told) = settle(job, write) {
                faults.lock().unwrap().push(format!("job `{}`\n{told}", job.name));
            }
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));

    let mut faults = faults.into_inner().unwrap();
    for name in orphans() {
        match write {
            true => fs::remove_file(here("tests/pins").join(name)).unwrap(),
            false => faults.push(format!("tests/pins/{name} is of no job\n")),
        }
    }
    assert!(faults.is_empty(), "{}{}", faults.join("\n"), if write { "" } else { HINT });
}
