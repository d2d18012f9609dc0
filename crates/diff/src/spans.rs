//! The changed words of a replaced line (spec: text-engine.md §2 "spans").
//!
//! `similar` finds the shortest token script. Its work grows with the square of what differs, so longer pairs are searched
//! as lines are, and the longest are compared by their ends alone.

use similar::DiffOp;
use similar::algorithms::{Capture, myers};

use crate::script::changes;

/// UTF-16 `[start, end)` of stretches that the other line does not have.
pub type Spans = Vec<(usize, usize)>;

/// Tokens on both sides together up to which the search of `similar` is used.
const FEW_TOKENS: usize = 64;
/// Tokens on both sides together up to which the search is exact.
const MAX_TOKENS: usize = 4_000;

/// The spans of both lines, or `None` when they share nothing but white space.
pub fn spans(old: &str, new: &str) -> Option<(Spans, Spans)> {
    let (old, new) = (tokens(old), tokens(new));
    let mut shared_old = vec![false; old.len()];
    let mut shared_new = vec![false; new.len()];
    for (old_at, new_at, length) in equal_runs(&old, &new) {
        shared_old[old_at..old_at + length].fill(true);
        shared_new[new_at..new_at + length].fill(true);
    }
    let related = old.iter().zip(&shared_old).any(|(token, shared)| *shared && !token.trim().is_empty());
    related.then(|| (unshared(&old, &shared_old), unshared(&new, &shared_new)))
}

fn equal_runs(old: &[&str], new: &[&str]) -> Vec<(usize, usize, usize)> {
    if old.len() + new.len() > MAX_TOKENS {
        let lead = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let rest = old.len().min(new.len()) - lead;
        let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
        return vec![(0, 0, lead), (old.len() - tail, new.len() - tail, tail)];
    }
    if old.len() + new.len() > FEW_TOKENS {
        let mut at = (0, 0);
        let mut runs = Vec::new();
        for change in changes(old, new) {
            runs.push((at.0, at.1, change.old.start - at.0));
            at = (change.old.end, change.new.end);
        }
        runs.push((at.0, at.1, old.len() - at.0));
        return runs;
    }
    let mut capture = Capture::new();
    if let Err(never) = myers::diff_deadline_raw(&mut capture, old, 0..old.len(), new, 0..new.len(), None) {
        match never {}
    }
    capture
        .into_ops()
        .into_iter()
        .filter_map(|op| match op {
            DiffOp::Equal { old_index, new_index, len } => Some((old_index, new_index, len)),
            _ => None,
        })
        .collect()
}

fn unshared(tokens: &[&str], shared: &[bool]) -> Spans {
    let mut spans = Spans::new();
    let mut at = 0;
    for (token, shared) in tokens.iter().zip(shared) {
        let end = at + token.encode_utf16().count();
        if !shared {
            match spans.last_mut() {
                Some(last) if last.1 == at => last.1 = end,
                _ => spans.push((at, end)),
            }
        }
        at = end;
    }
    spans
}

#[derive(PartialEq)]
enum Class {
    Word,
    Space,
    Other,
}

fn class(character: char) -> Class {
    if character.is_alphanumeric() || character == '_' {
        Class::Word
    } else if character.is_whitespace() {
        Class::Space
    } else {
        Class::Other
    }
}

fn tokens(line: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let kind = class(first);
        let end = match kind {
            Class::Other => first.len_utf8(),
            _ => rest.find(|character| class(character) != kind).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(end);
        tokens.push(token);
        rest = after;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let cases = [
            ("bravo", "bravo beta", Some((vec![], vec![(5, 10)]))),
            ("let a = 1;", "let b = 1;", Some((vec![(4, 5)], vec![(4, 5)]))),
            ("alpha", "beta", None),
            ("a b", "c d", None),
            ("🙂 x", "🙂 y", Some((vec![(3, 4)], vec![(3, 4)]))),
        ];
        for (old, new, want) in cases {
            assert_eq!(spans(old, new), want, "{old} / {new}");
        }
    }
}
