//! What the driver of a run finds in an app's object (spec: app-builder.md §10).
//!
//! Invariants: tools see the scratch tree of this run and nothing else; what ends badly is kept as a parked proposal,
//! never as an open one.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use holdpoint_check::ApiError;
use holdpoint_engine::tools::ToolRun;
use holdpoint_engine::turn::Call;
use holdpoint_gateway::config::DEFAULT_ALIAS;
use holdpoint_gateway::wire::Usage;
use holdpoint_kind::protocol::{Ended, ModelSetting, Names, TurnRequest};
use holdpoint_kind_app::figures::RunFigures;
use holdpoint_kind_app::proposals::{RunRecord, StoredProposal};
use holdpoint_kind_app::protocol::codes::BUILDER_INTERNAL_ERROR;
use holdpoint_kind_app::protocol::end::PARKED;
use holdpoint_kind_app::protocol::{RUN_WALL_SECONDS, RunEnd, RunNotes, RunProposal};
use holdpoint_kind_app::stage::{AppProfile, AppRevision};
use holdpoint_kind_app::tools::{Proposal, Scratch, proposed, run};
use holdpoint_store::change_set::{JudgedSet, NewSet};
use holdpoint_store::session::{Begun, OnceKey, RequestNames, Session, Sessions};
use serde_json::{Value, json};
use worker::wasm_bindgen_futures::spawn_local;

use super::builds::RunBuilds;
use super::held::HeldRun;
use super::{EVENTS_MS, THREAD_MS};
use crate::account::profile::OWN_ALIAS;
use crate::answer::EdgeError;
use crate::js::now_ms;
use crate::kinds::vite_app::{AppDesk, counted};
use crate::project::log;
use crate::project::once::Once;
use crate::project::slots::TakenSlot;
use crate::project::turn::{Job, RequestEnd, TurnHost, TurnResult};
use crate::project::{LIST_AGAIN_MS, Object, ProjectCommand};
use crate::relay::Via;
use crate::sql::ObjectSql;

/// A run of an app.
pub struct AppRun {
    pub object: Rc<Object>,
    pub head: ProjectCommand<()>,
    /// Its correlation is the id of the request.
    pub job: Job,
    /// The id of its session.
    pub thread: String,
    /// The key under which it is asked once.
    pub once: Option<Once>,
    pub model: ModelSetting,
    pub scratch: Rc<RefCell<Scratch>>,
    /// The draft that it was asked on.
    pub base_revision: String,
    pub own: AppProfile,
    pub known: AppRevision,
    /// All runs of the app wait for this one, until its end is written.
    pub lane: RefCell<Option<TakenSlot>>,
    /// The run of the gateway that holds what it may cost.
    pub held: Option<HeldRun>,
    pub begun: Cell<bool>,
}

impl AppRun {
    /// Stores what was handed in; `open`: every gate that could be asked said yes.
    fn store(&self, proposal: &Proposal, open: bool) -> Result<(i64, RunProposal), EdgeError> {
        let desk = AppDesk::of(&self.object, &self.head)?;
        let stored = StoredProposal {
            request_id: self.job.correlation.clone(),
            base_revision_id: self.base_revision.clone(),
            proposal: proposal.clone(),
        };
        let content = json!(stored).to_string();
        let new =
            NewSet { session: &self.thread, bundle: desk.id(), user: desk.user(), content: &content, working: &[] };
        let sets = desk.workspace.change_sets();
        let set = sets.stage(&new, desk.now, &[])?;
        if open {
            sets.judge(&set, &JudgedSet { valid: true, validation: "{}", again: None }, desk.now, &[])?;
        }
        let run = RunProposal {
            proposal_id: format!("cs_{}", set.number),
            base_revision_id: self.base_revision.clone(),
            proposal: proposal.clone(),
            changed: json!(self.scratch.borrow().changed()),
        };
        Ok((set.number, run))
    }

    /// Counts a run that ended, by its events; what was refused before it began is none.
    fn count(&self, since: i64) -> Result<(), EdgeError> {
        if !self.begun.get() {
            return Ok(());
        }
        let desk = AppDesk::of(&self.object, &self.head)?;
        let turn = desk.run(&self.job.correlation)?.logged.turn;
        let figures = RunFigures::of(&desk.trace(turn)?);
        desk.tell(counted::run(&figures, since, &self.model.alias, &self.known.template_key));
        Ok(())
    }

    /// Keeps what a run staged that ends badly; the id of the proposal, if there is any.
    fn park(&self) -> Option<String> {
        if !self.begun.get() || !self.scratch.borrow().has_changes() {
            return None;
        }
        let proposal = proposed(&self.scratch.borrow()).ok()?;
        match self.store(&proposal, false) {
            Ok((_, run)) => Some(run.proposal_id),
            Err(fault) => {
                worker::console_error!("{}", json!({"event": "proposal_not_kept", "cause": fault.code}));
                None
            }
        }
    }
}

impl TurnHost for AppRun {
    fn job(&self) -> &Job {
        &self.job
    }

    fn object(&self) -> &Rc<Object> {
        &self.object
    }

    fn session_ttl_ms(&self) -> i64 {
        THREAD_MS
    }

    fn model(&self) -> Result<&ModelSetting, ApiError> {
        Ok(&self.model)
    }

