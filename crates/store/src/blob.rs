//! Texts by their hash, and sets of files as maps from path to hash.
//!
//! Owns the table `blob` of every database that keeps files. Invariants: a text is stored once and never changes; its hash is
//! `sha256:` and the hex of its exact UTF-8 bytes, which is also its fingerprint on the wire. What a revision, a set or an
//! answer holds stays for ever; what only working copies hold is counted, and goes with the last of them.

use std::collections::BTreeMap;

use holdpoint_bundle::text_hash;
use serde_json::json;

use crate::sql::{Sql, SqlError, params};

/// Path to text, as in `holdpoint_bundle`.
pub type Files = BTreeMap<String, String>;

pub(crate) type Manifest = BTreeMap<String, String>;

pub(crate) const TABLE: &str = "CREATE TABLE blob(hash TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID";

/// Follows the events of change sets in [`crate::workspace::MIGRATIONS`].
pub(crate) const PIECES: &[&str] = &[
    // 1: the row stands for a text that is too long for one, and `text` lists the hashes of its pieces.
    "ALTER TABLE blob ADD COLUMN long INTEGER NOT NULL DEFAULT 0",
    // How many holders will let go of it; NULL: one never does.
    "ALTER TABLE blob ADD COLUMN uses INTEGER",
];

/// How long somebody who stores a text holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    ForEver,
    /// Until [`release`] is called, once for each time that it was stored.
    Counted,
}

/// Stores a text of any length; answers its hash.
pub(crate) fn put<S: Sql>(sql: &S, text: &str, hold: Hold) -> Result<String, SqlError> {
    let hash = text_hash(text);
    if hold == Hold::Counted {
        // A long row holds its pieces once, however often it is held itself.
        let again = "UPDATE blob SET uses = uses + 1 WHERE hash = ? RETURNING hash";
        if sql.first(again, params![&hash])?.is_some() {
            return Ok(hash);
        }
    }
    let long = text.len() > PIECE;
    let pieces = if long { put_pieces(sql, text, hold)? } else { String::new() };
    let row = if long { &pieces } else { text };
    sql.execute(
        "INSERT INTO blob(hash, text, long, uses) VALUES(?, ?, ?, ?)
         ON CONFLICT(hash) DO UPDATE SET uses = NULL WHERE uses IS NOT NULL",
        params![&hash, row, long, (hold == Hold::Counted).then_some(1_i64)],
    )?;
    Ok(hash)
}

/// Lets go of texts that were stored as [`Hold::Counted`]; those that nobody holds any more are deleted.
pub(crate) fn release<'h, S: Sql>(sql: &S, hashes: impl IntoIterator<Item = &'h str>) -> Result<(), SqlError> {
    for hash in hashes {
        let update = "UPDATE blob SET uses = uses - 1 WHERE hash = ? AND uses IS NOT NULL RETURNING uses, long, text";
        let Some(row) = sql.first(update, params![hash])? else { continue };
        if row.get::<i64>(0)? > 0 {
            continue;
        }
        sql.execute("DELETE FROM blob WHERE hash = ?", params![hash])?;
        if row.get(1)? {
            let pieces: String = row.get(2)?;
            release(sql, pieces.split(' '))?;
        }
    }
    Ok(())
}

/// The text of a hash.
pub(crate) fn get<S: Sql>(sql: &S, hash: &str) -> Result<String, SqlError> {
    let row = sql.first("SELECT text, long FROM blob WHERE hash = ?", params![hash])?;
    let row = row.ok_or_else(|| SqlError(format!("blob {hash} is gone")))?;
    if row.get(1)? { get_long(sql, &row.get::<String>(0)?) } else { row.get(0) }
}

/// Stores files; answers their manifest.
pub(crate) fn put_all<S: Sql>(sql: &S, files: &Files, hold: Hold) -> Result<Manifest, SqlError> {
    files.iter().map(|(path, text)| Ok((path.clone(), put(sql, text, hold)?))).collect()
}

/// The files of a manifest.
pub(crate) fn get_all<S: Sql>(sql: &S, manifest: &Manifest) -> Result<Files, SqlError> {
    manifest.iter().map(|(path, hash)| Ok((path.clone(), get(sql, hash)?))).collect()
}

/// Bytes of one piece of a long text: a row of the edge's database holds at most 2 MB.
pub(crate) const PIECE: usize = 1 << 20;

/// Stores a text of any length; answers the hashes of its pieces, one behind the other.
pub(crate) fn put_long<S: Sql>(sql: &S, text: &str) -> Result<String, SqlError> {
    put_pieces(sql, text, Hold::ForEver)
}

fn put_pieces<S: Sql>(sql: &S, text: &str, hold: Hold) -> Result<String, SqlError> {
    let mut hashes = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = (0..=PIECE.min(rest.len())).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or(rest.len());
        hashes.push(put(sql, &rest[..end], hold)?);
        rest = &rest[end..];
    }
    Ok(hashes.join(" "))
}

pub(crate) fn get_long<S: Sql>(sql: &S, hashes: &str) -> Result<String, SqlError> {
    hashes.split(' ').filter(|hash| !hash.is_empty()).map(|hash| get(sql, hash)).collect()
}

/// What a column holds of a JSON text: the text, or of a long one what [`put_long`] answers.
pub(crate) fn put_column<S: Sql>(sql: &S, text: &str) -> Result<String, SqlError> {
    if text.len() > PIECE { put_long(sql, text) } else { Ok(text.to_owned()) }
}

/// The text of a column of [`put_column`]: no JSON begins as a hash does.
pub(crate) fn get_column<S: Sql>(sql: &S, column: String) -> Result<String, SqlError> {
    if column.starts_with("sha256:") { get_long(sql, &column) } else { Ok(column) }
}

pub(crate) fn read_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, SqlError> {
    serde_json::from_str(text).map_err(|error| SqlError(format!("a JSON column does not hold its shape: {error}")))
}

/// A value for a JSON column.
pub(crate) fn to_json<T: serde::Serialize>(value: &T) -> String {
    json!(value).to_string()
}
