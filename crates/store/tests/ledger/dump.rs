//! A ledger that goes on while it is dumped, and holds that nobody works on.

use holdpoint_gateway::budget::Unit;
use holdpoint_gateway::refusal::Code;
use holdpoint_gateway::verify::Verifier;
use holdpoint_store::Sql;
use holdpoint_store::ledger::CallAsk;

use super::support::Native;
use super::{budget, call, check_invariants, code, report, stocked, used, verdict, window};

#[test]
fn a_dump_of_many_pages_is_one_moment_whatever_happens_meanwhile() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    let id = |number: u32| format!("r{number:05}");
    for number in 0..1_100 {
        ledger.admit(10, &ann, &call(&id(number), 60)).unwrap();
        ledger.release(10, &id(number), &report()).unwrap();
    }
    ledger.admit(10, &ann, &call(&id(0).replace('r', "q"), 20)).unwrap();
    ledger.admit(10, &ann, &CallAsk { ttl_ms: 1, ..call("r00000b", 5) }).unwrap();
    ledger.fire_due(11).unwrap();

    let mut verifier = Verifier::default();
    let first = ledger.dump(11, None).unwrap();
    first.lines.lines().for_each(|line| verifier.take(line).unwrap());
    // In the very millisecond of the first page: an open call ends, another begins and ends, an expired one is corrected.
    ledger.settle(11, "q00000", used(7), &report()).unwrap();
    ledger.admit(11, &ann, &call("r00900b", 9)).unwrap();
    ledger.settle(11, "r00900b", used(9), &report()).unwrap();
    let mut cursor = first.next;
    let mut pages = 1;
    while let Some(at) = cursor {
        let page = ledger.dump(12, Some(&at)).unwrap();
        page.lines.lines().for_each(|line| verifier.take(line).unwrap());
        cursor = page.next;
        pages += 1;
    }
    let found = verifier.end().unwrap();
    assert_eq!((found.differences, found.windows, pages), (vec![], 1, 3));
    let whole = verdict(&ledger, 12);
    assert_eq!((whole.differences, whole.rows), (vec![], 1_103));
    assert_eq!(code(ledger.dump(12, Some("x"))), Code::InvalidRequest);
}

#[test]
fn what_a_relay_does_not_know_is_ended_and_nothing_else() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    let of = |id: &str, boot: u64, tokens: u64| CallAsk { boot, ..call(id, tokens) };
    ledger.admit(0, &ann, &of("lives", 2, 10)).unwrap();
    ledger.admit(0, &ann, &of("lost", 2, 20)).unwrap();
    ledger.admit(0, &ann, &CallAsk { shard: "1".to_owned(), ..of("other shard", 1, 5) }).unwrap();
    ledger.admit(50, &ann, &of("young", 2, 30)).unwrap();
    ledger.progress(60, "lost", used(3)).unwrap();
    assert_eq!(ledger.owners(0).unwrap(), ["0", "1"]);
    assert_eq!(ledger.owners(-1).unwrap(), [""; 0]);
    let live = ["lives".to_owned()];
    ledger.forsaken(70, "0", 2, &live, 20).unwrap();
    assert_eq!(ledger.take_orphaned(), ["lost"]);
    assert_eq!(window(&ledger), (3, 45, 0), "what it had reported is charged");
    ledger.forsaken(70, "0", 2, &live, 20).unwrap();
    assert_eq!(ledger.take_orphaned(), [""; 0]);
    // Another life of the relay: all of the shard's are orphans, however young.
    ledger.forsaken(71, "0", 3, &live, 20).unwrap();
    assert_eq!(ledger.take_orphaned(), ["lives", "young"]);
    assert_eq!(window(&ledger), (43, 5, 0));
    check_invariants(&sql);
}

#[test]
fn no_page_of_a_dump_grows_with_the_age_of_an_account() {
    let sql = Native::new();
    let (ledger, ann) = stocked(&sql);
    let now = 900_000;
    // A budget of a minute has a window a minute; users and models have a sum a day.
    for old in [
        "WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 6000)
         INSERT INTO budget_window(budget_id, start_ms, spent, held, overrun) SELECT 'minutes', n * 100, 0, 0, 0 FROM n",
        "WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 2000)
         INSERT INTO day_sum SELECT 86400000 * n, 'ann', 'k', 'default', 'p', 'm', 'platform', '', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
           FROM n",
    ] {
        sql.execute(old, &[]).unwrap();
    }
    ledger.admit(now, &ann, &call("open", 20)).unwrap();
    for number in 0..700 {
        let id = format!("r{number:03}");
        ledger.admit(now, &ann, &call(&id, 1)).unwrap();
        ledger.release(now, &id, &report()).unwrap();
    }
    let mut verifier = Verifier::default();
    let (mut cursor, mut rows, mut meanwhile) = (None, 0, 0);
    loop {
        let page = ledger.dump(now + 1, cursor.as_deref()).unwrap();
        assert!(page.lines.lines().count() <= 510, "{} lines", page.lines.lines().count());
        assert!(page.lines.len() < 512 << 10, "{} bytes", page.lines.len());
        rows += page.lines.lines().filter(|line| !line.starts_with("{\"table\":\"page\"")).count();
        page.lines.lines().for_each(|line| verifier.take(line).unwrap());
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
        // The account goes on: its present window stood in the first page, others are changed for the first time.
        let id = format!("s{meanwhile:03}");
        ledger.admit(now + 1, &ann, &call(&id, 1)).unwrap();
        ledger.settle(now + 1, &id, used(1), &report()).unwrap();
        meanwhile += 1;
        if meanwhile == 2 {
            ledger.put_budget(now + 1, "test", &budget("zz-late", "user:ann", Unit::Requests, 9_000), 16).unwrap();
        }
    }
    let found = verifier.end().unwrap();
    assert_eq!(found.differences, []);
    // head, hold, the window that goes on twice, budget, and the rest once.
    assert!(rows >= 6_001 + 2_001 + 700 + 4, "{rows} rows");
    assert_eq!((found.windows, found.not_compared), (6_002, 1));
}
