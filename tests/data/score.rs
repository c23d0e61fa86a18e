//! Promise: `racgen score` says how many predictions are right, by every grouping, and what guessing would give.

use std::fs;
use std::path::Path;
use std::process::Command;

use racgen::data::row::Row;
use serde_json::{Value, json};

fn racgen(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_racgen")).args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn test_rows(folder: &Path) -> Vec<Row> {
    let make = [
        "-d",
        "blocks",
        "--level",
        "1-2",
        "--depth",
        "2",
        "-n",
        "400",
        "--splits",
        "train=50,test=50",
        "--out",
        "d",
        "-q",
    ];
    assert_eq!(racgen(&make, folder).0, 0);
    let rows = racgen::data::read::rows::rows(&folder.join("d/data")).unwrap().map(Result::unwrap);
    rows.filter(|row| &*row.split == "test").collect()
}

fn write(path: &Path, records: impl IntoIterator<Item = Value>) {
    let lines: Vec<String> = records.into_iter().map(|r| r.to_string()).collect();
    fs::write(path, lines.join("\n")).unwrap();
}

#[test]
fn counts_what_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let rows = test_rows(path);
    // All verify questions in other words, half of the others right, one item left out.
    let others: Vec<&Row> = rows.iter().filter(|r| r.question_type != "verify").collect();
    let mut records = Vec::new();
    for row in rows.iter().filter(|r| r.question_type == "verify").skip(1) {
        let answer = if row.answer == "yes" { "True." } else { "FALSE" };
        records.push(json!({"id": row.id, "prediction": answer}));
    }
    for (number, row) in others.iter().enumerate() {
        let mut parts: Vec<&str> = row.answer.split(", ").collect();
        parts.reverse();
        let answer = if number % 2 == 0 { parts.join(" and ") } else { "something".into() };
        records.push(json!({"id": row.id, "prediction": answer}));
    }
    write(&path.join("p.jsonl"), records);
    let (code, out, error) = racgen(&["score", "mine=p.jsonl", "--gold", "d", "--as", "json"], path);
    assert_eq!(code, 0, "{error}");
    let scores: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&scores[0]["name"], &scores[0]["missing"]), (&json!("mine"), &json!(1)));
    let verify = rows.len() - others.len();
    let by_type = &scores[0]["groups"]["type"];
    assert_eq!(by_type["verify"]["items"], json!(verify));
    assert_eq!(by_type["verify"]["right"], json!(verify - 1));
    let right = by_type["count"]["right"].as_u64().unwrap() + by_type["other"]["right"].as_u64().unwrap();
    assert_eq!(right as usize, others.len().div_ceil(2));
    let names: Vec<&str> = scores.as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["mine", "most frequent answer", "question only", "the initial state's answer"]);
    for baseline in &scores.as_array().unwrap()[1..] {
        let accuracy = baseline["groups"]["type"]["verify"]["accuracy"].as_f64().unwrap();
        assert!((0.25..0.75).contains(&accuracy), "{} {accuracy}", baseline["name"]);
    }
    for (style, word) in
        [("text", "most frequent answer"), ("csv", "mine,level,N1,"), ("latex", "\\begin{tabular}{lrr}")]
    {
        let (code, out, _) = racgen(&["score", "mine=p.jsonl", "--gold", "d", "--as", style], path);
        assert!(code == 0 && out.contains(word), "{out}");
    }
}

#[test]
fn bad_predictions_are_told_with_file_and_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let rows = test_rows(path);
    let good = json!({"id": rows[0].id, "prediction": "yes"});
    let score = |file: &str| racgen(&["score", file, "--gold", "d", "--no-baselines"], path);
    for (second, word) in [
        (json!({"id": "0123", "prediction": "yes"}), "line 2: no item of `d` has the id 0123"),
        (
            json!({"id": rows[1].id, "answer": "yes"}),
            "line 2: there is no column `prediction` among answer, id",
        ),
        (json!({"id": rows[1].id, "prediction": {}}), "line 2: the column `prediction` holds neither"),
        (good.clone(), "line 2: the id"),
    ] {
        write(&path.join("p.jsonl"), [good.clone(), second]);
        let (code, _, error) = score("p.jsonl");
        assert!(code == 1 && error.contains("`p.jsonl`") && error.contains(word), "{error}");
    }
    fs::write(path.join("p.jsonl"), "").unwrap();
    assert!(score("p.jsonl").2.contains("holds no predictions"));
    fs::write(path.join("p.jsonl"), "{").unwrap();
    assert!(score("p.jsonl").2.contains("line 1"));
    let (code, _, error) = score("none.jsonl");
    assert!(code == 1 && error.contains("none.jsonl"), "{error}");
}

