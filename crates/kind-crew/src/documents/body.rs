//! The body of a Markdown file: known sections and fenced blocks (spec: crew-package.md §4).

use std::ops::Range;

/// A section that every step has, or may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// What the step is for.
    Goal,
    Instructions,
    Completion,
}

impl Section {
    pub const ALL: [Self; 3] = [Self::Goal, Self::Instructions, Self::Completion];

    /// As its heading is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Goal => "Goal",
            Self::Instructions => "Instructions",
            Self::Completion => "Completion",
        }
    }

    /// The section that a heading opens, after one trailing suffix in round brackets is removed.
    fn of(heading: &str) -> Option<Self> {
        let suffix = if heading.ends_with([')', '）']) { heading.rfind(['(', '（']) } else { None };
        let name = suffix.map_or(heading, |at| &heading[..at]);
        Self::ALL.into_iter().find(|section| section.name().eq_ignore_ascii_case(name.trim()))
    }
}

/// A known section where it stands, as bytes of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Headed {
    pub section: Section,
    /// Its heading's line, without the line's end.
    pub heading: Range<usize>,
    pub content: Range<usize>,
}

/// A fenced block, as bytes of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence {
    pub info: Range<usize>,
    /// The lines between the fences.
    pub content: Range<usize>,
}

/// A body that was read.
#[derive(Debug)]
pub struct Prose<'t> {
    pub text: &'t str,
    pub from: usize,
    /// Known sections in the order of the text; the first of a name counts.
    pub sections: Vec<Headed>,
    /// Fenced blocks in the order of the text.
    pub fences: Vec<Fence>,
}

impl Prose<'_> {
    /// The section of a name that counts.
    pub fn section(&self, section: Section) -> Option<&Headed> {
        self.sections.iter().find(|found| found.section == section)
    }
}

/// Reads what follows the frontmatter.
pub fn read(text: &str, from: usize) -> Prose<'_> {
    let (mut sections, mut fences): (Vec<Headed>, Vec<Fence>) = (Vec::new(), Vec::new());
    // The last section, while it goes on; the fence that is open, with its mark.
    let mut in_section = false;
    let mut open: Option<(u8, usize)> = None;
    let mut at = from;
    for whole in text[from..].split_inclusive('\n') {
        let line = whole.strip_suffix('\n').map_or(whole, |line| line.strip_suffix('\r').unwrap_or(line));
        let next = at + whole.len();
        if let Some((mark, count)) = open {
            if closes(line, mark, count) {
                open = None;
            } else if let Some(fence) = fences.last_mut() {
                fence.content.end = next;
            }
        } else if let Some((mark, count, info)) = opens(line) {
            open = Some((mark, count));
            fences.push(Fence { info: at + info..at + line.len(), content: next..next });
        } else if let Some((level @ 1..=2, heading)) = heading(line) {
            if let Some(last) = sections.last_mut().filter(|_| in_section) {
                last.content.end = at;
            }
            let section = Section::of(heading).filter(|_| level == 2);
            in_section = section.is_some();
            if let Some(section) = section {
                sections.push(Headed { section, heading: at..at + line.len(), content: next..text.len() });
            }
        }
        at = next;
    }
    Prose { text, from, sections, fences }
}

/// Up to three blanks in front of a mark.
fn unindented(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(' ');
    (line.len() - rest.len() <= 3).then_some(rest)
}

/// The mark, its count and where the info string begins.
fn opens(line: &str) -> Option<(u8, usize, usize)> {
    let rest = unindented(line)?;
    let mark = *rest.as_bytes().first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let count = rest.bytes().take_while(|byte| *byte == mark).count();
    (count >= 3).then(|| (mark, count, line.len() - rest.len() + count))
}

fn closes(line: &str, mark: u8, least: usize) -> bool {
    let Some(rest) = unindented(line) else { return false };
    let count = rest.bytes().take_while(|byte| *byte == mark).count();
    count >= least && rest[count..].trim_matches([' ', '\t']).is_empty()
}

