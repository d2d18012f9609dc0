//! The ledger in SQL: what §6 of gateway.md says, on real SQLite.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

mod boots;
mod dump;
mod extensions;
mod faults;
mod forget;
mod idempotency;
mod keys;
mod laws;
mod limits;
mod lists;
mod prices;
mod routes;
mod runs;
mod slices;
mod stored;
#[path = "../support/mod.rs"]
mod support;
mod switches;
mod usage;
mod webhooks;

use holdpoint_gateway::budget::{Amount, Budget, Close, ExpirePolicy, Payer, Payers, Period, RowKind, Unit};
use holdpoint_gateway::key::{Env, ProxyKey, account_id};
use holdpoint_gateway::refusal::Code;
use holdpoint_store::ledger::{CallAsk, CallFacts, Clamp, Credential, Fired, LedgerError, NewKey, Report};
use holdpoint_store::{Ledger, Row, Sql};
use laws::{check_invariants, verdict};
use serde_json::Value;
use support::Native;

const TTL: i64 = 1_000;
/// The largest integer that the edge's driver carries.
const MOST: u64 = (1 << 53) - 1;

fn open(sql: &Native) -> Ledger<&Native> {
    Ledger::open(sql, "dev", ExpirePolicy::BillProgress).unwrap()
}

fn budget(id: &str, scope: &str, unit: Unit, limit: u64) -> Budget {
    Budget {
        id: id.to_owned(),
        scope: scope.to_owned(),
        unit,
        period: Period::Total,
        limit,
        payer: Payers::Platform,
        generation: 0,
        grants: Vec::new(),
    }
}

/// A ledger with one budget of 100 tokens and one key of user `ann`.
fn stocked(sql: &Native) -> (Ledger<&Native>, Credential) {
    let ledger = open(sql);
    ledger.put_budget(0, "test", &budget("tokens", "account:dev", Unit::Tokens, 100), 16).unwrap();
    let credential = key(&ledger, 1, &["llm", "usage"]);
    (ledger, credential)
}

fn key(ledger: &Ledger<&Native>, number: u8, scopes: &[&str]) -> Credential {
    let key = ProxyKey::make(Env::Test, &account_id("holdpoint", "org:dev"), &[number; 7], &[number; 32]);
    let new = NewKey {
        label: "test".to_owned(),
        user_id: "ann".to_owned(),
        scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
        models: Vec::new(),
        origins: Vec::new(),
        clamp: Clamp::Allowed,
        expires_at: Some(1_000_000),
    };
    ledger.create_key(0, "test", &key, &new, 10).unwrap();
    Credential::Key { id: key.id.clone(), secret_hash: key.hash().to_vec() }
}

fn call(id: &str, tokens: u64) -> CallAsk {
    CallAsk {
        request_id: id.to_owned(),
        need: Amount { tokens, cost: 0 },
        run_id: None,
        idempotency_key: None,
        clamp: None,
        payer: Payer::Platform,
        shard: "0".to_owned(),
        boot: 1,
        ttl_ms: TTL,
        facts: CallFacts { alias: "default".to_owned(), price_version: Some(1), ..CallFacts::default() },
        mean: None,
    }
}

fn in_run(id: &str, tokens: u64, run: &str) -> CallAsk {
    CallAsk { run_id: Some(run.to_owned()), ..call(id, tokens) }
}

fn used(tokens: u64) -> Amount {
    Amount { tokens, cost: 0 }
}

fn report() -> Report {
    Report { outcome: "ok".to_owned(), usage_source: "reported".to_owned(), ..Report::default() }
}

fn code<T: std::fmt::Debug>(result: Result<T, LedgerError>) -> Code {
    match result {
        Err(LedgerError::Refused(refusal)) => refusal.code,
        other => panic!("no refusal: {other:?}"),
    }
}

/// spent, held, overrun of the one budget.
fn window(ledger: &Ledger<&Native>) -> (u64, u64, u64) {
    let shown = ledger.standing(0, "tokens").unwrap().unwrap();
    (shown.spent, shown.held, shown.overrun)
}

