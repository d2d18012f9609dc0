//! What happens to the lines of hunks.

use crate::change::Mark;
use crate::draft::{Draft, DraftHunk, Header, Shown};
use crate::random::Random;

/// How often a line is tried before a case is given up.
const TRIES: usize = 8;
/// Letters that a line has in which somebody mistypes.
const TYPO_LETTERS: usize = 6;

/// A context line: hunk and index. Hunks keep at least one old line besides.
fn context(draft: &Draft, random: &mut Random) -> Option<(usize, usize)> {
    let all: Vec<(usize, usize)> = draft
        .hunks
        .iter()
        .enumerate()
        .filter(|(_, hunk)| hunk.body.iter().filter(|line| line.mark != Mark::Insert).count() > 1)
        .flat_map(|(number, hunk)| hunk.context().into_iter().map(move |index| (number, index)))
        .collect();
    random.pick(&all).copied()
}

pub fn typo(draft: &mut Draft, random: &mut Random) -> bool {
    for _ in 0..TRIES {
        let Some((hunk, index)) = context(draft, random) else { return false };
        let line = &mut draft.hunks[hunk].body[index];
        let mut letters: Vec<char> = line.text.chars().collect();
        let places: Vec<usize> = (0..letters.len()).filter(|at| letters[*at].is_ascii_alphabetic()).collect();
        let Some(at) = random.pick(&places).copied().filter(|_| places.len() >= TYPO_LETTERS) else { continue };
        match random.below(4) {
            0 => letters[at] = if letters[at] == 'x' { 'z' } else { 'x' },
            1 => drop(letters.remove(at)),
            2 => letters.insert(at, letters[at]),
            _ if at + 1 < letters.len() => letters.swap(at, at + 1),
            _ => continue,
        }
        let typed: String = letters.into_iter().collect();
        if typed != line.text {
            line.text = typed;
            return true;
        }
    }
    false
}

pub fn dropped(draft: &mut Draft, random: &mut Random, counted: bool) -> bool {
    let place = (0..TRIES).find_map(|_| {
        let (hunk, index) = context(draft, random)?;
        let clear = !counted || !beside_insertion(&draft.hunks[hunk], index);
        clear.then_some((hunk, index))
    });
    let Some((hunk, index)) = place else { return false };
    let hunk = &mut draft.hunks[hunk];
    hunk.body.remove(index);
    if let Header::Ranges { old, new, .. } = &mut hunk.header
        && counted
    {
        old.1 -= 1;
        new.1 -= 1;
        if index == 0 {
            old.0 += 1;
            new.0 += 1;
        }
    }
    true
}

/// Whether a context line is a neighbour of lines that come where none go: without it, and without a count that misses
/// it, nothing says on which side of it they belong.
fn beside_insertion(hunk: &DraftHunk, index: usize) -> bool {
    let run = |lines: &mut dyn Iterator<Item = &Shown>| {
        let mut run = lines.take_while(|line| line.mark != Mark::Context).peekable();
        run.peek().is_some() && run.all(|line| line.mark == Mark::Insert)
    };
    run(&mut hunk.body[..index].iter().rev()) || run(&mut hunk.body[index + 1..].iter())
}

pub fn imagined(draft: &mut Draft, random: &mut Random, donor: &[String]) -> bool {
    let Some((hunk, index)) = context(draft, random) else { return false };
    let real: Vec<&String> = donor.iter().filter(|line| line.trim().len() >= TYPO_LETTERS).collect();
    let Some(line) = random.pick(&real) else { return false };
    let fresh = line.trim_end_matches(['\r', '\n']);
    let shown = &mut draft.hunks[hunk].body[index];
    let changed = shown.text != fresh;
    fresh.clone_into(&mut shown.text);
    changed
}

