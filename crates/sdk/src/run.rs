//! What a host gives to a sandbox, and what comes back (spec: ifc-sdk.md §1, §5, §6).
//!
//! A program is prepared where the checker lives and judged there again; the sandbox only runs it.

use std::collections::BTreeMap;

use holdpoint_check::{Arg, Sentence};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// One call of one entry function, with everything that it may see.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Program {
    /// The bundle's JavaScript files with their metering, path to text.
    pub modules: BTreeMap<String, String>,
    /// What the metering needs to know.
    pub metering: Metering,
    /// The entry function that is called.
    pub entry: Entry,
    /// What sort of entry function it is: decides the shape of the second parameter.
    #[serde(default)]
    pub kind: EntryKind,
    /// What the caller gave; `None` is `undefined`, which is not null.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub args: Option<Value>,
    /// Entry functions of the bundle's own commands, for `ctx.commands.invoke`.
    #[serde(default)]
    pub commands: BTreeMap<String, Entry>,
    /// Entry functions that later calls of the same activation may name: triggers, `activate`, `deactivate`. A module
    /// is loaded once in a realm, so what must be reachable in it is said before.
    #[serde(default)]
    pub further: Vec<Entry>,
    /// Ids of the bundle's own docks, for `ctx.ui`.
    #[serde(default)]
    pub docks: Vec<String>,
    /// Capabilities that the user granted, as written.
    #[serde(default)]
    pub grants: Vec<String>,
    /// Ids of the loaded models that the call sees, in their order; `None`: all of them, as they were loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub models: Option<Vec<String>>,
    /// Id of the active one of them; where there is none of that id it is the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_model: Option<String>,
    /// Elements that are selected at the start, in order.
    #[serde(default)]
    pub selection: Vec<Selected>,
    #[serde(default)]
    pub storage: BTreeMap<String, Value>,
    /// Attachments, name to text, for `bim.files`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// What answers `ctx.fetch` in a test; `None` is the host's own network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<Vec<NetworkStub>>,
    /// Lenses that the host offers, `{id, name, description}` each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lenses: Vec<Value>,
    /// Where the host's camera is, `{position, target, up}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub camera: Option<Value>,
    /// Locale → key → text.
    #[serde(default)]
    pub l10n: BTreeMap<String, BTreeMap<String, String>>,
    pub meta: Meta,
    pub profile: Profile,
    /// How the file of an exporter is saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved: Option<Saved>,
    /// Clock and randomness: `Some(name)` is deterministic and seeded with the text, `None` the host's own.
    #[serde(default)]
    pub seed: Option<String>,
}

/// How the modules of a program are metered (spec: ifc-sdk.md §6.2 "Fuel").
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metering {
    /// How every name of the metering begins; no name of the bundle does.
    pub prefix: String,
    /// Path → line, column in the metered text, column in the bundle's own: from there on until the next of the line.
    pub moved: BTreeMap<String, Vec<(u32, u32, u32)>>,
}

impl Metering {
    /// The column in the bundle's own text of a place in the metered one, both from 1.
    pub fn own_column(&self, path: &str, line: u32, column: u32) -> u32 {
        let moved = self.moved.get(path).map(Vec::as_slice).unwrap_or_default();
        let behind = moved.partition_point(|(l, c, _)| (*l, *c) <= (line, column));
        let of_line = |at: Option<&(u32, u32, u32)>| at.filter(|(l, ..)| *l == line).map(|(_, c, own)| (*c, *own));
        let before = of_line(behind.checked_sub(1).and_then(|last| moved.get(last)));
        let own = before.map_or(column, |(c, own)| own + (column - c));
        // Inside of what was put in, a place is where that begins.
        of_line(moved.get(behind)).map_or(own, |(_, next)| own.min(next))
    }
}

/// A module and the name of the function in it (spec: ifc-extension.md §6.1 "Entry function").
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Path of the module in the bundle.
    pub module: String,
    /// The top-level function that is called when the default export is no function: `run`, `activate`, …
    #[serde(default = "run")]
    pub function: String,
}

/// For `deserialize_with`: a member that stands there is `Some`, also when it is null, which is not undefined.
pub fn present<'de, D: Deserializer<'de>>(member: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(member).map(Some)
}

fn run() -> String {
    "run".to_owned()
}

/// How the file of an exporter is called and what it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Saved {
    /// Without a dot, in lower case.
    pub ending: String,
    pub mime_type: String,
    /// Stem of a file that the handler does not name.
    pub name: String,
}

/// An answer that a test has ready for a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NetworkStub {
    pub url: String,
    /// It is one of `GET` or `POST`.
    pub method: String,
    pub response: NetworkResponse,
}

