//! Lives of relays: which of them own open calls, and what becomes of the calls of a life that is over (spec: gateway.md §6
//! "Orphans").
//!
//! A shard numbers its lives and raises the number at each start. Invariants: the first word of a higher number ends what
//! lower ones hold; a word of a lower number ends nothing and is not followed; the highest number outlives the object.

use holdpoint_gateway::budget::{Due, Ms};

use super::Ledger;
use crate::captures;
use crate::migrate::{migrate, set_setting, setting};
use crate::sql::{Sql, SqlError, params};

const BOOT: &str = "boot";
/// The tables of a relay. It keeps no ledger.
const RELAY: &[&[&str]] = &[&[captures::TABLE]];

/// Raises the number of a shard's lives, in the shard's own database, and answers it.
pub fn next_boot<S: Sql>(sql: &S) -> Result<u64, SqlError> {
    migrate(sql, RELAY)?;
    let last = setting(sql, BOOT)?.and_then(|text| text.parse::<u64>().ok()).unwrap_or_default();
    set_setting(sql, BOOT, &(last + 1).to_string())?;
    Ok(last + 1)
}

/// What a relay's word is worth by the number of its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heard {
    Present,
    /// It lives, and its number is not written yet: it is once it holds something, for a refusal writes nothing.
    New,
    /// A later life of the same shard was heard before.
    Outlived,
}

/// The highest life of a shard that was heard.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boot {
    number: u64,
    is_written: bool,
}

impl<S: Sql> Ledger<S> {
    /// Takes note of the life that a relay speaks from; the first word of a new one ends what the earlier ones hold.
    pub(super) fn hear(&self, now: Ms, shard: &str, number: u64) -> Result<Heard, SqlError> {
        let known = self.boots.borrow().get(shard).copied();
        let known = if known.is_some() {
            known
        } else {
            let row = self.sql.first("SELECT boot FROM relay_boot WHERE shard = ?", params![shard])?;
            row.map(|row| row.get(0).map(|number| Boot { number, is_written: true })).transpose()?
        };
        if known.is_some_and(|known| number < known.number) {
            return Ok(Heard::Outlived);
        }
        let mut boot = known.filter(|known| known.number == number);
        if boot.is_none() {
            let orphans = self.law(now, |law| law.orphans(shard, number))?;
            let is_written = !orphans.is_empty();
            // One that cannot be ended now is due at its deadline.
            let ended = orphans.into_iter().filter(|due| self.end(now, due).is_ok()).map(Due::into_id);
            self.orphaned.borrow_mut().extend(ended);
            if is_written {
                self.write_boot(shard, number)?;
            }
            boot = Some(Boot { number, is_written });
        }
        let is_written = boot.is_some_and(|boot| boot.is_written);
        self.boots.borrow_mut().insert(shard.to_owned(), Boot { number, is_written });
        Ok(if is_written { Heard::Present } else { Heard::New })
    }

    /// Writes the highest life of a shard; [`Ledger::boot_is_written`] follows when that is kept.
    pub(super) fn write_boot(&self, shard: &str, number: u64) -> Result<(), SqlError> {
        self.sql.execute(
            "INSERT INTO relay_boot(shard, boot) VALUES(?, ?) ON CONFLICT(shard) DO UPDATE SET boot = excluded.boot",
            params![shard, number],
        )
    }

    pub(super) fn boot_is_written(&self, shard: &str, number: u64) {
        self.boots.borrow_mut().insert(shard.to_owned(), Boot { number, is_written: true });
    }

    /// What was ended since this was asked last because no relay knew it any more.
    pub fn take_orphaned(&self) -> Vec<String> {
        self.orphaned.take()
    }

    /// The relay shards that own open calls admitted until then.
    pub fn owners(&self, until: Ms) -> Result<Vec<String>, SqlError> {
        let rows = self.sql.query(
            "SELECT DISTINCT substr(owner, 1, instr(owner, '#') - 1) FROM hold WHERE at_ms <= ? ORDER BY 1",
            params![until],
        )?;
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// Ends, by the account's policy, the calls of a shard that nobody works on: those of its earlier lives, and those of
    /// `boot` that were admitted until then and are not among the `live` ones; [`Ledger::take_orphaned`] tells which. What an earlier life says ends nothing.
    pub fn forsaken(&self, now: Ms, shard: &str, boot: u64, live: &[String], until: Ms) -> Result<(), SqlError> {
        if self.hear(now, shard, boot)? == Heard::Outlived {
            return Ok(());
        }
        let rows = self.sql.query(
            "SELECT request_id FROM hold WHERE owner = ? AND at_ms <= ? ORDER BY request_id",
            params![format!("{shard}#{boot}"), until],
        )?;
        for row in rows {
            let id: String = row.get(0)?;
            if !live.contains(&id) && self.end(now, &Due::Hold(id.clone())).is_ok() {
                self.orphaned.borrow_mut().push(id);
            }
        }
        Ok(())
    }
}
