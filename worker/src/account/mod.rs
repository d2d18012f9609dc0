//! The `Account` object: one a principal's account; the single writer of its ledger, budgets and keys (spec:
//! gateway.md §6, §13).
//!
//! Owns the clock and the alarm of its ledger; every rule is `holdpoint_store`'s and `holdpoint_gateway`'s. Invariants:
//! an alarm is set no later than the earliest deadline; what was committed is answered, whether the alarm could be set
//! or not.

mod admit;
mod asked;
mod command;
mod keys;
mod look;
mod memory;
mod own;
pub mod profile;
mod route;
mod setup;
mod slices;
mod webhooks;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use holdpoint_gateway::Code;
use holdpoint_gateway::budget::{Budget, Payers, Period, Unit};
use holdpoint_gateway::config::{DEV_ACCOUNT, DEV_BUDGET, DEV_BUDGET_TOKENS};
use holdpoint_store::Ledger;
use holdpoint_store::ledger::LedgerError;
use serde_json::{Value, json};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use worker::wasm_bindgen_futures::future_to_promise;
use worker::{DurableObject, Env, Request, Response, Result, State, Storage, durable_object};

use crate::answer::{EdgeError, cause};
use crate::js::now_ms;
use crate::objects::{Objects, told};
use crate::settings::{Settings, Uncounted};
use crate::sql::ObjectSql;

pub use admit::AdmitAnswer;
pub use command::{AccountCommand, Caller, CloseAnswer, Entered, QuoteAsk, Slice};
use memory::InMemory;
pub use own::{OwnAsk, OwnCandidate, OwnModels};
pub use route::{RouteAsk, RouteCandidate, RouteNews, RouteResult, Routed};
pub use setup::SetupAsk;

/// Between two batches of what is forgotten or delivered.
const PAUSE_MS: i64 = 1_000;

#[durable_object(alarm)]
pub struct Account {
    state: State,
    env: Env,
    settings: Rc<Settings>,
    objects: Objects,
    ledger: RefCell<Option<Rc<Ledger<ObjectSql>>>>,
    /// Its own name is stored.
    named: Cell<bool>,
    /// It was looked at whether a state for development is fresh.
    seeded: Cell<bool>,
    /// When the alarm rings, as far as is known.
    alarm: Rc<Cell<Option<i64>>>,
    memory: InMemory,
}

impl DurableObject for Account {
    fn new(state: State, env: Env) -> Self {
        let settings = Settings::of(&env);
        let objects = Objects::new(env.clone());
        Self {
            state,
            env,
            settings,
            objects,
            named: Cell::default(),
            seeded: Cell::default(),
            ledger: RefCell::default(),
            alarm: Rc::default(),
            memory: InMemory::default(),
        }
    }

    /// Nobody comes by request: see [`Account::ask`].
    async fn fetch(&self, _: Request) -> Result<Response> {
        Response::error("", 404)
    }

    async fn alarm(&self) -> Result<Response> {
        self.alarm.set(None);
        if let Ok(ledger) = self.ledger(None) {
            let fired = ledger.fire_due(now_ms()).map_err(|error| worker::Error::from(error.code()))?;
            self.expired(&ledger, &fired.ended, false);
            for id in fired.stuck {
                worker::console_error!("{}", json!({"event": "llm.expire_failed", "id": id}));
            }
        }
        if let Ok(ledger) = self.ledger(None) {
            ledger.forget_runs(now_ms()).map_err(|error| worker::Error::from(error.code()))?;
            ledger.forget_rows(now_ms()).map_err(|error| worker::Error::from(error.code()))?;
            let age = self.settings.limits.look();
            if let Err(fault) = look::look(&ledger, &self.objects, age).await {
                worker::console_error!("{}", json!({"event": "account.look", "code": fault.code}));
            }
            self.orphaned(&ledger);
            if let Err(fault) =
                webhooks::deliver(&ledger, &self.env, &self.settings, &self.state.id().name().unwrap_or_default()).await
            {
                worker::console_error!("{}", json!({"event": "webhook.failed", "code": fault.code}));
            }
            let holds = ledger.owners(i64::MAX).is_ok_and(|owners| !owners.is_empty());
            if let Some(next) = self.next_alarm(holds)? {
                ring(self.state.storage(), self.alarm.clone(), next).await?;
            }
        }
        Response::empty()
    }
}

#[wasm_bindgen]
impl Account {
    /// Answers an [`AccountCommand`], text in and out: at once, or by a promise where relays must hear of it first.
    #[wasm_bindgen(js_name = ask)]
    pub fn ask(&self, command: &str) -> JsValue {
        let command = serde_json::from_str(command).map_err(EdgeError::from);
        let narrows = command.as_ref().is_ok_and(AccountCommand::narrows);
        // In a new life nobody knows what the last one held.
        let holds = self.alarm.get().is_none() || matches!(command, Ok(AccountCommand::Admit { .. }));
        let answer = command.and_then(|command| self.answer(command));
        match self.next_alarm(holds) {
            Ok(None) => {}
            Ok(Some(next)) => {
                let (storage, alarm) = (self.state.storage(), self.alarm.clone());
                self.state.wait_until(async move {
                    if let Err(error) = ring(storage, alarm, next).await {
                        unset(&error);
                    }
                });
            }
            Err(error) => unset(&error),
        }
        let borrowers = if narrows && answer.is_ok() { self.borrowers() } else { Vec::new() };
        if borrowers.is_empty() {
            return told(answer).into();
        }
        let objects = self.objects.clone();
        future_to_promise(async move {
            slices::recall(&objects, borrowers).await;
            Ok(told(answer).into())
        })
        .into()
    }
}

