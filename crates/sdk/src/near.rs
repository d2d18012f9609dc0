//! The nearest name (spec: ifc-extension.md §7 "Hints and fixes").
//!
//! Invariant: work is bounded by [`MAX_NAME_CHARS`], whatever the input.

/// Names longer than this are never compared.
const MAX_NAME_CHARS: usize = 100;
/// How many allowed names a hint lists.
const MAX_LISTED: usize = 40;
/// The largest edit distance at which a name is taken for a misspelling.
const MAX_MISSPELLED: usize = 2;

/// Edit distance (insert, delete, replace, swap of neighbours) of two names; `None` when one is too long to compare.
pub fn distance(left: &str, right: &str) -> Option<usize> {
    let (from, to): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    if from.len() > MAX_NAME_CHARS || to.len() > MAX_NAME_CHARS {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for (line, have) in from.iter().enumerate() {
        let mut row = vec![line + 1];
        for (column, want) in to.iter().enumerate() {
            let mut best = (above[column] + usize::from(have != want)).min(above[column + 1] + 1).min(row[column] + 1);
            if line > 0 && column > 0 && *have == to[column - 1] && from[line - 1] == *want {
                best = best.min(before[column - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied()
}

/// The distance of names whose lengths allow one that small.
fn within(name: &str, other: &str, reach: usize) -> Option<usize> {
    let lengths = name.chars().count().abs_diff(other.chars().count());
    if lengths > reach { None } else { distance(name, other).filter(|far| *far <= reach) }
}

/// The nearest of the allowed names, if any is near at all.
pub fn nearest<'n>(name: &str, allowed: &[&'n str]) -> Option<&'n str> {
    let reach = (name.chars().count() / 2).max(MAX_MISSPELLED);
    let near = allowed.iter().filter_map(|other| Some((within(name, other, reach)?, *other)));
    near.min_by_key(|(far, _)| *far).map(|(_, other)| other)
}

/// The name that was meant: the only one at the least distance, when that is 1 or 2.
pub fn misspelled<'n>(name: &str, allowed: &[&'n str]) -> Option<&'n str> {
    let near: Vec<&str> = allowed
        .iter()
        .filter(|other| within(name, other, MAX_MISSPELLED).is_some_and(|far| far > 0))
        .copied()
        .collect();
    match near.as_slice() {
        [only] => Some(only),
        _ => None,
    }
}

/// `Nearest: a. Allowed: a, b, c.`
pub fn hint(name: &str, allowed: &[&str]) -> String {
    let lead = nearest(name, allowed).map(|near| format!("Nearest: {near}. ")).unwrap_or_default();
    if allowed.is_empty() {
        return "None exists.".to_owned();
    }
    let more = if allowed.len() > MAX_LISTED { ", …" } else { "" };
    format!("{lead}Allowed: {}{more}.", allowed[..allowed.len().min(MAX_LISTED)].join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_and_choices() {
        assert_eq!(distance("kitten", "sitting"), Some(3));
        assert_eq!(distance("byTpye", "byType"), Some(1));
        assert_eq!(distance("", "ab"), Some(2));
        assert_eq!(misspelled("house-smal", &["house-small", "office-fire"]), Some("house-small"));
        assert_eq!(misspelled("ab", &["abc", "abd"]), None);
        assert_eq!(nearest("zzzzzz", &["house-small"]), None);
        assert_eq!(hint("b", &["a", "bb"]), "Nearest: a. Allowed: a, bb.");
    }
}