/// What a request asks for, within the rules of `ctx.fetch`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NetworkRequest {
    pub url: String,
    /// It is one of `GET` or `POST`.
    pub method: String,
    pub headers: Map<String, Value>,
    pub body: Option<String>,
    /// Milliseconds until it has failed.
    pub timeout_ms: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NetworkResponse {
    pub status: u16,
    #[serde(default)]
    pub headers: Map<String, Value>,
    pub body: String,
}

/// A file that is opened before a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelFile {
    pub name: String,
    /// Its bytes, as they are.
    pub bytes: Vec<u8>,
}

/// What sort of entry function is called (spec: ifc-sdk.md §1); the names are the fields of a declarative test.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EntryKind {
    /// `args` as they are. `activate` and `deactivate` are called so too, without any.
    #[default]
    Command,
    /// A command that a context menu calls: `{entities}`.
    ContextMenu,
    /// `{event, modelId?, selection?}`; `args` is the event and may name the model, an object.
    Trigger,
    Lens,
    /// `{entities, options}`; `args` is `options`.
    Exporter,
    IdsValidator,
    /// The builder of a fixture: it is called with `bim.create` alone and answers a handle; the result is `{content}`.
    Fixture,
}

/// One program on one fixture: a declarative test that is ready to run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestRun {
    /// Id of a canonical fixture (`schemas/ifc/fixtures.json`), or what another one is called.
    pub fixture: String,
    /// A synthetic fixture (ifc-sdk.md §5.1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Value>,
    /// A call whose result's `content` is the fixture's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub builder: Option<Box<Program>>,
    pub program: Program,
}

/// An element that is selected when the call starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Selected {
    /// An `EntityRef` of a person's model.
    #[serde(rename_all = "camelCase")]
    Ref { model_id: String, express_id: u32 },
    /// By name, as tests write it.
    Name(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Meta {
    pub extension_id: String,
    pub version: String,
    pub sdk_version: String,
    pub locale: String,
}

/// Which budgets hold (ifc-sdk.md §6.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// Tests: a quarter of the memory, half of the time.
    DryRun,
    Production,
}

/// How a call ended and what it wanted to do.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Outcome {
    /// The result as JSON; `None` when the call failed, which is not the result null.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    pub failure: Option<Failure>,
    /// What it did, in the members of ifc-sdk.md §5.3.
    pub effects: Effects,
    pub logs: Vec<LogEntry>,
    pub usage: SandboxUsage,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SandboxFailure", optional_fields = nullable))]
pub struct Failure {
    /// Without the prefix `TEST_`: `THREW`, `RESULT_NOT_JSON`, `NEVER_SETTLED`, `TIMEOUT`, `MEMORY`, `STACK`,
    /// or the code of an uncaught `SdkError`.
    pub code: String,
    /// `name` of the thrown error.
    pub name: Option<String>,
    /// What happened and what to do.
    pub message: String,
    /// What the message is said from in other languages, where it is a sentence of ours.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown>", optional))]
    pub args: Map<String, Value>,
    /// `code` of a thrown `SdkError`.
    pub sdk_code: Option<String>,
    /// Members of the error's `details`.
    pub details: Option<Value>,
    /// Where in the bundle it was thrown, 1-based.
    pub at: Option<Place>,
}

impl From<Sentence> for Failure {
    fn from(Sentence { code, message, args }: Sentence) -> Self {
        Self { code: code.into_owned(), message, args, ..Self::default() }
    }
}

impl Failure {
    /// Its message, to stand in another sentence.
    pub fn told(&self) -> Value {
        if self.args.is_empty() {
            return self.message.value();
        }
        let (message, args) = (self.message.clone(), self.args.clone());
        Sentence { code: self.code.clone().into(), message, args }.value()
    }
}

/// A place in a file of the bundle, 1-based, columns in UTF-16 code units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Place {
    pub path: String,
    pub line: u32,
    pub column: u32,
}

/// Effects of a call in the order in which they were made.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Effects {
    pub exports: Vec<Value>,
    pub viewer: Vec<Value>,
    pub mutations: Vec<Value>,
    pub notifications: Vec<Value>,
    pub requests: Vec<Value>,
    pub ui: Vec<Value>,
    pub storage_writes: u32,
    pub storage: BTreeMap<String, Value>,
    /// `{modelId, edits}` each: what another copy of the models has to do to be the same. Only where they are kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Value>,
}

/// One line of `ctx.log` or `console`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LogEntry {
    pub level: String,
    pub text: String,
}

/// What a call used. `fuel` is 0 until metering exists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SandboxUsage {
    pub fuel: u64,
    pub peak_bytes: u64,
}
