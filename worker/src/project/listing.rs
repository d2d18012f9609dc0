//! The account's list follows the project, never the other way, and what is stored is listed, also when the account did
//! not answer.

use std::time::Duration;

use holdpoint_store::ledger::Listed;
use serde_json::json;
use worker::Delay;

use super::Object;
use crate::account::AccountCommand;
use crate::answer::EdgeError;
use crate::objects::ask;

/// How often what is new is told to its account before its author hears that the list does not answer.
const LIST_TRIES: u32 = 3;
/// Before the second try; doubled before the third.
const LIST_RETRY_MS: u64 = 100;

impl Object {
    /// Lists what was just made, or strikes out what was just removed: who has heard of it finds it. `false`: nobody heard it, the alarm says it again.
    pub async fn list_new(&self, account: &str, id: &str) -> bool {
        for attempt in 0..LIST_TRIES {
            if attempt > 0 {
                Delay::from(Duration::from_millis(LIST_RETRY_MS << (attempt - 1))).await;
            }
            if self.list(account, id).await {
                return true;
            }
        }
        false
    }

    /// Tells the account what it lists; `false`: nobody heard it. A lost word is said again by the next answer, that of
    /// what is new by the alarm.
    pub async fn list(&self, account: &str, id: &str) -> bool {
        let noted = self.tell(account, id).await;
        if let Err(fault) = &noted {
            worker::console_error!("{}", json!({"event": "bundle_unlisted", "code": fault.code}));
        }
        noted.is_ok()
    }

    async fn tell(&self, account: &str, id: &str) -> Result<(), EdgeError> {
        let workspace = self.workspace()?;
        let head = workspace.head(id)?.ok_or_else(|| EdgeError::internal("what is listed is not stored"))?;
        let account = self.objects.account(account)?;
        if head.fingerprints.is_none() {
            ask::<_, bool>(&account, &AccountCommand::UnlistBundle { id: head.id }).await?;
            return Ok(workspace.set_listed(id)?);
        }
        let bundle = Listed {
            id: head.id,
            kind: head.kind,
            owner: head.owner,
            title: head.title,
            revision_id: head.revision.id,
            updated_at: head.updated,
        };
        ask::<_, bool>(&account, &AccountCommand::ListBundle { bundle }).await?;
        Ok(workspace.set_listed(id)?)
    }

    /// Lists what nobody heard of.
    pub(super) async fn list_unlisted(&self) -> Result<(), EdgeError> {
        for (id, account) in self.workspace()?.unlisted()? {
            self.list(&account, &id).await;
        }
        Ok(())
    }
}
