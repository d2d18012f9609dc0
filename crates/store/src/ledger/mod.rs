//! The ledger of one account: admission, settlement, runs, budgets, keys (spec: gateway.md §6, §13).
//!
//! Owns the transactions: every public method that writes is one, and a refusal is rolled back. The law itself is
//! `holdpoint_gateway::budget`; its rows are `rows.rs`. Invariants: those of gateway.md §6, at every moment and after
//! any crash; `now` comes in.

mod audit;
mod boots;
mod bundles;
mod dump;
mod extensions;
mod facts;
mod forget;
mod idempotency;
mod keys;
mod limits;
mod memory;
mod own;
mod prices;
mod profile;
mod read;
mod routes;
mod rows;
mod runs;
mod schema;
mod slices;
mod sums;
mod switches;
mod usage;
mod webhooks;

pub use audit::AuditRow;
pub use boots::next_boot;
pub use bundles::Listed;
pub use dump::DumpPage;
pub use extensions::{Decision, EXTENSION_MOST_MS, ExtensionRow, ExtensionState};
pub use facts::{CallAsk, CallFacts, ClampAsk, Report};
pub use keys::{Clamp, Credential, KeyEdit, KeyEnd, KeyRow, NewKey, Principal, TokenHolder};
pub use limits::{LimitAsk, LimitRow};
pub use own::SecretRow;
pub use read::{LedgerItem, RunView};
pub use schema::MIGRATIONS;
pub use slices::{ClosedCall, Lent};
pub use switches::{SwitchAsk, SwitchRow};
pub use usage::{
    CallDays, HeldCalls, Percentiles, RunningCall, RunningCalls, UsageAsk, UsageGroup, UsageItem, UsageReport,
    UsageSpeed, UsageSums,
};
pub use webhooks::{DueDelivery, KeptWebhook, MOST_WEBHOOKS};

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use holdpoint_check::{ApiError, args};
use holdpoint_gateway::Limits;
use holdpoint_gateway::budget::{
    self as law, Admission, AdmissionRequest, Admitted, Amount, Budget, Close, Due, ExpirePolicy, HoldOwner, Ms, Payer,
    Scopes, Wanted,
};
use holdpoint_gateway::recent::Recent;
use holdpoint_gateway::refusal::{Code, GatewayError};
use serde_json::json;

