//! What a test gives to its run beside the call: the model, attachments, answers to requests (spec: ifc-sdk.md §5, §5.1).

use holdpoint_bundle::Files;
use holdpoint_sdk::run::{Entry, EntryKind, NetworkResponse, NetworkStub, Program, TestRun};
use serde_json::{Map, Value};

use crate::{Manifest, manifest::Test};

/// The function that builds a fixture, where its module has no default export.
const BUILD: &str = "build";
/// What a builder may do.
const BUILDER_GRANT: &str = "model.create";
/// What a fixture is called that stands in the test itself.
const INLINE: &str = "(inline)";
/// The status of an answer that says none.
const OK: u16 = 200;

/// The functions that build fixtures.
pub(super) fn builders(manifest: &Manifest) -> impl Iterator<Item = Entry> {
    manifest.tests.iter().filter_map(|test| builder(test.fixture.as_str()?))
}

/// The builder that a path names; `None` for a canonical id and for content.
fn builder(path: &str) -> Option<Entry> {
    let is_module = path.starts_with("fixtures/") && path.ends_with(".js");
    is_module.then(|| Entry { module: path.to_owned(), function: BUILD.to_owned() })
}

/// The run of a test: its program on its fixture. `program` is what the test calls.
pub(super) fn run(test: &Test, files: &Files, mut program: Program) -> TestRun {
    program.files.clone_from(&test.files);
    program.network = Some(test.network.iter().filter_map(stub).collect());
    let path = test.fixture.as_str();
    let content = match path {
        None => Some(test.fixture.clone()),
        Some(path) => {
            files.get(path).filter(|_| path.ends_with(".json")).and_then(|text| serde_json::from_str(text).ok())
        }
    };
    let builder = path.and_then(builder).map(|entry| {
        let grants = vec![BUILDER_GRANT.to_owned()];
        let storage = std::collections::BTreeMap::new();
        let selection = Vec::new();
        let (kind, args) = (EntryKind::Fixture, None);
        Box::new(Program { entry, kind, args, grants, storage, selection, ..program.clone() })
    });
    TestRun { fixture: path.unwrap_or(INLINE).to_owned(), content, builder, program }
}

/// `{url, method?, status?, headers?, body}`; a body that is no text is sent as JSON.
fn stub(given: &Value) -> Option<NetworkStub> {
    let method = given.get("method").and_then(Value::as_str).unwrap_or("GET").to_ascii_uppercase();
    let status = given.get("status").and_then(Value::as_u64).and_then(|status| u16::try_from(status).ok());
    let headers = given.get("headers").and_then(Value::as_object).into_iter().flatten();
    let headers: Map<String, Value> = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.clone())).collect();
    let body = match given.get("body") {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(body) => body.to_string(),
    };
    let response = NetworkResponse { status: status.unwrap_or(OK), headers, body };
    Some(NetworkStub { url: given.get("url")?.as_str()?.to_owned(), method, response })
}
