//! Items to one page of HTML that needs nothing else.

use std::collections::BTreeMap;

use serde_json::{Value, json};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Text that HTML cannot mistake for markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Texts that several items have, once each: in their place stands a number.
fn shared(items: &[Value]) -> (Vec<Value>, Vec<String>) {
    const SHARED: [&str; 5] = ["domain", "state", "rules", "actions", "context"];
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut texts = Vec::new();
    let mut items = items.to_vec();
    for item in &mut items {
        for name in SHARED {
            let Some(text) = item.get(name).and_then(Value::as_str).map(str::to_owned) else { continue };
            let number = *numbers.entry(text.clone()).or_insert_with(|| {
                texts.push(text);
                texts.len() - 1
            });
            item[name] = json!(number);
        }
    }
    (items, texts)
}

/// The page.
pub fn page(name: &str, items: &[Value]) -> String {
    let (items, texts) = shared(items);
    let data = json!({ "items": items, "texts": texts }).to_string().replace('<', "\\u003c");
    let name = escaped(name);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{name}</title>\
         <style>{STYLE}</style></head><body>\n\
         <header><h1>{name}</h1><form id=\"filters\"></form><p id=\"count\" role=\"status\"></p></header>\n\
         <div id=\"columns\"><nav id=\"list\" aria-label=\"Items\"></nav><main id=\"item\" tabindex=\"-1\"></main></div>\n\
         <footer>Keys: <kbd>j</kbd> <kbd>k</kbd> next and previous item, <kbd>,</kbd> <kbd>.</kbd> previous and next \
         action, <kbd>a</kbd> answer, <kbd>/</kbd> filters</footer>\n\
         <svg hidden></svg><script type=\"application/json\" id=\"data\">{data}</script>\n<script>{SCRIPT}</script></body></html>\n"
    )
}
