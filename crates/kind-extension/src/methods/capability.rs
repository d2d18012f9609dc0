//! Capabilities and `when` conditions (spec: ifc-extension.md §2.2, §3.3).

use holdpoint_check::method::{Group, input};
use holdpoint_check::{ApiError, Diagnostic, args, codes};
use holdpoint_sdk::capability::{self, Capability};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::manifest::{broken_when, capability_fault, unknown_keys};
use crate::when::When;

/// The methods of this file.
pub const METHODS: Group =
    &[("capability.parse", parse), ("capability.covers", covers), ("capability.diff", diff), ("when.eval", when)];

codes! {
    INVALID_INPUT / NO_CAPABILITY: Error, "{code}: {fault}" [code, fault];
    INPUT_TOO_LARGE / CAPABILITIES: Error, "Send at most {limit} capabilities; there are {length}." [limit, length];
}

/// Entries of a list (`INPUT_TOO_LARGE`).
const MAX_LIST: usize = 1_000;

fn parse(value: Value) -> Result<Value, ApiError> {
    #[derive(Deserialize)]
    struct Input {
        capability: String,
    }
    let Input { capability: text } = input(value)?;
    Ok(match capability::parse(&text) {
        Ok(capability) => json!({"ok": true, "capability": capability, "diagnostics": []}),
        Err(fault) => {
            let mut finding = capability_fault(&fault, "/capability");
            finding.pointer = None;
            json!({"ok": false, "capability": null, "diagnostics": [finding]})
        }
    })
}

fn covers(value: Value) -> Result<Value, ApiError> {
    #[derive(Deserialize)]
    struct Input {
        grants: Vec<String>,
        request: String,
    }
    let Input { grants, request } = input(value)?;
    bounded(grants.len())?;
    let request = capability::parse(&request).map_err(|fault| no_capability("/request".to_owned(), &fault))?;
    let (mut parsed, mut ignored) = (Vec::new(), Vec::new());
    for grant in grants {
        match capability::parse(&grant) {
            Ok(capability) => parsed.push(capability),
            Err(_) => ignored.push(grant),
        }
    }
    let by = capability::covering(&parsed, &request).map(Capability::canonical);
    Ok(json!({"covered": by.is_some(), "by": by, "ignored": ignored}))
}

fn diff(value: Value) -> Result<Value, ApiError> {
    #[derive(Deserialize)]
    struct Input {
        previous: Vec<String>,
        next: Vec<String>,
    }
    let Input { previous, next } = input(value)?;
    bounded(previous.len() + next.len())?;
    let list = |name: &str, texts: &[String]| -> Result<Vec<Capability>, ApiError> {
        let read = |(index, text): (usize, &String)| {
            capability::parse(text).map_err(|fault| no_capability(format!("/{name}/{index}"), &fault))
        };
        texts.iter().enumerate().map(read).collect()
    };
    Ok(json!(capability::diff(&list("previous", &previous)?, &list("next", &next)?)))
}

fn when(value: Value) -> Result<Value, ApiError> {
    #[derive(Deserialize)]
    struct Input {
        expr: String,
        #[serde(default)]
        context: Map<String, Value>,
    }
    let Input { expr, context } = input(value)?;
    Ok(match When::parse(&expr) {
        Ok(when) => {
            let warnings: Vec<Diagnostic> = unknown_keys(&when).into_iter().collect();
            json!({"ok": true, "value": when.eval(&Value::Object(context)), "diagnostics": warnings})
        }
        Err(fault) => json!({"ok": false, "diagnostics": [broken_when(fault.0)]}),
    })
}

fn no_capability(pointer: String, fault: &capability::CapabilityError) -> ApiError {
    ApiError::at(pointer, &NO_CAPABILITY, args! { code: fault.finding.code, fault: fault.finding.sentence() })
}

fn bounded(length: usize) -> Result<(), ApiError> {
    if length <= MAX_LIST {
        return Ok(());
    }
    Err(ApiError::of(&CAPABILITIES, args! { limit: MAX_LIST, length }))
}

#[cfg(feature = "schema")]
pub mod reference;