/// The level and text of an ATX heading.
fn heading(line: &str) -> Option<(usize, &str)> {
    let rest = unindented(line)?;
    let level = rest.bytes().take_while(|byte| *byte == b'#').count();
    let text = &rest[level..];
    if !(1..=6).contains(&level) || !(text.is_empty() || text.starts_with([' ', '\t'])) {
        return None;
    }
    let text = text.trim_matches([' ', '\t']);
    let closed = text.trim_end_matches('#');
    let dropped = closed.is_empty() || closed.ends_with([' ', '\t']);
    Some((level, if dropped { closed.trim_end_matches([' ', '\t']) } else { text }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings() {
        let cases = [
            ("# A", Some((1, "A"))),
            ("   ## A b ##  ", Some((2, "A b"))),
            ("##\tA", Some((2, "A"))),
            ("##", Some((2, ""))),
            ("## ##", Some((2, ""))),
            ("## A#", Some((2, "A#"))),
            ("## A #b", Some((2, "A #b"))),
            ("###### A", Some((6, "A"))),
            ("####### A", None),
            ("##A", None),
            ("    ## A", None),
            ("\t## A", None),
            ("A\n==", None),
        ];
        for (line, want) in cases {
            assert_eq!(heading(line), want, "{line:?}");
        }
    }

    #[test]
    fn names_of_sections() {
        for heading in ["Goal", "GOAL", "goal (of the step)", "Goal（x）", "Goal(x)", "Goal ()", "Goal (日本)"] {
            assert_eq!(Section::of(heading), Some(Section::Goal), "{heading}");
        }
        for heading in ["", "Goals", "The goal", "(x) Goal", "Goal (a) (b)", "Goal x)", "Goal [x]", "ＧＯＡＬ"] {
            assert_eq!(Section::of(heading), None, "{heading}");
        }
    }

    /// Name and content of each section.
    fn sections(text: &str) -> Vec<String> {
        let body = read(text, 0);
        body.sections.iter().map(|it| format!("{}:{}", it.section.name(), &text[it.content.clone()])).collect()
    }

    #[test]
    fn sections_end_at_their_level() {
        assert_eq!(sections("## Goal\na\n### b\nc\n## Other\nd\n"), ["Goal:a\n### b\nc\n"]);
        assert_eq!(sections("## Goal\na\n# Title\nb\n## instructions\nc"), ["Goal:a\n", "Instructions:c"]);
        assert_eq!(sections("## Goal\r\na\r\n## GOAL\r\n"), ["Goal:a\r\n", "Goal:"]);
        assert_eq!(sections("Goal\n----\n### Goal\n# Goal\n"), Vec::<String>::new());
        assert_eq!(sections("## Completion"), ["Completion:"]);
    }

    #[test]
    fn fences_hide_headings() {
        assert_eq!(sections("```\n## Goal\n```\n## Goal\na"), ["Goal:a"]);
        assert_eq!(sections("~~~~\n```\n~~~\n## Goal\n~~~~ \n## Goal\n"), ["Goal:"]);
        assert_eq!(sections("````\n``` \n## Goal\n"), Vec::<String>::new());
        assert_eq!(sections("```\n``` x\n## Goal\n```\n"), Vec::<String>::new());
        assert_eq!(sections("    ```\n## Goal\n    ```\n"), ["Goal:    ```\n"]);
        assert_eq!(sections("``\n## Goal\n``"), ["Goal:``"]);
        let text = "a\n```Python x\nb\nc\n```\n~~~\nd";
        let fences = read(text, 0).fences;
        let shown: Vec<_> = fences.iter().map(|it| (&text[it.info.clone()], &text[it.content.clone()])).collect();
        assert_eq!(shown, [("Python x", "b\nc\n"), ("", "d")]);
    }
}
