//! Promise: items with pictures show what is not told, in looks that differ, of which one split has its own; they are read back,
//! and what cannot be drawn legibly is refused.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use racgen::data::columns::image_of;
use racgen::data::read::rows::rows;
use racgen::data::row::{ExtraValue, Row};
use racgen::data::training::style::Style;
use racgen::pictures::style::{HELD_OUT, PALETTES};

use crate::commands::racgen;

/// The rows of a folder.
fn items(folder: &Path) -> Vec<Row> {
    rows(folder).unwrap().map(Result::unwrap).collect()
}

/// The side of a PNG of equal sides, and its colour in the corner.
fn looked_at(bytes: &[u8]) -> (u32, String) {
    let mut reader = png::Decoder::new(bytes).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.color_type), (info.height, png::ColorType::Rgb));
    (info.width, format!("#{:02x}{:02x}{:02x}", pixels[0], pixels[1], pixels[2]))
}

const ASKED: &str = "-d blocks,logistics -l 1,3 --depth 2 -n 60 --seed 1 --holdout-looks -q";

#[test]
fn a_picture_takes_the_place_of_statements_and_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (code, said) = racgen(&format!("{ASKED} --tell picture --threads 1 --out one"), at);
    assert_eq!(code, 0, "{said}");
    assert_eq!(racgen(&format!("{ASKED} --tell picture --threads 2 --out two"), at).0, 0);
    assert_eq!(racgen(&format!("{ASKED} --tell both --format jsonl --out both"), at).0, 0);
    let one = items(&at.join("one"));
    assert_eq!(one.len(), 120);
    assert_eq!(one, items(&at.join("two")));
    let mut looks = BTreeSet::new();
    for row in &one {
        let (side, paper) = looked_at(&image_of(row));
        assert_eq!(side, 512);
        let place = |papers: &[racgen::pictures::style::Palette]| papers.iter().any(|p| p.paper == paper);
        assert_eq!(place(&PALETTES[HELD_OUT..]), &*row.split == "test_looks", "{paper} in {}", row.split);
        looks.insert(paper);
        // Words name the objects only.
        assert!(row.initial_state.contains("picture"), "{}", row.initial_state);
        for object in row.objects.iter() {
            assert!(row.initial_state.contains(&*object.name), "{} in {}", object.name, row.initial_state);
        }
        let kinds: BTreeSet<&str> = row.objects.iter().map(|object| &*object.kind).collect();
        assert_eq!(row.initial_state.matches(". ").count(), kinds.len(), "{}", row.initial_state);
    }
    assert!(looks.len() >= 4, "{looks:?}");
    // The same items are told in words besides.
    let both = items(&at.join("both"));
    for (shown, told) in one.iter().zip(&both) {
        assert_eq!(image_of(shown), image_of(told));
        assert_eq!(
            (&shown.facts, &shown.question, &shown.answer),
            (&told.facts, &told.question, &told.answer)
        );
        assert!(
            !told.initial_state.contains("picture") && told.initial_state.len() > shown.initial_state.len()
        );
    }
    // The command draws the picture of a row again.
    for row in [0, 50] {
        let data = if row == 0 { "one/blocks" } else { "one/logistics" };
        let draw = format!("draw {} --data {data} --row {} --out {row}.png", &data[4..], row % 40);
        assert_eq!(racgen(&draw, at).0, 0);
        let there = items(&at.join(data));
        assert!(fs::read(at.join(format!("{row}.png"))).unwrap() == image_of(&there[row % 40]).to_vec());
    }
    for data in ["one", "both"] {
        let (code, said) = racgen(&format!("audit {data}"), at);
        assert_eq!(code, 0, "{said}");
        assert_eq!(said.contains("initial state of 120 items stands in a picture"), data == "one", "{said}");
    }
}

#[test]
fn a_picture_of_something_else_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let made = "-d dwr -l 1 --depth 1 -n 20 --splits train=1 --tell picture --format jsonl --out d -q";
    assert_eq!(racgen(made, at).0, 0);
    let file = at.join("d/data/train-00000-of-00001.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let mut lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let other = lines.iter().find(|line| line["image"] != lines[0]["image"]).unwrap().clone();
    lines[0]["image"] = other["image"].clone();
    lines[1]["look"] = 7.into();
    lines[2]["image"] = "".into();
    let changed: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(&file, changed).unwrap();
    let (code, said) = racgen("audit d", at);
    assert_ne!(code, 0);
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(at.join("d/audit.json")).unwrap()).unwrap();
    let troubles = report["reading"]["troubles"].as_object().unwrap();
    assert_eq!(troubles.values().filter_map(serde_json::Value::as_u64).sum::<u64>(), 3, "{said}");
    // The report leads to a page of these items.
    let [report, page] =
        ["audit.html", "faults.html"].map(|file| fs::read_to_string(at.join("d").join(file)).unwrap());
    assert_eq!(page.matches("\"question\":").count(), 3);
    for line in &lines[..3] {
        let id = line["id"].as_str().unwrap();
        assert!(report.contains(&format!("faults.html#{id}")) && page.contains(&format!("\"id\":\"{id}\"")));
    }
    assert!(
        said.contains("is not the picture of what stands") && said.contains("the column image has none"),
        "{said}"
    );
    // Of mended data no page of faults is left.
    fs::write(&file, text).unwrap();
    assert_eq!(racgen("audit d", at).0, 0);
    assert!(!at.join("d/faults.html").exists());
}

