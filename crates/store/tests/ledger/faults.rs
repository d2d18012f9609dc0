//! What the ledger remembers is what the database holds, also where a statement fails in the middle of anything; and a
//! call costs few statements.

use std::cell::Cell;

use holdpoint_gateway::budget::{Amount, ExpirePolicy, Unit};
use holdpoint_gateway::key::{Env, ProxyKey};
use holdpoint_store::ledger::{CallAsk, Clamp, Credential, Decision, NewKey, SwitchAsk};
use holdpoint_store::{Ledger, Row, Sql, SqlError, Value};
use proptest::prelude::*;

use super::support::Native;
use super::{MOST, budget, call, check_invariants, code, report, used};

/// A database that fails once, and counts what it is asked.
struct Failing<'n> {
    sql: &'n Native,
    /// Statements until it fails.
    left: Cell<Option<u32>>,
    reads: Cell<u32>,
    writes: Cell<u32>,
}

impl<'n> Failing<'n> {
    fn new(sql: &'n Native) -> Self {
        Self { sql, left: Cell::new(None), reads: Cell::new(0), writes: Cell::new(0) }
    }

    fn step(&self, counter: &Cell<u32>) -> Result<(), SqlError> {
        counter.set(counter.get() + 1);
        match self.left.get() {
            Some(0) => {
                self.left.set(None);
                Err(SqlError("disk I/O error: SQLITE_IOERR".to_owned()))
            }
            left => {
                self.left.set(left.map(|left| left - 1));
                Ok(())
            }
        }
    }
}

impl Sql for Failing<'_> {
    fn execute(&self, sql: &str, params: &[Value]) -> Result<(), SqlError> {
        self.step(&self.writes)?;
        self.sql.execute(sql, params)
    }

    fn query(&self, sql: &str, params: &[Value]) -> Result<Vec<Row>, SqlError> {
        self.step(&self.reads)?;
        self.sql.query(sql, params)
    }

    fn transaction<T, E: From<SqlError>>(&self, body: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        self.sql.transaction(body)
    }
}

/// A ledger with three budgets on the way of each call, and a key of user `ann`.
fn stocked<'f>(sql: &'f Failing<'_>) -> (Ledger<&'f Failing<'f>>, Credential) {
    let ledger = Ledger::open(sql, "dev", ExpirePolicy::BillProgress).unwrap();
    let budgets = [
        ("tokens", "account:dev", Unit::Tokens, 100),
        ("requests", "user:ann", Unit::Requests, 50),
        ("cost", "user:ann", Unit::Cost, 1_000),
    ];
    for (id, scope, unit, limit) in budgets {
        ledger.put_budget(0, "test", &budget(id, scope, unit, limit), 16).unwrap();
    }
    let key = ProxyKey::make(Env::Test, "0123456789abcdef", &[1; 7], &[1; 32]);
    let new = NewKey {
        label: "test".to_owned(),
        user_id: "ann".to_owned(),
        scopes: vec!["llm".to_owned(), "usage".to_owned()],
        models: Vec::new(),
        origins: Vec::new(),
        clamp: Clamp::Allowed,
        expires_at: None,
    };
    ledger.create_key(0, "test", &key, &new, 10).unwrap();
    (ledger, Credential::Key { id: key.id.clone(), secret_hash: key.hash().to_vec() })
}

#[test]
fn a_call_under_three_budgets_takes_nine_statements_of_which_seven_write() {
    let native = Native::new();
    let sql = Failing::new(&native);
    let (ledger, ann) = stocked(&sql);
    let ask = |id: &str| CallAsk { need: Amount { tokens: 10, cost: 4 }, ..call(id, 0) };
    let whole = |id: &str, now: i64| {
        ledger.admit(now, &ann, &ask(id)).unwrap();
        ledger.settle(now + 1, id, used(3), &report()).unwrap();
        ledger.next_deadline().unwrap();
        ledger.next_forgetting().unwrap();
    };
    whole("r1", 10);
    let before = (sql.reads.get(), sql.writes.get());
    whole("r2", 20);
    let (reads, writes) = (sql.reads.get() - before.0, sql.writes.get() - before.1);
    assert!(reads <= 2 && writes <= 7, "{reads} reads, {writes} writes");
    check_invariants(&native);
}

