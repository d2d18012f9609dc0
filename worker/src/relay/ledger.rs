//! A relay's talk with its account: admit, progress, settle, release.
//!
//! Invariant: a close that was not acknowledged is tried again, [`SETTLE_RETRIES`](holdpoint_gateway::Limits) times;
//! after that the hold ends by the account's policy, never silently.

use std::rc::Rc;
use std::time::Duration;

use holdpoint_gateway::budget::Amount;
use holdpoint_store::ledger::{CallAsk, Report};
use serde_json::json;
use worker::Delay;

use super::Shared;
use crate::account::{AdmitAnswer, Caller, CloseAnswer, Question};
use crate::answer::Fault;
use crate::objects::ask;

const RETRY_MS: u64 = 100;
const RETRY_MOST_MS: u64 = 10_000;

/// How a call is closed.
pub enum Close {
    /// Something was used.
    Settle(Amount),
    /// The upstream was not reached, or failed before its first byte.
    Release,
}

/// The account of one call.
#[derive(Clone)]
pub struct Ledger {
    shared: Rc<Shared>,
    account: String,
    request_id: String,
}

impl Ledger {
    /// The account of a call.
    pub fn new(shared: Rc<Shared>, account: &str, request_id: &str) -> Self {
        Self { shared, account: account.to_owned(), request_id: request_id.to_owned() }
    }

    /// Asks for what the call can cost.
    pub async fn admit(&self, caller: Caller, ask_for: CallAsk) -> Result<AdmitAnswer, Fault> {
        ask(&self.shared.objects.account(&self.account)?, &Question::Admit { caller, ask: ask_for }).await
    }

    /// Notes what was used so far; a lost note does no harm.
    pub async fn progress(&self, used: Amount) {
        let question = Question::Progress { request_id: self.request_id.clone(), used };
        if let Ok(account) = self.shared.objects.account(&self.account) {
            let _ = ask::<_, bool>(&account, &question).await;
        }
    }

    /// Closes the call once. `None`: the account never answered.
    pub async fn close(&self, close: &Close, report: &Report) -> Option<CloseAnswer> {
        let request_id = self.request_id.clone();
        let question = match close {
            Close::Settle(used) => Question::Settle { request_id, used: *used, report: report.clone() },
            Close::Release => Question::Release { request_id, report: report.clone() },
        };
        let retries = self.shared.settings.limits.settle_retries;
        for attempt in 0..=retries {
            let account = self.shared.objects.account(&self.account);
            let answer = match account {
                Ok(account) => ask(&account, &question).await,
                Err(fault) => Err(fault),
            };
            match answer {
                Ok(answer) => return Some(answer),
                // The account answered: it knows no such hold, and asking again changes nothing.
                Err(fault) if fault.status == 404 => return None,
                Err(_) if attempt < retries => {
                    let wait = RETRY_MS.saturating_mul(1 << attempt.min(20)).min(RETRY_MOST_MS);
                    Delay::from(Duration::from_millis(wait)).await;
                }
                Err(_) => {}
            }
        }
        worker::console_error!("{}", json!({"event": "llm.settle_lost", "request_id": self.request_id}));
        None
    }
}
