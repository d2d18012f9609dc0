//! What is lent to relays (spec: gateway.md §6 "Slices").

use std::collections::BTreeMap;

use holdpoint_gateway::Limits;
use holdpoint_gateway::budget::{Close, RowKind, Unit};
use holdpoint_store::Ledger;
use holdpoint_store::ledger::{ClosedCall, Credential, LimitAsk, SwitchAsk};
use proptest::prelude::*;

use super::support::Native;
use super::{budget, call, check_invariants, open, report, stocked, used, verdict, window};

/// A ledger whose key has 1,000 tokens.
fn rich(sql: &Native) -> (Ledger<&Native>, Credential) {
    let (ledger, ann) = stocked(sql);
    ledger.put_budget(0, "test", &budget("tokens", "account:dev", Unit::Tokens, 1_000), 16).unwrap();
    (ledger, ann)
}

/// What is lent beside a call of one token.
fn lent(ledger: &Ledger<&Native>, ann: &Credential, id: &str, mean: u64) -> Option<u64> {
    ledger.admit(1, ann, &call(id, 1)).unwrap();
    ledger.lend(1, ann, &call(id, 1), used(mean)).unwrap().map(|lent| lent.amount.tokens)
}

fn ended(id: &str, held: u64, took: Option<u64>) -> ClosedCall {
    let facts = call(id, held).facts;
    ClosedCall { request_id: id.to_owned(), at_ms: 1, held: used(held), used: took.map(used), facts, report: report() }
}

#[test]
fn as_much_is_lent_as_some_calls_need_and_a_twentieth_of_what_is_left() {
    let sql = Native::new();
    let (ledger, ann) = rich(&sql);
    assert_eq!(lent(&ledger, &ann, "a", 3), Some(24), "eight needs");
    assert_eq!(lent(&ledger, &ann, "b", 30), Some(48), "a twentieth of 974");
    assert_eq!(lent(&ledger, &ann, "c", 60), None, "a slice would not hold one call");
    assert_eq!(lent(&ledger, &ann, "d", 231), None, "less than four needs are left");
    assert_eq!(window(&ledger), (0, 76, 0));
    assert_eq!(ledger.lend(2, &ann, &call("a", 1), used(3)).unwrap().map(|lent| lent.amount.tokens), Some(24), "again");
    assert_eq!(ledger.borrowers().unwrap(), ["0"]);
    assert_eq!(ledger.open_calls().unwrap().0, 4, "a slice is no call");
    check_invariants(&sql);
}

#[test]
fn nothing_is_lent_where_calls_are_counted_when_they_come() {
    let deny = |prepare: &dyn Fn(&Ledger<&Native>)| {
        let sql = Native::new();
        let (ledger, ann) = rich(&sql);
        prepare(&ledger);
        let _ = ledger.admit(1, &ann, &call("a", 1));
        let before = sql.bytes();
        assert_eq!(ledger.lend(1, &ann, &call("a", 1), used(1)).unwrap(), None);
        assert!(sql.bytes() == before, "nothing lent, and something written");
    };
    deny(&|ledger| {
        ledger.put_budget(0, "test", &budget("calls", "user:ann", Unit::Requests, 600), 16).unwrap();
    });
    deny(&|ledger| {
        let ask = LimitAsk { max_in_flight: Some(9), rate: None };
        ledger.put_limit(0, "test", "account:dev", ask).unwrap();
    });
    deny(&|ledger| {
        ledger.put_switch(0, "test", "account:dev", &SwitchAsk { stopped: true, reason: String::new() }).unwrap();
    });
    let sql = Native::new();
    let (ledger, ann) = rich(&sql);
    let ledger = ledger.limited(&Limits { slice_needs: 0, ..Limits::default() });
    assert_eq!(lent(&ledger, &ann, "a", 1), None, "switched off");
}

#[test]
fn calls_are_charged_to_their_slice_once_and_the_rest_comes_back() {
    let sql = Native::new();
    let (ledger, ann) = rich(&sql);
    assert_eq!(lent(&ledger, &ann, "a", 5), Some(40));
    ledger.settle(1, "a", used(1), &report()).unwrap();
    let calls = [ended("x", 10, Some(4)), ended("y", 10, None), ended("z", 10, Some(13))];
    let closes = ledger.settle_slice(2, "a.slice", &calls, Some(used(20))).unwrap();
    let told = |close: &Close| match close {
        Close::Closed(closed) => (closed.kind, closed.amount.tokens, closed.excess.tokens),
        other => panic!("{other:?}"),
    };
    let want = [(RowKind::Settled, 4, 0), (RowKind::Released, 0, 0), (RowKind::Settled, 10, 3)];
    assert_eq!(closes.iter().map(told).collect::<Vec<_>>(), want);
    assert_eq!(window(&ledger), (15, 20, 3), "what is above its hold is overrun");
    let again = ledger.settle_slice(3, "a.slice", &calls, Some(used(20))).unwrap();
    assert!(again.iter().all(|close| matches!(close, Close::Duplicate(_))), "{again:?}");
    ledger.settle_slice(4, "a.slice", &[], None).unwrap();
    assert_eq!(window(&ledger), (15, 0, 3));
    let late = ledger.settle_slice(5, "a.slice", &[ended("w", 1, Some(1))], None).unwrap();
    assert_eq!(late, [Close::Unknown]);
    check_invariants(&sql);
    assert_eq!(verdict(&ledger, 6).differences, []);
}

