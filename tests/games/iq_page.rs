//! Promise: the page of `racgen iq report` fits a desk and a phone, by day and by night, and loads nothing. A browser looks at
//! it; without Chromium the tests say so and pass.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::browser::{chromium, look};

/// Tells what a reader of the page sees: colours, charts, what stands in tables, and what sticks out or overlaps.
const PROBE: &str = r#"<script>addEventListener("load", () => {
  const box = e => e.getBoundingClientRect(), all = q => [...document.querySelectorAll(q)];
  const inside = e => e.closest(".scroll"), seen = e => box(e).width > 0 && box(e).height > 0;
  const out = all("body *").filter(e => !inside(e) && box(e).right > innerWidth + 1);
  const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  const texts = svg => [...svg.querySelectorAll("text")].map(box);
  const pairs = of => of.flatMap((a, i) => of.slice(i + 1).map(b => [a, b]));
  const meet = svg => pairs([...svg.querySelectorAll("text")]).filter(([a, b]) => !apart(box(a), box(b)));
  const cut = svg => texts(svg).some(t => t.left < box(svg).left - 1 || t.right > box(svg).right + 1);
  parent.postMessage(JSON.stringify({
    width: innerWidth, scroll: document.documentElement.scrollWidth, background: (r + g + b) / 3, faults,
    title: document.querySelector("h1").innerText,
    charts: all("figure svg").filter(seen).length, meet: all("svg").flatMap(meet).map(pair => pair.map(e => e.textContent)), cut: all("svg").filter(cut).length,
    legends: all(".legend").map(e => e.innerText), heads: all("h2").map(e => e.innerText),
    rows: all("tr").length, figures: all("td.n").map(e => e.innerText), out: out.slice(0, 5).map(e => e.outerHTML.slice(0, 80)),
    small: all("p,td,th,figcaption,.legend,svg text").filter(e => parseFloat(getComputedStyle(e).fontSize) < 12).length,
  }), "*");
});</script></body>"#;

fn racgen(arguments: &str, folder: &Path) {
    let run =
        Command::new(env!("CARGO_BIN_EXE_racgen")).args(arguments.split(' ')).current_dir(folder).output();
    let run = run.unwrap();
    assert!(run.status.success(), "{arguments}: {}", String::from_utf8_lossy(&run.stderr));
}

/// The page of two runs and a ladder, told together, one of them in a folder with a long name.
fn page(folder: &Path) -> PathBuf {
    let long = "a_run_in_a_folder_whose_name_is_longer_than_anybody_would_call_a_folder_of_results";
    racgen(
        &format!("iq run --agent random,greedy,uct,never -n 4 --budget 40000 --out {long} --quiet"),
        folder,
    );
    racgen("iq run --agent never -n 2 --budget 40000 --out other --quiet", folder);
    racgen("iq ladder --agent random,greedy,uct -n 4 --budget 40000 --out climbed --quiet", folder);
    racgen(&format!("iq report {long} other climbed --html both.html"), folder);
    folder.join("both.html")
}

#[test]
fn the_report_fits_every_window() {
    let Some(browser) = chromium() else {
        crate::skipped::skip("the page of iq report", "chromium");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let text = fs::read_to_string(&page).unwrap();
    for loads in [" src=", "href=", "url(", "@import", "<script", "<link"] {
        assert!(!text.contains(loads), "{loads}");
    }
    for (width, dark) in [(1280, false), (1280, true), (390, false), (390, true)] {
        let seen = look(&browser, &page, width, dark, PROBE);
        let place = format!("{width} pixels, dark: {dark}: {seen}");
        assert_eq!(seen["width"], width, "{place}");
        assert_eq!(seen["faults"], Value::Array(vec![]), "{place}");
        assert!(seen["scroll"].as_u64().unwrap() <= u64::from(width), "{place}");
        assert_eq!(seen["out"], Value::Array(vec![]), "{place}");
        assert_eq!((&seen["charts"], &seen["cut"]), (&3.into(), &0.into()), "{place}");
        assert_eq!(seen["meet"], Value::Array(vec![]), "{place}");
        assert_eq!(seen["small"], 0, "{place}");
        let light = seen["background"].as_f64().unwrap();
        assert!(if dark { light < 60.0 } else { light > 220.0 }, "{place}");
        let heads = ["Ladder", "Estimates", "Differences", "Iteration", "Ladder"];
        let told = seen["heads"].as_array().unwrap();
        assert_eq!(told.len(), heads.len(), "{place}");
        assert!(
            told.iter().zip(heads).all(|(told, head)| told.as_str().unwrap().starts_with(head)),
            "{place}"
        );
        for legend in seen["legends"].as_array().unwrap() {
            let legend = legend.as_str().unwrap();
            assert!(["random", "greedy", "uct", "never"].iter().all(|name| legend.contains(name)), "{place}");
        }
        // Heads, five agents, ten pairs, four times four iterations and two, three on the ladder.
        assert_eq!(seen["rows"], 4 + 5 + 10 + 18 + 3, "{place}");
        assert!(seen["figures"].as_array().unwrap().iter().all(|figure| figure != ""), "{place}");
    }
}

#[test]
fn a_page_with_faults_is_noticed() {
    let Some(browser) = chromium() else {
        crate::skipped::skip("the page of iq report", "chromium");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("wrong.html");
    let text = "<!doctype html><html><body><h1>Wrong</h1><p style=\"width:600px;font-size:9px\">wide</p><img src=\"none.png\">\
                <svg width=\"80\" height=\"40\"><text y=\"20\">one</text><text x=\"70\" y=\"20\">long</text>\
                <text x=\"71\" y=\"20\">two</text></svg><script>console.error('wrong')</script></body></html>";
    fs::write(&page, text).unwrap();
    let seen = look(&browser, &page, 390, false, PROBE);
    assert!(seen["scroll"].as_u64().unwrap() > 390 && !seen["out"].as_array().unwrap().is_empty(), "{seen}");
    assert_eq!(seen["faults"].as_array().unwrap().len(), 2, "{seen}");
    assert!(seen["small"] == 1 && seen["cut"] == 1, "{seen}");
    assert_eq!(seen["meet"].as_array().unwrap().len(), 1, "{seen}");
}
