//! Proxy keys in their account, and who a request is (spec: gateway.md §3).
//!
//! Owns who may do what. Invariant: an unknown id and a wrong secret answer alike, and nothing here gives out a hash.

use std::cell::Cell;
use std::rc::Rc;

use holdpoint_check::args;
use holdpoint_gateway::budget::{DAY_MS, Ms};
use holdpoint_gateway::jwt::Claims;
use holdpoint_gateway::key::{ProxyKey, SCOPES, constant_time_equal};
use holdpoint_gateway::refusal::{Code, GatewayError};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Ledger, LedgerError};
use crate::codes::{KEYS_FULL, SCOPE};
use crate::page::Page;
use crate::sql::{Row, Sql, SqlError, params};

/// The key id of the development token, which no real key can have.
const DEV_KEY: &str = "dev";

/// What rotation and clamps need.
pub(super) const ROTATION: &[&str] = &[
    "ALTER TABLE proxy_key ADD COLUMN prev_hash BLOB",
    "ALTER TABLE proxy_key ADD COLUMN prev_until INTEGER",
    "ALTER TABLE proxy_key ADD COLUMN clamp TEXT NOT NULL DEFAULT 'allowed'",
];

/// Whether a call of a key may be given fewer output tokens than it asks for, so that it fits its budgets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Clamp {
    Never,
    /// Where the call asks for it.
    #[default]
    Allowed,
    Always,
}

impl Clamp {
    /// As it is stored and sent.
    pub fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Allowed => "allowed",
            Self::Always => "always",
        }
    }

    fn named(name: &str) -> Self {
        [Self::Never, Self::Always].into_iter().find(|clamp| clamp.name() == name).unwrap_or_default()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Credential {
    /// A proxy key, as read from its text.
    Key {
        id: String,
        /// The SHA-256 hash of its secret.
        secret_hash: Vec<u8>,
    },
    /// The development token; the caller has checked that it may be used.
    Dev,
    /// A token of an identity provider; the caller has checked its signature.
    Token(TokenHolder),
}

/// Who shows a token of an identity provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenHolder {
    /// The name of its account, as budget scopes have it.
    pub account: String,
    pub user_id: String,
    /// It stands in rows where a key's would: no key has it.
    pub key_id: String,
    pub scopes: Vec<String>,
    pub ends_ms: Ms,
}

impl From<Claims> for TokenHolder {
    fn from(claims: Claims) -> Self {
        Self {
            account: claims.account().to_owned(),
            key_id: format!("jwt:{}", claims.subject),
            user_id: claims.subject,
            scopes: claims.scopes,
            ends_ms: claims.ends_ms,
        }
    }
}

impl Credential {
    /// The key that it shows.
    pub fn key_id(&self) -> &str {
        match self {
            Self::Key { id, .. } => id,
            Self::Dev => DEV_KEY,
            Self::Token(holder) => &holder.key_id,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Principal {
    pub key_id: String,
    pub user_id: String,
    pub scopes: Vec<String>,
    /// Globs of the model names that it may use; empty: all.
    pub models: Vec<String>,
    /// Browser origins from which it may be used; empty: all that the deployment allows.
    pub origins: Vec<String>,
    #[serde(default)]
    pub clamp: Clamp,
}

impl Principal {
    /// Somebody who may ask every model from everywhere.
    fn unlimited(key_id: &str, user_id: &str, scopes: Vec<String>) -> Self {
        Self {
            key_id: key_id.to_owned(),
            user_id: user_id.to_owned(),
            scopes,
            models: Vec::new(),
            origins: Vec::new(),
            clamp: Clamp::Allowed,
        }
    }

    /// `SCOPE_DENIED` unless it has the scope.
    pub fn require(&self, scope: &str) -> Result<(), GatewayError> {
        if self.scopes.iter().any(|own| own == scope) {
            return Ok(());
        }
        Err(GatewayError::new(Code::ScopeDenied).says(&SCOPE, args! { scope }).with(json!({ "scope": scope })))
    }

    /// `MODEL_NOT_ALLOWED` unless it may use the model.
    pub fn require_model(&self, alias: &str) -> Result<(), GatewayError> {
        if may_use(&self.models, alias) {
            return Ok(());
        }
        Err(GatewayError::new(Code::ModelNotAllowed).with(json!({ "model": alias })))
    }

    /// `user:<name>`, as audits write it.
    pub fn actor(&self) -> String {
        format!("user:{}", self.user_id)
    }
}

/// What an account remembers of a key.
#[derive(Debug)]
pub(super) struct KnownKey {
    pub hash: Vec<u8>,
    /// Of the secret before, and until when it works.
    previous: Option<(Vec<u8>, Ms)>,
    principal: Principal,
    pub expires_at: Option<Ms>,
    revoked: bool,
    last_used_day: Cell<Option<Ms>>,
}

/// What a secret is compared with where there is no key.
const NO_HASH: [u8; 32] = [0; 32];

/// What a new key is made for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewKey {
    pub label: String,
    pub user_id: String,
    pub scopes: Vec<String>,
    pub models: Vec<String>,
    pub origins: Vec<String>,
    #[serde(default)]
    pub clamp: Clamp,
    pub expires_at: Option<Ms>,
}

/// What changes of a key; what is absent stays.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct KeyEdit {
    pub label: Option<String>,
    pub models: Option<Vec<String>>,
    pub origins: Option<Vec<String>>,
    pub clamp: Option<Clamp>,
    pub end: Option<KeyEnd>,
}

/// When a key stops working.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeyEnd {
    Never,
    At(Ms),
}

