//! Every table says how long its rows live and how many there are (ENGINE §11 law 6).

use std::collections::BTreeSet;

use holdpoint_store::kept::{KeptTable, Most, PROJECT, SLUG};
use holdpoint_store::slug::SlugStore;
use holdpoint_store::workspace::Workspace;
use holdpoint_store::{Sql, SqlError};

use crate::support::Native;

/// Tables of before this was asked, which nothing but their account's limits bounds. It gets shorter, never longer.
const OPEN: [&str; 15] = [
    "audit",
    "audit_event",
    "blob",
    "bundle",
    "capture",
    "change_set",
    "checkpoint",
    "event",
    "idempotency",
    "message",
    "revision",
    "session",
    "token",
    "turn",
    "working_file",
];

#[test]
fn every_table_says_how_long_its_rows_live_and_how_many_there_are() {
    let sql = Native::new();
    Workspace::open(&sql).unwrap();
    speaks_of_every_table(&sql, PROJECT);
    let open: Vec<&str> = PROJECT.iter().filter(|kept| kept.most == Most::Open).map(|kept| kept.table).collect();
    assert_eq!(open, OPEN, "a new table has a limit");

    let sql = Native::new();
    SlugStore::open(&sql, "shop").unwrap();
    speaks_of_every_table(&sql, SLUG);
    assert!(SLUG.iter().all(|kept| kept.most != Most::Open));
}

fn speaks_of_every_table(sql: &Native, kept: &[KeptTable]) {
    let names = |select: &str| -> Result<BTreeSet<String>, SqlError> {
        sql.query(select, &[])?.iter().map(|row| row.get(0)).collect()
    };
    let tables = names("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").unwrap();
    let said: Vec<&str> = kept.iter().map(|kept| kept.table).collect();
    assert_eq!(said, tables.iter().map(String::as_str).collect::<Vec<_>>());
}
