//! The `Relay` object: owns the upstream stream of each model call, so that a call outlives its client (spec:
//! gateway.md §1, §7).
//!
//! Keeps no ledger: what is held and charged stands in the account. Invariants: every admitted call is closed once,
//! by a settlement or a release, whoever leaves; a call's work runs under the object's own `waitUntil` and never in
//! the request that started it; no Rust stream stands behind a client's response.

mod admit;
mod call;
mod capture;
mod charge;
mod count;
mod give;
mod ledger;
mod measure;
mod order;
mod route;
mod slices;
mod stream;
pub mod upstream;
mod whole;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use futures_channel::oneshot;
use holdpoint_store::ledger::next_boot;
use serde::{Deserialize, Serialize};
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::{DurableObject, Env, Request, Response, Result, State, Storage, durable_object};

use crate::answer::{EdgeError, cause};
use crate::js::Gone;
use crate::objects::{Objects, told};
use crate::settings::Settings;
use crate::sql::ObjectSql;
use slices::Slices;

pub use order::{Consent, Measuring, ORDER_HEADER, Order, RELAY_CALL, TestCall, VERSION_HEADER, Via};
pub use route::PROVIDER_SECRET;

/// What a relay can be asked.
#[derive(Debug, Serialize, Deserialize)]
pub enum RelayCommand {
    /// To stop a call; answers whether it runs.
    Cancel(Cancel),
    /// Which calls it has; answers a [`Lives`].
    Lives,
    /// To use nothing any more that was lent until then, as its account counts time.
    Recall { at_ms: i64 },
    /// What runs of that user, or of all, within what its account lent it; answers a list of
    /// [`RunningCall`](holdpoint_store::ledger::RunningCall).
    Running { user_id: Option<String> },
}

/// The calls that a relay has.
#[derive(Debug, Serialize, Deserialize)]
pub struct Lives {
    /// The number of this life of the object: holds of lower ones are orphans.
    pub boot: u64,
    /// What its calls hold, or are about to ask for, by id.
    pub calls: Vec<String>,
}

/// Stops a call of that key.
#[derive(Debug, Serialize, Deserialize)]
pub struct Cancel {
    pub request_id: String,
    pub key_id: String,
}

#[durable_object(alarm)]
pub struct Relay {
    state: State,
    shared: Rc<Shared>,
}

/// What every call of this relay has at hand.
struct Shared {
    env: Env,
    settings: Rc<Settings>,
    objects: Objects,
    storage: Storage,
    /// The number behind the account's name.
    shard: String,
    sql: ObjectSql,
    /// The number of this life of the object: holds of lower ones are orphans.
    boot: OnceCell<u64>,
    /// By the ids of requests.
    live: RefCell<BTreeMap<String, Live>>,
    /// What its account lent it, until that is given back.
    slices: Slices,
}

/// A call that runs: it stands here before the account is asked for it.
struct Live {
    key_id: String,
    /// Under which id the account holds it; a retry has one of its own.
    hold: String,
    cancel: Option<oneshot::Sender<()>>,
}

impl DurableObject for Relay {
    fn new(state: State, env: Env) -> Self {
        let name = state.id().name().unwrap_or_default();
        let shared = Shared {
            settings: Settings::of(&env),
            objects: Objects::new(env.clone()),
            env,
            storage: state.storage(),
            shard: name.rsplit(':').next().unwrap_or_default().to_owned(),
            sql: ObjectSql::new(&state),
            boot: OnceCell::new(),
            live: RefCell::default(),
            slices: Slices::default(),
        };
        Self { state, shared: Rc::new(shared) }
    }

    async fn fetch(&self, request: Request) -> Result<Response> {
        // First of all, before anything is awaited: a client may leave at any time.
        let gone = Gone::listen(request.inner());
        let (give, answer) = oneshot::channel();
        let shared = self.shared.clone();
        self.state.wait_until(async move { call::run(shared, request, gone, give).await });
        match answer.await {
            Ok(response) => Ok(response),
            Err(_) => EdgeError::internal("a call ended without an answer").response(),
        }
    }

    /// While calls run without a client nothing else keeps this object alive.
    async fn alarm(&self) -> Result<Response> {
        if !self.shared.live.borrow().is_empty() {
            self.shared.heartbeat().await;
        }
        capture::expire(&self.shared).await;
        Response::empty()
    }
}

#[wasm_bindgen]
impl Relay {
    /// Answers a [`RelayCommand`], text in and out.
    #[wasm_bindgen(js_name = ask)]
    pub fn ask(&self, command: &str) -> String {
        let answer = serde_json::from_str(command).map_err(EdgeError::from);
        told(answer.and_then(|command| match command {
            RelayCommand::Cancel(cancel) => Ok(json!(self.shared.cancel(&cancel))),
            RelayCommand::Lives => Ok(json!(self.shared.lives()?)),
            RelayCommand::Recall { at_ms } => {
                self.shared.slices.recall(at_ms);
                Ok(json!(true))
            }
            RelayCommand::Running { user_id } => Ok(json!(self.shared.slices.running(user_id.as_deref()))),
        }))
    }
}

impl Shared {
    fn lives(&self) -> std::result::Result<Lives, EdgeError> {
        let calls = self.live.borrow().values().map(|call| call.hold.clone()).chain(self.slices.ids()).collect();
        Ok(Lives { boot: self.boot()?, calls })
    }

    /// Raised once a life. What is told of it leaves the object only when it is written.
    fn boot(&self) -> std::result::Result<u64, EdgeError> {
        if let Some(boot) = self.boot.get() {
            return Ok(*boot);
        }
        let boot = next_boot(&self.sql)?;
        Ok(*self.boot.get_or_init(|| boot))
    }

    /// A call begins; who stops it is heard at the answered end.
    fn begins(&self, request_id: &str, key_id: &str) -> oneshot::Receiver<()> {
        let (cancel, cancelled) = oneshot::channel();
        let live = Live { key_id: key_id.to_owned(), hold: request_id.to_owned(), cancel: Some(cancel) };
        self.live.borrow_mut().insert(request_id.to_owned(), live);
        cancelled
    }

    /// A call is held under that id from now on.
    fn holds(&self, request_id: &str, hold: &str) {
        if let Some(live) = self.live.borrow_mut().get_mut(request_id) {
            hold.clone_into(&mut live.hold);
        }
    }

    fn cancel(&self, cancel: &Cancel) -> bool {
        let mut live = self.live.borrow_mut();
        let Some(call) = live.get_mut(&cancel.request_id).filter(|call| call.key_id == cancel.key_id) else {
            return false;
        };
        match call.cancel.take() {
            Some(tell) => tell.send(()).is_ok(),
            None => true,
        }
    }

    async fn heartbeat(&self) {
        let next = Duration::from_millis(self.settings.limits.heartbeat_ms);
        if let Err(error) = self.storage.set_alarm(next).await {
            worker::console_error!("{}", serde_json::json!({"event": "relay.heartbeat", "cause": cause(&error)}));
        }
    }
}
