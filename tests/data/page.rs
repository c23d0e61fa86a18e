//! Promise: `audit.html` shows its verdict first and fits a desk and a phone, by day and by night. A browser looks at
//! it; without Chromium the tests say so and pass.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use racgen::data::row::Row;
use serde_json::Value;

use crate::browser::{chromium, look};

fn racgen(arguments: &[&str], folder: &Path) -> i32 {
    let run = Command::new(env!("CARGO_BIN_EXE_racgen")).args(arguments).current_dir(folder).output();
    run.unwrap().status.code().unwrap()
}

/// Tells what a reader of the page sees: its colours, what stands at the top, and what sticks out at the right.
const PROBE: &str = r#"<script>addEventListener("load", () => {
  const root = document.documentElement, box = e => e.getBoundingClientRect();
  const inside = e => e.closest(".scroll");
  const out = [...document.body.querySelectorAll("*")].filter(e => !inside(e) && box(e).right > innerWidth + 1);
  const seen = e => e && box(e).width > 0 && box(e).height > 0;
  const colour = /\d+/g, [r, g, b] = getComputedStyle(document.body).backgroundColor.match(colour).map(Number);
  parent.postMessage(JSON.stringify({
    width: innerWidth, scroll: root.scrollWidth, background: (r + g + b) / 3,
    verdict: document.querySelector("h1").innerText, verdict_bottom: box(document.querySelector(".verdict")).bottom,
    first: document.querySelector("h1").compareDocumentPosition(document.querySelector("h2")) & 4,
    charts: [...document.querySelectorAll("figure svg")].filter(seen).length,
    bars: [...document.querySelectorAll("figure rect")].filter(seen).length,
    examples: [...document.querySelectorAll("details[open]")].map(e => e.innerText),
    small: [...document.querySelectorAll("p,td,th,li")].filter(e => parseFloat(getComputedStyle(e).fontSize) < 12).length,
    out: out.slice(0, 5).map(e => e.outerHTML.slice(0, 80)),
  }), "*");
});</script></body>"#;

/// A data set without faults and one with some, audited: their pages.
fn pages(folder: &Path) -> [PathBuf; 2] {
    let make = ["-d", "blocks,dwr", "-n", "400", "--level", "1,4", "--depth", "1-2", "--out", "good", "-q"];
    assert_eq!(racgen(&make, folder), 0);
    assert_eq!(racgen(&["audit", "good", "-q"], folder), 0);
    let rows = racgen::data::read::rows::rows(&folder.join("good")).unwrap().map(Result::unwrap);
    let mut rows: Vec<Row> = rows.collect();
    for row in rows.iter_mut().step_by(9) {
        row.answer = if row.answer == "yes" { "no".into() } else { "yes".into() };
    }
    rows[3].question =
        "Is_this_word_so_long_that_no_phone_can_show_it_in_one_line,_however_small_its_letters?".into();
    let lines: Vec<String> = rows.iter().map(|row| serde_json::to_string(row).unwrap()).collect();
    fs::create_dir(folder.join("bad")).unwrap();
    fs::write(folder.join("bad/train.jsonl"), lines.join("\n")).unwrap();
    assert_eq!(racgen(&["audit", "bad", "-q"], folder), 1);
    ["good", "bad"].map(|name| folder.join(name).join("audit.html"))
}

#[test]
fn the_page_fits_every_window() {
    let Some(browser) = chromium() else {
        crate::skipped::skip("the page of the audit", "chromium");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    for (page, verdict) in pages(folder.path()).iter().zip(["Passed", "Failed"]) {
        for (width, dark) in [(1280, false), (1280, true), (390, false), (390, true)] {
            let seen = look(&browser, page, width, dark, PROBE);
            let place = format!("{verdict}, {width} pixels, dark: {dark}: {seen}");
            assert_eq!(seen["width"], width, "{place}");
            assert_eq!(seen["verdict"], verdict, "{place}");
            assert!(seen["verdict_bottom"].as_f64().unwrap() < 400.0 && seen["first"] == 4, "{place}");
            assert!(
                seen["scroll"].as_u64().unwrap() <= u64::from(width) && seen["out"] == Value::Array(vec![]),
                "{place}"
            );
            assert!(seen["charts"].as_u64().unwrap() >= 5 && seen["bars"].as_u64().unwrap() >= 40, "{place}");
            assert_eq!(seen["small"], 0, "{place}");
            let light = seen["background"].as_f64().unwrap();
            assert!(if dark { light < 60.0 } else { light > 220.0 }, "{place}");
            let shown = seen["examples"].as_array().unwrap();
            assert_eq!(shown.len(), usize::from(verdict == "Failed"), "{place}");
            for part in ["Initial state", "Actions", "Question", "Answer in the row"] {
                assert!(shown.iter().all(|text| text.as_str().unwrap().contains(part)), "{place}");
            }
        }
    }
}

#[test]
fn a_page_that_sticks_out_is_noticed() {
    let Some(browser) = chromium() else {
        crate::skipped::skip("the page of the audit", "chromium");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("wide.html");
    let text = "<!doctype html><body><div class=\"verdict\"><h1>Wide</h1></div><h2>x</h2>\
                <p style=\"width:600px\">wide</p></body>";
    fs::write(&page, text).unwrap();
    let seen = look(&browser, &page, 390, false, PROBE);
    assert!(seen["scroll"].as_u64().unwrap() > 390 && !seen["out"].as_array().unwrap().is_empty(), "{seen}");
}
