//! The answer of a turn (spec: ai-sessions.md §5).

use std::collections::BTreeSet;

use holdpoint_check::{Diagnostic, args};
use holdpoint_gateway::wire::Usage;
use holdpoint_kind::claims::claims;
use holdpoint_kind::protocol::{Ended, TurnRequest};
use holdpoint_kind_crew::claims::{changed, names};
use holdpoint_kind_crew::dialect::finding::SetFinding;
use holdpoint_kind_crew::ids::IdOf;
use holdpoint_kind_crew::proposals::{AI_VALIDATION_FAILED, verdict_members};
use holdpoint_kind_crew::protocol::codes::{AI_TOOL_NOT_ALLOWED, APPLIES};
use holdpoint_kind_crew::protocol::reply::ReplyNotes;
use holdpoint_kind_crew::protocol::transcript::{first, name};
use holdpoint_kind_crew::wire::sessions::Suggestion;
use holdpoint_kind_crew::wire::turns::{TurnKept, TurnResult as TurnView, TurnUsage};
use holdpoint_store::Workspace;
use holdpoint_store::session::Begun;
use serde::Deserialize;
use serde_json::{Value, json};

use super::host::SessionTurn;
use crate::answer::{EdgeError, with_members};
use crate::kinds::crew_package::sessions::{SetVerdict, suggestion};
use crate::project::turn::TurnResult;
use crate::sql::ObjectSql;

/// What came of a turn that has a reply.
pub fn result(
    turn: &SessionTurn,
    (request, ended): (&dyn TurnRequest, &Ended),
    begun: &Begun,
    used: &Usage,
) -> Result<TurnResult, EdgeError> {
    let workspace = turn.object.workspace()?;
    let reply = ended.reply.clone().unwrap_or_default();
    let proposed = turn.staged.borrow();
    let verdict = proposed.judged.as_ref().filter(|_| reply.wire.is_some());
    let validation = verdict.map_or(Value::Null, |verdict| verdict_members(&verdict.judged.checked.verdict));
    let usage = TurnUsage {
        prompt_tokens: prompt_tokens(used),
        completion_tokens: used.output,
        iterations: ended.calls,
        repairs: ended.attempt,
    };
    let warnings = Warnings::of(turn, verdict, ended)?;
    let ReplyNotes { notes, assumptions } = ReplyNotes::deserialize(&reply.notes).unwrap_or_default();
    let [notes, assumptions] = [notes, assumptions].map(|list| list.into_iter().map(Value::from).collect::<Vec<_>>());
    let kept = TurnKept {
        has_change: verdict.is_some(),
        suggestion_version: verdict.map(|verdict| verdict.set.version),
        valid: verdict.map(|verdict| verdict.judged.valid()),
        warnings: warnings.kept(),
        notes: first(&notes),
        assumptions: first(&assumptions),
        usage,
    };
    let data = TurnView {
        session_id: turn.target.own.id.clone(),
        turn_id: IdOf::Turn.outside(begun.turn),
        message_id: IdOf::Message.outside(begun.message),
        assistant_summary: reply.words.clone(),
        has_change: verdict.is_some(),
        suggestion_version: verdict.map(|verdict| verdict.set.version),
        change_set_id: verdict.map(|verdict| IdOf::ChangeSet.outside(verdict.set.number)),
        valid: verdict.map(|verdict| verdict.judged.valid()),
        latest_suggestion: latest(&workspace, &turn.target.own.id)?,
        normalized_change_set: verdict.map_or(Value::Null, |verdict| verdict.judged.record.change_set.clone()),
        preview: verdict.map_or(Value::Null, preview),
        errors: verdict.map_or_else(Vec::new, |verdict| as_values(&verdict.judged.checked.verdict.errors)),
        warnings: warnings.all(),
        validation,
        notes,
        assumptions,
        runtime_trace: trace(&workspace, begun.turn)?,
        usage,
    };
    let objects: Vec<&str> = verdict.map_or_else(Vec::new, |verdict| {
        verdict.judged.record.objects.iter().map(|file| file.object.as_str()).collect()
    });
    let keys: Vec<Value> = objects.iter().map(|object| json!(object)).collect();
    let record = json!({"objects": first(&keys), "result": kept});
    let change_set = verdict.map(|verdict| verdict.set.number);
    let has_assets = objects.iter().any(|object| object.starts_with("asset:"));
    let facts = json!({"has_change": change_set.is_some(), "has_assets": has_assets});
    let facts = with_members(request.facts(ended), facts);
    Ok(TurnResult { data: json!(data), record: Some(record), change_set, facts })
}

