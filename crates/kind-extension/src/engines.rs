//! SDK ranges (spec: ifc-extension.md §2.3).
//!
//! Raw text becomes a [`Range`] of comparators on three numbers; nothing downstream sees wild parts or operators.

use std::cmp::Ordering;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

/// A version with three numbers and an optional pre-release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    numbers: [u64; 3],
    pre: Vec<String>,
}

/// How much a new version changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionStep {
    Major,
    Minor,
    Patch,
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("give a SemVer version, for example 1.0.0"))
    }
}

impl Version {
    /// Reads a full SemVer version; build metadata is taken and does not count.
    pub fn parse(text: &str) -> Option<Self> {
        let (text, build) = text.split_once('+').map_or((text, None), |(text, build)| (text, Some(build)));
        if build.is_some_and(|build| !build.split('.').all(is_identifier)) {
            return None;
        }
        let (parts, pre) = partial(text)?;
        let [Some(major), Some(minor), Some(patch)] = parts else { return None };
        Some(Self { numbers: [major, minor, patch], pre })
    }

    /// The version after it that only mends: a pre-release becomes the release.
    #[must_use]
    pub fn next_patch(&self) -> Self {
        let [major, minor, patch] = self.numbers;
        let patch = if self.pre.is_empty() { patch.saturating_add(1) } else { patch };
        Self::lowest([major, minor, patch])
    }

    /// The version behind this one; a pre-release is behind none.
    pub fn next(&self, step: VersionStep) -> String {
        let [major, minor, patch] = self.numbers;
        match step {
            VersionStep::Major => format!("{}.0.0", major.saturating_add(1)),
            VersionStep::Minor => format!("{major}.{}.0", minor.saturating_add(1)),
            VersionStep::Patch => format!("{major}.{minor}.{}", patch.saturating_add(1)),
        }
    }

    fn lowest(numbers: [u64; 3]) -> Self {
        Self { numbers, pre: Vec::new() }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.numbers;
        write!(out, "{major}.{minor}.{patch}")?;
        if self.pre.is_empty() { Ok(()) } else { write!(out, "-{}", self.pre.join(".")) }
    }
}

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        self.numbers.cmp(&other.numbers).then_with(|| match (self.pre.is_empty(), other.pre.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Greater,
            (false, true) => Ordering::Less,
            (false, false) => {
                let pairs = self.pre.iter().zip(&other.pre).map(|(a, b)| compare_identifiers(a, b));
                pairs.fold(Ordering::Equal, Ordering::then).then(self.pre.len().cmp(&other.pre.len()))
            }
        })
    }
}

fn compare_identifiers(a: &str, b: &str) -> Ordering {
    match (a.parse::<u64>(), b.parse::<u64>()) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => a.cmp(b),
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range(Vec<Vec<Comparator>>);

/// `from <= version < to`, or the outside of it for `>` and the like; resolved to bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Comparator {
    from: Option<Version>,
    from_open: bool,
    to: Option<Version>,
    to_closed: bool,
    /// The three numbers that a pre-release SDK may belong to.
    pre_of: Option<[u64; 3]>,
}

impl Range {
    /// Reads a range; `None` is `INVALID_ENGINE_RANGE`.
    pub fn parse(text: &str) -> Option<Self> {
        text.split("||").map(alternative).collect::<Option<Vec<_>>>().map(Self)
    }

    /// Whether a version satisfies it.
    pub fn holds(&self, version: &Version) -> bool {
        self.0.iter().any(|comparators| {
            let named = version.pre.is_empty()
                || comparators.iter().any(|comparator| comparator.pre_of == Some(version.numbers));
            named && comparators.iter().all(|comparator| comparator.holds(version))
        })
    }
}

impl Comparator {
    fn holds(&self, version: &Version) -> bool {
        let above = self.from.as_ref().is_none_or(|from| if self.from_open { version > from } else { version >= from });
        let below = self.to.as_ref().is_none_or(|to| if self.to_closed { version <= to } else { version < to });
        above && below
    }
}

fn alternative(text: &str) -> Option<Vec<Comparator>> {
    let mut rest = text.trim_matches(' ');
    let mut comparators = Vec::new();
    while !rest.is_empty() {
        let operator = [">=", "<=", ">", "<", "=", "^", "~"].into_iter().find(|operator| rest.starts_with(operator));
        let tail = rest[operator.map_or(0, str::len)..].trim_start_matches(' ');
        let end = tail.find(' ').unwrap_or(tail.len());
        comparators.push(comparator(operator.unwrap_or("="), &tail[..end])?);
        rest = tail[end..].trim_start_matches(' ');
    }
    if comparators.is_empty() { None } else { Some(comparators) }
}

