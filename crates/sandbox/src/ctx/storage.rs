//! `ctx.storage`: JSON by key, private to the extension (spec: ifc-sdk.md §2).

use boa_engine::{
    JsString, JsValue,
    object::builtins::{JsArray, JsPromise},
};
use holdpoint_check::args;
use serde_json::Value;

use crate::{
    error::{KEY, NOT_JSON, STORAGE, VALUE},
    gate::{Answer, Call},
    json::{self, NotJson, to_json},
};

/// Bytes of one value as JSON.
const MAX_VALUE_BYTES: usize = 64 * 1024;
/// Bytes of all keys and values.
const MAX_TOTAL_BYTES: usize = 1024 * 1024;
/// It counts the characters of a key.
const MAX_KEY_CHARS: usize = 100;

pub(crate) fn get(call: &mut Call<'_>) -> Answer {
    let key = key(call)?;
    let found = call.host.effects.borrow().storage.get(&key).cloned();
    let value = json::from_json(&found.unwrap_or_default(), call.context)?;
    settled(value, call)
}

pub(crate) fn set(call: &mut Call<'_>) -> Answer {
    let key = key(call)?;
    let value = match to_json(&call.arg(1), call.context) {
        Ok(value) => value.unwrap_or_default(),
        Err(NotJson::Because(why)) => return Err(call.wrong("value", &NOT_JSON, args! { why })),
        Err(NotJson::Threw(error)) => return Err(error.into()),
    };
    let size = |key: &str, value: &Value| key.len() + value.to_string().len();
    if size("", &value) > MAX_VALUE_BYTES {
        return Err(call.limit(&VALUE, MAX_VALUE_BYTES >> 10, MAX_VALUE_BYTES));
    }
    let others: usize =
        call.host.effects.borrow().storage.iter().filter(|(other, _)| **other != key).map(|(k, v)| size(k, v)).sum();
    if others + size(&key, &value) > MAX_TOTAL_BYTES {
        return Err(call.limit(&STORAGE, MAX_TOTAL_BYTES >> 20, MAX_TOTAL_BYTES));
    }
    let mut effects = call.host.effects.borrow_mut();
    effects.storage.insert(key, value);
    effects.storage_writes += 1;
    drop(effects);
    settled(JsValue::undefined(), call)
}

pub(crate) fn delete(call: &mut Call<'_>) -> Answer {
    let key = key(call)?;
    let mut effects = call.host.effects.borrow_mut();
    let existed = effects.storage.remove(&key).is_some();
    effects.storage_writes += u32::from(existed);
    drop(effects);
    settled(existed.into(), call)
}

pub(crate) fn keys(call: &mut Call<'_>) -> Answer {
    let keys: Vec<JsValue> =
        call.host.effects.borrow().storage.keys().map(|key| JsString::from(key.as_str()).into()).collect();
    let list = JsArray::from_iter(keys, call.context);
    settled(list.into(), call)
}

fn key(call: &Call<'_>) -> Result<String, crate::gate::Refusal> {
    let key = call.text(0);
    if key.chars().count() > MAX_KEY_CHARS {
        return Err(call.limit(&KEY, MAX_KEY_CHARS, MAX_KEY_CHARS));
    }
    Ok(key)
}

fn settled(value: JsValue, call: &mut Call<'_>) -> Answer {
    Ok(JsPromise::resolve(value, call.context)?.into())
}
