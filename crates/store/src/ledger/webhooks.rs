//! Servers that an account's operator wants told of what happens, and what is still to be told them (spec: gateway.md §13
//! "webhooks").
//!
//! Owns their rows and when a delivery is due; signs and sends nothing. Invariants: what is written is told at least once
//! or, beyond so many tries, given up; it is written behind what it tells of, so a crash between the two may lose it; a
//! window comes to an event once; one server waits for no other.

use std::rc::Rc;

use holdpoint_gateway::budget::Ms;
use holdpoint_gateway::cipher::Sealed;
use holdpoint_gateway::limits::retry_after_ms;
use holdpoint_gateway::webhook::WebhookEvent;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::memory::NEVER;
use super::{Ledger, LedgerError};
use crate::sql::{Row, Sql, SqlError, params};

/// The most servers that an account may have told.
pub const MOST_WEBHOOKS: usize = 8;
/// Deliveries that wait for one server; beyond that its oldest are given up.
const MOST_DUE: u64 = 125;

pub(super) const WEBHOOKS: &[&str] = &[
    "CREATE TABLE webhook(id TEXT PRIMARY KEY, url TEXT NOT NULL UNIQUE, events TEXT NOT NULL, secret TEXT NOT NULL) STRICT,
       WITHOUT ROWID",
    "CREATE TABLE webhook_told(budget_id TEXT NOT NULL, start_ms INTEGER NOT NULL, event TEXT NOT NULL,
       PRIMARY KEY(budget_id, start_ms, event)) STRICT, WITHOUT ROWID",
    "CREATE TABLE webhook_due(id INTEGER PRIMARY KEY AUTOINCREMENT, webhook TEXT NOT NULL, body TEXT NOT NULL, tries INTEGER NOT NULL,
       due_ms INTEGER NOT NULL) STRICT",
    "CREATE INDEX webhook_told_start ON webhook_told(start_ms)",
];

/// A server as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptWebhook {
    pub id: String,
    pub url: String,
    pub events: Vec<WebhookEvent>,
    /// What its deliveries are signed with.
    pub secret: Sealed,
}

/// A delivery whose time has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueDelivery {
    pub id: i64,
    pub webhook: KeptWebhook,
    pub body: String,
    /// How often it was sent before.
    pub tries: u64,
}

impl<S: Sql> Ledger<S> {
    /// The servers that are told, by their ids.
    pub fn webhooks(&self) -> Result<Rc<Vec<KeptWebhook>>, SqlError> {
        if let Some(kept) = self.memory.webhooks() {
            return Ok(kept);
        }
        let rows = self.sql.query("SELECT id, url, events, secret FROM webhook ORDER BY id", params![])?;
        let kept = Rc::new(rows.iter().map(|row| read(row, 0)).collect::<Result<Vec<_>, _>>()?);
        self.memory.keep_webhooks(Some(kept.clone()));
        Ok(kept)
    }

    /// Takes these servers in place of those before. What waits for one that is gone is given up.
    pub fn put_webhooks(&self, now: Ms, actor: &str, webhooks: &[KeptWebhook]) -> Result<(), LedgerError> {
        self.transaction(|| {
            self.sql.execute("DELETE FROM webhook", params![])?;
            for KeptWebhook { id, url, events, secret } in webhooks {
                self.sql.execute(
                    "INSERT INTO webhook(id, url, events, secret) VALUES(?, ?, ?, ?)",
                    params![id, url, json!(events).to_string(), json!(secret).to_string()],
                )?;
            }
            self.sql.execute("DELETE FROM webhook_due WHERE webhook NOT IN(SELECT id FROM webhook)", params![])?;
            let told: Vec<Value> =
                webhooks.iter().map(|one| json!({"id": one.id, "url": one.url, "events": one.events})).collect();
            self.audit(now, actor, "webhooks.put", "webhooks", &json!(told))?;
            self.memory.keep_webhooks(None);
            self.memory.keep_next_delivery(None);
            Ok(())
        })
    }

    /// A secret that was sealed anew replaces only the one that it was made of.
    pub fn reseal_webhook(&self, id: &str, before: &Sealed, after: &Sealed) -> Result<(), SqlError> {
        self.sql.execute(
            "UPDATE webhook SET secret = ? WHERE id = ? AND secret = ?",
            params![json!(after).to_string(), id, json!(before).to_string()],
        )?;
        self.memory.keep_webhooks(None);
        Ok(())
    }