#[test]
fn what_a_dead_relay_never_told_is_charged_as_its_slice() {
    let sql = Native::new();
    let (ledger, ann) = rich(&sql);
    assert_eq!(lent(&ledger, &ann, "a", 5), Some(40));
    ledger.settle(1, "a", used(0), &report()).unwrap();
    ledger.settle_slice(2, "a.slice", &[ended("x", 10, Some(4))], Some(used(36))).unwrap();
    ledger.forsaken(3, "0", 2, &[], 3).unwrap();
    assert_eq!(window(&ledger), (40, 0, 0));
    assert_eq!(ledger.take_orphaned(), ["a.slice"]);
    check_invariants(&sql);
    assert_eq!(verdict(&ledger, 4).differences, []);
}

#[test]
fn a_slice_ends_with_its_key_and_a_replaced_secret_borrows_nothing() {
    let sql = Native::new();
    let (ledger, ann) = rich(&sql);
    ledger.admit(995_000, &ann, &call("a", 1)).unwrap();
    let slice = ledger.lend(995_000, &ann, &call("a", 1), used(1)).unwrap().unwrap();
    assert_eq!(slice.until_ms, 1_000_000, "the key ends then");
    let other = Credential::Key { id: ann.key_id().to_owned(), secret_hash: vec![7; 32] };
    assert!(ledger.lend(2, &other, &call("b", 1), used(1)).is_err());
}

/// What a relay does with what it was lent.
#[derive(Debug, Clone)]
enum Step {
    Admit {
        tokens: u64,
        mean: u64,
    },
    /// Within the slice of that place, if it has room.
    Begin {
        slice: usize,
        need: u64,
    },
    End {
        call: usize,
        used: u64,
        released: bool,
    },
    /// Told in a batch; an answer that is lost is told again.
    Tell {
        slice: usize,
        is_lost: bool,
    },
    Idle {
        slice: usize,
    },
    Die,
    Reopen,
    Wait {
        ms: i64,
    },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0_u64..20, 1_u64..15).prop_map(|(tokens, mean)| Step::Admit { tokens, mean }),
        6 => (0_usize..4, 0_u64..15).prop_map(|(slice, need)| Step::Begin { slice, need }),
        5 => (0_usize..9, 0_u64..20, any::<bool>()).prop_map(|(call, used, released)| Step::End { call, used, released }),
        4 => (0_usize..4, any::<bool>()).prop_map(|(slice, is_lost)| Step::Tell { slice, is_lost }),
        1 => (0_usize..4).prop_map(|slice| Step::Idle { slice }),
        1 => Just(Step::Die),
        1 => Just(Step::Reopen),
        1 => (1_i64..400).prop_map(|ms| Step::Wait { ms }),
    ]
}

#[derive(Debug, Default)]
struct Borrowed {
    id: String,
    free: u64,
    open: BTreeMap<String, u64>,
    closed: Vec<ClosedCall>,
}

impl Borrowed {
    fn keep(&self) -> Option<u64> {
        let keep = self.free + self.open.values().sum::<u64>();
        (keep > 0 || !self.open.is_empty()).then_some(keep)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn invariants_hold_whatever_relays_do(steps in prop::collection::vec(step(), 1..80)) {
        let sql = Native::new();
        let (mut ledger, ann) = rich(&sql);
        let (mut now, mut boot, mut next) = (1, 1, 0);
        let mut slices: Vec<Borrowed> = Vec::new();
        for step in steps {
            match step {
                Step::Admit { tokens, mean } => {
                    next += 1;
                    let ask = holdpoint_store::ledger::CallAsk { boot, ..call(&format!("r{next}"), tokens) };
                    if ledger.admit(now, &ann, &ask).is_ok()
                        && let Some(lent) = ledger.lend(now, &ann, &ask, used(mean)).unwrap()
                    {
                        slices.push(Borrowed { id: lent.id, free: lent.amount.tokens, ..Borrowed::default() });
                    }
                }
                Step::Begin { slice, need } => {
                    if let Some(slice) = slices.get_mut(slice).filter(|slice| slice.free >= need) {
                        next += 1;
                        slice.free -= need;
                        slice.open.insert(format!("s{next}"), need);
                    }
                }
                Step::End { call, used, released } => {
                    let open = slices.iter().flat_map(|slice| slice.open.keys().cloned()).nth(call);
                    let slice = slices.iter_mut().find(|slice| open.as_ref().is_some_and(|id| slice.open.contains_key(id)));
                    if let (Some(id), Some(slice)) = (open, slice) {
                        let held = slice.open.remove(&id).unwrap();
                        let used = (!released).then_some(used);
                        slice.free += held - used.unwrap_or(0).min(held);
                        slice.closed.push(ended(&id, held, used));
                    }
                }
                Step::Tell { slice, is_lost } => {
                    if let Some(slice) = slices.get_mut(slice) {
                        let keep = slice.keep().map(used).or(is_lost.then(|| used(0)));
                        ledger.settle_slice(now, &slice.id, &slice.closed, keep).unwrap();
                        if !is_lost {
                            slice.closed.clear();
                        }
                        if keep.is_none() {
                            let over = slice.id.clone();
                            slices.retain(|slice| slice.id != over);
                        }
                    }
                }
                Step::Idle { slice } => {
                    if let Some(slice) = slices.get_mut(slice) {
                        slice.free = 0;
                    }
                }
                Step::Die => {
                    boot += 1;
                    slices.clear();
                    ledger.forsaken(now, "0", boot, &[], now).unwrap();
                }
                Step::Reopen => ledger = open(&sql),
                // A slice's deadline is that of the longest call behind its end.
                Step::Wait { ms } => { now += ms; ledger.fire_due(now).unwrap(); }
            }
            check_invariants(&sql);
        }
        for slice in &slices {
            ledger.settle_slice(now, &slice.id, &slice.closed, None).unwrap();
        }
        check_invariants(&sql);
        prop_assert_eq!(verdict(&ledger, now).differences, []);
    }
}
