//! The page's driver of the authoring run: performs effects, answers with events (spec: authoring.md §6.2 "Drivers").
//!
//! Owns the log, the clocks and the one open call. Decides nothing: what follows from an event is the run's. An event
//! that belongs to something aborted is dropped by its generation number.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo::timers::callback::Timeout;
use gloo::timers::future::TimeoutFuture;
use holdpoint_engine::Files;
use holdpoint_kind::Kind as _;
use holdpoint_kind_extension::IfcExtension;
use holdpoint_kind_extension::dialect::{PartialFile, partial_files};
use holdpoint_kind_extension::planning::{Planning, RunWork, Session};
use holdpoint_kind_extension::run::{CallModel, Effect, Event, EventKind, Run, RunView, StateName, TestResult};
use holdpoint_kind_extension::script;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;

use crate::clock::{now, until};
use crate::host::Host;
use crate::model_call::{ModelCall, Received, ask};
use crate::runs::{self, Problem};
use crate::{from_js, to_js};

/// A run in the page.
#[wasm_bindgen]
pub struct RunDriver {
    inner: Rc<Inner>,
}

struct Inner {
    host: Host,
    run: RefCell<Run>,
    log: RefCell<Vec<Event>>,
    /// Raised by every abort: what was started before it counts no more.
    generation: Cell<u64>,
    call: RefCell<Option<OpenCall>>,
    gateway_run: RefCell<Option<String>>,
    facts: RefCell<Facts>,
    total: RefCell<Option<Timeout>>,
    confirmation: RefCell<Value>,
    disposed: Cell<bool>,
}

struct OpenCall {
    abort: AbortController,
    request_id: Option<String>,
}

/// What the page draws beside the run's view.
#[derive(Debug, Default, Clone, Serialize)]
struct Facts {
    /// The gateway's account of the run.
    gateway: Value,
    /// Why the last call failed; none when it did not.
    problem: Option<Problem>,
    /// Characters of the reply that is coming.
    received: usize,
    /// The files of that reply, as far as they have come.
    writing: Vec<PartialFile>,
    provider: Option<String>,
    /// A call waits for a new token.
    signed_out: bool,
}

/// A reply that has grown by this much is looked through for its files.
const REDRAWN_CHARS: usize = 120;

/// The answers of the kind that plans.
fn planning(kind: &str) -> Result<&'static dyn Planning, JsValue> {
    if kind == IfcExtension::ID {
        Ok(&IfcExtension)
    } else {
        Err(JsValue::from_str("no bundle of this kind is planned"))
    }
}

/// An event without its time, as the page sends it.
#[derive(Deserialize)]
struct Sent {
    #[serde(flatten)]
    kind: EventKind,
}

#[wasm_bindgen]
impl RunDriver {
    /// A new run on a bundle; `base` is empty for a new extension.
    #[wasm_bindgen(constructor)]
    pub fn new(kind: &str, base: JsValue, host: Host) -> Result<RunDriver, JsValue> {
        let base: Files = from_js(base)?;
        Ok(Self { inner: Inner::new(Run::start(planning(kind)?, base), Vec::new(), host) })
    }

    /// A stored run goes on: an open call is a transport error, open tests run again. After a trap they do not, so that
    /// what trapped is not done a second time: the attempt is over.
    pub fn restore(
        kind: &str,
        base: JsValue,
        events: JsValue,
        gateway_run: Option<String>,
        trapped: bool,
        host: Host,
    ) -> Result<RunDriver, JsValue> {
        let base: Files = from_js(base)?;
        let events: Vec<Event> = from_js(events)?;
        let (run, _) = Run::replay(planning(kind)?, base, &events);
        let inner = Inner::new(run, events, host);
        *inner.gateway_run.borrow_mut() = gateway_run;
        inner.clone().resume(trapped);
        Ok(Self { inner })
    }

    /// Takes an event of the person: its members without `at`.
    pub fn send(&self, event: JsValue) -> Result<(), JsValue> {
        let Sent { kind } = from_js(event)?;
        self.inner.clone().happen(kind);
        Ok(())
    }

    /// The run as the page draws it.
    #[must_use]
    pub fn view(&self) -> JsValue {
        to_js(&self.inner.view())
    }

