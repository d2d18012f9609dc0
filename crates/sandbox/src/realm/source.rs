//! `source` of regular expressions (ECMAScript §22.2.6.13.1): a `/` is escaped once, and not inside brackets.
//!
//! The engine escapes every `/`, also behind a backslash. Invariant: `/${source}/` reads as the same pattern.

use boa_engine::{
    Context, JsResult, JsString, JsValue, NativeFunction,
    object::{FunctionObjectBuilder, builtins::JsFunction},
    property::{PropertyDescriptor, PropertyKey},
};

const SLASH: u16 = b'/' as u16;
const BACKSLASH: u16 = b'\\' as u16;

/// Puts the accessor of this module before the engine's own.
pub(super) fn replace(context: &Context) {
    let prototype = context.intrinsics().constructors().regexp().prototype();
    let key = PropertyKey::from(JsString::from("source"));
    let own = prototype.borrow().properties().get(&key);
    let Some(own) = own.and_then(|property| property.get().and_then(JsValue::as_function)) else { return };
    let get = NativeFunction::from_copy_closure_with_captures(
        |this, args, own: &JsFunction, context| source(&own.call(this, args, context)?),
        own,
    );
    let get = FunctionObjectBuilder::new(context.realm(), get).name(JsString::from("get source")).build();
    prototype.insert_property(key, PropertyDescriptor::builder().get(get).enumerable(false).configurable(true));
}

fn source(escaped: &JsValue) -> JsResult<JsValue> {
    let Some(escaped) = escaped.as_string() else { return Ok(escaped.clone()) };
    let written = as_written(&escaped.to_vec());
    Ok(JsString::from(&once_escaped(&written)[..]).into())
}

/// Without the backslash that the engine put before every `/`.
fn as_written(escaped: &[u16]) -> Vec<u16> {
    let mut written = Vec::with_capacity(escaped.len());
    for unit in escaped {
        if *unit == SLASH {
            written.pop();
        }
        written.push(*unit);
    }
    written
}

fn once_escaped(written: &[u16]) -> Vec<u16> {
    let mut escaped = Vec::with_capacity(written.len());
    let (mut behind_backslash, mut in_class) = (false, false);
    for unit in written {
        let special = !behind_backslash;
        if special && !in_class && *unit == SLASH {
            escaped.push(BACKSLASH);
        }
        match char::from_u32(u32::from(*unit)) {
            Some('[') if special => in_class = true,
            Some(']') if special => in_class = false,
            _ => {}
        }
        behind_backslash = special && *unit == BACKSLASH;
        escaped.push(*unit);
    }
    escaped
}