/// A key as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeyRow {
    pub id: String,
    pub label: String,
    pub user_id: String,
    pub display: String,
    pub scopes: Vec<String>,
    pub models: Vec<String>,
    pub origins: Vec<String>,
    pub clamp: Clamp,
    pub expires_at: Option<Ms>,
    /// Until when the secret before the last rotation works.
    pub previous_until: Option<Ms>,
    pub revoked_at: Option<Ms>,
    pub created_at: Ms,
    pub last_used_day: Option<Ms>,
}

impl<S: Sql> Ledger<S> {
    /// Who shows this credential, or why nobody may.
    pub fn verify(&self, now: Ms, credential: &Credential) -> Result<Principal, LedgerError> {
        let (id, secret_hash) = match credential {
            Credential::Dev => return Ok(dev_principal()),
            Credential::Token(holder) => return holder.principal(now).map_err(LedgerError::from),
            Credential::Key { id, secret_hash } => (id, secret_hash),
        };
        let known = self.known_key(id)?;
        // An unknown id is compared too, so that it takes as long as a wrong secret.
        let hash = known.as_ref().map_or(&NO_HASH[..], |key| &key.hash);
        let previous = known.as_ref().and_then(|key| key.previous.as_ref()).filter(|(_, until)| now < *until);
        // Both are compared, so that it takes as long with one as with two.
        let is_previous = constant_time_equal(previous.map_or(&NO_HASH[..], |(hash, _)| hash), secret_hash);
        let same = constant_time_equal(hash, secret_hash) | (is_previous & previous.is_some());
        let Some(key) = known.filter(|_| same) else { return Err(GatewayError::new(Code::AuthInvalidToken).into()) };
        if key.revoked {
            return Err(GatewayError::new(Code::KeyRevoked).into());
        }
        if key.expires_at.is_some_and(|expires_at| expires_at <= now) {
            return Err(GatewayError::new(Code::KeyExpired).into());
        }
        Ok(key.principal.clone())
    }

    pub(super) fn known_key(&self, id: &str) -> Result<Option<Rc<KnownKey>>, SqlError> {
        if let Some(key) = self.memory.key(id) {
            return Ok(Some(key));
        }
        let row = self.sql.first(
            "SELECT hash, user_id, scopes, models, origins, expires_at, revoked_at, last_used_day, prev_hash, prev_until,
             clamp FROM proxy_key WHERE id = ?",
            params![id],
        )?;
        let Some(row) = row else { return Ok(None) };
        let previous: (Option<Vec<u8>>, Option<Ms>) = (row.get(8)?, row.get(9)?);
        let key = Rc::new(KnownKey {
            hash: row.get(0)?,
            previous: previous.0.zip(previous.1),
            principal: Principal {
                key_id: id.to_owned(),
                user_id: row.get(1)?,
                scopes: words(&row, 2)?,
                models: words(&row, 3)?,
                origins: words(&row, 4)?,
                clamp: Clamp::named(&row.get::<String>(10)?),
            },
            expires_at: row.get(5)?,
            revoked: row.get::<Option<Ms>>(6)?.is_some(),
            last_used_day: Cell::new(row.get(7)?),
        });
        self.memory.keep_key(id, key.clone());
        Ok(Some(key))
    }