    /// Tells what the windows came to that a call was charged in.
    pub fn tell_budgets(&self, now: Ms, request_id: &str) -> Result<(), SqlError> {
        if self.webhooks()?.is_empty() {
            return Ok(());
        }
        let rows = self
            .sql
            .query("SELECT budget_id, start_ms FROM ledger_charge WHERE request_id = ?", params![request_id])?;
        for row in &rows {
            let (window, start): (String, Ms) = (row.get(0)?, row.get(1)?);
            let id = window.split('~').next().unwrap_or_default();
            // One that was deleted, or made anew under its name, has other windows.
            let Some(budget) = self.budget(id)?.filter(|budget| budget.window_id() == window) else { continue };
            let Some(shown) = self.standing(now, id)?.filter(|_| budget.period.start(now) == start) else { continue };
            let spent = u128::from(shown.spent) + u128::from(shown.overrun);
            let permille = (spent * 1_000).checked_div(shown.limit.into()).unwrap_or(1_000);
            let Some(event) = WebhookEvent::of_budget(u64::try_from(permille).unwrap_or(u64::MAX)) else { continue };
            let known = self.sql.first(
                "SELECT 1 FROM webhook_told WHERE budget_id = ? AND start_ms = ? AND event = ?",
                params![&window, start, event.name()],
            )?;
            if known.is_some() {
                continue;
            }
            self.transaction(|| {
                self.sql.execute(
                    "INSERT INTO webhook_told(budget_id, start_ms, event) VALUES(?, ?, ?)",
                    params![&window, start, event.name()],
                )?;
                self.write_due(now, event, &json!({ "budget": shown }))
            })?;
        }
        Ok(())
    }

    /// Tells of an event that no budget came to.
    pub fn tell(&self, now: Ms, event: WebhookEvent, what: &Value) -> Result<(), SqlError> {
        if self.webhooks()?.iter().all(|webhook| !webhook.events.contains(&event)) {
            return Ok(());
        }
        self.transaction(|| self.write_due(now, event, what))
    }

    fn write_due(&self, now: Ms, event: WebhookEvent, what: &Value) -> Result<(), SqlError> {
        let mut body = json!({"type": event.name(), "at": now, "account": self.account});
        if let (Value::Object(body), Value::Object(what)) = (&mut body, what) {
            body.extend(what.clone());
        }
        for webhook in self.webhooks()?.iter().filter(|webhook| webhook.events.contains(&event)) {
            self.sql.execute(
                "INSERT INTO webhook_due(webhook, body, tries, due_ms) VALUES(?, ?, 0, ?)",
                params![&webhook.id, body.to_string(), now],
            )?;
        }
        self.sql.execute(
            "DELETE FROM webhook_due WHERE id IN(SELECT id FROM
               (SELECT id, row_number() OVER(PARTITION BY webhook ORDER BY id DESC) AS place FROM webhook_due) WHERE place > ?)",
            params![MOST_DUE],
        )?;
        self.memory.keep_next_delivery(None);
        Ok(())
    }

    /// The deliveries whose time has come: the oldest of each server.
    pub fn due_deliveries(&self, now: Ms) -> Result<Vec<DueDelivery>, SqlError> {
        let rows = self.sql.query(
            "SELECT d.id, d.body, d.tries, w.id, w.url, w.events, w.secret FROM webhook w JOIN webhook_due d
               ON d.id = (SELECT min(id) FROM webhook_due WHERE webhook = w.id AND due_ms <= ?)",
            params![now],
        )?;
        let read = |row: &Row| {
            Ok(DueDelivery { id: row.get(0)?, body: row.get(1)?, tries: row.get(2)?, webhook: read(row, 3)? })
        };
        rows.iter().map(read).collect()
    }

    /// A delivery was taken, or is given up after `most` tries; else it is sent again later. Answers whether it was given
    /// up.
    pub fn delivered(&self, now: Ms, delivery: &DueDelivery, taken: bool, most: u64) -> Result<bool, SqlError> {
        let given_up = !taken && delivery.tries >= most;
        if taken || given_up {
            self.sql.execute("DELETE FROM webhook_due WHERE id = ?", params![delivery.id])?;
        } else {
            let wait = retry_after_ms(delivery.tries).cast_signed();
            self.sql.execute(
                "UPDATE webhook_due SET tries = tries + 1, due_ms = ? WHERE id = ?",
                params![now.saturating_add(wait), delivery.id],
            )?;
        }
        self.memory.keep_next_delivery(None);
        Ok(given_up)
    }

    /// When the next delivery is due.
    pub fn next_delivery(&self) -> Result<Option<Ms>, SqlError> {
        if self.memory.next_delivery().is_none() {
            let row = self.sql.first("SELECT min(due_ms) FROM webhook_due", params![])?;
            let first: Option<Ms> = row.map_or(Ok(None), |row| row.get(0))?;
            self.memory.keep_next_delivery(Some(first.unwrap_or(NEVER)));
        }
        Ok(self.memory.next_delivery().filter(|at| *at < NEVER))
    }
}

/// A server in the columns from `at` on.
fn read(row: &Row, at: usize) -> Result<KeptWebhook, SqlError> {
    fn parsed<T: for<'t> Deserialize<'t>>(text: &str) -> Result<T, SqlError> {
        serde_json::from_str(text).map_err(|error| SqlError(error.to_string()))
    }
    Ok(KeptWebhook {
        id: row.get(at)?,
        url: row.get(at + 1)?,
        events: parsed(&row.get::<String>(at + 2)?)?,
        secret: parsed(&row.get::<String>(at + 3)?)?,
    })
}
