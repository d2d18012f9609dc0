//! The static part of a prompt: sections 1 to 10 (spec: authoring.md §4).
//!
//! Depends on the SDK's data and the product's version only. Invariant: the same bytes for every purpose and user, so
//! that a provider's cache holds them.

use std::fmt::Write as _;
use std::sync::LazyLock;

use holdpoint_bundle::text_hash;
use holdpoint_sdk::capability::catalogue;
use holdpoint_sdk::fixtures::{self, Fixture};
use holdpoint_sdk::members::{CtxKind, Method, sdk};
use holdpoint_sdk::need::{Need, Part, Source};
use holdpoint_sdk::schemas;
use serde_json::Value;

use super::Section;
use super::outline::outline;

/// The example extension, path to text.
pub const EXAMPLE: [(&str, &str); 5] = [
    ("manifest.json", include_str!("example/manifest.json")),
    ("src/rows.js", include_str!("example/src/rows.js")),
    ("src/list.js", include_str!("example/src/list.js")),
    ("src/save.js", include_str!("example/src/save.js")),
    ("widgets/doors.json", include_str!("example/widgets/doors.json")),
];

/// Fixtures whose storeys are listed, so that expected values can be derived.
const DETAILED: [&str; 2] = ["house-small", "office-fire"];

/// Definitions of the manifest that section 7 explains in words.
const EXPLAINED: [&str; 7] =
    ["matcher", "valueExpectation", "count", "listExpectation", "expect", "fixtureGroup", "fixture"];

/// The sections, their joined text and its hash.
#[derive(Debug)]
pub struct Fixed {
    pub sections: Vec<Section>,
    pub text: String,
    pub hash: String,
}

static FIXED: LazyLock<Fixed> = LazyLock::new(build);

pub fn fixed() -> &'static Fixed {
    &FIXED
}

fn build() -> Fixed {
    let parts = [
        ("role", include_str!("words/role.md").to_owned()),
        ("sdk", format!("{}\n{}", include_str!("words/sdk.md"), members())),
        ("manifest", format!("{}\n{}", include_str!("words/bundle.md"), schema(schemas::MANIFEST, &EXPLAINED))),
        ("widgets", format!("{}\n{}", include_str!("words/widgets.md"), schema(schemas::WIDGET, &["node"]))),
        ("capabilities", capabilities()),
        ("fixtures", fixture_table()),
        ("tests", include_str!("words/tests.md").to_owned()),
        ("contract", include_str!("words/contract.md").to_owned()),
        ("format", include_str!("words/format.md").to_owned()),
        ("example", example()),
    ];
    let sections: Vec<Section> = parts.into_iter().map(|(id, text)| Section::new(id, "static", text.trim())).collect();
    let texts: Vec<&str> = sections.iter().map(|section| section.text.as_str()).collect();
    let text = texts.join("\n\n");
    let hash = text_hash(&text);
    Fixed { sections, text, hash }
}

fn schema(text: &str, skip: &[&str]) -> String {
    let mut schema: Value = serde_json::from_str(text).expect("the schemas that are compiled in are JSON");
    if let Some(definitions) = schema.get_mut("$defs").and_then(Value::as_object_mut) {
        definitions.retain(|name, _| !skip.contains(&name.as_str()));
    }
    outline(&schema)
}

fn members() -> String {
    let mut out = String::new();
    let mut method = |lead: &str, method: &Method| {
        let need = need(&method.need);
        let need = if need.is_empty() { need } else { format!(" [{need}]") };
        let requires = method.requires.as_ref().map(|names| format!(" needs {names}")).unwrap_or_default();
        let summary = if method.summary.is_empty() { String::new() } else { format!(": {}", method.summary) };
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "{lead}{}{need}{requires}{summary}", method.signature());
    };
    for member in &sdk().ctx {
        match &member.kind {
            CtxKind::Bim | CtxKind::Fields(_) => {}
            CtxKind::Method(own) => method("ctx.", own),
            CtxKind::Group(group) => group.iter().for_each(|own| method(&format!("ctx.{}.", member.name), own)),
        }
    }
    for namespace in &sdk().namespaces {
        namespace.methods.iter().for_each(|own| method(&format!("bim.{}.", namespace.name), own));
    }
    let fields = sdk().ctx.iter().filter_map(|member| match &member.kind {
        CtxKind::Fields(fields) => Some(format!("ctx.{} {{{}}}\n", member.name, fields.join(", "))),
        _ => None,
    });
    let fields: String = fields.collect();
    format!("{fields}{out}")
}

