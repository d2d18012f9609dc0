//! Day sums: what each day's calls used, by who and of which model, kept beside the ledger's rows.
//!
//! Why: pages that show a day cost the same on the first day and after ten million calls, and a day is told long after
//! its rows are gone. Invariant: a sum is the sum of the rows of its day, also of rows that were corrected or deleted.

use holdpoint_gateway::budget::{Amount, Ms, Period};
use holdpoint_gateway::indicator::Today;

use crate::sql::{MAX_INTEGER, Sql, SqlError, params};

/// The table, and the sums of the rows that were there before it.
pub(super) const DAY_SUMS: &[&str] = &[
    "CREATE TABLE day_sum(day_ms INTEGER NOT NULL, user_id TEXT NOT NULL, key_id TEXT NOT NULL, alias TEXT NOT NULL,
       provider TEXT NOT NULL, model TEXT NOT NULL, payer TEXT NOT NULL, requests INTEGER NOT NULL,
       released INTEGER NOT NULL, estimated INTEGER NOT NULL, input INTEGER NOT NULL, cached_input INTEGER NOT NULL,
       cache_write INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL, tokens INTEGER NOT NULL,
       cost INTEGER NOT NULL, excess_tokens INTEGER NOT NULL, excess_cost INTEGER NOT NULL,
       PRIMARY KEY(day_ms, user_id, key_id, alias, provider, model, payer)) STRICT, WITHOUT ROWID",
    "INSERT INTO day_sum SELECT at_ms - (at_ms % 86400000), user_id, key_id, alias, provider, model, payer,
       sum(outcome <> 'released'), sum(outcome = 'released'), sum(usage_source IN('estimated','hold')), sum(input),
       sum(cached_input), sum(cache_write), sum(output), sum(reasoning), sum(tokens), sum(cost), sum(excess_tokens),
       sum(excess_cost) FROM ledger GROUP BY 1, 2, 3, 4, 5, 6, 7",
];

/// The sums by tag too. A day's first tags are told apart, so that whoever makes tags up makes no table grow; `…` stands for
/// the rest.
pub(super) const TAGGED_DAYS: &[&str] = &[
    "CREATE TABLE day_tag(day_ms INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY(day_ms, tag)) STRICT, WITHOUT ROWID",
    "INSERT INTO day_tag SELECT day, tag FROM (SELECT day, tag, row_number() OVER(PARTITION BY day ORDER BY tag) AS place
       FROM (SELECT DISTINCT at_ms - (at_ms % 86400000) AS day, tag FROM ledger WHERE tag IS NOT NULL)) WHERE place <= 100",
    "DROP TABLE day_sum",
    "CREATE TABLE day_sum(day_ms INTEGER NOT NULL, user_id TEXT NOT NULL, key_id TEXT NOT NULL, alias TEXT NOT NULL,
       provider TEXT NOT NULL, model TEXT NOT NULL, payer TEXT NOT NULL, tag TEXT NOT NULL, requests INTEGER NOT NULL,
       released INTEGER NOT NULL, estimated INTEGER NOT NULL, input INTEGER NOT NULL, cached_input INTEGER NOT NULL,
       cache_write INTEGER NOT NULL, output INTEGER NOT NULL, reasoning INTEGER NOT NULL, tokens INTEGER NOT NULL,
       cost INTEGER NOT NULL, excess_tokens INTEGER NOT NULL, excess_cost INTEGER NOT NULL,
       PRIMARY KEY(day_ms, user_id, key_id, alias, provider, model, payer, tag)) STRICT, WITHOUT ROWID",
    "INSERT INTO day_sum SELECT at_ms - (at_ms % 86400000), user_id, key_id, alias, provider, model, payer,
       CASE WHEN l.tag IS NULL THEN '' WHEN EXISTS(SELECT 1 FROM day_tag d
         WHERE d.day_ms = l.at_ms - (l.at_ms % 86400000) AND d.tag = l.tag) THEN l.tag ELSE '…' END,
       sum(outcome <> 'released'), sum(outcome = 'released'), sum(usage_source IN('estimated','hold')), sum(input),
       sum(cached_input), sum(cache_write), sum(output), sum(reasoning), sum(tokens), sum(cost), sum(excess_tokens),
       sum(excess_cost) FROM ledger l GROUP BY 1, 2, 3, 4, 5, 6, 7, 8",
];

/// Tags that a day's sums tell apart.
const TAGS_A_DAY: u64 = 100;

