//! Texts by their hash, and sets of files as maps from path to hash.
//!
//! Owns the table `blob` of every database that keeps files. Invariant: a text is stored once and never changes; its
//! hash is `sha256:` and the hex of its exact UTF-8 bytes, which is also its fingerprint on the wire.

use std::collections::BTreeMap;

use holdpoint_bundle::text_hash;
use serde_json::json;

use crate::sql::{Sql, SqlError, params};

/// Path to text, as in `holdpoint_bundle`.
pub type Files = BTreeMap<String, String>;

pub(crate) type Manifest = BTreeMap<String, String>;

pub(crate) const TABLE: &str = "CREATE TABLE blob(hash TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID";

/// Stores a text; answers its hash.
pub(crate) fn put<S: Sql>(sql: &S, text: &str) -> Result<String, SqlError> {
    let hash = text_hash(text);
    sql.execute("INSERT OR IGNORE INTO blob(hash, text) VALUES(?, ?)", params![&hash, text])?;
    Ok(hash)
}

/// The text of a hash.
pub(crate) fn get<S: Sql>(sql: &S, hash: &str) -> Result<String, SqlError> {
    let row = sql.first("SELECT text FROM blob WHERE hash = ?", params![hash])?;
    row.ok_or_else(|| SqlError(format!("blob {hash} is gone")))?.get(0)
}

/// Stores files; answers their manifest.
pub(crate) fn put_all<S: Sql>(sql: &S, files: &Files) -> Result<Manifest, SqlError> {
    files.iter().map(|(path, text)| Ok((path.clone(), put(sql, text)?))).collect()
}

/// The files of a manifest.
pub(crate) fn get_all<S: Sql>(sql: &S, manifest: &Manifest) -> Result<Files, SqlError> {
    manifest.iter().map(|(path, hash)| Ok((path.clone(), get(sql, hash)?))).collect()
}

/// Bytes of one piece of a long text: a row of the edge's database holds at most 2 MB.
const PIECE: usize = 1 << 20;

/// Stores a text of any length; answers the hashes of its pieces, one behind the other.
pub(crate) fn put_long<S: Sql>(sql: &S, text: &str) -> Result<String, SqlError> {
    let mut hashes = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = (0..=PIECE.min(rest.len())).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or(rest.len());
        hashes.push(put(sql, &rest[..end])?);
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
