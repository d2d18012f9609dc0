//! Guided set-ups of common services: data of `data/scaffolds`, with the values of whoever asks (spec: app-builder.md §3).
//!
//! Invariants: a value stands in code as one literal, whatever it holds; a set-up is a list of operations and becomes a
//! proposal, so nothing is written before its person saw it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use holdpoint_check::json::join;
use holdpoint_check::{ApiError, args, codes};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::requests::looks_secret;

codes! {
    NOT_FOUND / NO_SCAFFOLD: Error, "There is no such set-up. List them.";
    INVALID_INPUT / NO_FIELD: Error, "Leave this out: the set-up has no such field.";
    INVALID_INPUT / FIELD_MISSING: Error, "Fill in: {label}." [label];
    INVALID_INPUT / FIELD_URL: Error, "Send an address like {example}, without a query or a password." [example];
    INVALID_INPUT / FIELD_ID: Error, "Send 1 to {limit} letters, digits and signs without a blank." [limit];
    INVALID_INPUT / FIELD_TEXT: Error, "Send one line of 1 to {limit} characters." [limit];
    ENV_SECRET_VALUE / FIELD_SECRET: Error, "Leave this secret out: everybody can read what a page is built with.";
}

const MAX_TEXT: usize = 200;
const MAX_URL: usize = 2_048;
/// What stands on both sides of the name of a field where its value comes.
const MARK: &str = "__";

/// A set-up as its data says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Scaffold {
    pub key: String,
    pub name: String,
    pub description: String,
    pub fields: Vec<ScaffoldField>,
    pub operations: Vec<ScaffoldOperation>,
    /// Names of settings that its code reads.
    pub env: Vec<String>,
    /// What is left to do; `{name}` stands for the value of a field.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScaffoldField {
    pub name: String,
    pub label: String,
    pub form: FieldForm,
    pub example: String,
    /// Its value where none is sent; without one it has to be filled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub default: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum FieldForm {
    /// An address of the web, without query and password.
    Url,
    /// A word of visible ASCII.
    Id,
    /// One line that holds anything.
    Text,
}

/// A file that a set-up writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScaffoldOperation {
    /// The name of the operation, `upsert_file`.
    pub op: String,
    pub path: String,
    /// The file of its data that the text is made from.
    pub template: String,
}

/// What a set-up writes for these values.
#[derive(Debug, Clone, PartialEq)]
pub struct ScaffoldEdit {
    pub operations: Vec<Value>,
    pub notes: Vec<String>,
}

/// The data of each set-up, with its templates by name.
type ScaffoldData = (&'static str, &'static [(&'static str, &'static str)]);
const DATA: [ScaffoldData; 3] = [
    (
        include_str!("../data/scaffolds/form-endpoint/scaffold.json"),
        &[
            ("sendForm.ts", include_str!("../data/scaffolds/form-endpoint/sendForm.ts")),
            ("ContactForm.tsx", include_str!("../data/scaffolds/form-endpoint/ContactForm.tsx")),
        ],
    ),
    (
        include_str!("../data/scaffolds/oidc-login/scaffold.json"),
        &[
            ("oidc.ts", include_str!("../data/scaffolds/oidc-login/oidc.ts")),
            ("SignIn.tsx", include_str!("../data/scaffolds/oidc-login/SignIn.tsx")),
        ],
    ),
    (
        include_str!("../data/scaffolds/rest-api/scaffold.json"),
        &[
            ("api.ts", include_str!("../data/scaffolds/rest-api/api.ts")),
            ("api.test.ts", include_str!("../data/scaffolds/rest-api/api.test.ts")),
        ],
    ),
];

static ALL: LazyLock<Vec<Scaffold>> = LazyLock::new(|| {
    let read =
        |(data, _): &ScaffoldData| serde_json::from_str(data).expect("the data of a set-up is one, as a test says");
    DATA.iter().map(read).collect()
});

/// Every set-up, sorted by key.
pub fn all() -> &'static [Scaffold] {
    &ALL
}

