//! What an account lists, and the names that it keeps free.

use holdpoint_gateway::budget::ExpirePolicy;
use holdpoint_store::Ledger;
use holdpoint_store::ledger::Listed;

use super::support::Native;

#[test]
fn an_account_lists_the_bundles_of_its_users_by_kind() {
    let sql = Native::new();
    let ledger = Ledger::open(&sql, "dev", ExpirePolicy::Release).unwrap();
    let bundle = |id: &str, owner: &str, title: &str, at: i64| Listed {
        id: id.to_owned(),
        kind: id.split('_').next().unwrap().to_owned(),
        owner: owner.to_owned(),
        title: title.to_owned(),
        revision_id: "rev_1".to_owned(),
        updated_at: at,
    };
    for (id, owner) in [("tool_1", "ann"), ("tool_2", "bob"), ("tool_3", "ann"), ("tool_4", "ann"), ("crew_9", "ann")] {
        ledger.list_bundle(&bundle(id, owner, "t", 5)).unwrap();
    }
    ledger.list_bundle(&bundle("tool_3", "eve", "new title", 9)).unwrap();
    ledger.list_bundle(&bundle("tool_3", "ann", "late", 7)).unwrap();
    let first = ledger.bundles("ann", "tool", None, 2).unwrap();
    let titles: Vec<_> = first.items.iter().map(|bundle| (bundle.id.as_str(), bundle.title.as_str())).collect();
    assert_eq!(titles, [("tool_4", "t"), ("tool_3", "new title")], "an older word does not replace a newer one");
    assert_eq!(ledger.bundle("tool_3").unwrap().unwrap().owner, "ann", "a bundle keeps its owner");
    let rest = ledger.bundles("ann", "tool", first.next_cursor.as_deref(), 2).unwrap();
    assert_eq!((rest.items.len(), rest.next_cursor), (1, None));
    assert_eq!(ledger.bundles("ann", "crew", None, 2).unwrap().items.len(), 1);
    assert_eq!(ledger.bundle("tool_9").unwrap(), None);
}

#[test]
fn what_was_removed_leaves_the_list_and_a_title_is_free_again() {
    let ledger = Ledger::open(Native::new(), "dev", ExpirePolicy::BillProgress).unwrap();
    let bundle = Listed {
        id: "prj_1".to_owned(),
        kind: "crew".to_owned(),
        owner: "ann".to_owned(),
        title: "Claims".to_owned(),
        revision_id: "rev_1".to_owned(),
        updated_at: 5,
    };
    ledger.list_bundle(&bundle).unwrap();
    let taken = |owner: &str, kind: &str, title: &str| ledger.is_titled(owner, kind, title).unwrap();
    assert!(taken("ann", "crew", "Claims"));
    assert!(!taken("bob", "crew", "Claims") && !taken("ann", "tool", "Claims") && !taken("ann", "crew", "claims"));
    ledger.unlist_bundle("prj_1").unwrap();
    ledger.unlist_bundle("prj_1").unwrap();
    assert_eq!((ledger.bundle("prj_1").unwrap(), taken("ann", "crew", "Claims")), (None, false));
}

#[test]
fn a_key_stands_for_one_name_for_a_day() {
    const DAY: i64 = 24 * 60 * 60 * 1_000;
    let ledger = Ledger::open(Native::new(), "dev", ExpirePolicy::BillProgress).unwrap();
    let reserve = |user: &str, key: &str, name: &str, now: i64| ledger.reserve(user, key, name, now).unwrap();
    assert_eq!(reserve("ann", "k", "prj_1", 10), "prj_1");
    assert_eq!(reserve("ann", "k", "prj_2", 10 + DAY - 1), "prj_1");
    assert_eq!(reserve("bob", "k", "prj_3", 11), "prj_3");
    assert_eq!(reserve("ann", "k", "prj_4", 10 + DAY), "prj_4");
}
