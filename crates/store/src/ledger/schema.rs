//! The tables of an `Account` object (spec: gateway.md §6).
//!
//! Ours are `hold.at_ms` and `hold.windows`, which let an expiry write a whole ledger row, `ledger_charge.unit`, which lets
//! one be corrected after its budget was deleted, and `budget.generation`: the windows, holds and charges of a deleted
//! budget stay, so one that is made anew under its id has windows of another name. Holds and rows stand in one tree each,
//! without further indices: a call touches few pages, open holds are few, and ids of requests rise with time.

pub const MIGRATIONS: &[&[&str]] = &[
    MONEY,
    BUNDLES,
    GENERATIONS,
    super::bundles::RESERVED,
    super::profile::PROFILES,
    FEWER_PAGES,
    super::sums::DAY_SUMS,
    super::limits::LIMITS,
    super::switches::SWITCHES,
    super::extensions::EXTENSIONS,
    BOOTS_AND_RUNS,
    super::idempotency::IDEMPOTENCY,
    super::routes::ROUTES,
    super::keys::ROTATION,
    super::sums::TAGGED_DAYS,
    super::routes::FALLBACK,
    super::forget::FORGOTTEN,
    super::webhooks::WEBHOOKS,
    super::own::SECRETS,
];

const MONEY: &[&str] = &[
    "CREATE TABLE proxy_key(id TEXT PRIMARY KEY, user_id TEXT NOT NULL, env TEXT NOT NULL, label TEXT NOT NULL,
       hash BLOB NOT NULL, display TEXT NOT NULL, scopes TEXT NOT NULL, models TEXT NOT NULL, origins TEXT NOT NULL,
       expires_at INTEGER, revoked_at INTEGER, created_at INTEGER NOT NULL, last_used_day INTEGER) STRICT",
    "CREATE TABLE budget(id TEXT PRIMARY KEY, scope TEXT NOT NULL, unit TEXT NOT NULL CHECK(unit IN('cost','tokens','requests')),
       period TEXT NOT NULL CHECK(period IN('minute','day','month','total')), payer TEXT NOT NULL DEFAULT 'platform',
       lim INTEGER NOT NULL CHECK(lim>=0), UNIQUE(scope,unit,period,payer)) STRICT",
    "CREATE TABLE budget_window(budget_id TEXT NOT NULL, start_ms INTEGER NOT NULL,
       spent INTEGER NOT NULL DEFAULT 0 CHECK(spent>=0), held INTEGER NOT NULL DEFAULT 0 CHECK(held>=0),
       overrun INTEGER NOT NULL DEFAULT 0 CHECK(overrun>=0), PRIMARY KEY(budget_id,start_ms)) STRICT, WITHOUT ROWID",
    "CREATE TABLE run(id TEXT PRIMARY KEY, key_id TEXT NOT NULL, tokens INTEGER NOT NULL, cost INTEGER NOT NULL,
       child_tokens INTEGER NOT NULL DEFAULT 0, child_cost INTEGER NOT NULL DEFAULT 0,
       spent_tokens INTEGER NOT NULL DEFAULT 0, spent_cost INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL,
       windows TEXT NOT NULL, deadline_ms INTEGER NOT NULL) STRICT",
    "CREATE INDEX run_deadline ON run(state, deadline_ms)",
    "CREATE TABLE hold(request_id TEXT PRIMARY KEY, key_id TEXT NOT NULL, user_id TEXT NOT NULL, run_id TEXT,
       payer TEXT NOT NULL, tokens INTEGER NOT NULL, cost INTEGER NOT NULL, progress_tokens INTEGER, progress_cost INTEGER,
       windows TEXT NOT NULL, owner TEXT NOT NULL, at_ms INTEGER NOT NULL, deadline_ms INTEGER NOT NULL,
       meta TEXT NOT NULL) STRICT",
    "CREATE INDEX hold_deadline ON hold(deadline_ms)",
    "CREATE INDEX hold_owner ON hold(owner)",
    "CREATE INDEX hold_run ON hold(run_id) WHERE run_id IS NOT NULL",
    "CREATE TABLE ledger(request_id TEXT PRIMARY KEY, at_ms INTEGER NOT NULL, closed_ms INTEGER NOT NULL,
       key_id TEXT NOT NULL, user_id TEXT NOT NULL, run_id TEXT, payer TEXT NOT NULL, protocol TEXT NOT NULL,
       alias TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL, price_version INTEGER, outcome TEXT NOT NULL,
       usage_source TEXT NOT NULL, disconnect_policy TEXT, input INTEGER NOT NULL, cached_input INTEGER NOT NULL,
       cache_write INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL, tokens INTEGER NOT NULL,
       cost INTEGER NOT NULL, excess_tokens INTEGER NOT NULL, excess_cost INTEGER NOT NULL, held_tokens INTEGER NOT NULL,
       held_cost INTEGER NOT NULL, finish TEXT, status INTEGER NOT NULL, attempts INTEGER NOT NULL, stream INTEGER NOT NULL,
       input_bytes INTEGER NOT NULL, output_bytes INTEGER NOT NULL, ttfb_ms INTEGER, total_ms INTEGER NOT NULL,
       tag TEXT, template TEXT) STRICT",
    "CREATE INDEX ledger_time ON ledger(at_ms)",
    "CREATE INDEX ledger_key ON ledger(key_id, at_ms)",
    "CREATE TABLE ledger_charge(request_id TEXT NOT NULL, budget_id TEXT NOT NULL, unit TEXT NOT NULL,
       start_ms INTEGER NOT NULL, amount INTEGER NOT NULL, excess INTEGER NOT NULL,
       PRIMARY KEY(request_id,budget_id)) STRICT, WITHOUT ROWID",
    "CREATE TABLE audit(id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
       target TEXT NOT NULL, detail TEXT NOT NULL) STRICT",
];

