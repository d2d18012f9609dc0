//! What happens to the base: it drifts, it repeats itself, it has other line endings, it is not what the patch thinks.

use crate::change::Mark;
use crate::draft::{Draft, Header};
use crate::noise::text;
use crate::random::Random;

/// How often a place is tried before a case is given up.
const TRIES: usize = 8;

/// Lines of another file, one after the other.
fn borrowed(random: &mut Random, donor: &[String], count: usize) -> Vec<String> {
    let start = random.below(donor.len().saturating_sub(count) + 1);
    donor[start..].iter().take(count).cloned().collect()
}

/// The first line of the base that a hunk or an edit speaks of.
fn first(draft: &Draft) -> usize {
    let spans = draft.hunks.iter().filter_map(|hunk| Some(hunk.span()?.0));
    spans.chain(draft.edits.iter().map(|edit| edit.at)).min().unwrap_or(0)
}

pub fn drift_above(draft: &mut Draft, random: &mut Random, donor: &[String]) -> bool {
    let first = first(draft);
    if random.once_in(3) && first > 0 {
        for _ in 0..random.between(1, 5).min(first) {
            let at = random.below(self::first(draft));
            if !draft.shrink(at) {
                return false;
            }
        }
        return true;
    }
    let count = if random.once_in(6) { random.between(21, 45) } else { random.between(1, 20) };
    let lines = borrowed(random, donor, count);
    let at = random.between(0, first);
    !lines.is_empty() && draft.grow(at, &lines)
}

pub fn drift_inside(draft: &mut Draft, random: &mut Random, donor: &[String]) -> bool {
    for _ in 0..TRIES {
        let hunk = random.below(draft.hunks.len());
        let context = draft.hunks[hunk].context();
        let Some(at) = random.pick(&context).and_then(|index| draft.hunks[hunk].body[*index].old) else { continue };
        let done = match random.below(3) {
            0 => rewrite(draft, random, at),
            1 => {
                // Between two lines that the hunk shows, or it would not be inside.
                let lines = borrowed(random, donor, 1);
                draft.hunks[hunk].span().is_some_and(|(first, _)| at > first) && draft.grow(at, &lines)
            }
            _ => draft.shrink(at),
        };
        if done {
            return true;
        }
    }
    false
}

/// Rewrites a line of the base: a word of it becomes another one, or a word is put behind it.
fn rewrite(draft: &mut Draft, random: &mut Random, at: usize) -> bool {
    const WORDS: &[&str] = &["checked", "legacy", "other", "value", "limit", "inner", "ready", "total"];
    let Some(line) = draft.base.get(at) else { return false };
    let content = line.trim_end_matches(['\r', '\n']);
    let ending = &line[content.len()..];
    let words: Vec<(usize, usize)> = words(content);
    let Some((start, end)) = random.pick(&words).copied() else { return false };
    let Some(word) = random.pick(WORDS) else { return false };
    let fresh = if random.once_in(3) {
        format!("{content} {word}{ending}")
    } else {
        format!("{}{word}{}{ending}", &content[..start], &content[end..])
    };
    let changed = fresh != *line;
    draft.base[at] = fresh;
    changed
}

/// Runs of ASCII letters, three at least.
fn words(content: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (index, byte) in content.bytes().chain([b' ']).enumerate() {
        match (byte.is_ascii_alphabetic(), start) {
            (true, None) => start = Some(index),
            (false, Some(begin)) => {
                if index - begin >= 3 {
                    found.push((begin, index));
                }
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Puts a copy of a hunk's old lines to the top or the end. Answers whether it did.
fn copied(draft: &mut Draft, random: &mut Random) -> bool {
    let hunk = random.below(draft.hunks.len());
    let Some((first, last)) = draft.hunks[hunk].span() else { return false };
    let copy: Vec<String> = draft.base[first..=last].to_vec();
    let open = |line: &String| !line.ends_with('\n');
    if copy.iter().chain(draft.edits.iter().flat_map(|edit| &edit.insert)).any(open) {
        return false;
    }
    let at = if random.once_in(2) { 0 } else { draft.base.len() };
    if !draft.grow(at, &copy) {
        return false;
    }
    if at == 0 {
        for hunk in &mut draft.hunks {
            if let Header::Ranges { old, new, .. } = &mut hunk.header {
                old.0 += copy.len();
                new.0 += copy.len();
            }
        }
    }
    true
}

pub fn duplicated(draft: &mut Draft, random: &mut Random) -> bool {
    copied(draft, random)
}

pub fn crlf(draft: &mut Draft) -> bool {
    if draft.base.iter().any(|line| line.contains('\r')) || draft.base.len() < 2 {
        return false;
    }
    let convert = |line: &mut String| {
        if line.ends_with('\n') {
            line.truncate(line.len() - 1);
            line.push_str("\r\n");
        }
    };
    draft.base.iter_mut().for_each(convert);
    draft.edits.iter_mut().flat_map(|edit| &mut edit.insert).for_each(convert);
    true
}

pub fn rewritten(draft: &mut Draft, random: &mut Random) -> bool {
    draft.refuse = true;
    let deleted: Vec<usize> = draft
        .hunks
        .iter()
        .flat_map(|hunk| &hunk.body)
        .filter(|line| line.mark == Mark::Delete)
        .filter_map(|line| line.old)
        .collect();
    (0..TRIES).any(|_| random.pick(&deleted).copied().is_some_and(|at| rewrite(draft, random, at)))
}

pub fn applied(draft: &mut Draft) -> bool {
    draft.refuse = true;
    draft.base = draft.after().split_inclusive('\n').map(str::to_owned).collect();
    draft.edits.clear();
    draft.hunks.iter_mut().flat_map(|hunk| &mut hunk.body).for_each(|line| line.old = None);
    true
}

pub fn ambiguous(draft: &mut Draft, random: &mut Random) -> bool {
    draft.refuse = true;
    text::unnumbered(draft);
    copied(draft, random)
}
