//! Built-ins that take a size look at the heap first (spec: ifc-sdk.md §6.2 "Heap").
//!
//! The engine collects by the number of its objects, not by what they hold: a loop over large arrays or texts would pass
//! the heap as garbage before the sandbox gets control. Invariant: each function here does what the engine's own does.

use boa_engine::{
    Context, JsObject, JsResult, JsString, JsValue, NativeFunction,
    object::{
        FunctionObjectBuilder,
        builtins::{JsArrayBuffer, JsFunction, JsTypedArray},
    },
    property::{PropertyDescriptor, PropertyKey},
};

use crate::host::Host;

type BuiltIn = fn(&JsValue, &[JsValue], &JsFunction, &mut Context) -> JsResult<JsValue>;

/// Puts the functions of this module before the engine's own.
pub(super) fn watch(context: &Context) {
    let constructors = context.intrinsics().constructors();
    let text = constructors.string().prototype();
    let array = constructors.array().prototype();
    let typed_array = constructors.typed_array().prototype();
    let all: [(&JsObject, &str, BuiltIn); 16] = [
        (&text, "repeat", repeat),
        (&text, "padStart", pad),
        (&text, "padEnd", pad),
        (&text, "replaceAll", checked),
        (&text, "split", checked),
        (&text, "concat", checked),
        (&array, "fill", listed),
        (&array, "join", listed),
        (&array, "concat", listed),
        (&array, "flat", listed),
        (&array, "slice", listed),
        (&array, "splice", listed),
        (&array, "toReversed", listed),
        (&array, "toSpliced", listed),
        (&array, "with", listed),
        (&typed_array, "fill", fill),
    ];
    for (prototype, name, function) in all {
        replace(prototype, name, function, context);
    }
}

fn replace(prototype: &JsObject, name: &str, function: BuiltIn, context: &Context) {
    let key = PropertyKey::from(JsString::from(name));
    let own = prototype.borrow().properties().get(&key);
    let Some(own) = own.and_then(|property| property.value().and_then(JsValue::as_function)) else { return };
    let length = own.borrow().properties().get(&PropertyKey::from(JsString::from("length")));
    let length = length.and_then(|property| property.value().and_then(JsValue::as_number)).unwrap_or(0.0) as usize;
    let parameters = if name.starts_with("pad") { 2 } else { length };
    let call = NativeFunction::from_copy_closure_with_captures(
        move |this, args, own: &JsFunction, context| {
            Host::of(context).room()?;
            function(this, args, own, context)
        },
        own,
    );
    let call = FunctionObjectBuilder::new(context.realm(), call).name(JsString::from(name)).length(parameters).build();
    let property = PropertyDescriptor::builder().value(call).writable(true).enumerable(false).configurable(true);
    prototype.insert_property(key, property);
}

/// Bytes of a character of a text, and of an item of a list.
const CHARACTER: u64 = 2;
const ITEM: u64 = 8;

/// `String.prototype.repeat`, where text and count are what they seem.
fn repeat(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    if let (Some(text), Some(count)) = (this.as_string(), args.first().and_then(JsValue::as_number)) {
        Host::of(context).room_for((text.len() as u64).saturating_mul(count as u64))?;
    }
    own.call(this, args, context)
}

/// `String.prototype.padStart` and `padEnd`, to a number of characters.
fn pad(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    if let Some(length) = args.first().and_then(JsValue::as_number) {
        Host::of(context).room_for((length as u64).saturating_mul(CHARACTER))?;
    }
    own.call(this, args, context)
}

/// A function of arrays on what says how long it is.
fn listed(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    let length = this.as_object().and_then(|list| {
        let length = list.borrow().properties().get(&PropertyKey::from(JsString::from("length")));
        length.and_then(|property| property.value().and_then(JsValue::as_number))
    });
    if let Some(length) = length {
        Host::of(context).room_for((length as u64).saturating_mul(ITEM))?;
    }
    own.call(this, args, context)
}

fn checked(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    own.call(this, args, context)
}

/// `%TypedArray%.prototype.fill`: the engine sets element by element; this copies what it set first.
fn fill(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    // Numbers are converted without running code, so nothing changes between the two steps.
    let plain = args.first().is_some_and(JsValue::is_number)
        && args.iter().skip(1).all(|value| value.is_number() || value.is_undefined());
    let array = this.as_object().and_then(|object| JsTypedArray::from_object(object).ok());
    let Some(array) = array.filter(|_| plain) else { return own.call(this, args, context) };
    let length = array.length(context)?;
    let start = relative(args.get(1), 0, length);
    let end = relative(args.get(2), length, length);
    let buffer = array.buffer(context)?.as_object().and_then(|object| JsArrayBuffer::from_object(object).ok());
    let (Some(buffer), true) = (buffer, start + 1 < end) else { return own.call(this, args, context) };
    own.call(this, &[args[0].clone(), JsValue::from(start as f64), JsValue::from((start + 1) as f64)], context)?;
    let offset = array.byte_offset(context)?;
    let size = array.byte_length(context)? / length;
    let mut bytes = buffer.data_mut();
    let part = bytes.as_mut().and_then(|bytes| bytes.get_mut(offset + start * size..offset + end * size));
    if let Some(part) = part {
        let mut filled = size;
        while filled < part.len() {
            let more = filled.min(part.len() - filled);
            part.copy_within(..more, filled);
            filled += more;
        }
    }
    Ok(this.clone())
}

/// An index that counts from the end where it is negative.
fn relative(value: Option<&JsValue>, absent: usize, length: usize) -> usize {
    let Some(number) = value.and_then(JsValue::as_number) else { return absent };
    let number = number.trunc();
    let length = length as f64;
    // What is no number becomes 0 here.
    let index = if number < 0.0 { (length + number).max(0.0) } else { number.min(length) };
    if number.is_nan() { 0 } else { index as usize }
}