    fn run(&self) -> Option<&str> {
        self.held.as_ref().map(|held| held.id.as_str())
    }

    fn call_ms(&self) -> u64 {
        self.deadline_ms()
    }

    fn deadline_ms(&self) -> u64 {
        u64::from(RUN_WALL_SECONDS) * 1_000
    }

    fn stall_ms(&self) -> u64 {
        self.object.work.settings.stall_ms
    }

    fn keep_ms(&self) -> i64 {
        EVENTS_MS
    }

    fn via(&self) -> Via {
        // The model that the deployment names for apps is none that a profile resolves to.
        if [OWN_ALIAS, DEFAULT_ALIAS].contains(&self.model.alias.as_str()) { Via::Resolved } else { Via::Platform }
    }

    fn slot(&self) -> &str {
        &self.thread
    }

    fn busy(&self) -> EdgeError {
        match AppDesk::of(&self.object, &self.head) {
            Ok(desk) => desk.busy(),
            Err(fault) => fault,
        }
    }

    fn session<'s>(&'s self, sessions: &'s Sessions<'s, ObjectSql>) -> Session<'s, ObjectSql> {
        sessions.named(&self.thread, &self.job.bundle, &self.job.user)
    }

    fn request_names(&self) -> RequestNames<'_> {
        let once = self.once.as_ref().map(|Once { key, hash }| OnceKey { key, hash });
        RequestNames { client_id: None, once }
    }

    fn may_begin(&self, _: i64) -> Result<(), EdgeError> {
        AppDesk::of(&self.object, &self.head)?.present().map(drop)
    }

    fn record(&self) -> Option<Value> {
        Some(json!(RunRecord { revision_id: Some(self.base_revision.clone()), ..RunRecord::default() }))
    }

    async fn begun(&self) {
        self.begun.set(true);
        // Should the object go away in the middle, its alarm ends the run.
        let at = now_ms() + self.deadline_ms().cast_signed() + LIST_AGAIN_MS;
        let _ = self.object.set_alarm_by(at).await;
    }

    fn names(&self, begun: Option<&Begun>) -> Names {
        Names {
            correlation: self.job.correlation.clone(),
            turn: begun.map(|begun| begun.turn_id.clone()).unwrap_or_default(),
            message: begun.map(|begun| begun.assistant_message_id.clone()).unwrap_or_default(),
            session: self.thread.clone(),
            model: self.model.alias.clone(),
        }
    }

    async fn tool(&self, tool: &ToolRun) -> Result<Value, ApiError> {
        let builds =
            RunBuilds { object: self.object.clone(), head: self.head.clone(), own: &self.own, known: &self.known };
        run(&self.scratch, &builds, tool.name, &tool.arguments).await
    }

    fn result(
        &self,
        request: &dyn TurnRequest,
        ended: &Ended,
        _: Option<&Begun>,
        _: &Usage,
    ) -> Result<TurnResult, EdgeError> {
        let reply = ended.reply.clone().unwrap_or_default();
        let notes = RunNotes::of(&reply);
        let mut end = RunEnd { outcome: notes.outcome().to_owned(), summary: reply.words, proposal: None };
        let mut record = RunRecord {
            revision_id: Some(self.base_revision.clone()),
            outcome: Some(end.outcome.clone()),
            summary: end.summary.clone(),
            ..RunRecord::default()
        };
        let mut change_set = None;
        if let RunNotes::Proposed { proposal } = notes {
            let (number, run) = self.store(&proposal, true)?;
            record.rationale.clone_from(&proposal.rationale);
            record.assumptions.clone_from(&proposal.assumptions);
            record.changed = self.scratch.borrow().changed().into_iter().map(|one| one.path).collect();
            record.proposal_id = Some(run.proposal_id.clone());
            (change_set, end.proposal) = (Some(number), Some(run));
        }
        Ok(TurnResult { data: json!(end), record: Some(json!(record)), change_set, facts: request.facts(ended) })
    }

    /// What a run staged that ends badly is kept, and the error says where.
    fn worded(&self, refused: ApiError) -> ApiError {
        let refused = match refused.code.as_str() {
            "INTERNAL" => ApiError::of(&BUILDER_INTERNAL_ERROR, holdpoint_check::args! {}).status(500),
            _ => refused,
        };
        match self.park() {
            Some(id) => refused.with(PARKED, id),
            None => refused,
        }
    }

    fn log_call(&self, since: i64, call: &Call) -> Value {
        // Facts of the prompt name files of the user in what they could not find.
        let number = |name: &str| call.facts.get(name).cloned().unwrap_or_default();
        let fields = json!({
            "model": self.model.name, "template_id": number("template_id"), "files": number("files"),
            "bytes": number("bytes"), "tokens": number("tokens"),
        });
        log::event("app_model_request", &self.head, since, fields.clone());
        fields
    }

    fn log_end(&self, end: &RequestEnd<'_>) {
        log::event("app_run_ended", &self.head, end.since, end.fields());
        if let Err(fault) = self.count(end.since) {
            worker::console_error!("{}", json!({"event": "run_not_counted", "cause": fault.code}));
        }
        // The next run may begin before anybody hears that this one is over.
        self.lane.borrow_mut().take();
        if let Some(held) = self.held.clone() {
            spawn_local(async move { held.close().await });
        }
    }
}