#[derive(Debug, Clone)]
enum Step {
    Admit(u8, u64),
    Settle(u8, u64),
    Release(u8),
    Progress(u8, u64),
    Wait(i64),
    Lower(u64),
    /// So much more, for so long.
    Grant(u64, i64),
    Switch(bool),
    /// The statement that many ahead fails.
    Fail(u32),
}

fn step() -> impl Strategy<Value = Step> {
    let (id, tokens) = (0_u8..8, 0_u64..40);
    prop_oneof![
        4 => (id.clone(), tokens.clone()).prop_map(|(id, tokens)| Step::Admit(id, tokens)),
        3 => (id.clone(), tokens.clone()).prop_map(|(id, tokens)| Step::Settle(id, tokens)),
        1 => id.clone().prop_map(Step::Release),
        1 => (id, tokens).prop_map(|(id, tokens)| Step::Progress(id, tokens)),
        1 => (1_i64..700).prop_map(Step::Wait),
        1 => (80_u64..140).prop_map(Step::Lower),
        1 => (1_u64..40, 1_i64..900).prop_map(|(amount, ms)| Step::Grant(amount, ms)),
        1 => any::<bool>().prop_map(Step::Switch),
        3 => (0_u32..9).prop_map(Step::Fail),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn what_is_remembered_is_what_is_stored(steps in prop::collection::vec(step(), 1..80)) {
        let native = Native::new();
        let sql = Failing::new(&native);
        let (ledger, ann) = stocked(&sql);
        let mut now = 1;
        let mut highest = 100;
        let mut asked = 0;
        let asker = ledger.verify(now, &ann).unwrap();
        for step in steps {
            let id = |id: u8| format!("r{id}");
            match step {
                Step::Admit(n, tokens) => drop(ledger.admit(now, &ann, &call(&id(n), tokens))),
                Step::Settle(n, tokens) => drop(ledger.settle(now, &id(n), used(tokens), &report())),
                Step::Release(n) => drop(ledger.release(now, &id(n), &report())),
                Step::Progress(n, tokens) => drop(ledger.progress(now, &id(n), used(tokens))),
                Step::Wait(ms) => { now += ms; drop(ledger.fire_due(now)); }
                Step::Lower(limit) => {
                    drop(ledger.put_budget(now, "t", &budget("tokens", "account:dev", Unit::Tokens, limit), 16));
                }
                Step::Grant(amount, ms) => {
                    asked += 1;
                    let id = format!("ext_{asked}");
                    let grant = Decision::Grant { amount, until: now + ms };
                    drop(ledger.ask_extension(now, &asker, &id, "tokens", amount, "more"));
                    drop(ledger.decide_extension(now, "t", "tokens", &id, grant));
                }
                Step::Switch(stopped) => {
                    let ask = SwitchAsk { stopped, reason: "test".to_owned() };
                    drop(ledger.put_switch(now, "t", "account:dev", &ask));
                }
                Step::Fail(ahead) => sql.left.set(Some(ahead)),
            }
            let armed = sql.left.replace(None);
            let fresh = Ledger::open(&native, "dev", ExpirePolicy::BillProgress).unwrap();
            for name in ["tokens", "requests", "cost"] {
                let (told, stored) = (ledger.standing(now, name).unwrap(), fresh.standing(now, name).unwrap());
                prop_assert_eq!(&told, &stored, "{}", name);
                let window = stored.unwrap();
                if name == "tokens" {
                    highest = highest.max(window.limit);
                }
                prop_assert!(name != "tokens" || window.spent + window.held <= highest, "over every limit there was");
            }
            prop_assert!(
                fresh.next_deadline().unwrap().is_none_or(|at| ledger.next_deadline().unwrap().is_some_and(|told| told <= at)),
                "something is due before it is looked for"
            );
            let probe = call("probe", MOST);
            let (told, stored) = (ledger.admit(now, &ann, &probe), fresh.admit(now, &ann, &probe));
            prop_assert_eq!(code(told), code(stored), "the switch that is remembered is the one that is stored");
            sql.left.set(armed);
        }
    }
}
