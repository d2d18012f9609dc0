//! Old change sets: sections of steps and assets instead of operations (spec: crew-package.md §8 "Legacy sections").
//!
//! Invariant: what comes out is an envelope of today; only a container of the wrong type is found at its old place.

use serde_json::{Map, Value, json};

use super::input::BuilderSession;
use super::path::Path;
use super::reader::Reader;

/// Whether a change set is written in sections.
pub fn is_legacy(members: &Map<String, Value>) -> bool {
    !members.contains_key("operations") && (members.contains_key("steps") || members.contains_key("assets"))
}

/// A change set of today's form, and the old place of each operation.
#[derive(Debug, Default)]
pub struct Modern {
    /// Its members; without operations where a container is of the wrong type.
    pub members: Map<String, Value>,
    pub origins: Vec<Path>,
}

/// Turns the sections into operations.
pub fn modern(reader: &mut Reader, old: &Map<String, Value>, session: &BuilderSession) -> Modern {
    let before = reader.findings.len();
    let mut sections = Sections { session, operations: Vec::new(), origins: Vec::new() };
    if let Some(steps) = old.get("steps") {
        sections.steps(reader, steps);
    }
    if let Some(assets) = old.get("assets") {
        sections.assets(reader, assets);
    }
    let mut members = Map::new();
    for (name, value) in
        [("schemaVersion", "1.0"), ("targetType", session.target_type.name()), ("mode", session.mode.name())]
    {
        members.insert(name.to_owned(), value.into());
    }
    for (name, value) in old.iter().filter(|(name, _)| !matches!(name.as_str(), "steps" | "assets" | "impact")) {
        members.insert(name.clone(), value.clone());
    }
    if let Some(impact) = old.get("impact").and_then(|impact| self::impact(reader, impact)) {
        members.insert("impact".to_owned(), impact);
    }
    if reader.findings.len() == before {
        members.insert("operations".to_owned(), sections.operations.into());
    }
    Modern { members, origins: sections.origins }
}

/// What is kept of an old impact.
fn impact(reader: &mut Reader, value: &Value) -> Option<Value> {
    let at = Path::default().key("impact");
    let old = reader.object(&at, Some(value))?;
    let mut impact = Map::new();
    if let Some(risks) = old.get("risks") {
        let at = at.key("risks");
        for (index, risk) in reader.list(&at, Some(risks))?.iter().enumerate() {
            reader.text(&at.item(index), Some(risk));
        }
        impact.insert("riskFlags".to_owned(), risks.clone());
    }
    if let Some(asked) = old.get("requiresConfirmation") {
        impact.insert("requiresConfirmation".to_owned(), asked.clone());
    }
    Some(impact.into())
}

struct Sections<'s> {
    session: &'s BuilderSession,
    operations: Vec<Value>,
    origins: Vec<Path>,
}

impl Sections<'_> {
    fn push(&mut self, origin: Path, operation: Map<String, Value>) {
        self.operations.push(operation.into());
        self.origins.push(origin);
    }

    fn steps(&mut self, reader: &mut Reader, steps: &Value) {
        let at = Path::default().key("steps");
        for (index, step) in reader.list(&at, Some(steps)).unwrap_or_default().iter().enumerate() {
            let at = at.item(index);
            let Some(members) = reader.object(&at, Some(step)) else { continue };
            let mut target = Map::new();
            let workflow = members.get("workflowId").cloned().or(self.session.workflow_id.map(Value::from));
            target.extend(workflow.map(|id| ("workflowId".to_owned(), id)));
            target.extend(members.get("nodeId").map(|id| ("nodeId".to_owned(), id.clone())));
            self.push(at, upsert("step", target, members, &["workflowId", "nodeId"]));
        }
    }

    fn assets(&mut self, reader: &mut Reader, assets: &Value) {
        let at = Path::default().key("assets");
        let Some(sections) = reader.object(&at, Some(assets)) else { return };
        reader.closed(&at, sections, &["upsert", "delete"]);
        let mut list = |name: &str| {
            let found = sections.get(name).and_then(|list| reader.list(&at.key(name), Some(list)));
            (at.key(name), found.unwrap_or_default())
        };
        let ((written_at, written), (gone_at, gone)) = (list("upsert"), list("delete"));
        for (index, asset) in written.iter().enumerate() {
            let at = written_at.item(index);
            let Some(members) = reader.object(&at, Some(asset)) else { continue };
            let mut target = Map::new();
            target.extend(members.get("path").map(|path| ("path".to_owned(), path.clone())));
            self.push(at, upsert("asset", target, members, &["path"]));
        }
        for (index, asset) in gone.iter().enumerate() {
            let at = gone_at.item(index);
            let mut operation = operation("delete", "asset");
            let mut target = Map::new();
            match asset {
                Value::String(_) => {
                    target.insert("path".to_owned(), asset.clone());
                }
                Value::Object(members) => {
                    for (name, value) in members {
                        let place = if name == "path" { &mut target } else { &mut operation };
                        place.insert(name.clone(), value.clone());
                    }
                }
                _ => {
                    reader.mistyped(&at, "string", Some(asset));
                    continue;
                }
            }
            operation.insert("target".to_owned(), target.into());
            self.push(at, operation);
        }
    }
}

fn operation(op: &str, kind: &str) -> Map<String, Value> {
    match json!({"op": op, "targetType": kind}) {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// Members that are neither target nor reason are the payload's.
fn upsert(kind: &str, target: Map<String, Value>, members: &Map<String, Value>, named: &[&str]) -> Map<String, Value> {
    let mut operation = operation("upsert", kind);
    operation.insert("target".to_owned(), target.into());
    let mut payload = Map::new();
    for (name, value) in members.iter().filter(|(name, _)| !named.contains(&name.as_str())) {
        let place = if name == "reason" { &mut operation } else { &mut payload };
        place.insert(name.clone(), value.clone());
    }
    operation.insert("payload".to_owned(), payload.into());
    operation
}
