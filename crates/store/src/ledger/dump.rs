//! A ledger as lines of JSON, `{"table", "row"}`, for whoever recomputes it elsewhere (`holdpoint ledger verify`).
//!
//! The first page is one transaction: what is set aside, the windows that this touches and those that go on, and how far the
//! rows go. All that grows with time stands in pages of a bounded size behind it: budgets, all windows, day sums, rows up
//! to there. Invariant: what was changed behind the first page says so, a row by its time, a window by `changed`: nothing
//! is closed or changed in the millisecond of a first page after it.

use holdpoint_gateway::budget::Ms;
use holdpoint_gateway::refusal::{Code, GatewayError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::rows::{read_budget, select_budget};
use super::{Ledger, LedgerError, MIGRATIONS};
use crate::sql::{Sql, SqlError, Value as Bound, params};

/// Rows of a page, beside what is open.
const ROWS: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DumpPage {
    pub lines: String,
    /// What asks for the next page; `None`: this was the last.
    pub next: Option<String>,
}

/// What is open when a dump begins.
const HOLD: &[&str] = &[
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
];

const RUN: &[&str] = &[
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
];

const WINDOW: &[&str] = &["budget_id", "start_ms", "spent", "held", "overrun"];

/// A table that is told in pages, and by what its rows are ordered.
struct Table {
    name: &'static str,
    keys: &'static [&'static str],
    members: &'static [&'static str],
}

const TABLES: &[Table] = &[
    Table { name: "budget", keys: &["id"], members: &["id", "scope", "unit", "period", "payer", "lim", "generation"] },
    Table { name: "budget_window", keys: &["budget_id", "start_ms"], members: WINDOW },
    Table {
        name: "day_sum",
        keys: &["day_ms", "user_id", "key_id", "alias", "provider", "model", "payer", "tag"],
        members: &[
            "day_ms",
            "user_id",
            "key_id",
            "alias",
            "provider",
            "model",
            "payer",
            "tag",
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
    },
    Table {
        name: "charge_past",
        keys: &["budget_id", "start_ms"],
        members: &["budget_id", "start_ms", "amount", "excess"],
    },
    Table { name: "ledger", keys: &["request_id"], members: LEDGER },
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
    "fallback",
];

/// Where a dump is. A cursor is its text.
#[derive(Serialize, Deserialize)]
struct Place {
    /// When the first page was.
    at: Ms,
    /// The last row of the ledger then.
    last: String,
    table: usize,
    /// The keys of the row that was told last; none: the table begins.
    after: Vec<Value>,
}

impl<S: Sql> Ledger<S> {
    /// A page of the dump; `cursor` is what the page before said. Errors: `INVALID_REQUEST` at `/cursor`.
    pub fn dump(&self, now: Ms, cursor: Option<&str>) -> Result<DumpPage, LedgerError> {
        self.dump_told.set(now);
        self.transaction(|| {
            let mut page = Page::default();
            let mut place = match cursor {
                Some(cursor) => read_place(cursor).ok_or_else(|| GatewayError::at(Code::InvalidRequest, "/cursor"))?,
                None => self.begin_dump(now, &mut page)?,
            };
            while let Some(table) = TABLES.get(place.table) {
                let most = ROWS.saturating_sub(page.rows);
                if most == 0 {
                    break;
                }
                let rows = self.sql.query(&select(table, &place), &bindings(&place, most))?;
                let ended = rows.len() < most;
                for row in &rows {
                    place.after = read_keys(&row.get::<String>(0)?)?;
                    page.put(table.name, &row.get::<String>(1)?);
                }
                if ended {
                    (place.table, place.after) = (place.table + 1, Vec::new());
                }
            }
            let next = (place.table < TABLES.len()).then(|| json!(place).to_string());
            page.put("page", &json!({ "next": next }).to_string());
            Ok(DumpPage { lines: page.lines, next })
        })
    }

    /// The head, what is open, and the windows that may change while the rest is told.
    fn begin_dump(&self, now: Ms, page: &mut Page) -> Result<Place, SqlError> {
        let at = self.closes_behind(now);
        let last = self.sql.first("SELECT max(request_id) FROM ledger", params![])?;
        let last: Option<String> = last.map_or(Ok(None), |row| row.get(0))?;
        let head = json!({"account": self.account, "schema": MIGRATIONS.len(), "at": at, "last": last});
        page.put("head", &head.to_string());
        for (table, members, which) in [("hold", HOLD, ""), ("run", RUN, "WHERE state <> 'closed' ORDER BY id")] {
            for row in self.sql.query(&format!("SELECT {} FROM {table} {which}", object(members, &[])), params![])? {
                page.put(table, &row.get::<String>(0)?);
            }
        }
        let budgets = self.sql.query(&select_budget("ORDER BY rowid LIMIT ?"), params![ROWS as u64])?;
        let budgets = budgets.iter().map(read_budget).collect::<Result<Vec<_>, _>>()?;
        let going_on: Vec<Value> =
            budgets.iter().map(|budget| json!([budget.window_id(), budget.period.start(at)])).collect();
        let rows = self.sql.query(
            &format!(
                "WITH place(budget, start) AS (
                   SELECT p.value ->> 'budget', p.value ->> 'start_ms' FROM hold, json_each(hold.windows) p
                   UNION SELECT p.value ->> 'budget', p.value ->> 'start_ms' FROM run, json_each(run.windows) p
                     WHERE run.state <> 'closed'
                   UNION SELECT p.value ->> 0, p.value ->> 1 FROM json_each(?) p)
                 SELECT {} FROM place JOIN budget_window ON budget_id = budget AND start_ms = start ORDER BY budget, start",
                object(WINDOW, &[])
            ),
            params![Value::from(going_on).to_string()],
        )?;
        for row in rows {
            page.put("budget_window", &row.get::<String>(0)?);
        }
        Ok(Place { at, last: last.unwrap_or_default(), table: 0, after: Vec::new() })
    }
}

