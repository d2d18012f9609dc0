//! The tables of builds (spec: app-builder.md §5).

/// Follows the pieces of texts in [`crate::workspace::MIGRATIONS`].
pub(crate) const TABLES: &[&str] = &[
    // The seed's queue `apps_build`: a row is a message and what became of it. `revision` is NULL for gate builds. `lease`
    // rises with each claim, so that a claim which was lost can be told from the next. `dist`, `manifest`, `built_key` and
    // `built` are of the last success, whatever the present attempt does. `logged`: it has rows in `build_log`.
    "CREATE TABLE build(number INTEGER PRIMARY KEY AUTOINCREMENT, bundle TEXT NOT NULL, revision INTEGER,
       kind TEXT NOT NULL CHECK(kind IN('draft','published','gate')), seq INTEGER NOT NULL, key TEXT NOT NULL,
       status TEXT NOT NULL CHECK(status IN('queued','running','succeeded','failed')),
       attempts INTEGER NOT NULL DEFAULT 0, queued INTEGER NOT NULL, not_before INTEGER NOT NULL,
       lease INTEGER NOT NULL DEFAULT 0, lease_until INTEGER, stage TEXT, error TEXT, error_code TEXT, diagnostics TEXT,
       started INTEGER, finished INTEGER, dist TEXT, manifest TEXT, built_key TEXT, built INTEGER,
       logged INTEGER NOT NULL DEFAULT 0,
       CHECK((kind = 'gate') = (revision IS NULL)), CHECK((status = 'running') = (lease_until IS NOT NULL)),
       CHECK((status IN('succeeded','failed')) = (finished IS NOT NULL))) STRICT",
    "CREATE UNIQUE INDEX build_revision ON build(revision) WHERE revision IS NOT NULL",
    // One running build an app: a rule of the database, not a hope.
    "CREATE UNIQUE INDEX build_running ON build(bundle) WHERE status = 'running'",
    "CREATE INDEX build_queued ON build(bundle, not_before) WHERE status = 'queued'",
    "CREATE INDEX build_key ON build(bundle, built_key) WHERE built_key IS NOT NULL",
    "CREATE INDEX build_gate ON build(finished) WHERE kind = 'gate'",
    "CREATE INDEX build_logged ON build(finished) WHERE logged = 1",
    // A log in pieces, for a row holds at most 2 MB; where the middle is left out, numbers of parts are missing.
    "CREATE TABLE build_log(build INTEGER NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY(build, part))
       STRICT, WITHOUT ROWID",
];
