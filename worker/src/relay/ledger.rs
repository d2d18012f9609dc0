//! A relay's talk with its account: admit, progress, settle, release.
//!
//! Invariants: an admission that got no answer is asked for again, and released when there still is none, so that no
//! hold stays of a call that was never made; a close that was not acknowledged is tried again,
//! [`SETTLE_RETRIES`](holdpoint_gateway::Limits) times; after that the hold ends by the account's policy, never silently.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use holdpoint_gateway::Code;
use holdpoint_gateway::budget::{Amount, SLICE_SUFFIX};
use holdpoint_gateway::limits::retry_after_ms;
use holdpoint_store::ledger::{CallAsk, Report};
use serde::de::DeserializeOwned;
use serde_json::json;
use worker::Delay;

use super::{Shared, slices};
use crate::account::{AccountCommand, AdmitAnswer, Caller, CloseAnswer, RouteAsk, RouteNews};
use crate::answer::EdgeError;
use crate::objects::ask;

/// Times that an admission without an answer is asked for again.
const ADMIT_RETRIES: u64 = 2;

/// How a call is closed.
pub enum CloseOrder {
    Settle(Amount),
    /// Nothing was sent, or the provider refused it and says that nothing was done.
    Release,
}

/// The account of one call.
#[derive(Clone)]
pub struct LedgerClient {
    shared: Rc<Shared>,
    account: String,
    request_id: String,
    /// The account did not answer when it was asked to admit, so that it may hold something or not.
    in_doubt: Rc<Cell<bool>>,
    lending: Rc<RefCell<Lending>>,
    /// Whether it asks for a call's first try: further ones are held by themselves.
    is_first: bool,
}

/// What a call has to do with slices.
#[derive(Default)]
enum Lending {
    #[default]
    None,
    /// It was admitted within that one.
    Within(String),
    /// That one was lent beside it.
    Beside(String),
}

impl LedgerClient {
    /// The account of a call.
    pub fn new(shared: Rc<Shared>, account: &str, request_id: &str) -> Self {
        Self {
            shared,
            account: account.to_owned(),
            request_id: request_id.to_owned(),
            in_doubt: Rc::default(),
            lending: Rc::default(),
            is_first: true,
        }
    }

    /// The account, for another try of the same call under an id of its own.
    pub fn of(&self, request_id: &str) -> Self {
        Self { is_first: false, ..Self::new(self.shared.clone(), &self.account, request_id) }
    }

    /// Asks for what the call can cost, within what was lent or the account. Without an answer it asks again: to the same
    /// id the law answers the same.
    pub async fn admit(
        &self,
        caller: Caller,
        mut ask_for: CallAsk,
        route: Option<RouteAsk>,
    ) -> Result<AdmitAnswer, EdgeError> {
        let from_calls = self.shared.settings.limits.slice_from_calls;
        if self.is_first
            && route.is_none()
            && let Some((slice, answer)) = self.shared.slices.admit(&caller, &mut ask_for, from_calls)
        {
            self.lending.replace(Lending::Within(slice));
            return Ok(answer);
        }
        let is_unpriced = ask_for.facts.price_version.is_none();
        let mut answer = self.ask_to_admit(caller.clone(), ask_for, route).await?;
        if let Some(lent) = answer.lent.take() {
            self.lending.replace(Lending::Beside(lent.id.clone()));
            self.shared.slices.borrow(&caller, lent, &answer.headers, is_unpriced);
        }
        Ok(answer)
    }

    async fn ask_to_admit(
        &self,
        caller: Caller,
        ask_for: CallAsk,
        route: Option<RouteAsk>,
    ) -> Result<AdmitAnswer, EdgeError> {
        let command = AccountCommand::Admit { caller, ask: ask_for, route };
        let mut attempt = 0;
        loop {
            let answer = self.ask(&command).await;
            let unanswered = answer.as_ref().is_err_and(is_unanswered);
            if unanswered {
                self.in_doubt.set(true);
            }
            if !unanswered || attempt == ADMIT_RETRIES {
                return answer;
            }
            pause(attempt).await;
            attempt += 1;
        }
    }

