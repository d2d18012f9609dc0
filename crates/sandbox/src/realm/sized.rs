//! Built-ins that take a size look at the heap first (spec: ifc-sdk.md §6.2 "Heap"), and those that go over items
//! that are only said to be there pay for them.
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
    let functions = constructors.function().prototype();
    let numbers = constructors.bigint().constructor();
    let all: [(&JsObject, &str, BuiltIn); 22] = [
        (&text, "repeat", repeat),
        (&text, "padStart", pad),
        (&text, "padEnd", pad),
        (&text, "replaceAll", replace_all),
        (&text, "split", checked),
        (&text, "concat", checked),
        (&text, "normalize", checked),
        (&array, "fill", listed),
        (&array, "join", listed),
        (&array, "concat", listed),
        (&array, "flat", flat),
        (&array, "slice", listed),
        (&array, "splice", listed),
        (&array, "toReversed", listed),
        (&array, "toSpliced", listed),
        (&array, "with", listed),
        (&array, "map", listed),
        (&typed_array, "fill", fill),
        (&functions, "apply", apply),
        (&constructors.array().constructor(), "from", from),
        (&numbers, "asUintN", bits),
        (&numbers, "asIntN", bits),
    ];
    for (prototype, name, function) in all {
        replace(prototype, name, function, context);
    }
    for name in LOOKING {
        replace(&array, name, looked, context);
    }
}

/// Functions of arrays that go over all items, however many a length says there are, and keep none.
const LOOKING: &[&str] = &[
    "copyWithin",
    "every",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "flatMap",
    "forEach",
    "includes",
    "indexOf",
    "lastIndexOf",
    "reduce",
    "reduceRight",
    "reverse",
    "shift",
    "some",
    "unshift",
];

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

/// `String.prototype.repeat`, where text and count are what they seem. A text may have two bytes a character.
fn repeat(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    let count = args.first().and_then(JsValue::as_number).filter(|count| count.is_finite() && *count >= 0.0);
    if let (Some(text), Some(count)) = (this.as_string(), count) {
        let characters = (text.len() as u64).saturating_mul(count as u64);
        Host::of(context).room_for(characters.saturating_mul(CHARACTER))?;
    }
    own.call(this, args, context)
}

/// `String.prototype.padStart` and `padEnd`, to a number of characters.
fn pad(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    if let Some(length) = args.first().and_then(JsValue::as_number).filter(|length| length.is_finite()) {
        Host::of(context).room_for((length as u64).saturating_mul(CHARACTER))?;
    }
    own.call(this, args, context)
}

/// A function of arrays that keeps as many items as a list says it has.
fn listed(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    if let Some(length) = said_length(Some(this)) {
        Host::of(context).room_for(length.saturating_mul(ITEM))?;
    }
    own.call(this, args, context)
}

/// A function of arrays that goes over as many items as a list says it has. Where these can't be there, each is paid
/// for.
fn looked(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    let host = Host::of(context);
    if let Some(length) = said_length(Some(this)).filter(|length| *length > host.heap.buffer_bytes() / ITEM) {
        host.meter.look(length)?;
    }
    own.call(this, args, context)
}

/// The length that an object has as a plain member.
fn said_length(list: Option<&JsValue>) -> Option<u64> {
    plain_length(&list.and_then(JsValue::as_object)?)
}

fn plain_length(list: &JsObject) -> Option<u64> {
    let own = list.borrow().properties().get(&PropertyKey::from(JsString::from("length")));
    own.and_then(|property| property.value().and_then(JsValue::as_number)).map(|number| number as u64)
}

/// `Array.from` of what has a length.
fn from(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    if let Some(length) = said_length(args.first()) {
        Host::of(context).room_for(length.saturating_mul(ITEM))?;
    }
    own.call(this, args, context)
}

/// `Function.prototype.apply` with a list of arguments.
fn apply(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    if let Some(length) = said_length(args.get(1)) {
        Host::of(context).room_for(length.saturating_mul(ITEM))?;
    }
    own.call(this, args, context)
}

/// `BigInt.asUintN` and `asIntN`, to a number of bits.
fn bits(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    if let Some(bits) = args.first().and_then(JsValue::as_number) {
        Host::of(context).room_for(bits as u64 / 8)?;
    }
    own.call(this, args, context)
}

/// `Array.prototype.flat`: what arrays in arrays hold, to the depth that is asked for, must have room.
fn flat(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    let depth =
        args.first().map_or(Some(1.0), |depth| if depth.is_undefined() { Some(1.0) } else { depth.as_number() });
    if let (Some(list), Some(depth)) = (this.as_object(), depth) {
        let host = Host::of(context);
        let most = host.heap.buffer_bytes() / ITEM;
        let mut items = 0;
        count(&list, depth, most, &mut items);
        host.room_for(items.saturating_mul(ITEM))?;
    }
    own.call(this, args, context)
}

/// Counts items of arrays in an array, until there are more than `most`.
fn count(list: &JsObject, depth: f64, most: u64, items: &mut u64) {
    let mut waiting = vec![(list.clone(), depth)];
    while let Some((list, depth)) = waiting.pop() {
        let length = plain_length(&list).unwrap_or_default();
        for index in 0..length {
            *items += 1;
            if *items > most {
                return;
            }
            let item = u32::try_from(index).ok().and_then(|index| list.borrow().properties().get(&index.into()));
            let inner = item.and_then(|item| item.value().and_then(JsValue::as_object)).filter(JsObject::is_array);
            if let Some(inner) = inner.filter(|_| depth >= 1.0) {
                waiting.push((inner, depth - 1.0));
            }
        }
    }
}

/// `String.prototype.replaceAll` of a text by a text: its length is known before it is written.
fn replace_all(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    let texts = (this.as_string(), args.first().and_then(JsValue::as_string), args.get(1).and_then(JsValue::as_string));
    let (Some(text), Some(from), Some(to)) = texts else { return own.call(this, args, context) };
    if from.is_empty() || to.iter().any(|unit| unit == u16::from(b'$')) {
        return own.call(this, args, context);
    }
    let (text, from, to) = (text.to_vec(), from.to_vec(), to.to_vec());
    let places = places(&text, &from);
    let grown = (places.len() as u64).saturating_mul(to.len() as u64).saturating_add(text.len() as u64);
    Host::of(context).room_for(grown.saturating_mul(CHARACTER))?;
    let mut replaced = Vec::with_capacity(grown as usize);
    let mut behind = 0;
    for place in places {
        replaced.extend_from_slice(&text[behind..place]);
        replaced.extend_from_slice(&to);
        behind = place + from.len();
    }
    replaced.extend_from_slice(&text[behind..]);
    Ok(JsString::from(&replaced[..]).into())
}

/// Where a text stands in another one, without overlaps.
fn places(text: &[u16], wanted: &[u16]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| rest.len() >= wanted.len()) {
        if rest.starts_with(wanted) {
            places.push(at);
            at += wanted.len();
        } else {
            at += 1;
        }
    }
    places
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
