//! Why a call failed, as data (spec: ifc-sdk.md §4, §5.4).

use std::error::Error;

use boa_engine::{
    Context, EngineError, JsError, JsObject, JsString, JsValue, RuntimeLimitError,
    builtins::error::Error as ErrorObject,
};
use holdpoint_check::{Args, Code, Sentence, args, code::CASE};
use holdpoint_sdk::{
    codes::{CALLS, ENGINE, STOPPED},
    run::{Failure, Place},
};
use serde_json::{Map, Value};

use crate::{ctx::log::word, error::ARGS, host::Host, json, meter::Limit};

/// Characters of a message that are kept.
const MAX_MESSAGE_CHARS: usize = 2_000;

/// A failure of ours without a place.
pub(crate) fn of_code(code: &'static Code, values: Args<'_>) -> Failure {
    Sentence::of(code, values).into()
}

/// A failure in words that are not ours.
pub(crate) fn threw(message: impl Into<String>) -> Failure {
    Failure { code: "THREW".to_owned(), message: message.into(), ..Failure::default() }
}

/// What an error of the engine or of extension code means.
pub(crate) fn of(error: &JsError, context: &mut Context) -> Failure {
    match error.as_engine() {
        Some(EngineError::RuntimeLimit(RuntimeLimitError::LoopIteration)) => {
            return of_code(&STOPPED, args! {});
        }
        Some(EngineError::RuntimeLimit(_)) => return stack(),
        Some(EngineError::Panic(panic)) => {
            // A limit that is passed inside an operation that "cannot fail".
            if let Some(cause) = cause(panic).filter(|cause| cause.as_engine().is_some()) {
                return of(cause, context);
            }
            return of_code(&ENGINE, args! { why: panic.message() });
        }
        None => {}
    }
    let shown = error.to_string();
    match error.clone().into_opaque(context) {
        Ok(value) => of_value(&value, Some(&shown), context),
        Err(_) => threw(shown),
    }
}

/// A limit of the engine's own counts as passed.
pub(crate) fn remember(error: &JsError, host: &Host) {
    let own = match error.as_engine() {
        Some(EngineError::Panic(panic)) => cause(panic).and_then(JsError::as_engine),
        engine => engine,
    };
    if let Some(EngineError::RuntimeLimit(RuntimeLimitError::Recursion | RuntimeLimitError::StackSize)) = own {
        host.meter.pass(Limit::Stack);
    }
}

/// The error of the engine behind another one.
fn cause<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e JsError> {
    let source = error.source()?;
    let boxed = || source.downcast_ref::<Box<JsError>>().map(|boxed| &**boxed);
    source.downcast_ref::<JsError>().or_else(boxed)
}

/// Calls that are too deep.
pub(crate) fn stack() -> Failure {
    of_code(&CALLS, args! {})
}

/// What a thrown value or the reason of a rejection means. `shown` may hold a trace that the value does not carry.
pub(crate) fn of_value(value: &JsValue, shown: Option<&str>, context: &mut Context) -> Failure {
    let mut failure = threw("");
    let Some(object) = value.as_object() else {
        failure.message = clip(&word(value, context).unwrap_or_default());
        failure.at = shown.and_then(|shown| place(shown, context));
        return failure;
    };
    failure.name = member(&object, "name", context).and_then(|value| json::text(&value));
    failure.message = match member(&object, "message", context).and_then(|value| json::text(&value)) {
        Some(message) => clip(&message),
        None => clip(&word(value, context).unwrap_or_default()),
    };
    failure.args = member(&object, ARGS, context).and_then(|values| told(&values, context)).unwrap_or_default();
    failure.sdk_code = member(&object, "code", context).and_then(|value| json::text(&value));
    if failure.name.as_deref() == Some("SdkError") {
        failure.details =
            member(&object, "details", context).and_then(|details| json::to_json(&details, context).ok()).flatten();
        if failure.sdk_code.as_deref() == Some("CAPABILITY_DENIED") {
            "CAPABILITY_DENIED".clone_into(&mut failure.code);
        }
    }
    failure.at = trace(&object, context)
        .and_then(|trace| place(&trace, context))
        .or_else(|| shown.and_then(|shown| place(shown, context)));
    failure
}

/// The values of a sentence of ours: they name it.
fn told(values: &JsValue, context: &mut Context) -> Option<Map<String, Value>> {
    match json::to_json(values, context).ok()?? {
        Value::Object(values) if values.get(CASE).is_some_and(Value::is_string) => Some(values),
        _ => None,
    }
}

/// A member of a thrown object; a getter that throws gives none.
fn member(object: &JsObject, name: &str, context: &mut Context) -> Option<JsValue> {
    object.get(JsString::from(name), context).ok().filter(|value| !value.is_undefined())
}

/// The stack of an error, read by the realm's own getter as it was before extension code ran.
fn trace(object: &JsObject, context: &mut Context) -> Option<String> {
    object.is::<ErrorObject>().then_some(())?;
    let getter = Host::of(context).captured.borrow().as_ref()?.stack.clone()?;
    getter.call(&object.clone().into(), &[], context).ok().and_then(|stack| json::text(&stack))
}

/// The first place of a trace that lies in the bundle: `    at name (src/a.js:3:7)`.
fn place(trace: &str, context: &Context) -> Option<Place> {
    let host = Host::of(context);
    trace.lines().find_map(|line| {
        let inner = line.trim().strip_prefix("at ")?.rsplit_once('(')?.1.strip_suffix(')')?;
        let (rest, column) = inner.rsplit_once(':')?;
        let (path, line) = rest.rsplit_once(':')?;
        host.program.modules.contains_key(path).then_some(())?;
        let (line, column) = (line.parse().ok()?, column.parse().ok()?);
        Some(Place { path: path.to_owned(), line, column: host.program.metering.own_column(path, line, column) })
    })
}

fn clip(text: &str) -> String {
    text.chars().take(MAX_MESSAGE_CHARS).collect()
}
