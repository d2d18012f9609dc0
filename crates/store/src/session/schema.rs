//! The tables of conversations about bundles (ENGINE §6).

/// Follows the tables of the workspace in [`crate::workspace::MIGRATIONS`].
pub(crate) const TABLES: &[&str] = &[
    "CREATE TABLE session(id TEXT PRIMARY KEY, bundle TEXT NOT NULL, user TEXT NOT NULL, target TEXT, mode TEXT,
       status TEXT, facts TEXT, active INTEGER NOT NULL, expires INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE INDEX session_expires ON session(expires)",
    // `number` never comes again, also after a session was cleared. `revision` is the apply of its proposal, `record`
    // what the protocol keeps.
    "CREATE TABLE turn(number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT AS ('turn_' || number), session TEXT NOT NULL,
       protocol TEXT NOT NULL, status TEXT NOT NULL CHECK(status IN('pending','complete','failed','cancelled')),
       lane TEXT NOT NULL, outcome TEXT, correlation TEXT NOT NULL, at INTEGER NOT NULL,
       decision TEXT CHECK(decision IN('applied','discarded','undone')), decided INTEGER, revision INTEGER, record TEXT)
       STRICT",
    "CREATE UNIQUE INDEX turn_id ON turn(id)",
    "CREATE INDEX turn_session ON turn(session, number)",
    "CREATE INDEX turn_revision ON turn(revision) WHERE revision IS NOT NULL",
    // At most one pending turn a lane: a rule of the database, not a hope.
    "CREATE UNIQUE INDEX turn_pending ON turn(lane) WHERE status = 'pending'",
    // `name`, `args`, `result` are those of a tool's call, `client_id` is the page's name for words that it sends twice.
    "CREATE TABLE message(number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT AS ('msg_' || number),
       turn INTEGER NOT NULL, role TEXT NOT NULL CHECK(role IN('user','assistant','tool')), name TEXT,
       content TEXT NOT NULL, args TEXT, result TEXT, client_id TEXT, status TEXT, at INTEGER NOT NULL) STRICT",
    "CREATE UNIQUE INDEX message_role ON message(turn, role) WHERE role IN('user','assistant')",
    "CREATE INDEX message_turn ON message(turn, number)",
];
