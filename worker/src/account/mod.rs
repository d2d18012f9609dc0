//! The `Account` object: one a principal's account; the single writer of its ledger, budgets and keys (spec:
//! gateway.md §6, §13).
//!
//! Owns the clock and the alarm of its ledger; every rule is `holdpoint_store`'s and `holdpoint_gateway`'s. Invariants:
//! an alarm is set no later than the earliest deadline; what was committed is answered, whether the alarm could be set
//! or not.

mod command;
pub mod profile;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use holdpoint_gateway::Code;
use holdpoint_gateway::budget::{Budget, Payers, Period, Unit};
use holdpoint_gateway::config::{DEV_ACCOUNT, DEV_BUDGET, DEV_BUDGET_TOKENS};
use holdpoint_store::Ledger;
use holdpoint_store::ledger::LedgerError;
use serde_json::{Value, json};
use worker::{DurableObject, Env, Request, Response, Result, State, durable_object};

use crate::answer::{EdgeError, cause};
use crate::js::now_ms;
use crate::objects::{read, reply};
use crate::settings::Settings;
use crate::sql::ObjectSql;

pub use command::{AccountCommand, AdmitAnswer, Caller, CloseAnswer, Entered, QuoteAsk, Slice, read_budget};

/// See the module.
#[durable_object(alarm)]
pub struct Account {
    state: State,
    settings: Rc<Settings>,
    ledger: RefCell<Option<Rc<Ledger<ObjectSql>>>>,
    /// When the alarm rings, as far as is known.
    alarm: Cell<Option<i64>>,
    /// Users whose last call was refused for budget: a refusal writes nothing, so this lives here.
    refused: RefCell<BTreeSet<String>>,
}

impl DurableObject for Account {
    fn new(state: State, env: Env) -> Self {
        let settings = Settings::of(&env);
        Self { state, settings, ledger: RefCell::default(), alarm: Cell::default(), refused: RefCell::default() }
    }

    async fn fetch(&self, mut request: Request) -> Result<Response> {
        let command: AccountCommand = read(&mut request).await?;
        let answer = self.answer(command);
        if let Err(error) = self.set_alarm().await {
            // The next command sets it; each expires what is due before it is answered.
            worker::console_error!("{}", json!({"event": "account.alarm", "cause": cause(&error)}));
        }
        reply(answer)
    }

    async fn alarm(&self) -> Result<Response> {
        self.alarm.set(None);
        if let Ok(ledger) = self.ledger(None) {
            let fired = ledger.fire_due(now_ms()).map_err(|error| worker::Error::from(error.code()))?;
            for id in fired.ended {
                worker::console_log!("{}", json!({"event": "llm.expired", "id": id}));
            }
            for id in fired.stuck {
                worker::console_error!("{}", json!({"event": "llm.expire_failed", "id": id}));
            }
        }
        self.set_alarm().await?;
        Response::empty()
    }
}

impl Account {
    fn answer(&self, command: AccountCommand) -> std::result::Result<Value, EdgeError> {
        let named = match &command {
            AccountCommand::Bootstrap { .. } => Some(DEV_ACCOUNT),
            other if other.is_dev() => Some(DEV_ACCOUNT),
            _ => None,
        };
        let ledger = self.ledger(named)?;
        command.answer(&ledger, &self.settings, &self.refused, now_ms())
    }

    /// The ledger; an account that nobody opened has no keys, so nobody can be known to it. `named` opens it.
    fn ledger(&self, named: Option<&str>) -> std::result::Result<Rc<Ledger<ObjectSql>>, EdgeError> {
        if let Some(ledger) = &*self.ledger.borrow() {
            return Ok(ledger.clone());
        }
        let sql = ObjectSql::new(&self.state);
        let known = Ledger::account_of(&sql)?;
        let Some(name) = known.as_deref().or(named) else { return Err(Code::AuthInvalidToken.into()) };
        let ledger = Rc::new(Ledger::open(sql, name, self.settings.expire_policy)?);
        if name == DEV_ACCOUNT && ledger.is_fresh()? {
            self.seed(&ledger)?;
        }
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
        };
        Ok(ledger.put_budget(now_ms(), "system", &budget, self.settings.limits.max_budgets)?)
    }

    async fn set_alarm(&self) -> Result<()> {
        let Some(ledger) = self.ledger.borrow().clone() else { return Ok(()) };
        let next = ledger.next_deadline().map_err(|error| worker::Error::from(error.code()))?;
        let Some(next) = next else { return Ok(()) };
        if self.alarm.get().is_some_and(|set| set <= next) {
            return Ok(());
        }
        let wait = next.saturating_sub(now_ms()).max(0);
        self.state.storage().set_alarm(wait).await?;
        self.alarm.set(Some(next));
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
