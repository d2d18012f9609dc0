//! Reading `multipart/form-data` whose bytes were counted when they came (RFC 7578).
//!
//! Owns where a part begins and ends; copies nothing. Invariant: what is no such form is told as such, never guessed.

/// A part of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormPart<'b> {
    /// What the form calls it.
    pub name: String,
    /// What its sender's file is called.
    pub file_name: Option<String>,
    pub bytes: &'b [u8],
}

/// Parts that are read; a form of ours has two.
const MAX_PARTS: usize = 32;

/// The boundary that a content type names.
pub fn boundary(content_type: &str) -> Option<String> {
    let (kind, rest) = content_type.split_once(';')?;
    if !kind.trim().eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    parameter(rest, "boundary").filter(|boundary| (1..=70).contains(&boundary.len()))
}

/// The parts of a form; `None`: it is none.
pub fn parts<'b>(bytes: &'b [u8], boundary: &str) -> Option<Vec<FormPart<'b>>> {
    let line = format!("--{boundary}");
    let between = format!("\r\n--{boundary}");
    let mut rest = &bytes[find(bytes, line.as_bytes())? + line.len()..];
    let mut parts = Vec::new();
    while let Some(after) = rest.strip_prefix(b"\r\n") {
        if parts.len() == MAX_PARTS {
            return None;
        }
        let head = if after.starts_with(b"\r\n") { 0 } else { find(after, b"\r\n\r\n")? + 2 };
        let (told, body) = (std::str::from_utf8(&after[..head]).ok()?, &after[head + 2..]);
        let end = find(body, between.as_bytes())?;
        parts.push(part(told, &body[..end])?);
        rest = &body[end + between.len()..];
    }
    rest.starts_with(b"--").then_some(parts)
}

fn part<'b>(head: &str, bytes: &'b [u8]) -> Option<FormPart<'b>> {
    let disposition = head.split("\r\n").find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("content-disposition").then_some(value)
    })?;
    let rest = disposition.trim().strip_prefix("form-data")?;
    Some(FormPart { name: parameter(rest, "name")?, file_name: parameter(rest, "filename"), bytes })
}

/// A parameter behind a header's value, quoted or not.
fn parameter(rest: &str, wanted: &str) -> Option<String> {
    let mut rest = rest.trim_start();
    loop {
        rest = rest.trim_start_matches([';', ' ', '\t']);
        let (name, value) = rest.split_once('=')?;
        let (value, after) = match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => value.split_once(';').unwrap_or((value, "")),
        };
        if name.trim().eq_ignore_ascii_case(wanted) {
            return Some(value.trim().replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n"));
        }
        rest = after;
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let first = *wanted.first()?;
    let mut from = 0;
    while let Some(at) = bytes[from..].iter().position(|byte| *byte == first).map(|at| from + at) {
        if bytes[at..].starts_with(wanted) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn form(parts: &[(&str, &[u8])]) -> Vec<u8> {
        let mut bytes = b"ignored\r\n".to_vec();
        for (head, body) in parts {
            bytes.extend(b"--xyz\r\n");
            bytes.extend(head.as_bytes());
            bytes.extend(b"\r\n\r\n");
            bytes.extend(*body);
            bytes.extend(b"\r\n");
        }
        bytes.extend(b"--xyz--\r\n");
        bytes
    }

    #[test]
    fn files_and_fields() {
        let file =
            "Content-Disposition: form-data; name=\"file\"; filename=\"a b.zip\"\r\nContent-Type: application/zip";
        let bytes =
            form(&[(file, b"PK\r\n--xy\0"), ("content-disposition: form-data; name=custom_name", "Å".as_bytes())]);
        let read = parts(&bytes, "xyz").unwrap();
        let named = |part: &FormPart<'_>| (part.name.clone(), part.file_name.clone(), part.bytes.to_vec());
        assert_eq!(named(&read[0]), ("file".into(), Some("a b.zip".into()), b"PK\r\n--xy\0".to_vec()));
        assert_eq!(named(&read[1]), ("custom_name".into(), None, "Å".as_bytes().to_vec()));
        assert_eq!(parts(b"--xyz--", "xyz"), Some(Vec::new()));
    }

    #[test]
    fn what_is_no_form() {
        let good = form(&[("Content-Disposition: form-data; name=\"a\"", b"x")]);
        for length in 9..good.len() - 4 {
            assert_eq!(parts(&good[..length], "xyz"), None, "cut at {length}");
        }
        for head in [
            "",
            "Content-Type: text/plain",
            "Content-Disposition: attachment; name=a",
            "Content-Disposition: form-data",
        ] {
            assert_eq!(parts(&form(&[(head, b"x")]), "xyz"), None, "{head}");
        }
        assert_eq!(parts(b"", "xyz"), None);
        let many = form(&vec![("Content-Disposition: form-data; name=\"a\"", b"x".as_slice()); 33]);
        assert_eq!(parts(&many, "xyz"), None);
    }

    #[test]
    fn boundaries() {
        let cases = [
            ("multipart/form-data; boundary=abc", Some("abc")),
            ("Multipart/Form-Data; charset=utf-8; Boundary=\"a b\"", Some("a b")),
            ("multipart/form-data; boundary=", None),
            ("multipart/form-data", None),
            ("multipart/mixed; boundary=abc", None),
            ("application/json", None),
        ];
        for (kind, want) in cases {
            assert_eq!(boundary(kind).as_deref(), want, "{kind}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_strange(bytes in proptest::collection::vec(any::<u8>(), 0..200), inner in "[-a\r\n;=\":x]{0,60}") {
            let _ = parts(&bytes, "a");
            let _ = parts(inner.as_bytes(), "a");
            let _ = boundary(&inner);
        }

        #[test]
        fn whatever_a_part_holds_comes_out(body in proptest::collection::vec(any::<u8>(), 0..100)) {
            prop_assume!(find(&body, b"\r\n--xyz").is_none());
            let bytes = form(&[("Content-Disposition: form-data; name=\"a\"", &body)]);
            prop_assert_eq!(parts(&bytes, "xyz").unwrap()[0].bytes, &body[..]);
        }
    }
}
