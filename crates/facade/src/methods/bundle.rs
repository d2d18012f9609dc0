//! Bundles: check (spec: facade.md, ifc-extension.md §7, script-tool.md §2).

use holdpoint_bundle::Files;
use holdpoint_check::python::PythonFacts;
use holdpoint_kinds::ifc_extension::engines::Version;
use holdpoint_kinds::ifc_extension::{self, CheckOptions, Origin};
use holdpoint_kinds::script_tool;
use serde::Deserialize;
use serde_json::{Value, json};

use super::script;
use crate::{ErrorAnswer, Method, input};

/// The methods of this file, for shells that hold the Python grammar.
pub const METHODS: &[(&str, Method)] =
    &[("bundle.check", |value| check(value, |text| Some(holdpoint_python::facts(text))))];
/// The same where the grammar is a module of its own: its answer comes as `options.python_facts`.
pub const GIVEN_FACTS: &[(&str, Method)] = &[("bundle.check", |value| check(value, |_| None))];

/// The kind of extensions.
const IFC_EXTENSION: &str = "ifc-extension";
/// Files that a check looks at before the kind's own limits (`INPUT_TOO_LARGE`).
const MAX_INPUT_FILES: usize = 10_000;
/// Bytes that a check looks at before the kind's own limits (`INPUT_TOO_LARGE`).
const MAX_INPUT_BYTES: usize = 64 << 20;

#[derive(Deserialize)]
struct Check {
    kind: String,
    files: Files,
    #[serde(default)]
    options: Options,
}

#[derive(Deserialize, Default)]
struct Options {
    sdk_version: Option<String>,
    #[serde(default)]
    origin: Origin,
    plan: Option<Value>,
    python_facts: Option<PythonFacts>,
}

fn check(value: Value, grammar: fn(&str) -> Option<PythonFacts>) -> Result<Value, ErrorAnswer> {
    let Check { kind, files, options } = input(value)?;
    match kind.as_str() {
        IFC_EXTENSION => extension(&files, &options),
        script_tool::KIND => {
            bounded(&files)?;
            script::check(&files, |text| options.python_facts.or_else(|| grammar(text)))
        }
        _ => {
            let message = format!("There is no kind `{kind}` here. Use `{IFC_EXTENSION}` or `{}`.", script_tool::KIND);
            Err(ErrorAnswer::invalid_input("/kind", message))
        }
    }
}

fn extension(files: &Files, options: &Options) -> Result<Value, ErrorAnswer> {
    bounded(files)?;
    let sdk_version = match options.sdk_version.as_deref() {
        None => None,
        Some(text) => Some(Version::parse(text).ok_or_else(|| {
            ErrorAnswer::invalid_input("/options/sdk_version", "Give a SemVer version, for example 1.0.0.")
        })?),
    };
    let report = ifc_extension::check(files, &CheckOptions { sdk_version, origin: options.origin });
    let report = match &options.plan {
        Some(plan) if report.manifest_holds => report.with_findings(holdpoint_author::plan::conformity(plan, files)),
        _ => report,
    };
    Ok(json!(report))
}

fn bounded(files: &Files) -> Result<(), ErrorAnswer> {
    let bytes: usize = files.iter().map(|(path, text)| path.len() + text.len()).sum();
    if files.len() <= MAX_INPUT_FILES && bytes <= MAX_INPUT_BYTES {
        return Ok(());
    }
    let message = format!("Send at most {MAX_INPUT_FILES} files and {MAX_INPUT_BYTES} bytes.");
    Err(ErrorAnswer::new("INPUT_TOO_LARGE", message).with(json!({"files": files.len(), "bytes": bytes})))
}

#[cfg(test)]
pub mod reference;
