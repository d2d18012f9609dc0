//! Faults that the host mends itself, before a model attempt is spent (spec: authoring.md §6.3).
//!
//! Invariant: a fix is one that the check proposed or one of the short list here; it never adds a capability, a
//! contribution or an expectation, and a round that does not lower the number of findings is taken back.

use std::sync::LazyLock;

use holdpoint_check::json::unescape;
use holdpoint_check::{Code, Diagnostic, FixTarget, Position, args, codes, json};
use regex::Regex;
use serde_json::Value;

use super::judged::judge;
use super::policy::MANIFEST;
use holdpoint_bundle::Files;

use crate::planning::Autofix;

codes! {
    /// a byte order mark was removed
    BYTE_ORDER_MARK: Info, "The byte order mark was removed.";
    /// line endings were made LF
    LINE_ENDINGS: Info, "Line endings were made LF.";
    INVALID_JSON / COMMENTS: Info, "Comments and trailing commas were removed.";
}

const MAX_JSON_DEPTH: usize = 100;
const MAX_AUTOFIX_PASSES: u32 = 10;

/// Codes whose proposed fix is taken; the others' are for the model, which sees the whole.
const MENDED: [&str; 13] = [
    "CODE_UNKNOWN_NAME",
    "ACTIVATION_MISSING",
    "COMMAND_UNHANDLED",
    "UNKNOWN_COMMAND",
    "UNKNOWN_FIXTURE",
    "UNKNOWN_REFERENCE",
    "FILE_NOT_FOUND",
    "UNKNOWN_FIELD",
    "INVALID_VALUE",
    "UNKNOWN_ICON",
    "INVALID_SLOT",
    "CAPABILITY_UNUSED",
    "CAPABILITY_DUPLICATE",
];

static MODULE_EXPORTS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^module\.exports\s*=\s*").expect("a constant pattern is valid"));
static FUNCTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^(?:async\s+)?function\s*\*?\s*([A-Za-z_$][\w$]*)\s*\(|^(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=\s*(?:async\s*)?(?:function\b|\([^)\n]*\)\s*=>|[A-Za-z_$][\w$]*\s*=>)")
        .expect("a constant pattern is valid")
});
static EXPORT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^\s*export\b").expect("a constant pattern is valid"));

/// Mends what can be mended; the list says what was done.
pub fn mend(files: &mut Files) -> Vec<Autofix> {
    let mut done = Vec::new();
    let paths: Vec<String> = files.keys().cloned().collect();
    for path in paths {
        let text = &files[&path];
        let (plain, notes) = plain(&path, text);
        done.extend(notes.into_iter().map(|code| Autofix::new(path.as_str(), Diagnostic::of(code, args! {}))));
        files.insert(path, plain);
    }
    for _ in 0..MAX_AUTOFIX_PASSES {
        let findings = judge(files).diagnostics;
        // What looks unused beside an error may be what the mended code needs, and no fix gives it back.
        let broken = findings.iter().any(Diagnostic::is_error);
        let mut taken = findings.iter().filter(|finding| !(broken && finding.code == "CAPABILITY_UNUSED"));
        let Some((mended, fix)) = taken.find_map(|finding| one(files, finding)) else { break };
        if judge(&mended).diagnostics.len() >= findings.len() {
            break;
        }
        *files = mended;
        done.push(fix);
    }
    done
}

/// Line endings, byte order marks, and JSON that has comments or trailing commas.
fn plain(path: &str, text: &str) -> (String, Vec<&'static Code>) {
    let mut notes = Vec::new();
    let mut text = text.to_owned();
    if let Some(rest) = text.strip_prefix('\u{feff}') {
        text = rest.to_owned();
        notes.push(&BYTE_ORDER_MARK);
    }
    if text.contains('\r') {
        text = text.replace("\r\n", "\n").replace('\r', "\n");
        notes.push(&LINE_ENDINGS);
    }
    if path.ends_with(".json") && json::read(&text, MAX_JSON_DEPTH).is_err() {
        let strict = without_comments(&text);
        if json::read(&strict, MAX_JSON_DEPTH).is_ok() {
            text = strict;
            notes.push(&COMMENTS);
        }
    }
    (text, notes)
}