fn comparator(operator: &str, text: &str) -> Option<Comparator> {
    let (parts, pre) = partial(text)?;
    let known = parts.iter().take_while(|part| part.is_some()).count();
    let numbers = parts.map(Option::unwrap_or_default);
    let exact = known == 3;
    let pre_of = (!pre.is_empty()).then_some(numbers);
    let lower = Version { numbers, pre };
    // The first version behind everything that the known parts name.
    let behind = known.checked_sub(1).and_then(|last| next(numbers, last));
    let unbounded = Comparator { from: None, from_open: false, to: None, to_closed: false, pre_of };
    let none =
        || Comparator { from_open: true, from: Some(lower.clone()), to: Some(lower.clone()), ..unbounded.clone() };
    Some(match operator {
        ">=" => Comparator { from: Some(lower), ..unbounded },
        "<" if known == 0 => none(),
        "<" => Comparator { to: Some(lower), ..unbounded },
        ">" if exact => Comparator { from: Some(lower), from_open: true, ..unbounded },
        ">" => behind.map_or_else(none, |from| Comparator { from: Some(from), ..unbounded.clone() }),
        "<=" if exact => Comparator { to: Some(lower), to_closed: true, ..unbounded },
        "<=" => Comparator { to: behind, ..unbounded },
        "^" => {
            let lead = numbers.iter().position(|number| *number != 0).unwrap_or(2).min(known.saturating_sub(1));
            Comparator { to: (known > 0).then(|| next(numbers, lead)).flatten(), from: Some(lower), ..unbounded }
        }
        "~" => {
            let kept = known.saturating_sub(1).min(1);
            Comparator { to: (known > 0).then(|| next(numbers, kept)).flatten(), from: Some(lower), ..unbounded }
        }
        _ if exact => Comparator { from: Some(lower.clone()), to: Some(lower), to_closed: true, ..unbounded },
        _ => Comparator { from: Some(lower), to: behind, ..unbounded },
    })
}

/// The lowest version whose number at `index` is one higher; `None` where there is none.
fn next(numbers: [u64; 3], index: usize) -> Option<Version> {
    let mut next = [0; 3];
    next[..=index].copy_from_slice(&numbers[..=index]);
    next[index] = next[index].checked_add(1)?;
    Some(Version::lowest(next))
}

/// One to three numbers or wild parts, and a pre-release behind three numbers.
fn partial(text: &str) -> Option<([Option<u64>; 3], Vec<String>)> {
    let (core, pre) = text.split_once('-').map_or((text, None), |(core, pre)| (core, Some(pre)));
    let mut parts = [None; 3];
    let mut wild = false;
    let texts: Vec<&str> = core.split('.').collect();
    if texts.len() > 3 {
        return None;
    }
    for (part, text) in parts.iter_mut().zip(&texts) {
        if matches!(*text, "x" | "X" | "*") {
            wild = true;
        } else if wild {
            return None;
        } else {
            *part = Some(number(text)?);
        }
    }
    let pre: Vec<String> = match pre {
        None => Vec::new(),
        Some(_) if parts[2].is_none() => return None,
        Some(pre) => pre.split('.').map(str::to_owned).collect(),
    };
    let fits = |identifier: &String| {
        is_identifier(identifier)
            && (number(identifier).is_some() || !identifier.bytes().all(|byte| byte.is_ascii_digit()))
    };
    pre.iter().all(fits).then_some((parts, pre))
}

fn number(text: &str) -> Option<u64> {
    let plain =
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    plain.then(|| text.parse().ok()).flatten()
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        let cases = [
            // range, satisfied by, not satisfied by
            (">=1.0.0", vec!["1.0.0", "2.5.0"], vec!["0.9.9", "1.0.0-a", "2.0.0-a"]),
            ("^1.2.3", vec!["1.2.3", "1.9.0"], vec!["1.2.2", "2.0.0"]),
            ("^0.2.0", vec!["0.2.9"], vec!["0.3.0", "0.1.9"]),
            ("^0.0.3", vec!["0.0.3"], vec!["0.0.4"]),
            ("^0", vec!["0.9.0"], vec!["1.0.0"]),
            ("^0.0", vec!["0.0.9"], vec!["0.1.0"]),
            ("~1.2.3", vec!["1.2.9"], vec!["1.3.0"]),
            ("~1", vec!["1.9.0"], vec!["2.0.0"]),
            ("2.4", vec!["2.4.7"], vec!["2.5.0", "2.3.9"]),
            ("1.x || >= 3.0.0 < 4", vec!["1.7.0", "3.1.0"], vec!["2.0.0", "4.0.0"]),
            ("*", vec!["0.0.1", "9.9.9"], vec!["1.0.0-a"]),
            (">1.2", vec!["1.3.0"], vec!["1.2.9"]),
            ("<=1.2", vec!["1.2.9"], vec!["1.3.0"]),
            (">*", vec![], vec!["1.0.0"]),
            ("=1.0.0-beta.2", vec!["1.0.0-beta.2"], vec!["1.0.0", "1.0.0-beta.11"]),
            (">=1.0.0-beta.2", vec!["1.0.0-beta.11", "1.0.0"], vec!["1.0.0-beta", "1.0.1-a"]),
        ];
        for (range, holds, fails) in cases {
            let parsed = Range::parse(range).unwrap();
            let holds_for = |version: &str| parsed.holds(&Version::parse(version).unwrap());
            for version in holds {
                assert!(holds_for(version), "{version} in {range}");
            }
            for version in fails {
                assert!(!holds_for(version), "{version} not in {range}");
            }
        }
        for junk in [
            "",
            "---",
            "latest",
            "1.2.3.4",
            "1.0.0 - 2.0.0",
            "01.0.0",
            "1.0.0 ||",
            "1.x.3",
            ">= ",
            "v1.0.0",
            "1.2-a",
            "1,2",
            "^^1",
            "1.0.0-01",
            "1.0.0-",
            "1.",
            ">1<",
            "x.1",
        ] {
            assert_eq!(Range::parse(junk), None, "{junk}");
        }
    }
}
