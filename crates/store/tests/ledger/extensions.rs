//! Temporary extensions of budgets: who may ask, what a grant changes, and what its end leaves.

use holdpoint_gateway::refusal::{Code, GatewayError};
use holdpoint_store::ledger::{Clamp, Decision, ExtensionState, LedgerError, Principal};
use serde_json::json;

use super::support::Native;
use super::{Unit, audited, budget, call, check_invariants, code, key, open, report, stocked, used, window};

const HOUR: i64 = 3_600_000;

fn principal(user: &str) -> Principal {
    Principal {
        key_id: "k".to_owned(),
        user_id: user.to_owned(),
        scopes: Vec::new(),
        models: Vec::new(),
        origins: Vec::new(),
        clamp: Clamp::Allowed,
    }
}

fn refused<T: std::fmt::Debug>(result: Result<T, LedgerError>) -> GatewayError {
    match result {
        Err(LedgerError::Refused(refusal)) => refusal,
        other => panic!("no refusal: {other:?}"),
    }
}

fn grant(amount: u64, until: i64) -> Decision {
    Decision::Grant { amount, until }
}

#[test]
fn a_refusal_leads_to_a_request_and_a_grant_lets_the_call_through() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    let refusal = refused(ledger.admit(0, &ann, &call("r1", 130)));
    assert_eq!(
        (&refusal.details["remaining"], &refusal.details["extension_url"]),
        (&json!(100), &json!("/usage?budget=tokens&ask=30"))
    );
    let asked = ledger.ask_extension(1, &principal("ann"), "ext_1", "tokens", 30, "a large model").unwrap();
    assert_eq!((asked.state, asked.asked, asked.amount), (ExtensionState::Asked, 30, None));
    assert_eq!(code(ledger.admit(2, &ann, &call("r1", 130))), Code::BudgetExhausted, "asking is not having");
    ledger.decide_extension(3, "user:boss", "tokens", "ext_1", grant(30, HOUR)).unwrap();
    let shown = ledger.standing(4, "tokens").unwrap().unwrap();
    assert_eq!((shown.limit, shown.granted, shown.remaining), (130, Some(30), 130));
    // Another writer of the same database reads the same limit.
    let (_, admitted) = open(&sql).admit(4, &ann, &call("r1", 130)).unwrap();
    assert_eq!(admitted.balances[0].header(), "tokens;unit=tokens;limit=130;remaining=0;reset=never");
    check_invariants(&sql);
}

#[test]
fn an_end_takes_nothing_back_whether_it_comes_by_hand_or_by_time() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    for (id, until) in [("ext_1", HOUR), ("ext_2", 50)] {
        ledger.ask_extension(0, &principal("ann"), id, "tokens", 20, "more").unwrap();
        ledger.decide_extension(0, "user:boss", "tokens", id, grant(20, until)).unwrap();
    }
    ledger.admit(1, &ann, &call("r1", 140)).unwrap();
    ledger.settle(2, "r1", used(135), &report()).unwrap();
    assert_eq!(ledger.standing(49, "tokens").unwrap().unwrap().limit, 140);
    assert_eq!(ledger.standing(50, "tokens").unwrap().unwrap().limit, 120);
    let ended = ledger.decide_extension(60, "user:boss", "tokens", "ext_1", Decision::End).unwrap();
    assert_eq!((ended.state, ended.amount, ended.until), (ExtensionState::Ended, Some(20), Some(60)));
    assert_eq!((window(&ledger), ledger.standing(61, "tokens").unwrap().unwrap().limit), ((135, 0, 0), 100));
    let refusal = refused(ledger.admit(61, &ann, &call("r2", 1)));
    assert_eq!((refusal.code, &refusal.details["limit"]), (Code::BudgetExhausted, &json!(100)));
    assert_eq!(refusal.details["extension_url"], "/usage?budget=tokens&ask=36");
    check_invariants(&sql);
}

