//! What is found in schemas that users write.

use serde_json::{Value, json};

use super::*;

fn pointers(schema: &Value) -> String {
    faults(schema).into_iter().map(|fault| fault.pointer).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_metaschema() {
    let cases = [
        (json!({}), ""),
        (json!({"type": "object", "properties": {"a": true}, "x-own": 1}), ""),
        (json!({"type": "objekt"}), "/type"),
        (json!({"type": ["string", "objekt"]}), "/type"),
        (json!({"required": "a"}), "/required"),
        (json!({"required": ["a", 1]}), "/required/1"),
        (json!({"properties": {"a": {"minimum": "0"}, "b": 3}}), "/properties/a/minimum /properties/b"),
        (json!({"items": [{}]}), "/items"),
        (json!({"multipleOf": 0}), "/multipleOf"),
        (json!({"$defs": {"a/b": {"minLength": -1}}}), "/$defs/a~1b/minLength"),
        (json!({"allOf": []}), "/allOf"),
        (json!({"const": {"type": "objekt"}, "default": {"type": 1}}), ""),
        (json!({"$schema": "http://json-schema.org/draft-07/schema#"}), ""),
    ];
    for (schema, want) in cases {
        assert_eq!(pointers(&schema), want, "{schema}");
    }
    for root in [json!([]), json!(true), json!("a"), json!(null)] {
        assert_eq!(faults(&root).iter().map(|fault| fault.pointer.as_str()).collect::<Vec<_>>(), [""], "{root}");
    }
}

#[test]
fn references() {
    let cases = [
        (json!({"$ref": "#"}), vec![]),
        (json!({"$defs": {"a": {}}, "items": {"$ref": "#/$defs/a"}}), vec![]),
        (json!({"$defs": {"a b/c": {}}, "items": {"$ref": "#/$defs/a%20b~1c"}}), vec![]),
        (json!({"$defs": {"a": {"$anchor": "x"}}, "items": {"$ref": "#x"}}), vec![]),
        (json!({"items": {"$ref": "#x"}}), vec!["/items/$ref"]),
        (json!({"items": {"$ref": "#/$defs/a"}}), vec!["/items/$ref"]),
        (json!({"title": "t", "items": {"$ref": "#/title"}}), vec!["/items/$ref"]),
        (json!({"items": {"$ref": "https://example.org/a.json"}}), vec!["/items/$ref"]),
        (json!({"items": {"$ref": "other.json#/a"}}), vec!["/items/$ref"]),
        (json!({"properties": {"$ref": {"type": "string"}}}), vec![]),
        (json!({"default": {"$ref": "#/nowhere"}, "enum": [{"$ref": "#/no"}]}), vec![]),
    ];
    for (schema, want) in cases {
        assert_eq!(broken_references(&schema, &places(&schema)), want, "{schema}");
    }
}

#[test]
fn patterns() {
    for sound in ["^[a-z]+$", r"(?=a)b", r"^(?<year>\d{4})-\k<year>$", r"\p{L}", "", r"a{2,}"] {
        assert!(is_pattern(sound), "{sound}");
    }
    for broken in ["[A-", "(", "*a", "(?P<a>b)", "a**", ")"] {
        assert!(!is_pattern(broken), "{broken}");
    }
    let schema = json!({"properties": {"pattern": {"pattern": "["}}, "patternProperties": {"(": {}}});
    let mut found = broken_patterns(&places(&schema));
    found.sort();
    assert_eq!(found, ["/patternProperties/(", "/properties/pattern/pattern"]);
    assert!(is_pattern(&"(".repeat(100_000)), "too long to be judged");
    assert!(is_pattern(&"(".repeat(4_000)), "too deep to be judged");
}

fn defaults(schema: &Value) -> Vec<String> {
    let places = places(schema);
    let mut ignored = broken_references(schema, &places);
    ignored.extend(broken_patterns(&places));
    let mut found = broken_defaults(schema, &places, &ignored);
    found.sort();
    found
}

#[test]
fn defaults_under_their_own_schema() {
    let cases = [
        (json!({"type": "integer", "default": "three"}), vec!["/default"]),
        (json!({"type": "integer", "default": 3}), vec![]),
        (json!({"properties": {"a b": {"enum": [1, 2], "default": 3}}}), vec!["/properties/a b/default"]),
        (json!({"$defs": {"n": {"minimum": 2}}, "items": {"$ref": "#/$defs/n", "default": 1}}), vec!["/items/default"]),
        (json!({"type": "string", "pattern": "^a", "default": "b"}), vec!["/default"]),
        (json!({"type": "string", "pattern": "^(?=a)", "default": "b"}), vec!["/default"]),
        (json!({"type": "string", "pattern": "[", "default": "b"}), vec![]),
        (json!({"$ref": "#/none", "type": "string", "default": 1}), vec!["/default"]),
        (json!({"format": "email", "default": "no address"}), vec![]),
        (
            json!({"$id": "https://example.org/a", "$schema": "https://example.org/b", "type": "null", "default": 1}),
            vec!["/default"],
        ),
        (json!({"properties": {"default": {"type": "string"}}}), vec![]),
    ];
    for (schema, want) in cases {
        assert_eq!(defaults(&schema), want, "{schema}");
    }
}

/// Each of these would take longer than anybody waits, or end the stack.
#[test]
fn hostile_schemas_end() {
    let mut doubling = json!({"$defs": {}});
    for level in 0..60 {
        let next = json!({"$ref": format!("#/$defs/d{}", level + 1)});
        doubling["$defs"][format!("d{level}")] = json!({"allOf": [next, next]});
    }
    doubling["$defs"]["d60"] = json!({"type": "string"});
    doubling["properties"] = json!({"a": {"$ref": "#/$defs/d0", "default": 1}});
    assert_eq!(defaults(&doubling), Vec::<String>::new());

    let circle = json!({"$ref": "#", "default": 1});
    assert_eq!(defaults(&circle), Vec::<String>::new());
    let wide = json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}], "default": {}});
    assert_eq!(defaults(&wide), Vec::<String>::new());

    let mut deep = json!(1);
    (0..100).for_each(|_| deep = json!([deep]));
    let branch = json!({"items": {"$ref": "#/$defs/n"}});
    let tree = json!({"$defs": {"n": {"anyOf": [branch, branch], "type": ["array", "string"]}}, "$ref": "#/$defs/n", "default": deep});
    assert_eq!(defaults(&tree), Vec::<String>::new());

    let many: Value = (0..2_000)
        .map(|n| (format!("p{n}"), json!({"pattern": "(a{1,500}){1,500}", "default": "b"})))
        .collect::<Map<_, _>>()
        .into();
    assert!(defaults(&json!({ "properties": many })).len() <= 2_000);

    let mut nested = json!({});
    (0..126).for_each(|_| nested = json!({"not": nested, "default": 1}));
    assert!(faults(&nested).is_empty());
    assert!(defaults(&nested).len() < 127);
}
