//! The header of a hunk (spec: text-engine.md §5 "Hunk header").
//!
//! Invariant: numbers are evidence, never commands; a header that cannot be read leaves an unnumbered hunk.

use crate::transport::is_blank_char;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct HunkHeader {
    /// The line as it was.
    pub text: String,
    pub numbers: Option<Numbers>,
    /// Outer first; text that says where the hunk is.
    pub anchors: Vec<String>,
    /// `@@ -A[,B] +C[,D] @@[ section]`, as a diff writes it.
    pub canonical: bool,
}

/// The numbers of a header. The start on the new side is never used to find a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub old_start: usize,
    pub old_count: usize,
    pub new_start: usize,
    pub new_count: usize,
}

/// A number of more than nine significant digits.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct AbsurdNumber;

/// Reads a line that begins with `@@`.
pub(crate) fn hunk_header(line: &str) -> Result<HunkHeader, AbsurdNumber> {
    let text = line.to_owned();
    if let Some((numbers, section)) = numbered(line)? {
        let anchors = anchor(section).into_iter().collect();
        return Ok(HunkHeader { text, numbers: Some(numbers), anchors, canonical: is_canonical(line) });
    }
    let rest = line.trim_start_matches('@').trim_matches(is_blank_char);
    let rest = rest.strip_suffix("@@").unwrap_or(rest);
    Ok(HunkHeader { text, numbers: None, anchors: anchor(rest).into_iter().collect(), canonical: true })
}

/// `@@ -A[,B] +C[,D] @@[ section]`; blanks and the second `@@` may be missing.
fn numbered(line: &str) -> Result<Option<(Numbers, &str)>, AbsurdNumber> {
    let Some(rest) = line.strip_prefix("@@") else { return Ok(None) };
    let Some((old_start, old_count, rest)) = range(rest, '-')? else { return Ok(None) };
    let Some((new_start, new_count, rest)) = range(rest, '+')? else { return Ok(None) };
    let rest = rest.trim_start_matches(is_blank_char);
    let section = rest.strip_prefix("@@").unwrap_or(rest);
    Ok(Some((Numbers { old_start, old_count, new_start, new_count }, section)))
}

/// `-A[,B]`; an omitted count is 1.
fn range(text: &str, sign: char) -> Result<Option<(usize, usize, &str)>, AbsurdNumber> {
    let Some(text) = text.trim_start_matches(is_blank_char).strip_prefix(sign) else { return Ok(None) };
    let Some((start, rest)) = number(text)? else { return Ok(None) };
    let Some(counted) = rest.trim_start_matches(is_blank_char).strip_prefix(',') else {
        return Ok(Some((start, 1, rest)));
    };
    match number(counted)? {
        Some((count, rest)) => Ok(Some((start, count, rest))),
        None => Ok(None),
    }
}

fn number(text: &str) -> Result<Option<(usize, &str)>, AbsurdNumber> {
    const MAX_DIGITS: usize = 9;
    let text = text.trim_start_matches(is_blank_char);
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let significant = digits.trim_start_matches('0');
    if significant.len() > MAX_DIGITS {
        return Err(AbsurdNumber);
    }
    // Nine digits always fit.
    Ok((!digits.is_empty()).then(|| (significant.parse().unwrap_or(0), rest)))
}

/// Whether the line is a header as a diff writes it.
pub(crate) fn is_canonical(line: &str) -> bool {
    let digits = |text: &mut &str| {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        *text = &text[end..];
        end > 0
    };
    let Some(mut rest) = line.strip_prefix("@@ -") else { return false };
    for lead in ["", " +"] {
        let Some(after) = rest.strip_prefix(lead) else { return false };
        rest = after;
        if !digits(&mut rest) {
            return false;
        }
        if let Some(after) = rest.strip_prefix(',') {
            rest = after;
            if !digits(&mut rest) {
                return false;
            }
        }
    }
    rest.strip_prefix(" @@").is_some_and(|section| section.is_empty() || section.starts_with(' '))
}

/// The text behind `@@`, trimmed, when it can say where the hunk is.
fn anchor(text: &str) -> Option<String> {
    let text = text.trim_matches(is_blank_char);
    let number = text
        .strip_prefix('-')
        .is_some_and(|rest| rest.trim_start_matches(is_blank_char).starts_with(|c: char| c.is_ascii_digit()));
    (!text.is_empty() && text != "..." && text != "\u{2026}" && !number).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        type Case = (&'static str, Option<[usize; 4]>, &'static [&'static str], bool);
        let cases: &[Case] = &[
            ("@@ -1,2 +3,4 @@", Some([1, 2, 3, 4]), &[], true),
            ("@@ -1 +3 @@ fn a() {", Some([1, 1, 3, 1]), &["fn a() {"], true),
            ("@@-1,2+3,4@@", Some([1, 2, 3, 4]), &[], false),
            ("@@ -1,2 +3,4", Some([1, 2, 3, 4]), &[], false),
            ("@@ -0001,2 +3,4 @@ ...", Some([1, 2, 3, 4]), &[], true),
            ("@@", None, &[], true),
            ("@@ ... @@", None, &[], true),
            ("@@ class A: @@", None, &["class A:"], true),
            ("@@ -10 @@", None, &[], true),
            ("@@ -1, +2 @@", None, &[], true),
        ];
        for (line, numbers, anchors, canonical) in cases {
            let header = hunk_header(line).unwrap();
            let got = header.numbers.map(|n| [n.old_start, n.old_count, n.new_start, n.new_count]);
            assert_eq!(
                (got, header.anchors, header.canonical),
                (*numbers, anchors.iter().map(|a| (*a).to_owned()).collect(), *canonical),
                "{line}"
            );
        }
        assert_eq!(hunk_header("@@ -1234567890 +1 @@"), Err(AbsurdNumber));
        assert!(hunk_header("@@ -0000000001 +1 @@").is_ok());
    }
}
