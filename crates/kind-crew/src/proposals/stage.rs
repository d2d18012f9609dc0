//! Staging: what a change set does to the working files of its session (spec: ai-sessions.md §4 "Stage").
//!
//! Invariants: a set whose shape is wrong, or whose edits cannot be made, is refused with all it has of that and changes
//! nothing; every other fault waits for the validation; of two operations on an object the later one wins.

use holdpoint_check::{ApiError, args};
use serde_json::{Value, json};

use super::super::dialect::check::{CheckInput, Checked, SetVerdict, check, check_joined};
use super::super::dialect::compile::{Compiled, Work};
use super::super::dialect::envelope;
use super::super::dialect::finding::SetFinding;
use super::super::dialect::input::{BuilderSession, bounded};
use super::super::dialect::operation::{Object, Operation, Payload};
use super::super::dialect::payload::{Text, TextEdit};
use super::super::limits::MAX_FILES;
use super::codes::{NOTHING_STAGED, refused};
use super::effective::{Baseline, effective};
use super::judge::judge_files;
use super::object::{Content, WorkingFile};
use super::record::{DeclaredImpact, Record, Undo};
use super::wire;

/// Bytes of one object as it is stored: a row of the edge's database holds at most 2 MB.
pub const MAX_OBJECT_BYTES: usize = 1_500_000;
/// Bytes of the edits that are kept of one object; beyond, it counts as written whole.
const MAX_PATCH_BYTES: usize = 256 << 10;

/// What a session has once a set is staged.
#[derive(Debug)]
pub struct Staging {
    /// What is stored of the set; its objects are all working files of the session from now on.
    pub record: Record,
    /// What is to be seen in the set as it was sent, beside its errors.
    pub warnings: Vec<SetFinding>,
    /// The objects that the set as it was sent is about.
    pub operated: Vec<String>,
}

/// Stages a set on what a session has. `past` is the set that its working files come from.
pub fn stage(
    head: &Baseline,
    working: &[WorkingFile],
    past: Option<&Record>,
    session: &BuilderSession,
    change_set: &Value,
) -> Result<Staging, ApiError> {
    staged(head, (working, past.map(|past| &past.declared)), session, change_set, None)
}

/// The verdict for a set that is not staged: as it would be on what the session has.
pub fn verdict(
    head: &Baseline,
    working: &[WorkingFile],
    session: &BuilderSession,
    change_set: &Value,
) -> Result<SetVerdict, ApiError> {
    Ok(compiled(head, working, session, change_set, false)?.verdict)
}

pub(super) fn staged(
    head: &Baseline,
    (working, past): (&[WorkingFile], Option<&DeclaredImpact>),
    session: &BuilderSession,
    change_set: &Value,
    undoes: Option<Undo>,
) -> Result<Staging, ApiError> {
    let checked = compiled(head, working, session, change_set, undoes.is_some())?;
    let most = if undoes.is_some() { MAX_FILES } else { envelope::MAX_OPERATIONS };
    let Some(sent) =
        envelope::read_up_to(change_set, session, most).envelope.filter(|_| !checked.verdict.schema_failed)
    else {
        return Err(refused(&checked.verdict.errors));
    };
    if checked.verdict.errors.iter().any(|found| found.code.starts_with("EDIT_")) || fails(&checked) {
        return Err(refused(&checked.verdict.errors));
    }
    let past_objects: Vec<String> = working.iter().map(|file| file.object.clone()).collect();
    let operated: Vec<String> = checked.operations.iter().map(|operation| operation.target.object()).collect();
    let past = past.filter(|_| !working.is_empty());
    let declared = DeclaredImpact::joined(past, &sent, &operated, &past_objects);
    let mut files = working.to_vec();
    for operation in &checked.operations {
        let source = sent.operations.iter().find(|sent| sent.target == operation.target);
        write(&mut files, operation, source, head);
    }
    for synced in &checked.verdict.meta.graph_sync {
        let own = files.iter_mut().find(|file| file.object == format!("workflow:{}", synced.workflow_id));
        if let Some(Content::Workflow { graph: Some(graph), .. }) = own.and_then(|file| file.content.as_mut()) {
            graph.clone_from(checked.after.graph(synced.workflow_id));
        }
    }
    files.retain_mut(|file| file.target().is_some_and(|target| !file.is_idle(&target, &head.view)));
    if files.is_empty() {
        return Err(ApiError::of(&NOTHING_STAGED, args! {}).status(409));
    }
    bounded_files(&files)?;
    let judged = judge_files(head, session, files, &declared, undoes, None)?;
    let (verdict, record) = (judged.checked.verdict, judged.record);
    if verdict.schema_failed {
        return Err(refused(&verdict.errors));
    }
    Ok(Staging { record, warnings: checked.verdict.warnings, operated })
}