    #[must_use]
    pub fn events(&self) -> JsValue {
        to_js(&*self.inner.log.borrow())
    }

    /// `{gateway, problem, received, writing, provider, signed_out}`.
    #[must_use]
    pub fn facts(&self) -> JsValue {
        to_js(&*self.inner.facts.borrow())
    }

    /// The person signed in again: a call that waited for it is made.
    pub fn signed_in(&self) {
        let waited = std::mem::take(&mut self.inner.facts.borrow_mut().signed_out);
        if waited && let Some(call) = self.inner.view().pending {
            let inner = self.inner.clone();
            spawn_local(async move { inner.call(call).await });
        }
    }

    /// Ends timers and the open call; the log stays.
    pub fn dispose(&self) {
        self.inner.disposed.set(true);
        self.inner.abort();
        self.inner.total.borrow_mut().take();
    }
}

impl Inner {
    fn new(run: Run, log: Vec<Event>, host: Host) -> Rc<Self> {
        Rc::new(Self {
            host,
            run: RefCell::new(run),
            log: RefCell::new(log),
            generation: Cell::new(0),
            call: RefCell::new(None),
            gateway_run: RefCell::new(None),
            facts: RefCell::new(Facts { gateway: Value::Null, ..Facts::default() }),
            total: RefCell::new(None),
            confirmation: RefCell::new(Value::Null),
            disposed: Cell::new(false),
        })
    }

    fn view(&self) -> RunView {
        self.run.borrow().view()
    }

    /// One event: step, store, draw, perform.
    fn happen(self: Rc<Self>, kind: EventKind) {
        if self.disposed.get() {
            return;
        }
        if let EventKind::Install { confirmation } = &kind {
            *self.confirmation.borrow_mut() = confirmation.clone().unwrap_or_default();
        }
        let mut effects = self.step(kind);
        // Nothing stands between a request that becomes no tool and its script.
        if effects.iter().any(|effect| matches!(effect, Effect::Reroute { .. })) {
            effects = self.step(EventKind::RunOnce);
        }
        self.clone().watch_total();
        self.host.changed();
        spawn_local(async move {
            self.save().await;
            self.perform(effects).await;
        });
    }

    fn step(&self, kind: EventKind) -> Vec<Effect> {
        let event = Event { at: now(), kind };
        let effects = self.run.borrow_mut().step(&event);
        self.log.borrow_mut().push(event);
        effects
    }

    /// The token of this moment; none while signed out.
    async fn token(&self) -> Option<String> {
        self.host.token().await.ok().and_then(|token| token.as_string())
    }

    async fn save(&self) {
        let (events, run) = (to_js(&*self.log.borrow()), self.gateway_run.borrow().clone());
        // A device that cannot store says so itself; the run goes on in memory.
        let _ = self.host.save(events, run).await;
    }

    async fn perform(self: Rc<Self>, effects: Vec<Effect>) {
        let mut refused = false;
        for effect in effects {
            match effect {
                Effect::Abort => self.abort(),
                Effect::OpenRun => refused = !self.clone().open_run().await,
                Effect::CloseRun => self.close_run().await,
                Effect::CallModel(_) if refused => {}
                Effect::CallModel(call) => {
                    let inner = self.clone();
                    spawn_local(async move { inner.call(call).await });
                }
                Effect::RunTests { .. } => self.clone().run_tests().await,
                Effect::Apply => self.clone().apply().await,
                // What is shown follows from the view.
                Effect::ShowPlan { .. }
                | Effect::ShowReview { .. }
                | Effect::ShowFailure { .. }
                | Effect::ShowAnswer { .. }
                | Effect::Reroute { .. }
                | Effect::Refuse
                | Effect::Promote => {}
            }
        }
    }

    fn resume(self: Rc<Self>, trapped: bool) {
        let view = self.view();
        self.clone().watch_total();
        let running = self.gateway_run.borrow().clone();
        if let Some(id) = running {
            let inner = self.clone();
            spawn_local(async move { inner.fetch_account(&id).await });
        }
        if view.pending.is_some() {
            self.happen(EventKind::TransportError);
        } else if view.state == StateName::Testing && trapped {
            self.happen(EventKind::AttemptTimeout { partial: None });
        } else if view.state == StateName::Testing {
            spawn_local(self.run_tests());
        }
    }

