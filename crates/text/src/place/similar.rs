//! Lines that are alike: a typo, not another line (spec: text-engine.md §7 "Near").

use crate::base::{Base, Budget, TooCostly, words};
use crate::fold::trimmed;
use crate::limits::{NEAR_DIV, NEAR_LENGTH};
use crate::transport::is_blank_char;

/// Whether a line of a hunk is like a base line: few characters differ, no digit does, and no word that the base line
/// lacks is a word of the base.
pub(super) fn is_similar(base: &Base<'_>, hunk: &str, at: usize, budget: &Budget) -> Result<bool, TooCostly> {
    let line = base.content(at);
    let (a, b) = (trimmed(hunk), trimmed(line));
    let length = characters(a).max(characters(b));
    let limit = length / NEAR_DIV;
    if a.is_empty() || b.is_empty() || limit == 0 || length > NEAR_LENGTH || !same_digits(a, b) {
        return Ok(false);
    }
    // The band of the table, at a fraction of a comparison each.
    budget.take(1 + length * (2 * limit + 1) / 8)?;
    let end = |line| str::trim_end_matches(line, is_blank_char);
    let is_near = within_distance(a, b, limit) || within_distance(end(hunk), end(line), limit);
    Ok(is_near && !words(a).any(|word| words(b).all(|known| known != word) && base.has_word(word)))
}

/// How far two lines are from each other, trimmed, in changed characters; none above `most`, and for lines that are longer
/// than `near` looks.
pub(crate) fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    let (a, b) = (trimmed(a), trimmed(b));
    if characters(a).max(characters(b)) > NEAR_LENGTH {
        return None;
    }
    // Twice as far each time, then halves between: a narrow band is quick.
    let mut near = 0;
    let mut far = 0;
    while !within_distance(a, b, far) {
        near = far + 1;
        if near > most {
            return None;
        }
        far = (2 * near).min(most);
    }
    while near < far {
        let middle = usize::midpoint(near, far);
        if within_distance(a, b, middle) {
            far = middle;
        } else {
            near = middle + 1;
        }
    }
    Some(far)
}

fn characters(line: &str) -> usize {
    if line.is_ascii() { line.len() } else { line.chars().count() }
}

/// The runs of digits are the same, in order.
fn same_digits(a: &str, b: &str) -> bool {
    fn runs(line: &str) -> impl Iterator<Item = &str> {
        line.split(|c: char| !c.is_numeric()).filter(|run| !run.is_empty())
    }
    let has_none = |line: &str| !line.chars().any(char::is_numeric);
    (has_none(a) && has_none(b)) || runs(a).eq(runs(b))
}

/// Whether the Levenshtein distance is at most `limit`.
fn within_distance(a: &str, b: &str, limit: usize) -> bool {
    if a.is_ascii() && b.is_ascii() {
        return within_band(a.as_bytes(), b.as_bytes(), limit);
    }
    if characters(a).abs_diff(characters(b)) > limit {
        return false;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    within_band(&a, &b, limit)
}

/// A band of the table is enough.
fn within_band<T: PartialEq>(a: &[T], b: &[T], limit: usize) -> bool {
    if a.len().abs_diff(b.len()) > limit {
        return false;
    }
    let head = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[head..], &b[head..]);
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - tail], &b[..b.len() - tail]);
    let far = limit + 1;
    let mut row: Vec<usize> = (0..=b.len()).map(|j| j.min(far)).collect();
    for (i, x) in a.iter().enumerate() {
        let (from, to) = ((i + 1).saturating_sub(limit), (i + 1 + limit).min(b.len()));
        let mut corner = row[from.saturating_sub(1)];
        if from == 0 {
            corner = row[0];
            row[0] = (i + 1).min(far);
        } else {
            row[from - 1] = far;
        }
        let mut least = row[from.saturating_sub(1)];
        for j in from.max(1)..=to {
            let above = if j == i + 1 + limit { far } else { row[j] };
            let cost = (corner + usize::from(*x != b[j - 1])).min(above + 1).min(row[j - 1] + 1).min(far);
            corner = row[j];
            row[j] = cost;
            least = least.min(cost);
        }
        if least >= far {
            return false;
        }
    }
    row[b.len()] <= limit
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn distance(a: &str, b: &str) -> usize {
        let b: Vec<char> = b.chars().collect();
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.chars().enumerate() {
            let mut corner = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let cost = (corner + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
                corner = row[j + 1];
                row[j + 1] = cost;
            }
        }
        row[b.len()]
    }

    proptest! {
        #[test]
        fn the_band_is_enough(a in "[ab]{0,12}", b in "[ab]{0,12}", limit in 1usize..5) {
            prop_assert_eq!(within_distance(&a, &b, limit), distance(&a, &b) <= limit);
        }
    }

    proptest! {
        #[test]
        fn halving_finds_the_distance(a in "[ab]{0,12}", b in "[ab]{0,12}", most in 0usize..14) {
            prop_assert_eq!(super::distance(&a, &b, most), Some(distance(&a, &b)).filter(|far| *far <= most));
        }
    }

    #[test]
    fn alike_or_another_line() {
        let base = Base::new("    return total\n    total = len(text)\n    row(12, spec)\nabc\ntexts\n");
        let cases = [
            ("    returm total", 0, true),
            ("    return total ", 0, true),
            ("    row(13, spec)", 2, false),
            ("    rwo(12, spec)", 2, false),
            // `texts` is a word of the base.
            ("    total = len(texts)", 1, false),
            ("    total = len(texxt)", 1, true),
            ("abd", 3, false),
        ];
        for (line, at, want) in cases {
            assert_eq!(is_similar(&base, line, at, &Budget::default()).unwrap(), want, "{line}");
        }
    }
}