    /// Keeps the hash of a key just made. `most` is how many keys an account may have.
    pub fn create_key(
        &self,
        now: Ms,
        actor: &str,
        minted: &ProxyKey,
        new: &NewKey,
        most: u64,
    ) -> Result<KeyRow, LedgerError> {
        self.transaction(|| {
            let count = self.sql.first("SELECT count(*) FROM proxy_key WHERE revoked_at IS NULL", params![])?;
            if count.map_or(Ok(0), |row| row.get::<u64>(0))? >= most {
                return Err(GatewayError::at(Code::InvalidRequest, "").says(&KEYS_FULL, args! { most }).into());
            }
            self.sql.execute(
                "INSERT INTO proxy_key(id, user_id, env, label, hash, display, scopes, models, origins, expires_at, created_at,
                 clamp) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                params![
                    &minted.id,
                    &new.user_id,
                    minted.env.name(),
                    &new.label,
                    minted.hash().as_slice(),
                    minted.display(),
                    new.scopes.join(" "),
                    new.models.join(" "),
                    new.origins.join(" "),
                    new.expires_at,
                    now,
                    new.clamp.name()
                ],
            )?;
            let detail = json!({"label": new.label, "user_id": new.user_id, "scopes": new.scopes});
            self.audit(now, actor, "key.create", &minted.id, &detail)?;
            self.memory.configured();
            self.key(&minted.id)?.ok_or_else(|| GatewayError::new(Code::NotFound).into())
        })
    }

    pub fn key(&self, id: &str) -> Result<Option<KeyRow>, SqlError> {
        self.sql.first(&format!("{SELECT_KEY} WHERE id = ?"), params![id])?.map(|row| read_key(&row)).transpose()
    }

    /// The keys by id; `cursor` is the last id of the page before.
    pub fn keys(&self, cursor: &str, limit: u32) -> Result<Page<KeyRow>, SqlError> {
        let rows =
            self.sql.query(&format!("{SELECT_KEY} WHERE id > ? ORDER BY id LIMIT ?"), params![cursor, limit + 1])?;
        let items = rows.iter().take(limit as usize).map(read_key).collect::<Result<Vec<_>, _>>()?;
        let next_cursor = (rows.len() > limit as usize).then(|| items.last().map(|k| k.id.clone())).flatten();
        Ok(Page { items, next_cursor })
    }

    /// Gives a key another secret; the one before works for `grace_ms` more. `None`: no such key, or a revoked one.
    pub fn rotate_key(
        &self,
        now: Ms,
        actor: &str,
        minted: &ProxyKey,
        grace_ms: Ms,
    ) -> Result<Option<KeyRow>, SqlError> {
        self.transaction(|| {
            if self.key(&minted.id)?.is_none_or(|key| key.revoked_at.is_some()) {
                return Ok(None);
            }
            self.sql.execute(
                "UPDATE proxy_key SET prev_hash = hash, prev_until = ?, hash = ?, display = ? WHERE id = ?",
                params![now.saturating_add(grace_ms), minted.hash().as_slice(), minted.display(), &minted.id],
            )?;
            self.audit(now, actor, "key.rotate", &minted.id, &json!({ "grace_ms": grace_ms }))?;
            self.memory.configured();
            self.key(&minted.id)
        })
    }

    /// Changes what a key is called, what it may ask and how long. `None`: no such key.
    pub fn change_key(&self, now: Ms, actor: &str, id: &str, change: &KeyEdit) -> Result<Option<KeyRow>, SqlError> {
        self.transaction(|| {
            let Some(key) = self.key(id)? else { return Ok(None) };
            let expires_at = match change.end {
                None => key.expires_at,
                Some(KeyEnd::Never) => None,
                Some(KeyEnd::At(at)) => Some(at),
            };
            let joined = |texts: &Option<Vec<String>>, before: Vec<String>| texts.clone().unwrap_or(before).join(" ");
            self.sql.execute(
                "UPDATE proxy_key SET label = ?, models = ?, origins = ?, clamp = ?, expires_at = ? WHERE id = ?",
                params![
                    change.label.as_ref().unwrap_or(&key.label),
                    joined(&change.models, key.models),
                    joined(&change.origins, key.origins),
                    change.clamp.unwrap_or(key.clamp).name(),
                    expires_at,
                    id
                ],
            )?;
            self.audit(now, actor, "key.change", id, &json!(change))?;
            self.memory.configured();
            self.key(id)
        })
    }

    /// Ends a key at once for new requests and gives back what its runs hold; running calls finish. Twice is once. `None`: no such key.
    pub fn revoke_key(&self, now: Ms, actor: &str, id: &str) -> Result<Option<KeyRow>, SqlError> {
        self.transaction(|| {
            match self.key(id)? {
                None => return Ok(None),
                Some(key) if key.revoked_at.is_some() => return Ok(Some(key)),
                Some(_) => {}
            }
            self.sql.execute("UPDATE proxy_key SET revoked_at = ? WHERE id = ?", params![now, id])?;
            // No call of it can draw on its runs any more.
            for row in self.sql.query("SELECT id FROM run WHERE key_id = ? AND state = 'open'", params![id])? {
                let run: String = row.get(0)?;
                self.law(now, |law| law.close_run(now, &run))?;
            }
            self.audit(now, actor, "key.revoke", id, &json!({}))?;
            self.memory.configured();
            self.key(id)
        })
    }

    /// Notes, once a day, that a key was used.
    pub(super) fn note_use(&self, now: Ms, principal: &Principal) -> Result<(), SqlError> {
        let day = now.div_euclid(DAY_MS);
        let Some(key) = self.memory.key(&principal.key_id).filter(|key| key.last_used_day.get() != Some(day)) else {
            return Ok(());
        };
        self.sql.execute("UPDATE proxy_key SET last_used_day = ? WHERE id = ?", params![day, &principal.key_id])?;
        key.last_used_day.set(Some(day));
        Ok(())
    }
}

