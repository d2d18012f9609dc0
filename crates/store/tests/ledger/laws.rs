//! The invariants of gateway.md §6 under whatever happens in whatever order.

use std::collections::BTreeMap;

use holdpoint_gateway::Limits;
use holdpoint_gateway::budget::Unit;
use holdpoint_gateway::verify::{LedgerVerdict, Verifier};
use holdpoint_store::ledger::CallAsk;
use holdpoint_store::{Ledger, Sql};
use proptest::prelude::*;

use super::support::Native;
use super::{budget, call, open, report, stocked, used};

#[derive(Debug, Clone)]
enum Step {
    Admit {
        id: u8,
        tokens: u64,
        run: Option<u8>,
        shard: u8,
        boot: u8,
    },
    /// A try failed behind its sending: it is closed by what was sent, and asked for again under another id.
    Retry {
        id: u8,
        sent: u64,
        tokens: u64,
    },
    /// A relay says which calls it has.
    Look {
        shard: u8,
        boot: u8,
        live: Vec<u8>,
    },
    /// The object of the account is another one.
    Reopen,
    Forget,
    Progress {
        id: u8,
        tokens: u64,
    },
    Settle {
        id: u8,
        tokens: u64,
    },
    Release {
        id: u8,
    },
    Open {
        run: u8,
        tokens: u64,
    },
    Close {
        run: u8,
    },
    Renew,
    Wait {
        ms: i64,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let (id, run, tokens) = (0_u8..12, 0_u8..3, 0_u64..60);
    prop_oneof![
        4 => (id.clone(), tokens.clone(), prop::option::of(run.clone()), 0_u8..2, 0_u8..4)
            .prop_map(|(id, tokens, run, shard, boot)| Step::Admit { id, tokens, run, shard, boot }),
        2 => (id.clone(), tokens.clone(), tokens.clone()).prop_map(|(id, sent, tokens)| Step::Retry { id, sent, tokens }),
        1 => (0_u8..2, 0_u8..4, prop::collection::vec(0_u8..12, 0..6))
            .prop_map(|(shard, boot, live)| Step::Look { shard, boot, live }),
        1 => Just(Step::Reopen),
        1 => Just(Step::Forget),
        1 => (id.clone(), tokens.clone()).prop_map(|(id, tokens)| Step::Progress { id, tokens }),
        3 => (id.clone(), tokens.clone()).prop_map(|(id, tokens)| Step::Settle { id, tokens }),
        1 => id.prop_map(|id| Step::Release { id }),
        1 => (run.clone(), tokens).prop_map(|(run, tokens)| Step::Open { run, tokens }),
        1 => run.prop_map(|run| Step::Close { run }),
        1 => Just(Step::Renew),
        1 => (1_i64..600).prop_map(|ms| Step::Wait { ms }),
    ]
}

/// The invariants (1) to (4) of gateway.md §6, from the tables alone.
pub(super) fn check_invariants(sql: &Native) {
    let broken = |query: &str| {
        let rows = sql.query(query, &[]).unwrap();
        assert!(rows.is_empty(), "{query}\n{rows:?}");
    };
    broken(
        "SELECT * FROM budget_window JOIN budget ON budget_id = iif(generation = 0, id, id || '~' || generation)
         WHERE spent + held > lim + (SELECT coalesce(sum(amount), 0) FROM budget_extension e WHERE e.budget_id = budget.id)",
    );
    broken("SELECT request_id FROM hold INTERSECT SELECT request_id FROM ledger");
    broken(
        "SELECT * FROM hold JOIN relay_boot ON shard = substr(owner, 1, instr(owner, '#') - 1)
         WHERE CAST(substr(owner, instr(owner, '#') + 1) AS INTEGER) < boot",
    );
    broken(
        "WITH day(at, user, calls, tokens, cost) AS (
           SELECT at_ms - at_ms % 86400000, user_id, sum(outcome <> 'released'), sum(tokens + excess_tokens),
             sum(cost + excess_cost) FROM ledger GROUP BY 1, 2),
         told(at, user, calls, tokens, cost) AS (
           SELECT day_ms, user_id, sum(requests), sum(tokens + excess_tokens), sum(cost + excess_cost) FROM day_sum
           GROUP BY 1, 2)
         SELECT * FROM (SELECT * FROM day EXCEPT SELECT * FROM told)",
    );
    broken(
        "SELECT w.budget_id, w.spent, w.overrun, sum(c.amount), sum(c.excess) FROM budget_window w
         LEFT JOIN ledger_charge c ON c.budget_id = w.budget_id AND c.start_ms = w.start_ms GROUP BY w.budget_id, w.start_ms
         HAVING w.spent <> coalesce(sum(c.amount), 0) OR w.overrun <> coalesce(sum(c.excess), 0)",
    );
    broken(
        "WITH held(budget_id, start_ms, amount) AS (
           SELECT p.value ->> 'budget', p.value ->> 'start_ms', CASE p.value ->> 'unit'
             WHEN 'tokens' THEN h.tokens WHEN 'cost' THEN h.cost ELSE 1 END
             FROM hold h, json_each(h.windows) p
           UNION ALL SELECT p.value ->> 'budget', p.value ->> 'start_ms', r.tokens - r.spent_tokens
             FROM run r, json_each(r.windows) p WHERE r.state <> 'closed')
         SELECT w.budget_id, w.held, sum(h.amount) FROM budget_window w
           LEFT JOIN held h ON h.budget_id = w.budget_id AND h.start_ms = w.start_ms GROUP BY w.budget_id, w.start_ms
         HAVING w.held <> coalesce(sum(h.amount), 0)",
    );
}

