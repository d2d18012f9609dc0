//! What was used over days, by day, model, key, user or tag; single calls, and what runs now (spec: gateway.md §13).
//!
//! Reads day sums, so that it costs the same whatever the number of calls; only the speed is read off calls, the latest
//! ones. Whoever is no administrator sees what is their own.

use holdpoint_gateway::budget::{DAY_MS, Ms, SLICE_SUFFIX};
use holdpoint_gateway::instant::iso_day;
use holdpoint_gateway::key::request_id;
use serde::{Deserialize, Serialize};

use super::read::{END, LedgerItem, SELECT_ITEM, read_item};
use super::{Ledger, Principal};
use crate::page::{Page, page};
use crate::sql::{MAX_INTEGER, Row, Sql, SqlError, Value, params};

/// The most items that a report may have.
const MOST_ITEMS: usize = 1_000;
/// Calls of which the speed is told.
const SPEED_ROWS: u32 = 1_000;
/// Open calls that are listed.
const MOST_RUNNING: u32 = 500;
/// Calls that are looked at for a page of one user's.
const LOOKED_AT: u32 = 20_000;
/// Between a request, which its id tells, and the admission of its last try; and what clocks differ.
const ADMITTED_WITHIN_MS: Ms = 3_600_000;

/// What sums are told apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum UsageGroup {
    Day,
    Model,
    Key,
    User,
    Tag,
}

impl UsageGroup {
    /// All, by the names that a query has for them.
    pub const NAMED: [(&'static str, Self); 5] =
        [("day", Self::Day), ("model", Self::Model), ("key", Self::Key), ("user", Self::User), ("tag", Self::Tag)];

    fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Day => &["day_ms"],
            Self::Model => &["alias", "provider", "model"],
            Self::Key => &["key_id"],
            Self::User => &["user_id"],
            Self::Tag => &["tag"],
        }
    }
}

/// Which days, the last one too, and how they are told apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageAsk {
    pub from: Ms,
    pub to: Ms,
    pub groups: Vec<UsageGroup>,
}

/// The days on which listed calls were admitted, the last one too; without one of them that side is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CallDays {
    pub from: Option<Ms>,
    pub to: Option<Ms>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UsageSums {
    pub requests: u64,
    /// Calls that took nothing, which are no requests.
    pub released: u64,
    /// Requests whose usage was estimated.
    pub estimated: u64,
    pub input: u64,
    pub cached_input: u64,
    pub cache_write: u64,
    pub output: u64,
    pub reasoning: u64,
    pub tokens: u64,
    /// In micros of the currency.
    pub cost: u64,
    pub excess_tokens: u64,
    pub excess_cost: u64,
    /// Estimated ones of a thousand requests.
    pub estimated_permille: Option<u64>,
    /// Tokens that were read from a cache, of a thousand of the input.
    pub cache_hit_permille: Option<u64>,
}

/// The sums of a group: it has the members of what the report is told apart by.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UsageItem {
    /// Its beginning, in milliseconds since 1970, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<Ms>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Null of calls without one; `…` of all behind the first hundred of a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<Option<String>>,
    #[serde(flatten)]
    pub sums: UsageSums,
}

/// How long half of the calls took, and nineteen of twenty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Percentiles {
    pub p50: u64,
    pub p95: u64,
}

/// How fast the latest calls were that were sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UsageSpeed {
    pub rows: u64,
    /// Of those that a provider answered.
    pub first_byte_ms: Option<Percentiles>,
    pub total_ms: Percentiles,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UsageReport {
    /// As budget scopes name it.
    pub account: String,
    /// The first day, as `2026-11-01`.
    pub from: String,
    /// The last day, which counts too.
    pub to: String,
    pub group_by: Vec<UsageGroup>,
    pub items: Vec<UsageItem>,
    /// Whether there are more items.
    pub truncated: bool,
    pub totals: UsageSums,
    /// Null where nothing was sent.
    pub speed: Option<UsageSpeed>,
}

