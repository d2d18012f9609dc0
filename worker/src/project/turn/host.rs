//! What the driver of a turn finds around it: the object that it runs in, and what only the kind has of it.

use std::rc::Rc;

use holdpoint_check::ApiError;
use holdpoint_engine::tools::{NOT_RUN, ToolRun};
use holdpoint_engine::turn::Call;
use holdpoint_gateway::wire::{self, Usage};
use holdpoint_kind::protocol::{Ended, Finding, Gate, ModelSetting, Names, Protocol, TurnRequest};
use holdpoint_store::session::{Begun, RequestNames, Session, Sessions};
use serde_json::{Value, json};

use super::log::KEEP_MS;
use super::sink::MAX_MS;
use crate::account::Caller;
use crate::answer::{EdgeError, with_members};
use crate::project::Object;
use crate::project::reply::in_flight;
use crate::relay::{Consent, Via};
use crate::sql::ObjectSql;

/// A model's request, as a route took it.
pub struct Job {
    pub protocol: &'static dyn Protocol,
    pub bundle: String,
    pub user: String,
    /// For calls of a model.
    pub caller: Caller,
    /// Of the request, over all its calls.
    pub correlation: String,
    /// What marks its calls in the ledger.
    pub tag: &'static str,
    pub consent: Consent,
}

/// How a request ended, for the log.
pub struct RequestEnd<'e> {
    pub since: i64,
    /// What is known of its newest call.
    pub call: &'e Value,
    pub status: u16,
    /// The protocol's word; `None`: its call was never admitted.
    pub outcome: Option<&'e str>,
    /// Numbers and codes that the protocol tells of the end.
    pub facts: Value,
    /// As providers reported it, over all calls.
    pub usage: &'e Usage,
    /// Characters of the answer, where a turn was closed.
    pub chars: Option<usize>,
}

impl RequestEnd<'_> {
    /// Adds all of this to what is known of the call.
    pub fn fields(&self) -> Value {
        let ended = json!({"status": self.status, "outcome": self.outcome.unwrap_or("refused")});
        with_members(with_members(self.call.clone(), ended), &self.facts)
    }
}

/// The answer of a turn.
pub struct TurnResult {
    pub data: Value,
    /// What is kept of the turn.
    pub record: Option<Value>,
    /// The change set that it speaks of.
    pub change_set: Option<i64>,
    /// Numbers and codes of it, for the log.
    pub facts: Value,
}

/// What a kind's folder implements for its turns.
#[allow(async_fn_in_trait)] // one isolate has one thread
pub trait TurnHost {
    fn job(&self) -> &Job;
    fn object(&self) -> &Rc<Object>;
    /// The model and its budgets. Errors: the feature is off.
    fn model(&self) -> Result<&ModelSetting, ApiError>;
    /// Whose model is called. A gate before the turn asks [`crate::account::profile::resolved`] what that is.
    fn via(&self) -> Via {
        Via::Platform
    }
    /// The run of the gateway that holds what the turn may cost, where one was opened.
    fn run(&self) -> Option<&str> {
        None
    }
    /// Milliseconds of one call of the model.
    fn call_ms(&self) -> u64;
    /// Milliseconds of the whole turn.
    fn deadline_ms(&self) -> u64 {
        self.object().settings.limits.total_ms
    }
    /// Milliseconds for which a model may say nothing, whatever its provider sends meanwhile.
    fn stall_ms(&self) -> u64 {
        MAX_MS
    }
    /// How long the events of a turn are kept behind its end, where they are stored.
    fn keep_ms(&self) -> i64 {
        KEEP_MS
    }
    /// Milliseconds that a session lives behind its last activity.
    fn session_ttl_ms(&self) -> i64;
    /// The session that the request belongs to.
    fn session<'s>(&'s self, sessions: &'s Sessions<'s, ObjectSql>) -> Session<'s, ObjectSql> {
        sessions.of(&self.job().bundle, &self.job().user)
    }
    /// In which only one turn runs at a time.
    fn slot(&self) -> &str {
        &self.job().user
    }
    /// The answer to a request that arrives while another turn has the slot.
    fn busy(&self) -> EdgeError {
        in_flight()
    }
    /// Whether a turn may begin, asked once its slot is taken: whoever ends its session from then on stops it.
    fn may_begin(&self, now: i64) -> Result<(), EdgeError>;
    /// What is kept of the turn from its beginning.
    fn record(&self) -> Option<Value> {
        None
    }
    /// What the request brings beside its words.
    fn request_names(&self) -> RequestNames<'_> {
        RequestNames::default()
    }
    async fn begun(&self) {}
    /// What a turn is called outside; `None`: its call was never admitted.
    fn names(&self, begun: Option<&Begun>) -> Names {
        Names {
            correlation: self.job().correlation.clone(),
            turn: begun.map(|begun| begun.turn_id.clone()).unwrap_or_default(),
            message: begun.map(|begun| begun.assistant_message_id.clone()).unwrap_or_default(),
            ..Names::default()
        }
    }
    async fn tool(&self, run: &ToolRun) -> Result<Value, ApiError> {
        Err(ApiError::new(NOT_RUN, format!("`{}` cannot be run here.", run.name)))
    }
    fn called(&self, turn: i64, run: &ToolRun, result: &Result<Value, ApiError>) {
        let _ = (turn, run, result);
    }
    /// A call of a tool was refused, in a turn that goes on without its client.
    fn not_run(&self, turn: i64, call: &wire::Tool, error: &ApiError) {
        let _ = (turn, call, error);
    }
    /// Asks a gate that is not pure. One that cannot be asked lets nothing through.
    async fn gate(&self, gate: Gate, _: &Value) -> Vec<Finding> {
        let key = ("GATE_NOT_ASKED".to_owned(), String::new(), format!("{gate:?}"));
        vec![Finding { key, told: json!({"code": "GATE_NOT_ASKED"}) }]
    }
    /// The answer; `begun` is `None` where the call was never admitted.
    fn result(
        &self,
        request: &dyn TurnRequest,
        ended: &Ended,
        begun: Option<&Begun>,
        usage: &Usage,
    ) -> Result<TurnResult, EdgeError>;
    /// An error in the words of these routes.
    fn worded(&self, refused: ApiError) -> ApiError {
        refused
    }
    /// Keeps what failed, where that is wanted.
    async fn failed(&self, outcome: &str, raw: &str) {
        let _ = (outcome, raw);
    }
    /// Logs a call that is about to be made; answers what is known of it.
    fn log_call(&self, since: i64, call: &Call) -> Value;
    fn log_end(&self, end: &RequestEnd<'_>);
}
