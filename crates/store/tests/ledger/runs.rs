//! Runs beside each other and beside other calls: what they may hold, when they give it back, how long they are known.

use holdpoint_gateway::Limits;
use holdpoint_gateway::budget::Unit;
use holdpoint_gateway::refusal::Code;
use holdpoint_store::ledger::Credential;
use holdpoint_store::{Ledger, Sql};

use super::support::Native;
use super::{TTL, budget, call, check_invariants, code, in_run, key, report, stocked, used, window};

fn limited(sql: &Native, change: impl Fn(&mut Limits)) -> (Ledger<&Native>, Credential) {
    let mut limits = Limits::default();
    change(&mut limits);
    let (ledger, ann) = stocked(sql);
    (ledger.limited(&limits), ann)
}

fn count(sql: &Native, of: &str) -> u64 {
    sql.first(&format!("SELECT count(*) FROM {of}"), &[]).unwrap().unwrap().get(0).unwrap()
}

#[test]
fn open_runs_leave_a_share_of_a_shared_budget_to_other_calls() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    let other = key(&ledger, 2, &["llm"]);
    let before = sql.bytes();
    assert_eq!(code(ledger.open_run(0, &ann, "whole", used(100), TTL)), Code::BudgetExhausted);
    assert!(sql.bytes() == before, "a refusal wrote");
    ledger.open_run(0, &ann, "run_1", used(50), TTL).unwrap();
    ledger.open_run(0, &other, "run_2", used(30), TTL).unwrap();
    assert_eq!(code(ledger.open_run(0, &other, "run_3", used(1), TTL)), Code::BudgetHeld);
    ledger.admit(1, &ann, &call("r1", 20)).unwrap();
    assert_eq!(window(&ledger), (0, 100, 0));
    // What a run has spent it holds no more, and what it gives back others may hold.
    ledger.settle(2, "r1", used(0), &report()).unwrap();
    ledger.admit(2, &ann, &in_run("r2", 40, "run_1")).unwrap();
    ledger.settle(3, "r2", used(40), &report()).unwrap();
    ledger.open_run(3, &other, "run_3", used(20), TTL).unwrap();
    check_invariants(&sql);
}

#[test]
fn a_budget_of_one_key_may_be_held_by_its_run() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    let Credential::Key { id, .. } = &ann else { unreachable!() };
    ledger.put_budget(0, "test", &budget("own", &format!("key:{id}"), Unit::Tokens, 60), 16).unwrap();
    ledger.open_run(0, &ann, "run_1", used(60), TTL).unwrap();
    assert_eq!(code(ledger.open_run(0, &ann, "run_2", used(1), TTL)), Code::BudgetHeld);
}

#[test]
fn a_key_has_so_many_open_runs() {
    let sql = Native::new();
    let (ledger, ann) = limited(&sql, |limits| limits.max_open_runs = 2);
    let other = key(&ledger, 2, &["llm"]);
    ledger.open_run(0, &ann, "run_1", used(1), TTL).unwrap();
    ledger.open_run(0, &ann, "run_2", used(1), TTL).unwrap();
    assert_eq!(code(ledger.open_run(0, &ann, "run_3", used(1), TTL)), Code::TooManyInFlight);
    ledger.open_run(0, &other, "run_4", used(1), TTL).unwrap();
    // One that closes with a call in flight is not closed yet.
    ledger.admit(1, &ann, &in_run("r1", 1, "run_1")).unwrap();
    ledger.close_run(1, &ann, "run_1").unwrap();
    assert_eq!(code(ledger.open_run(1, &ann, "run_3", used(1), TTL)), Code::TooManyInFlight);
    ledger.settle(2, "r1", used(1), &report()).unwrap();
    ledger.open_run(2, &ann, "run_3", used(1), TTL).unwrap();
    check_invariants(&sql);
}

#[test]
fn a_run_that_rests_gives_back_and_one_that_works_does_not() {
    let sql = Native::new();
    let (ledger, ann) = limited(&sql, |limits| limits.run_idle_ms = 100);
    ledger.open_run(0, &ann, "rests", used(10), 10_000).unwrap();
    ledger.open_run(0, &ann, "works", used(20), 10_000).unwrap();
    ledger.admit(50, &ann, &in_run("r1", 5, "works")).unwrap();
    assert_eq!(ledger.next_deadline().unwrap(), Some(100));
    assert_eq!(ledger.fire_due(99).unwrap().ended, [""; 0]);
    assert_eq!(ledger.fire_due(100).unwrap().ended, ["rests"]);
    assert_eq!(window(&ledger), (0, 20, 0));
    // Its call is still open long after, and then it has the whole time again.
    assert_eq!(ledger.fire_due(900).unwrap().ended, [""; 0]);
    ledger.settle(900, "r1", used(5), &report()).unwrap();
    assert_eq!(ledger.next_deadline().unwrap(), Some(1_000));
    assert_eq!(ledger.fire_due(999).unwrap().ended, [""; 0]);
    assert_eq!(ledger.fire_due(1_000).unwrap().ended, ["works"]);
    assert_eq!(window(&ledger), (5, 0, 0));
    assert_eq!(code(ledger.admit(1_001, &ann, &in_run("r2", 1, "works"))), Code::RunNotOpen);
    check_invariants(&sql);
}