#[test]
fn each_request_is_decided_once() {
    let sql = Native::new();
    let (ledger, _) = stocked(&sql);
    let decide = |now, id, decision| ledger.decide_extension(now, "user:boss", "tokens", id, decision);
    for id in ["ext_1", "ext_2"] {
        ledger.ask_extension(0, &principal("ann"), id, "tokens", 5, "more").unwrap();
    }
    assert!(matches!(decide(1, "ext_1", Decision::End), Err(LedgerError::Told(error)) if error.status == 409));
    let granted = decide(1, "ext_1", grant(5, HOUR)).unwrap();
    assert_eq!(decide(2, "ext_1", grant(5, HOUR)).unwrap(), granted, "the same answer twice is one");
    for other in [grant(6, HOUR), Decision::Deny] {
        let Err(LedgerError::Told(error)) = decide(2, "ext_1", other) else { panic!("{other:?}") };
        assert_eq!((error.code.as_str(), &error.details["state"]), ("CONFLICT", &json!("granted")));
    }
    decide(3, "ext_2", Decision::Deny).unwrap();
    assert!(decide(4, "ext_2", grant(5, HOUR)).is_err());
    assert_eq!(refused(decide(4, "ext_3", Decision::Deny)).code, Code::NotFound);
    assert_eq!(refused(ledger.decide_extension(4, "b", "other", "ext_1", Decision::End)).code, Code::NotFound);
    let all = ledger.extensions(5, None, None, 1).unwrap();
    assert_eq!((all.items[0].id.as_str(), all.next_cursor.as_deref()), ("ext_2", Some("ext_2")));
    assert_eq!(ledger.extensions(5, Some("ann"), Some("ext_2"), 9).unwrap().items.len(), 1);
    assert!(ledger.extensions(5, Some("bo"), None, 9).unwrap().items.is_empty());
}

#[test]
fn only_budgets_of_ones_own_can_be_asked_for_and_not_without_end() {
    let sql = Native::new();
    let (ledger, _) = stocked(&sql);
    ledger.put_budget(0, "test", &budget("bo", "user:bo", Unit::Tokens, 9), 16).unwrap();
    let ask = |user: &str, id: &str, of: &str| ledger.ask_extension(0, &principal(user), id, of, 1, "more");
    for (user, of) in [("ann", "bo"), ("ann", "nothing")] {
        assert_eq!(refused(ask(user, "ext_0", of)).code, Code::NotFound, "{user} {of}");
    }
    for n in 0..16 {
        ask("bo", &format!("ext_{n:02}"), "bo").unwrap();
    }
    assert_eq!(refused(ask("bo", "ext_16", "bo")).code, Code::InvalidRequest);
    ask("ann", "ext_17", "tokens").unwrap();
    for n in 0..16 {
        ledger.decide_extension(0, "b", "bo", &format!("ext_{n:02}"), grant(1, 10 + n)).unwrap();
    }
    ask("bo", "ext_18", "bo").unwrap();
    assert_eq!(refused(ledger.decide_extension(9, "b", "bo", "ext_18", grant(1, 20))).code, Code::InvalidRequest);
    // One ran out: there is room.
    ledger.decide_extension(10, "b", "bo", "ext_18", grant(1, 20)).unwrap();
    assert_eq!(ledger.standing(10, "bo").unwrap().unwrap().limit, 9 + 16);
}

#[test]
fn a_budget_made_anew_inherits_no_grant() {
    let sql = Native::new();
    let (ledger, _) = stocked(&sql);
    ledger.ask_extension(0, &principal("ann"), "ext_1", "tokens", 5, "more").unwrap();
    ledger.decide_extension(0, "b", "tokens", "ext_1", grant(5, HOUR)).unwrap();
    ledger.delete_budget(1, "b", "tokens").unwrap();
    ledger.put_budget(2, "b", &budget("tokens", "account:dev", Unit::Tokens, 100), 16).unwrap();
    assert_eq!(ledger.standing(3, "tokens").unwrap().unwrap().limit, 100);
    // Nor does a limit that is set while a grant runs swallow it.
    ledger.ask_extension(3, &principal("ann"), "ext_2", "tokens", 7, "more").unwrap();
    ledger.decide_extension(3, "b", "tokens", "ext_2", grant(7, HOUR)).unwrap();
    ledger.put_budget(4, "b", &budget("tokens", "account:dev", Unit::Tokens, 50), 16).unwrap();
    let shown = ledger.standing(5, "tokens").unwrap().unwrap();
    assert_eq!((shown.limit, shown.granted), (57, Some(7)));
}

#[test]
fn every_step_is_audited_with_who_did_it() {
    let sql = Native::new();
    let (ledger, _) = stocked(&sql);
    let _ = key(&ledger, 2, &["admin"]);
    ledger.ask_extension(1, &principal("ann"), "ext_1", "tokens", 5, "more").unwrap();
    ledger.decide_extension(2, "user:boss", "tokens", "ext_1", grant(5, HOUR)).unwrap();
    ledger.decide_extension(3, "user:boss", "tokens", "ext_1", Decision::End).unwrap();
    let want = [
        ("1 user:ann extension.ask tokens", json!({"amount": 5, "id": "ext_1", "reason": "more"})),
        ("2 user:boss extension.grant tokens", json!({"amount": 5, "id": "ext_1", "until": HOUR})),
        ("3 user:boss extension.end tokens", json!({"id": "ext_1"})),
    ];
    assert_eq!(audited(&sql, "extension."), want.map(|(who, what)| (who.to_owned(), what)));
}
