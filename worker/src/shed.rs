//! Load shedding: how many requests of one key this isolate works on at once, by the rate class of their route (ENGINE §8).
//!
//! Why: one client that opens many requests must not take the memory and the objects of all others. It is counted here
//! and nowhere else, so each isolate counts for itself; what an account may do over time, its budgets say (spec:
//! gateway.md §6). A stream counts until its head is given. Invariant: whoever is counted is let go, however its request
//! ends.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::net::Ipv6Addr;

use holdpoint_check::route::Rate;
use holdpoint_gateway::in_flight::InFlight;
use holdpoint_gateway::{Code, GatewayError, Limits};
use serde_json::json;

use crate::account::Caller;
use crate::answer::EdgeError;
use crate::js::now_ms;

/// When it may be tried again.
const RETRY_MS: u64 = 1_000;

/// Refused sign-ins of one address a minute, after which it waits.
const MOST_REFUSALS: u64 = 20;
const MINUTE_MS: i64 = 60_000;
/// The most addresses that are remembered at once.
const MOST_ADDRESSES: usize = 4_096;

/// A minute, and the refusals of each address in it.
type Strangers = (i64, BTreeMap<String, u64>);

type Who = (String, String, u8);

thread_local! {
    static STRANGERS: RefCell<Strangers> = const { RefCell::new((0, BTreeMap::new())) };
    static IN_FLIGHT: RefCell<InFlight<Who>> = const { RefCell::new(InFlight::new()) };
}

/// Whose an address is: of IPv6 a network, for one client has all of it.
pub fn network(address: &str) -> String {
    match address.parse::<Ipv6Addr>() {
        Ok(address) => address.segments()[..4].iter().map(|part| format!("{part:x}:")).collect(),
        Err(_) => address.to_owned(),
    }
}

/// Refuses who was refused too often in this minute: `RATE_LIMITED`.
pub fn stranger(address: Option<&str>) -> Result<(), EdgeError> {
    let (now, Some(address)) = (now_ms(), address) else { return Ok(()) };
    let refusals = STRANGERS.with_borrow(|(minute, refusals)| {
        (*minute == now / MINUTE_MS).then(|| refusals.get(address).copied()).flatten().unwrap_or_default()
    });
    if refusals < MOST_REFUSALS {
        return Ok(());
    }
    let details = json!({"scope": "address", "retry_after_ms": MINUTE_MS - now % MINUTE_MS});
    Err(GatewayError::new(Code::RateLimited).with(details).into())
}

/// Counts a refused sign-in of an address.
pub fn refused(address: Option<String>) {
    let Some(address) = address else { return };
    STRANGERS.with_borrow_mut(|(minute, refusals)| {
        let now = now_ms() / MINUTE_MS;
        if *minute != now {
            (*minute, *refusals) = (now, BTreeMap::new());
        }
        if refusals.len() >= MOST_ADDRESSES {
            refusals.retain(|_, count| *count >= MOST_REFUSALS);
        }
        *refusals.entry(address).or_default() += 1;
    });
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
    let key = caller.credential.key_id();
    let who = (caller.account.clone(), key.to_owned(), class);
    if IN_FLIGHT.with_borrow_mut(|in_flight| in_flight.enter(who.clone(), most)) {
        return Ok(Counted(who));
    }
    let details = json!({"scope": format!("key:{key}"), "limit": most, "retry_after_ms": RETRY_MS});
    Err(GatewayError::new(Code::TooManyInFlight).with(details).into())
}
