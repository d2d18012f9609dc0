//! What an account tells its operator's servers: that a budget is nearly or wholly used, that a call cost more than it
//! held, that a provider is left alone (spec: gateway.md §13 "webhooks").
//!
//! Owns events and how a delivery is signed; sends nothing. Metadata only.

use hmac::{Hmac, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::cipher::Secret;

/// Of a thousand, from where a budget is nearly used.
const NEARLY: u64 = 800;
const WHOLLY: u64 = 1_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum WebhookEvent {
    /// Four fifths of a budget are spent.
    #[serde(rename = "budget_80")]
    BudgetNearly,
    /// All of a budget is spent, or more.
    #[serde(rename = "budget_100")]
    BudgetWholly,
    /// A call cost more than it held.
    #[serde(rename = "overrun")]
    Overrun,
    /// A provider failed and is left alone for a while.
    #[serde(rename = "breaker")]
    Breaker,
}

impl WebhookEvent {
    /// As it is stored and sent.
    pub fn name(self) -> &'static str {
        match self {
            Self::BudgetNearly => "budget_80",
            Self::BudgetWholly => "budget_100",
            Self::Overrun => "overrun",
            Self::Breaker => "breaker",
        }
    }

    /// What a budget of which so many thousandths are spent has come to: the last of it.
    pub fn of_budget(spent_permille: u64) -> Option<Self> {
        match spent_permille {
            WHOLLY.. => Some(Self::BudgetWholly),
            NEARLY.. => Some(Self::BudgetNearly),
            _ => None,
        }
    }
}

/// The value of `holdpoint-signature`: when it was sent, and HMAC-SHA-256 over that time, `.` and the body.
pub fn signature(secret: &Secret, at_s: i64, body: &str) -> String {
    let signed = format!("{at_s}.{body}");
    let mac = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes()).map(|mac| mac.chain_update(signed).finalize());
    let hex = mac.map(|mac| holdpoint_text::hex(&mac.into_bytes())).unwrap_or_default();
    format!("t={at_s},v1={hex}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deliveries_are_signed_as_receivers_check_them() {
        let signed = signature(&Secret::new("whs_secret"), 1_700_000_000, r#"{"a":1}"#);
        // Of Python's `hmac`.
        let want = "t=1700000000,v1=42359816b9cdac4fb62fa04459d2218b257ca9331d835e02a9c7808b91b58019";
        assert_eq!(signed, want);
        assert_ne!(signed, signature(&Secret::new("whs_secret"), 1_700_000_001, r#"{"a":1}"#));
        assert_ne!(signed, signature(&Secret::new("whs_other"), 1_700_000_000, r#"{"a":1}"#));
    }

    #[test]
    fn a_budget_comes_to_something_at_four_fifths() {
        let cases = [(799, None), (800, Some("budget_80")), (999, Some("budget_80")), (1_000, Some("budget_100"))];
        for (permille, want) in cases {
            assert_eq!(WebhookEvent::of_budget(permille).map(WebhookEvent::name), want, "{permille}");
        }
    }
}