    fn abort(self: &Rc<Self>) {
        self.generation.set(self.generation.get() + 1);
        let Some(call) = self.call.borrow_mut().take() else { return };
        call.abort.abort();
        if let Some(id) = call.request_id {
            let inner = self.clone();
            spawn_local(async move { runs::cancel(inner.token().await.as_deref(), &id).await });
        }
    }

    /// The total clock of the run: one timer for the deadline that the view names.
    fn watch_total(self: Rc<Self>) {
        let deadline = self.view().total_deadline_at;
        let timer = deadline.map(|at| {
            let inner = self.clone();
            Timeout::new(until(at), move || inner.happen(EventKind::TotalTimeout))
        });
        *self.total.borrow_mut() = timer;
    }

    async fn open_run(self: Rc<Self>) -> bool {
        let held = self.view().tokens.held;
        match runs::open(self.token().await.as_deref(), held.into()).await {
            Ok(account) => {
                *self.gateway_run.borrow_mut() = account["id"].as_str().map(str::to_owned);
                self.facts.borrow_mut().gateway = account;
                self.save().await;
                self.host.changed();
                true
            }
            Err(problem) => {
                self.facts.borrow_mut().problem = Some(problem);
                self.happen(EventKind::BudgetRefused);
                false
            }
        }
    }

    async fn close_run(&self) {
        let Some(id) = self.gateway_run.borrow_mut().take() else { return };
        match runs::close(self.token().await.as_deref(), &id).await {
            Ok(account) => self.facts.borrow_mut().gateway = account,
            // The run closes itself at its deadline.
            Err(problem) => self.facts.borrow_mut().problem = Some(problem),
        }
        self.save().await;
        self.host.changed();
    }

    async fn fetch_account(&self, id: &str) {
        if let Ok(account) = runs::account(self.token().await.as_deref(), id).await {
            self.facts.borrow_mut().gateway = account;
            self.host.changed();
        }
    }

    async fn call(self: Rc<Self>, call: CallModel) {
        let generation = self.generation.get();
        let session: Session = self.host.session().await.and_then(from_js).unwrap_or_default();
        if generation != self.generation.get() {
            return;
        }
        let prompt = self.run.borrow().messages(&session);
        let prompt = match prompt {
            Some(Ok(prompt)) => prompt,
            Some(Err(error)) => {
                let message = error.to_string();
                let problem = Problem { code: "PROMPT_TOO_LARGE".to_owned(), message, ..Problem::offline() };
                self.facts.borrow_mut().problem = Some(problem);
                return self.happen(EventKind::BudgetRefused);
            }
            None => return,
        };
        let Ok(abort) = AbortController::new() else { return };
        let signal = abort.signal();
        *self.call.borrow_mut() = Some(OpenCall { abort, request_id: None });
        {
            let mut facts = self.facts.borrow_mut();
            (facts.received, facts.problem) = (0, None);
            facts.writing.clear();
        }
        let so_far: Rc<RefCell<String>> = Rc::default();
        let clock = self.clone().attempt_clock(&call, so_far.clone(), generation);

        let (token, run) = (self.token().await, self.gateway_run.borrow().clone());
        let run = call.attempt.and(run);
        let model_call = ModelCall {
            token: token.as_deref(),
            run: run.as_deref(),
            messages: &prompt.messages,
            max_output_tokens: call.max_output_tokens,
        };
        let answer = ask(&model_call, &signal).await;
        if generation != self.generation.get() {
            return;
        }
        let outcome = match answer {
            Err(None) => None,
            Err(Some(problem)) => self.failed(problem).await,
            Ok(answer) => {
                if let Some(open) = self.call.borrow_mut().as_mut() {
                    open.request_id.clone_from(&answer.request_id);
                }
                self.facts.borrow_mut().provider.clone_from(&answer.provider);
                let received = answer.read(|received| self.progress(received, &so_far)).await;
                self.facts.borrow_mut().problem.clone_from(&received.problem);
                Some(if received.is_empty() && received.problem.is_some() {
                    EventKind::TransportError
                } else {
                    EventKind::Reply(received.reply())
                })
            }
        };
        drop(clock);
        if generation != self.generation.get() {
            return;
        }
        self.call.borrow_mut().take();
        if let Some(id) = run {
            let inner = self.clone();
            spawn_local(async move { inner.fetch_account(&id).await });
        }
        if let Some(kind) = outcome {
            self.happen(kind);
        }
    }

