//! The compiled schemas of this kind, built once.

use std::sync::LazyLock;

use holdpoint_check::codes;
use holdpoint_schema::Schema;
use holdpoint_sdk::schemas as sources;
use serde_json::{Value, json};

codes! {
    // Those that a schema names itself (`x-code`) borrow the sentences of its keywords.
    /// the member `manifestVersion` is not 1
    INVALID_MANIFEST_VERSION: Error, "";
    /// an id outside its grammar
    INVALID_ID: Error, "";
    /// the text is no SemVer 2.0 version
    INVALID_SEMVER: Error, "";
    /// a slot of another kind
    INVALID_SLOT: Error, "";
    /// a node has an unknown type
    INVALID_WIDGET: Error, "";
    /// it is an `expect` without operator
    TEST_EMPTY_EXPECT: Error, "";
}

const MARKS: &[&str] = &["x-syntax", "x-ref", "x-icons", "x-bindable"];

static MANIFEST: LazyLock<Schema> = LazyLock::new(|| Schema::compile(source(sources::MANIFEST), MARKS));
static WIDGET: LazyLock<Schema> = LazyLock::new(|| Schema::compile(source(sources::WIDGET), MARKS));
static FIXTURE: LazyLock<Schema> = LazyLock::new(|| {
    let definitions = source(sources::MANIFEST).get("$defs").cloned().unwrap_or_default();
    Schema::compile(json!({"$ref": "#/$defs/fixture/else", "$defs": definitions}), MARKS)
});

pub fn manifest() -> &'static Schema {
    &MANIFEST
}

pub fn widget() -> &'static Schema {
    &WIDGET
}

/// A synthetic fixture in a file: the object form of the manifest's `fixture`.
pub fn fixture() -> &'static Schema {
    &FIXTURE
}

fn source(text: &str) -> Value {
    serde_json::from_str(text).expect("the schemas that are compiled in are JSON")
}