/// A call that is open, and what it holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunningCall {
    pub request_id: String,
    pub at: Ms,
    pub key_id: String,
    pub user_id: String,
    pub run_id: Option<String>,
    pub payer: String,
    pub protocol: String,
    pub alias: String,
    pub provider: String,
    pub model: String,
    pub tokens: u64,
    /// Null where a user's own model has no price.
    pub cost: Option<u64>,
    /// When it ends at the latest.
    pub deadline: Ms,
    pub tag: Option<String>,
    pub template: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunningCalls {
    pub items: Vec<RunningCall>,
}

impl RunningCalls {
    /// The latest of these, as many as are listed.
    pub fn latest(mut items: Vec<RunningCall>) -> Self {
        items.sort_unstable_by(|one, other| other.request_id.cmp(&one.request_id));
        items.truncate(MOST_RUNNING as usize);
        Self { items }
    }
}

/// What an account itself holds of what is open. Calls within slices are known to the relays that these were lent to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldCalls {
    pub items: Vec<RunningCall>,
    /// Whose calls the principal may see; `None`: everybody's.
    pub user_id: Option<String>,
    /// Shards of the relays that something is lent to.
    pub borrowers: Vec<String>,
}

/// The sums of a query over day sums, in the order of [`UsageSums`].
const SUMMED: [&str; 12] = [
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
];

impl<S: Sql> Ledger<S> {
    pub fn usage(&self, principal: &Principal, ask: &UsageAsk) -> Result<UsageReport, SqlError> {
        let user = own(principal);
        let mut items = Vec::new();
        if !ask.groups.is_empty() {
            let columns: Vec<&str> = ask.groups.iter().flat_map(|group| group.columns()).copied().collect();
            for row in self.sums(ask, user, &columns)? {
                items.push(read_group(&row, &ask.groups)?);
            }
        }
        let truncated = items.len() > MOST_ITEMS;
        items.truncate(MOST_ITEMS);
        let totals = self.sums(ask, user, &[])?.first().map_or(Ok(UsageSums::default()), |row| read_sums(row, 0))?;
        let speed = self.speed(ask, user)?;
        let (from, to) = (iso_day(ask.from), iso_day(ask.to));
        let account = self.account.clone();
        Ok(UsageReport { account, from, to, group_by: ask.groups.clone(), items, truncated, totals, speed })
    }

    /// Rows of `columns` and the sums of each, one more than are told.
    fn sums(&self, ask: &UsageAsk, user: Option<&str>, columns: &[&str]) -> Result<Vec<Row>, SqlError> {
        // `total` sums as a float, so that no sum overflows; it is exact as far as integers go.
        let summed = SUMMED.map(|name| format!("CAST(min(total({name}), ?1) AS INTEGER)")).join(", ");
        let whose = if user.is_some() { "AND user_id = ?4" } else { "" };
        let named = columns.join(", ");
        let (told, grouped) = match columns {
            [] => (summed, String::new()),
            _ => (format!("{named}, {summed}"), format!("GROUP BY {named} ORDER BY {named} LIMIT {}", MOST_ITEMS + 1)),
        };
        let mut bound = params![MAX_INTEGER, ask.from, ask.to].to_vec();
        bound.extend(user.map(Value::from));
        let from = "FROM day_sum WHERE day_ms BETWEEN ?2 AND ?3";
        self.sql.query(&format!("SELECT {told} {from} {whose} {grouped}"), &bound)
    }

