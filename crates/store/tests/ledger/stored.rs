//! Accounts of every landing of the schema, opened ever after. Each file of `data` was written once.

use holdpoint_gateway::budget::Unit;
use holdpoint_store::Sql;
use holdpoint_store::ledger::Credential;

use super::support::Native;
use super::{call, check_invariants, open, report, used, verdict};

const SCHEMA_5: &str = include_str!("../data/account.sql");
const DAY: i64 = 1_767_225_600_000;

fn stored() -> Native {
    let sql = Native::new();
    let statements: String = SCHEMA_5.lines().filter(|line| !line.starts_with("--")).collect::<Vec<_>>().join("\n");
    for statement in statements.split(";\n").filter(|statement| !statement.trim().is_empty()) {
        sql.execute(statement, &[]).unwrap();
    }
    sql
}

#[test]
fn an_account_of_schema_5_opens_with_all_its_money() {
    let sql = stored();
    let ledger = open(&sql);
    check_invariants(&sql);
    let shown = ledger.standing(DAY + 9_000, "dev-day").unwrap().unwrap();
    assert_eq!((shown.spent, shown.held, shown.overrun, shown.unit), (61, 100, 9, Unit::Tokens));
    let rows = ledger.rows(None, 10).unwrap().items;
    let ids: Vec<_> = rows.iter().map(|row| (row.request_id.as_str(), row.tokens, row.total_ms)).collect();
    assert_eq!(ids, [("req_2", 11, 40), ("req_1", 50, 40), ("req_00", 3, 40), ("req_0", 0, 40)]);
    // The day's sums stand beside the rows that were there before.
    let key = Credential::Key { id: "0101010101".to_owned(), secret_hash: vec![0; 32] };
    let today = ledger.indicator(DAY + 9_000, &key, false).unwrap().today;
    assert_eq!((today.amount.tokens, today.amount.cost, today.requests), (70, 40, 2));
    // The open call ends where it began; a known one is known.
    ledger.settle(DAY + 9_000, "req_3", used(30), &report()).unwrap();
    assert!(ledger.admit(DAY + 9_001, &key, &call("req_1", 200)).unwrap().1.replayed);
    let shown = ledger.standing(DAY + 9_000, "dev-day").unwrap().unwrap();
    assert_eq!((shown.spent, shown.held), (91, 0));
    check_invariants(&sql);
}

#[test]
fn a_hold_of_a_life_that_had_a_name_ends_with_the_first_number() {
    let sql = stored();
    let ledger = open(&sql);
    let key = Credential::Key { id: "0101010101".to_owned(), secret_hash: vec![0; 32] };
    assert_eq!(ledger.owners(DAY + 9_000).unwrap(), ["0"]);
    ledger.admit(DAY + 9_000, &key, &call("req_4", 5)).unwrap();
    let shown = ledger.standing(DAY + 9_000, "dev-day").unwrap().unwrap();
    assert_eq!((shown.spent, shown.held), (161, 5), "nothing was reported of it, so all of it is charged");
    ledger.settle(DAY + 9_001, "req_3", used(30), &report()).unwrap();
    let shown = ledger.standing(DAY + 9_000, "dev-day").unwrap().unwrap();
    assert_eq!((shown.spent, shown.held), (91, 5));
    check_invariants(&sql);
    assert_eq!(verdict(&ledger, DAY + 9_002).differences, []);
}
