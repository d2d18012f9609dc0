//! The range of a manifest, widened in its text (spec: authoring.md §8 "range_only").
//!
//! Only the named values are written anew: the rest of the manifest stays byte for byte.

use holdpoint_bundle::Files;
use holdpoint_check::json;

use crate::engines::{Range, Version};
use crate::limits::MAX_JSON_DEPTH;
use crate::policy::MANIFEST;

const RANGE: &str = "/engines/ifcLiteSdk";
/// A range that every released version satisfies.
const ANY: &str = ">=0.0.0";

/// The range as it is written.
pub fn written(files: &Files) -> Option<String> {
    let document = json::read(files.get(MANIFEST)?, MAX_JSON_DEPTH).ok()?;
    document.value.pointer(RANGE)?.as_str().map(str::to_owned)
}

/// The same extension for any SDK: what is tested where its own range would refuse to run at all.
pub fn trial(files: &Files) -> Files {
    with(files, &[(RANGE, ANY.to_owned())]).unwrap_or_else(|| files.clone())
}

/// The extension in its next patch version, with a range that takes `to`, and where it did not before also what is
/// compatible with it.
pub fn widened(files: &Files, to: &Version) -> Option<Files> {
    let document = json::read(files.get(MANIFEST)?, MAX_JSON_DEPTH).ok()?;
    let version = Version::parse(document.value.get("version")?.as_str()?)?;
    let named = written(files)?;
    let range = if Range::parse(&named)?.holds(to) { named } else { format!("{named} || ^{to}") };
    with(files, &[(RANGE, range), ("/version", version.next_patch().to_string())])
}

fn with(files: &Files, values: &[(&str, String)]) -> Option<Files> {
    let text = files.get(MANIFEST)?;
    let document = json::read(text, MAX_JSON_DEPTH).ok()?;
    let mut places = Vec::new();
    for (pointer, value) in values {
        document.value.pointer(pointer)?;
        let place = document.place(pointer);
        places.push((place.start..place.end, serde_json::Value::from(value.as_str()).to_string()));
    }
    places.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    let mut manifest = text.clone();
    for (place, value) in places {
        manifest.replace_range(place, &value);
    }
    let mut files = files.clone();
    files.insert(MANIFEST.to_owned(), manifest);
    Some(files)
}