/// Lives of relays had names before they had numbers: a hold of a named one is of a life before all that are counted. Runs
/// that were open go on to their deadline.
const BOOTS_AND_RUNS: &[&str] = &[
    "CREATE TABLE relay_boot(shard TEXT PRIMARY KEY, boot INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "UPDATE hold SET owner = substr(owner, 1, instr(owner, '#')) || '0' WHERE instr(owner, '#') > 0",
    "ALTER TABLE run ADD COLUMN touched_ms INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE run ADD COLUMN idle_ms INTEGER NOT NULL DEFAULT 9007199254740991",
    "ALTER TABLE run ADD COLUMN closed_ms INTEGER",
    "UPDATE run SET closed_ms = deadline_ms WHERE state = 'closed'",
    "CREATE INDEX run_closed ON run(closed_ms) WHERE state = 'closed'",
    "CREATE INDEX run_key ON run(key_id) WHERE state <> 'closed'",
    "ALTER TABLE budget_window ADD COLUMN changed_ms INTEGER NOT NULL DEFAULT 0",
];

const BUNDLES: &[&str] = &[
    "CREATE TABLE bundle(id TEXT PRIMARY KEY, kind TEXT NOT NULL, owner TEXT NOT NULL, title TEXT NOT NULL,
       revision_id TEXT NOT NULL, updated_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE INDEX bundle_owner ON bundle(owner, kind, id)",
];

const GENERATIONS: &[&str] = &[
    "ALTER TABLE budget ADD COLUMN generation INTEGER NOT NULL DEFAULT 0",
    "CREATE TABLE budget_past(id TEXT PRIMARY KEY, generations INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "INSERT INTO budget_past(id, generations)
       SELECT DISTINCT budget_id, 1 FROM budget_window WHERE budget_id NOT IN(SELECT id FROM budget)",
];

const FEWER_PAGES: &[&str] = &[
    "ALTER TABLE hold RENAME TO hold_before",
    "CREATE TABLE hold(request_id TEXT PRIMARY KEY, key_id TEXT NOT NULL, user_id TEXT NOT NULL, run_id TEXT,
       payer TEXT NOT NULL, tokens INTEGER NOT NULL, cost INTEGER NOT NULL, progress_tokens INTEGER, progress_cost INTEGER,
       windows TEXT NOT NULL, owner TEXT NOT NULL, at_ms INTEGER NOT NULL, deadline_ms INTEGER NOT NULL,
       meta TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "INSERT INTO hold SELECT * FROM hold_before",
    "DROP TABLE hold_before",
    "ALTER TABLE ledger RENAME TO ledger_before",
    "CREATE TABLE ledger(request_id TEXT PRIMARY KEY, at_ms INTEGER NOT NULL, closed_ms INTEGER NOT NULL,
       key_id TEXT NOT NULL, user_id TEXT NOT NULL, run_id TEXT, payer TEXT NOT NULL, protocol TEXT NOT NULL,
       alias TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL, price_version INTEGER, outcome TEXT NOT NULL,
       usage_source TEXT NOT NULL, disconnect_policy TEXT, input INTEGER NOT NULL, cached_input INTEGER NOT NULL,
       cache_write INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL, tokens INTEGER NOT NULL,
       cost INTEGER NOT NULL, excess_tokens INTEGER NOT NULL, excess_cost INTEGER NOT NULL, held_tokens INTEGER NOT NULL,
       held_cost INTEGER NOT NULL, finish TEXT, status INTEGER NOT NULL, attempts INTEGER NOT NULL, stream INTEGER NOT NULL,
       input_bytes INTEGER NOT NULL, output_bytes INTEGER NOT NULL, ttfb_ms INTEGER, total_ms INTEGER NOT NULL,
       tag TEXT, template TEXT) STRICT, WITHOUT ROWID",
    "INSERT INTO ledger SELECT * FROM ledger_before ORDER BY request_id",
    "DROP TABLE ledger_before",
];