    /// What a refused or failed call is for the run; nothing while it waits for a sign-in.
    async fn failed(&self, problem: Problem) -> Option<EventKind> {
        let kind = match problem.status {
            401 => {
                self.facts.borrow_mut().signed_out = true;
                None
            }
            _ if problem.is_budget() => Some(EventKind::BudgetRefused),
            _ => Some(EventKind::TransportError),
        };
        let wait = problem.retry_after_ms.unwrap_or(0).min(5_000);
        self.facts.borrow_mut().problem = Some(problem);
        self.host.changed();
        if matches!(kind, Some(EventKind::TransportError)) && wait > 0 {
            TimeoutFuture::new(u32::try_from(wait).unwrap_or(u32::MAX)).await;
        }
        kind
    }

    fn attempt_clock(self: Rc<Self>, call: &CallModel, so_far: Rc<RefCell<String>>, generation: u64) -> Timeout {
        Timeout::new(until(call.deadline_at), move || {
            if generation == self.generation.get() {
                self.abort();
                let text = so_far.take();
                let partial = (!text.is_empty()).then_some(text);
                self.happen(EventKind::AttemptTimeout { partial });
            }
        })
    }

    fn progress(&self, received: &Received, so_far: &RefCell<String>) {
        let text = received.text();
        text.clone_into(&mut so_far.borrow_mut());
        let mut facts = self.facts.borrow_mut();
        let received = text.chars().count();
        if received < facts.received + REDRAWN_CHARS {
            return;
        }
        facts.received = received;
        let writing = partial_files(text);
        if writing != facts.writing {
            facts.writing = writing;
            drop(facts);
            self.host.changed();
        }
    }

    /// The tests of a bundle, or what a script answers.
    async fn tested(&self) -> Result<Vec<TestResult>, JsValue> {
        #[derive(Deserialize)]
        struct Tested {
            tests: Vec<TestResult>,
        }
        let files = self.run.borrow().files().clone();
        if self.view().work != RunWork::Script {
            return Ok(self.host.test(to_js(&files)).await.and_then(from_js::<Tested>)?.tests);
        }
        let call = script::call(&files).ok_or_else(|| JsValue::from_str("the script is no bundle"))?;
        let ran: Value = self.host.script(to_js(&call)).await.and_then(from_js)?;
        if ran["outcome"].is_null() {
            return Err(JsValue::from_str("the sandbox did not run the script"));
        }
        Ok(vec![script::ran(&files, &ran)])
    }

    async fn run_tests(self: Rc<Self>) {
        let generation = self.generation.get();
        let answer = self.tested().await;
        if generation != self.generation.get() {
            return;
        }
        match answer {
            Ok(tests) => self.happen(EventKind::TestsDone { tests }),
            Err(error) => {
                let message = format!("The tests could not be run: {error:?}. Reload the page to run them again.");
                let problem = Problem { code: "TESTS_NOT_RUN".to_owned(), message, ..Problem::offline() };
                self.facts.borrow_mut().problem = Some(problem);
                self.host.changed();
            }
        }
    }

    async fn apply(self: Rc<Self>) {
        let confirmation = to_js(&*self.confirmation.borrow());
        let answer = self.host.apply(to_js(&self.view()), confirmation).await.and_then(from_js::<Sent>);
        match answer {
            Ok(Sent { kind }) => self.happen(kind),
            Err(error) => {
                let message = format!("The bundle could not be stored: {error:?}. It is still here: sign again.");
                let problem = Problem { code: "NOT_STORED".to_owned(), message, ..Problem::offline() };
                self.facts.borrow_mut().problem = Some(problem);
                self.happen(EventKind::Refused { code: "NOT_STORED".to_owned() });
            }
        }
    }
}
