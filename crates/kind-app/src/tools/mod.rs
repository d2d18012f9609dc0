//! What a model may call in a run, and how it is answered (spec: app-builder.md §10).
//!
//! Owns the eleven tools and the scratch tree that they work on. Invariants: nothing here saves, applies or publishes;
//! tests and builds are somebody else's, asked through [`Builds`]; a result names codes and places, and what stands in a
//! file is data.

mod builds;
mod edit;
mod files;
mod gates;
mod propose;
mod scratch;
mod search;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use holdpoint_check::ApiError;
use holdpoint_kind::protocol::{Access, Tool};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub use builds::{BuildAnswer, BuildRequest, Builds, NoBuilds, TestAnswer, TestedCase};
pub use edit::CODES as EDIT_CODES;
pub use files::CODES as FILE_CODES;
pub use gates::{GATES, Verified, test_script};
pub use propose::{CODES as PROPOSE_CODES, PROPOSAL_REFUSED, Proposal, proposed};
pub use scratch::{ProjectFiles, Scratch};
pub use search::CODES as SEARCH_CODES;

/// Tests of the scratch tree, as the model calls them.
pub const TEST: &str = "run_targeted_tests";
pub const BUILD: &str = "build_project_worker";
pub const BUNDLE: &str = "prepare_static_bundle";
pub const COMPILE: &str = "compile_project";
pub const STAGE: &str = "apply_patch_dry_run";
pub const DISCARD: &str = "discard_changes";
pub const ASK: &str = "ask_user";
pub const PROPOSE: &str = "propose";

/// Definitions as models are sent them (spec: app-builder.md, data files).
const DEFINITIONS: &str = include_str!("../../data/tools.json");
/// The schema that `apply_patch_dry_run` names by its id.
pub const OPERATIONS: &str = include_str!("../../data/operations.schema.json");
const OPERATIONS_ID: &str = "vite-app/operations";

#[derive(Deserialize)]
struct Definitions {
    tools: Vec<Definition>,
}

#[derive(Deserialize)]
struct Definition {
    name: String,
    description: String,
    input_schema: Value,
}

/// All tools, in the order of their data.
static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    let all: Definitions = serde_json::from_str(DEFINITIONS).expect("the definitions that are compiled in are JSON");
    all.tools.into_iter().map(tool).collect()
});

/// Those of a run that may only look.
static LOOKING: LazyLock<Vec<Tool>> =
    LazyLock::new(|| TOOLS.iter().copied().filter(|tool| tool.access == Access::Read || tool.name == ASK).collect());

/// The tools of a run; `edits`: whether it may stage.
pub fn tools(edits: bool) -> &'static [Tool] {
    if edits { &TOOLS } else { &LOOKING }
}

/// A definition that lives as long as the program, as protocols hold their tools.
fn tool(Definition { name, description, mut input_schema }: Definition) -> Tool {
    name_operations(&mut input_schema);
    let access = match name.as_str() {
        STAGE | DISCARD => Access::Stage,
        ASK | PROPOSE => Access::End,
        _ => Access::Read,
    };
    Tool { name: name.leak(), about: description.leak(), schema: input_schema.to_string().leak(), access }
}

/// Puts the schema of operations where it is named.
fn name_operations(schema: &mut Value) {
    let Some(operations) = schema.pointer_mut("/properties/operations") else { return };
    if operations.get("$ref").and_then(Value::as_str) != Some(OPERATIONS_ID) {
        return;
    }
    let mut own: BTreeMap<String, Value> =
        serde_json::from_str(OPERATIONS).expect("the schema that is compiled in is JSON");
    own.retain(|name, _| !name.starts_with('$'));
    *operations = json!(own);
}

/// Arguments whose schema was asked before; what is odd all the same is as if it were not there.
fn read<T: DeserializeOwned + Default>(arguments: &Value) -> T {
    T::deserialize(arguments).unwrap_or_default()
}

/// Runs a tool on a scratch tree. Errors are what the model hears: none of them ends a run by itself.
pub async fn run(
    scratch: &RefCell<Scratch>,
    builds: &impl Builds,
    name: &str,
    arguments: &Value,
) -> Result<Value, ApiError> {
    match name {
        "list_files" => Ok(files::list(&scratch.borrow(), &read(arguments))),
        "read_file" => files::read(&scratch.borrow(), &read(arguments)),
        "search_code" => search::search(&scratch.borrow(), &read(arguments)),
        STAGE => edit::stage(&mut scratch.borrow_mut(), &read(arguments)),
        DISCARD => edit::discard(&mut scratch.borrow_mut(), &read(arguments)),
        COMPILE => Ok(gates::compile(scratch)),
        TEST => gates::test(scratch, builds, &read(arguments)).await,
        BUILD => gates::build(scratch, builds).await,
        BUNDLE => gates::bundle(scratch, builds).await,
        ASK => Ok(arguments.clone()),
        _ => propose::propose(scratch, builds, &read(arguments)).await,
    }
}

#[cfg(test)]
mod tests;
