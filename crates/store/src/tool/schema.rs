//! The tables of a `Project` object that is a script tool.

use crate::blob;
use crate::thread;

/// See [`crate::migrate::migrate`].
pub const MIGRATIONS: &[&[&str]] = &[TOOL, thread::TABLES, LISTING];

const TOOL: &[&str] = &[
    blob::TABLE,
    // One row: the tool. `head` is its newest revision.
    "CREATE TABLE tool(only INTEGER PRIMARY KEY CHECK(only = 1), id TEXT NOT NULL, owner TEXT NOT NULL,
       title TEXT NOT NULL, head INTEGER NOT NULL, created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL) STRICT",
    // `files` maps each path to its blob, `changed` each changed path to `[before, after]`; `about` is the revision
    // that an undo, redo or restore speaks of; `proposal` what a person signed.
    "CREATE TABLE revision(number INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, actor TEXT NOT NULL,
       cause TEXT NOT NULL CHECK(cause IN('hand','apply','undo','redo','restore')), files TEXT NOT NULL,
       changed TEXT NOT NULL, about INTEGER, proposal TEXT) STRICT",
    // Every apply that can be undone, or, with `undone` (the revision that undid it), redone.
    "CREATE TABLE applied(number INTEGER PRIMARY KEY, undone INTEGER UNIQUE) STRICT",
    "CREATE TABLE checkpoint(number INTEGER PRIMARY KEY, title TEXT NOT NULL, auto INTEGER NOT NULL,
       revision INTEGER NOT NULL, at_ms INTEGER NOT NULL, actor TEXT NOT NULL) STRICT",
    // What the artifact store holds of this tool, so that it can be taken out again.
    "CREATE TABLE capture(key TEXT PRIMARY KEY, at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID",
];

const LISTING: &[&str] = &[
    // A row while the account has not acknowledged the tool: whose list it belongs in.
    "CREATE TABLE unlisted(only INTEGER PRIMARY KEY CHECK(only = 1), account TEXT NOT NULL) STRICT",
];