/// Tokens of prompts, whatever was cached of them.
pub fn prompt_tokens(used: &Usage) -> u64 {
    used.input + used.cached_input + used.cache_write
}

/// What a person signs. A token of a confirmation is issued where the preview is asked for: here it would be stored.
fn preview(verdict: &SetVerdict) -> Value {
    if !verdict.judged.valid() {
        return Value::Null;
    }
    verdict.judged.issued.preview(&IdOf::ChangeSet.outside(verdict.set.number), None)
}

/// The newest set of the session.
fn latest(workspace: &Workspace<ObjectSql>, session: &str) -> Result<Option<Suggestion>, EdgeError> {
    workspace.change_sets().latest(session)?.as_ref().map(suggestion).transpose()
}

/// What is told beside the words, in the order in which it is told.
struct Warnings {
    /// That the set does not hold, then calls that were refused.
    own: Vec<Value>,
    found: Vec<Value>,
    /// What the summary says and the set does not do.
    claimed: Vec<Value>,
}

impl Warnings {
    fn of(turn: &SessionTurn, verdict: Option<&SetVerdict>, ended: &Ended) -> Result<Self, EdgeError> {
        let mut own = Vec::new();
        if verdict.is_some_and(|verdict| !verdict.judged.valid()) {
            let code = &AI_VALIDATION_FAILED;
            own.push(json!({"code": code.name, "message": code.says}));
        }
        let mut seen = BTreeSet::new();
        for used in &ended.tools {
            let tool = name(&used.name);
            let warning = match used.code.as_deref() {
                Some("AI_TOOL_FORBIDDEN") => Diagnostic::of(&APPLIES, args! { tool }),
                Some("AI_TOOL_NOT_ALLOWED") => Diagnostic::of(&AI_TOOL_NOT_ALLOWED, args! { tool }),
                _ => continue,
            };
            if seen.insert((warning.code.clone(), tool)) {
                own.push(json!(warning));
            }
        }
        let found = verdict.map_or_else(Vec::new, |verdict| as_values(&verdict.judged.checked.verdict.warnings));
        let claimed = match (verdict, &ended.reply) {
            (Some(verdict), Some(reply)) => claimed(turn, verdict, &reply.words)?,
            _ => Vec::new(),
        };
        Ok(Self { own, found, claimed: claimed.iter().map(|found| json!(found)).collect() })
    }

    fn all(&self) -> Vec<Value> {
        [&self.own, &self.found, &self.claimed].into_iter().flatten().cloned().collect()
    }

    /// As many as a transcript keeps, of each.
    fn kept(&self) -> Vec<Value> {
        [&self.own, &self.found, &self.claimed].into_iter().flat_map(|list| first(list)).collect()
    }
}

/// What the summary says and the set does not do, and the other way round.
fn claimed(turn: &SessionTurn, verdict: &SetVerdict, words: &str) -> Result<Vec<Diagnostic>, EdgeError> {
    let checked = &verdict.judged.checked;
    let head = turn.work()?.head()?;
    let workflows: Vec<(u64, &str)> = head.facts.workflows.iter().map(|own| (own.id, own.name.as_str())).collect();
    let names = names(&[&checked.before, &checked.after], &workflows);
    Ok(claims(words, &names, &changed(&checked.verdict.meta), &turn.language))
}

fn as_values(findings: &[SetFinding]) -> Vec<Value> {
    findings.iter().map(|finding| json!(finding)).collect()
}

/// What is read of an event of what went on.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RuntimeEvent {
    payload: RuntimePhase,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RuntimePhase {
    phase: String,
}

/// What went on, without the words that were told on the way.
fn trace(workspace: &Workspace<ObjectSql>, turn: i64) -> Result<Vec<Value>, EdgeError> {
    let mut trace = Vec::new();
    for event in workspace.sessions(super::host::TRANSCRIPT_MS).events(turn, 0)? {
        if event.name != "runtime" {
            continue;
        }
        let RuntimeEvent { payload } = serde_json::from_str(&event.data)?;
        if payload.phase != "summary_delta" {
            trace.push(serde_json::from_str(&event.data)?);
        }
    }
    Ok(trace)
}