/// What a set-up writes. Errors: `NOT_FOUND`; `INVALID_INPUT` and `ENV_SECRET_VALUE` at the field.
pub fn fill(key: &str, values: &BTreeMap<String, String>) -> Result<ScaffoldEdit, ApiError> {
    let found = ALL.iter().zip(DATA).find(|(own, _)| own.key == key);
    let (scaffold, (_, templates)) = found.ok_or_else(|| ApiError::of(&NO_SCAFFOLD, args! {}).status(404))?;
    if let Some(other) = values.keys().find(|name| !scaffold.fields.iter().any(|field| field.name == **name)) {
        return Err(ApiError::at(join("/values", other), &NO_FIELD, args! {}).status(422));
    }
    let mut filled = BTreeMap::new();
    for field in &scaffold.fields {
        filled.insert(field.name.as_str(), field.value(values.get(&field.name))?);
    }
    let text = |name: &str| templates.iter().find(|(own, _)| *own == name).map_or("", |(_, text)| *text);
    let literal = |value: &String| json!(value).to_string();
    let operation = |one: &ScaffoldOperation| json!({"op": one.op, "path": one.path, "content": replaced(text(&one.template), &filled, (MARK, MARK), literal)});
    let note = |note: &String| replaced(note, &filled, ("{", "}"), Clone::clone);
    Ok(ScaffoldEdit {
        operations: scaffold.operations.iter().map(operation).collect(),
        notes: scaffold.notes.iter().map(note).collect(),
    })
}

impl ScaffoldField {
    /// The value that is sent, trimmed, or the default.
    fn value(&self, sent: Option<&String>) -> Result<String, ApiError> {
        let pointer = join("/values", &self.name);
        let value = sent.map(|text| text.trim()).filter(|text| !text.is_empty()).or(self.default.as_deref());
        let value = value.ok_or_else(|| {
            ApiError::at(pointer.clone(), &FIELD_MISSING, args! { label: self.label.as_str() }).status(422)
        })?;
        if looks_secret(&self.name, value) {
            return Err(ApiError::at(pointer, &FIELD_SECRET, args! {}).status(422));
        }
        let refused = match self.form {
            FieldForm::Url if !is_address(value) => {
                Some(ApiError::at(pointer, &FIELD_URL, args! { example: self.example.as_str() }))
            }
            FieldForm::Id if value.len() > MAX_TEXT || !value.bytes().all(|byte| byte.is_ascii_graphic()) => {
                Some(ApiError::at(pointer, &FIELD_ID, args! { limit: MAX_TEXT }))
            }
            FieldForm::Text if value.chars().count() > MAX_TEXT || value.chars().any(char::is_control) => {
                Some(ApiError::at(pointer, &FIELD_TEXT, args! { limit: MAX_TEXT }))
            }
            _ => None,
        };
        refused.map_or_else(|| Ok(value.to_owned()), |error| Err(error.status(422)))
    }
}

/// An address of the web, or of one's own machine, that nothing is hidden in.
fn is_address(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let host = rest.split('/').next().unwrap_or_default();
    let is_own = ["localhost", "127.0.0.1"].contains(&host.split(':').next().unwrap_or_default());
    if scheme != "https" && !(scheme == "http" && is_own) {
        return false;
    }
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b"-.:".contains(&byte);
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"?#\"'`<>\\{}|^".contains(&byte);
    text.len() <= MAX_URL && !host.is_empty() && host.bytes().all(is_host) && rest.bytes().all(is_plain)
}

/// A text with values in the places of names. What a value brings is not looked at again.
fn replaced(
    text: &str,
    values: &BTreeMap<&str, String>,
    (open, close): (&str, &str),
    write: impl Fn(&String) -> String,
) -> String {
    let mut left = text;
    let mut done = String::new();
    while let Some(at) = left.find(open) {
        let (before, rest) = (&left[..at], &left[at + open.len()..]);
        done.push_str(before);
        let named = rest.split_once(close).and_then(|(name, behind)| Some((values.get(name)?, behind)));
        if let Some((value, behind)) = named {
            done.push_str(&write(value));
            left = behind;
        } else {
            done.push_str(open);
            left = rest;
        }
    }
    done.push_str(left);
    done
}

#[cfg(test)]
mod tests {
    use holdpoint_check::Severity;
    use serde_json::from_value;

    use super::*;
    use crate::dialect::apply::apply;
    use crate::options::RawOptions;
    use crate::packs;
    use crate::renew::renew;