/// What was audited of actions that begin so: when, who, action and target; details.
fn audited(sql: &Native, actions: &str) -> Vec<(String, Value)> {
    let rows = sql.query(
        "SELECT at_ms || ' ' || actor || ' ' || action || ' ' || target, detail FROM audit
         WHERE substr(action, 1, length(?1)) = ?1 ORDER BY id",
        &[actions.into()],
    );
    let read = |row: &Row| (row.get(0).unwrap(), serde_json::from_str(&row.get::<String>(1).unwrap()).unwrap());
    rows.unwrap().iter().map(read).collect()
}

#[test]
fn a_call_is_held_charged_and_freed_once() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    ledger.admit(0, &ann, &call("r1", 60)).unwrap();
    assert_eq!(window(&ledger), (0, 60, 0));
    let closed = ledger.settle(5, "r1", used(40), &report()).unwrap();
    assert!(matches!(closed, Close::Closed(closed) if closed.kind == RowKind::Settled && closed.amount == used(40)));
    assert_eq!(window(&ledger), (40, 0, 0));
    assert!(
        matches!(ledger.settle(6, "r1", used(9), &report()).unwrap(), Close::Duplicate(closed) if closed.amount == used(40))
    );
    assert_eq!(window(&ledger), (40, 0, 0));
    let row = ledger.rows(None, 10).unwrap().items.remove(0);
    assert_eq!((row.outcome.as_str(), row.tokens, row.held_tokens, row.total_ms), ("ok", 40, 60, 5));
}

#[test]
fn a_call_whose_answer_was_lost_is_asked_again_or_let_go() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    let first = ledger.admit(0, &ann, &call("r1", 60)).unwrap().1;
    let before = sql.bytes();
    let again = ledger.admit(5, &ann, &call("r1", 60)).unwrap().1;
    assert!(sql.bytes() == before, "asking again wrote");
    assert!(again.replayed && !first.replayed);
    assert_eq!((again.amount, &again.balances), (first.amount, &first.balances));
    assert_eq!(window(&ledger), (0, 60, 0));
    assert!(matches!(ledger.release(6, "r1", &report()).unwrap(), Close::Closed(_)));
    assert!(matches!(ledger.release(7, "r1", &report()).unwrap(), Close::Duplicate(_)));
    assert_eq!(ledger.release(7, "r2", &report()).unwrap(), Close::Unknown, "an ask that never came");
    assert_eq!(window(&ledger), (0, 0, 0));
    assert_eq!(ledger.fire_due(9_999).unwrap(), Fired::default());
    assert_eq!(ledger.next_deadline().unwrap(), None);
}

#[test]
fn more_than_was_held_is_overrun_and_a_release_costs_nothing() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    ledger.admit(0, &ann, &call("r1", 10)).unwrap();
    ledger.settle(1, "r1", used(15), &report()).unwrap();
    assert_eq!(window(&ledger), (10, 0, 5));
    ledger.admit(2, &ann, &call("r2", 20)).unwrap();
    ledger.release(3, "r2", &report()).unwrap();
    assert_eq!(window(&ledger), (10, 0, 5));
    assert_eq!(ledger.rows(None, 10).unwrap().items[0].outcome, "released");
}

