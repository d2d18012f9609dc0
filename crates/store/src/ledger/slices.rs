//! Slices of budgets that relays admit calls within (spec: gateway.md §6 "Slices").
//!
//! Owns to whom something is lent, and until when. Invariant: a slice ends no later than its key.

use holdpoint_gateway::budget::{Amount, Close, HoldOwner, Ms, SLICE_SUFFIX, SliceCall, SliceRequest};
use holdpoint_gateway::key::constant_time_equal;
use serde::{Deserialize, Serialize};

use super::facts::{CallFacts, Report};
use super::keys::{Clamp, Credential, Principal};
use super::{CallAsk, Ledger, LedgerError};
use crate::sql::{Sql, SqlError, params};

/// A slice as its relay knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lent {
    pub id: String,
    pub amount: Amount,
    /// When it was lent, by the account's clock.
    pub at_ms: Ms,
    /// No call is admitted within it from then on.
    pub until_ms: Ms,
    /// Whose calls are made within it.
    pub principal: Principal,
}

impl Credential {
    /// Whether it is the same one, compared without telling how much of a secret fits.
    pub fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Key { id, secret_hash }, Self::Key { id: other, secret_hash: other_hash }) => {
                constant_time_equal(secret_hash, other_hash) && id == other
            }
            _ => self == other,
        }
    }
}

/// A call that was admitted within a slice and has ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ClosedCall {
    pub request_id: String,
    pub at_ms: Ms,
    /// What was set aside for it within the slice.
    pub held: Amount,
    /// What it used; `None`: it was released.
    pub used: Option<Amount>,
    pub facts: CallFacts,
    pub report: Report,
}

impl<S: Sql> Ledger<S> {
    /// Lends a part of the budgets beside a call that was admitted just now, enough for some calls of `mean` need.
    /// `None`: nothing can be lent now.
    pub fn lend(
        &self,
        now: Ms,
        credential: &Credential,
        ask: &CallAsk,
        mean: Amount,
    ) -> Result<Option<Lent>, LedgerError> {
        let principal = self.verify(now, credential)?;
        // A call that may shrink is counted by what is left when it comes.
        let Some(ends_ms) = self.ends_ms(credential)?.filter(|_| principal.clamp != Clamp::Always) else {
            return Ok(None);
        };
        let request = SliceRequest {
            id: format!("{}{SLICE_SUFFIX}", ask.request_id),
            key_id: principal.key_id.clone(),
            scopes: self.scopes(&principal),
            payer: ask.payer,
            provider: ask.facts.provider.clone(),
            mean,
            needs: self.slice_needs,
            ends_ms,
            ttl_ms: ask.ttl_ms,
            owner: HoldOwner { shard: ask.shard.clone(), boot: ask.boot },
            meta: serde_json::to_string(&ask.facts).expect("facts are plain"),
        };
        let slice = self.transaction(|| self.law(now, |law| law.lend(self.behind_dumps(now), &request)))?;
        Ok(slice.map(|slice| Lent {
            id: slice.id,
            amount: slice.amount,
            at_ms: now,
            until_ms: slice.until_ms,
            principal,
        }))
    }

    /// Charges calls that ended to their slice and leaves in it what is kept; `None` ends it. Answers one close a call.
    pub fn settle_slice(
        &self,
        now: Ms,
        id: &str,
        calls: &[ClosedCall],
        keep: Option<Amount>,
    ) -> Result<Vec<Close>, SqlError> {
        let plain = "facts and reports are plain";
        let calls: Vec<SliceCall> = calls
            .iter()
            .map(|call| SliceCall {
                request_id: call.request_id.clone(),
                at_ms: call.at_ms,
                held: call.held,
                used: call.used,
                meta: serde_json::to_string(&call.facts).expect(plain),
                report: Some(serde_json::to_string(&call.report).expect(plain)),
            })
            .collect();
        self.transaction(|| self.law(now, |law| law.settle_slice(self.closing(now), id, &calls, keep)))
    }

    /// The relay shards that something is lent to.
    pub fn borrowers(&self) -> Result<Vec<String>, SqlError> {
        let rows = self.sql.query(
            "SELECT DISTINCT substr(owner, 1, instr(owner, '#') - 1) FROM hold WHERE request_id LIKE ? ORDER BY 1",
            params![format!("%{SLICE_SUFFIX}")],
        )?;
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// When a credential ends that is good now. `None`: its secret was replaced, and works for a while.
    fn ends_ms(&self, credential: &Credential) -> Result<Option<Ms>, SqlError> {
        let (id, secret_hash) = match credential {
            Credential::Dev => return Ok(Some(Ms::MAX)),
            Credential::Token(holder) => return Ok(Some(holder.ends_ms)),
            Credential::Key { id, secret_hash } => (id, secret_hash),
        };
        let key = self.known_key(id)?.filter(|key| constant_time_equal(&key.hash, secret_hash));
        Ok(key.map(|key| key.expires_at.unwrap_or(Ms::MAX)))
    }
}
