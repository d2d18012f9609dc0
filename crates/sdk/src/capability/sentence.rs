//! What the user reads for a capability (spec: ifc-extension.md §3.2, last column).
//!
//! The sentences stand in the catalogue, so their case is the entry's name; the words for a target stand here.

use holdpoint_check::code::{CASE, Sentence, say};
use holdpoint_check::{Arg, args, codes};
use serde_json::{Map, Value};

use super::{CatalogueEntry, Segment, Target, TargetKind};

codes! {
    /// what a capability lets an extension do; its cases are the capabilities, and these what they reach
    PERMISSION / FORMAT: Info, "{format}" [format];
    PERMISSION / ANY_FORMAT: Info, "any kind of";
    PERMISSION / COMMAND: Info, "the command \"{id}\"" [id];
    PERMISSION / COMMANDS_WITH: Info, "any command that begins with \"{lead}\"" [lead];
    PERMISSION / ANY_COMMAND: Info, "any command";
    PERMISSION / ANY_TARGET: Info, "any target";
    PERMISSION / NAME_IN_SET: Info, "\"{name}\" in \"{set}\"" [name, set];
    PERMISSION / NAME_IN_SETS_WITH: Info, "\"{name}\" in any set that begins with \"{lead}\"" [name, lead];
    PERMISSION / NAME_IN_ANY_SET: Info, "\"{name}\" in any set" [name];
    PERMISSION / NAMES_WITH_IN_SET: Info, "any property that begins with \"{lead}\" in \"{set}\"" [lead, set];
    PERMISSION / NAMES_WITH_IN_SETS_WITH: Info,
        "any property that begins with \"{lead}\" in any set that begins with \"{set}\"" [lead, set];
    PERMISSION / NAMES_WITH_IN_ANY_SET: Info, "any property that begins with \"{lead}\" in any set" [lead];
    PERMISSION / ANY_NAME_IN_SET: Info, "any property of \"{set}\"" [set];
    PERMISSION / ANY_NAME_IN_SETS_WITH: Info, "any property of any set that begins with \"{lead}\"" [lead];
    PERMISSION / ANY_PROPERTY: Info, "any property of any element";
}

/// The code of every sentence about a capability.
pub const PERMISSION: &str = "PERMISSION";

/// The entry's sentence with its target put into words.
pub(super) fn of(entry: &CatalogueEntry, target: Option<&Target>) -> Sentence {
    let mut args = Map::new();
    args.insert(CASE.to_owned(), entry.name.value());
    if let Some(target) = target {
        args.insert("target".to_owned(), words(target));
    }
    Sentence { code: PERMISSION.into(), message: say(&entry.sentence, &args), args }
}

fn words(target: &Target) -> Value {
    let said = match (target.kind, target.segments.as_slice()) {
        (TargetKind::Property, [set, name]) => property(set, name),
        (TargetKind::Format, [Segment::Literal(format)]) => {
            Sentence::of(&FORMAT, args! { format: format.to_ascii_uppercase() })
        }
        (TargetKind::Format, _) => Sentence::of(&ANY_FORMAT, args! {}),
        (TargetKind::Command, [Segment::Literal(id)]) => Sentence::of(&COMMAND, args! { id }),
        (TargetKind::Command, [Segment::Prefix(lead)]) => Sentence::of(&COMMANDS_WITH, args! { lead }),
        (TargetKind::Command, _) => Sentence::of(&ANY_COMMAND, args! {}),
        (_, [Segment::Literal(text)]) => return text.value(),
        _ => Sentence::of(&ANY_TARGET, args! {}),
    };
    said.value()
}

fn property(set: &Segment, name: &Segment) -> Sentence {
    match (name, set) {
        (Segment::Literal(name), Segment::Literal(set)) => Sentence::of(&NAME_IN_SET, args! { name, set }),
        (Segment::Literal(name), Segment::Prefix(lead)) => Sentence::of(&NAME_IN_SETS_WITH, args! { name, lead }),
        (Segment::Literal(name), Segment::Any) => Sentence::of(&NAME_IN_ANY_SET, args! { name }),
        (Segment::Prefix(lead), Segment::Literal(set)) => Sentence::of(&NAMES_WITH_IN_SET, args! { lead, set }),
        (Segment::Prefix(lead), Segment::Prefix(set)) => Sentence::of(&NAMES_WITH_IN_SETS_WITH, args! { lead, set }),
        (Segment::Prefix(lead), Segment::Any) => Sentence::of(&NAMES_WITH_IN_ANY_SET, args! { lead }),
        (Segment::Any, Segment::Literal(set)) => Sentence::of(&ANY_NAME_IN_SET, args! { set }),
        (Segment::Any, Segment::Prefix(lead)) => Sentence::of(&ANY_NAME_IN_SETS_WITH, args! { lead }),
        (Segment::Any, Segment::Any) => Sentence::of(&ANY_PROPERTY, args! {}),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::capability::parse;

    #[test]
    fn a_permission_is_told_by_its_entry_and_by_what_it_reaches() {
        let told = |case: &str, message: &str, values: &[(&str, &str)]| {
            let mut args = json!({"case": case});
            for (name, value) in values {
                args[*name] = json!(value);
            }
            json!({"code": "PERMISSION", "message": message, "args": args})
        };
        let pset = ("set", "Pset_WallCommon");
        let cases = [
            ("model.read", "Read the model: elements, properties, quantities and structure.", json!(null)),
            (
                "model.mutate:Pset_WallCommon.FireRating",
                "Change \"FireRating\" in \"Pset_WallCommon\".",
                told("NAME_IN_SET", "\"FireRating\" in \"Pset_WallCommon\"", &[("name", "FireRating"), pset]),
            ),
            (
                "model.mutate:Pset_WallCommon.Fire*",
                "Change any property that begins with \"Fire\" in \"Pset_WallCommon\".",
                told(
                    "NAMES_WITH_IN_SET",
                    "any property that begins with \"Fire\" in \"Pset_WallCommon\"",
                    &[("lead", "Fire"), pset],
                ),
            ),
            (
                "model.mutate:*",
                "Change any property of any element.",
                told("ANY_PROPERTY", "any property of any element", &[]),
            ),
            ("export.create:csv", "Save CSV files to your computer.", told("FORMAT", "CSV", &[("format", "CSV")])),
            ("export.create:*", "Save any kind of files to your computer.", told("ANY_FORMAT", "any kind of", &[])),
            (
                "network.fetch:api.example.org",
                "Send and receive data over the internet: api.example.org.",
                json!("api.example.org"),
            ),
            (
                "command.invoke:acme.*",
                "Run any command that begins with \"acme.\" of other extensions.",
                told("COMMANDS_WITH", "any command that begins with \"acme.\"", &[("lead", "acme.")]),
            ),
        ];
        for (text, message, target) in cases {
            let capability = parse(text).unwrap();
            let said = capability.said();
            assert_eq!(said.message, message, "{text}");
            assert_eq!(said.args["case"], capability.head(), "{text}");
            assert_eq!(said.args.get("target").cloned().unwrap_or_default(), target, "{text}");
        }
    }
}