fn compiled(
    head: &Baseline,
    working: &[WorkingFile],
    session: &BuilderSession,
    change_set: &Value,
    is_inverse: bool,
) -> Result<Checked, ApiError> {
    bounded(change_set)?;
    // What takes back what several sets came to has as many operations as they had.
    let check = if is_inverse { check_joined } else { check };
    check(CheckInput {
        before: effective(head, working)?,
        revisions: head.facts.revisions(session.workflow_id),
        session,
        change_set,
        base: None,
        endings: head.options.endings(),
        limits: head.options.limits(),
        is_inverse,
    })
}

/// Whether an edit has no text to be made in.
fn fails(checked: &Checked) -> bool {
    checked.operations.iter().any(|operation| match &operation.work {
        Work::Workflow { text, .. } => text.as_ref().is_some_and(|text| text.failed),
        Work::Step(step) => step.text.failed,
        Work::Asset(text) => text.failed,
        Work::Agent { .. } | Work::Delete => false,
    })
}

/// Writes one operation into the working files.
fn write(files: &mut Vec<WorkingFile>, operation: &Compiled, source: Option<&Operation>, head: &Baseline) {
    let target = &operation.target;
    let name = target.object();
    let workflow = if let Object::Step { workflow, .. } = target { Some(*workflow) } else { None };
    let place = files.iter().position(|file| file.object == name && file.workflow == workflow);
    let place = place.unwrap_or_else(|| {
        files.push(WorkingFile::of(target, &head.view));
        files.len() - 1
    });
    let file = &mut files[place];
    let before = file.content.take();
    file.content = match &operation.work {
        Work::Workflow { text, graph } => {
            let (old_document, old_graph) = match before {
                Some(Content::Workflow { document, graph }) => (document, graph),
                _ => (None, None),
            };
            if text.is_some() {
                file.patches = joined(file.patches.take(), patches(source));
            }
            let document = text.as_ref().map(|text| text.text.clone()).or(old_document);
            let graph = graph.as_ref().map(|graph| graph.value.clone()).or(old_graph);
            Some(Content::Workflow { document, graph })
        }
        Work::Step(step) => {
            file.patches = joined(file.patches.take(), patches(source));
            let (path, text, agent) = (step.path.clone(), step.text.text.clone(), step.agent.clone());
            Some(Content::Step { path, text, agent })
        }
        Work::Agent { agent, .. } => {
            file.patches = joined(file.patches.take(), patches(source));
            Some(Content::Agent(agent.clone()))
        }
        Work::Asset(text) => {
            file.patches = joined(file.patches.take(), patches(source));
            Some(Content::Asset(text.text.clone()))
        }
        Work::Delete => {
            file.patches = None;
            None
        }
    };
    if operation.reason.is_some() {
        file.reason.clone_from(&operation.reason);
    }
}

/// Edits of a text, or the patch of an agent; `None`: it was written whole.
fn patches(source: Option<&Operation>) -> Option<Vec<Value>> {
    let edit = |edit: &TextEdit| json!({"find": edit.find, "replace": edit.replace});
    match &source?.action {
        Payload::Workflow(payload) => match payload.text.as_ref()? {
            Text::Edits { edits, .. } => Some(edits.iter().map(edit).collect()),
            Text::Whole { .. } => None,
        },
        Payload::Step { text: Text::Edits { edits, .. }, .. } | Payload::Asset(Text::Edits { edits, .. }) => {
            Some(edits.iter().map(edit).collect())
        }
        Payload::Agent(patch) if !patch.replace => Some(vec![Value::Object(patch.members.clone())]),
        Payload::Step { .. } | Payload::Asset(_) | Payload::Agent(_) | Payload::Delete => None,
    }
}

/// Both in turn; `None`: one of them was a whole text, or they are too many to be kept.
fn joined(past: Option<Vec<Value>>, new: Option<Vec<Value>>) -> Option<Vec<Value>> {
    let mut all = past?;
    all.extend(new?);
    let bytes: usize = all.iter().map(|patch| patch.to_string().len()).sum();
    (bytes <= MAX_PATCH_BYTES).then_some(all)
}

fn bounded_files(files: &[WorkingFile]) -> Result<(), ApiError> {
    let bytes = files.iter().map(|file| json!(file).to_string().len()).max().unwrap_or_default();
    if bytes > MAX_OBJECT_BYTES { Err(ApiError::over("MAX_OBJECT_BYTES", MAX_OBJECT_BYTES, bytes)) } else { Ok(()) }
}

impl Staging {
    /// As the route and the tool say it.
    pub fn told(&self, change_set: &str, version: i64) -> Value {
        json!({
            "changeSetId": change_set, "status": "staged", "suggestionVersion": version,
            "warnings": wire::findings(&self.warnings),
        })
    }
}