#[test]
fn every_refusal_leaves_the_database_byte_for_byte() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    let reader = key(&ledger, 2, &["usage"]);
    ledger.admit(0, &ann, &call("r1", 60)).unwrap();
    ledger.open_run(0, &ann, "run_1", used(20), TTL).unwrap();
    let stranger = Credential::Key { id: "nobody0000".to_owned(), secret_hash: vec![0; 32] };
    let Credential::Key { id, .. } = &ann else { unreachable!() };
    let forged = Credential::Key { id: id.clone(), secret_hash: vec![7; 32] };
    let before = sql.bytes();
    let cases: [(&Credential, CallAsk, Code); 9] = [
        (&stranger, call("r2", 1), Code::AuthInvalidToken),
        (&forged, call("r2", 1), Code::AuthInvalidToken),
        (&reader, call("r2", 1), Code::ScopeDenied),
        (&ann, call("r2", 101), Code::BudgetExhausted),
        (&ann, call("r2", 21), Code::BudgetHeld),
        (&ann, call("r1", 1), Code::RequestIdConflict),
        (&ann, in_run("r2", 21, "run_1"), Code::RunBudgetExceeded),
        (&ann, in_run("r2", 1, "run_2"), Code::RunNotOpen),
        (&Credential::Dev, in_run("r2", 1, "run_1"), Code::RunNotOpen),
    ];
    for (credential, ask, want) in cases {
        assert_eq!(code(ledger.admit(1, credential, &ask)), want);
        assert!(sql.bytes() == before, "{want:?} wrote something");
    }
    assert_eq!(code(ledger.open_run(1, &ann, "run_2", used(21), TTL)), Code::BudgetHeld);
    assert_eq!(code(ledger.close_run(1, &Credential::Dev, "run_1")), Code::NotFound);
    assert!(sql.bytes() == before);
}

#[test]
fn keys_end_by_revocation_and_by_time() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    assert_eq!(code(ledger.admit(1_000_000, &ann, &call("r1", 1))), Code::KeyExpired);
    let Credential::Key { id, .. } = &ann else { unreachable!() };
    assert!(ledger.revoke_key(5, "test", id).unwrap().unwrap().revoked_at == Some(5));
    assert!(ledger.revoke_key(6, "test", id).unwrap().unwrap().revoked_at == Some(5), "twice is once");
    assert_eq!(code(ledger.admit(7, &ann, &call("r1", 1))), Code::KeyRevoked);
    assert_eq!(ledger.revoke_key(8, "test", "none").unwrap(), None);
    let shown = serde_json::to_string(&ledger.keys("", 10).unwrap()).unwrap();
    assert!(!shown.contains("hash"), "{shown}");
}

#[test]
fn an_expired_hold_is_charged_by_its_progress_and_corrected_once() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    ledger.admit(0, &ann, &call("r1", 60)).unwrap();
    assert!(ledger.progress(1, "r1", used(25)).unwrap());
    assert_eq!(ledger.next_deadline().unwrap(), Some(TTL));
    assert_eq!(ledger.fire_due(TTL - 1).unwrap(), Fired::default());
    assert_eq!(ledger.fire_due(TTL).unwrap().ended, ["r1"]);
    assert_eq!(window(&ledger), (25, 0, 0));
    assert!(!ledger.progress(TTL, "r1", used(30)).unwrap());
    ledger.settle(TTL + 1, "r1", used(20), &report()).unwrap();
    assert_eq!(window(&ledger), (20, 0, 0));
    assert!(matches!(ledger.settle(TTL + 2, "r1", used(1), &report()).unwrap(), Close::Duplicate(_)));
    let row = ledger.rows(None, 10).unwrap().items.remove(0);
    assert_eq!((row.outcome.as_str(), row.tokens, row.alias.as_str()), ("corrected", 20, "default"));
}

#[test]
fn no_number_from_outside_makes_an_account_unreadable() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    ledger.put_budget(0, "test", &budget("money", "user:ann", Unit::Cost, 100), 16).unwrap();
    let huge = Amount { tokens: u64::MAX, cost: u64::MAX };
    for id in ["r1", "r2", "r3", "r4"] {
        ledger.admit(0, &ann, &call(id, 1)).unwrap();
    }
    ledger.settle(1, "r1", huge, &Report { input: u64::MAX, output: u64::MAX, ..report() }).unwrap();
    ledger.settle(1, "r2", Amount { tokens: MOST, cost: MOST }, &report()).unwrap();
    assert!(ledger.progress(1, "r3", huge).unwrap());
    assert_eq!(ledger.fire_due(TTL).unwrap().ended, ["r3", "r4"]);
    ledger.settle(TTL, "r4", huge, &report()).unwrap();
    assert_eq!(window(&ledger), (4, 0, MOST));
    assert_eq!(ledger.rows(None, 10).unwrap().items.len(), 4);
    assert_eq!(ledger.indicator(TTL, &ann, false).unwrap().today.amount, Amount { tokens: MOST, cost: MOST });
    assert_eq!(code(ledger.admit(TTL, &ann, &call("r5", 1))), Code::BudgetExhausted);
}

