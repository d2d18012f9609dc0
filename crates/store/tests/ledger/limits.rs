//! Limits of a scope: calls at once and their rate, kept with the ledger.

use std::collections::BTreeSet;

use holdpoint_gateway::budget::{Budget, Period, Rate, Unit};
use holdpoint_gateway::refusal::Code;
use holdpoint_store::ledger::{Credential, LedgerError, LimitAsk};

use super::support::Native;
use super::{budget, call, check_invariants, code, key, open, report, stocked, used};

const FIVE: LimitAsk = LimitAsk { max_in_flight: None, rate: Some(Rate { count: 5, per_ms: 1_000, burst: Some(2) }) };

fn at_once(most: u32) -> LimitAsk {
    LimitAsk { max_in_flight: Some(most), rate: None }
}

#[test]
fn calls_at_once_are_counted_by_what_is_open() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    let other = key(&ledger, 2, &["llm"]);
    ledger.put_limit(0, "test", "user:ann", at_once(2)).unwrap();
    ledger.admit(0, &ann, &call("r1", 1)).unwrap();
    ledger.admit(0, &other, &call("r2", 1)).unwrap();
    let before = sql.bytes();
    let Err(LedgerError::Refused(refusal)) = ledger.admit(0, &ann, &call("r3", 1)) else { panic!("admitted") };
    assert_eq!((refusal.code, refusal.details["scope"].as_str()), (Code::TooManyInFlight, Some("user:ann")));
    assert!(sql.bytes() == before, "a refusal wrote");
    assert_eq!(ledger.limit("user:ann").unwrap().unwrap().in_flight, 2);
    ledger.settle(1, "r1", used(1), &report()).unwrap();
    ledger.admit(1, &ann, &call("r3", 1)).unwrap();
    // Another writer of the same database knows it too.
    assert_eq!(code(open(&sql).admit(1, &ann, &call("r4", 1))), Code::TooManyInFlight);
    ledger.put_limit(2, "test", "account:dev", at_once(0)).unwrap();
    ledger.delete_limit(2, "test", "user:ann").unwrap();
    assert_eq!(code(ledger.admit(2, &ann, &call("r4", 1))), Code::TooManyInFlight);
    assert!(ledger.delete_limit(3, "test", "account:dev").unwrap());
    assert!(!ledger.delete_limit(3, "test", "account:dev").unwrap());
    ledger.admit(3, &ann, &call("r4", 1)).unwrap();
    check_invariants(&sql);
}

#[test]
fn a_call_under_as_many_budgets_as_there_may_be_is_admitted_settled_and_released() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    let Credential::Key { id, .. } = &ann else { panic!("no key") };
    for scope in [format!("key:{id}"), "user:ann".to_owned(), "account:dev".to_owned()] {
        for unit in [Unit::Tokens, Unit::Cost, Unit::Requests] {
            for period in [Period::Minute, Period::Day, Period::Month, Period::Total] {
                let id = format!("{}-{}-{}", &scope[..1], unit.name(), period.name());
                // `stocked` gave the account one of these.
                if id != "a-tokens-total" {
                    ledger.put_budget(0, "test", &Budget { period, ..budget(&id, &scope, unit, 100) }, 16).unwrap();
                }
            }
        }
    }
    ledger.admit(0, &ann, &call("r1", 7)).unwrap();
    ledger.settle(1, "r1", used(5), &report()).unwrap();
    ledger.admit(2, &ann, &call("r2", 95)).unwrap();
    assert_eq!(code(ledger.admit(2, &ann, &call("r3", 1))), Code::BudgetHeld);
    ledger.settle(3, "r2", used(0), &report()).unwrap();
    ledger.admit(4, &ann, &call("r4", 95)).unwrap();
    check_invariants(&sql);
}

#[test]
fn a_rate_is_kept_over_restarts_and_moved_by_admitted_calls_only() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    let Ok(()) = ledger.put_limit(0, "test", "user:ann", FIVE) else { panic!() };
    ledger.admit(1_000, &ann, &call("r1", 1)).unwrap();
    ledger.admit(1_000, &ann, &call("r2", 1)).unwrap();
    for ledger in [ledger, open(&sql)] {
        let Err(LedgerError::Refused(refusal)) = ledger.admit(1_000, &ann, &call("r3", 1)) else { panic!("admitted") };
        assert_eq!((refusal.code, refusal.details["retry_after_ms"].as_u64()), (Code::RateLimited, Some(200)));
    }
    let ledger = open(&sql);
    // Too dear: refused by its budget, so it moves no time.
    assert_eq!(code(ledger.admit(1_200, &ann, &call("r4", 1_000))), Code::BudgetExhausted);
    ledger.admit(1_200, &ann, &call("r3", 1)).unwrap();
    let admitted: BTreeSet<i64> =
        (1_201..2_201).filter(|now| ledger.admit(*now, &ann, &call(&format!("s{now}"), 1)).is_ok()).collect();
    assert_eq!(admitted.len(), 5, "{admitted:?}");
    check_invariants(&sql);
}
