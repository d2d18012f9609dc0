//! What the driver of a turn finds in a project's object (spec: ai-sessions.md §5, §6, §10).
//!
//! Invariants: a tool sees the session as it is at its call, whoever changed it meanwhile; what the model proposes goes
//! through the staging of the session and no other way.

use std::cell::RefCell;
use std::rc::Rc;

use holdpoint_check::json::canonical;
use holdpoint_check::{ApiError, args};
use holdpoint_engine::tools::ToolRun;
use holdpoint_engine::turn::Call;
use holdpoint_gateway::profile;
use holdpoint_gateway::wire::{self, Usage};
use holdpoint_kind::protocol::{Ended, Finding, Gate, ModelSetting, Names, TurnRequest};
use holdpoint_kind_crew::ids::IdOf;
use holdpoint_kind_crew::prompts::tools::WRITE;
use holdpoint_kind_crew::proposals::{Record, WorkingFile};
use holdpoint_kind_crew::protocol::codes::{AI_TURN_IN_PROGRESS, BROKE};
use holdpoint_kind_crew::protocol::message::UserMessage;
use holdpoint_kind_crew::protocol::{TURN_DEADLINE_MS, reply};
use holdpoint_kind_crew::tools::{bound, look};
use holdpoint_store::session::{Begun, OnceKey, RequestNames, Session, Sessions};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::result::{prompt_tokens, result};
use super::target::{Seen, SessionTarget};
use crate::answer::{EdgeError, with_members};
use crate::js::now_ms;
use crate::kinds::crew_package::sessions::{SetVerdict, Told, Work, active, told_staged};
use crate::project::log;
use crate::project::once::Once;
use crate::project::turn::{Job, RequestEnd, TurnHost, TurnResult};
use crate::project::{LIST_AGAIN_MS, Object, ProjectCommand};
use crate::relay::Via;
use crate::sql::ObjectSql;

/// Since the last message of a session (spec: ai-sessions.md §2).
pub const TRANSCRIPT_MS: i64 = 180 * 86_400_000;

/// A turn of a session.
pub struct SessionTurn {
    pub object: Rc<Object>,
    pub asked: ProjectCommand<()>,
    /// As the driver reads it.
    pub job: Job,
    pub target: SessionTarget,
    pub message: UserMessage,
    /// The key under which it is said once.
    pub once: Option<Once>,
    pub model: ModelSetting,
    pub language: String,
    /// Milliseconds of the whole turn.
    pub deadline_ms: u64,
    /// Milliseconds for which its events are kept behind its end.
    pub keep_ms: i64,
    /// What the turn staged last, and what was found of it.
    pub staged: RefCell<TurnProposal>,
}

#[derive(Default)]
pub struct TurnProposal {
    /// The set as it was sent, in one form, and its number.
    sent: Option<(String, i64)>,
    pub judged: Option<SetVerdict>,
    /// What the session had before an answer of this turn was staged that did not hold.
    before: Option<(Vec<WorkingFile>, Option<Record>)>,
}

/// What a tool about change sets is called with; others have none of it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct SetArguments {
    #[serde(rename = "changeSetId")]
    id: Option<String>,
    #[serde(rename = "changeSet")]
    change_set: Value,
}

