//! Values at the border: copied as JSON, by rules, within limits (spec: ifc-sdk.md §1 "Result").
//!
//! Getters and `toJSON` of extension code may run here; they may fail the call, never the host. Nothing here calls a
//! built-in by a name that extension code can replace.

use boa_engine::{
    Context, JsError, JsNativeError, JsObject, JsResult, JsString, JsValue,
    builtins::{
        array_buffer::ArrayBuffer, dataview::DataView, map::ordered_map::OrderedMap, object::OrdinaryObject,
        set::ordered_set::OrderedSet, typed_array::TypedArray,
    },
    js_string,
    property::PropertyKey,
};
use serde_json::{Map, Number, Value};

use crate::budget::{MAX_RESULT_BYTES, MAX_RESULT_DEPTH};

/// Why a value is no JSON.
#[derive(Debug)]
pub(crate) enum NotJson {
    /// What stands where: `$.rows[2].f is a function`.
    Because(String),
    /// A getter or `toJSON` threw.
    Threw(JsError),
}

impl From<JsError> for NotJson {
    fn from(error: JsError) -> Self {
        Self::Threw(error)
    }
}

/// The value as JSON; `None` for `undefined`.
pub(crate) fn to_json(value: &JsValue, context: &mut Context) -> Result<Option<Value>, NotJson> {
    let mut copy = Copy { bytes: 0, path: vec!["$".to_owned()] };
    copy.value(value, "", context)
}

pub(crate) fn from_json(value: &Value, context: &mut Context) -> JsResult<JsValue> {
    JsValue::from_json(value, context)
}

/// The text of a value that is a string; unpaired surrogates become U+FFFD.
pub(crate) fn text(value: &JsValue) -> Option<String> {
    value.as_string().map(|text| text.to_std_string_lossy())
}

struct Copy {
    bytes: usize,
    path: Vec<String>,
}

impl Copy {
    fn value(&mut self, value: &JsValue, key: &str, context: &mut Context) -> Result<Option<Value>, NotJson> {
        if value.is_undefined() {
            return Ok(None);
        }
        self.spend(1)?;
        if value.is_null() {
            return Ok(Some(Value::Null));
        }
        if let Some(flag) = value.as_boolean() {
            return Ok(Some(flag.into()));
        }
        if let Some(number) = value.as_number() {
            return self.number(number).map(Some);
        }
        if let Some(text) = text(value) {
            self.spend(text.len())?;
            return Ok(Some(text.into()));
        }
        let Some(object) = value.as_object() else {
            return Err(self.refuse(if value.is_symbol() { "is a symbol" } else { "is a BigInt" }));
        };
        if self.path.len() > MAX_RESULT_DEPTH {
            return Err(self.refuse(&format!("lies deeper than {MAX_RESULT_DEPTH} levels, or is a cycle")));
        }
        let to_json = object.get(js_string!("toJSON"), context)?;
        if let Some(function) = to_json.as_callable() {
            let text = function.call(value, &[JsString::from(key).into()], context)?;
            let again = text.as_object().is_some_and(|text| JsObject::equals(&text, &object));
            if !again {
                self.path.push(String::new());
                let answer = self.value(&text, key, context);
                self.path.pop();
                return answer;
            }
        }
        self.object(&object, context).map(Some)
    }