#[test]
fn a_clock_that_steps_back_leaves_the_rows_readable() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    for id in ["r1", "r2"] {
        ledger.admit(10_000, &ann, &call(id, 1)).unwrap();
    }
    ledger.settle(4_000, "r1", used(1), &report()).unwrap();
    ledger.release(4_000, "r2", &report()).unwrap();
    let rows = ledger.rows(None, 10).unwrap().items;
    assert_eq!(
        rows.iter().map(|row| (row.at, row.closed_at, row.total_ms)).collect::<Vec<_>>(),
        [(10_000, 4_000, 0); 2]
    );
    assert!(matches!(ledger.settle(4_001, "r1", used(1), &report()).unwrap(), Close::Duplicate(_)));
}

#[test]
fn a_row_that_cannot_be_read_keeps_no_other_from_ending() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    for id in ["r1", "r2"] {
        ledger.admit(0, &ann, &call(id, 10)).unwrap();
    }
    ledger.open_run(0, &ann, "run_1", used(5), TTL).unwrap();
    ledger.open_run(0, &ann, "run_2", used(5), TTL).unwrap();
    for broken in
        ["UPDATE hold SET windows = '?' WHERE request_id = 'r1'", "UPDATE run SET windows = '?' WHERE id = 'run_1'"]
    {
        holdpoint_store::Sql::execute(&&sql, broken, &[]).unwrap();
    }
    let fired = ledger.fire_due(TTL).unwrap();
    assert_eq!(
        (fired.ended, fired.stuck),
        (vec!["r2".to_owned(), "run_2".to_owned()], vec!["r1".to_owned(), "run_1".to_owned()])
    );
    assert!(ledger.next_deadline().unwrap().is_some_and(|next| next > TTL), "the alarm rings again at once, for ever");
    ledger.admit(TTL, &ann, &call("r3", 1)).unwrap();
    ledger.admit(TTL, &ann, &CallAsk { boot: 2, ..call("r4", 1) }).unwrap();
    assert!(
        matches!(ledger.settle(TTL, "r3", used(1), &report()).unwrap(), Close::Closed(closed) if closed.kind == RowKind::Corrected)
    );
}

#[test]
fn a_relay_that_was_started_again_finds_its_orphans_expired() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    ledger.admit(0, &ann, &call("r1", 30)).unwrap();
    ledger.admit(0, &ann, &CallAsk { shard: "1".to_owned(), ..call("r2", 30) }).unwrap();
    ledger.admit(1, &ann, &CallAsk { boot: 2, ..call("r3", 10) }).unwrap();
    // r1 had no progress report, so its whole hold is charged; the other shard's call runs on.
    assert_eq!(window(&ledger), (30, 40, 0));
    let row = ledger.rows(None, 10).unwrap().items.remove(0);
    assert_eq!((row.request_id.as_str(), row.outcome.as_str(), row.usage_source.as_str()), ("r1", "expired", "hold"));
}

#[test]
fn a_run_holds_once_and_gives_the_rest_back() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    let run = ledger.open_run(0, &ann, "run_1", used(80), TTL).unwrap();
    assert_eq!((run.state, run.left_tokens), ("open", 80));
    ledger.admit(1, &ann, &in_run("r1", 50, "run_1")).unwrap();
    assert_eq!(window(&ledger), (0, 80, 0));
    let closing = ledger.close_run(2, &ann, "run_1").unwrap();
    assert_eq!((closing.state, closing.in_flight, closing.returned_tokens), ("closing", 1, 0));
    assert_eq!(code(ledger.admit(3, &ann, &in_run("r2", 1, "run_1"))), Code::RunNotOpen);
    ledger.settle(4, "r1", used(30), &report()).unwrap();
    let closed = ledger.run(5, &ann, "run_1").unwrap();
    assert_eq!((closed.state, closed.spent_tokens, closed.returned_tokens), ("closed", 30, 50));
    assert_eq!(window(&ledger), (30, 0, 0));
}