/// The next command sets it; each expires what is due before it is answered.
fn unset(error: &worker::Error) {
    worker::console_error!("{}", json!({"event": "account.alarm", "cause": cause(error)}));
}

async fn ring(storage: Storage, alarm: Rc<Cell<Option<i64>>>, next: i64) -> Result<()> {
    storage.set_alarm(next.saturating_sub(now_ms()).max(0)).await?;
    alarm.set(Some(next));
    Ok(())
}

impl Account {
    /// The relays that something is lent to: the account's name for them, and their shards.
    fn borrowers(&self) -> Vec<(String, String)> {
        let Some(ledger) = self.ledger.borrow().clone() else { return Vec::new() };
        let (Ok(Some(name)), Ok(shards)) = (ledger.object_name(), ledger.borrowers()) else { return Vec::new() };
        shards.into_iter().map(|shard| (name.clone(), shard)).collect()
    }

    fn answer(&self, command: AccountCommand) -> std::result::Result<Value, EdgeError> {
        let ledger = self.ledger(command.opens())?;
        if command.seeds() && !self.seeded.replace(true) && ledger.is_fresh()? {
            self.seed(&ledger)?;
        }
        self.expired(&ledger, &ledger.fire_due(now_ms())?.ended, false);
        if let AccountCommand::Admit { caller, .. } = &command {
            self.note_name(&ledger, &caller.account)?;
        }
        let answer = command.answer(&ledger, &self.settings, &self.memory, now_ms());
        self.orphaned(&ledger);
        answer
    }

    /// Holds that no relay knew any more ended.
    fn orphaned(&self, ledger: &Ledger<ObjectSql>) {
        let ended = ledger.take_orphaned();
        self.memory.count_orphans(ended.len());
        self.expired(ledger, &ended, true);
    }

    /// Holds and runs ended without a word of theirs: it is counted, logged and told.
    fn expired(&self, ledger: &Ledger<ObjectSql>, ended: &[String], orphan: bool) {
        self.memory.count_expired(&self.settings, ended.len());
        for id in ended {
            worker::console_log!("{}", json!({"event": "llm.expired", "id": id, "orphan": orphan}));
            webhooks::tell_budgets(ledger, id);
        }
    }

    /// The ledger; an account that nobody opened has no keys, so nobody can be known to it. `named` opens it.
    fn ledger(&self, named: Option<&str>) -> std::result::Result<Rc<Ledger<ObjectSql>>, EdgeError> {
        if let Some(ledger) = &*self.ledger.borrow() {
            return Ok(ledger.clone());
        }
        let sql = ObjectSql::new(&self.state);
        let known = Ledger::account_of(&sql)?;
        let Some(name) = known.as_deref().or(named) else { return Err(Code::AuthInvalidToken.into()) };
        let ledger = Ledger::open(sql, name, self.settings.expire_policy)?.limited(&self.settings.limits);
        let ledger = Rc::new(ledger.needing_budgets(self.settings.uncounted == Uncounted::Refused));
        *self.ledger.borrow_mut() = Some(ledger.clone());
        Ok(ledger)
    }

    /// A fresh state has account `dev` with one budget (spec: gateway.md §4).
    fn seed(&self, ledger: &Ledger<ObjectSql>) -> std::result::Result<(), EdgeError> {
        let budget = Budget {
            id: DEV_BUDGET.to_owned(),
            scope: format!("account:{DEV_ACCOUNT}"),
            unit: Unit::Tokens,
            period: Period::Day,
            limit: DEV_BUDGET_TOKENS,
            payer: Payers::Platform,
            generation: 0,
            grants: Vec::new(),
        };
        Ok(ledger.put_budget(now_ms(), "system", &budget, self.settings.limits.max_budgets)?)
    }

    /// When the alarm must ring, unless it rings before that. With holds it rings soon, for somebody must look whether
    /// their calls still run.
    fn next_alarm(&self, holds: bool) -> Result<Option<i64>> {
        let Some(ledger) = self.ledger.borrow().clone() else { return Ok(None) };
        let next = ledger.next_deadline().map_err(|error| worker::Error::from(error.code()))?;
        let soon = if holds { now_ms().saturating_add(self.settings.limits.look()) } else { i64::MAX };
        let next = next.map(|deadline| deadline.min(soon));
        // Batches of what is forgotten leave room for calls between them.
        let forget = ledger.next_forgetting().map_err(|error| worker::Error::from(error.code()))?;
        let over = ledger.next_over().map_err(|error| worker::Error::from(error.code()))?;
        let delivery = ledger.next_delivery().map_err(|error| worker::Error::from(error.code()))?;
        let later = forget.into_iter().chain(over).chain(delivery).min();
        let later = later.map(|at| at.max(now_ms().saturating_add(PAUSE_MS)));
        let next = next.into_iter().chain(later).min();
        Ok(next.filter(|next| self.alarm.get().is_none_or(|set| set > *next)))
    }

    /// Notes, once, by which name this object was called: its relays are named after it.
    fn note_name(&self, ledger: &Ledger<ObjectSql>, name: &str) -> std::result::Result<(), EdgeError> {
        if !self.named.get() {
            if ledger.object_name()?.as_deref() != Some(name) {
                ledger.note_object_name(name)?;
            }
            self.named.set(true);
        }
        Ok(())
    }
}

impl From<LedgerError> for EdgeError {
    fn from(error: LedgerError) -> Self {
        match error {
            LedgerError::Refused(refusal) => refusal.into(),
            LedgerError::Told(error) => error.into(),
            LedgerError::Sql(error) => error.into(),
        }
    }
}
