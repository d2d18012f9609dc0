//! A model's request about a script: a turn that ends with its client (spec: script-tool.md §6 to §10).

use std::rc::Rc;

use holdpoint_check::{ApiError, args};
use holdpoint_engine::turn::Call;
use holdpoint_gateway::wire::{Usage, sse};
use holdpoint_kind::Kind as _;
use holdpoint_kind::protocol::{Ended, ModelSetting, Protocol, Said, TurnRequest};
use holdpoint_kind_script::ScriptTool;
use holdpoint_kind_script::outcome::Outcome;
use holdpoint_store::codes::ASSISTANT;
use holdpoint_store::session::Begun;
use serde_json::{Value, json};
use worker::{Headers, Response, State};

use super::command::{Command, ScriptCommand};
use super::{capture, log};
use crate::answer::{EdgeError, finish_word, with_members};
use crate::js::{Gone, now_ms};
use crate::project::Object;
use crate::project::reply::{CORRELATION_HEADER, error_answer, json_answer};
use crate::project::turn::{
    Driver, Job, Listener, ReaderKind, RequestEnd, ResponseSink, TurnHost, TurnOutcome, TurnReader, TurnResult,
    Unbegun, begun,
};
use crate::relay::Consent;

/// What the names of the headers of a measurement begin with.
const EVAL: &str = "x-skriptoteket-eval";

/// What a command asks a model.
pub struct ModelRequest {
    protocol: &'static dyn Protocol,
    /// Errors: the body is none of the protocol's.
    request: Result<Box<dyn TurnRequest>, ApiError>,
}

impl ModelRequest {
    /// `None`: it asks no model.
    pub fn read(command: &ScriptCommand) -> Option<Self> {
        let (id, body) = match command {
            ScriptCommand::Chat { body } => ("chat", body),
            ScriptCommand::EditOps { body } => (super::EDIT_OPS, body),
            _ => return None,
        };
        let protocol = holdpoint_kinds::protocol(ScriptTool::ID, id)?;
        Some(Self { protocol, request: protocol.ask(body) })
    }
}

/// Asks a model, and answers as the protocol does: with events, or with JSON.
pub async fn ask(
    state: &State,
    object: &Rc<Object>,
    asked: Command,
    ModelRequest { protocol, request }: ModelRequest,
    gone: Gone,
) -> worker::Result<Response> {
    let host = Rc::new(ScriptTurn::new(object, asked, protocol, request.as_ref().ok().map(AsRef::as_ref)));
    // The shape first: a wrong body is no second request.
    let request = request.map_err(|fault| Unbegun::from(EdgeError(fault)));
    let driver = match request.and_then(|request| Driver::new(host.clone(), request)) {
        Ok(driver) => driver,
        Err(unbegun) => return host.unbegun(unbegun),
    };
    let stop = driver.stop();
    let log = driver.run(state);
    let (mut sink, given) = ResponseSink::new(gone, object.settings.limits.client_stall_ms);
    let correlation = host.job.correlation.clone();
    state.wait_until(async move {
        let headers = host.headers();
        match (begun(log, &mut sink, &stop).await, headers) {
            (Ok(log), Ok(headers)) => {
                let kind = if protocol.streams() { ReaderKind::Sse { after: 0 } } else { ReaderKind::Json };
                let listener = Listener::Owner { stop, head_last: host.measures.is_some() };
                TurnReader { log, kind, headers, listener }.read(sink, |outcome| host.respond(outcome)).await;
            }
            (Err(unbegun), _) => sink.give(host.unbegun(unbegun)),
            (_, Err(error)) => sink.give(Err(error)),
        }
    });
    given.wait(|fault| error_answer(&fault, &correlation)).await
}

struct ScriptTurn {
    object: Rc<Object>,
    asked: Command,
    job: Job,
    since: i64,
    /// Where an administrator measures: names and values of headers, beside the outcome.
    measures: Option<Vec<(&'static str, String)>>,
}

impl ScriptTurn {
    fn new(
        object: &Rc<Object>,
        asked: Command,
        protocol: &'static dyn Protocol,
        request: Option<&dyn TurnRequest>,
    ) -> Self {
        let job = Job {
            protocol,
            bundle: asked.bundle.clone(),
            user: asked.principal.user_id.clone(),
            caller: asked.caller.clone(),
            correlation: asked.correlation_id.clone(),
            tag: "editor",
            consent: if request.is_some_and(TurnRequest::allows_remote) { Consent::Remote } else { Consent::None },
        };
        let measures = asked.eval.then(|| match (request, &object.editor.model) {
            (Some(request), Some(model)) => request.measures(model),
            _ => Vec::new(),
        });
        Self { object: object.clone(), asked, job, since: now_ms(), measures }
    }