const SELECT_KEY: &str =
    "SELECT id, label, user_id, display, scopes, models, origins, expires_at, revoked_at, created_at,
 last_used_day, clamp, prev_until FROM proxy_key";

fn read_key(row: &Row) -> Result<KeyRow, SqlError> {
    Ok(KeyRow {
        id: row.get(0)?,
        label: row.get(1)?,
        user_id: row.get(2)?,
        display: row.get(3)?,
        scopes: words(row, 4)?,
        models: words(row, 5)?,
        origins: words(row, 6)?,
        clamp: Clamp::named(&row.get::<String>(11)?),
        previous_until: row.get(12)?,
        expires_at: row.get(7)?,
        revoked_at: row.get(8)?,
        created_at: row.get(9)?,
        last_used_day: row.get(10)?,
    })
}

fn dev_principal() -> Principal {
    Principal::unlimited(DEV_KEY, DEV_KEY, SCOPES.map(str::to_owned).to_vec())
}

impl TokenHolder {
    fn principal(&self, now: Ms) -> Result<Principal, GatewayError> {
        if self.ends_ms <= now {
            return Err(GatewayError::new(Code::AuthTokenExpired));
        }
        Ok(Principal::unlimited(&self.key_id, &self.user_id, self.scopes.clone()))
    }
}

fn words(row: &Row, index: usize) -> Result<Vec<String>, SqlError> {
    Ok(row.get::<String>(index)?.split_whitespace().map(str::to_owned).collect())
}

/// Whether a key with that list may use a model; an empty list is all.
pub(super) fn may_use(models: &[String], alias: &str) -> bool {
    models.is_empty() || models.iter().any(|glob| glob_matches(glob, alias))
}

/// Whether `*` (any characters) and plain text match a name.
fn glob_matches(glob: &str, name: &str) -> bool {
    let Some((head, rest)) = glob.split_once('*') else { return glob == name };
    let Some(mut name) = name.strip_prefix(head) else { return false };
    let parts: Vec<&str> = rest.split('*').collect();
    let Some((tail, middle)) = parts.split_last() else { return true };
    for part in middle {
        match name.find(part) {
            Some(at) => name = &name[at + part.len()..],
            None => return false,
        }
    }
    name.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::glob_matches;

    #[test]
    fn globs() {
        let cases = [
            ("default", "default", true),
            ("default", "defaults", false),
            ("m-*", "m-large", true),
            ("m-*", "n-large", false),
            ("*-large", "m-large", true),
            ("m-*-x-*", "m-1-x-2", true),
            ("m-*-x-*", "m-1-y-2", false),
            ("*", "", true),
        ];
        for (glob, name, want) in cases {
            assert_eq!(glob_matches(glob, name), want, "{glob} {name}");
        }
    }
}
