//! The tables of a `Project` object.

/// See [`crate::migrate::migrate`].
pub const MIGRATIONS: &[&[&str]] = &[&[
    crate::blob::TABLE,
    "CREATE TABLE revision(number INTEGER PRIMARY KEY, extension_id TEXT NOT NULL, at_ms INTEGER NOT NULL,
       actor TEXT NOT NULL, cause TEXT NOT NULL CHECK(cause IN('install','undo','redo','remove')), base_hash TEXT,
       content_hash TEXT, state INTEGER) STRICT",
    "CREATE INDEX revision_extension ON revision(extension_id, number)",
    // What an install stored; undo and redo point at it again.
    "CREATE TABLE state(number INTEGER PRIMARY KEY, content_hash TEXT NOT NULL, version TEXT NOT NULL, files TEXT NOT NULL,
       granted TEXT NOT NULL, origin TEXT NOT NULL, sdk_version TEXT NOT NULL, last_result TEXT, plan_hash TEXT) STRICT",
    // `past` and `future` are JSON arrays of state numbers, null where nothing was installed.
    "CREATE TABLE extension(id TEXT PRIMARY KEY, present INTEGER, past TEXT NOT NULL, future TEXT NOT NULL,
       enabled INTEGER NOT NULL, disabled_reason TEXT, installed_at INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE audit(id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
       target TEXT NOT NULL, detail TEXT NOT NULL) STRICT",
]];
