//! `SdkError`: what a refused call throws (spec: ifc-sdk.md §4).

use boa_engine::{Context, JsError, JsObject, JsResult, JsString, JsValue, property::PropertyDescriptor};
use serde_json::{Value, json};

/// A refusal, before it becomes a JavaScript object.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SdkError {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) details: Value,
}

impl SdkError {
    /// `SDK_ARGUMENT`: which argument, and what it should have been.
    pub(crate) fn argument(call: &str, argument: &str, expected: &str) -> Self {
        Self {
            code: "SDK_ARGUMENT",
            message: format!("{call}: `{argument}` must be {expected}."),
            details: json!({"call": call, "argument": argument, "expected": expected}),
        }
    }

    /// `SDK_LIMIT`.
    pub(crate) fn limit(call: &str, message: &str, limit: impl Into<Value>) -> Self {
        Self {
            code: "SDK_LIMIT",
            message: format!("{call}: {message}"),
            details: json!({"call": call, "limit": limit.into()}),
        }
    }

    /// `SDK_NOT_FOUND`.
    pub(crate) fn not_found(call: &str, what: &str) -> Self {
        Self {
            code: "SDK_NOT_FOUND",
            message: format!("{call}: {what} does not exist."),
            details: json!({"call": call, "what": what}),
        }
    }

    /// `SDK_UNAVAILABLE`.
    pub(crate) fn unavailable(call: &str) -> Self {
        Self {
            code: "SDK_UNAVAILABLE",
            message: format!("{call} is not available in this version of the host. Do without it."),
            details: json!({"call": call, "host": "holdpoint"}),
        }
    }

    /// The error object, with the place where it is made as its stack.
    pub(crate) fn into_js(self, context: &mut Context) -> JsError {
        match object(&self, context) {
            Ok(object) => JsError::from_opaque(object.into()),
            Err(error) => error,
        }
    }
}

fn object(error: &SdkError, context: &mut Context) -> JsResult<JsObject> {
    let constructor = context.intrinsics().constructors().error().constructor();
    let object = constructor.construct(&[JsString::from(error.message.as_str()).into()], None, context)?;
    let details = JsValue::from_json(&error.details, context)?;
    let members: [(&str, JsValue); 3] = [
        ("name", JsString::from("SdkError").into()),
        ("code", JsString::from(error.code).into()),
        ("details", details),
    ];
    for (name, value) in members {
        let property = PropertyDescriptor::builder().value(value).writable(true).enumerable(false).configurable(true);
        object.insert_property(JsString::from(name), property);
    }
    Ok(object)
}
