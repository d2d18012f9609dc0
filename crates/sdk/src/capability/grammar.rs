//! Reading capability texts (spec: ifc-extension.md §3.1).
//!
//! The order of the checks is part of the contract: each faulty text has exactly one code.

use holdpoint_check::{Diagnostic, args, codes};

use super::{Capability, CatalogueEntry, Segment, Target, TargetKind, catalogue};

codes! {
    /// the text is no capability text
    INVALID_CAPABILITY / FORM: Error,
        "Write `scope.action` or `scope.action:target`, at most {limit} characters." [limit];
    /// the name is outside the catalogue
    UNKNOWN_CAPABILITY: Error, "There is no capability `{name}`." [name];
    /// a target that is not taken
    CAPABILITY_TARGET_FORBIDDEN: Error, "`{name}` takes no target: write `{name}`." [name];
    /// the target of it is missing
    CAPABILITY_TARGET_REQUIRED: Error,
        "Say what `{name}` may reach, for example `{name}:{example}`." [name, example];
    /// a star in a host
    CAPABILITY_HOST_WILDCARD: Error, "Name each host: `{name}` takes no `*`." [name];
    /// a target outside its grammar
    CAPABILITY_TARGET_INVALID / PROPERTY: Error,
        "`{target}` is no property. Write `{name}:Set.Name`, quote names with spaces or other letters." [target, name];
    CAPABILITY_TARGET_INVALID / FORMAT: Error, "`{target}` is no format that can be saved." [target];
    CAPABILITY_TARGET_INVALID / HOST: Error,
        "`{target}` is no public host name. Write only the host, such as `{name}:api.example.org`." [target, name];
    CAPABILITY_TARGET_INVALID / COMMAND: Error,
        "`{target}` is no command id. Write an id, an id and `.*`, or `*`." [target];
}

/// The longest capability text, in characters.
pub const MAX_CAPABILITY_CHARS: usize = 200;

/// The longest command id, in characters.
const MAX_ID_CHARS: usize = 100;
const MAX_HOST_BYTES: usize = 253;
const MAX_LABEL_BYTES: usize = 63;
/// Names that never leave a private network.
const PRIVATE_SUFFIXES: [&str; 5] = ["local", "localhost", "internal", "lan", "home.arpa"];

/// Why a text is no capability.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", finding.message)]
pub struct CapabilityError {
    /// The code with its sentence and the nearest valid text or the allowed ones; without a place.
    pub finding: Box<Diagnostic>,
    /// The whole text as it should be, where one change is right.
    pub fix: Option<String>,
}

impl From<Diagnostic> for CapabilityError {
    fn from(finding: Diagnostic) -> Self {
        Self { finding: Box::new(finding), fix: None }
    }
}

pub fn parse(text: &str) -> Result<Capability, CapabilityError> {
    let (head, target) = match text.split_once(':') {
        Some((head, target)) => (head, Some(target)),
        None => (text, None),
    };
    if text.chars().count() > MAX_CAPABILITY_CHARS || !is_head(head) || target == Some("") {
        return Err(Diagnostic::of(&FORM, args! { limit: MAX_CAPABILITY_CHARS }).into());
    }
    let Some(entry) = catalogue::entry(head) else {
        let names: Vec<&str> = catalogue::catalogue().iter().map(|entry| entry.name.as_str()).collect();
        let finding = Diagnostic::of(&UNKNOWN_CAPABILITY, args! { name: head });
        return Err(finding.with_hint(crate::near::hint(head, &names)).into());
    };
    match (entry.target, target) {
        (None, None) => Ok(Capability::of(entry, None, Some(text))),
        (None, Some(_)) => Err(Diagnostic::of(&CAPABILITY_TARGET_FORBIDDEN, args! { name: head }).into()),
        (Some(kind), None) => Err(target_required(entry, kind)),
        (Some(kind), Some(target)) => {
            let target = read_target(kind, target).ok_or_else(|| target_fault(entry, kind, target))?;
            Ok(Capability::of(entry, Some(target), Some(text)))
        }
    }
}

fn is_head(head: &str) -> bool {
    let Some((scope, action)) = head.split_once('.') else { return false };
    let starts = |part: &str| part.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
    starts(scope)
        && starts(action)
        && scope.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        && action.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn target_required(entry: &CatalogueEntry, kind: TargetKind) -> CapabilityError {
    Diagnostic::of(&CAPABILITY_TARGET_REQUIRED, args! { name: entry.name, example: example(kind) }).into()
}

fn example(kind: TargetKind) -> &'static str {
    match kind {
        TargetKind::Property => "Pset_WallCommon.FireRating",
        TargetKind::Format => "csv",
        TargetKind::Host => "api.example.org",
        TargetKind::Command => "acme.report",
    }
}

