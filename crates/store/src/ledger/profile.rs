//! The users' own models as the account keeps them (spec: ai-sessions.md §2 `user_llm_profiles`, §8).
//!
//! Owns the rows; what may stand in them is `holdpoint_gateway::profile`'s. Invariants: no plain key ever comes here; a
//! save that is refused leaves the row as it was; a key that was sealed anew replaces only the one that it was made of.

use holdpoint_check::{ApiError, args};
use holdpoint_gateway::budget::Ms;
use holdpoint_gateway::cipher::Sealed;
use holdpoint_gateway::profile::codes::TESTS;
use holdpoint_gateway::profile::{
    Health, KeyChange, MOST_TESTS, ModelProfile, NewKey, ProfileChange, ProfileProvider, StoredKey, TESTS_MS, origin,
};
use serde_json::json;

use super::{Ledger, LedgerError};
use crate::sql::{Row, Sql, SqlError, params};

pub(super) const PROFILES: &[&str] =
    &["CREATE TABLE user_llm_profile(id TEXT NOT NULL UNIQUE, user_id TEXT PRIMARY KEY,
       provider TEXT NOT NULL DEFAULT 'disabled' CHECK(provider IN('disabled','openai-compatible')),
       explicit INTEGER NOT NULL DEFAULT 0, base_url TEXT, model TEXT,
       key_kid TEXT, key_nonce BLOB, key_ciphertext BLOB, key_masked TEXT, key_origin TEXT,
       timeout_seconds INTEGER NOT NULL DEFAULT 60, context_window INTEGER,
       health_status TEXT NOT NULL DEFAULT 'unknown' CHECK(health_status IN('unknown','ok','failed')),
       last_tested_at INTEGER, tests TEXT NOT NULL DEFAULT '[]',
       created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT, WITHOUT ROWID"];

impl<S: Sql> Ledger<S> {
    /// A user's profile; the first look makes one, which `fresh_id` names.
    pub fn profile(&self, now: Ms, user: &str, fresh_id: &str) -> Result<ModelProfile, SqlError> {
        if let Some(profile) = self.kept_profile(user)? {
            return Ok(profile);
        }
        let profile = ModelProfile::unset(fresh_id, user, now);
        self.sql.execute(
            "INSERT INTO user_llm_profile(id, user_id, created_at, updated_at) VALUES(?, ?, ?, ?)",
            params![fresh_id, user, now, now],
        )?;
        Ok(profile)
    }

    /// Saves a user's profile, which [`Ledger::profile`] has made. Errors: those of [`ModelProfile::saved`].
    pub fn put_profile(
        &self,
        now: Ms,
        user: &str,
        wanted: &ProfileChange<NewKey>,
    ) -> Result<ModelProfile, LedgerError> {
        self.sql.transaction(|| {
            let before =
                self.kept_profile(user)?.ok_or_else(|| SqlError("nobody looked at this profile".to_owned()))?;
            // Later than the last one: a test that runs meanwhile sees by it that the profile is another.
            let after = before.saved(wanted, now.max(before.updated_at + 1))?;
            let key = after.key.as_ref();
            self.sql.execute(
                "UPDATE user_llm_profile SET provider = ?, explicit = ?, base_url = ?, model = ?, key_kid = ?,
                 key_nonce = ?, key_ciphertext = ?, key_masked = ?, key_origin = ?, timeout_seconds = ?,
                 context_window = ?, health_status = ?, updated_at = ? WHERE user_id = ?",
                params![
                    // The table has a name for two choices; the third is a row that was saved and is not explicit.
                    if after.explicit { after.provider } else { ProfileProvider::Disabled }.name(),
                    after.explicit,
                    after.base_url.as_ref(),
                    after.model.as_ref(),
                    key.map(|key| &key.sealed.kid),
                    key.map(|key| key.sealed.nonce.as_slice()),
                    key.map(|key| key.sealed.ciphertext.as_slice()),
                    key.map(|key| &key.masked),
                    key.map(|key| &key.origin),
                    after.timeout_seconds,
                    after.context_window,
                    after.health.name(),
                    after.updated_at,
                    user
                ],
            )?;
            let detail = json!({
                "provider": after.provider, "origin": after.base_url.as_deref().and_then(origin),
                "key": match wanted.key {
                    KeyChange::Keep => "kept",
                    KeyChange::Clear => "cleared",
                    KeyChange::Set(_) => "set",
                },
            });
            self.audit(now, user, "llm_profile.put", &after.id, &detail)?;
            Ok(after)
        })
    }

    /// Counts a test. Errors: `RATE_LIMITED`, 429.
    pub fn count_test(&self, now: Ms, user: &str) -> Result<(), LedgerError> {
        self.sql.transaction(|| {
            let row = self.sql.first("SELECT tests FROM user_llm_profile WHERE user_id = ?", params![user])?;
            let made: String = row.map_or(Ok(String::new()), |row| row.get(0))?;
            let mut made: Vec<Ms> = serde_json::from_str(&made).unwrap_or_default();
            // A clock that stepped back does not count what it has not reached.
            made.retain(|at| *at > now - TESTS_MS && *at <= now);
            if let (Some(first), true) = (made.first(), made.len() >= MOST_TESTS) {
                let wait = (first + TESTS_MS - now).max(1).cast_unsigned();
                let told = args! { most: MOST_TESTS, seconds: wait.div_ceil(1_000) };
                return Err(ApiError::of(&TESTS, told).status(429).with("retry_after_ms", wait).into());
            }
            made.push(now);
            let made = json!(made).to_string();
            self.sql.execute("UPDATE user_llm_profile SET tests = ? WHERE user_id = ?", params![made, user])?;
            Ok(())
        })
    }

    /// Notes what a test of the saved profile said, unless another profile was saved meanwhile.
    pub fn tested(&self, now: Ms, user: &str, saved_at: Ms, ok: bool) -> Result<(), SqlError> {
        let health = if ok { Health::Ok } else { Health::Failed };
        self.sql.execute(
            "UPDATE user_llm_profile SET health_status = ?, last_tested_at = ? WHERE user_id = ? AND updated_at = ?",
            params![health.name(), now, user, saved_at],
        )
    }

    /// Keeps a key that was sealed anew under the active key, if it is still the same key.
    pub fn reseal(&self, user: &str, before: &Sealed, after: &Sealed) -> Result<(), SqlError> {
        self.sql.execute(
            "UPDATE user_llm_profile SET key_kid = ?, key_nonce = ?, key_ciphertext = ?
             WHERE user_id = ? AND key_ciphertext = ? AND key_nonce = ?",
            params![
                &after.kid,
                after.nonce.as_slice(),
                after.ciphertext.as_slice(),
                user,
                before.ciphertext.as_slice(),
                before.nonce.as_slice()
            ],
        )
    }

    /// A user's profile, where somebody has looked at it.
    pub fn kept_profile(&self, user: &str) -> Result<Option<ModelProfile>, SqlError> {
        let row = self.sql.first(
            "SELECT id, user_id, provider, explicit, base_url, model, key_kid, key_nonce, key_ciphertext, key_masked,
             key_origin, timeout_seconds, context_window, health_status, last_tested_at, created_at, updated_at
             FROM user_llm_profile WHERE user_id = ?",
            params![user],
        )?;
        row.map(|row| read(&row)).transpose()
    }
}

fn read(row: &Row) -> Result<ModelProfile, SqlError> {
    let odd = |what: &str| SqlError(format!("a profile has an unknown {what}"));
    let key = match row.get::<Option<String>>(6)? {
        None => None,
        Some(kid) => Some(StoredKey {
            sealed: Sealed { kid, nonce: row.get(7)?, ciphertext: row.get(8)? },
            masked: row.get(9)?,
            origin: row.get(10)?,
        }),
    };
    let (explicit, created_at, updated_at): (bool, Ms, Ms) = (row.get(3)?, row.get(15)?, row.get(16)?);
    let provider = match row.get::<String>(2)? {
        _ if !explicit && updated_at > created_at => ProfileProvider::System,
        name => ProfileProvider::named(&name).ok_or_else(|| odd("provider"))?,
    };
    Ok(ModelProfile {
        id: row.get(0)?,
        user_id: row.get(1)?,
        provider,
        explicit,
        base_url: row.get(4)?,
        model: row.get(5)?,
        key,
        timeout_seconds: row.get(11)?,
        context_window: row.get(12)?,
        health: Health::named(&row.get::<String>(13)?).ok_or_else(|| odd("health"))?,
        last_tested_at: row.get(14)?,
        created_at,
        updated_at,
    })
}
