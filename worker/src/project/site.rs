//! What the driver of a turn finds around it: the object that it runs in, and what only the kind has of it.

use std::rc::Rc;

use holdpoint_check::ApiError;
use holdpoint_engine::tools::{NOT_RUN, ToolRun};
use holdpoint_engine::turn::Call;
use holdpoint_gateway::{Limits, wire};
use holdpoint_kind::protocol::{Ended, Finding, Gate, ModelSetting, Names, Protocol, TurnRequest};
use holdpoint_store::Workspace;
use holdpoint_store::session::{Begun, RequestNames, Session, Sessions};
use serde_json::{Value, json};

use super::Object;
use super::feeds::Feeds;
use super::kept::{self, KEEP_MS, Spent};
use super::lanes::Lanes;
use super::reply::in_flight;
use crate::account::Caller;
use crate::answer::EdgeError;
use crate::objects::Objects;
use crate::relay::Via;
use crate::sql::ObjectSql;

/// A model's request, as a route took it.
pub struct Job {
    /// How the model is asked.
    pub protocol: &'static dyn Protocol,
    /// What the person sent.
    pub body: Value,
    /// What it is about.
    pub bundle: String,
    /// Who asks.
    pub user: String,
    /// With which key.
    pub key_id: String,
    /// For calls of a model.
    pub caller: Caller,
    /// Of the request, over all its calls.
    pub correlation: String,
    /// What marks its calls in the ledger.
    pub tag: &'static str,
    /// Where somebody measures: what the names of the headers begin with.
    pub measured: Option<&'static str>,
}

/// How a request ended, for the log.
pub struct Over<'o> {
    /// When it began.
    pub since: i64,
    /// What is known of its newest call.
    pub call: &'o Value,
    /// Of the answer.
    pub status: u16,
    /// The protocol's word; `None`: its call was never admitted.
    pub outcome: Option<&'o str>,
    /// What the protocol says of the end.
    pub more: Value,
}

/// See the module.
#[allow(async_fn_in_trait)] // one isolate has one thread
pub trait Site {
    /// What is asked for.
    fn job(&self) -> &Job;
    /// Where it runs.
    fn object(&self) -> &Rc<Object>;
    /// Constants of the deployment.
    fn limits(&self) -> &Limits {
        &self.object().settings.limits
    }
    /// Other objects.
    fn objects(&self) -> &Objects {
        &self.object().objects
    }
    /// Whose requests run.
    fn lanes(&self) -> &Lanes {
        &self.object().lanes
    }
    /// Who reads the logs of turns.
    fn feeds(&self) -> &Feeds {
        &self.object().feeds
    }
    /// What the object holds.
    fn workspace(&self) -> Result<Rc<Workspace<ObjectSql>>, EdgeError> {
        self.object().workspace()
    }
    /// Since the last activity of a session.
    fn session_ttl_ms(&self) -> i64;
    /// Forgets sessions that are over their time.
    fn expire(&self, _: i64) -> Result<(), EdgeError> {
        Ok(())
    }
    /// Sets the object's alarm.
    async fn set_alarm(&self) {
        self.object().set_alarm().await;
    }
    /// The model and its budgets; `None`: none is configured.
    fn model(&self) -> Option<&ModelSetting>;
    /// The same while the feature is on; why it is off.
    fn on(&self) -> Result<&ModelSetting, ApiError>;
    /// Who answers, as turns note it.
    fn provider(&self) -> &str;
    /// Of a whole call.
    fn call_ms(&self) -> u64;
    /// Whose model is called. A gate before the turn asks [`crate::account::profile::resolved`] what that is.
    fn via(&self) -> Via {
        Via::Platform
    }
    /// Between two comments of a stream.
    fn ping_ms(&self) -> u64 {
        self.object().editor.ping_ms
    }
    /// Logs a call that is about to be made; answers what is known of it.
    fn ordered(&self, since: i64, call: &Call) -> Value;
    /// Logs that no model is asked; answers what a measurement says of that.
    fn unasked(&self, since: i64, why: &ApiError) -> &'static str;
    /// Logs the end.
    fn over(&self, over: &Over<'_>);
    /// What a measurement says of an outcome; `None`: there is none.
    fn word(&self, outcome: Option<&str>) -> &'static str;
    /// Keeps what failed, where that is wanted.
    async fn failed(&self, outcome: &str, raw: &str);
    /// What a turn takes for itself.
    fn lane(&self) -> &str {
        &self.job().user
    }
    /// That of a second request meanwhile.
    fn busy(&self) -> EdgeError {
        in_flight()
    }
    /// The session that the request belongs to.
    fn session<'s>(&'s self, sessions: &'s Sessions<'s, ObjectSql>) -> Session<'s, ObjectSql> {
        sessions.of(&self.job().bundle, &self.job().user)
    }
    /// What the request brings beside its words.
    fn sent(&self) -> RequestNames<'_> {
        RequestNames::default()
    }
    /// Whether a turn may begin, asked once its lane is taken: whoever ends its session from then on stops it.
    fn may_begin(&self) -> Result<(), EdgeError> {
        Ok(())
    }
    /// Of a whole turn.
    fn deadline_ms(&self) -> u64 {
        self.limits().total_ms
    }
    /// How long the events of a turn are kept behind its end.
    fn keep_ms(&self) -> i64 {
        KEEP_MS
    }
    /// A turn that outlives its client is written.
    async fn begun(&self) {}
    /// What a turn is called outside.
    fn names(&self, begun: &Begun) -> Names {
        Names {
            correlation: self.job().correlation.clone(),
            turn: begun.turn_id.clone(),
            message: begun.assistant_message_id.clone(),
        }
    }
    /// A tool was run in a turn that is kept.
    fn called(&self, turn: i64, run: &ToolRun, result: &Result<Value, ApiError>) {
        let _ = (turn, run, result);
    }
    /// A call of a tool was refused in a turn that is kept.
    fn not_run(&self, turn: i64, call: &wire::Tool, error: &ApiError) {
        let _ = (turn, call, error);
    }
    /// The answer of a turn that is kept.
    fn result(
        &self,
        request: &dyn TurnRequest,
        ended: &Ended,
        begun: &Begun,
        spent: &Spent,
    ) -> Result<kept::Result, EdgeError> {
        let _ = spent;
        let data = request.answer(ended, &self.names(begun));
        Ok(kept::Result { data, record: Value::Null, change_set: None, facts: json!({}) })
    }
    /// An error in the words of these routes.
    fn told(&self, refused: ApiError) -> ApiError {
        refused
    }
    /// Runs a tool.
    async fn tool(&self, run: &ToolRun) -> Result<Value, ApiError> {
        Err(ApiError::new(NOT_RUN, format!("`{}` cannot be run here.", run.name)))
    }
    /// Asks a gate that is not pure. One that cannot be asked lets nothing through.
    async fn gate(&self, gate: Gate, _: &Value) -> Vec<Finding> {
        let key = ("GATE_NOT_ASKED".to_owned(), String::new(), format!("{gate:?}"));
        vec![Finding { key, told: json!({"code": "GATE_NOT_ASKED"}) }]
    }
}
