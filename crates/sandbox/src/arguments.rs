//! Arguments against the types of `sdk-v1.json`: counted and typed before anything happens (spec: ifc-sdk.md §4).
//!
//! The data writes types for people and for this gate: `string`, `string|null`, `Entity[]`, `'forward'|'inverse'`,
//! `{columns,filename?}`. What a type does not say (a colour, a file name) is judged by the method.

use boa_engine::{Context, JsResult, JsValue};
use holdpoint_check::{Arg, Sentence, args};
use holdpoint_sdk::members::{Argument, Method};

use crate::{
    entity,
    error::{ENTITIES, ENTITY, FUNCTION, JSON_VALUE, LEFT_OUT, NUMBER, SdkError, TEXT},
    json::{self, to_json},
};

/// Most items that one list argument may have.
pub(crate) const MAX_ITEMS: u64 = 1_000_000;

/// Checks the arguments of a call.
pub(crate) fn check(
    call: &str,
    method: &Method,
    args: &[JsValue],
    context: &mut Context,
) -> JsResult<Result<(), SdkError>> {
    let rest = method.args.last().is_some_and(|argument| argument.rest);
    if !rest && given(args) > method.args.len() && !is_callback_of_one(method, args) {
        let expected = Sentence::of(&LEFT_OUT, args! { count: method.args.len() });
        return Ok(Err(SdkError::argument(call, &format!("argument {}", method.args.len() + 1), &expected)));
    }
    for (index, argument) in method.args.iter().enumerate() {
        let values = if argument.rest { args.get(index..).unwrap_or_default() } else { from(args, index) };
        for value in values {
            let absent = value.is_undefined();
            if absent && (argument.optional || argument.kind == "any" || argument.kind == "Json") {
                continue;
            }
            if absent || !fits(&argument.kind, value, context)? {
                return Ok(Err(SdkError::argument(call, &argument.name, &*expected(argument))));
            }
        }
        if values.is_empty() && !argument.optional && !argument.rest {
            return Ok(Err(SdkError::argument(call, &argument.name, &*expected(argument))));
        }
    }
    Ok(Ok(()))
}

fn from(args: &[JsValue], index: usize) -> &[JsValue] {
    args.get(index..=index).unwrap_or_default()
}

/// How many arguments were given, without `undefined` at the end.
fn given(args: &[JsValue]) -> usize {
    args.iter().rposition(|value| !value.is_undefined()).map_or(0, |last| last + 1)
}

/// `walls.map(bim.query.storey)` gives item, index and list: that is no wrong count.
fn is_callback_of_one(method: &Method, args: &[JsValue]) -> bool {
    match args {
        [_, index, list] => method.args.len() == 1 && index.is_number() && list.is_object(),
        _ => false,
    }
}

/// What the argument must be; a type that is not put into words is said as the data writes it.
fn expected(argument: &Argument) -> Box<dyn Arg> {
    let code = match argument.kind.as_str() {
        "string" | "string literal" | "constant string" => &TEXT,
        "number" => &NUMBER,
        "Entity" => &ENTITY,
        "Entity[]" => &ENTITIES,
        "function" => &FUNCTION,
        "Json" => &JSON_VALUE,
        other => return Box::new(other.to_owned()),
    };
    Box::new(Sentence::of(code, args! {}))
}

fn fits(kind: &str, value: &JsValue, context: &mut Context) -> JsResult<bool> {
    for alternative in alternatives(kind) {
        if fits_one(alternative, value, context)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn fits_one(kind: &str, value: &JsValue, context: &mut Context) -> JsResult<bool> {
    if let Some(item) = kind.strip_suffix("[]") {
        let Some(array) = value.as_object().filter(|object| object.is_array()) else { return Ok(false) };
        for value in json::items(&array, MAX_ITEMS, context)? {
            if !fits_one(item, &value, context)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    let plain_object = || value.as_object().is_some_and(|object| !object.is_callable() && !object.is_array());
    Ok(match kind {
        "string" | "string literal" | "constant string" => value.is_string(),
        "number" => value.as_number().is_some_and(f64::is_finite),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "any" => true,
        "function" => value.is_callable(),
        "Entity" => entity::reference(value, context)?.is_some(),
        "Json" => to_json(value, context).is_ok(),
        quoted if quoted.starts_with('\'') => json::text(value).is_some_and(|text| text == quoted.trim_matches('\'')),
        // `object`, `{…}`, `Camera`: members are judged by the method.
        _ => plain_object(),
    })
}

/// The parts between `|` outside braces.
fn alternatives(kind: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let mut parts = Vec::new();
    let mut start = 0;
    for (index, character) in kind.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => {
                parts.push(kind[start..index].trim());
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(kind[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    #[test]
    fn alternatives_stand_outside_braces() {
        assert_eq!(super::alternatives("Entity[]|object[]"), ["Entity[]", "object[]"]);
        assert_eq!(super::alternatives("{axis,offset}|{point,normal}"), ["{axis,offset}", "{point,normal}"]);
        assert_eq!(super::alternatives("string"), ["string"]);
    }
}
