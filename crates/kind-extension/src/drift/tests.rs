//! Outcomes row by row, and the entries that touch an extension.

use serde_json::{Value, json};

use super::*;

const CODE: &str =
    "export default (ctx) => {\n  ctx.log.info(1);\n  return ctx.bim.query.byType('IfcDoor').length;\n};\n";

fn version(text: &str) -> Version {
    Version::parse(text).unwrap()
}

fn bundle(range: &str, tests: &Value, code: &str) -> Files {
    let manifest = json!({
        "manifestVersion": 1, "id": "a.doors", "name": "Doors", "description": "Counts doors.", "version": "0.1.9",
        "engines": {"ifcLiteSdk": range}, "capabilities": ["model.read"], "activation": [],
        "entry": {"commands": {"a.count": "src/count.js"}},
        "contributes": {"commands": [{"id": "a.count", "title": "Count"}]}, "tests": tests,
    });
    Files::from([
        ("manifest.json".to_owned(), serde_json::to_string_pretty(&manifest).unwrap()),
        ("src/count.js".to_owned(), code.to_owned()),
    ])
}

fn tests() -> Value {
    json!([{"name": "counts", "command": "a.count", "fixture": "house-small", "expect": {"equals": 7}}])
}

#[test]
fn every_row_of_the_table_of_outcomes() {
    let cases = [
        // range, code, passed → outcome
        ("^1.0.0", CODE, Some(true), Some(DriftOutcome::Ok)),
        ("^1.0.0", CODE, Some(false), Some(DriftOutcome::Broken)),
        ("^0.9.0", CODE, Some(true), Some(DriftOutcome::RangeOnly)),
        ("^0.9.0", CODE, Some(false), Some(DriftOutcome::Broken)),
        ("^1.0.0", CODE, None, None),
        ("^0.9.0", CODE, None, None),
        ("^1.0.0", "export default (ctx) => ctx.bim.query.gone();\n", None, Some(DriftOutcome::Broken)),
        ("^0.9.0", "export default (ctx) => ctx.bim.query.gone();\n", Some(true), Some(DriftOutcome::Broken)),
        ("nonsense", CODE, Some(true), Some(DriftOutcome::Broken)),
    ];
    for (range, code, passed, want) in cases {
        let checked = checked(&bundle(range, &tests(), code), &version("1.0.0"));
        assert_eq!(checked.outcome(passed), want, "{range} {passed:?} {:?}", checked.diagnostics);
    }
}

#[test]
fn what_has_no_tests_stays_on_where_its_range_says_so() {
    for (range, want) in [(">=1.0.0", DriftOutcome::Unknown), ("^0.9.0", DriftOutcome::Broken)] {
        let checked = checked(&bundle(range, &json!([]), CODE), &version("1.0.0"));
        assert_eq!((checked.tested, checked.outcome(None)), (false, Some(want)), "{range}");
    }
}

#[test]
fn a_range_is_widened_in_its_place_and_the_patch_counts_up() {
    let before = bundle("^0.9.0", &tests(), CODE);
    let after = widened(&before, &version("1.2.0")).unwrap();
    assert_eq!(range::written(&after).as_deref(), Some("^0.9.0 || ^1.2.0"));
    let lines = |files: &Files| files["manifest.json"].lines().map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (lines(&before), lines(&after));
    let mut differ: Vec<&str> = old.iter().zip(&new).filter(|(a, b)| a != b).map(|(_, b)| b.trim()).collect();
    differ.sort_unstable();
    assert_eq!(differ, [r#""ifcLiteSdk": "^0.9.0 || ^1.2.0""#, r#""version": "0.1.10","#]);
    assert!(check(&after, &Options { sdk_version: Some(version("1.2.0")), ..Options::default() }).ok);
    assert_eq!(widened(&Files::new(), &version("1.0.0")), None);
}

#[test]
fn entries_touch_calls_widgets_fields_fixtures_and_capabilities_and_nothing_that_is_only_spelled_alike() {
    let mut files = bundle("^1.0.0", &tests(), CODE);
    files.insert(
        "widgets/w.json".to_owned(),
        r#"{"type": "Tabs", "tabs": [{"id": "a", "label": "A", "children": [{"type": "Separator"}]}]}"#.to_owned(),
    );
    let sites = |member: &str| {
        let change = ChangelogEntry {
            version: version("1.1.0"),
            kind: ChangeKind::Behaviour,
            members: vec![member.to_owned()],
            summary: String::new(),
            migration: String::new(),
        };
        let found = relevant(&[change], &version("1.0.0"), &version("1.1.0"), &files);
        let place = |site: &Site| match (&site.range, &site.pointer) {
            (Some(range), _) => format!("{}:{}:{}", site.path, range.start.line, range.start.column),
            (None, pointer) => format!("{}{}", site.path, pointer.as_deref().unwrap_or_default()),
        };
        found.iter().flat_map(|one| &one.sites).map(place).collect::<Vec<_>>()
    };
    let cases: [(&str, &[&str]); 11] = [
        ("bim.query.byType", &["src/count.js:3:10"]),
        ("bim", &["src/count.js:3:10"]),
        ("ctx.log", &["src/count.js:2:3"]),
        ("bim.que", &[]),
        ("bim.query.by", &[]),
        ("widget:Separator", &["widgets/w.json/tabs/0/children/0"]),
        ("widget:Tab", &[]),
        ("manifest:tests", &["manifest.json/tests"]),
        ("fixture:house-small", &["manifest.json/tests/0/fixture"]),
        ("capability:model.read", &["manifest.json/capabilities/0"]),
        ("capability:model.re", &[]),
    ];
    for (member, want) in cases {
        assert_eq!(sites(member), want, "{member}");
    }
}

#[test]
fn the_changelog_of_the_sdk_reads_and_never_goes_past_it() {
    let built_in = version(&holdpoint_sdk::members::sdk().version);
    assert!(!changes().is_empty());
    for pair in changes().windows(2) {
        assert!(pair[0].version <= pair[1].version, "oldest first");
    }
    assert!(changes().iter().all(|change| change.version <= built_in && !change.summary.is_empty()));
}