/// Under which tag a row `l` is summed.
const TAG: &str = "CASE WHEN l.tag IS NULL THEN '' WHEN EXISTS(SELECT 1 FROM day_tag d
   WHERE d.day_ms = l.at_ms - (l.at_ms % 86400000) AND d.tag = l.tag) THEN l.tag ELSE '…' END";

/// Counts a row that was just written.
pub(super) fn add<S: Sql>(sql: &S, request_id: &str, is_tagged: bool) -> Result<(), SqlError> {
    if is_tagged {
        sql.execute(
            "INSERT OR IGNORE INTO day_tag SELECT at_ms - (at_ms % 86400000), tag FROM ledger l WHERE request_id = ?
               AND (SELECT count(*) FROM day_tag d WHERE d.day_ms = l.at_ms - (l.at_ms % 86400000)) < ?",
            params![request_id, TAGS_A_DAY],
        )?;
    }
    // No sum goes beyond what every driver carries.
    sql.execute(
        &format!("INSERT INTO day_sum SELECT at_ms - (at_ms % 86400000), user_id, key_id, alias, provider, model, payer, {TAG},
           outcome <> 'released', outcome = 'released', usage_source IN('estimated','hold'), input, cached_input,
           cache_write, output, reasoning, tokens, cost, excess_tokens, excess_cost FROM ledger l WHERE request_id = ?1
         ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, released = released + excluded.released,
           estimated = estimated + excluded.estimated, input = min(input + excluded.input, ?2),
           cached_input = min(cached_input + excluded.cached_input, ?2),
           cache_write = min(cache_write + excluded.cache_write, ?2), output = min(output + excluded.output, ?2),
           reasoning = min(reasoning + excluded.reasoning, ?2), tokens = min(tokens + excluded.tokens, ?2),
           cost = min(cost + excluded.cost, ?2), excess_tokens = min(excess_tokens + excluded.excess_tokens, ?2),
           excess_cost = min(excess_cost + excluded.excess_cost, ?2)"),
        params![request_id, MAX_INTEGER],
    )
}

/// Takes a row out again that is about to be corrected.
pub(super) fn take<S: Sql>(sql: &S, request_id: &str) -> Result<(), SqlError> {
    sql.execute(
        &format!("UPDATE day_sum SET requests = requests - (l.outcome <> 'released'), released = released - (l.outcome = 'released'),
           estimated = estimated - (l.usage_source IN('estimated','hold')), input = max(day_sum.input - l.input, 0),
           cached_input = max(day_sum.cached_input - l.cached_input, 0),
           cache_write = max(day_sum.cache_write - l.cache_write, 0), output = max(day_sum.output - l.output, 0),
           reasoning = max(day_sum.reasoning - l.reasoning, 0), tokens = max(day_sum.tokens - l.tokens, 0),
           cost = max(day_sum.cost - l.cost, 0), excess_tokens = max(day_sum.excess_tokens - l.excess_tokens, 0),
           excess_cost = max(day_sum.excess_cost - l.excess_cost, 0)
         FROM ledger l WHERE l.request_id = ? AND day_ms = l.at_ms - (l.at_ms % 86400000)
           AND day_sum.user_id = l.user_id AND day_sum.key_id = l.key_id AND day_sum.alias = l.alias
           AND day_sum.provider = l.provider AND day_sum.model = l.model AND day_sum.payer = l.payer
           AND day_sum.tag = {TAG}"),
        params![request_id],
    )
}

/// What a user used on the day of `now`, and whether any of it is an estimate.
pub(super) fn today<S: Sql>(sql: &S, now: Ms, user: &str) -> Result<(Today, bool), SqlError> {
    let row = sql.first(
        // `total` sums as a float, so that no sum overflows; it is exact as far as integers go.
        "SELECT CAST(min(total(cost) + total(excess_cost), ?1) AS INTEGER),
           CAST(min(total(tokens) + total(excess_tokens), ?1) AS INTEGER), coalesce(sum(requests), 0),
           coalesce(sum(estimated), 0) > 0
         FROM day_sum WHERE day_ms = ?2 AND user_id = ?3",
        params![MAX_INTEGER, Period::Day.start(now), user],
    )?;
    let Some(row) = row else { return Ok((Today::default(), false)) };
    let amount = Amount { cost: row.get(0)?, tokens: row.get(1)? };
    Ok((Today { amount, requests: row.get(2)? }, row.get(3)?))
}
