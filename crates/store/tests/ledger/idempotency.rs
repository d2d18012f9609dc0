//! Calls that are sent again with the same key.

use holdpoint_gateway::Code;
use holdpoint_gateway::budget::Amount;
use holdpoint_store::Sql;
use holdpoint_store::ledger::{CallAsk, LedgerError, Report};

use crate::{Native, call, key, stocked};

fn keyed(id: &str, idem: &str) -> CallAsk {
    CallAsk { idempotency_key: Some(idem.to_owned()), ..call(id, 5) }
}

/// The time of every key is over.
fn end_all(sql: &Native) {
    sql.execute("UPDATE idempotency SET expires_ms = 7", &[]).unwrap();
}

/// The code of a refusal, and the call that it names.
fn refused<T: std::fmt::Debug>(answer: Result<T, LedgerError>) -> (Code, String) {
    match answer.unwrap_err() {
        LedgerError::Refused(refusal) => {
            (refusal.code, refusal.details["request_id"].as_str().unwrap_or_default().to_owned())
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_key_is_spent_on_one_call() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    let other = key(&ledger, 2, &["llm"]);
    ledger.admit(0, &ann, &keyed("req_1", "k")).unwrap();
    // The admission that got no answer is asked for again.
    ledger.admit(1, &ann, &keyed("req_1", "k")).unwrap();
    assert_eq!(refused(ledger.admit(2, &ann, &keyed("req_2", "k"))), (Code::IdempotencyInProgress, "req_1".to_owned()));
    ledger.admit(2, &ann, &keyed("req_3", "l")).unwrap();
    ledger.admit(2, &other, &keyed("req_4", "k")).unwrap();
    let before = sql.bytes();
    assert_eq!(refused(ledger.admit(3, &ann, &keyed("req_5", "k"))).0, Code::IdempotencyInProgress);
    assert_eq!(sql.bytes(), before, "a refusal writes nothing");

    ledger.settle(4, "req_1", Amount { tokens: 2, cost: 0 }, &Report::default()).unwrap();
    assert_eq!(refused(ledger.admit(5, &ann, &keyed("req_6", "k"))), (Code::IdempotencyReplayed, "req_1".to_owned()));
    end_all(&sql);
    ledger.admit(7, &ann, &keyed("req_7", "k")).unwrap();
}

#[test]
fn a_call_that_took_nothing_frees_its_key() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    ledger.admit(0, &ann, &keyed("req_1", "k")).unwrap();
    ledger.release(1, "req_1", &Report::default()).unwrap();
    ledger.admit(2, &ann, &keyed("req_2", "k")).unwrap();

    // Its tries are one call: what one of them took keeps the key.
    ledger.settle(3, "req_2", Amount { tokens: 2, cost: 0 }, &Report::default()).unwrap();
    ledger.admit(4, &ann, &keyed("req_2.2", "k")).unwrap();
    assert_eq!(refused(ledger.admit(5, &ann, &keyed("req_3", "k"))), (Code::IdempotencyInProgress, "req_2".to_owned()));
    ledger.release(6, "req_2.2", &Report::default()).unwrap();
    assert_eq!(refused(ledger.admit(7, &ann, &keyed("req_3", "k"))), (Code::IdempotencyReplayed, "req_2".to_owned()));
}

#[test]
fn old_keys_go() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    for n in 0..40 {
        let id = format!("req_{n}");
        ledger.admit(n, &ann, &keyed(&id, &format!("k{n}"))).unwrap();
        ledger.settle(n, &id, Amount { tokens: 1, cost: 0 }, &Report::default()).unwrap();
    }
    end_all(&sql);
    for n in 0..4 {
        ledger.admit(50 + n, &ann, &keyed(&format!("req_late{n}"), &format!("late{n}"))).unwrap();
    }
    let left = sql.query("SELECT idem FROM idempotency ORDER BY idem", &[]).unwrap();
    let left: Vec<String> = left.iter().map(|row| row.get(0).unwrap()).collect();
    assert_eq!(left, ["late0", "late1", "late2", "late3"]);
}
