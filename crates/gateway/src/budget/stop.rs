//! Kill switches: calls of a scope that somebody stopped (spec: gateway.md §12 `CALLS_STOPPED`).
//!
//! Invariant: a stop refuses what is new; what runs goes on and settles, and a known request is answered as before.

use super::{Ledger, Ms, Refused, Rows, Scopes};

/// Why the calls of a scope are stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// For those who are refused.
    pub reason: String,
    pub since: Ms,
}

impl<R: Rows> Ledger<'_, R> {
    /// The refusal of the first of these scopes that is stopped: key, user and account, then the provider where one is
    /// known.
    pub(super) fn stopped(&self, scopes: &Scopes, provider: &str) -> Result<Option<Refused>, R::Error> {
        let provider = (!provider.is_empty()).then(|| format!("provider:{provider}"));
        for scope in scopes.iter().chain(provider.as_deref()) {
            if let Some(stop) = self.rows.stop(scope)? {
                return Ok(Some(Refused::Stopped { scope: scope.to_owned(), stop }));
            }
        }
        Ok(None)
    }
}
