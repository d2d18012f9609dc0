//! A moment as people and the seed write it: ISO 8601, UTC, to the second.

use crate::budget::{DAY_MS, days_before, year_and_month};

/// The second that holds a moment, ms since 1970.
pub fn iso(ms: i64) -> String {
    let (days, rest) = (ms.div_euclid(DAY_MS), ms.rem_euclid(DAY_MS) / 1_000);
    let (year, month) = year_and_month(days);
    let day = days - days_before(year, month) + 1;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3_600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::iso;

    #[test]
    fn moments_of_every_kind_of_year() {
        let cases = [
            (0, "1970-01-01T00:00:00Z"),
            (1_709_164_799_999, "2024-02-28T23:59:59Z"),
            (1_709_208_000_000, "2024-02-29T12:00:00Z"),
            (1_798_761_599_999, "2026-12-31T23:59:59Z"),
            (-1, "1969-12-31T23:59:59Z"),
        ];
        for (ms, want) in cases {
            assert_eq!(iso(ms), want);
        }
    }
}
