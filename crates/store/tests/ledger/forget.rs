//! What is forgotten when its time is over, and what stays (spec: gateway.md §1 `LEDGER_DAYS`).

use holdpoint_gateway::Limits;
use holdpoint_gateway::budget::{DAY_MS, Period, Unit};
use holdpoint_gateway::key::request_id;
use holdpoint_store::ledger::{Credential, KeyEdit, KeyEnd, UsageAsk, UsageGroup};
use holdpoint_store::{Ledger, Sql};

use super::laws::verdict;
use super::support::Native;
use super::{budget, call, key, open, report, used};

const KEPT_DAYS: i64 = 40;
const CALLS_A_DAY: i64 = 12;
/// The first day, in the middle of a month.
const BEGIN: i64 = 20_500 * DAY_MS;

fn kept(sql: &Native) -> (Ledger<&Native>, Credential) {
    let ledger = open(sql).limited(&Limits { ledger_days: KEPT_DAYS as u64, ..Limits::default() });
    let one = |id: &str, unit: Unit, period: Period| {
        let budget = holdpoint_gateway::budget::Budget { period, ..budget(id, "account:dev", unit, 1 << 40) };
        ledger.put_budget(BEGIN, "test", &budget, 16).unwrap();
    };
    one("all", Unit::Tokens, Period::Total);
    one("month", Unit::Tokens, Period::Month);
    one("day", Unit::Requests, Period::Day);
    one("minute", Unit::Requests, Period::Minute);
    let ann = key(&ledger, 1, &["llm", "usage", "admin"]);
    let forever = KeyEdit { end: Some(KeyEnd::Never), ..KeyEdit::default() };
    ledger.change_key(BEGIN, "test", ann.key_id(), &forever).unwrap().unwrap();
    (ledger, ann)
}

/// A day of calls, each forgotten in its time.
fn live(ledger: &Ledger<&Native>, ann: &Credential, day: i64) {
    for number in 0..CALLS_A_DAY {
        let now = BEGIN + day * DAY_MS + number * 3_600_000;
        let id = request_id(now, &[number as u8; 10]);
        ledger.admit(now, ann, &call(&id, 50)).unwrap();
        ledger.settle(now + 10, &id, used(40), &report()).unwrap();
        ledger.forget_rows(now + 20).unwrap();
    }
}

fn count(sql: &Native, table: &str) -> u64 {
    sql.query(&format!("SELECT count(*) FROM {table}"), &[]).unwrap()[0].get(0).unwrap()
}

#[test]
fn an_account_grows_to_its_days_and_no_further() {
    let sql = Native::new();
    let (ledger, ann) = kept(&sql);
    let tables = ["ledger", "ledger_charge", "budget_window", "charge_past"];
    let mut most = [0; 4];
    for day in 0..KEPT_DAYS * 4 {
        live(&ledger, &ann, day);
        let counted = tables.map(|table| count(&sql, table));
        if day < KEPT_DAYS * 2 {
            most = std::array::from_fn(|at| most[at].max(counted[at]));
        } else {
            for ((table, counted), most) in tables.iter().zip(counted).zip(most) {
                assert!(counted <= most + 1, "{table} has {counted} on day {day}, it had {most} at most");
            }
        }
        // A dump keeps what it tells of, so it is not asked for every day.
        if day % 37 == 5 {
            let verdict = verdict(&ledger, BEGIN + (day + 1) * DAY_MS - 7_200_000);
            assert_eq!(verdict.differences, [], "day {day}");
        }
    }
    let calls = (KEPT_DAYS * 4 * CALLS_A_DAY) as u64;
    assert!(count(&sql, "ledger") <= ((KEPT_DAYS + 1) * CALLS_A_DAY) as u64);
    let all = ledger.standing(BEGIN, "all").unwrap().unwrap();
    assert_eq!((all.spent, all.held), (calls * 40, 0), "what never ends counts everything");
    let who = ledger.verify(BEGIN, &ann).unwrap();
    let ask = UsageAsk { from: BEGIN, to: BEGIN + KEPT_DAYS * 4 * DAY_MS, groups: vec![UsageGroup::Day] };
    let usage = ledger.usage(&who, &ask).unwrap();
    assert_eq!((usage.items.len() as i64, usage.totals.requests), (KEPT_DAYS * 4, calls), "sums stay");
}

#[test]
fn nothing_is_forgotten_while_a_dump_is_told() {
    let sql = Native::new();
    let (ledger, ann) = kept(&sql);
    live(&ledger, &ann, 0);
    let now = BEGIN + (KEPT_DAYS + 40) * DAY_MS;
    let first = ledger.dump(now, None).unwrap();
    ledger.forget_rows(now + 1).unwrap();
    assert_eq!(count(&sql, "ledger"), CALLS_A_DAY as u64);
    assert!(!first.lines.is_empty());
    let at = ledger.next_over().unwrap().unwrap();
    assert!((now + 1..=now + 3_600_000).contains(&at), "asked again when the dump is read: {at}");
    ledger.forget_rows(at).unwrap();
    assert_eq!(count(&sql, "ledger"), 0);
    assert_eq!(verdict(&ledger, at + 1).differences, []);
}

#[test]
fn an_account_of_which_nothing_is_kept_has_nothing_to_forget_and_is_fresh() {
    let sql = Native::new();
    let ledger = open(&sql);
    assert_eq!((ledger.next_over().unwrap(), ledger.is_fresh().unwrap()), (None, true));
    let (ledger, _) = kept(&sql);
    assert!(ledger.next_over().unwrap().is_some());
    for minute in 0..3 {
        ledger.forget_rows(BEGIN + 500 * DAY_MS + minute).unwrap();
    }
    assert_eq!(count(&sql, "audit"), 0);
    assert!(!ledger.is_fresh().unwrap(), "it has a key and budgets, whatever is forgotten of them");
}

#[test]
fn what_is_open_is_never_forgotten() {
    let sql = Native::new();
    let (ledger, ann) = kept(&sql);
    let id = request_id(BEGIN, &[1; 10]);
    let ask = holdpoint_store::ledger::CallAsk { ttl_ms: 200 * DAY_MS, ..call(&id, 50) };
    ledger.admit(BEGIN, &ann, &ask).unwrap();
    let now = BEGIN + (KEPT_DAYS + 60) * DAY_MS;
    for minute in 0..5 {
        ledger.forget_rows(now + minute).unwrap();
    }
    ledger.settle(now + 10, &id, used(40), &report()).unwrap();
    assert_eq!(verdict(&ledger, now + 20).differences, []);
}
