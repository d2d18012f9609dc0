//! What a `Slug` object can be asked, and by whom: projects claim and publish, public routes look.

use holdpoint_store::Sql;
use holdpoint_store::slug::{Flip, SlugOwner, SlugStore};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::answer::EdgeError;

/// A command, with what it answers.
#[derive(Debug, Serialize, Deserialize)]
pub enum SlugCommand {
    /// Takes the name for an app that is about to be made: `{mine}`. `now` is in ms since 1970.
    Claim { tenant_id: String, app_id: String, now: i64 },
    /// The app is there, so the claim stands until it is released: `{mine}`.
    Confirm { tenant_id: String, app_id: String },
    /// The app gives the name back, if it has it: `true`.
    Release { app_id: String },
    /// Shows another revision, or with `null` none: `{accepted}`.
    Flip {
        tenant_id: String,
        app_id: String,
        revision_id: Option<String>,
        publish_seq: i64,
        connect_origins: Vec<String>,
    },
    /// Who has the name and what it shows: a `SlugRow`, or `null`.
    Look,
    /// The same where that revision is or was published here and the app is published now; else `null`.
    Served { revision_id: String },
}

impl SlugCommand {
    pub(super) fn answer<S: Sql>(self, store: &SlugStore<S>, now: i64) -> Result<Value, EdgeError> {
        match self {
            Self::Claim { tenant_id, app_id, now } => {
                let owner = SlugOwner { tenant_id: &tenant_id, app_id: &app_id };
                Ok(json!({ "mine": store.claim(owner, now)? }))
            }
            Self::Confirm { tenant_id, app_id } => {
                let owner = SlugOwner { tenant_id: &tenant_id, app_id: &app_id };
                Ok(json!({ "mine": store.confirm(owner, now)? }))
            }
            Self::Release { app_id } => {
                store.release(&app_id)?;
                Ok(Value::Bool(true))
            }
            Self::Flip { tenant_id, app_id, revision_id, publish_seq, connect_origins } => {
                let owner = SlugOwner { tenant_id: &tenant_id, app_id: &app_id };
                let flip = Flip { revision_id: revision_id.as_deref(), publish_seq, connect_origins: &connect_origins };
                Ok(json!({ "accepted": store.flip(owner, &flip)? }))
            }
            Self::Look => Ok(serde_json::to_value(store.look()?)?),
            Self::Served { revision_id } => Ok(serde_json::to_value(store.served(&revision_id)?)?),
        }
    }
}
