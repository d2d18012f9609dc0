//! What becomes of a proposal, written inside the transaction that did it.

use super::Decision;
use crate::sql::{Sql, SqlError, params};
use crate::workspace::Asked;

/// Notes a decision on the newest complete turn of that request; answers its number. A decision without a turn is only
/// activity.
pub(crate) fn decide<S: Sql>(
    sql: &S,
    session: &str,
    asked: &Asked<'_>,
    decision: Decision,
    revision: Option<i64>,
    now: i64,
) -> Result<Option<i64>, SqlError> {
    let touch = "UPDATE session SET expires = expires - active + ?, active = ? WHERE id = ?";
    sql.execute(touch, params![now, now, session])?;
    // What was discarded or undone may be applied after all; only what nobody decided can be discarded.
    let open = if decision == Decision::Discarded { "decision IS NULL" } else { "decision IS NOT 'applied'" };
    let row = sql.first(
        &format!(
            "UPDATE turn SET decision = ?, decided = ?, revision = ? WHERE number =
               (SELECT max(number) FROM turn WHERE session = ? AND correlation = ? AND protocol = ?
                AND status = 'complete') AND {open} RETURNING number"
        ),
        params![decision.as_str(), now, revision, session, asked.correlation, asked.protocol],
    )?;
    row.map(|row| row.get(0)).transpose()
}

/// The same for a way back that takes, or stops taking, the files of `revision` back.
pub(crate) fn redecide<S: Sql>(sql: &S, revision: i64, decision: Decision, now: i64) -> Result<(), SqlError> {
    let update = "UPDATE turn SET decision = ?, decided = ? WHERE revision = ?";
    sql.execute(update, params![decision.as_str(), now, revision])
}