impl SessionTurn {
    /// The project for whose session it is.
    pub fn work(&self) -> Result<Work<'_>, EdgeError> {
        Work::of(&self.object, &self.asked.bundle, &self.asked.principal.user_id)
    }

    fn seen(&self, work: &Work<'_>) -> Result<Seen, EdgeError> {
        let mut seen = self.target.seen(work)?;
        // What only an editor has stays in view. That it belongs was seen when the turn began.
        let _ = self.message.complete(&self.target.session, &mut seen.view);
        Ok(seen)
    }

    /// Whether the session is still there and active.
    fn stands(&self) -> Result<(), EdgeError> {
        active(&self.work()?.session(&self.target.own.id)?)
    }

    /// Whose session it is, asked again before every tool; a failure tells nothing.
    fn owned(&self) -> Result<(), ApiError> {
        self.stands().map_err(|_| broke())
    }

    fn run(&self, run: &ToolRun) -> Result<Value, EdgeError> {
        bound(&self.target.names, &run.arguments)?;
        let work = self.work()?;
        let SetArguments { id, change_set } = SetArguments::deserialize(&run.arguments).unwrap_or_default();
        let id = id.as_deref();
        match WRITE.iter().position(|name| *name == run.name) {
            Some(0) => self.stage(&work, &change_set),
            Some(1) => {
                let verdict = work.validate(&self.target.own, id)?;
                let told = told(&verdict);
                self.staged.borrow_mut().judged = Some(verdict);
                Ok(told)
            }
            Some(_) => {
                work.discard(&self.target.own, id)?;
                *self.staged.borrow_mut() = TurnProposal::default();
                Ok(json!({"discarded": true}))
            }
            None => Ok(look(&self.target.sight(&self.seen(&work)?), run.name, &run.arguments)?),
        }
    }

    fn stage(&self, work: &Work<'_>, change_set: &Value) -> Result<Value, EdgeError> {
        let staged = work.stage(&self.target.own, change_set)?;
        let sent = Some((canonical(change_set), staged.0.number));
        *self.staged.borrow_mut() = TurnProposal { sent, ..TurnProposal::default() };
        Ok(json!(told_staged(&staged)))
    }

    /// Whether a set is the one that this turn staged and that is still open.
    fn is_open(&self, work: &Work<'_>, change_set: &Value) -> Result<bool, EdgeError> {
        let staged = self.staged.borrow();
        let Some((_, number)) = staged.sent.as_ref().filter(|(sent, _)| *sent == canonical(change_set)) else {
            return Ok(false);
        };
        let set = work.workspace.change_sets().get(&self.target.own.id, *number)?;
        Ok(set.is_some_and(|set| set.status.is_open()))
    }

    /// Stages an answer. One that is sent again whole takes the place of the one that did not hold: it is staged on what
    /// the session had before that.
    fn place(&self, wire: &Value) -> Result<Vec<Finding>, EdgeError> {
        let work = self.work()?;
        if self.is_open(&work, wire)? {
            return Ok(Vec::new());
        }
        let before = match self.staged.borrow_mut().before.take() {
            Some(before) => before,
            None => work.staged(&self.target.own)?,
        };
        let staged = match work.stage_on(&self.target.own, &before, wire) {
            // It was made on what the answer before it staged.
            Err(EdgeError(refused)) if refused.code.starts_with("EDIT_") => work.stage(&self.target.own, wire),
            staged => staged,
        };
        let sent = staged.as_ref().ok().map(|(set, _)| (canonical(wire), set.number));
        *self.staged.borrow_mut() = TurnProposal { sent, judged: None, before: Some(before) };
        staged.map(|_| Vec::new())
    }

    fn check(&self) -> Result<Vec<Finding>, EdgeError> {
        let verdict = self.work()?.validate(&self.target.own, None)?;
        let found = verdict.judged.checked.verdict.errors.iter().map(reply::told).collect();
        self.staged.borrow_mut().judged = Some(verdict);
        Ok(found)
    }

    /// Tells an event, where that can be done.
    pub fn tell(&self, since: i64, event: &Told<'_>) {
        let told = self.work().and_then(|work| Work { now: since, ..work }.tell(Some(&self.target.own), event));
        if let Err(fault) = told {
            worker::console_error!("{}", json!({"event": "audit_failed", "cause": fault.code}));
        }
    }
}

/// What the audit tells of the end of a turn.
#[derive(Default, Deserialize)]
#[serde(default)]
struct EndFacts {
    code: Option<String>,
    iterations: Option<u32>,
    repairs: Option<u32>,
    has_change: Option<bool>,
    has_assets: Option<bool>,
}

/// What the model hears of a check.
fn told(verdict: &SetVerdict) -> Value {
    let found = &verdict.judged.checked.verdict;
    json!({
        "valid": found.valid, "schemaFailed": found.schema_failed, "errors": found.errors,
        "warnings": found.warnings, "status": verdict.status.as_str(), "meta": {"allowWrite": false},
    })
}

/// A fault of a set, as it is told to whoever staged it.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct StageError {
    code: String,
    path: String,
    message: String,
    #[serde(skip_serializing)]
    pointer: String,
    #[serde(skip_serializing_if = "Value::is_null")]
    expected: Value,
    #[serde(skip_serializing_if = "Value::is_null")]
    actual: Value,
}

/// Why a set cannot be staged, as its model hears it.
fn findings(refused: &ApiError) -> Vec<Finding> {
    let errors = refused.details.get("errors").and_then(|errors| Vec::<StageError>::deserialize(errors).ok());
    let errors = errors.filter(|errors| !errors.is_empty()).unwrap_or_else(|| {
        let (code, message) = (refused.code.clone(), refused.message.clone());
        vec![StageError { code, path: "changeSet".to_owned(), message, ..StageError::default() }]
    });
    let of = |error: StageError| {
        let told = json!(error);
        Finding { key: (error.code, error.path, error.pointer), told }
    };
    errors.into_iter().map(of).collect()
}

fn broke() -> ApiError {
    ApiError::of(&BROKE, args! {}).status(500)
}