/// The highest life of each shard that was heard.
fn boots(sql: &Native) -> BTreeMap<String, u64> {
    let rows = sql.query("SELECT shard, boot FROM relay_boot", &[]).unwrap();
    rows.iter().map(|row| (row.get(0).unwrap(), row.get(1).unwrap())).collect()
}

/// Whatever is held, by id.
fn holds(sql: &Native) -> Vec<String> {
    let rows = sql.query("SELECT request_id FROM hold ORDER BY 1", &[]).unwrap();
    rows.iter().map(|row| row.get(0).unwrap()).collect()
}

/// Every page of a dump, read by who recomputes it.
pub(super) fn verdict(ledger: &Ledger<&Native>, now: i64) -> LedgerVerdict {
    let mut verifier = Verifier::default();
    let mut cursor = None;
    loop {
        let page = ledger.dump(now, cursor.as_deref()).unwrap();
        page.lines.lines().for_each(|line| verifier.take(line).unwrap());
        cursor = page.next;
        if cursor.is_none() {
            return verifier.end().unwrap();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn invariants_hold_whatever_happens(steps in prop::collection::vec(step(), 1..60)) {
        let sql = Native::new();
        let limits = Limits { max_open_runs: 2, run_idle_ms: 300, run_keep_ms: 400, max_run_rows: 3, ..Limits::default() };
        let (ledger, ann) = stocked(&sql);
        let mut ledger = ledger.limited(&limits);
        ledger.put_budget(0, "test", &budget("requests", "user:ann", Unit::Requests, 6), 16).unwrap();
        let mut now = 1;
        for step in steps {
            let before = sql.bytes();
            let (known, living) = (boots(&sql), holds(&sql));
            let spoken = match &step {
                Step::Admit { shard, boot, .. } | Step::Look { shard, boot, .. } => Some((shard.to_string(), u64::from(*boot))),
                _ => None,
            };
            let due = ledger.next_deadline().unwrap().is_some_and(|deadline| deadline <= now);
            let refused = match step {
                Step::Admit { id, tokens, run, shard, boot } => {
                    let ask = CallAsk {
                        run_id: run.map(|run| format!("run_{run}")),
                        shard: shard.to_string(),
                        boot: u64::from(boot),
                        ..call(&format!("r{id}"), tokens)
                    };
                    // Another boot of the shard expires orphans first, which is a write of its own.
                    let _ = ledger.admit(now, &ann, &ask);
                    false
                }
                Step::Retry { id, sent, tokens } => {
                    let (first, second) = (format!("r{id}"), format!("r{id}.2"));
                    ledger.settle(now, &first, used(sent), &report()).unwrap();
                    let boot = boots(&sql).get("0").copied().unwrap_or(0);
                    let _ = ledger.admit(now, &ann, &CallAsk { boot, ..call(&second, tokens) });
                    false
                }
                Step::Look { shard, boot, live } => {
                    let live: Vec<String> = live.iter().map(|id| format!("r{id}")).collect();
                    ledger.forsaken(now, &shard.to_string(), u64::from(boot), &live, now).unwrap();
                    false
                }
                Step::Reopen => { ledger = open(&sql).limited(&limits); false }
                Step::Forget => { ledger.forget_runs(now).unwrap(); false }
                Step::Progress { id, tokens } => { ledger.progress(now, &format!("r{id}"), used(tokens)).unwrap(); false }
                Step::Settle { id, tokens } => { ledger.settle(now, &format!("r{id}"), used(tokens), &report()).unwrap(); false }
                Step::Release { id } => { ledger.release(now, &format!("r{id}"), &report()).unwrap(); false }
                Step::Open { run, tokens } => ledger.open_run(now, &ann, &format!("run_{run}"), used(tokens), 500).is_err(),
                Step::Close { run } => ledger.close_run(now, &ann, &format!("run_{run}")).is_err(),
                Step::Renew => {
                    ledger.delete_budget(now, "test", "tokens").unwrap();
                    ledger.put_budget(now, "test", &budget("tokens", "account:dev", Unit::Tokens, 100), 16).unwrap();
                    false
                }
                Step::Wait { ms } => { now += ms; ledger.fire_due(now).unwrap(); false }
            };
            prop_assert!(!refused || due || sql.bytes() == before, "a refusal wrote");
            check_invariants(&sql);
            if let Some((shard, boot)) = spoken && !due {
                let outlived = known.get(&shard).is_some_and(|known| boot < *known);
                prop_assert!(!outlived || holds(&sql) == living, "a word of an old life ended something");
            }
        }
        prop_assert_eq!(verdict(&ledger, now).differences, []);
    }
}
