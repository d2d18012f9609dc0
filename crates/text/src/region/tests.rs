//! The readings of a region, by example.

use super::*;
use crate::header::hunk_header;
use crate::transport::transport;

fn shown(header: &str, body: &str) -> Vec<String> {
    let numbers = hunk_header(header).unwrap().numbers;
    let readings = Readings::new(transport(body, false).lines, numbers);
    let show = |reading: &Reading| {
        let lines: Vec<String> = reading
            .lines
            .iter()
            .map(|line| {
                let sign = match line.kind {
                    Kind::Context if line.with_blank.is_some() => '~',
                    Kind::Context => ' ',
                    Kind::Delete => '-',
                    Kind::Insert => '+',
                };
                format!("{sign}{}", line.text)
            })
            .collect();
        let tags: Vec<String> = reading.tags.iter().map(|tag| tag.name()).collect();
        format!("{} [{}]", lines.join("|"), tags.join(" "))
    };
    readings.all().iter().map(show).collect()
}

#[test]
fn a_plain_body_has_its_two_way_form_as_well() {
    assert_eq!(shown("@@ -1,2 +1,2 @@", " a\n-b\n+c\n"), [" a|-b|+c []", "~a|-b|+c [restored_context_prefix]"]);
}

#[test]
fn blank_marked_lines_that_follow_are_taken_first() {
    let readings = shown("@@ -1,2 +1,2 @@", " a\n-b\n+c\n d\n");
    assert_eq!(readings[..2], [" a|-b|+c| d [rewrote_hunk_header_counts]", " a|-b|+c [dropped_text_outside_hunks]"]);
}

#[test]
fn empty_lines_between_inserts() {
    assert_eq!(
        shown("@@ -1,1 +1,4 @@", " a\n+b\n\n+c\n")[..2],
        [" a|+b|+|+c [restored_blank_inserts]", " a|+b| |+c [rewrote_hunk_header_counts restored_blank_lines]"]
    );
}

#[test]
fn unmarked_lines_are_context() {
    assert_eq!(
        shown("@@ -1,3 +1,3 @@", "a\n-b\n+c\n d\n"),
        ["a|-b|+c|~d [restored_context_prefix]"].map(|line| format!(" {line}"))
    );
}

#[test]
fn prose_behind_an_uncounted_body() {
    assert_eq!(
        shown("@@", " a\n-b\n+c\n\nThis is why:\n- it is better\n")[..1],
        [" a|-b|+c [dropped_text_outside_hunks dropped_diff_like_text]"]
    );
    assert_eq!(
        shown("@@", " a\n-b\n+c\nd\n\nwords\n")[..2],
        ["~a|-b|+c| d [dropped_text_outside_hunks restored_context_prefix]", " a|-b|+c [dropped_text_outside_hunks]"]
    );
}

#[test]
fn whole_bodies() {
    assert!(shown("@@ -1,2 +1,2 @@", "   a\n  -b\n  +c\n").contains(&" a|-b|+c [dedented_hunk_body]".to_owned()));
    assert!(shown("@@", "  a\n- b\n+ c\n").contains(&" a|-b|+c [removed_marker_padding]".to_owned()));
    assert!(shown("@@", " 7: a\n-8: b\n+8: c\n").contains(&" a|-b|+c [stripped_line_numbers]".to_owned()));
    assert!(shown("@@", " a &lt; b\n-c\n").contains(&" a < b|-c [decoded_html_entities]".to_owned()));
    assert_eq!(shown("@@ -1 +1 @@", " a\n"), Vec::<String>::new());
}