impl TurnHost for SessionTurn {
    fn job(&self) -> &Job {
        &self.job
    }

    fn object(&self) -> &Rc<Object> {
        &self.object
    }

    fn session_ttl_ms(&self) -> i64 {
        TRANSCRIPT_MS
    }

    fn model(&self) -> Result<&ModelSetting, ApiError> {
        Ok(&self.model)
    }

    fn call_ms(&self) -> u64 {
        TURN_DEADLINE_MS.into()
    }

    fn deadline_ms(&self) -> u64 {
        self.deadline_ms
    }

    fn keep_ms(&self) -> i64 {
        self.keep_ms
    }

    fn via(&self) -> Via {
        Via::Resolved
    }

    fn slot(&self) -> &str {
        &self.target.own.id
    }

    fn busy(&self) -> EdgeError {
        EdgeError::of(409, &AI_TURN_IN_PROGRESS, args! {})
    }

    fn session<'s>(&'s self, sessions: &'s Sessions<'s, ObjectSql>) -> Session<'s, ObjectSql> {
        sessions.named(&self.target.own.id, &self.target.own.bundle, &self.target.own.user)
    }

    fn request_names(&self) -> RequestNames<'_> {
        let once = self.once.as_ref().map(|Once { key, hash }| OnceKey { key, hash });
        RequestNames { client_id: self.message.client_id.as_deref(), once }
    }

    fn may_begin(&self, _: i64) -> Result<(), EdgeError> {
        self.stands()
    }

    async fn begun(&self) {
        // Should the object go away in the middle, its alarm ends the turn.
        let at = now_ms() + self.deadline_ms().cast_signed() + LIST_AGAIN_MS;
        let _ = self.object.set_alarm_by(at).await;
    }

    fn names(&self, begun: Option<&Begun>) -> Names {
        Names {
            correlation: self.job.correlation.clone(),
            turn: begun.map(|begun| IdOf::Turn.outside(begun.turn)).unwrap_or_default(),
            message: begun.map(|begun| IdOf::Message.outside(begun.message)).unwrap_or_default(),
            ..Names::default()
        }
    }

    fn log_call(&self, since: i64, call: &Call) -> Value {
        let fields = with_members(call.facts.clone(), json!({"model": self.model.name}));
        log::event("crew_model_request", &self.asked, since, fields.clone());
        fields
    }

    fn log_end(&self, end: &RequestEnd<'_>) {
        let (prompt, completion) = (prompt_tokens(end.usage), end.usage.output);
        let facts = EndFacts::deserialize(&end.facts).unwrap_or_default();
        let fields = with_members(end.fields(), json!({"usage": {"input": prompt, "output": completion}}));
        log::event("crew_turn_ended", &self.asked, end.since, fields);
        let detail = json!({
            "iterations": facts.iterations, "repairs": facts.repairs,
            "promptTokens": prompt, "completionTokens": completion,
            "hasChange": facts.has_change, "hasAssets": facts.has_assets,
        });
        let outcome = if end.status == 200 { "ok" } else { "failed" };
        let code = facts.code.as_deref();
        self.tell(end.since, &Told { outcome, code, detail, ..Told::of("ai.message.sent") });
    }

    fn called(&self, turn: i64, run: &ToolRun, result: &Result<Value, ApiError>) {
        self.ran(turn, run, result);
    }

    fn not_run(&self, turn: i64, call: &wire::Tool, error: &ApiError) {
        self.refused_call(turn, call, error);
    }

    fn result(
        &self,
        request: &dyn TurnRequest,
        ended: &Ended,
        begun: Option<&Begun>,
        usage: &Usage,
    ) -> Result<TurnResult, EdgeError> {
        let begun = begun.ok_or_else(|| EdgeError::internal("an answer of a turn that did not begin"))?;
        result(self, (request, ended), begun, usage)
    }

    fn worded(&self, refused: ApiError) -> ApiError {
        profile::told(&refused.code, &refused.details).unwrap_or(refused)
    }

    async fn tool(&self, run: &ToolRun) -> Result<Value, ApiError> {
        let since = now_ms();
        let result = self.owned().and_then(|()| {
            self.run(run).map_err(|EdgeError(error)| match error.status {
                // A fault of ours tells nothing.
                500 if error.code == "INTERNAL" => broke(),
                _ => error,
            })
        });
        self.tell_call(since, run.name, result.as_ref().err().map(|error| error.code.as_str()));
        result
    }

    async fn gate(&self, gate: Gate, wire: &Value) -> Vec<Finding> {
        let asked = self.stands().and_then(|()| if gate == Gate::Place { self.place(wire) } else { self.check() });
        asked.unwrap_or_else(|EdgeError(fault)| findings(&fault))
    }
}