pub fn shortened(draft: &mut Draft) -> bool {
    let mut changed = false;
    for hunk in &mut draft.hunks {
        let lead = hunk.body.iter().take_while(|line| line.mark == Mark::Context).count();
        let tail = hunk.body.iter().rev().take_while(|line| line.mark == Mark::Context).count();
        let (front, back) = (lead.saturating_sub(1), tail.saturating_sub(1));
        if lead == hunk.body.len() || front + back == 0 {
            continue;
        }
        hunk.body.truncate(hunk.body.len() - back);
        hunk.body.drain(..front);
        if let Header::Ranges { old, new, .. } = &mut hunk.header {
            for side in [old, new] {
                side.0 += front;
                side.1 -= front + back;
            }
        }
        changed = true;
    }
    changed
}

pub fn smart_quotes(draft: &mut Draft) -> bool {
    let mut changed = false;
    for line in old_lines(draft) {
        let mut opened = false;
        let curly: String = line
            .text
            .chars()
            .map(|letter| match letter {
                '\'' => '’',
                '"' => {
                    opened = !opened;
                    if opened { '“' } else { '”' }
                }
                other => other,
            })
            .collect();
        changed |= curly != line.text;
        line.text = curly;
    }
    changed
}

fn old_lines(draft: &mut Draft) -> impl Iterator<Item = &mut Shown> {
    draft.hunks.iter_mut().flat_map(|hunk| &mut hunk.body).filter(|line| line.mark != Mark::Insert)
}

fn indentation(text: &str) -> &str {
    &text[..text.len() - text.trim_start_matches([' ', '\t']).len()]
}

pub fn dedent(draft: &mut Draft) -> bool {
    let mut changed = false;
    for hunk in &mut draft.hunks {
        let common = common_indentation(hunk);
        for line in &mut hunk.body {
            if let Some(rest) = line.text.strip_prefix(common.as_str()) {
                line.text = rest.to_owned();
            } else if line.text.trim().is_empty() {
                line.text = line.text.trim_start_matches([' ', '\t']).to_owned();
            }
        }
        changed |= !common.is_empty();
    }
    changed
}

fn common_indentation(hunk: &DraftHunk) -> String {
    let mut lines = hunk.body.iter().filter(|line| !line.text.trim().is_empty()).map(|line| indentation(&line.text));
    let Some(first) = lines.next() else { return String::new() };
    let common = lines.fold(first, |common, line| {
        let same = common.bytes().zip(line.bytes()).take_while(|(one, other)| one == other).count();
        &common[..same]
    });
    common.to_owned()
}

pub fn tabs(draft: &mut Draft) -> bool {
    let lines = || draft.hunks.iter().flat_map(|hunk| &hunk.body).map(|line| indentation(&line.text));
    let old = draft.hunks.iter().flat_map(|hunk| &hunk.body).filter(|line| line.mark != Mark::Insert);
    if lines().any(|indent| indent.contains('\t')) || !old.clone().any(|line| line.text.starts_with("  ")) {
        return false;
    }
    let unit = if lines().all(|indent| indent.len() % 4 == 0) { 4 } else { 2 };
    for line in draft.hunks.iter_mut().flat_map(|hunk| &mut hunk.body) {
        let width = indentation(&line.text).len();
        let levels = width / unit;
        line.text = format!("{}{}", "\t".repeat(levels), &line.text[levels * unit..]);
    }
    true
}

pub fn lost_blanks(draft: &mut Draft) -> bool {
    bare(draft, |line| line.text.trim_end_matches('\r').is_empty())
}

pub fn unmarked(draft: &mut Draft) -> bool {
    // What begins like a marker would be another patch, not one with noise.
    if old_lines(draft).any(|line| line.mark == Mark::Context && line.text.starts_with(['+', '-', '\\', '@'])) {
        return false;
    }
    bare(draft, |_| true)
}

fn bare(draft: &mut Draft, which: impl Fn(&Shown) -> bool) -> bool {
    let mut changed = false;
    for line in old_lines(draft).filter(|line| line.mark == Mark::Context && which(line)) {
        line.bare = true;
        changed = true;
    }
    changed
}