    /// Of the latest calls of those days that were sent.
    fn speed(&self, ask: &UsageAsk, user: Option<&str>) -> Result<Option<UsageSpeed>, SqlError> {
        // Ids of requests begin with their time.
        let (first, behind) = (request_id(ask.from, &[0; 10]), request_id(ask.to + DAY_MS, &[0; 10]));
        let rows = self.sql.query(
            "SELECT ttfb_ms, total_ms FROM (SELECT * FROM ledger WHERE request_id >= ? AND request_id < ?
               ORDER BY request_id DESC LIMIT ?)
             WHERE outcome <> 'released' AND (?4 IS NULL OR user_id = ?4) LIMIT ?",
            params![&first, &behind, LOOKED_AT, user.map(str::to_owned), SPEED_ROWS],
        )?;
        let mut firsts: Vec<u64> = Vec::new();
        let mut totals: Vec<u64> = Vec::new();
        for row in &rows {
            firsts.extend(row.get::<Option<u64>>(0)?);
            totals.push(row.get(1)?);
        }
        Ok(percentiles(totals).map(|total_ms| UsageSpeed {
            rows: rows.len() as u64,
            first_byte_ms: percentiles(firsts),
            total_ms,
        }))
    }

    /// The calls that the principal may see, newest first. A page may have fewer than `limit` and a page behind it: one
    /// user's are looked for among all.
    pub fn calls(
        &self,
        principal: &Principal,
        days: CallDays,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<Page<LedgerItem>, SqlError> {
        let (begin, last) = (days.from.unwrap_or(0), days.to.map_or(MAX_INTEGER, |to| to + DAY_MS - 1));
        // Ids of requests begin with the time at which they came, in 48 bits.
        let id_at = |ms: Ms| request_id(ms.clamp(0, (1 << 48) - 1), &[0; 10]);
        let first = days.from.map_or_else(String::new, |from| id_at(from - ADMITTED_WITHIN_MS));
        let behind = days.to.map(|to| id_at(to + DAY_MS + ADMITTED_WITHIN_MS));
        let before = cursor.unwrap_or(END).min(behind.as_deref().unwrap_or(END));
        let Some(user) = own(principal) else {
            let rows = self.sql.query(
                &format!(
                    "{SELECT_ITEM} WHERE request_id >= ? AND request_id < ? AND at_ms BETWEEN ? AND ?
                     ORDER BY request_id DESC LIMIT ?"
                ),
                params![&first, before, begin, last, limit + 1],
            )?;
            return page(&rows, limit, read_item, |item| &item.request_id);
        };
        let looked_at = self.sql.first(
            "SELECT request_id FROM ledger WHERE request_id >= ? AND request_id < ? ORDER BY request_id DESC
             LIMIT 1 OFFSET ?",
            params![&first, before, LOOKED_AT - 1],
        )?;
        let looked_at: Option<String> = looked_at.map(|row| row.get(0)).transpose()?;
        let rows = self.sql.query(
            &format!(
                "{SELECT_ITEM} WHERE user_id = ? AND request_id >= ? AND request_id < ? AND at_ms BETWEEN ? AND ?
                 ORDER BY request_id DESC LIMIT ?"
            ),
            params![user, looked_at.as_ref().unwrap_or(&first), before, begin, last, limit],
        )?;
        let items = rows.iter().map(read_item).collect::<Result<Vec<_>, _>>()?;
        let full = items.len() == limit as usize;
        let next_cursor = if full { items.last().map(|item| item.request_id.clone()) } else { looked_at };
        Ok(Page { items, next_cursor })
    }

    /// How many calls are open that are held by themselves, and the money that all holds have.
    pub fn open_calls(&self) -> Result<(u64, u64), SqlError> {
        let row = self.sql.first(
            "SELECT count(*) FILTER(WHERE request_id NOT LIKE ?), CAST(min(total(cost), ?) AS INTEGER) FROM hold",
            params![format!("%{SLICE_SUFFIX}"), MAX_INTEGER],
        )?;
        row.map_or(Ok((0, 0)), |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// What is open and held by itself of what the principal may see, the latest first.
    pub fn running(&self, principal: &Principal) -> Result<HeldCalls, SqlError> {
        let user_id = own(principal).map(str::to_owned);
        let rows = self.sql.query(
            "SELECT request_id, at_ms, key_id, user_id, run_id, payer, meta ->> 'protocol', meta ->> 'alias',
             meta ->> 'provider', meta ->> 'model', tokens, cost, deadline_ms, meta ->> 'tag', meta ->> 'template',
             meta ->> 'price_version' FROM hold WHERE (?1 IS NULL OR user_id = ?1) AND request_id NOT LIKE ?3
             ORDER BY request_id DESC LIMIT ?2",
            params![user_id.clone(), MOST_RUNNING, format!("%{SLICE_SUFFIX}")],
        )?;
        let items = rows.iter().map(read_running).collect::<Result<_, _>>()?;
        Ok(HeldCalls { items, user_id, borrowers: self.borrowers()? })
    }
}

/// Whose calls somebody may see; `None`: everybody's.
fn own(principal: &Principal) -> Option<&str> {
    principal.require("admin").is_err().then_some(principal.user_id.as_str())
}

fn read_group(row: &Row, groups: &[UsageGroup]) -> Result<UsageItem, SqlError> {
    let mut item = UsageItem::default();
    let mut at = 0;
    for group in groups {
        match group {
            UsageGroup::Day => item.day = Some(row.get(at)?),
            UsageGroup::Model => {
                (item.alias, item.provider, item.model) =
                    (Some(row.get(at)?), Some(row.get(at + 1)?), Some(row.get(at + 2)?));
            }
            UsageGroup::Key => item.key = Some(row.get(at)?),
            UsageGroup::User => item.user = Some(row.get(at)?),
            UsageGroup::Tag => item.tag = Some(Some(row.get::<String>(at)?).filter(|tag| !tag.is_empty())),
        }
        at += group.columns().len();
    }
    item.sums = read_sums(row, at)?;
    Ok(item)
}

/// Sums that begin at a column, in the order of [`SUMMED`].
fn read_sums(row: &Row, at: usize) -> Result<UsageSums, SqlError> {
    let sum = |index: usize| row.get::<u64>(at + index);
    let mut sums = UsageSums {
        requests: sum(0)?,
        released: sum(1)?,
        estimated: sum(2)?,
        input: sum(3)?,
        cached_input: sum(4)?,
        cache_write: sum(5)?,
        output: sum(6)?,
        reasoning: sum(7)?,
        tokens: sum(8)?,
        cost: sum(9)?,
        excess_tokens: sum(10)?,
        excess_cost: sum(11)?,
        ..UsageSums::default()
    };
    let all_input = sums.input.saturating_add(sums.cached_input).saturating_add(sums.cache_write);
    sums.estimated_permille = permille(sums.estimated, sums.requests);
    sums.cache_hit_permille = permille(sums.cached_input, all_input);
    Ok(sums)
}

fn permille(part: u64, whole: u64) -> Option<u64> {
    let whole = u128::from(whole);
    (u128::from(part) * 1_000).checked_div(whole).and_then(|share| u64::try_from(share).ok())
}

/// Both by nearest rank; `None` of no values.
fn percentiles(mut values: Vec<u64>) -> Option<Percentiles> {
    values.sort_unstable();
    let at = |percent: usize| values.get((values.len() * percent).div_ceil(100).saturating_sub(1)).copied();
    Some(Percentiles { p50: at(50)?, p95: at(95)? })
}

fn read_running(row: &Row) -> Result<RunningCall, SqlError> {
    let is_priced = row.get::<Option<u64>>(15)?.is_some();
    let cost: u64 = row.get(11)?;
    Ok(RunningCall {
        request_id: row.get(0)?,
        at: row.get(1)?,
        key_id: row.get(2)?,
        user_id: row.get(3)?,
        run_id: row.get(4)?,
        payer: row.get(5)?,
        protocol: row.get(6)?,
        alias: row.get(7)?,
        provider: row.get(8)?,
        model: row.get(9)?,
        tokens: row.get(10)?,
        cost: is_priced.then_some(cost),
        deadline: row.get(12)?,
        tag: row.get(13)?,
        template: row.get(14)?,
    })
}
