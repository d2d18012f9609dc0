//! Who may use the assistant, and for what (spec: ai-sessions.md §10 "Rollout").
//!
//! Invariant: a switch never opens what another one closes; reading, discarding, cancelling and stopping are never
//! closed, and nothing that a person does by hand is.

use holdpoint_bundle::text_hash;
use holdpoint_check::Code;
use serde::Serialize;

use super::codes::{AI_APPLY_DISABLED, AI_ROLLOUT_CANARY_BLOCKED, AI_WORKBENCH_READ_ONLY};

/// What somebody wants to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wants {
    /// Begin a session, ask, stage, validate.
    Work,
    Apply,
}

/// The switches of a deployment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rollout {
    pub canary_enabled: bool,
    /// How many of a hundred, by the hash of their ids.
    pub canary_percent: u64,
    /// Who may in any case. It is nobody's to see.
    #[serde(skip)]
    pub canary_user_ids: Vec<String>,
    pub read_only: bool,
    pub disable_apply: bool,
}

impl Rollout {
    /// As the variables of a deployment say it.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Self {
        let on = |name: &str| {
            let value = variable(name).unwrap_or_default();
            matches!(value.trim().to_ascii_lowercase().as_str(), "1" | "true" | "yes" | "on")
        };
        let percent = variable("AI_WORKBENCH_CANARY_PERCENT").and_then(|text| text.trim().parse::<u64>().ok());
        let users = variable("AI_WORKBENCH_CANARY_USER_IDS").unwrap_or_default();
        let users = users.split([',', ' ', '\n']).map(str::trim).filter(|user| !user.is_empty());
        Self {
            canary_enabled: on("AI_WORKBENCH_CANARY_ENABLED"),
            canary_percent: percent.unwrap_or_default().min(100),
            canary_user_ids: users.map(str::to_owned).collect(),
            read_only: on("AI_WORKBENCH_READ_ONLY"),
            disable_apply: on("AI_WORKBENCH_DISABLE_APPLY"),
        }
    }

    /// Why a user may not, in the order canary, read-only, apply.
    pub fn refuses(&self, user: &str, wants: Wants) -> Option<&'static Code> {
        if self.canary_enabled && !self.lets_in(user) {
            Some(&AI_ROLLOUT_CANARY_BLOCKED)
        } else if self.read_only {
            Some(&AI_WORKBENCH_READ_ONLY)
        } else if self.disable_apply && wants == Wants::Apply {
            Some(&AI_APPLY_DISABLED)
        } else {
            None
        }
    }

    fn lets_in(&self, user: &str) -> bool {
        self.canary_user_ids.iter().any(|listed| listed == user) || share(user) < self.canary_percent
    }
}

/// Where a user stands among a hundred: the first eight bytes of the hash of the id.
fn share(user: &str) -> u64 {
    let hash = text_hash(user);
    let hex = hash.strip_prefix("sha256:").unwrap_or(&hash);
    hex.get(..16).and_then(|hex| u64::from_str_radix(hex, 16).ok()).unwrap_or_default() % 100
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rollout(pairs: &'static [(&'static str, &'static str)]) -> Rollout {
        Rollout::read(|name| {
            let found = pairs.iter().find(|(own, _)| name == format!("AI_WORKBENCH_{own}"));
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    fn refusal(rollout: &Rollout, user: &str, wants: Wants) -> &'static str {
        rollout.refuses(user, wants).map_or("", |code| code.name)
    }

    #[test]
    fn the_share_of_a_user_is_the_hash_of_the_id() {
        let first = |user: &str| {
            let hash = text_hash(user);
            let bytes: Vec<u64> =
                (0..8).map(|at| u64::from_str_radix(&hash[7 + at * 2..9 + at * 2], 16).unwrap()).collect();
            bytes.iter().fold(0_u64, |sum, byte| (sum << 8) | byte) % 100
        };
        for user in ["ann", "bob", "", "å"] {
            assert_eq!(share(user), first(user));
        }
        let inside = (0..1_000).filter(|n| share(&n.to_string()) < 30).count();
        assert!((240..360).contains(&inside), "{inside} of 1000 are about 30 of 100");
    }

    #[test]
    fn switches_are_asked_in_one_order() {
        let all = rollout(&[("CANARY_ENABLED", "1"), ("READ_ONLY", "true"), ("DISABLE_APPLY", "on")]);
        assert_eq!(refusal(&all, "ann", Wants::Apply), "AI_ROLLOUT_CANARY_BLOCKED");
        let listed = Rollout { canary_user_ids: vec!["ann".to_owned()], ..all.clone() };
        assert_eq!(refusal(&listed, "ann", Wants::Apply), "AI_WORKBENCH_READ_ONLY");
        assert_eq!(refusal(&listed, "bob", Wants::Work), "AI_ROLLOUT_CANARY_BLOCKED");
        let closed = Rollout { read_only: false, ..listed };
        assert_eq!(refusal(&closed, "ann", Wants::Apply), "AI_APPLY_DISABLED");
        assert_eq!(refusal(&closed, "ann", Wants::Work), "");
        assert_eq!(refusal(&Rollout::default(), "ann", Wants::Apply), "");
    }

    #[test]
    fn a_hundred_of_a_hundred_are_all() {
        let all = rollout(&[("CANARY_ENABLED", "1"), ("CANARY_PERCENT", "250"), ("CANARY_USER_IDS", "a, b,,c")]);
        assert_eq!((all.canary_percent, all.canary_user_ids.join("|").as_str()), (100, "a|b|c"));
        let none = rollout(&[("CANARY_ENABLED", "yes"), ("CANARY_PERCENT", "many")]);
        assert!((0..200).all(|n| all.lets_in(&n.to_string()) && !none.lets_in(&n.to_string())));
    }
}