#[test]
fn several_files_make_the_tables_of_the_paper() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let make = ["-d", "blocks,dwr", "--level", "1-2", "--depth", "1-2", "-n", "600", "--out", "d", "-q"];
    assert_eq!(racgen(&make, path).0, 0);
    let rows = racgen::data::read::rows::rows(&path.join("d")).unwrap().map(Result::unwrap);
    let rows: Vec<Row> = rows.filter(|row| &*row.split == "test").collect();
    // One is right about short stories only, the other about all.
    let answers = |right: &dyn Fn(&Row) -> bool| -> Vec<Value> {
        let answer = |row: &Row| if right(row) { row.answer.clone() } else { "no idea".into() };
        rows.iter().map(|row| json!({"id": row.id, "prediction": answer(row)})).collect()
    };
    write(&path.join("a.jsonl"), answers(&|row| row.depth == 1));
    write(&path.join("b.jsonl"), answers(&|_| true));
    let score = |style: &str| {
        let all = ["score", "A1=a.jsonl", "A2=b.jsonl", "--gold", "d", "--no-baselines", "--as", style];
        let (code, out, error) = racgen(&all, path);
        assert_eq!(code, 0, "{error}");
        out
    };
    let text = score("text");
    let table = |title: &str| -> Vec<Vec<String>> {
        let lines = text.lines().skip_while(|line| !line.starts_with(title)).skip(1);
        let lines = lines.take_while(|line| !line.is_empty());
        lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
    };
    let by_depth = table("dwr: training against the depth of the test (as tables 16 to 21)");
    assert_eq!(by_depth[0], ["train", "/", "test", "A1", "A2"]);
    assert_eq!(by_depth[1], ["T/F", "Num", "Other", "T/F", "Num", "Other"]);
    let percents = |line: &[String]| -> Vec<String> { line[1..].iter().step_by(2).cloned().collect() };
    assert_eq!(percents(&by_depth[2]), ["100.0", "100.0", "100.0", "0.0", "0.0", "0.0"]);
    assert_eq!(percents(&by_depth[3]), ["100.0"; 6]);
    let at_depth = table("The three types of questions at A2, by domain (as table 2)");
    assert_eq!(
        (percents(&at_depth[2]), percents(&at_depth[3])),
        (vec!["0.0".into(); 6], vec!["100.0".into(); 6])
    );
    let at_level = table("Yes/no questions at N2, by domain (as table 1)");
    let verify = |depth: i32| {
        let of = |row: &&Row| &*row.domain == "dwr" && row.level == 2 && row.question_type == "verify";
        rows.iter().filter(of).filter(|row| row.depth <= depth).count() as f64
    };
    assert_eq!(percents(&at_level[1])[1], format!("{:.1}", 100.0 * verify(1) / verify(2)));
    assert!(score("latex").contains("train / test & \\multicolumn{3}{c}{A1} & \\multicolumn{3}{c}{A2} \\\\"));
    assert!(score("csv").contains("\nA1,\"domain, type and depth\",dwr count A2,"), "{}", score("csv"));
}

#[test]
fn bad_input_is_told_with_file_and_row_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let rows = test_rows(path);
    write(&path.join("p.jsonl"), rows.iter().map(|row| json!({"id": row.id, "prediction": row.answer})));
    let lines: Vec<Value> = rows.iter().map(|row| serde_json::to_value(row).unwrap()).collect();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut all = lines.clone();
        change(&mut all[2]);
        all
    };
    fs::create_dir(path.join("g")).unwrap();
    let whole = fs::read(path.join("d/data/test-00000-of-00001.parquet")).unwrap();
    let kept = [("audit.json", "older"), ("audit.html", "older still")];
    kept.iter().for_each(|(name, text)| fs::write(path.join("g").join(name), text).unwrap());
    fs::create_dir(path.join("forms")).unwrap();
    fs::write(path.join("forms/mine.txt"), "mine").unwrap();
    let broken: [(&str, &dyn Fn(), &str); 4] = [
        (
            "test.jsonl",
            &|| {
                write(
                    &path.join("g/test.jsonl"),
                    with(&|row| drop(row.as_object_mut().unwrap().remove("question"))),
                )
            },
            "`g/test.jsonl`, line 3",
        ),
        (
            "test.jsonl",
            &|| write(&path.join("g/test.jsonl"), with(&|row| row["level"] = json!("high"))),
            "`g/test.jsonl`, line 3",
        ),
        (
            "test.jsonl",
            &|| write(&path.join("g/test.jsonl"), with(&|row| row["plan"] = json!([1, 2]))),
            "`g/test.jsonl`, line 3",
        ),
        (
            "test.parquet",
            &|| fs::write(path.join("g/test.parquet"), &whole[..whole.len() / 2]).unwrap(),
            "g/test.parquet`",
        ),
    ];
    for (name, make, word) in broken {
        make();
        for command in [
            &["score", "p.jsonl", "--gold", "g"][..],
            &["audit", "g"],
            &["export", "g", "--out", "e", "--lm-eval", "t"],
        ] {
            let (code, _, error) = racgen(command, path);
            assert!(code == 1 && error.contains(word) && error.lines().count() == 1, "{command:?}: {error}");
        }
        assert!(!path.join("t").exists() && files(&path.join("e")) == 0, "half an export");
        for (name, text) in kept {
            assert_eq!(fs::read_to_string(path.join("g").join(name)).unwrap(), text);
        }
        fs::remove_file(path.join("g").join(name)).unwrap();
    }
    // The predictions may be cut off, too, or the wrong folder given.
    fs::write(path.join("p.parquet"), &whole[..whole.len() / 2]).unwrap();
    let (code, _, error) = racgen(&["score", "p.parquet", "--gold", "d"], path);
    assert!(code == 1 && error.contains("`p.parquet`"), "{error}");
    let (code, _, error) = racgen(&["export", "d", "--out", "forms"], path);
    assert!(code == 1 && error.contains("`forms` is not empty"), "{error}");
    assert_eq!(fs::read_to_string(path.join("forms/mine.txt")).unwrap(), "mine");
}

