//! What the driver of a turn finds in a script's object (spec: script-tool.md §6 to §10).

use std::rc::Rc;

use holdpoint_check::{ApiError, args};
use holdpoint_engine::turn::Call;
use holdpoint_kind::Kind as _;
use holdpoint_kind::protocol::{Delivery, ModelSetting, Protocol};
use holdpoint_kind_script::ScriptTool;
use holdpoint_kind_script::outcome::Outcome;
use holdpoint_store::codes::ASSISTANT;
use serde_json::{Value, json};

use super::command::{Command, ScriptCommand};
use super::{capture, log};
use crate::answer::EdgeError;
use crate::project::Object;
use crate::project::site::{Job, Over, Site};

/// What the names of the headers of a measurement begin with.
const EVAL: &str = "x-skriptoteket-eval";

/// A model's request about a script.
pub struct Turns {
    object: Rc<Object>,
    asked: Command,
    job: Job,
}

/// The protocol that a command speaks, and its body.
fn spoken(command: &ScriptCommand) -> Option<(&'static dyn Protocol, &Value)> {
    let (id, body) = match command {
        ScriptCommand::Chat { body } => ("chat", body),
        ScriptCommand::EditOps { body } => (super::EDIT_OPS, body),
        _ => return None,
    };
    Some((holdpoint_kinds::protocol(ScriptTool::ID, id)?, body))
}

impl Turns {
    /// The request of a command that asks a model; any other comes back.
    pub fn of(object: &Rc<Object>, asked: Command) -> Result<Self, Box<Command>> {
        let Some((protocol, body)) = spoken(&asked.command) else { return Err(Box::new(asked)) };
        let job = Job {
            protocol,
            body: body.clone(),
            bundle: asked.bundle.clone(),
            user: asked.principal.user_id.clone(),
            key_id: asked.principal.key_id.clone(),
            caller: asked.caller.clone(),
            correlation: asked.correlation_id.clone(),
            tag: "editor",
            measured: asked.eval.then_some(EVAL),
        };
        Ok(Self { object: object.clone(), asked, job })
    }
}

impl Site for Turns {
    fn job(&self) -> &Job {
        &self.job
    }

    fn object(&self) -> &Rc<Object> {
        &self.object
    }

    fn session_ttl_ms(&self) -> i64 {
        self.object.editor.thread_ttl_ms
    }

    fn expire(&self, now: i64) -> Result<(), EdgeError> {
        self.object.expire(&self.asked, now)
    }

    fn model(&self) -> Option<&ModelSetting> {
        self.object.editor.model.as_ref()
    }

    fn on(&self) -> Result<&ModelSetting, ApiError> {
        let off = || ApiError::of(&ASSISTANT, args! {});
        self.model().filter(|_| !self.object.editor.off).ok_or_else(off)
    }

    fn provider(&self) -> &str {
        &self.object.editor.provider
    }

    fn call_ms(&self) -> u64 {
        match self.job.protocol.delivery() {
            Delivery::Streamed => self.object.editor.chat_timeout_ms,
            Delivery::Whole | Delivery::Kept => self.object.editor.ops_timeout_ms,
        }
    }

    fn ordered(&self, since: i64, call: &Call) -> Value {
        let model = self.model().map_or("", |model| model.name.as_str());
        log::request(&self.asked, since, call, self.provider(), model)
    }

    fn unasked(&self, since: i64, why: &ApiError) -> &'static str {
        if !why.code.ends_with("_OVER_BUDGET") {
            return "error";
        }
        log::event("budget_over", &self.asked, since, json!({"code": why.code, "numbers": why.details}));
        // A system prompt over its cap switches the feature off for the call: that is no request that is too long.
        if why.code == "MESSAGE_OVER_BUDGET" { "over_budget" } else { "error" }
    }

    fn over(&self, over: &Over<'_>) {
        log::ended(&self.asked, over);
    }

    fn word(&self, outcome: Option<&str>) -> &'static str {
        outcome.and_then(Outcome::named).map_or("error", Outcome::eval_name)
    }

    async fn failed(&self, outcome: &str, raw: &str) {
        if self.job.protocol.delivery() == Delivery::Whole {
            capture::generation(&self.object, &self.asked, outcome, raw).await;
        }
    }
}
