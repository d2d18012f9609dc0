//! Lists in pages.

use serde::Serialize;

use crate::sql::{Row, SqlError};

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PageOf{T}"))]
pub struct Page<T> {
    /// In the order of the list.
    pub items: Vec<T>,
    /// Give it back for the next page; `None`: this was the last.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// A page of the rows of a query for one more than `limit`; `id` is where the next page goes on.
    pub(crate) fn of(
        rows: &[Row],
        limit: u32,
        read: impl Fn(&Row) -> Result<T, SqlError>,
        id: impl Fn(&T) -> &String,
    ) -> Result<Self, SqlError> {
        let items = rows.iter().take(limit as usize).map(read).collect::<Result<Vec<_>, _>>()?;
        let more = rows.len() > limit as usize;
        Ok(Self { next_cursor: items.last().filter(|_| more).map(|item| id(item).clone()), items })
    }

    /// The same page of other items.
    pub fn map<U>(self, to: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(to).collect(), next_cursor: self.next_cursor }
    }
}