#[test]
fn what_does_not_go_with_pictures_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (options, sentence) in [
        ("-d rovers -l 5 -n 20 --tell both", "cannot all be drawn so that they can be read"),
        ("-d blocks --tell picture --as generic", "--as generic tells of none"),
        ("-d blocks --tell picture --ask hidden", "leave the group out of --ask"),
        ("-d blocks --holdout-looks", "ask for them with --tell"),
        ("-d blocks --tell picture --format jsonl --style messages", "needs parquet"),
    ] {
        let (code, said) = racgen(&format!("{options} --out x -q"), folder.path());
        assert!(code != 0 && said.contains(sentence), "{options}: {said}");
        assert!(!folder.path().join("x/README.md").exists(), "{options}");
    }
}

#[test]
fn messages_have_an_image_and_text_in_parts() {
    let bytes = b"a picture".to_vec();
    let mut row = Row { id: "x".into(), question: "Where?".into(), answer: "here".into(), ..Row::default() };
    let told = Style::Messages.record(&row, false).unwrap();
    assert_eq!(told["messages"][1]["content"], "\n\nWhere?");
    assert!(told.get("images").is_none());
    row.extra.insert("image".into(), ExtraValue::Bytes(bytes));
    let shown = Style::Messages.record(&row, true).unwrap();
    let parts = serde_json::json!([{"type": "image", "text": null}, {"type": "text", "text": "\n\nWhere?"}]);
    assert_eq!(shown["messages"][1]["content"], parts);
    assert_eq!(shown["messages"][2]["content"], serde_json::json!([{"type": "text", "text": "here"}]));
    assert_eq!(shown["images"], serde_json::json!([{"bytes": "YSBwaWN0dXJl", "path": "x.png"}]));
    // So are prompts, in which trainers of models that see would otherwise find no place for the picture.
    let asked = Style::PromptCompletion.record(&row, true).unwrap();
    assert_eq!(asked["prompt"][0]["role"], "user");
    assert_eq!(asked["prompt"][0]["content"][0], serde_json::json!({"type": "image", "text": null}));
    assert_eq!(asked["completion"][0]["content"][0]["text"], "here");
    // Of a row without one, no part speaks of an image.
    row.extra.clear();
    let bare = Style::Messages.record(&row, true).unwrap();
    assert_eq!(bare["images"], serde_json::json!([]));
    assert_eq!(bare["messages"][1]["content"].as_array().unwrap().len(), 1);
}

#[test]
fn forms_and_tasks_hold_the_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let made = "-d blocks -l 1 --depth 1 -n 40 --tell picture --style messages,prompt_completion --lm-eval tasks --out d -q";
    assert_eq!(racgen(made, at).0, 0);
    // `datasets` opens the images of a form without the card, too.
    let entry = br#""images":{"_type":"List","feature":{"_type":"Image"}}"#;
    for form in ["messages", "prompt_completion"] {
        let file = fs::read(at.join(format!("d/{form}/data/train-00000-of-00001.parquet"))).unwrap();
        assert!(file.windows(entry.len()).any(|part| part == entry), "{form}");
    }
    // lm-evaluation-harness gives examples no pictures.
    assert!(at.join("tasks/racgen_cot.yaml").is_file());
    assert!(!at.join("tasks/racgen_fewshot.yaml").exists());
    assert!(fs::read_to_string(at.join("d/README.md")).unwrap().contains("list: image"));
    let task = fs::read_to_string(at.join("tasks/racgen_blocks_verify.yaml")).unwrap();
    assert!(
        task.contains("doc_to_image: !function racgen_tasks.images") && task.contains("<image>"),
        "{task}"
    );
    assert_eq!(task.matches("doc_to_text").count(), 1);
    let item = fs::read_to_string(at.join("tasks/data/racgen_blocks_verify/test.jsonl")).unwrap();
    let item: serde_json::Value = serde_json::from_str(item.lines().next().unwrap()).unwrap();
    assert!(item["image"].as_str().unwrap().starts_with("iVBORw0KGgo"));
    // What is exported of them is Parquet as well.
    assert_eq!(racgen("export d --out forms --style messages", at).0, 0);
    assert!(at.join("forms/messages/data/train-00000-of-00001.parquet").is_file());
    assert_eq!(racgen("show d --row 1", at).0, 0);
}
