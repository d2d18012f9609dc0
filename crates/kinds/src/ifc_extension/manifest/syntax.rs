//! Values with a syntax of their own (`x-syntax`, `x-icons`): judged where the schema marks them.
//!
//! Serves manifest, widgets and fixtures alike, so that one syntax has one verdict.

use holdpoint_check::{Diagnostic, Fix};
use holdpoint_schema::Mark;
use holdpoint_sdk::{capability, near};
use regex::RegexBuilder;
use serde_json::Value;

use super::event::{Event, SCHEMAS, SLOTS};
use crate::ifc_extension::binding::Binding;
use crate::ifc_extension::engines::{Range, Version};
use crate::ifc_extension::keybinding;
use crate::ifc_extension::when::{KEYS, When};

/// Bytes that a compiled pattern may take.
const MAX_REGEX_BYTES: usize = 1 << 20;

/// Judges one marked value; findings have a pointer only.
pub fn judge(mark: &Mark<'_>, value: &Value, sdk: &Version, out: &mut Vec<Diagnostic>) {
    let Some(text) = value.as_str() else { return };
    let before = out.len();
    match (mark.keyword, mark.note.as_str()) {
        ("x-syntax", Some("activation")) => out.extend(event(text)),
        ("x-syntax", Some("binding")) => out.extend(binding(text)),
        ("x-syntax", Some("capability")) => declared(text, &mark.pointer, out),
        ("x-syntax", Some("key")) => {
            out.extend(keybinding::check(text).err().map(|wish| Diagnostic::error("INVALID_KEYBINDING", wish)));
        }
        ("x-syntax", Some("range")) => out.extend(range(text, sdk)),
        ("x-syntax", Some("regex")) => out.extend(pattern(text)),
        ("x-syntax", Some("when")) => when(text, out),
        ("x-icons", _) => out.extend(icon(text, mark.note)),
        _ => {}
    }
    for finding in &mut out[before..] {
        finding.pointer = Some(mark.pointer.clone());
    }
}

fn event(text: &str) -> Option<Diagnostic> {
    if Event::parse(text).is_some() {
        return None;
    }
    let mut allowed: Vec<String> = ["onStartup", "onModelLoad", "onSelectionChange"].map(str::to_owned).to_vec();
    allowed.extend(["onCommand:ID", "onLens:ID", "onExporter:ID", "onIdsValidator:ID"].map(str::to_owned));
    allowed.extend(SCHEMAS.iter().map(|schema| format!("onSchema:{schema}")));
    allowed.extend(SLOTS.iter().map(|slot| format!("onSlot:{slot}")));
    let names: Vec<&str> = allowed.iter().map(String::as_str).collect();
    let message = format!("`{text}` is no event that the host fires.");
    Some(Diagnostic::error("INVALID_ACTIVATION", message).with_hint(near::hint(text, &names)))
}

/// The finding for a text that must be a binding, without a place.
pub fn binding(text: &str) -> Option<Diagnostic> {
    let message = "Write a path such as $.rows[0].name or $[\"a name\"]; $$ at the start gives a literal $.";
    Binding::parse(text).is_none().then(|| Diagnostic::error("INVALID_BINDING", message))
}

fn declared(text: &str, pointer: &str, out: &mut Vec<Diagnostic>) {
    match capability::parse(text) {
        Err(fault) => out.push(capability_fault(&fault, pointer)),
        Ok(capability) if capability.wildcard() => {
            let message = format!("{} Name what is needed, where you can.", capability.sentence());
            out.push(Diagnostic::warning("CAPABILITY_WILDCARD", message));
        }
        Ok(_) => {}
    }
}

/// A fault of the grammar as a finding at a pointer.
pub fn capability_fault(fault: &capability::CapabilityFault, pointer: &str) -> Diagnostic {
    let mut finding = Diagnostic::error(fault.code, fault.message.clone()).at_pointer(pointer);
    finding.hint.clone_from(&fault.hint);
    finding.fix = fault.fix.as_ref().map(|text| vec![Fix::value(pointer, text.clone())]);
    finding
}

fn range(text: &str, sdk: &Version) -> Option<Diagnostic> {
    let Some(range) = Range::parse(text) else {
        let message = format!("`{text}` is no range. Write, for example, ^1.0.0 or >=1.0.0 <2.0.0.");
        return Some(Diagnostic::error("INVALID_ENGINE_RANGE", message));
    };
    let message = "This SDK is outside the range. Widen the range, or use a host with a fitting SDK.";
    (!range.holds(sdk)).then(|| Diagnostic::error("ENGINE_UNSATISFIED", message))
}

/// The finding for a text that must be a pattern of the linear-time syntax, without a place.
pub fn pattern(text: &str) -> Option<Diagnostic> {
    let fault = RegexBuilder::new(text).size_limit(MAX_REGEX_BYTES).build().err()?;
    let reason = fault.to_string();
    let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
    let message = format!("Correct the pattern ({reason}); look-around and back references are not taken.");
    Some(Diagnostic::error("INVALID_REGEX", message))
}

fn when(text: &str, out: &mut Vec<Diagnostic>) {
    match When::parse(text) {
        Err(fault) => {
            let message = format!("The condition does not fit the grammar at character {}.", fault.0 + 1);
            let mut finding = Diagnostic::error("INVALID_WHEN", message);
            finding.offset = Some(fault.0);
            out.push(finding);
        }
        Ok(when) => out.extend(unknown_keys(&when)),
    }
}

/// One warning for the keys of a condition that no host supplies.
pub fn unknown_keys(when: &When) -> Option<Diagnostic> {
    let unknown = when.unknown_keys();
    let first = unknown.first()?;
    let message = format!("No host supplies `{}`; it is always undefined.", unknown.join("`, `"));
    Some(Diagnostic::warning("WHEN_UNKNOWN_KEY", message).with_hint(near::hint(first, &KEYS)))
}

fn icon(text: &str, allowed: &Value) -> Option<Diagnostic> {
    let allowed: Vec<&str> = allowed.as_array()?.iter().filter_map(Value::as_str).collect();
    let message = format!("There is no icon `{text}`; `sparkles` is shown.");
    (!allowed.contains(&text))
        .then(|| Diagnostic::warning("UNKNOWN_ICON", message).with_hint(near::hint(text, &allowed)))
}
