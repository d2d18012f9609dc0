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

/// An opaque cursor: where in a list a page ended.
pub(crate) fn seal(places: &[i64]) -> String {
    places.iter().map(|place| format!("{place:016x}")).collect()
}

/// What [`seal`] made; `None`: something else.
pub(crate) fn unseal<const N: usize>(cursor: &str) -> Option<[i64; N]> {
    if cursor.len() != N * 16 || !cursor.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return None;
    }
    let mut places = [0; N];
    for (at, place) in places.iter_mut().enumerate() {
        *place = i64::from_str_radix(&cursor[at * 16..(at + 1) * 16], 16).ok()?;
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use super::{seal, unseal};

    #[test]
    fn a_cursor_is_read_as_it_was_given_and_nothing_else_is_one() {
        assert_eq!(unseal(&seal(&[1, 0, 1 << 52])), Some([1, 0, 1 << 52]));
        let long = "0".repeat(17);
        for other in
            ["", "1", "000000000000000G", "000000000000000A", "ffffffffffffffff", &long, "00000000000000\u{e5}"]
        {
            assert_eq!(unseal::<1>(other), None, "{other}");
        }
    }
}
