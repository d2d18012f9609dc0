//! A plan that holds, as a type (spec: authoring.md §3.1).
//!
//! Plans are judged and hashed as the JSON that was written, never through this type; it is what a page may rely on
//! once the schema holds. A test compares its members with those of the schema.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub summary: String,
    pub rationale: String,
    pub contributions: Vec<Contribution>,
    pub capabilities: Vec<String>,
    pub triggers: Vec<String>,
    pub widgets: Vec<Widget>,
    pub tests: Vec<WrittenTest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub notes: Option<String>,
    /// What a person took out of this plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub declined: Option<Vec<DeclinedPart>>,
}

/// What a person took out of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PlanDeclined"))]
#[serde(deny_unknown_fields)]
pub struct DeclinedPart {
    /// Of a contribution, `test` or `trigger`.
    pub kind: DeclinedKind,
    /// Id of a contribution, name of a test, or event.
    pub id: String,
}

/// What can be taken out of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PlanDeclinedKind"))]
#[serde(rename_all = "camelCase")]
pub enum DeclinedKind {
    Command,
    Toolbar,
    Dock,
    ContextMenu,
    Keybinding,
    Lens,
    Exporter,
    IdsValidator,
    StatusBar,
    Test,
    Trigger,
}

/// What a contribution adds to the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ContributionKind {
    Command,
    Toolbar,
    Dock,
    ContextMenu,
    Keybinding,
    Lens,
    Exporter,
    IdsValidator,
    StatusBar,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PlanContribution", optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Contribution {
    pub kind: ContributionKind,
    pub id: String,
    pub label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<String>,
    /// The planned command that it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Path of its planned widget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub widget: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh_on: Option<Vec<String>>,
    /// A person wrote the label: the result is called so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label_pinned: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PlanWidget"))]
#[serde(deny_unknown_fields)]
pub struct Widget {
    pub path: String,
    pub description: String,
}

/// A test of the plan, in words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PlanTest"))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WrittenTest {
    pub name: String,
    /// A canonical fixture, or `synthetic`.
    pub fixture: String,
    /// Id of the contribution that it runs.
    pub contribution: String,
    pub assertion_summary: String,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Map, Value, json};

    use super::Plan;

    /// A value with every member of a schema.
    fn whole(schema: &Value) -> Value {
        match (schema["type"].as_str(), schema["enum"].as_array()) {
            (_, Some(values)) => values[0].clone(),
            (Some("object"), _) => {
                let members = schema["properties"].as_object().unwrap();
                Value::Object(members.iter().map(|(name, member)| (name.clone(), whole(member))).collect::<Map<_, _>>())
            }
            (Some("array"), _) => json!([whole(&schema["items"])]),
            (Some("boolean"), _) => json!(true),
            (kind, _) => {
                assert_eq!(kind, Some("string"), "{schema}");
                json!("text")
            }
        }
    }

    #[test]
    fn has_the_members_of_the_schema() {
        let schema: Value = serde_json::from_str(holdpoint_sdk::schemas::PLAN).unwrap();
        let plan = whole(&schema);
        let typed: Plan = serde_json::from_value(plan.clone()).unwrap();
        assert_eq!(json!(typed), plan, "a member of the schema is missing in the type, or the other way round");
        let kinds = |list: &str| schema["properties"][list]["items"]["properties"]["kind"]["enum"].as_array().unwrap();
        for kind in kinds("contributions") {
            assert!(serde_json::from_value::<super::ContributionKind>(kind.clone()).is_ok(), "{kind}");
        }
        for kind in kinds("declined") {
            assert!(serde_json::from_value::<super::DeclinedKind>(kind.clone()).is_ok(), "{kind}");
        }
        let required = |value: &Value| -> BTreeSet<String> {
            value["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
        };
        for name in required(&schema) {
            let mut without = plan.clone();
            without.as_object_mut().unwrap().remove(&name);
            assert!(serde_json::from_value::<Plan>(without).is_err(), "{name} is required");
        }
    }
}
