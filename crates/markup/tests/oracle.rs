//! What Vite's parser finds in a page is found: pages with what parse5 says of them (`oracle/record.mjs`).

#![allow(clippy::unwrap_used)]

use holdpoint_markup::html::{Element, read};
use serde_json::{Value, json};

/// An element as it is recorded. parse5 reads each line break as `\n`.
fn recorded(element: &Element) -> Value {
    let attributes: Vec<_> = element.attributes.iter().map(|each| [&each.name, &each.value]).collect();
    let text = matches!(element.name.as_str(), "script" | "style").then(|| {
        let text = element.content.as_ref().map_or("", |content| &content.text);
        text.replace("\r\n", "\n").replace('\0', "\u{fffd}")
    });
    json!([element.span.start, element.span.end, element.name, attributes, text])
}

#[test]
fn recorded_pages() {
    let mut seen = 0;
    for line in include_str!("oracle/pages.jsonl").lines() {
        let page: Value = serde_json::from_str(line).unwrap();
        let text = page["text"].as_str().unwrap();
        let found: Vec<Value> = read(text).unwrap().iter().map(recorded).collect();
        for element in page["elements"].as_array().unwrap() {
            assert!(found.contains(element), "{text}\nis missing {element}\nof {found:#?}");
            seen += 1;
        }
    }
    assert!(seen > 400, "{seen}");
}