#[test]
fn a_run_that_nobody_closes_ends_at_its_deadline() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    ledger.open_run(0, &ann, "run_1", used(80), 50).unwrap();
    assert_eq!(ledger.fire_due(50).unwrap().ended, ["run_1"]);
    assert_eq!(window(&ledger), (0, 0, 0));
}

#[test]
fn the_indicator_shows_the_ledger() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    ledger.put_budget(0, "test", &budget("mine", "user:ann", Unit::Requests, 1_000), 16).unwrap();
    ledger.admit(0, &ann, &call("r1", 60)).unwrap();
    ledger.settle(1, "r1", used(50), &report()).unwrap();
    ledger.admit(2, &ann, &call("r2", 30)).unwrap();
    let shown = ledger.indicator(3, &ann, false).unwrap();
    let tight = shown.budget.unwrap();
    assert_eq!((tight.id.as_str(), tight.spent, tight.held, tight.used_permille), ("tokens", 50, 30, 800));
    assert_eq!((shown.today.amount.tokens, shown.today.requests, shown.others.len()), (50, 1, 1));
}

#[test]
fn budgets_keep_what_they_count_and_may_be_lowered() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    ledger.admit(0, &ann, &call("r1", 60)).unwrap();
    ledger.put_budget(1, "test", &budget("tokens", "account:dev", Unit::Tokens, 10), 16).unwrap();
    assert_eq!(code(ledger.admit(2, &ann, &call("r2", 5))), Code::BudgetHeld);
    let other = budget("tokens", "account:dev", Unit::Cost, 10);
    assert_eq!(code(ledger.put_budget(3, "test", &other, 16)), Code::InvalidRequest);
    let twin = budget("twin", "account:dev", Unit::Tokens, 10);
    assert_eq!(code(ledger.put_budget(3, "test", &twin, 16)), Code::InvalidRequest);
    let one_more = budget("cost", "account:dev", Unit::Cost, 10);
    assert_eq!(code(ledger.put_budget(3, "test", &one_more, 1)), Code::InvalidRequest);
    assert!(ledger.delete_budget(4, "test", "tokens").unwrap());
    assert!(!ledger.delete_budget(4, "test", "tokens").unwrap());
    ledger.settle(5, "r1", used(40), &report()).unwrap();
}

#[test]
fn a_budget_made_anew_under_an_old_id_begins_empty() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    ledger.admit(0, &ann, &call("r1", 20)).unwrap();
    ledger.settle(0, "r1", used(25), &report()).unwrap();
    ledger.admit(0, &ann, &call("r2", 20)).unwrap();
    ledger.admit(0, &ann, &CallAsk { ttl_ms: 1, ..call("r3", 20) }).unwrap();
    ledger.open_run(0, &ann, "run_1", used(10), TTL).unwrap();
    ledger.fire_due(1).unwrap();
    for round in 0..3 {
        assert!(ledger.delete_budget(2, "test", "tokens").unwrap());
        ledger.put_budget(2, "test", &budget("tokens", "user:ann", Unit::Tokens, 100), 16).unwrap();
        assert_eq!(window(&ledger), (0, 0, 0), "round {round}");
        ledger.admit(3, &ann, &call(&format!("s{round}"), 100)).unwrap();
        assert_eq!(window(&ledger), (0, 100, 0), "round {round}");
        check_invariants(&sql);
    }
    // What the budgets before it held and charged is theirs.
    ledger.settle(4, "r2", used(30), &report()).unwrap();
    ledger.settle(4, "r3", used(5), &report()).unwrap();
    ledger.settle(4, "s0", used(90), &report()).unwrap();
    ledger.close_run(4, &ann, "run_1").unwrap();
    assert_eq!(window(&ledger), (0, 100, 0));
    check_invariants(&sql);
}
