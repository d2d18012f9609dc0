//! What a test needs because it expects it: an effect that only a granted capability can have
//! (spec: authoring.md §9.1, ifc-sdk.md §5.3).
//!
//! Why: code may do without a capability that it asks `ctx.can` for, and a test may not. Only effects that name
//! themselves count; what else a test needs shows when it runs without.

use holdpoint_sdk::capability::{self, Capability};
use holdpoint_sdk::members::sdk;
use holdpoint_sdk::need::{file_ending, url_host};
use serde_json::Value;

use crate::manifest::Test;

/// The capabilities that the expected effects need, each with the operator that expects it.
pub fn needs(test: &Test) -> Vec<(Capability, &str)> {
    let mut found = Vec::new();
    for (operator, operand) in &test.expect {
        let wanted = items(operand).into_iter().filter_map(|item| match operator.as_str() {
            "viewer" => viewer(item),
            "exports" => export(item),
            "mutations" => mutation(item),
            "requests" => Some(format!("network.fetch:{}", url_host(text(item, "url")?))),
            _ => None,
        });
        let stored = operator == "storage" && operand.as_object().is_some_and(|stored| !stored.is_empty());
        let stored = stored.then(|| "storage.local".to_owned());
        let parsed = wanted.chain(stored).filter_map(|capability| capability::parse(&capability).ok());
        found.extend(parsed.map(|capability| (capability, operator.as_str())));
    }
    found
}

/// Effects that must be there: in a list each, else the one that is asked for.
fn items(operand: &Value) -> Vec<&Value> {
    match operand {
        Value::Array(list) => list.iter().collect(),
        _ => operand.get("some").into_iter().collect(),
    }
}

fn text<'v>(item: &'v Value, member: &str) -> Option<&'v str> {
    item.get(member).and_then(Value::as_str)
}

fn viewer(item: &Value) -> Option<String> {
    let method = sdk().method("viewer", text(item, "op")?)?;
    let capability = method.need.resolve(|_| None).ok()??;
    Some(capability.canonical().to_owned())
}

fn export(item: &Value) -> Option<String> {
    let format = text(item, "format").map(str::to_owned).or_else(|| text(item, "filename").map(file_ending))?;
    Some(format!("export.create:{format}"))
}

fn mutation(item: &Value) -> Option<String> {
    match text(item, "op")? {
        "create" => Some("model.create".to_owned()),
        "delete" => Some("model.delete".to_owned()),
        "setAttribute" => Some(format!("model.mutate:Attribute.{}", text(item, "name")?)),
        _ => Some(format!("model.mutate:{}.{}", text(item, "set")?, text(item, "name")?)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn effects_that_name_themselves() {
        let cases = [
            (json!({"viewer": {"some": {"op": "select"}}}), "viewer.select"),
            (json!({"viewer": [{"op": "select"}, {"op": "colorize"}]}), "viewer.select viewer.colorize"),
            (json!({"exports": {"count": 1, "some": {"format": "csv"}}}), "export.create:csv"),
            (json!({"exports": [{"filename": "a.JSON"}]}), "export.create:json"),
            (json!({"mutations": [{"op": "setProperty", "set": "S", "name": "A"}]}), "model.mutate:S.A"),
            (json!({"mutations": {"some": {"op": "delete"}}}), "model.delete"),
            (json!({"requests": [{"url": "https://a.example.org/x"}]}), "network.fetch:a.example.org"),
            (json!({"storage": {"k": 1}}), "storage.local"),
            // How many says nothing of which; every one of none is none; the result may come from anywhere.
            (json!({"viewer": 1, "exports": 0, "storage": {}}), ""),
            (json!({"viewer": {"every": {"op": "select"}}, "equals": [{"op": "select"}]}), ""),
            (json!({"viewer": [{"op": "nothing"}], "mutations": [{"op": "setProperty"}]}), ""),
        ];
        for (expect, want) in cases {
            let test: Test = serde_json::from_value(json!({"name": "t", "fixture": "x", "expect": expect})).unwrap();
            let found: Vec<String> = needs(&test).iter().map(|(need, _)| need.canonical().to_owned()).collect();
            assert_eq!(found.join(" "), want, "{expect}");
        }
    }
}
