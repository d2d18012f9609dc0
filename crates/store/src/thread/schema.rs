//! The tables of conversations about a tool.

/// Follows the tables of the tool in [`crate::tool::MIGRATIONS`].
pub(crate) const TABLES: &[&str] = &[
    "CREATE TABLE thread(user_id TEXT PRIMARY KEY, active_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE INDEX thread_active ON thread(active_ms)",
    // `number` never comes again, also after a thread was cleared. `revision` is the apply of its proposal.
    "CREATE TABLE turn(number INTEGER PRIMARY KEY AUTOINCREMENT, user_id TEXT NOT NULL,
       kind TEXT NOT NULL CHECK(kind IN('chat','edit_ops')),
       status TEXT NOT NULL CHECK(status IN('pending','complete','failed','cancelled')), failure_outcome TEXT,
       provider TEXT NOT NULL, correlation_id TEXT NOT NULL, at_ms INTEGER NOT NULL,
       decision TEXT CHECK(decision IN('applied','discarded','undone')), decided_ms INTEGER, revision INTEGER) STRICT",
    "CREATE INDEX turn_user ON turn(user_id, number)",
    // At most one pending turn a thread: a rule of the database, not a hope.
    "CREATE UNIQUE INDEX turn_pending ON turn(user_id) WHERE status = 'pending'",
    "CREATE TABLE message(number INTEGER PRIMARY KEY AUTOINCREMENT, turn INTEGER NOT NULL,
       role TEXT NOT NULL CHECK(role IN('user','assistant')), content TEXT NOT NULL, at_ms INTEGER NOT NULL,
       UNIQUE(turn, role)) STRICT",
];
