//! The tables of a `Project` object, of whichever kind its bundles are (ENGINE §5).

use crate::{artifact, blob, build, captures, change_set, once, publish, session, upload, working_copy};

/// See [`crate::migrate::migrate`]. A stored database of every version is opened by a test.
pub const MIGRATIONS: &[&[&str]] = &[
    WORKSPACE,
    session::TABLES,
    change_set::TABLES,
    once::TABLES,
    session::EVENTS,
    change_set::SHOWN,
    blob::PIECES,
    build::TABLES,
    publish::TABLES,
    working_copy::TABLES,
    artifact::TABLES,
    upload::TABLES,
];

const WORKSPACE: &[&str] = &[
    blob::TABLE,
    // `head` is the newest revision, `cursor` the place in the list of revisions that stands (0: before the first);
    // `facts` are the kind's.
    "CREATE TABLE bundle(id TEXT PRIMARY KEY, kind TEXT NOT NULL, title TEXT NOT NULL, owner TEXT NOT NULL,
       head INTEGER NOT NULL, cursor INTEGER NOT NULL, facts TEXT NOT NULL, created INTEGER NOT NULL,
       updated INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    // `files` maps each path to its blob, NULL: the bundle is not there; `changed` maps each path that changed since
    // `parent` to `[before, after]`, null where it is not there; `about` is the revision that a way back speaks of;
    // `signed` holds the tokens that a person named; `place` is NULL outside the list; `undone_by` is the revision that
    // took this one's files back.
    "CREATE TABLE revision(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, bundle TEXT NOT NULL, parent INTEGER,
       cause TEXT NOT NULL CHECK(cause IN('apply','create','save','import','reset','merge','undo','redo','restore','remove')),
       files TEXT, changed TEXT NOT NULL, facts TEXT NOT NULL, actor TEXT NOT NULL, at INTEGER NOT NULL, label TEXT,
       about INTEGER, signed TEXT, place INTEGER, undone_by INTEGER, UNIQUE(bundle, place)) STRICT",
    "CREATE INDEX revision_bundle ON revision(bundle, number)",
    "CREATE TABLE checkpoint(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, bundle TEXT NOT NULL,
       revision INTEGER NOT NULL, label TEXT NOT NULL, cause TEXT NOT NULL CHECK(cause IN('named','auto')), turn INTEGER,
       actor TEXT NOT NULL, at INTEGER NOT NULL) STRICT",
    "CREATE INDEX checkpoint_bundle ON checkpoint(bundle, number)",
    // What is done without a revision.
    "CREATE TABLE audit(number INTEGER PRIMARY KEY, bundle TEXT NOT NULL, action TEXT NOT NULL, detail TEXT NOT NULL,
       actor TEXT NOT NULL, at INTEGER NOT NULL) STRICT",
    // What the artifact store holds of this project, so that it can be taken out again.
    captures::TABLE,
    // A row while the account has not acknowledged the bundle: whose list it belongs in.
    "CREATE TABLE unlisted(bundle TEXT PRIMARY KEY, account TEXT NOT NULL) STRICT, WITHOUT ROWID",
];
