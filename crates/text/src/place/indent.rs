//! Giving inserted lines the indentation of the base (spec: text-engine.md §7 "Re-indentation").
//!
//! Invariant: either one rule explains every pair of indentations, or the hunk is refused.

use std::collections::HashMap;

use super::matching::{Match, old_lines};
use crate::base::Base;
use crate::region::{Kind, Reading};
use crate::syntax::is_blank;
use crate::transport::indentation;

/// No rule gives the inserted lines whole levels.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoRule;

/// The indentation of an old line in the patch and in the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pair<'p> {
    patch: &'p str,
    base: &'p str,
    deletes: bool,
}

/// Adapts the inserted lines of a reading that matched but for white space. Answers whether a line changed.
pub(super) fn reindent(base: &Base<'_>, reading: &mut Reading, found: &Match) -> Result<bool, NoRule> {
    let old = old_lines(reading);
    let pairs: Vec<Pair<'_>> = old
        .iter()
        .enumerate()
        .filter(|(_, line)| !is_blank(&line.text))
        .filter_map(|(at, line)| {
            let base = indentation(base.content(found.base_line(at)?));
            Some(Pair { patch: indentation(&line.text), base, deletes: line.kind == Kind::Delete })
        })
        .collect();
    let inserts = |line: &&crate::region::BodyLine| line.kind == Kind::Insert && !is_blank(&line.text);
    let inserted: Vec<&str> = reading.lines.iter().filter(inserts).map(|line| indentation(&line.text)).collect();
    if pairs.iter().all(|pair| pair.patch == pair.base) || fits(&pairs, &inserted) {
        return Ok(false);
    }
    let adapted = adapt(&pairs, &inserted)?;
    let changed = adapted.iter().zip(&inserted).any(|(new, old)| new != old);
    let mut adapted = adapted.into_iter();
    for line in &mut reading.lines {
        if line.kind == Kind::Insert && !is_blank(&line.text) {
            let new = adapted.next().unwrap_or_default();
            line.text = format!("{new}{}", &line.text[indentation(&line.text).len()..]);
        }
    }
    Ok(changed)
}

