//! Kill switches: what is new is refused before budgets are asked, what runs goes on.

use holdpoint_gateway::budget::Amount;
use holdpoint_gateway::refusal::Code;
use holdpoint_store::ledger::{CallAsk, CallFacts, LedgerError, SwitchAsk};
use serde_json::json;

use super::support::Native;
use super::{audited, call, check_invariants, code, in_run, key, open, report, stocked, used, window};

fn stop(reason: &str) -> SwitchAsk {
    SwitchAsk { stopped: true, reason: reason.to_owned() }
}

const GO_ON: SwitchAsk = SwitchAsk { stopped: false, reason: String::new() };

fn of(provider: &str, id: &str) -> CallAsk {
    let facts = CallFacts { provider: provider.to_owned(), ..CallFacts::default() };
    CallAsk { facts, ..call(id, 1) }
}

#[test]
fn a_stopped_account_refuses_before_its_budgets_and_a_running_call_settles() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    ledger.admit(0, &ann, &call("r1", 60)).unwrap();
    ledger.put_switch(1, "user:boss", "account:dev", &stop("a key leaked")).unwrap();
    let before = sql.bytes();
    let Err(LedgerError::Refused(refusal)) = ledger.admit(2, &ann, &call("r2", 1_000)) else { panic!("admitted") };
    assert_eq!((refusal.code, refusal.code.status()), (Code::CallsStopped, 403));
    assert_eq!(
        json!(refusal.details),
        json!({"scope": "account:dev", "reason": "a key leaked", "since": 1}),
        "who is refused reads why"
    );
    let run = ledger.open_run(2, &ann, "R", Amount { tokens: 5, cost: 0 }, 100);
    assert_eq!(code(run), Code::CallsStopped);
    assert!(ledger.admit(2, &ann, &call("r1", 60)).unwrap().1.replayed, "a known call is known");
    assert!(sql.bytes() == before, "a refusal wrote");
    assert_eq!(code(open(&sql).admit(2, &ann, &call("r2", 1))), Code::CallsStopped, "another writer knows it too");
    ledger.settle(3, "r1", used(40), &report()).unwrap();
    assert_eq!(window(&ledger), (40, 0, 0));
    ledger.put_switch(4, "user:boss", "account:dev", &GO_ON).unwrap();
    ledger.admit(5, &ann, &call("r2", 1)).unwrap();
    check_invariants(&sql);
}

#[test]
fn a_switch_stops_its_own_scope_only() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    let other = key(&ledger, 2, &["llm"]);
    let holdpoint_store::ledger::Credential::Key { id, .. } = &ann else { panic!() };
    ledger.put_switch(0, "b", &format!("key:{id}"), &stop("lost laptop")).unwrap();
    assert_eq!(code(ledger.admit(0, &ann, &of("main", "r1"))), Code::CallsStopped);
    ledger.admit(0, &other, &of("main", "r2")).unwrap();
    ledger.put_switch(0, "b", "provider:main", &stop("outage")).unwrap();
    assert_eq!(code(ledger.admit(0, &other, &of("main", "r3"))), Code::CallsStopped);
    ledger.admit(0, &other, &of("spare", "r3")).unwrap();
    let listed = ledger.switches("", 1).unwrap();
    assert_eq!((listed.items.len(), listed.next_cursor), (1, Some(format!("key:{id}"))));
    assert_eq!(ledger.switches(&format!("key:{id}"), 1).unwrap().items[0].scope, "provider:main");
    ledger.put_switch(1, "b", &format!("key:{id}"), &GO_ON).unwrap();
    assert!(!ledger.switch(&format!("key:{id}")).unwrap().stopped);
    ledger.admit(1, &ann, &of("spare", "r1")).unwrap();
}

#[test]
fn a_call_of_an_open_run_is_stopped_too_and_the_run_gives_back() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    ledger.open_run(0, &ann, "R", Amount { tokens: 50, cost: 0 }, 100).unwrap();
    ledger.put_switch(0, "b", "account:dev", &stop("audit")).unwrap();
    assert_eq!(code(ledger.admit(0, &ann, &in_run("r1", 5, "R"))), Code::CallsStopped);
    ledger.close_run(1, &ann, "R").unwrap();
    assert_eq!(window(&ledger), (0, 0, 0));
    check_invariants(&sql);
}

#[test]
fn switches_are_audited_both_ways() {
    let sql = Native::new();
    let (ledger, _) = stocked(&sql);
    ledger.put_switch(7, "user:boss", "provider:main", &stop("outage")).unwrap();
    ledger.put_switch(8, "user:boss", "provider:main", &GO_ON).unwrap();
    let want = [
        ("7 user:boss switch.put provider:main", json!({"reason": "outage", "stopped": true})),
        ("8 user:boss switch.put provider:main", json!({"reason": "", "stopped": false})),
    ];
    assert_eq!(audited(&sql, "switch."), want.map(|(who, what)| (who.to_owned(), what)));
}