    fn values(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    /// The examples of a set-up.
    fn examples(scaffold: &Scaffold) -> BTreeMap<String, String> {
        scaffold.fields.iter().map(|field| (field.name.clone(), field.example.clone())).collect()
    }

    #[test]
    fn every_set_up_checks_clean_in_every_template() {
        let keys: Vec<&str> = all().iter().map(|own| own.key.as_str()).collect();
        assert_eq!(keys, ["form-endpoint", "oidc-login", "rest-api"]);
        for (scaffold, pack) in all().iter().flat_map(|own| packs::all().iter().map(move |pack| (own, pack))) {
            let raw: RawOptions = from_value(json!({ "catalog": pack.manifest.catalog_version })).unwrap();
            let options = raw.resolve().unwrap();
            let mut files = pack.files.clone();
            files.insert("package-lock.json".to_owned(), renew(&files, &options).unwrap());
            let edit = fill(&scaffold.key, &examples(scaffold)).unwrap();
            let done = apply(&files, Some(&pack.manifest.entry_file), &edit.operations, &options).unwrap();
            let told: Vec<_> = done.diagnostics.iter().filter(|one| one.severity != Severity::Info).collect();
            assert!(told.is_empty() && done.ok, "{} in {}: {told:#?}", scaffold.key, pack.manifest.key);
            assert_eq!(done.changed.len(), scaffold.operations.len());
            for operation in &edit.operations {
                let text = operation["content"].as_str().unwrap();
                assert!(!text.contains(MARK), "{}: a place is left in {}", scaffold.key, operation["path"]);
                let names = scaffold.env.iter().filter(|name| text.contains(name.as_str())).count();
                assert_eq!(names, text.matches("import.meta.env.").count(), "every setting that is read is named");
            }
            assert!(!edit.notes.iter().any(|note| note.contains('{')), "{:?}", edit.notes);
        }
    }

    #[test]
    fn a_value_is_a_literal_whatever_it_holds() {
        let nasty = "\"; alert(`${1}`); // '</script> __endpoint__ \\ \u{2028}";
        let edit = fill("form-endpoint", &values(&[("endpoint", "https://a.example/f"), ("title", nasty)])).unwrap();
        let text = edit.operations[1]["content"].as_str().unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("const TITLE: string = ")).unwrap();
        let literal: String = serde_json::from_str(line.strip_suffix(';').unwrap()).unwrap();
        assert_eq!(literal, nasty.trim());
        let pack = packs::find("blank-react").unwrap();
        let options: RawOptions = from_value(json!({ "catalog": pack.manifest.catalog_version })).unwrap();
        let options = options.resolve().unwrap();
        let done = apply(&pack.files, Some(&pack.manifest.entry_file), &edit.operations, &options).unwrap();
        assert!(done.ok, "{:#?}", done.diagnostics);
    }

    #[test]
    fn a_wrong_value_is_named() {
        let refused = |key: &str, pairs: &[(&str, &str)]| {
            let error = fill(key, &values(pairs)).unwrap_err();
            let pointer = error.details.get("pointer").and_then(Value::as_str).unwrap_or_default().to_owned();
            (error.status, error.code.clone(), pointer)
        };
        let at = |pointer: &str| (422, "INVALID_INPUT".to_owned(), pointer.to_owned());
        for wrong in [
            "",
            "api.example.com",
            "http://api.example.com",
            "http://localhost.example.com",
            "https://",
            "https://user:pass@a.example",
            "https://a.example/?q=1",
            "https://a.example/\"",
            "javascript:alert(1)",
            "https://a b",
        ] {
            assert_eq!(refused("rest-api", &[("base_url", wrong)]), at("/values/base_url"), "{wrong}");
        }
        let good = ("base_url", "http://localhost:8080/v1");
        assert_eq!(refused("rest-api", &[good, ("other/one", "1")]), at("/values/other~1one"));
        let (issuer, back) = (("issuer", "https://login.example.com"), ("redirect_url", "https://apps.example.com/"));
        assert_eq!(refused("oidc-login", &[issuer, ("client_id", "a b")]), at("/values/client_id"));
        assert_eq!(refused("oidc-login", &[issuer, ("client_id", "a"), back, ("scope", "a\nb")]), at("/values/scope"));
        let secret = refused("oidc-login", &[issuer, ("client_id", "sk-123")]);
        assert_eq!(secret, (422, "ENV_SECRET_VALUE".to_owned(), "/values/client_id".to_owned()));
        assert_eq!((refused("none", &[]).0, refused("none", &[]).1.as_str()), (404, "NOT_FOUND"));
    }
}
