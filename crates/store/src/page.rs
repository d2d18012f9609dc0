//! Lists in pages.

pub use holdpoint_check::route::Page;

use crate::sql::{Row, SqlError};

/// A page of the rows of a query for one more than `limit`; `id` is where the next page goes on.
pub(crate) fn page<T>(
    rows: &[Row],
    limit: u32,
    read: impl Fn(&Row) -> Result<T, SqlError>,
    id: impl Fn(&T) -> &String,
) -> Result<Page<T>, SqlError> {
    let items = rows.iter().take(limit as usize).map(read).collect::<Result<Vec<_>, _>>()?;
    let more = rows.len() > limit as usize;
    Ok(Page { next_cursor: items.last().filter(|_| more).map(|item| id(item).clone()), items })
}