#[test]
fn a_revoked_key_gives_back_what_its_runs_hold() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    let other = key(&ledger, 2, &["llm"]);
    let Credential::Key { id, .. } = &ann else { unreachable!() };
    ledger.open_run(0, &ann, "idle", used(20), TTL).unwrap();
    ledger.open_run(0, &ann, "busy", used(30), TTL).unwrap();
    ledger.open_run(0, &other, "other", used(10), TTL).unwrap();
    ledger.admit(1, &ann, &in_run("r1", 5, "busy")).unwrap();
    ledger.revoke_key(2, "test", id).unwrap();
    assert_eq!(window(&ledger), (0, 40, 0), "the call that runs goes on");
    assert_eq!(code(ledger.admit(3, &ann, &in_run("r2", 1, "busy"))), Code::KeyRevoked);
    ledger.settle(4, "r1", used(5), &report()).unwrap();
    assert_eq!(window(&ledger), (5, 10, 0));
    check_invariants(&sql);
}

#[test]
fn closed_runs_are_forgotten_in_batches_and_open_ones_never() {
    let sql = Native::new();
    let (ledger, ann) = limited(&sql, |limits| limits.run_keep_ms = 1_000);
    ledger.open_run(0, &ann, "open", used(1), 100_000).unwrap();
    assert_eq!(ledger.next_forgetting().unwrap(), None);
    for number in 0..600 {
        let id = format!("run_{number}");
        ledger.open_run(10, &ann, &id, used(1), TTL).unwrap();
        ledger.admit(10, &ann, &in_run(&format!("r{number}"), 0, &id)).unwrap();
        ledger.close_run(11, &ann, &id).unwrap();
        ledger.settle(12, &format!("r{number}"), used(0), &report()).unwrap();
    }
    assert_eq!(ledger.next_forgetting().unwrap(), Some(1_012));
    ledger.forget_runs(1_011).unwrap();
    assert_eq!(count(&sql, "run"), 601);
    ledger.forget_runs(1_012).unwrap();
    assert_eq!((count(&sql, "run"), ledger.next_forgetting().unwrap()), (101, Some(1_012)));
    ledger.forget_runs(1_012).unwrap();
    assert_eq!((count(&sql, "run"), ledger.next_forgetting().unwrap()), (1, None));
    assert_eq!(ledger.run(1_012, &ann, "open").unwrap().state, "open");
    assert_eq!(code(ledger.run(1_012, &ann, "run_7")), Code::NotFound);
    check_invariants(&sql);
}

#[test]
fn the_table_of_runs_has_a_cap() {
    let sql = Native::new();
    let (ledger, ann) = limited(&sql, |limits| (limits.max_run_rows, limits.max_open_runs) = (5, 3));
    for number in 0..40 {
        let id = format!("run_{number}");
        ledger.open_run(number, &ann, &id, used(1), 100_000).unwrap();
        if number > 1 {
            ledger.close_run(number, &ann, &id).unwrap();
        }
        assert!(count(&sql, "run") <= 5);
    }
    assert_eq!(count(&sql, "run WHERE state = 'open'"), 2, "what is open is never forgotten");
    assert_eq!(window(&ledger), (0, 2, 0));
}

#[test]
fn a_call_that_expired_in_a_forgotten_run_is_corrected_all_the_same() {
    let sql = Native::new();
    let (ledger, ann) = limited(&sql, |limits| limits.run_keep_ms = 10);
    ledger.open_run(0, &ann, "run_1", used(50), 100_000).unwrap();
    ledger.admit(0, &ann, &in_run("r1", 40, "run_1")).unwrap();
    ledger.fire_due(TTL).unwrap();
    ledger.close_run(TTL, &ann, "run_1").unwrap();
    ledger.forget_runs(TTL + 10).unwrap();
    assert_eq!((window(&ledger), count(&sql, "run")), ((40, 0, 0), 0));
    ledger.settle(TTL + 11, "r1", used(7), &report()).unwrap();
    assert_eq!(window(&ledger), (7, 0, 0));
    check_invariants(&sql);
}