    fn number(&mut self, number: f64) -> Result<Value, NotJson> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if number.fract() == 0.0 && number.abs() < EXACT {
            return Ok((number as i64).into());
        }
        Number::from_f64(number).map(Value::Number).ok_or_else(|| self.refuse(&format!("is {number}")))
    }

    fn object(&mut self, object: &JsObject, context: &mut Context) -> Result<Value, NotJson> {
        if object.is_callable() {
            return Err(self.refuse("is a function"));
        }
        if let Some(what) = collection(object) {
            return Err(self.refuse(&format!("is {what}; make it an array or an object")));
        }
        if let Some(primitive) = boxed(object) {
            return self.value(&primitive, "", context).map(Option::unwrap_or_default);
        }
        if object.is_array() {
            return self.array(object, context);
        }
        let mut members = Map::new();
        for key in object.own_property_keys(context)? {
            self.member(object, &key, &mut members, context)?;
        }
        Ok(Value::Object(members))
    }

    fn member(
        &mut self,
        object: &JsObject,
        key: &PropertyKey,
        members: &mut Map<String, Value>,
        context: &mut Context,
    ) -> Result<(), NotJson> {
        if !is_enumerable(object, key, context)? {
            return Ok(());
        }
        let name = match key {
            PropertyKey::String(name) => name.to_std_string_lossy(),
            PropertyKey::Index(index) => index.get().to_string(),
            PropertyKey::Symbol(_) => return Ok(()),
        };
        self.spend(name.len())?;
        let value = object.get(key.clone(), context)?;
        self.path.push(format!(".{name}"));
        if let Some(value) = self.value(&value, &name, context)? {
            members.insert(name, value);
        }
        self.path.pop();
        Ok(())
    }

    fn array(&mut self, object: &JsObject, context: &mut Context) -> Result<Value, NotJson> {
        let length = length(object, context)?;
        let mut items = Vec::new();
        for index in 0..length {
            let value = object.get(index, context)?;
            self.spend(1)?;
            self.path.push(format!("[{index}]"));
            items.push(self.value(&value, &index.to_string(), context)?.unwrap_or_default());
            self.path.pop();
        }
        Ok(Value::Array(items))
    }

    fn spend(&mut self, bytes: usize) -> Result<(), NotJson> {
        self.bytes += bytes;
        if self.bytes > MAX_RESULT_BYTES {
            return Err(NotJson::Because(format!("the value is larger than {MAX_RESULT_BYTES} bytes")));
        }
        Ok(())
    }

    fn refuse(&self, what: &str) -> NotJson {
        const SHOWN: usize = 12;
        let mut place: String = self.path.iter().take(SHOWN).map(String::as_str).collect();
        if self.path.len() > SHOWN {
            place.push('…');
        }
        NotJson::Because(format!("`{place}` {what}"))
    }
}

/// The length of an array.
pub(crate) fn length(array: &JsObject, context: &mut Context) -> JsResult<u64> {
    Ok(array.get(js_string!("length"), context)?.as_number().map_or(0, |length| length as u64))
}

/// The items of an array.
pub(crate) fn items(array: &JsObject, limit: u64, context: &mut Context) -> JsResult<Vec<JsValue>> {
    let length = length(array, context)?;
    if length > limit {
        return Err(JsNativeError::range().with_message(format!("an array of more than {limit} items")).into());
    }
    (0..length).map(|index| array.get(index, context)).collect()
}

fn is_enumerable(object: &JsObject, key: &PropertyKey, context: &mut Context) -> JsResult<bool> {
    let answer = OrdinaryObject::property_is_enumerable(&object.clone().into(), &[key.clone().into()], context)?;
    Ok(answer.to_boolean())
}

fn collection(object: &JsObject) -> Option<&'static str> {
    if object.is::<OrderedMap<JsValue>>() {
        Some("a Map")
    } else if object.is::<OrderedSet>() {
        Some("a Set")
    } else if object.is::<TypedArray>() {
        Some("a typed array")
    } else if object.is::<ArrayBuffer>() || object.is::<DataView>() {
        Some("a buffer")
    } else {
        None
    }
}

fn boxed(object: &JsObject) -> Option<JsValue> {
    if let Some(number) = object.downcast_ref::<f64>() {
        return Some((*number).into());
    }
    if let Some(text) = object.downcast_ref::<JsString>() {
        return Some(text.clone().into());
    }
    object.downcast_ref::<bool>().map(|flag| (*flag).into())
}