    /// The answer to a request that has no turn.
    fn unbegun(&self, unbegun: Unbegun) -> worker::Result<Response> {
        let (request, why) = match unbegun {
            Unbegun::Off { request, why } => (request, why),
            Unbegun::Ended(outcome) => {
                if let Err(fault) = &outcome.answer {
                    self.log_over_budget(fault);
                }
                return self.respond(outcome);
            }
        };
        self.log_over_budget(&why);
        if !self.job.protocol.streams() {
            return self.respond(TurnOutcome { answer: Ok(request.off(&why)), word: None });
        }
        let frames = self.job.protocol.frames(&Said::Off(&why));
        let events = frames.iter().map(|frame| sse::event(Some(frame.name), &frame.data.to_string(), "\n"));
        let body = events.collect::<String>().into_bytes();
        Ok(Response::builder().with_status(200).with_headers(self.headers()?).fixed(body))
    }

    /// The answer of a turn of which nothing was written yet, or of a request that has none.
    fn respond(&self, TurnOutcome { answer, word }: TurnOutcome) -> worker::Result<Response> {
        let (response, word) = match answer {
            Ok(value) => (json_answer(200, &value, &self.job.correlation)?, measured_word(word.as_deref())),
            // A system prompt over its cap switches the feature off for the call: that is no request that is too long.
            Err(fault) if fault.code == "MESSAGE_OVER_BUDGET" => {
                (error_answer(&fault, &self.job.correlation)?, "over_budget")
            }
            Err(fault) => (error_answer(&fault, &self.job.correlation)?, measured_word(word.as_deref())),
        };
        self.measure(response.headers(), word)?;
        Ok(response)
    }

    /// Of a body that is written on the way.
    fn headers(&self) -> worker::Result<Headers> {
        let headers = Headers::new();
        let (kind, cache) = if self.job.protocol.streams() {
            ("text/event-stream", "no-cache")
        } else {
            ("application/json", "no-store")
        };
        headers.set("content-type", kind)?;
        headers.set("cache-control", cache)?;
        headers.set(CORRELATION_HEADER, &self.job.correlation)?;
        self.measure(&headers, "ok")?;
        Ok(headers)
    }

    /// The headers of a measurement (spec: script-tool.md §10 "Eval").
    fn measure(&self, headers: &Headers, outcome: &str) -> worker::Result<()> {
        let Some(measures) = &self.measures else { return Ok(()) };
        headers.set(&format!("{EVAL}-outcome"), outcome)?;
        measures.iter().try_for_each(|(name, value)| headers.set(&format!("{EVAL}-{name}"), value))
    }

    fn log_over_budget(&self, why: &ApiError) {
        if why.code.ends_with("_OVER_BUDGET") {
            let fields = json!({"code": why.code, "numbers": why.details});
            log::event("budget_over", &self.asked, self.since, fields);
        }
    }
}

/// What a measurement says of an outcome.
fn measured_word(outcome: Option<&str>) -> &'static str {
    outcome.and_then(Outcome::named).map_or("error", Outcome::eval_name)
}

impl TurnHost for ScriptTurn {
    fn job(&self) -> &Job {
        &self.job
    }

    fn object(&self) -> &Rc<Object> {
        &self.object
    }

    fn model(&self) -> Result<&ModelSetting, ApiError> {
        let editor = &self.object.editor;
        editor.model.as_ref().filter(|_| !editor.off).ok_or_else(|| ApiError::of(&ASSISTANT, args! {}))
    }

    fn call_ms(&self) -> u64 {
        let editor = &self.object.editor;
        if self.job.protocol.streams() { editor.chat_timeout_ms } else { editor.ops_timeout_ms }
    }

    fn session_ttl_ms(&self) -> i64 {
        self.object.editor.thread_ttl_ms
    }

    fn may_begin(&self, now: i64) -> Result<(), EdgeError> {
        self.object.expire(&self.asked, now)
    }

    fn record(&self) -> Option<Value> {
        Some(json!({"provider": self.object.editor.provider}))
    }

    fn result(
        &self,
        request: &dyn TurnRequest,
        ended: &Ended,
        begun: Option<&Begun>,
        _: &Usage,
    ) -> Result<TurnResult, EdgeError> {
        let finish_reason = ended.finish.as_deref().and_then(finish_word);
        let facts = with_members(request.facts(ended), json!({"finish_reason": finish_reason}));
        Ok(TurnResult { data: request.answer(ended, &self.names(begun)), record: None, change_set: None, facts })
    }

    async fn failed(&self, outcome: &str, raw: &str) {
        if !self.job.protocol.streams() {
            capture::generation(&self.object, &self.asked, outcome, raw).await;
        }
    }

    fn log_call(&self, since: i64, call: &Call) -> Value {
        let editor = &self.object.editor;
        let model = editor.model.as_ref().map_or("", |model| model.name.as_str());
        log::request(&self.asked, since, call, &editor.provider, model)
    }

    fn log_end(&self, end: &RequestEnd<'_>) {
        log::ended(&self.asked, end);
    }
}
