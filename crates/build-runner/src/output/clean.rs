//! Bytes of a tool, cut into lines without anything that steers a terminal.

/// Removes escape sequences and control characters but tab and line feed. What was no UTF-8 becomes U+FFFD. A carriage
/// return ends a line as a line feed does, so that a bar of progress cannot overwrite what stood before.
pub fn clean(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut cleaned = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\u{1b}' => skip_sequence(&mut characters),
            '\u{9b}' => skip_control(&mut characters),
            '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => skip_string(&mut characters),
            '\r' => {
                if characters.peek() != Some(&'\n') {
                    cleaned.push('\n');
                }
            }
            '\t' | '\n' => cleaned.push(character),
            other if other.is_control() || is_invisible(other) => {}
            other => cleaned.push(other),
        }
    }
    cleaned
}

/// Characters that turn the direction of a text or hide in it.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

type Characters<'t> = std::iter::Peekable<std::str::Chars<'t>>;

/// What follows an escape character.
fn skip_sequence(characters: &mut Characters<'_>) {
    match characters.peek() {
        Some('[') => {
            characters.next();
            skip_control(characters);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => skip_string(characters),
        Some(' '..='/') => {
            while characters.next_if(|next| (' '..='/').contains(next)).is_some() {}
            characters.next_if(|next| ('0'..='~').contains(next));
        }
        Some('0'..='~') => {
            characters.next();
        }
        _ => {}
    }
}

/// A control sequence: parameters, then one final character.
fn skip_control(characters: &mut Characters<'_>) {
    while characters.next_if(|next| (' '..='?').contains(next)).is_some() {}
    characters.next_if(|next| ('@'..='~').contains(next));
}

/// A title, a link or another string: to its end mark, at most to the end of the line.
fn skip_string(characters: &mut Characters<'_>) {
    while let Some(next) = characters.next_if(|next| *next != '\n') {
        if matches!(next, '\u{7}' | '\u{9c}') {
            return;
        }
        if next == '\u{1b}' && characters.next_if_eq(&'\\').is_some() {
            return;
        }
    }
}

/// Cuts a stream of bytes into lines of at most a given length.
#[derive(Debug)]
pub struct LineSplitter {
    held: Vec<u8>,
    max: usize,
}

impl LineSplitter {
    pub fn new(max: usize) -> Self {
        Self { held: Vec::new(), max }
    }

    /// Takes bytes and gives the lines that are complete now, each with its line feed, and pieces of a longer one.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut lines = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let mut rest = piece;
            while self.held.len() + rest.len() > self.max {
                let (now, later) = rest.split_at(self.max - self.held.len());
                self.held.extend_from_slice(now);
                let cut = character_start(&self.held);
                let behind = self.held.split_off(cut);
                lines.push(std::mem::replace(&mut self.held, behind));
                rest = later;
            }
            self.held.extend_from_slice(rest);
            if self.held.ends_with(b"\n") {
                lines.push(std::mem::take(&mut self.held));
            }
        }
        lines
    }

    /// What is left when the stream ends.
    pub fn finish(&mut self) -> Option<Vec<u8>> {
        (!self.held.is_empty()).then(|| std::mem::take(&mut self.held))
    }
}

/// Where the last character of a full buffer begins, if it is not whole; else the end.
fn character_start(bytes: &[u8]) -> usize {
    let tail = bytes.len().saturating_sub(3);
    match bytes[tail..].iter().rposition(|byte| *byte >= 0xc0) {
        Some(at) => {
            let start = tail + at;
            let wants = match bytes[start] {
                0xf0.. => 4,
                0xe0.. => 3,
                _ => 2,
            };
            if start + wants > bytes.len() && start > 0 { start } else { bytes.len() }
        }
        None => bytes.len(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_that_steers_a_terminal_is_left() {
        let cases: &[(&[u8], &str)] = &[
            (b"\x1b[31merror\x1b[0m: no", "error: no"),
            (b"\x1b]0;title\x07text", "text"),
            (b"\x1b]8;;https://x\x1b\\link\x1b]8;;\x1b\\", "link"),
            (b"\x1bPq\nline", "\nline"),
            (b"\x1b[2J\x1b[1;1Hgone", "gone"),
            (b"\x1b(Bx\x1bcy\x1b", "xy"),
            ("\u{9b}31mred\u{9d}t\u{9c}.".as_bytes(), "red."),
            (b"10%\r20%\r\ndone\x08\x00\x7f\n", "10%\n20%\ndone\n"),
            (b"a\xffb\tc", "a\u{fffd}b\tc"),
            ("x\u{202e}y\u{200b}z".as_bytes(), "xyz"),
            (b"\x1b[", ""),
        ];
        for (bytes, want) in cases {
            assert_eq!(clean(bytes), *want, "{bytes:?}");
        }
    }

    #[test]
    fn lines_are_whole_or_as_long_as_they_may_be() {
        let mut splitter = LineSplitter::new(5);
        assert_eq!(splitter.push(b"ab\ncd"), [b"ab\n".to_vec()]);
        assert_eq!(splitter.push(b"e\n"), [b"cde\n".to_vec()]);
        assert_eq!(splitter.push("1234äx".as_bytes()), [b"1234".to_vec()]);
        assert_eq!(splitter.finish().unwrap(), "äx".as_bytes());
        assert!(splitter.finish().is_none());
    }

    proptest! {
        #[test]
        fn no_byte_is_lost_and_no_character_is_cut(text in "[a-zäö🙂\n]{0,80}", max in 4_usize..12, step in 1_usize..9) {
            let mut splitter = LineSplitter::new(max);
            let mut lines: Vec<Vec<u8>> = Vec::new();
            for piece in text.as_bytes().chunks(step) {
                lines.extend(splitter.push(piece));
            }
            lines.extend(splitter.finish());
            for line in &lines {
                prop_assert!(line.len() <= max && std::str::from_utf8(line).is_ok(), "{:?}", lines);
            }
            prop_assert_eq!(lines.concat(), text.into_bytes());
        }

        #[test]
        fn cleaning_ends_and_leaves_no_control(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let cleaned = clean(&bytes);
            prop_assert!(cleaned.chars().all(|c| !c.is_control() || matches!(c, '\t' | '\n')));
        }
    }
}