    /// After an admission that failed: frees what the account holds for it without our knowing.
    pub async fn let_go(&self) {
        if self.in_doubt.get() {
            let report = Report { status: Code::LedgerUnavailable.status(), ..Report::default() };
            self.close(&CloseOrder::Release, &report).await;
            let id = format!("{}{SLICE_SUFFIX}", self.request_id);
            let nothing = AccountCommand::SettleSlice { id, calls: Vec::new(), keep: None };
            let _ = self.ask::<bool>(&nothing).await;
        }
    }

    /// Tells what was closed within the slice that the call has to do with, until that is over.
    pub async fn tell_slice(&self) {
        let id = match &*self.lending.borrow() {
            Lending::None => return,
            Lending::Within(id) | Lending::Beside(id) => id.clone(),
        };
        slices::tell(self.shared.clone(), id).await;
    }

    /// Whether a slice was lent beside the call.
    pub fn is_lent(&self) -> bool {
        matches!(&*self.lending.borrow(), Lending::Beside(_))
    }

    /// The slice within which the call was admitted.
    fn within(&self) -> Option<String> {
        match &*self.lending.borrow() {
            Lending::Within(id) => Some(id.clone()),
            Lending::None | Lending::Beside(_) => None,
        }
    }

    /// Notes what was used so far; a lost note does no harm. A slice is held whole, whatever its calls used.
    pub async fn progress(&self, used: Amount) {
        if self.within().is_some() {
            return;
        }
        let command = AccountCommand::Progress { request_id: self.request_id.clone(), used };
        if let Ok(account) = self.shared.objects.account(&self.account) {
            let _ = ask::<_, bool>(&account, &command).await;
        }
    }

    /// Tells how a provider did; lost news does no harm.
    pub async fn tried(&self, news: RouteNews) {
        let _ = self.ask::<bool>(&AccountCommand::Tried { news }).await;
    }

    /// Closes the call once. `None`: the account never answered.
    pub async fn close(&self, close: &CloseOrder, report: &Report) -> Option<CloseAnswer> {
        if let Some(slice) = self.within() {
            return self.shared.slices.close(&slice, &self.request_id, close, report);
        }
        let retries = self.shared.settings.limits.settle_retries;
        let mut report = report.clone();
        for attempt in 0..=retries {
            if let Some(counted) = &mut report.counted {
                counted.repeated = attempt;
            }
            let (request_id, report) = (self.request_id.clone(), report.clone());
            let command = match close {
                CloseOrder::Settle(used) => AccountCommand::Settle { request_id, used: *used, report },
                CloseOrder::Release => AccountCommand::Release { request_id, report },
            };
            match self.ask(&command).await {
                Ok(answer) => return Some(answer),
                // The account answered: it knows no such hold, and asking again changes nothing.
                Err(fault) if fault.status == 404 => return None,
                Err(_) if attempt < retries => pause(attempt).await,
                Err(_) => {}
            }
        }
        worker::console_error!("{}", json!({"event": "llm.settle_lost", "request_id": self.request_id}));
        None
    }

    async fn ask<A: DeserializeOwned>(&self, command: &AccountCommand) -> Result<A, EdgeError> {
        ask(&self.shared.objects.account(&self.account)?, command).await
    }
}

/// Whether a fault says that the account was not heard, and not what it decided.
fn is_unanswered(fault: &EdgeError) -> bool {
    let decided = [Code::AllProvidersUnavailable, Code::RemoteFallbackRequired, Code::ModelNotPriced];
    fault.status >= 500 && decided.iter().all(|code| fault.code != code.name())
}

async fn pause(attempt: u64) {
    Delay::from(Duration::from_millis(retry_after_ms(attempt))).await;
}
