//! Values with a syntax of their own (`x-syntax`, `x-icons`): judged where the schema marks them.
//!
//! Serves manifest, widgets and fixtures alike, so that one syntax has one verdict.

use holdpoint_check::{Diagnostic, Fix, args, codes};
use holdpoint_schema::Mark;
use holdpoint_sdk::{capability, near};
use regex::RegexBuilder;
use serde_json::Value;

use super::event::{ActivationEvent, SCHEMAS, SLOTS};
use crate::binding::Binding;
use crate::engines::{Range, Version};
use crate::keybinding;
use crate::when::{KEYS, When};

codes! {
    /// no event that the host fires
    INVALID_ACTIVATION / EVENT: Error, "`{name}` is no event that the host fires." [name];
    /// a path outside the binding grammar
    INVALID_BINDING / PATH: Error,
        "Write a path such as $.rows[0].name or $[\"a name\"]; $$ at the start gives a literal $.";
    /// the manifest declares a wildcard
    CAPABILITY_WILDCARD / DECLARED: Warning, "{permission} Name what is needed, where you can." [permission];
    /// the text is no SDK range
    INVALID_ENGINE_RANGE / RANGE: Error, "`{text}` is no range. Write, for example, ^1.0.0 or >=1.0.0 <2.0.0." [text];
    /// the SDK is outside the range
    ENGINE_UNSATISFIED: Error,
        "This SDK is outside the range. Widen the range, or use a host with a fitting SDK.";
    /// a pattern outside the linear-time syntax
    INVALID_REGEX / REASON: Error,
        "Correct the pattern ({reason}); look-around and back references are not taken." [reason];
    /// a condition outside the grammar
    INVALID_WHEN / AT: Error, "The condition does not fit the grammar at character {at}." [at];
    /// a key that no host supplies
    WHEN_UNKNOWN_KEY / ALWAYS: Warning, "No host supplies `{name}`; it is always undefined." [name];
    /// an icon outside the list
    UNKNOWN_ICON: Warning, "There is no icon `{name}`; `sparkles` is shown." [name];
}

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
            out.extend(keybinding::check(text).err().map(|finding| *finding));
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
    if ActivationEvent::parse(text).is_some() {
        return None;
    }
    let mut allowed: Vec<String> = ["onStartup", "onModelLoad", "onSelectionChange"].map(str::to_owned).to_vec();
    allowed.extend(["onCommand:ID", "onLens:ID", "onExporter:ID", "onIdsValidator:ID"].map(str::to_owned));
    allowed.extend(SCHEMAS.iter().map(|schema| format!("onSchema:{schema}")));
    allowed.extend(SLOTS.iter().map(|slot| format!("onSlot:{slot}")));
    let names: Vec<&str> = allowed.iter().map(String::as_str).collect();
    Some(Diagnostic::of(&EVENT, args! { name: text }).with_hint(near::hint(text, &names)))
}

/// The finding for a text that must be a binding, without a place.
pub fn binding(text: &str) -> Option<Diagnostic> {
    Binding::parse(text).is_none().then(|| Diagnostic::of(&PATH, args! {}))
}

fn declared(text: &str, pointer: &str, out: &mut Vec<Diagnostic>) {
    match capability::parse(text) {
        Err(fault) => out.push(capability_fault(&fault, pointer)),
        Ok(capability) if capability.wildcard() => {
            out.push(Diagnostic::of(&DECLARED, args! { permission: capability.said() }));
        }
        Ok(_) => {}
    }
}

/// A fault of the grammar as a finding at a pointer.
pub fn capability_fault(fault: &capability::CapabilityError, pointer: &str) -> Diagnostic {
    let mut finding = fault.finding.as_ref().clone().at_pointer(pointer);
    finding.fix = fault.fix.as_ref().map(|text| vec![Fix::value(pointer, text.clone())]);
    finding
}

fn range(text: &str, sdk: &Version) -> Option<Diagnostic> {
    let Some(range) = Range::parse(text) else {
        return Some(Diagnostic::of(&RANGE, args! { text }));
    };
    (!range.holds(sdk)).then(|| Diagnostic::of(&ENGINE_UNSATISFIED, args! {}))
}

/// The finding for a text that must be a pattern of the linear-time syntax, without a place.
pub fn pattern(text: &str) -> Option<Diagnostic> {
    let fault = RegexBuilder::new(text).size_limit(MAX_REGEX_BYTES).build().err()?;
    let reason = fault.to_string();
    let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
    Some(Diagnostic::of(&REASON, args! { reason }))
}

fn when(text: &str, out: &mut Vec<Diagnostic>) {
    match When::parse(text) {
        Err(fault) => out.push(broken_when(fault.0)),
        Ok(when) => out.extend(unknown_keys(&when)),
    }
}

/// The finding for a condition that breaks off at an offset, without a place.
pub fn broken_when(offset: u32) -> Diagnostic {
    let mut finding = Diagnostic::of(&AT, args! { at: offset + 1 });
    finding.offset = Some(offset);
    finding
}

/// One warning for the keys of a condition that no host supplies.
pub fn unknown_keys(when: &When) -> Option<Diagnostic> {
    let unknown = when.unknown_keys();
    let first = unknown.first()?;
    Some(Diagnostic::of(&ALWAYS, args! { name: unknown.join("`, `") }).with_hint(near::hint(first, &KEYS)))
}

fn icon(text: &str, allowed: &Value) -> Option<Diagnostic> {
    let allowed: Vec<&str> = allowed.as_array()?.iter().filter_map(Value::as_str).collect();
    (!allowed.contains(&text))
        .then(|| Diagnostic::of(&UNKNOWN_ICON, args! { name: text }).with_hint(near::hint(text, &allowed)))
}
