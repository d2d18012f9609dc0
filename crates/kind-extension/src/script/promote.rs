//! `script.promote`: the bundle of a script that ran (mode A), made without a model.
//!
//! Owns names and the text of the manifest. Invariant: the same script with the same name is the same bundle, byte for
//! byte; nothing that is installed is replaced.

use std::collections::BTreeSet;

use holdpoint_bundle::Files;
use holdpoint_check::Diagnostic;
use holdpoint_sdk::members::sdk;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::frame;
use super::infer::{Inferred, InferredCapability, infer};
use crate::engines::Version;
use crate::policy::MANIFEST;
use crate::{Options, Origin, check};

/// Characters of the name in an id.
const MAX_SLUG_CHARS: usize = 60;
/// What a name becomes that has no letter of an id.
const NAMELESS: &str = "tool";
/// Where tools lie that somebody made for himself.
const NAMESPACE: &str = "local.tools";
/// The first version of a tool.
const FIRST: &str = "0.1.0";

#[derive(Debug, Clone, Default, Deserialize)]
pub struct Promotion {
    /// The script as it ran.
    pub source: String,
    /// What people call the tool.
    pub name: String,
    /// What it does; says that it runs the script where nobody wrote it.
    pub description: Option<String>,
    pub icon: Option<String>,
    /// The group of the command palette.
    pub category: Option<String>,
    pub key: Option<String>,
    /// The beginning of the id.
    pub namespace: Option<String>,
    #[serde(default)]
    pub taken: Vec<String>,
    /// The SDK that the script ran on; the built-in one.
    pub sdk_version: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Promoted {
    pub ok: bool,
    /// The bundle; only when it is ok.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub files: Option<Files>,
    pub capabilities: Vec<InferredCapability>,
    /// Whether nothing else can be needed.
    pub complete: bool,
    /// Of the script, at its own positions; where it has no error, those of the bundle's check.
    pub diagnostics: Vec<Diagnostic>,
}

/// Makes a tool of a script.
pub fn promote(wanted: &Promotion) -> Promoted {
    let Inferred { ok, capabilities, complete, diagnostics, .. } = infer(&wanted.source);
    if !ok {
        return Promoted { ok, files: None, capabilities, complete, diagnostics };
    }
    let sdk_version = wanted.sdk_version.clone().unwrap_or_else(|| sdk().version.clone());
    let manifest = wanted.manifest(&capabilities, &sdk_version);
    let text = serde_json::to_string_pretty(&manifest).unwrap_or_default() + "\n";
    let files: Files = [(MANIFEST.to_owned(), text), (frame::MODULE.to_owned(), frame::module(&wanted.source))].into();
    let options = Options { sdk_version: Version::parse(&sdk_version), origin: Origin::Promoted, ..Options::default() };
    let report = check(&files, &options);
    Promoted {
        ok: report.ok,
        files: report.ok.then_some(files),
        capabilities,
        complete,
        diagnostics: report.diagnostics,
    }
}

impl Promotion {
    /// The manifest, its members in the order of the spec.
    fn manifest(&self, capabilities: &[InferredCapability], sdk_version: &str) -> Value {
        let name = self.name.trim();
        let id = self.id();
        let run = self.command();
        let needed: Vec<&str> = capabilities.iter().map(|it| it.capability.as_str()).collect();
        let mut command = json!({ "id": run, "title": name });
        for (member, value) in [("icon", &self.icon), ("paletteCategory", &self.category)] {
            if let Some(value) = value {
                command[member] = json!(value);
            }
        }
        let mut contributes = json!({ "commands": [command] });
        if let Some(key) = &self.key {
            contributes["keybindings"] = json!([{ "command": run, "key": key }]);
        }
        let described = self.description.clone().unwrap_or_else(|| format!("Runs the script \"{name}\"."));
        json!({
            "manifestVersion": 1,
            "id": id,
            "name": name,
            "description": described,
            "version": FIRST,
            "engines": { "ifcLiteSdk": format!(">={sdk_version}") },
            "capabilities": needed,
            "activation": [],
            "entry": { "commands": { run: frame::MODULE } },
            "contributes": contributes,
        })
    }

    /// The id of its command.
    pub fn command(&self) -> String {
        format!("{}.run", self.id())
    }

    /// The first id of this name that is free.
    fn id(&self) -> String {
        let taken: BTreeSet<&str> = self.taken.iter().map(String::as_str).collect();
        let own = format!("{}.{}", self.namespace.as_deref().unwrap_or(NAMESPACE), slug(&self.name));
        let numbered = (2..).map(|number| format!("{own}-{number}"));
        let free = std::iter::once(own.clone()).chain(numbered).find(|id| !taken.contains(id.as_str()));
        free.unwrap_or(own)
    }
}

/// A name as a part of an id: letters and digits of ASCII, every run of others one `-`.
pub fn slug(name: &str) -> String {
    let plain: String = name.nfkd().filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase).collect();
    let words = plain.split(|letter: char| !letter.is_ascii_lowercase() && !letter.is_ascii_digit());
    let slug = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
    let short = slug[..slug.len().min(MAX_SLUG_CHARS)].trim_end_matches('-');
    if short.is_empty() { NAMELESS.to_owned() } else { short.to_owned() }
}
