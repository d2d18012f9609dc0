//! The tables of what is proposed, confirmed and told of it (spec: ai-sessions.md §2).

/// Follows the tables of conversations in [`crate::workspace::MIGRATIONS`].
pub(crate) const TABLES: &[&str] = &[
    // A session with an id of its own has a `number`, rising; `part` is the part of the bundle that it is in, where the
    // kind has parts; `waits`: that part is not there yet; `keep` is how long it lives after its last message.
    "ALTER TABLE session ADD COLUMN number INTEGER",
    "ALTER TABLE session ADD COLUMN part INTEGER",
    "ALTER TABLE session ADD COLUMN waits INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE session ADD COLUMN created INTEGER",
    "ALTER TABLE session ADD COLUMN keep INTEGER",
    "CREATE UNIQUE INDEX session_number ON session(number) WHERE number IS NOT NULL",
    "ALTER TABLE message ADD COLUMN change_set INTEGER",
    // `content`, `validation` and `inverse` are the kind's; each is a list of blobs, for a row holds at most 2 MB.
    "CREATE TABLE change_set(number INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, bundle TEXT NOT NULL,
       user TEXT NOT NULL, version INTEGER NOT NULL, content TEXT NOT NULL, validation TEXT, inverse TEXT,
       revision INTEGER, status TEXT NOT NULL CHECK(status IN('staged','validated','applied','rejected')),
       created INTEGER NOT NULL, updated INTEGER NOT NULL) STRICT",
    "CREATE UNIQUE INDEX change_set_version ON change_set(session, version)",
    // At most one open set a session: a rule of the database, not a hope.
    "CREATE UNIQUE INDEX change_set_open ON change_set(session) WHERE status IN('staged','validated')",
    // `place` is the order in which objects were first written.
    "CREATE TABLE working_file(session TEXT NOT NULL, part INTEGER NOT NULL, object TEXT NOT NULL,
       place INTEGER NOT NULL, content TEXT NOT NULL, deleted INTEGER NOT NULL, base_hash TEXT,
       updated INTEGER NOT NULL, PRIMARY KEY(session, part, object)) STRICT, WITHOUT ROWID",
    // `hash` is that of the token: the token itself is nowhere.
    "CREATE TABLE token(hash TEXT PRIMARY KEY, user TEXT NOT NULL, subject TEXT NOT NULL, expires INTEGER NOT NULL)
       STRICT, WITHOUT ROWID",
    "CREATE INDEX token_expires ON token(expires)",
    // `objects` and `detail` are JSON of metadata, never a text of the bundle or of a conversation.
    "CREATE TABLE audit_event(number INTEGER PRIMARY KEY AUTOINCREMENT, bundle TEXT NOT NULL, session TEXT,
       change_set INTEGER, version INTEGER, user TEXT NOT NULL, type TEXT NOT NULL, outcome TEXT NOT NULL, code TEXT,
       objects TEXT NOT NULL, detail TEXT NOT NULL, duration INTEGER, at INTEGER NOT NULL) STRICT",
    "CREATE INDEX audit_event_at ON audit_event(bundle, at)",
];

/// What the user of a set was last shown of it, as the kind's own JSON, and when: it lives as long as its set is open, and
/// [`super::SHOWN_MS`] at most.
pub(crate) const SHOWN: &[&str] =
    &["ALTER TABLE change_set ADD COLUMN shown TEXT", "ALTER TABLE change_set ADD COLUMN shown_at INTEGER"];
