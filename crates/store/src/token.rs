//! Tokens that confirm one change, once (ENGINE §4 `Confirm::Issued`).
//!
//! Owns the table `token`. Invariants: the token itself is stored nowhere, only its hash; it is good for one user, for
//! the change that was shown and until it expires; it is spent in the transaction that writes the change, so a write that
//! fails gives it back.

use holdpoint_bundle::text_hash;
use holdpoint_change::Tokens;
use serde_json::json;

use crate::sql::{Sql, SqlError, params};

/// How long a token is good, in ms (spec: crew-package.md §10.1 step 4).
pub const TOKEN_MS: i64 = 10 * 60_000;

/// What a token is good for.
fn subject(bundle: &str, tokens: &Tokens) -> String {
    json!([bundle, tokens.base, tokens.patch, tokens.result]).to_string()
}

/// Stores that `token`, which nobody can guess, was given to a user who was shown a change. Forgets those that expired.
pub(crate) fn issue<S: Sql>(
    sql: &S,
    (bundle, tokens): (&str, &Tokens),
    user: &str,
    token: &str,
    now: i64,
) -> Result<(), SqlError> {
    sql.execute("DELETE FROM token WHERE expires <= ?", params![now])?;
    sql.execute(
        "INSERT INTO token(hash, user, subject, expires) VALUES(?, ?, ?, ?)",
        params![text_hash(token), user, subject(bundle, tokens), now + TOKEN_MS],
    )
}

/// Spends a token. `false`: it is none for this user and change, or it was spent, or it expired.
pub(crate) fn spend<S: Sql>(
    sql: &S,
    (bundle, tokens): (&str, &Tokens),
    user: &str,
    token: &str,
    now: i64,
) -> Result<bool, SqlError> {
    let row = sql.first(
        "DELETE FROM token WHERE hash = ? AND user = ? AND subject = ? AND expires > ? RETURNING hash",
        params![text_hash(token), user, subject(bundle, tokens), now],
    )?;
    Ok(row.is_some())
}
