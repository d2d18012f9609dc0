//! Patterns of paths: `*`, `**`, `?`, `{a,b}`, `[…]` (spec: vite-app.md §5). What begins with a dot never matches a wildcard.
//!
//! Invariant: time is at most pattern length times path length for each choice of braces, and all three are bounded.

/// Choices of braces that a pattern may have; with more it matches nothing.
const MAX_CHOICES: usize = 256;

/// Characters of a pattern; a longer one matches nothing.
const MAX_PATTERN_CHARS: usize = 1_024;

/// A pattern of paths from the root.
#[derive(Debug, Clone)]
pub struct Glob(Vec<Vec<char>>);

impl Glob {
    pub fn new(pattern: &str) -> Self {
        if pattern.chars().count() > MAX_PATTERN_CHARS {
            return Self(Vec::new());
        }
        let mut done = Vec::new();
        let mut open = vec![pattern.to_owned()];
        while let Some(one) = open.pop() {
            match braces(&one) {
                Some(choices) if done.len() + open.len() + choices.len() <= MAX_CHOICES => open.extend(choices),
                Some(_) => return Self(Vec::new()),
                None => done.push(one.chars().collect()),
            }
        }
        Self(done)
    }

    pub fn matches(&self, path: &str) -> bool {
        let path: Vec<char> = path.chars().collect();
        let is_plain = |c: &&char| !matches!(c, '*' | '?' | '[' | '\\');
        // What stands before the first wildcard decides most of the time.
        let begins = |pattern: &[char]| path.starts_with(&pattern[..pattern.iter().take_while(is_plain).count()]);
        self.0.iter().any(|pattern| begins(pattern) && fits(pattern, &path))
    }
}

/// The texts of the first pair of braces, each in its place.
fn braces(pattern: &str) -> Option<Vec<String>> {
    let start = pattern.find('{')?;
    let (mut depth, mut cuts) = (0_usize, vec![start]);
    for (at, c) in pattern[start..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => cuts.push(start + at),
            _ => {}
        }
        if depth == 0 {
            cuts.push(start + at);
            let between = cuts.windows(2).map(|cut| &pattern[cut[0] + 1..cut[1]]);
            let behind = &pattern[start + at + 1..];
            return Some(between.map(|choice| format!("{}{choice}{behind}", &pattern[..start])).collect());
        }
    }
    None
}

/// Rows of a table: whether the pattern from there on fits the path from there on.
fn fits(pattern: &[char], path: &[char]) -> bool {
    // `next[j]` answers for the pattern behind the piece that is looked at.
    let mut next: Vec<bool> = (0..=path.len()).map(|at| at == path.len()).collect();
    for (piece, at) in pieces(pattern).into_iter().rev() {
        let begins = at == 0 || pattern[at - 1] == '/';
        let mut row = vec![false; path.len() + 1];
        for from in (0..=path.len()).rev() {
            let here = path.get(from).copied();
            let is_first = from == 0 || path[from - 1] == '/';
            let hidden = is_first && here == Some('.');
            row[from] = match &piece {
                // `**/`: any folders, none too.
                Piece::Folders => {
                    next[from]
                        || (!hidden && here.is_some() && skip_segment(path, from).is_some_and(|behind| row[behind]))
                }
                Piece::Rest => next[from] || (here.is_some() && !hidden && row[from + 1]),
                Piece::Any => {
                    let may = here.is_some_and(|c| c != '/') && !(hidden && begins);
                    (!(hidden && begins) && next[from]) || (may && row[from + 1])
                }
                Piece::One => here.is_some_and(|c| c != '/') && !hidden && next[from + 1],
                Piece::Class(class) => here.is_some_and(|c| c != '/' && class.holds(c)) && !hidden && next[from + 1],
                Piece::Char(wanted) => here == Some(*wanted) && next[from + 1],
            };
        }
        next = row;
    }
    next[0]
}

fn skip_segment(path: &[char], from: usize) -> Option<usize> {
    path[from..].iter().position(|c| *c == '/').map(|length| from + length + 1)
}

enum Piece {
    Folders,
    Rest,
    Any,
    One,
    Class(Class),
    Char(char),
}

struct Class {
    negated: bool,
    ranges: Vec<(char, char)>,
}

impl Class {
    fn holds(&self, c: char) -> bool {
        self.ranges.iter().any(|(start, end)| (*start..=*end).contains(&c)) != self.negated
    }
}

/// The pieces of a pattern with where each begins.
fn pieces(pattern: &[char]) -> Vec<(Piece, usize)> {
    let (mut all, mut at) = (Vec::new(), 0);
    while let Some(c) = pattern.get(at) {
        let begins = at == 0 || pattern[at - 1] == '/';
        let (piece, length) = match c {
            '*' if begins && pattern[at..].starts_with(&['*', '*', '/']) => (Piece::Folders, 3),
            '*' if begins && pattern[at..] == ['*', '*'] => (Piece::Rest, 2),
            '*' => (Piece::Any, pattern[at..].iter().take_while(|c| **c == '*').count()),
            '?' => (Piece::One, 1),
            '[' => match class(&pattern[at + 1..]) {
                Some((class, length)) => (Piece::Class(class), length + 1),
                None => (Piece::Char('['), 1),
            },
            '\\' if at + 1 < pattern.len() => (Piece::Char(pattern[at + 1]), 2),
            c => (Piece::Char(*c), 1),
        };
        all.push((piece, at));
        at += length;
    }
    all
}

fn class(rest: &[char]) -> Option<(Class, usize)> {
    let negated = matches!(rest.first(), Some('!' | '^'));
    let start = usize::from(negated);
    let end = rest.iter().enumerate().skip(start + 1).find(|(_, c)| **c == ']').map(|(at, _)| at)?;
    let (mut ranges, mut at) = (Vec::new(), start);
    while at < end {
        if at + 2 < end && rest[at + 1] == '-' {
            ranges.push((rest[at], rest[at + 2]));
            at += 3;
        } else {
            ranges.push((rest[at], rest[at]));
            at += 1;
        }
    }
    Some((Class { negated, ranges }, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_as_the_bundler_reads_them() {
        let cases = [
            ("src/*.ts", "src/a.ts", true),
            ("src/*.ts", "src/b/a.ts", false),
            ("src/**/*.ts", "src/a.ts", true),
            ("src/**/*.ts", "src/b/c/a.ts", true),
            ("src/**", "src/b/c.css", true),
            ("src/**", "src", false),
            ("src/*.{ts,tsx}", "src/a.tsx", true),
            ("src/{a,b/{c,d}}.ts", "src/b/d.ts", true),
            ("src/?.ts", "src/é.ts", true),
            ("src/[a-c].ts", "src/b.ts", true),
            ("src/[!a-c].ts", "src/b.ts", false),
            ("src/[id].ts", "src/i.ts", true),
            ("src/\\[id\\].ts", "src/[id].ts", true),
            ("src/*", "src/.hidden", false),
            ("src/**/*.ts", "src/.git/a.ts", false),
            ("src/a*b*c", "src/aXbYbZc", true),
            ("src/*/a.ts", "src/a.ts", false),
        ];
        for (pattern, path, want) in cases {
            assert_eq!(Glob::new(pattern).matches(path), want, "{pattern} {path}");
        }
    }

    #[test]
    fn braces_that_multiply_match_nothing() {
        assert!(!Glob::new(&"{a,b}".repeat(20)).matches(&"a".repeat(20)));
        assert!(!Glob::new(&"*".repeat(1_025)).matches("a"));
    }
}