/// The text without `//` and `/* */` outside strings, and without commas before a closing bracket.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut in_string = false;
    while let Some(c) = rest.next() {
        match (in_string, c, rest.peek()) {
            (true, '\\', Some(_)) => {
                out.push(c);
                out.extend(rest.next());
            }
            (_, '"', _) => {
                in_string = !in_string;
                out.push(c);
            }
            (false, '/', Some('/')) => {
                while rest.peek().is_some_and(|next| *next != '\n') {
                    rest.next();
                }
            }
            (false, '/', Some('*')) => {
                rest.next();
                let mut last = ' ';
                for next in rest.by_ref() {
                    if last == '*' && next == '/' {
                        break;
                    }
                    last = next;
                }
            }
            (false, ']' | '}', _) => {
                let kept = out.trim_end();
                if kept.ends_with(',') {
                    let comma = kept.len() - 1;
                    out.remove(comma);
                }
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

/// The files with one finding mended.
fn one(files: &Files, finding: &Diagnostic) -> Option<(Files, Autofix)> {
    let path = finding.path.as_deref()?;
    let text = files.get(path)?;
    let mended = match (&*finding.code, &finding.fix) {
        (code, Some(fixes)) if MENDED.contains(&code) => {
            fixes.iter().try_fold(text.clone(), |text, fix| apply(&text, &fix.target))?
        }
        ("CAPABILITY_UNUSED" | "CAPABILITY_DUPLICATE", None) if path == MANIFEST => {
            remove_item(text, finding.pointer.as_deref()?)?
        }
        ("CODE_FORBIDDEN_GLOBAL" | "CODE_UNKNOWN_NAME" | "HANDLER_MISSING", None)
            if MODULE_EXPORTS.find_iter(text).count() == 1 =>
        {
            MODULE_EXPORTS.replace(text, "export default ").into_owned()
        }
        ("HANDLER_MISSING", None) => export_lone_function(text)?,
        _ => return None,
    };
    if mended == *text {
        return None;
    }
    let mut files = files.clone();
    files.insert(path.to_owned(), mended);
    let fix = Autofix::new(path, finding.clone());
    Some((files, fix))
}

fn export_lone_function(text: &str) -> Option<String> {
    if EXPORT.is_match(text) {
        return None;
    }
    let names: Vec<&str> = FUNCTION
        .captures_iter(text)
        .filter_map(|found| found.get(1).or_else(|| found.get(2)).map(|name| name.as_str()))
        .collect();
    let [name] = names.as_slice() else { return None };
    Some(format!("{}\nexport {{ {name} as default }};\n", text.trim_end_matches('\n')))
}

fn apply(text: &str, target: &FixTarget) -> Option<String> {
    match target {
        FixTarget::Text { range, text: new } => {
            let (start, end) = (offset(text, range.start)?, offset(text, range.end)?);
            Some(format!("{}{new}{}", text.get(..start)?, text.get(end..)?))
        }
        FixTarget::Value { pointer, value } => set(text, pointer, value),
    }
}

/// Sets the value at a pointer in JSON text; `null` removes an item, `/-` appends. What is not touched keeps its form.
fn set(text: &str, pointer: &str, value: &Value) -> Option<String> {
    if value.is_null() {
        return remove_item(text, pointer);
    }
    let document = json::read(text, MAX_JSON_DEPTH).ok()?;
    let new = value.to_string();
    if document.value.pointer(pointer).is_some() {
        let range = document.range(pointer);
        let (start, end) = (offset(text, range.start)?, offset(text, range.end)?);
        return Some(format!("{}{new}{}", &text[..start], &text[end..]));
    }
    let (parent, name) = pointer.rsplit_once('/')?;
    let holder = document.value.pointer(parent)?;
    let range = document.range(parent);
    let close = offset(text, range.end)?.checked_sub(1)?;
    let (row, empty) = match holder {
        Value::Array(items) if name == "-" || name == items.len().to_string() => (new, items.is_empty()),
        Value::Object(members) => {
            let name = unescape(name);
            (format!("{}: {new}", Value::from(name)), members.is_empty())
        }
        _ => return None,
    };
    let body = text[..close].trim_end();
    let (gap, tail) = (&text[body.len()..close], &text[body.len()..]);
    let comma = if empty { "" } else { "," };
    let indent: String = match body.rsplit_once('\n') {
        Some((_, line)) if !empty && gap.contains('\n') => {
            let lead = line.len() - line.trim_start().len();
            format!("\n{}", &line[..lead])
        }
        _ if empty => String::new(),
        _ => " ".to_owned(),
    };
    Some(format!("{body}{comma}{indent}{row}{tail}"))
}

/// Takes an item out of an array, with its comma.
fn remove_item(text: &str, pointer: &str) -> Option<String> {
    let document = json::read(text, MAX_JSON_DEPTH).ok()?;
    let (parent, index) = pointer.rsplit_once('/')?;
    let index: usize = index.parse().ok()?;
    let items = document.value.pointer(parent)?.as_array()?;
    items.get(index)?;
    let place = |index: usize| {
        let range = document.range(&format!("{parent}/{index}"));
        Some((offset(text, range.start)?, offset(text, range.end)?))
    };
    let (start, end) = place(index)?;
    let (from, to) = if index + 1 < items.len() {
        (start, place(index + 1)?.0)
    } else if index > 0 {
        (place(index - 1)?.1, end)
    } else {
        (start, end)
    };
    Some(format!("{}{}", &text[..from], &text[to..]))
}

/// The byte offset of a position in a text with LF endings.
fn offset(text: &str, position: Position) -> Option<usize> {
    let line_start = match position.line {
        0 => return None,
        1 => 0,
        line => text.match_indices('\n').nth(line as usize - 2)?.0 + 1,
    };
    let mut units = 1;
    for (at, c) in text[line_start..].char_indices() {
        if units >= position.column || c == '\n' {
            return Some(line_start + at);
        }
        units += c.len_utf16() as u32;
    }
    Some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn json_that_is_nearly_strict() {
        let text = "{\n  // why\n  \"a\": \"http://x\", /* b */\n  \"c\": [1, 2,],\n}\n";
        let (mended, notes) = plain("manifest.json", text);
        assert_eq!(serde_json::from_str::<Value>(&mended).unwrap(), json!({"a": "http://x", "c": [1, 2]}));
        assert_eq!(notes[0].name, "INVALID_JSON");
        assert_eq!(plain("src/a.js", "// x\r\n").0, "// x\n");
    }

    #[test]
    fn values_keep_the_form_around() {
        let text = "{\n  \"a\": [\"x\", \"y\"],\n  \"b\": {}\n}\n";
        assert_eq!(set(text, "/a/1", &json!("z")).unwrap(), "{\n  \"a\": [\"x\", \"z\"],\n  \"b\": {}\n}\n");
        assert_eq!(set(text, "/a/-", &json!("z")).unwrap(), "{\n  \"a\": [\"x\", \"y\", \"z\"],\n  \"b\": {}\n}\n");
        assert_eq!(set(text, "/b/k~1l", &json!(1)).unwrap(), "{\n  \"a\": [\"x\", \"y\"],\n  \"b\": {\"k/l\": 1}\n}\n");
        assert_eq!(set(text, "/c", &json!(1)).unwrap(), "{\n  \"a\": [\"x\", \"y\"],\n  \"b\": {},\n  \"c\": 1\n}\n");
        assert_eq!(remove_item(text, "/a/0").unwrap(), "{\n  \"a\": [\"y\"],\n  \"b\": {}\n}\n");
        assert_eq!(remove_item(text, "/a/1").unwrap(), "{\n  \"a\": [\"x\"],\n  \"b\": {}\n}\n");
    }

    #[test]
    fn a_lone_function_is_exported() {
        let text = "async function run(ctx) {\n  return 1;\n}\n";
        assert_eq!(
            export_lone_function(text).unwrap(),
            format!("{text}\nexport {{ run as default }};\n").replace("\n\n", "\n")
        );
        assert_eq!(export_lone_function("function a() {}\nfunction b() {}\n"), None);
        assert_eq!(export_lone_function("export const x = 1;\nfunction a() {}\n"), None);
    }
}
