//! What an extension uses of the SDK, by the names of the changelog (spec: authoring.md §8 "Changelog").

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_bundle::Files;
use holdpoint_check::json::{self, Document};
use holdpoint_check::{Position, Range};
use serde::Serialize;
use serde_json::Value;

use crate::limits::MAX_JSON_DEPTH;
use crate::policy::{self, MANIFEST};
use crate::{code, entries, widgets};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Site {
    pub path: String,
    /// Where it stands; for the order.
    #[serde(skip)]
    start: Position,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
    /// Of a value of a JSON file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
}

/// Places by the name of what is used there.
#[derive(Debug, Default)]
pub struct SdkUses(BTreeMap<String, BTreeSet<Site>>);

/// Reads the files as far as they can be read: also a bundle with errors uses something.
pub fn of(files: &Files) -> SdkUses {
    let mut uses = SdkUses::default();
    let usable = policy::check(files, &mut Vec::new()).files;
    let manifest = usable.get(MANIFEST).and_then(|text| json::read(text, MAX_JSON_DEPTH).ok());
    if let Some(document) = &manifest {
        uses.manifest(document);
    }
    let called = manifest.map(|document| entries::of(&document.value)).unwrap_or_default();
    for call in code::analyse(&usable, &called).needs {
        uses.add(call.call, Site { path: call.path, start: call.range.start, range: Some(call.range), pointer: None });
    }
    for (path, text) in usable.iter().filter(|(path, _)| path.starts_with("widgets/") && path.ends_with(".json")) {
        uses.widget(path, text);
    }
    uses
}

impl SdkUses {
    /// The places of what the members name: the thing itself, or what stands below it after a dot.
    pub fn touched(&self, members: &[String]) -> Vec<Site> {
        let mut sites = BTreeSet::new();
        for member in members {
            let below = format!("{member}.");
            let named = self.0.get(member).into_iter();
            let inside = self.0.range(below.clone()..).take_while(|(name, _)| name.starts_with(&below));
            sites.extend(named.chain(inside.map(|(_, sites)| sites)).flatten().cloned());
        }
        sites.into_iter().collect()
    }

    fn add(&mut self, name: String, site: Site) {
        self.0.entry(name).or_default().insert(site);
    }

    fn value(&mut self, name: String, path: &str, document: &Document<'_>, pointer: String) {
        let start = document.range(&pointer).start;
        self.add(name, Site { path: path.to_owned(), start, range: None, pointer: Some(pointer) });
    }

    fn manifest(&mut self, document: &Document<'_>) {
        for field in document.value.as_object().into_iter().flatten().map(|(field, _)| field) {
            self.value(format!("manifest:{field}"), MANIFEST, document, format!("/{}", json::escape(field)));
        }
        for (index, capability) in list(&document.value, "capabilities") {
            let text = capability.as_str().unwrap_or_default();
            let head = text.split_once(':').map_or(text, |(head, _)| head);
            self.value(format!("capability:{head}"), MANIFEST, document, format!("/capabilities/{index}"));
        }
        for (index, test) in list(&document.value, "tests") {
            let fixture = test.get("fixture").and_then(Value::as_str).map(|id| format!("fixture:{id}"));
            if let Some(name) = fixture {
                self.value(name, MANIFEST, document, format!("/tests/{index}/fixture"));
            }
        }
    }

    fn widget(&mut self, path: &str, text: &str) {
        let Ok(document) = json::read(text, MAX_JSON_DEPTH) else { return };
        for (pointer, node) in widgets::nodes(&document.value) {
            if let Some(kind) = node.get("type").and_then(Value::as_str) {
                self.value(format!("widget:{kind}"), path, &document, pointer);
            }
        }
    }
}

fn list<'v>(root: &'v Value, member: &str) -> impl Iterator<Item = (usize, &'v Value)> {
    root.get(member).and_then(Value::as_array).into_iter().flatten().enumerate()
}