fn target_fault(entry: &CatalogueEntry, kind: TargetKind, target: &str) -> CapabilityError {
    let name = &entry.name;
    match kind {
        TargetKind::Host if target.contains('*') => Diagnostic::of(&CAPABILITY_HOST_WILDCARD, args! { name }).into(),
        TargetKind::Property => Diagnostic::of(&PROPERTY, args! { target, name }).into(),
        TargetKind::Command => Diagnostic::of(&COMMAND, args! { target }).into(),
        TargetKind::Format => {
            let formats: Vec<&str> = catalogue::formats().collect();
            Diagnostic::of(&FORMAT, args! { target }).with_hint(crate::near::hint(target, &formats)).into()
        }
        TargetKind::Host => {
            let fix = bare_host(target).map(|host| format!("{name}:{host}"));
            CapabilityError { fix, ..Diagnostic::of(&HOST, args! { target, name }).into() }
        }
    }
}

/// The host of a URL that was given in place of a host.
fn bare_host(target: &str) -> Option<String> {
    let rest = target.split_once("://")?.1;
    let host = rest.split(['/', '?', '#', ':']).next()?.to_ascii_lowercase();
    is_host(&host).then_some(host)
}

fn read_target(kind: TargetKind, text: &str) -> Option<Target> {
    let segments = match kind {
        TargetKind::Property => property(text)?,
        TargetKind::Format if text == "*" => vec![Segment::Any],
        TargetKind::Format if catalogue::is_format(text) => vec![Segment::Literal(text.to_owned())],
        TargetKind::Host if is_host(text) => vec![Segment::Literal(text.to_ascii_lowercase())],
        TargetKind::Command => vec![command(text)?],
        _ => return None,
    };
    Some(Target::new(kind, segments))
}

fn command(text: &str) -> Option<Segment> {
    if text == "*" {
        return Some(Segment::Any);
    }
    match text.strip_suffix(".*") {
        Some(id) if is_command_id(id) => Some(Segment::Prefix(format!("{id}."))),
        None if is_command_id(text) => Some(Segment::Literal(text.to_owned())),
        _ => None,
    }
}

/// Whether a text is an id of ifc-extension.md §2.1.
pub fn is_command_id(text: &str) -> bool {
    text.chars().count() <= MAX_ID_CHARS
        && text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && text.split(['.', '_', '-']).all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// Whether a text is a public DNS name with at least two labels; upper case is taken.
pub fn is_host(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let labels: Vec<&str> = lower.split('.').collect();
    let label_fits = |label: &&str| {
        (1..=MAX_LABEL_BYTES).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let private = PRIVATE_SUFFIXES
        .iter()
        .any(|suffix| lower.strip_suffix(suffix).is_some_and(|lead| lead.is_empty() || lead.ends_with('.')));
    lower.len() <= MAX_HOST_BYTES
        && labels.len() >= 2
        && labels.iter().all(label_fits)
        && labels.last().is_some_and(|last| !last.bytes().all(|byte| byte.is_ascii_digit()))
        && !private
}

fn property(text: &str) -> Option<Vec<Segment>> {
    let (set, rest) = part(text)?;
    let name = match rest.strip_prefix('.') {
        None if rest.is_empty() => Segment::Any,
        Some(rest) => match part(rest)? {
            (name, "") => name,
            _ => return None,
        },
        None => return None,
    };
    Some(vec![set, name])
}

/// One part and the text behind it.
fn part(text: &str) -> Option<(Segment, &str)> {
    if let Some(rest) = text.strip_prefix('*') {
        return Some((Segment::Any, rest));
    }
    if let Some(quoted) = text.strip_prefix('"') {
        return self::quoted(quoted);
    }
    let end = text.find(|c: char| !is_name_char(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return None;
    }
    Some(match rest.strip_prefix('*') {
        Some(rest) => (Segment::Prefix(name.to_owned()), rest),
        None => (Segment::Literal(name.to_owned()), rest),
    })
}

fn quoted(text: &str) -> Option<(Segment, &str)> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, character)) = chars.next() {
        match character {
            '"' if value.is_empty() => return None,
            '"' => return Some((Segment::Literal(value), &text[at + 1..])),
            '\\' => value.push(chars.next().map(|(_, next)| next).filter(|next| matches!(next, '"' | '\\'))?),
            control if control.is_control() => return None,
            other => value.push(other),
        }
    }
    None
}

