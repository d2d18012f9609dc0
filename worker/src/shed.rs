//! Load shedding: how many requests of one key this isolate works on at once, by the rate class of their route (ENGINE §8).
//!
//! Why: one client that opens many requests must not take the memory and the objects of all others. It is counted here
//! and nowhere else, so each isolate counts for itself; what an account may do over time, its budgets say (spec:
//! gateway.md §6). A stream counts until its head is given. Invariant: whoever is counted is let go, however its request
//! ends.

use std::cell::RefCell;

use holdpoint_check::route::Rate;
use holdpoint_gateway::in_flight::InFlight;
use holdpoint_gateway::{Code, GatewayError, Limits};
use holdpoint_store::ledger::Credential;
use serde_json::json;

use crate::account::Caller;
use crate::answer::EdgeError;

/// When it may be tried again.
const RETRY_MS: u64 = 1_000;

type Who = (String, String, u8);

thread_local! {
    static IN_FLIGHT: RefCell<InFlight<Who>> = const { RefCell::new(InFlight::new()) };
}

/// A request that is counted, until it is dropped.
pub struct Counted(Who);

impl Drop for Counted {
    fn drop(&mut self) {
        IN_FLIGHT.with_borrow_mut(|in_flight| in_flight.leave(&self.0));
    }
}

/// Counts a request of a caller whose account said yes, or refuses it: `TOO_MANY_IN_FLIGHT`.
pub fn enter(caller: &Caller, rate: Rate, limits: &Limits) -> Result<Counted, EdgeError> {
    let (class, most) = match rate {
        Rate::Reads => (0, limits.max_reads_in_flight),
        Rate::Writes => (1, limits.max_writes_in_flight),
        Rate::Calls => (2, limits.max_calls_in_flight),
    };
    let key = match &caller.credential {
        Credential::Dev => "dev",
        Credential::Key { id, .. } => id.as_str(),
    };
    let who = (caller.account.clone(), key.to_owned(), class);
    if IN_FLIGHT.with_borrow_mut(|in_flight| in_flight.enter(who.clone(), most)) {
        return Ok(Counted(who));
    }
    let details = json!({"scope": format!("key:{key}"), "limit": most, "retry_after_ms": RETRY_MS});
    Err(GatewayError::new(Code::TooManyInFlight).with(details).into())
}