/// The capability as the data writes it, with the argument's number in braces.
fn need(need: &Need) -> String {
    let part = |part: &Part| match part {
        Part::Literal(text) => text.clone(),
        Part::Argument(index) => format!("{{{index}}}"),
    };
    match need {
        Need::Nothing => String::new(),
        Need::Fixed(capability) => capability.canonical().to_owned(),
        Need::Targeted { entry, source } => match source {
            Source::Property(set, name) => format!("{}:{}.{}", entry.name, part(set), part(name)),
            Source::Ending(index) => format!("{}:ending of {{{index}}}", entry.name),
            Source::Host(index) => format!("{}:host of {{{index}}}", entry.name),
            Source::Command(index) => format!("{}:{{{index}}}", entry.name),
        },
    }
}

fn capabilities() -> String {
    let mut out = String::from(
        "CAPABILITIES\n\nA capability is `scope.action` or `scope.action:TARGET`. A property target is `Set.Name`, names \
         with spaces in double quotes, attributes as `Attribute.Name`; a format is one of the list; a host is an exact DNS \
         name, never with a star, scheme, port or path; a command is its id. A star ends a bare name or stands alone; it \
         raises the risk, and a person sees it, so name things exactly. `ui.*` need not be declared.\n\n",
    );
    for entry in catalogue() {
        let target = entry.target.map(|kind| format!(":{}", format!("{kind:?}").to_uppercase())).unwrap_or_default();
        let _ = writeln!(out, "{}{target} — {}", entry.name, entry.sentence);
    }
    let data: Value = serde_json::from_str(schemas::CAPABILITIES).unwrap_or_default();
    for (tier, note) in [("yellow", "FORMAT"), ("red", "FORMAT with active content, high risk")] {
        let formats = data.pointer(&format!("/exportFormats/{tier}")).and_then(Value::as_array);
        let formats: Vec<&str> = formats.into_iter().flatten().filter_map(Value::as_str).collect();
        let _ = writeln!(out, "{note}: {}", formats.join(" "));
    }
    out
}

fn fixture_table() -> String {
    let mut out = String::from(
        "FIXTURES\n\nTests run on these models; choose the smallest that exercises the extension, and derive expected \
         values from it. Where none does, write a synthetic one into the test.\n\n",
    );
    for fixture in fixtures::all() {
        let counts: Vec<String> =
            fixture.distribution.iter().map(|(class, count)| format!("{class} {count}")).collect();
        let _ = writeln!(out, "{} ({}): {} {}", fixture.id, fixture.schema, fixture.description, counts.join(", "));
    }
    out.push_str("\nWhat stands where (name and number of elements):\n");
    let detailed = fixtures::all().iter().filter(|fixture| DETAILED.contains(&fixture.id.as_str()));
    for storey in detailed.flat_map(storeys) {
        let _ = writeln!(out, "{storey}");
    }
    out
}

/// `FIXTURE, STOREY: CLASS COUNT …`, one row a storey.
fn storeys(fixture: &Fixture) -> Vec<String> {
    let storeys = fixture.data.get("storeys").and_then(Value::as_array);
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let rows = storeys.into_iter().flatten().map(|storey| {
        let groups = storey.get("elements").and_then(Value::as_array);
        let groups: Vec<String> = groups
            .into_iter()
            .flatten()
            .map(|group| {
                let count = group.get("count").and_then(Value::as_u64).unwrap_or(1);
                let sets = ["psets", "typePsets"].iter().filter_map(|name| group.get(*name)?.as_object()).flatten();
                let properties: Vec<String> = sets
                    .flat_map(|(set, values)| {
                        let values = values.as_object().into_iter().flatten();
                        values.map(move |(name, value)| format!("{set}.{name} {value}"))
                    })
                    .filter(|row| row.contains("FireRating"))
                    .collect();
                format!("{} {count} {} {}", text(group, "type"), text(group, "name"), properties.join(" "))
                    .trim()
                    .to_owned()
            })
            .collect();
        format!("{}, {}: {}", fixture.id, text(storey, "name"), groups.join("; "))
    });
    rows.collect()
}

fn example() -> String {
    let mut out =
        String::from("EXAMPLE\n\nThe reply to a `TASK: generate` for \"a panel with the doors of each storey\":\n");
    for (path, text) in EXAMPLE {
        let _ = write!(out, "\n```hp:file path=\"{path}\"\n{text}```\n");
    }
    out
}

impl Section {
    pub(super) fn new(id: &str, cache: &str, text: &str) -> Self {
        Self {
            id: id.to_owned(),
            cache: cache.to_owned(),
            text: text.to_owned(),
            tokens: holdpoint_tokens::estimate(text),
        }
    }
}
