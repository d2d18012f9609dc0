//! The envelope of a change set: the first phase (spec: crew-package.md §8, §9.2).
//!
//! Invariant: there is an [`Envelope`] only where nothing is wrong with its shape.

use holdpoint_check::{args, codes};
use serde_json::{Map, Value};

use super::finding::{Phase, SetFinding};
use super::input::{BuilderSession, Revisions, SessionMode, TargetType};
use super::legacy::{self, Modern};
use super::operation::{self, Operation};
use super::path::Path;
use super::reader::{Reader, is_identifier};

codes! {
    /// a change set of another major version
    AI_CHANGESET_SCHEMA_UNSUPPORTED: Error, "Write a change set of version {wanted}: `{version}` is not read here." [wanted, version];
    /// sections of steps and assets instead of operations
    CHANGESET_LEGACY_SHAPE: Warning, "Write `operations`: the old sections were read as such.";
}

/// Operations of a change set.
pub const MAX_OPERATIONS: usize = 200;
/// What `$id` says, where it is given.
pub const ID: &str = "crewagent.builder.ai.change-set.v1";

const MEMBERS: [&str; 9] =
    ["$schema", "$id", "schemaVersion", "targetType", "mode", "operations", "impact", "revisions", "extensions"];
const COUNTS: [&str; 4] = TargetType::NAMES;
/// The form of an object of an impact.
const OBJECT: &str = "^(workflow:[1-9][0-9]*|(step|agent):[A-Za-z0-9][A-Za-z0-9._:-]*|asset:[\\s\\S]+)$";

/// A change set whose shape is right.
#[derive(Debug, Clone)]
pub struct Envelope {
    pub schema_version: String,
    pub operations: Vec<Operation>,
    /// What it says of itself.
    pub impact: Declared,
    /// The base that it was made on.
    pub revisions: Revisions,
    pub extensions: Map<String, Value>,
}

/// What a change set says that it touches.
#[derive(Debug, Clone, Default)]
pub struct Declared {
    pub objects: Option<Vec<String>>,
    pub flags: Vec<String>,
    pub requires_confirmation: Option<bool>,
}

/// What came of reading a change set.
#[derive(Debug, Default)]
pub struct Sent {
    /// It was written in old sections.
    pub legacy: bool,
    /// Findings of the first phase.
    pub findings: Vec<SetFinding>,
    /// Absent where one of them is an error.
    pub envelope: Option<Envelope>,
}

pub fn read(value: &Value, session: &BuilderSession) -> Sent {
    read_up_to(value, session, MAX_OPERATIONS)
}

/// Reads a change set of at most so many operations: what several sets come to may have more than one of them.
pub fn read_up_to(value: &Value, session: &BuilderSession, most: usize) -> Sent {
    let mut reader = Reader::default();
    let root = Path::default();
    let Some(members) = reader.object(&root, Some(value)) else {
        return Sent { findings: reader.findings, ..Sent::default() };
    };
    if let Some(version) = members.get("schemaVersion").and_then(Value::as_str).filter(|it| is_other_major(it)) {
        reader.find(&root.key("schemaVersion"), &AI_CHANGESET_SCHEMA_UNSUPPORTED, args! { wanted: "1.x", version });
        return Sent { findings: reader.findings, ..Sent::default() };
    }
    let legacy = legacy::is_legacy(members);
    let envelope = if legacy {
        reader.find(&root, &CHANGESET_LEGACY_SHAPE, args! {});
        let Modern { members, origins } = legacy::modern(&mut reader, members, session);
        let broken = !members.contains_key("operations");
        envelope(&mut reader, &members, session, Some(&origins), most).filter(|_| !broken)
    } else {
        envelope(&mut reader, members, session, None, most)
    };
    let failed = reader.findings.iter().any(SetFinding::is_error);
    Sent { legacy, findings: reader.findings, envelope: envelope.filter(|_| !failed) }
}

