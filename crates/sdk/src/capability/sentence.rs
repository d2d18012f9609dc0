//! What the user reads for a capability (spec: ifc-extension.md §3.2, last column).

use super::{CatalogueEntry, Segment, Target, TargetKind};

/// The entry's sentence with its target put into words.
pub(super) fn of(entry: &CatalogueEntry, target: Option<&Target>) -> String {
    let words = target.map(words).unwrap_or_default();
    entry.sentence.replace("{target}", &words)
}

fn words(target: &Target) -> String {
    match (target.kind, target.segments.as_slice()) {
        (TargetKind::Property, [set, name]) => property(set, name),
        (TargetKind::Format, [Segment::Literal(format)]) => format.to_ascii_uppercase(),
        (TargetKind::Format, _) => "any kind of".to_owned(),
        (TargetKind::Command, [Segment::Literal(id)]) => format!("the command \"{id}\""),
        (TargetKind::Command, [Segment::Prefix(lead)]) => format!("any command that begins with \"{lead}\""),
        (TargetKind::Command, _) => "any command".to_owned(),
        (_, [Segment::Literal(text)]) => text.clone(),
        _ => "any target".to_owned(),
    }
}

fn property(set: &Segment, name: &Segment) -> String {
    let name_words = match name {
        Segment::Literal(name) => format!("\"{name}\""),
        Segment::Prefix(lead) => format!("any property that begins with \"{lead}\""),
        Segment::Any => "any property".to_owned(),
    };
    let joint = if *name == Segment::Any { "of" } else { "in" };
    match set {
        Segment::Literal(set) => format!("{name_words} {joint} \"{set}\""),
        Segment::Prefix(lead) => format!("{name_words} {joint} any set that begins with \"{lead}\""),
        Segment::Any if *name == Segment::Any => "any property of any element".to_owned(),
        Segment::Any => format!("{name_words} in any set"),
    }
}