/// Whether the changed lines fit as they are.
fn fits(pairs: &[Pair<'_>], inserted: &[&str]) -> bool {
    let deletions = || pairs.iter().filter(|pair| pair.deletes);
    let unequal = || pairs.iter().filter(|pair| pair.patch != pair.base);
    if deletions().any(|pair| pair.patch != pair.base) {
        return false;
    }
    let deletion_is_indented = deletions().any(|pair| !pair.patch.is_empty());
    let lost_one_blank =
        || deletions().next().is_none() && unequal().all(|pair| pair.base.strip_prefix(' ') == Some(pair.patch));
    let other_kind = || {
        let here = || pairs.iter().map(|pair| pair.base).chain(inserted.iter().copied());
        let only = |kind: char, text: &str| !text.is_empty() && text.chars().all(|c| c == kind);
        [(' ', '\t'), ('\t', ' ')].into_iter().any(|(kind, other)| {
            here().any(|text| text.contains(kind))
                && !here().any(|text| text.contains(other))
                && unequal().all(|pair| only(other, pair.patch))
        })
    };
    deletion_is_indented || lost_one_blank() || other_kind()
}

/// The new indentation of each inserted line: that of an old line with the same indentation in the patch, if it is
/// unique; else by the first rule that fits all pairs.
fn adapt(pairs: &[Pair<'_>], inserted: &[&str]) -> Result<Vec<String>, NoRule> {
    let mut known: HashMap<&str, Option<&str>> = HashMap::new();
    for pair in pairs {
        let base = known.entry(pair.patch).or_insert(Some(pair.base));
        if *base != Some(pair.base) {
            *base = None;
        }
    }
    let rule = Rule::of(pairs);
    inserted
        .iter()
        .map(|line| match known.get(line).copied().flatten() {
            Some(base) => Ok(base.to_owned()),
            None => rule.as_ref().and_then(|rule| rule.apply(line)).ok_or(NoRule),
        })
        .collect()
}

/// What the base does to every indentation of the patch.
#[derive(Debug, PartialEq, Eq)]
enum Rule {
    /// Adds one prefix.
    Adds(String),
    /// Takes one prefix away.
    Takes(String),
    /// Has this many blanks for a tab.
    TabsToBlanks(usize),
    /// Has a tab for this many blanks.
    BlanksToTabs(usize),
    /// Has blanks in a constant ratio: base to patch.
    Ratio(usize, usize),
}

impl Rule {
    /// The first rule that fits all pairs.
    fn of(pairs: &[Pair<'_>]) -> Option<Self> {
        let first = pairs.iter().find(|pair| pair.patch != pair.base)?;
        let mut rules = Vec::new();
        if let Some(prefix) = first.base.strip_suffix(first.patch) {
            rules.push(Self::Adds(prefix.to_owned()));
        }
        if let Some(prefix) = first.patch.strip_suffix(first.base) {
            rules.push(Self::Takes(prefix.to_owned()));
        }
        for width in [8, 4, 2] {
            rules.extend([Self::TabsToBlanks(width), Self::BlanksToTabs(width)]);
        }
        rules.push(Self::Ratio(first.base.len(), first.patch.len()));
        let fits = |rule: &Self| pairs.iter().all(|pair| rule.apply(pair.patch).as_deref() == Some(pair.base));
        rules.into_iter().find(fits)
    }

    /// The indentation in the base for one in the patch; `None` when it is no whole level.
    fn apply(&self, indentation: &str) -> Option<String> {
        let only = |kind: char| indentation.chars().all(|c| c == kind);
        let length = indentation.len();
        let whole = |count: usize, unit: usize| (unit > 0 && count.is_multiple_of(unit)).then(|| count / unit);
        match self {
            Self::Adds(prefix) => Some(format!("{prefix}{indentation}")),
            Self::Takes(prefix) => indentation.strip_prefix(prefix.as_str()).map(str::to_owned),
            Self::TabsToBlanks(width) => only('\t').then(|| " ".repeat(length * width)),
            Self::BlanksToTabs(width) => Some("\t".repeat(whole(length, *width).filter(|_| only(' '))?)),
            Self::Ratio(base, patch) => {
                Some(" ".repeat(whole(length * base, *patch).filter(|_| *base > 0 && only(' '))?))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Sample = &'static [(&'static str, &'static str, bool)];

    fn pairs<'p>(pairs: &[(&'p str, &'p str, bool)]) -> Vec<Pair<'p>> {
        pairs.iter().map(|(patch, base, deletes)| Pair { patch, base, deletes: *deletes }).collect()
    }

    #[test]
    fn rules() {
        let cases: &[(Sample, &str, Option<&str>)] = &[
            (&[("", "    ", false), ("  ", "      ", false)], "    ", Some("        ")),
            (&[("  ", "", false), ("      ", "    ", false)], "    ", Some("  ")),
            (&[("\t", "    ", false), ("", "", false)], "\t\t", Some("        ")),
            (&[("    ", "\t", false), ("", "", false)], "        ", Some("\t\t")),
            (&[("    ", "\t", false), ("", "", false)], "      ", None),
            (&[("  ", "    ", false), ("    ", "        ", false), ("", "", false)], "      ", Some("            ")),
            (&[("    ", "  ", false), ("        ", "    ", false)], "   ", None),
            (&[("  ", " ", false), ("    ", "\t", false)], "      ", None),
            // The same indentation stands on an old line.
            (&[("  ", "\t", false), ("    ", "  ", false)], "  ", Some("\t")),
        ];
        for (known, line, want) in cases {
            let got = adapt(&pairs(known), &[line]).ok().map(|lines| lines[0].clone());
            assert_eq!(got.as_deref(), *want, "{known:?} {line:?}");
        }
    }

    #[test]
    fn what_fits_as_it_is() {
        let cases: &[(Sample, &[&str], bool)] = &[
            (&[("\t", "    ", false), ("    ", "    ", true)], &["    "], true),
            (&[("   ", "    ", false), ("", "", false)], &["  "], true),
            (&[("\t", "    ", false)], &["    "], true),
            (&[("\t", "    ", false)], &["\t"], false),
            (&[("  ", "    ", true)], &["    "], false),
            (&[("  ", "    ", false), ("", "", true)], &["    "], false),
        ];
        for (known, inserted, want) in cases {
            assert_eq!(fits(&pairs(known), inserted), *want, "{known:?} {inserted:?}");
        }
    }
}
