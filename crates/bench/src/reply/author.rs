//! A scripted author with one repair turn: it sees its own reply and what the tool said, and nothing else.

/// The reply once more, with the old lines rewritten that the message names; none where it names none of them.
///
/// A message names a line in backticks and says what stands in the file in the next pair of them.
pub fn repaired(reply: &str, message: &str) -> Option<String> {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let (said, stands) = (quoted.next()?, quoted.next()?);
    let mut changed = false;
    let lines: Vec<String> = reply
        .split('\n')
        .map(|line| {
            let marked = line.strip_prefix([' ', '-']).filter(|rest| *rest == said);
            match marked {
                Some(_) => {
                    changed = true;
                    format!("{}{stands}", &line[..1])
                }
                None if line == said => {
                    changed = true;
                    stands.to_owned()
                }
                None => line.to_owned(),
            }
        })
        .collect();
    changed.then(|| lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_lines_that_the_message_names() {
        let said = "The file has no line `  a = 1`; line 3 reads `  a = 2`. Send it again.";
        assert_eq!(
            repaired("@@\n   a = 1\n-  a = 1\n+  a = 1\n", said).as_deref(),
            Some("@@\n   a = 2\n-  a = 2\n+  a = 1\n")
        );
        assert_eq!(repaired("SEARCH\n  a = 1\n", said).as_deref(), Some("SEARCH\n  a = 2\n"));
        assert_eq!(repaired("b\n", said), None);
        assert_eq!(repaired("a\n", "Hunk #1 FAILED at 3."), None);
    }
}