/// A page while it is written.
#[derive(Default)]
struct Page {
    lines: String,
    rows: usize,
}

impl Page {
    fn put(&mut self, table: &str, row: &str) {
        self.lines += &format!("{{\"table\":{},\"row\":{row}}}\n", Value::from(table));
        self.rows += 1;
    }
}

/// The place that a cursor names.
fn read_place(cursor: &str) -> Option<Place> {
    let place: Place = serde_json::from_str(cursor).ok()?;
    let table = TABLES.get(place.table)?;
    let plain = place.after.iter().all(|key| key.is_string() || key.is_i64());
    (plain && (place.after.is_empty() || place.after.len() == table.keys.len())).then_some(place)
}

fn read_keys(text: &str) -> Result<Vec<Value>, SqlError> {
    serde_json::from_str(text).map_err(|error| SqlError(error.to_string()))
}

/// The rows of a table behind a place: their keys, and each as an object.
fn select(table: &Table, place: &Place) -> String {
    let Table { name, keys, members } = table;
    let keys = keys.join(", ");
    let mut conditions = Vec::new();
    if !place.after.is_empty() {
        conditions.push(format!("({keys}) > ({})", vec!["?"; place.after.len()].join(", ")));
    }
    let more: &[(&str, &str)] = match *name {
        "ledger" => {
            conditions.push("request_id <= ?".to_owned());
            &[("charges", CHARGES)]
        }
        // Windows that began behind the first page are none of this dump.
        "budget_window" => {
            conditions.push("start_ms <= ?".to_owned());
            &[("changed", "json(iif(changed_ms > ?, 'true', 'false'))")]
        }
        _ => &[],
    };
    let conditions = if conditions.is_empty() { "1".to_owned() } else { conditions.join(" AND ") };
    format!(
        "SELECT json_array({keys}), {} FROM {name} WHERE {conditions} ORDER BY {keys} LIMIT ?",
        object(members, more)
    )
}

/// What [`select`] leaves open, in the order of its text.
fn bindings(place: &Place, most: usize) -> Vec<Bound> {
    let name = TABLES.get(place.table).map_or("", |table| table.name);
    let mut bound = Vec::new();
    if name == "budget_window" {
        bound.push(Bound::from(place.at));
    }
    bound.extend(place.after.iter().map(|key| match key {
        Value::String(text) => Bound::from(text),
        other => Bound::from(other.as_i64().unwrap_or_default()),
    }));
    match name {
        "ledger" => bound.push(Bound::from(&place.last)),
        "budget_window" => bound.push(Bound::from(place.at)),
        _ => {}
    }
    bound.push(Bound::from(most as u64));
    bound
}

const CHARGES: &str =
    "json((SELECT json_group_array(json_object('budget_id', budget_id, 'unit', unit, 'start_ms', start_ms,
       'amount', amount, 'excess', excess)) FROM ledger_charge c WHERE c.request_id = ledger.request_id))";

/// An expression that makes a row's object, with more members behind its own.
fn object(members: &[&str], more: &[(&str, &str)]) -> String {
    let own = members.iter().map(|name| match *name {
        "windows" => format!("'{name}', json({name})"),
        name => format!("'{name}', {name}"),
    });
    let more = more.iter().map(|(name, made)| format!("'{name}', {made}"));
    format!("json_object({})", own.chain(more).collect::<Vec<_>>().join(", "))
}
