//! Looking for holds that nobody works on (spec: gateway.md §6 "Orphans").
//!
//! Why: a relay that was killed comes back only when somebody calls it, and what its calls held would stay until their
//! deadline. So an account with open holds asks their relays, by alarm, which calls they have. Invariant: only what a
//! relay itself does not know is ended; one that does not answer is asked again.

use holdpoint_store::Ledger;

use crate::answer::EdgeError;
use crate::js::now_ms;
use crate::objects::{Objects, ask};
use crate::relay::{Lives, RelayCommand};
use crate::sql::ObjectSql;

/// Asks the relays of all holds that are older than `age_ms`, and ends what they do not know.
pub async fn look(ledger: &Ledger<ObjectSql>, objects: &Objects, age_ms: i64) -> Result<(), EdgeError> {
    let Some(account) = ledger.object_name()? else { return Ok(()) };
    let until = now_ms().saturating_sub(age_ms);
    for shard in ledger.owners(until)? {
        let relay = objects.relay_called(&account, &shard)?;
        let Ok(Lives { boot, calls }) = ask(&relay, &RelayCommand::Lives).await else { continue };
        ledger.forsaken(now_ms(), &shard, boot, &calls, until)?;
    }
    Ok(())
}
