//! Giving inserted lines the indentation of the base (spec: text-engine.md §7 "Re-indentation").
//!
//! Invariant: either one rule explains every pair of indentations, or the hunk is refused.

use std::collections::HashMap;

use super::matching::{Match, old_lines};
use crate::base::Base;
use crate::region::{BodyLine, Kind, Reading};
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
    if pairs.iter().all(|pair| pair.patch == pair.base) {
        return Ok(false);
    }
    let adapted = match trimmed_first(&pairs) {
        Some(lost) => {
            let others = pairs[1..].iter().map(|pair| pair.patch.len()).min();
            with_first_line(lost, others.map_or(lost.len(), |least| least.min(lost.len())), reading)
        }
        None if fits(&pairs, &inserted) => return Ok(false),
        None => adapt(&pairs, &inserted)?,
    };
    let changed = adapted.iter().zip(&inserted).any(|(new, old)| new != old);
    if changed && breaks_levels(base, reading, found, &adapted) {
        return Err(NoRule);
    }
    let mut adapted = adapted.into_iter();
    for line in &mut reading.lines {
        if line.kind == Kind::Insert && !is_blank(&line.text) {
            let new = adapted.next().unwrap_or_default();
            line.text = format!("{new}{}", &line.text[indentation(&line.text).len()..]);
        }
    }
    Ok(changed)
}

/// What the first old line lost: it has no indentation and all others have theirs (text-replies.md §2).
fn trimmed_first<'p>(pairs: &[Pair<'p>]) -> Option<&'p str> {
    let (first, others) = pairs.split_first()?;
    let is_trimmed = first.patch.is_empty() && !first.base.is_empty();
    (is_trimmed && others.iter().all(|pair| pair.patch == pair.base)).then_some(first.base)
}

/// The indentation of each inserted line where the first old line lost its own: only the first new line lacks it, or all do.
/// `least`: what a line that lost nothing has at least, which is no more than the other old lines have.
fn with_first_line(lost: &str, least: usize, reading: &Reading) -> Vec<String> {
    let filled: Vec<&BodyLine> = reading.lines.iter().filter(|line| line.is_new() && !is_blank(&line.text)).collect();
    let is_inserted = |line: &&&BodyLine| line.kind == Kind::Insert;
    let is_deep = |line: &&BodyLine| indentation(&line.text).len() >= least;
    let only_first = filled.iter().skip(1).filter(is_inserted).all(is_deep) && !opens_into_nothing(lost, &filled);
    let own = |(at, line): (usize, &&BodyLine)| {
        let indentation = indentation(&line.text);
        let lacks = if only_first { at == 0 && indentation.len() < lost.len() } else { true };
        if lacks { format!("{lost}{indentation}") } else { indentation.to_owned() }
    };
    filled.iter().enumerate().filter(|(_, line)| line.kind == Kind::Insert).map(own).collect()
}

/// The first new line opens a block, and with its indentation the next one would not stand deeper: all lost theirs.
fn opens_into_nothing(lost: &str, filled: &[&BodyLine]) -> bool {
    let [first, next, ..] = filled else { return false };
    let opens = first.text.trim_end().ends_with([':', '{', '(', '[']);
    let closes = next.text.trim_start().starts_with([')', ']', '}']);
    first.kind == Kind::Insert && opens && !closes && indentation(&next.text).len() <= lost.len()
}

/// Whether a re-indented line is deeper than the line before it by no whole unit of the file, where it was in the patch.
fn breaks_levels(base: &Base<'_>, reading: &Reading, found: &Match, adapted: &[String]) -> bool {
    let Some((kind, unit)) = unit(base) else { return false };
    // How much deeper, when it is, and whether by whole units.
    let step = |before: &str, line: &str| line.strip_prefix(before).filter(|more| !more.is_empty()).map(str::to_owned);
    let is_whole = |more: &str| more.chars().all(|c| c == kind) && more.len().is_multiple_of(unit);
    let was_whole = |more: &str| is_whole(more) || (kind == '\t' && more.chars().all(|c| c == ' '));
    let mut adapted = adapted.iter();
    let mut old = 0;
    let mut before: Option<(&str, &str)> = None;
    for line in &reading.lines {
        let here = line.is_old().then(|| found.base_line(old)).flatten();
        old += usize::from(line.is_old());
        if is_blank(&line.text) || !line.is_new() {
            continue;
        }
        let patch = indentation(&line.text);
        let result = match (line.kind, here) {
            (Kind::Insert, _) => adapted.next().map_or(patch, String::as_str),
            (_, Some(at)) => indentation(base.content(at)),
            (_, None) => patch,
        };
        if let (Kind::Insert, Some((patch_before, result_before))) = (line.kind, before) {
            let was = step(patch_before, patch);
            let is = step(result_before, result);
            if is.is_some_and(|more| !is_whole(&more)) && was.is_some_and(|more| was_whole(&more)) {
                return true;
            }
        }
        before = Some((patch, result));
    }
    false
}

/// The one unit by which a base indents its lines: a tab, or two blanks and more.
fn unit(base: &Base<'_>) -> Option<(char, usize)> {
    fn divisor(a: usize, b: usize) -> usize {
        if b == 0 { a } else { divisor(b, a % b) }
    }
    let lines = (0..base.len()).filter(|at| !base.is_blank(*at)).map(|at| indentation(base.content(at)));
    let mut kinds = lines.clone().flat_map(str::chars);
    let kind = kinds.next()?;
    if kinds.any(|other| other != kind) {
        return None;
    }
    if kind == '\t' {
        return Some((kind, 1));
    }
    let unit = lines.map(str::len).fold(0, divisor);
    (unit > 1).then_some((kind, unit))
}

/// Whether the changed lines fit as they are.
fn fits(pairs: &[Pair<'_>], inserted: &[&str]) -> bool {
    let deletions = || pairs.iter().filter(|pair| pair.deletes);
    let unequal = || pairs.iter().filter(|pair| pair.patch != pair.base);
    if deletions().any(|pair| pair.patch != pair.base) {
        return false;
    }
    // An inserted line that is indented as a line was that moved is to move with it.
    let moves = inserted.iter().any(|line| unequal().any(|pair| pair.patch == *line));
    let deletion_is_indented = !moves && deletions().any(|pair| !pair.patch.is_empty());
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
    Adds(String),
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
