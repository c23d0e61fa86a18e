//! Promise: the page of a data set shows each item with its pictures, hides the answer until it is asked for, listens to
//! keys, filters and addresses, fits a desk and a phone by day and by night, and needs nothing else. A browser looks at it;
//! without Chromium the tests say so and pass.

use std::fs;

use serde_json::Value;

use crate::browser::{chromium, look};
use crate::commands::racgen;

/// Uses the page as a reader does, and tells what came of it.
const PROBE: &str = r##"<script>addEventListener("load", () => {
  const $ = (s, of = document) => of.querySelector(s), all = s => [...document.querySelectorAll(s)], seen = {};
  const box = e => e.getBoundingClientRect(), key = name => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
  const question = () => $(".question").innerText, id = () => location.hash.slice(1);
  const data = JSON.parse($("#data").textContent);
  seen.items = data.items.length;
  seen.listed = all("#list a").length;
  seen.width = innerWidth; seen.scroll = document.documentElement.scrollWidth;
  const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
  seen.background = (r + g + b) / 3;
  const first = question();
  seen.in_view = box($("[aria-current]")).top >= box($("#list")).top - 1 && box($("[aria-current]")).top < box($("#list")).bottom;
  seen.pictures = all("main svg").length;
  seen.hidden = !$("#answer") && !$("main").innerText.includes("Answer");
  key("a"); seen.answer = $("#answer") && $("#answer").innerText; seen.wanted = data.items[0].answer;
  key("a"); seen.hidden_again = !$("#answer");
  key("."); seen.step = $("#step") && $("#step").innerText; key(","); seen.back = $("#step") && $("#step").innerText;
  seen.marked = all('[data-marked="true"]').length;
  key("j"); seen.moved = question() !== first || id() === data.items[1].id; seen.address = id(); seen.second = data.items[1].id;
  key("k"); seen.returned = id() === data.items[0].id;
  $("#next").click(); seen.clicked = id() === data.items[1].id;
  all("#list a")[2].click(); seen.chosen = id() === data.items[2].id && $("[aria-current]").getAttribute("href").slice(1) === id();
  location.hash = "#" + data.items[data.items.length - 1].id; follow(); seen.linked = $("dl").innerText.includes(data.items[data.items.length - 1].id);
  const domain = $("select[name=domain]"); domain.value = "dwr"; domain.dispatchEvent(new Event("change"));
  seen.filtered = all("#list a").length; seen.dwr = data.items.filter(item => data.texts[item.domain] === "dwr").length;
  seen.told = $("#count").innerText;
  const cut = [], texts = [];
  for (let n = 0; n < Math.min(left.length, 12); n++) {
    go(n); isAnswered = true; show();
    for (const e of all("main p,main li,main dd,main figcaption,nav a")) if (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline") cut.push(e.outerHTML.slice(0, 90));
    for (const svg of all("main svg")) {
      const frame = box(svg);
      for (const t of svg.querySelectorAll("text")) { const b = box(t); if (b.left < frame.left - 1 || b.right > frame.right + 1 || b.top < frame.top - 2 || b.bottom > frame.bottom + 2) texts.push(t.textContent); }
    }
  }
  seen.cut = cut.slice(0, 5); seen.texts = texts.slice(0, 5);
  const inside = e => e.closest("svg,nav"), out = all("body *").filter(e => !inside(e) && box(e).width && box(e).right > innerWidth + 1);
  seen.out = out.slice(0, 5).map(e => e.outerHTML.slice(0, 90));
  seen.faults = faults;
  parent.postMessage(JSON.stringify(seen), "*");
});</script></body>"##;

#[test]
fn the_page_is_leafed_through() {
    let Some(browser) = chromium() else {
        crate::skipped::skip("the page that shows a data set", "chromium");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let make = "-d blocks,dwr,grid -n 60 --level 1,3 --depth 2,4 --rationale --format jsonl --out good -q";
    let (code, said) = racgen(make, at);
    assert_eq!(code, 0, "{said}");
    let (code, said) = racgen("explore good --items 90 --seed 1", at);
    assert_eq!(code, 0, "{said}");
    let page = at.join("good/explore.html");
    for (width, dark) in [(1280, false), (1280, true), (390, false), (390, true)] {
        let seen = look(&browser, &page, width, dark, PROBE);
        let place = format!("{width} pixels, dark: {dark}: {seen:#}");
        assert_eq!(
            (&seen["items"], &seen["listed"], &seen["width"]),
            (&90.into(), &90.into(), &width.into()),
            "{place}"
        );
        assert!(
            seen["scroll"].as_u64().unwrap() <= u64::from(width) && seen["out"] == Value::Array(vec![]),
            "{place}"
        );
        let light = seen["background"].as_f64().unwrap();
        assert!(if dark { light < 60.0 } else { light > 220.0 }, "{place}");
        assert_eq!(seen["pictures"], 2, "{place}");
        for so in ["in_view", "hidden", "hidden_again", "moved", "returned", "clicked", "chosen", "linked"] {
            assert_eq!(seen[so], true, "{so}: {place}");
        }
        assert!(seen["answer"].as_str().unwrap().starts_with(seen["wanted"].as_str().unwrap()), "{place}");
        assert_eq!(seen["address"], seen["second"], "{place}");
        let step = seen["step"].as_str().unwrap();
        assert!(step.starts_with("Action 2 of ") && step.contains(". "), "{place}");
        assert!(
            seen["back"].as_str().unwrap().starts_with("Action 1") && seen["marked"].as_u64().unwrap() > 0,
            "{place}"
        );
        let (filtered, dwr) = (seen["filtered"].as_u64().unwrap(), seen["dwr"].as_u64().unwrap());
        assert!(filtered == dwr && dwr > 0 && dwr < 90, "{place}");
        assert!(seen["told"].as_str().unwrap().starts_with(&format!("{dwr} of 90")), "{place}");
        for none in ["cut", "texts", "faults"] {
            assert_eq!(seen[none], Value::Array(vec![]), "{none}: {place}");
        }
    }
}

#[test]
fn a_thousand_items_are_small() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let make =
        "-d blocks,dwr,logistics,driverlog -n 500 --level 2,4 --depth 5,10 --format jsonl --out many -q";
    assert_eq!(racgen(make, at).0, 0);
    let (code, said) = racgen("explore many", at);
    assert_eq!(code, 0, "{said}");
    let page = fs::read_to_string(at.join("many/explore.html")).unwrap();
    println!("{said}");
    assert!(said.starts_with("1000 items") && page.len() < 10_000_000, "{} bytes: {said}", page.len());
    assert!(page.contains("\"pictures\"") && !page.contains("http:") && !page.contains("https:"));
}