use crate::codes::{BUDGET_KEEPS, BUDGETS_FULL, SAME_BUDGET};
use crate::migrate::{migrate, set_setting, setting};
use crate::sql::{Sql, SqlError, params};
use boots::{Boot, Heard};
use memory::{Memory, NEVER};
use rows::SqlRows;
use runs::{RUN_DUE, RunLimits};

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LedgerError {
    #[error(transparent)]
    Refused(#[from] GatewayError),
    /// By a rule that says so in its own sentence.
    #[error("{}", .0.message)]
    Told(ApiError),
    #[error(transparent)]
    Sql(#[from] SqlError),
}

impl From<ApiError> for LedgerError {
    fn from(error: ApiError) -> Self {
        Self::Told(error)
    }
}

const OBJECT_NAME: &str = "object_name";

/// How long a refused sign-in is not noted again, and how many are remembered.
const REFUSED_MS: Ms = 60_000;
const MOST_REFUSED: usize = 256;

/// Until what could not be ended is tried again.
const STUCK_RETRY_MS: Ms = 60_000;

/// What came due, by the ids of holds and runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fired {
    pub ended: Vec<String>,
    /// The database refused: they are tried again later.
    pub stuck: Vec<String>,
}

/// The ledger of one account.
pub struct Ledger<S> {
    sql: S,
    account: String,
    policy: ExpirePolicy,
    /// The highest boot of each relay shard that was heard.
    boots: RefCell<BTreeMap<String, Boot>>,
    /// What runs may hold, and how long their rows are kept.
    runs: RunLimits,
    /// Mean calls that a slice is enough for.
    slice_needs: u64,
    /// How long calls, windows and changes are kept.
    keep_ms: Ms,
    /// When the first of them is over; `None`: not known.
    first_over: Cell<Option<Ms>>,
    memory: Memory,
    /// Whether calls on the platform's money need a budget that counts them.
    needs_budgets: bool,
    /// Calls that were ended because no relay knew them, for [`Ledger::take_orphaned`].
    orphaned: RefCell<Vec<String>>,
    /// Sign-ins that were refused just now.
    refused: RefCell<Recent<(String, Code), ()>>,
    /// Nothing is closed at this time or before it: a dump began then.
    dumped: Cell<Ms>,
    /// When a page of a dump was told last.
    dump_told: Cell<Ms>,
    /// When the last call was closed, by this writer.
    closed: Cell<Ms>,
}

impl<S: Sql> Ledger<S> {
    /// Opens the database of the account of that name and brings it up to date.
    pub fn open(sql: S, account: &str, policy: ExpirePolicy) -> Result<Self, SqlError> {
        migrate(&sql, MIGRATIONS)?;
        if setting(&sql, "account")?.as_deref() != Some(account) {
            set_setting(&sql, "account", account)?;
        }
        Ok(Self {
            sql,
            account: account.to_owned(),
            policy,
            boots: RefCell::default(),
            runs: RunLimits::from(&Limits::default()),
            slice_needs: Limits::default().slice_needs,
            keep_ms: Limits::default().ledger(),
            first_over: Cell::default(),
            memory: Memory::default(),
            needs_budgets: false,
            orphaned: RefCell::default(),
            refused: RefCell::new(Recent::new(REFUSED_MS, MOST_REFUSED)),
            dumped: Cell::new(Ms::MIN),
            dump_told: Cell::new(Ms::MIN),
            closed: Cell::new(Ms::MIN),
        })
    }

    /// The same, which refuses calls on the platform's money that no budget counts, if so.
    #[must_use]
    pub fn needing_budgets(self, needs_budgets: bool) -> Self {
        Self { needs_budgets, ..self }
    }

    /// The account's name, as budget scopes use it.
    pub fn account(&self) -> &str {
        &self.account
    }

    /// The account of a database that was opened before.
    pub fn account_of(sql: &S) -> Result<Option<String>, SqlError> {
        let known = sql.query("SELECT 1 FROM sqlite_schema WHERE name = 'setting'", params![])?;
        if known.is_empty() { Ok(None) } else { setting(sql, "account") }
    }

    /// Checks the key and sets aside what the call can cost. A refusal writes nothing.
    pub fn admit(&self, now: Ms, credential: &Credential, ask: &CallAsk) -> Result<(Principal, Admitted), LedgerError> {
        self.fire_due(now)?;
        let heard = self.hear(now, &ask.shard, ask.boot)?;
        if heard == Heard::Outlived {
            return Err(GatewayError::new(Code::LedgerUnavailable).into());
        }
        let admitted = self.transaction(|| {
            let principal = self.verify(now, credential)?;
            principal.require("llm")?;
            // A key's list names models of the platform; a user's own model is nobody's but theirs.
            if ask.payer == Payer::Platform {
                principal.require_model(&ask.facts.alias)?;
            }
            if let Some(key) = &ask.idempotency_key {
                self.require_first(now, &principal.key_id, key, &ask.request_id)?;
            }
            let wanted = ask.wanted(principal.clamp);
            let mut facts = ask.facts.clone();
            // An admission that got no answer is asked for again with what it wanted before any clamp.
            facts.asked = matches!(wanted, Wanted::Within(_)).then_some(ask.need);
            let law_ask = AdmissionRequest {
                run_id: ask.run_id.clone(),
                payer: ask.payer,
                unpriced: ask.facts.price_version.is_none(),
                needs_budget: self.needs_budgets && ask.payer == Payer::Platform && ask.need != Amount::default(),
                provider: ask.facts.provider.clone(),
                owner: HoldOwner { shard: ask.shard.clone(), boot: ask.boot },
                meta: serde_json::to_string(&facts).expect("facts are plain"),
                ..AdmissionRequest::new(&ask.request_id, &principal.key_id, self.scopes(&principal), wanted, ask.ttl_ms)
            };
            match self.law(now, |law| law.admit(self.behind_dumps(now), &law_ask))? {
                Admission::Admitted(admitted) => {
                    self.note_use(now, &principal)?;
                    if let Some(key) = ask.idempotency_key.as_ref().filter(|_| !admitted.replayed) {
                        self.keep_first(now, &principal.key_id, key, &ask.request_id)?;
                    }
                    if heard == Heard::New && !admitted.replayed {
                        self.write_boot(&ask.shard, ask.boot)?;
                    }
                    Ok((principal, admitted))
                }
                Admission::Refused(refused) => Err(LedgerError::from(GatewayError::from(refused))),
            }
        })?;
        if !admitted.1.replayed {
            self.boot_is_written(&ask.shard, ask.boot);
        }
        Ok(admitted)
    }

    /// Notes what a running call used so far. `false`: it is closed already.
    pub fn progress(&self, now: Ms, request_id: &str, used: Amount) -> Result<bool, SqlError> {
        self.fire_due(now)?;
        self.transaction(|| self.law(now, |law| law.progress(request_id, used)))
    }

    /// Replaces a hold by what was used, once.
    pub fn settle(&self, now: Ms, request_id: &str, used: Amount, report: &Report) -> Result<Close, SqlError> {
        let report = serde_json::to_string(report).expect("reports are plain");
        self.transaction(|| self.law(now, |law| law.settle(self.closing(now), request_id, used, Some(report))))
    }

    /// Frees a hold without a charge.
    pub fn release(&self, now: Ms, request_id: &str, report: &Report) -> Result<Close, SqlError> {
        let report = serde_json::to_string(report).expect("reports are plain");
        self.transaction(|| {
            let close = self.law(now, |law| law.release(self.closing(now), request_id, Some(report)))?;
            self.forget_first(request_id)?;
            Ok(close)
        })
    }

    /// Ends what is due. Each in a transaction of its own: a row that cannot be read keeps no other from ending.
    pub fn fire_due(&self, now: Ms) -> Result<Fired, SqlError> {
        let mut fired = Fired::default();
        if self.next_deadline()?.is_none_or(|deadline| deadline > now) {
            return Ok(fired);
        }
        // The earliest may be one of a call that ended meanwhile.
        self.look_for_deadline()?;
        for due in self.law(now, |law| law.due(now))? {
            let ended = self.end(now, &due).is_ok();
            if !ended {
                self.postpone(now, &due)?;
            }
            let ids = if ended { &mut fired.ended } else { &mut fired.stuck };
            ids.push(due.into_id());
        }
        self.look_for_deadline()?;
        Ok(fired)
    }

    fn end(&self, now: Ms, due: &Due) -> Result<(), SqlError> {
        self.transaction(|| self.law(now, |law| law.end(self.closing(now), due)))
    }

    /// Tries again later, so that the alarm does not ring for this alone for ever.
    fn postpone(&self, now: Ms, due: &Due) -> Result<(), SqlError> {
        let (statement, id) = match due {
            Due::Hold(id) => ("UPDATE hold SET deadline_ms = ? WHERE request_id = ?", id),
            Due::Run(id) => ("UPDATE run SET deadline_ms = ?1, touched_ms = ?1 WHERE id = ?2", id),
        };
        self.sql.execute(statement, params![now.saturating_add(STUCK_RETRY_MS), id])
    }

    /// Nothing is due before that.
    pub fn next_deadline(&self) -> Result<Option<Ms>, SqlError> {
        if self.memory.earliest().is_none() {
            self.look_for_deadline()?;
        }
        Ok(self.memory.earliest().filter(|at| *at < NEVER))
    }

    fn look_for_deadline(&self) -> Result<(), SqlError> {
        let row = self.sql.first(
            &format!(
                "SELECT min(at) FROM (SELECT min(deadline_ms) AS at FROM hold
                 UNION ALL SELECT min({RUN_DUE}) FROM run WHERE state = 'open')"
            ),
            params![],
        )?;
        let at: Option<Ms> = row.map_or(Ok(None), |row| row.get(0))?;
        self.memory.keep_earliest(Some(at.unwrap_or(NEVER)));
        Ok(())
    }

    /// Sets a budget. Lowering its limit below what is used is allowed and stops new calls.
    pub fn put_budget(&self, now: Ms, actor: &str, budget: &Budget, most: u64) -> Result<(), LedgerError> {
        self.transaction(|| {
            let present = self.sql.first(
                "SELECT id FROM budget WHERE id <> ? AND scope = ? AND unit = ? AND period = ? AND payer = ?",
                params![&budget.id, &budget.scope, budget.unit.name(), budget.period.name(), budget.payer.name()],
            )?;
            if let Some(row) = present {
                let other: String = row.get(0)?;
                return Err(GatewayError::at(Code::InvalidRequest, "/scope")
                    .says(&SAME_BUDGET, args! { other })
                    .into());
            }
            if let Some(before) = self.budget(&budget.id)? {
                let kept = |budget: &Budget| (budget.scope.clone(), budget.unit, budget.period, budget.payer);
                let same = kept(&before) == kept(budget);
                if !same {
                    return Err(GatewayError::at(Code::InvalidRequest, "/unit").says(&BUDGET_KEEPS, args! {}).into());
                }
            } else {
                let row = self.sql.first("SELECT count(*) FROM budget WHERE scope = ?", params![&budget.scope])?;
                if row.map_or(Ok(0), |row| row.get::<u64>(0))? >= most {
                    return Err(GatewayError::at(Code::InvalidRequest, "/scope")
                        .says(&BUDGETS_FULL, args! { most })
                        .into());
                }
            }
            self.sql.execute(
                "INSERT INTO budget(id, scope, unit, period, lim, payer, generation)
                 VALUES(?1, ?2, ?3, ?4, ?5, ?6, coalesce((SELECT generations FROM budget_past WHERE id = ?1), 0))
                 ON CONFLICT(id) DO UPDATE SET lim = excluded.lim",
                params![
                    &budget.id,
                    &budget.scope,
                    budget.unit.name(),
                    budget.period.name(),
                    budget.limit,
                    budget.payer.name()
                ],
            )?;
            self.audit(now, actor, "budget.put", &budget.id, &json!(budget))?;
            self.memory.configured();
            Ok(())
        })
    }

    /// Deletes a budget; what was charged to it stays in the ledger, and running calls end in its windows. `false`:
    /// there was none.
    pub fn delete_budget(&self, now: Ms, actor: &str, id: &str) -> Result<bool, SqlError> {
        self.transaction(|| {
            let Some(budget) = self.budget(id)? else { return Ok(false) };
            self.sql.execute("DELETE FROM budget WHERE id = ?", params![id])?;
            self.sql.execute(
                "INSERT OR REPLACE INTO budget_past(id, generations) VALUES(?, ?)",
                params![id, budget.generation + 1],
            )?;
            self.audit(now, actor, "budget.delete", id, &json!({}))?;
            self.memory.configured();
            Ok(true)
        })
    }

    /// The name by which others reach this account's object, as its first caller knew it.
    pub fn object_name(&self) -> Result<Option<String>, SqlError> {
        setting(&self.sql, OBJECT_NAME)
    }

    pub fn note_object_name(&self, name: &str) -> Result<(), SqlError> {
        set_setting(&self.sql, OBJECT_NAME, name)
    }

    /// Whether nothing was ever changed here, also so long ago that its audit is forgotten.
    pub fn is_fresh(&self) -> Result<bool, SqlError> {
        let changed = self.sql.first(
            "SELECT 1 FROM audit UNION ALL SELECT 1 FROM proxy_key UNION ALL SELECT 1 FROM budget
               UNION ALL SELECT 1 FROM budget_past LIMIT 1",
            params![],
        )?;
        Ok(changed.is_none())
    }

    /// When a call is closed that is closed now: behind every dump that began.
    fn closing(&self, now: Ms) -> Ms {
        let at = self.behind_dumps(now);
        self.something_is_kept();
        self.closed.set(at.max(self.closed.get()));
        at
    }

    fn behind_dumps(&self, now: Ms) -> Ms {
        now.max(self.dumped.get().saturating_add(1))
    }

    /// From here on nothing is closed at that time; answers the time.
    fn closes_behind(&self, now: Ms) -> Ms {
        let at = now.max(self.dumped.get()).max(self.closed.get());
        self.dumped.set(at);
        at
    }

    fn law<T>(
        &self,
        now: Ms,
        body: impl FnOnce(&mut law::Ledger<'_, SqlRows<'_, S>>) -> Result<T, SqlError>,
    ) -> Result<T, SqlError> {
        let mut rows = SqlRows { changed_ms: self.behind_dumps(now), ..self.sql_rows() };
        let done = body(&mut law::Ledger::new(&mut rows, self.policy))?;
        rows.flush()?;
        Ok(done)
    }

    /// The rows as they are read.
    fn sql_rows(&self) -> SqlRows<'_, S> {
        SqlRows { sql: &self.sql, account: &self.account, memory: &self.memory, changed_ms: 0 }
    }

    /// One transaction; what is remembered of one that fails is forgotten.
    fn transaction<T, E: From<SqlError>>(&self, body: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let done = self.sql.transaction(body);
        match &done {
            Ok(_) => self.memory.committed(),
            Err(_) => self.memory.failed(),
        }
        done
    }

    fn scopes(&self, principal: &Principal) -> Scopes {
        Scopes::new(&principal.key_id, &principal.user_id, &self.account)
    }
}