fn is_name_char(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

/// The target in its one spelling.
pub(super) fn canonical_target(target: &Target) -> String {
    if target.kind == TargetKind::Property && target.universal {
        return "*".to_owned();
    }
    let parts: Vec<String> = target.segments.iter().map(|segment| canonical_segment(target.kind, segment)).collect();
    parts.join(".")
}

fn canonical_segment(kind: TargetKind, segment: &Segment) -> String {
    match segment {
        Segment::Any => "*".to_owned(),
        Segment::Prefix(lead) => format!("{lead}*"),
        Segment::Literal(text) if kind != TargetKind::Property || is_bare_name(text) => text.clone(),
        Segment::Literal(text) => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}

fn is_bare_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && text.chars().all(is_name_char)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_code_for_each_fault() {
        let long = format!("model.mutate:{}", "A".repeat(200));
        let cases = [
            ("model.read", Ok("model.read")),
            ("model.mutate:A", Ok("model.mutate:A.*")),
            ("model.mutate:*.*", Ok("model.mutate:*")),
            ("model.mutate:A*.B", Ok("model.mutate:A*.B")),
            ("model.mutate:\"A\".\"B c\"", Ok("model.mutate:A.\"B c\"")),
            ("model.mutate:\"*\"", Ok("model.mutate:\"*\".*")),
            ("model.mutate:\"a\\\"b\".c", Ok("model.mutate:\"a\\\"b\".c")),
            ("network.fetch:API.Example.org", Ok("network.fetch:api.example.org")),
            ("network.fetch:3d.example.org", Ok("network.fetch:3d.example.org")),
            ("command.invoke:acme.*", Ok("command.invoke:acme.*")),
            ("export.create:*", Ok("export.create:*")),
            ("", Err("INVALID_CAPABILITY")),
            ("model", Err("INVALID_CAPABILITY")),
            ("Model.read", Err("INVALID_CAPABILITY")),
            (" model.read", Err("INVALID_CAPABILITY")),
            ("model.read:", Err("INVALID_CAPABILITY")),
            ("model.read.all", Err("INVALID_CAPABILITY")),
            (&long, Err("INVALID_CAPABILITY")),
            ("model.reed", Err("UNKNOWN_CAPABILITY")),
            ("model.mutate", Err("CAPABILITY_TARGET_REQUIRED")),
            ("model.read:x", Err("CAPABILITY_TARGET_FORBIDDEN")),
            ("network.fetch:*.example.org", Err("CAPABILITY_HOST_WILDCARD")),
            ("network.fetch:localhost", Err("CAPABILITY_TARGET_INVALID")),
            ("network.fetch:a.localhost", Err("CAPABILITY_TARGET_INVALID")),
            ("network.fetch:10.0.0.1", Err("CAPABILITY_TARGET_INVALID")),
            ("network.fetch:example.org:443", Err("CAPABILITY_TARGET_INVALID")),
            ("network.fetch:example.org.", Err("CAPABILITY_TARGET_INVALID")),
            ("export.create:exe", Err("CAPABILITY_TARGET_INVALID")),
            ("export.create:CSV", Err("CAPABILITY_TARGET_INVALID")),
            ("model.mutate:A.B.C", Err("CAPABILITY_TARGET_INVALID")),
            ("model.mutate:*A", Err("CAPABILITY_TARGET_INVALID")),
            ("model.mutate:A .B", Err("CAPABILITY_TARGET_INVALID")),
            ("model.mutate:Ä.B", Err("CAPABILITY_TARGET_INVALID")),
            ("model.mutate:\"\".B", Err("CAPABILITY_TARGET_INVALID")),
            ("command.invoke:acme*", Err("CAPABILITY_TARGET_INVALID")),
        ];
        for (text, want) in cases {
            let have = parse(text);
            let have = have.as_ref().map(Capability::canonical).map_err(|fault| fault.finding.code.as_ref());
            assert_eq!(have, want, "{text}");
        }
    }

    #[test]
    fn a_url_is_fixed_to_its_host() {
        let fault = parse("network.fetch:https://API.example.org/v1").unwrap_err();
        assert_eq!(fault.fix.as_deref(), Some("network.fetch:api.example.org"));
    }
}
