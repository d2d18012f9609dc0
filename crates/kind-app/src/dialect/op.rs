//! One operation as a request writes it, read field by field so that every fault is told at once (spec: vite-app.md §3).

use holdpoint_bundle::PathError;
use holdpoint_check::{Diagnostic, args, codes};
use serde_json::{Map, Value};

use crate::check::ENTRY_NOT_CODE;
use crate::options::Layout;
use crate::policy::{self, can_start, is_binary, pointer_bytes, pointer_text};
use crate::project::BINARY_AS_TEXT;

codes! {
    /// an operation that is no object
    OP_INVALID: Error, "Write the operation as an object.";
    /// no operation of that name
    OP_UNKNOWN: Error, "Use one of `upsert_file`, `delete_file`, `rename_file`, `set_entry_file`, `patch`, `put_blob`.";
    /// a required member is absent or null
    OP_FIELD_MISSING: Error, "Send `{field}`." [field];
    /// a member has another type or form
    OP_FIELD_TYPE: Error, "Send {form} as `{field}`." [field, form];
}

/// An operation whose members are sound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    Upsert { path: String, content: String },
    Delete { path: String },
    Rename { from: String, to: String },
    SetEntry { path: String },
    Patch { path: String, patch: String },
    PutBlob { path: String, pointer: String },
}

/// An operation with what its file must hold when its turn comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guarded {
    pub operation: Operation,
    /// `sha256:` and 64 lower-case hex digits.
    pub expected: Option<String>,
}

/// Reads an operation, or tells every fault of its members.
pub fn read(value: &Value, at: &str, layout: Layout) -> Result<Guarded, Vec<Diagnostic>> {
    let Some(members) = value.as_object() else {
        return Err(vec![Diagnostic::of(&OP_INVALID, args! {}).at_pointer(at)]);
    };
    let mut reader = Reader { members, at, layout, found: Vec::new() };
    let operation = reader.operation();
    let expected = match operation {
        Some(Operation::SetEntry { .. } | Operation::PutBlob { .. }) => None,
        _ => reader.expected(),
    };
    let Reader { mut found, .. } = reader;
    match operation {
        Some(operation) if found.is_empty() => {
            if let Operation::Upsert { path, content } = &operation
                && is_binary(path)
                && pointer_bytes(content).is_none()
            {
                found.push(Diagnostic::of(&BINARY_AS_TEXT, args! {}).at_pointer(format!("{at}/content")));
                return Err(found);
            }
            Ok(Guarded { operation, expected })
        }
        _ => Err(found),
    }
}

struct Reader<'v> {
    members: &'v Map<String, Value>,
    at: &'v str,
    layout: Layout,
    found: Vec<Diagnostic>,
}

/// The hex digits of a hash, in lower case.
fn hex_of(text: &str) -> Option<String> {
    let digits = text.strip_prefix("sha256:").unwrap_or(text);
    let fits = digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    fits.then(|| digits.to_ascii_lowercase())
}

impl Reader<'_> {
    fn operation(&mut self) -> Option<Operation> {
        let name = match self.members.get("op") {
            Some(Value::String(name)) => name.as_str(),
            _ => "",
        };
        match name {
            "upsert_file" => {
                let (path, content) = (self.judged("path"), self.text("content"));
                Some(Operation::Upsert { path: path?, content: content? })
            }
            "delete_file" => Some(Operation::Delete { path: self.normal("path")? }),
            "rename_file" => {
                let (from, to) = (self.normal("from_path"), self.judged("to_path"));
                Some(Operation::Rename { from: from?, to: to? })
            }
            "set_entry_file" => {
                let path = self.judged("entry_file")?;
                if !can_start(&path) {
                    self.put("entry_file", Diagnostic::of(&ENTRY_NOT_CODE, args! {}));
                    return None;
                }
                Some(Operation::SetEntry { path })
            }
            "patch" => {
                let (path, patch) = (self.judged("path"), self.text("patch"));
                Some(Operation::Patch { path: path?, patch: patch? })
            }
            "put_blob" => self.blob(),
            _ => {
                self.put("op", Diagnostic::of(&OP_UNKNOWN, args! {}));
                None
            }
        }
    }

    fn blob(&mut self) -> Option<Operation> {
        let (path, blob) = (self.judged("path"), self.text("blob"));
        let given = self.member("bytes").map(|value| value.as_u64().filter(|bytes| *bytes > 0));
        if given == Some(None) {
            self.wrong("bytes", "a whole number above 0");
        }
        let bytes = given.flatten();
        let (path, blob, bytes) = (path?, blob?, bytes?);
        if !is_binary(&path) {
            self.put("path", Diagnostic::of(&BINARY_AS_TEXT, args! {}));
            return None;
        }
        let hash = blob.strip_prefix("sha256:").filter(|hex| hex_of(hex).as_deref() == Some(*hex));
        if hash.is_none() {
            self.wrong("blob", "`sha256:` and 64 lower-case hex digits");
            return None;
        }
        Some(Operation::PutBlob { path, pointer: pointer_text(&blob, bytes) })
    }

    fn expected(&mut self) -> Option<String> {
        let value = self.members.get("expected_hash").filter(|value| !value.is_null())?;
        let hash = value.as_str().and_then(hex_of);
        if hash.is_none() {
            self.wrong("expected_hash", "64 hex digits, with or without `sha256:`");
        }
        hash.map(|hex| format!("sha256:{hex}"))
    }

    fn put(&mut self, field: &str, finding: Diagnostic) {
        self.found.push(finding.at_pointer(format!("{}/{field}", self.at)));
    }

    fn wrong(&mut self, field: &str, form: &str) {
        self.put(field, Diagnostic::of(&OP_FIELD_TYPE, args! { field, form }));
    }

    fn member(&mut self, field: &str) -> Option<&Value> {
        match self.members.get(field) {
            None | Some(Value::Null) => {
                self.put(field, Diagnostic::of(&OP_FIELD_MISSING, args! { field }));
                None
            }
            found => found,
        }
    }

    fn text(&mut self, field: &str) -> Option<String> {
        let text = self.member(field)?.as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong(field, "a text");
        }
        text
    }

    fn faulty(&mut self, field: &str, fault: PathError) {
        self.put(field, Diagnostic::of(fault.code(), args! {}));
    }

    /// A path in its normal form.
    fn normal(&mut self, field: &str) -> Option<String> {
        let raw = self.text(field)?;
        match policy::normalise(&raw) {
            Ok(path) => Some(path.as_str().to_owned()),
            Err(fault) => {
                self.faulty(field, fault);
                None
            }
        }
    }

    /// A path in its normal form, where a file may lie.
    fn judged(&mut self, field: &str) -> Option<String> {
        let raw = self.text(field)?;
        let judged = policy::normalise(&raw).and_then(|path| policy::judge(&path, self.layout).map(|()| path));
        match judged {
            Ok(path) => Some(path.as_str().to_owned()),
            Err(fault) => {
                self.faulty(field, fault);
                None
            }
        }
    }
}