/// How many files stand below a folder.
fn files(folder: &Path) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries.flatten().map(|e| if e.path().is_dir() { files(&e.path()) } else { 1 }).sum()
}

#[test]
fn questions_about_rules_are_audited_and_scored() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let make = [
        "rules",
        "--category",
        "rdg",
        "--size",
        "XS",
        "--depth",
        "2",
        "--questions",
        "60",
        "--out",
        "r",
        "-q",
    ];
    let (code, _, error) = racgen(&make, path);
    assert_eq!(code, 0, "{error}");
    let rows = racgen::data::read::rows::rows(&path.join("r/questions")).unwrap().map(Result::unwrap);
    let rows: Vec<Row> = rows.collect();
    assert!(rows.len() >= 60);
    let (code, out, error) = racgen(&["audit", "r/questions", "--out", "."], path);
    let report: Value = serde_json::from_str(&fs::read_to_string(path.join("audit.json")).unwrap()).unwrap();
    assert_eq!(report["reading"]["read"], json!(rows.len()), "{code} {out}{error}");
    assert_eq!((&report["reading"]["unread"], &report["reading"]["troubles"]), (&json!(0), &json!({})));
    assert_eq!(report["items"], json!(rows.len()));
    write(&path.join("p.jsonl"), rows.iter().map(|row| json!({"id": row.id, "prediction": row.answer})));
    let (code, out, error) = racgen(&["score", "p.jsonl", "--gold", "r/questions", "--as", "json"], path);
    assert_eq!(code, 0, "{error}");
    let scores: Value = serde_json::from_str(&out).unwrap();
    let all = &scores[0]["groups"]["all"]["all"];
    assert_eq!((&all["right"], &all["items"]), (&json!(rows.len()), &json!(rows.len())));
    assert_eq!(scores[3]["name"], "the initial state's answer");
    assert_eq!(scores[3]["unknown"], json!(rows.len()), "these are no stories, so it has no answer");
}

#[test]
fn the_initial_state_is_asked_about_games_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let make = "games items tic_tac_toe -n 60 --depth 1 --traces 20 --splits train=1,test=1 --out g -q";
    let (code, _, error) = racgen(&make.split(' ').collect::<Vec<_>>(), path);
    assert_eq!(code, 0, "{error}");
    let rows = racgen::data::read::rows::rows(&path.join("g")).unwrap().map(Result::unwrap);
    let rows: Vec<Row> = rows.filter(|row| &*row.split == "test").collect();
    write(&path.join("p.jsonl"), rows.iter().map(|row| json!({"id": row.id, "prediction": row.answer})));
    let (code, out, error) = racgen(&["score", "p.jsonl", "--gold", "g", "--as", "json"], path);
    assert_eq!(code, 0, "{error}");
    let scores: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&scores[3]["name"], &scores[3]["unknown"]),
        (&json!("the initial state's answer"), &json!(0))
    );
    assert_eq!(scores[3]["groups"]["all"]["all"]["items"], json!(rows.len()));
}

#[test]
fn pairs_count_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let make = ["-d", "blocks", "--depth", "2", "-n", "200", "--minimal-pairs", "--out", "d", "-q"];
    assert_eq!(racgen(&make, path).0, 0);
    let rows: Vec<Row> = racgen::data::read::rows::rows(&path.join("d/data"))
        .unwrap()
        .map(Result::unwrap)
        .filter(|r| !r.pair.is_empty())
        .collect();
    // The items that others were made from are right, and of the others those with another action.
    write(
        &path.join("p.jsonl"),
        rows.iter().map(|row| {
            let right = ["", "action"].contains(&&*row.change);
            json!({"id": row.id, "prediction": if right { row.answer.as_str() } else { "something" }})
        }),
    );
    let (code, out, error) =
        racgen(&["score", "p.jsonl", "--gold", "d", "--as", "json", "--no-baselines"], path);
    assert_eq!(code, 0, "{error}");
    let scores: Value = serde_json::from_str(&out).unwrap();
    let groups = &scores[0]["groups"];
    let accuracy = |grouping: &str, group: &str| groups[grouping][group]["accuracy"].as_f64().unwrap();
    assert_eq!(accuracy("change", "none"), 1.0);
    for change in ["action", "fact", "word"] {
        let wanted = f64::from(u8::from(change == "action"));
        assert_eq!((accuracy("change", change), accuracy("pair with both right", change)), (wanted, wanted));
        let items = groups["pair with both right"][change]["items"].as_u64().unwrap() as usize;
        assert_eq!(items, rows.iter().filter(|row| row.change == change).count());
    }
}