fn envelope(
    reader: &mut Reader,
    members: &Map<String, Value>,
    session: &BuilderSession,
    old: Option<&[Path]>,
    most: usize,
) -> Option<Envelope> {
    let root = Path::default();
    let at = |name: &str| root.key(name);
    reader.closed(&root, members, &MEMBERS);
    if let Some(schema) = members.get("$schema") {
        reader.text(&at("$schema"), Some(schema));
    }
    if let Some(id) = members.get("$id") {
        reader.exactly(&at("$id"), id, ID);
    }
    let version = reader
        .formed(&at("schemaVersion"), members.get("schemaVersion"), "^[0-9]+\\.[0-9]+$", |text| major(text).is_some());
    for (name, allowed, own) in [
        ("targetType", &TargetType::NAMES[..], session.target_type.name()),
        ("mode", &SessionMode::NAMES[..], session.mode.name()),
    ] {
        let value = members.get(name);
        if let (Some(_), Some(value)) = (reader.one_of(&at(name), value, allowed), value) {
            reader.exactly(&at(name), value, own);
        }
    }
    let broken = old.is_some() && !members.contains_key("operations");
    let operations = if broken { Vec::new() } else { self::operations(reader, members.get("operations"), old, most) };
    let impact = members.get("impact").map(|value| impact(reader, &at("impact"), value));
    let revisions = members.get("revisions").map(|value| revisions(reader, &at("revisions"), value));
    let extensions = members.get("extensions").map(|value| reader.object(&at("extensions"), Some(value)));
    Some(Envelope {
        schema_version: version?.to_owned(),
        operations,
        impact: impact.unwrap_or_default(),
        revisions: revisions.unwrap_or_default(),
        extensions: extensions.flatten().cloned().unwrap_or_default(),
    })
}

/// Reads a list of at most so many operations; `old` are the places where they stood.
pub fn operations(reader: &mut Reader, value: Option<&Value>, old: Option<&[Path]>, most: usize) -> Vec<Operation> {
    let items = reader.counted(&Path::default().key("operations"), value, most).unwrap_or_default();
    let mut operations = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let at = Path::operation(index);
        let origin = old.and_then(|old| old.get(index)).unwrap_or(&at);
        operations.extend(operation::read(reader, &at, origin, item));
    }
    operation::once_each(reader, &operations);
    operations
}

fn impact(reader: &mut Reader, at: &Path, value: &Value) -> Declared {
    let Some(members) = reader.object(at, Some(value)) else { return Declared::default() };
    reader.closed(at, members, &["objects", "counts", "riskFlags", "requiresConfirmation"]);
    let objects = members.get("objects").map(|value| {
        let at = at.key("objects");
        let items = reader.list(&at, Some(value)).unwrap_or_default();
        let object = |(index, item)| reader.formed(&at.item(index), Some(item), OBJECT, is_object);
        items.iter().enumerate().filter_map(object).map(str::to_owned).collect()
    });
    if let Some(counts) = members.get("counts") {
        let at = at.key("counts");
        if let Some(counts) = reader.object(&at, Some(counts)) {
            reader.closed(&at, counts, &COUNTS);
            for name in COUNTS.into_iter().filter(|name| counts.contains_key(*name)) {
                reader.integer(&at.key(name), counts.get(name), 0);
            }
        }
    }
    let flags = members.get("riskFlags").map_or_else(Vec::new, |value| {
        let at = at.key("riskFlags");
        let items = reader.list(&at, Some(value)).unwrap_or_default();
        let flag = |(index, item)| reader.text(&at.item(index), Some(item));
        items.iter().enumerate().filter_map(flag).map(str::to_owned).collect()
    });
    let asked = members.get("requiresConfirmation");
    let requires_confirmation = asked.and_then(|value| reader.boolean(&at.key("requiresConfirmation"), value));
    Declared { objects, flags, requires_confirmation }
}

fn revisions(reader: &mut Reader, at: &Path, value: &Value) -> Revisions {
    let Some(members) = reader.object(at, Some(value)) else { return Revisions::default() };
    reader.closed(at, members, &["workflowRevision", "agentsRevision", "assetsRevision"]);
    let mut field = |name: &str| {
        let value = members.get(name);
        value.and_then(|_| reader.integer(&at.key(name), value, 1))
    };
    Revisions {
        workflow_revision: field("workflowRevision"),
        agents_revision: field("agentsRevision"),
        assets_revision: field("assetsRevision"),
    }
}

/// The digits in front of the dot of a version.
fn major(version: &str) -> Option<&str> {
    let (major, minor) = version.split_once('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (digits(major) && digits(minor)).then_some(major)
}

fn is_other_major(version: &str) -> bool {
    major(version).is_some_and(|major| major.trim_start_matches('0') != "1")
}

fn is_object(text: &str) -> bool {
    let Some((kind, id)) = text.split_once(':') else { return false };
    match kind {
        "workflow" => !id.starts_with('0') && !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()),
        "step" | "agent" => is_identifier(id),
        "asset" => !id.is_empty(),
        _ => false,
    }
}

/// Whether some finding of the first phase stops the others.
pub fn failed(findings: &[SetFinding]) -> bool {
    findings.iter().any(|finding| finding.phase == Phase::Schema && finding.is_error())
}
