//! Lives of relays by number: a late word of an old one ends nothing, whatever forgot it meanwhile.

use holdpoint_gateway::refusal::Code;
use holdpoint_store::ledger::{CallAsk, next_boot};

use super::support::Native;
use super::{call, check_invariants, code, open, report, stocked, used, window};

fn of(id: &str, boot: u64, tokens: u64) -> CallAsk {
    CallAsk { boot, ..call(id, tokens) }
}

#[test]
fn a_late_word_of_an_old_life_ends_no_living_call() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    ledger.admit(0, &ann, &of("old", 1, 10)).unwrap();
    ledger.admit(1, &ann, &of("living", 2, 20)).unwrap();
    assert_eq!(window(&ledger), (10, 20, 0), "the first word of the new life ends the old one's call");
    assert_eq!(ledger.take_orphaned(), ["old"]);
    let before = sql.bytes();
    assert_eq!(code(ledger.admit(2, &ann, &of("late", 1, 5))), Code::LedgerUnavailable);
    ledger.forsaken(2, "0", 1, &[], 2).unwrap();
    assert_eq!(ledger.take_orphaned(), [""; 0]);
    // The account's object may have been another one meanwhile, and even hold nothing of that shard.
    let again = open(&sql);
    assert_eq!(code(again.admit(3, &ann, &of("late", 1, 5))), Code::LedgerUnavailable);
    again.forsaken(3, "0", 1, &["other".to_owned()], 3).unwrap();
    assert_eq!(again.take_orphaned(), [""; 0]);
    assert!(sql.bytes() == before, "a word of an old life wrote");
    again.settle(4, "living", used(20), &report()).unwrap();
    assert_eq!(code(open(&sql).admit(5, &ann, &of("late", 1, 5))), Code::LedgerUnavailable);
    // What the old life's own call used in truth still corrects what was charged for it.
    again.settle(5, "old", used(4), &report()).unwrap();
    assert_eq!(window(&again), (24, 0, 0));
    check_invariants(&sql);
}

#[test]
fn a_first_word_that_is_refused_writes_nothing_and_counts_all_the_same() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    ledger.admit(0, &ann, &CallAsk { shard: "1".to_owned(), ..of("elsewhere", 7, 10) }).unwrap();
    let before = sql.bytes();
    assert_eq!(code(ledger.admit(1, &ann, &of("too much", 2, 500))), Code::BudgetExhausted);
    assert!(sql.bytes() == before, "a refusal wrote");
    assert_eq!(code(ledger.admit(2, &ann, &of("late", 1, 5))), Code::LedgerUnavailable);
    ledger.admit(3, &ann, &of("fits", 2, 5)).unwrap();
    assert_eq!(code(open(&sql).admit(4, &ann, &of("late", 1, 5))), Code::LedgerUnavailable);
    assert_eq!(window(&ledger), (0, 15, 0));
}

#[test]
fn numbers_are_numbers_and_not_texts() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    ledger.admit(0, &ann, &of("ninth", 9, 10)).unwrap();
    ledger.admit(1, &ann, &of("tenth", 10, 10)).unwrap();
    ledger.admit(1, &ann, &CallAsk { shard: "01".to_owned(), ..of("other", 3, 5) }).unwrap();
    assert_eq!(window(&ledger), (10, 15, 0));
    assert_eq!(code(ledger.admit(2, &ann, &of("late", 9, 1))), Code::LedgerUnavailable);
    ledger.admit(2, &ann, &of("hundredth", 100, 10)).unwrap();
    assert_eq!(window(&ledger), (20, 15, 0));
}

#[test]
fn a_shard_never_has_a_number_twice() {
    let sql = Native::new();
    let numbers: Vec<u64> = (0..12).map(|_| next_boot(&&sql).unwrap()).collect();
    assert_eq!(numbers, (1..=12).collect::<Vec<_>>());
}
