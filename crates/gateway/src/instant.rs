//! A moment as people and the seed write it: ISO 8601, UTC, to the second.

use crate::budget::{DAY_MS, days_before, year_and_month};

/// The second that holds a moment, ms since 1970.
pub fn iso(ms: i64) -> String {
    let (days, rest) = (ms.div_euclid(DAY_MS), ms.rem_euclid(DAY_MS) / 1_000);
    let (year, month) = year_and_month(days);
    let day = days - days_before(year, month) + 1;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3_600, rest / 60 % 60, rest % 60)
}

/// The day that holds a moment, as `2026-11-30`.
pub fn iso_day(ms: i64) -> String {
    iso(ms)[..10].to_owned()
}

/// The beginning of a day that is written as `2026-11-30`.
pub fn day_start(text: &str) -> Option<i64> {
    let mut parts = text.split('-').map(|part| part.parse::<u16>().ok().map(i64::from));
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let start = (days_before(year, (1..=12).contains(&month).then_some(month)?) + day - 1) * DAY_MS;
    // A day that its month does not have is another one.
    (iso_day(start) == text).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::{day_start, iso, iso_day};

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

    #[test]
    fn days_are_read_as_they_are_written() {
        for ms in [0, 1_709_208_000_000, 1_798_761_599_999, 951_782_400_000] {
            assert_eq!(day_start(&iso_day(ms)), Some(ms - ms % 86_400_000));
        }
        let wrong = ["", "2026", "2026-02-30", "2026-13-01", "2026-00-10", "2026-1-1", "2026-11-31", "2026-11-30-1"];
        for text in wrong.into_iter().chain(["26-11-30", "2026-11-0", "+2026-11-30", "2026-11-30T00:00:00Z", "x-y-z"]) {
            assert_eq!(day_start(text), None, "{text}");
        }
    }
}
