//! A ledger as lines of JSON, `{"table", "row"}`, for whoever recomputes it elsewhere (`holdpoint ledger verify`).
//!
//! The first page is one transaction: what is set aside and what every window says, and how far the rows go. Later pages
//! are rows up to there. Invariant: a row that was closed behind the first page says so by its time, for no call is
//! closed in the millisecond of a first page after it.

use holdpoint_gateway::budget::Ms;
use holdpoint_gateway::refusal::{Code, Refusal};
use serde_json::{Value, json};

use super::{Ledger, LedgerError, MIGRATIONS};
use crate::sql::{Sql, SqlError, params};

/// Rows of the ledger in a page.
const ROWS: u32 = 500;

/// One page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DumpPage {
    /// Lines, each ended.
    pub lines: String,
    /// What asks for the next page; `None`: this was the last.
    pub next: Option<String>,
}

/// The tables of the first page: name, members of a row, and which rows.
const FIRST: &[(&str, &[&str], &str)] = &[
    ("budget", &["id", "scope", "unit", "period", "payer", "lim", "generation"], "ORDER BY rowid"),
    ("budget_window", &["budget_id", "start_ms", "spent", "held", "overrun"], ""),
    (
        "hold",
        &[
            "request_id",
            "key_id",
            "user_id",
            "run_id",
            "payer",
            "tokens",
            "cost",
            "progress_tokens",
            "progress_cost",
            "windows",
            "owner",
            "at_ms",
            "deadline_ms",
        ],
        "",
    ),
    (
        "run",
        &[
            "id",
            "key_id",
            "tokens",
            "cost",
            "child_tokens",
            "child_cost",
            "spent_tokens",
            "spent_cost",
            "state",
            "windows",
            "deadline_ms",
        ],
        "WHERE state <> 'closed' ORDER BY id",
    ),
    (
        "day_sum",
        &[
            "day_ms",
            "user_id",
            "key_id",
            "alias",
            "provider",
            "model",
            "payer",
            "requests",
            "released",
            "estimated",
            "input",
            "cached_input",
            "cache_write",
            "output",
            "reasoning",
            "tokens",
            "cost",
            "excess_tokens",
            "excess_cost",
        ],
        "",
    ),
];

const LEDGER: &[&str] = &[
    "request_id",
    "at_ms",
    "closed_ms",
    "key_id",
    "user_id",
    "run_id",
    "payer",
    "protocol",
    "alias",
    "provider",
    "model",
    "price_version",
    "outcome",
    "usage_source",
    "disconnect_policy",
    "input",
    "cached_input",
    "cache_write",
    "output",
    "reasoning",
    "tokens",
    "cost",
    "excess_tokens",
    "excess_cost",
    "held_tokens",
    "held_cost",
    "finish",
    "status",
    "attempts",
    "stream",
    "input_bytes",
    "output_bytes",
    "ttfb_ms",
    "total_ms",
    "tag",
    "template",
];

/// Where a dump is: when its first page was, the last row of then, the last row that was given.
struct Place {
    at: Ms,
    last: String,
    after: String,
}

impl Place {
    fn read(cursor: &str) -> Option<Self> {
        let mut parts = cursor.splitn(3, '.');
        let (at, last, after) = (parts.next()?.parse().ok()?, parts.next()?, parts.next()?);
        Some(Self { at, last: last.to_owned(), after: after.to_owned() })
    }

    fn written(&self) -> String {
        format!("{}.{}.{}", self.at, self.last, self.after)
    }
}

impl<S: Sql> Ledger<S> {
    /// A page of the dump; `cursor` is what the page before said. Errors: `INVALID_REQUEST` at `/cursor`.
    pub fn dump(&self, now: Ms, cursor: Option<&str>) -> Result<DumpPage, LedgerError> {
        self.transaction(|| {
            let mut lines = String::new();
            let mut place = match cursor {
                Some(cursor) => {
                    Place::read(cursor).ok_or_else(|| Refusal::at(Code::InvalidRequest, "/cursor"))?
                }
                None => self.first_lines(now, &mut lines)?,
            };
            let rows = self.sql.query(
                &format!(
                    "SELECT request_id, {} FROM ledger WHERE request_id > ? AND request_id <= ? ORDER BY request_id LIMIT ?",
                    object(LEDGER, Some("charges"))
                ),
                params![&place.after, &place.last, ROWS],
            )?;
            for row in &rows {
                place.after = row.get(0)?;
                put(&mut lines, "ledger", &row.get::<String>(1)?);
            }
            let next = (rows.len() == ROWS as usize && place.after < place.last).then(|| place.written());
            put(&mut lines, "page", &json!({ "next": next }).to_string());
            Ok(DumpPage { lines, next })
        })
    }

    fn first_lines(&self, now: Ms, lines: &mut String) -> Result<Place, SqlError> {
        let at = self.closes_behind(now);
        let last = self.sql.first("SELECT max(request_id) FROM ledger", params![])?;
        let last: Option<String> = last.map_or(Ok(None), |row| row.get(0))?;
        let head = json!({"account": self.account, "schema": MIGRATIONS.len(), "at": at, "last": last});
        put(lines, "head", &head.to_string());
        for (table, members, which) in FIRST {
            let select = format!("SELECT {} FROM {table} {which}", object(members, None));
            for row in self.sql.query(&select, params![])? {
                put(lines, table, &row.get::<String>(0)?);
            }
        }
        Ok(Place { at, last: last.unwrap_or_default(), after: String::new() })
    }
}

/// An expression that makes a row's object. `charges` names the member for what it was charged, by budget and window.
fn object(members: &[&str], charges: Option<&str>) -> String {
    let mut parts: Vec<String> = members
        .iter()
        .map(|name| if *name == "windows" { format!("'{name}', json({name})") } else { format!("'{name}', {name}") })
        .collect();
    if let Some(name) = charges {
        parts.push(format!(
            "'{name}', json((SELECT json_group_array(json_object('budget_id', budget_id, 'unit', unit, 'start_ms', start_ms,
             'amount', amount, 'excess', excess)) FROM ledger_charge c WHERE c.request_id = ledger.request_id))"
        ));
    }
    format!("json_object({})", parts.join(", "))
}

fn put(lines: &mut String, table: &str, row: &str) {
    *lines += &format!("{{\"table\":{},\"row\":{row}}}\n", Value::from(table));
}
