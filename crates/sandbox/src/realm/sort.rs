//! Sorting (ECMAScript §23.1.3.30, §23.2.3.29): stable, and total over every comparator, also one that orders nothing.
//!
//! The engine's own sort stops the program when a comparator contradicts itself. This is a merge sort from the bottom:
//! it asks for every pair at most once and takes any answer. Every place that it looks at and every comparison is paid
//! for: one unit for [`ITEMS_OF_UNIT`](crate::meter::ITEMS_OF_UNIT).

use std::cmp::Ordering;

use boa_engine::{
    Context, JsNativeError, JsObject, JsResult, JsString, JsValue, NativeFunction,
    native_function::NativeFunctionPointer,
    object::{
        FunctionObjectBuilder,
        builtins::{JsArray, JsTypedArray},
    },
    property::PropertyDescriptor,
};

use crate::{host::Host, json::length};

/// Longest list that is sorted: as long as an array may be.
const MAX_ITEMS: u64 = u32::MAX as u64;

/// Pays for places that are looked at, or comparisons.
fn look(items: u64, context: &Context) -> JsResult<()> {
    Host::of(context).meter.look(items)
}

/// Puts the sorts of this module in the place of the engine's.
pub(super) fn replace(context: &Context) {
    let constructors = context.intrinsics().constructors();
    let array = constructors.array().prototype();
    let typed = constructors.typed_array().prototype();
    let all: [(&JsObject, &str, NativeFunctionPointer); 4] = [
        (&array, "sort", sort),
        (&array, "toSorted", to_sorted),
        (&typed, "sort", sort_typed),
        (&typed, "toSorted", to_sorted_typed),
    ];
    for (prototype, name, function) in all {
        let function = NativeFunction::from_fn_ptr(function);
        let function =
            FunctionObjectBuilder::new(context.realm(), function).name(JsString::from(name)).length(1).build();
        let property =
            PropertyDescriptor::builder().value(function).writable(true).enumerable(false).configurable(true);
        prototype.insert_property(JsString::from(name), property);
    }
}

fn sort(this: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let compare = comparator(args)?;
    let object = this.to_object(context)?;
    let length = long(&object, context)?;
    let mut items = Vec::new();
    for index in 0..length {
        look(1, context)?;
        if object.has_property(index, context)? {
            items.push(object.get(index, context)?);
            Host::of(context).room()?;
        }
    }
    let count = items.len() as u64;
    let sorted = in_order(items, compare.as_ref(), context)?;
    for (index, item) in sorted.into_iter().enumerate() {
        object.set(index as u64, item, true, context)?;
    }
    for index in count..length {
        look(1, context)?;
        if object.has_property(index, context)? {
            object.delete_property_or_throw(index, context)?;
        }
    }
    Ok(object.into())
}

fn to_sorted(this: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let compare = comparator(args)?;
    let object = this.to_object(context)?;
    let length = long(&object, context)?;
    if length > MAX_ITEMS {
        return Err(JsNativeError::range().with_message("array length exceeds its limit").into());
    }
    let mut items = Vec::new();
    for index in 0..length {
        look(1, context)?;
        items.push(object.get(index, context)?);
        Host::of(context).room()?;
    }
    let sorted = in_order(items, compare.as_ref(), context)?;
    Ok(JsArray::from_iter(sorted, context).into())
}

fn sort_typed(this: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let compare = comparator(args)?;
    let (object, items) = elements(this, context)?;
    let sorted = ordered(items, context, &mut |a, b, context| numeric(compare.as_ref(), a, b, context))?;
    for (index, item) in sorted.into_iter().enumerate() {
        object.set(index as u64, item, true, context)?;
    }
    Ok(object.into())
}

fn to_sorted_typed(this: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let compare = comparator(args)?;
    let (object, items) = elements(this, context)?;
    // A copy of the same type, whatever the array's species is.
    let typed = JsTypedArray::from_object(object.clone())?;
    let kind = typed.kind().ok_or_else(|| JsNativeError::typ().with_message("not a typed array"))?;
    let length = JsValue::from(items.len() as f64);
    let copy = constructor(kind, context).construct(&[length], None, context)?;
    let sorted = ordered(items, context, &mut |a, b, context| numeric(compare.as_ref(), a, b, context))?;
    for (index, item) in sorted.into_iter().enumerate() {
        copy.set(index as u64, item, true, context)?;
    }
    Ok(copy.into())
}

fn comparator(args: &[JsValue]) -> JsResult<Option<JsObject>> {
    match args.first() {
        None => Ok(None),
        Some(value) if value.is_undefined() => Ok(None),
        Some(value) => value.as_callable().map(Some).ok_or_else(|| {
            JsNativeError::typ().with_message("The comparison function must be either a function or undefined").into()
        }),
    }
}

fn long(object: &JsObject, context: &mut Context) -> JsResult<u64> {
    if object.is_array() {
        return length(object, context);
    }
    object.get(JsString::from("length"), context)?.to_length(context)
}

/// A typed array and what is in it; a detached one is refused.
fn elements(this: &JsValue, context: &mut Context) -> JsResult<(JsObject, Vec<JsValue>)> {
    let object = this.as_object().ok_or_else(|| JsNativeError::typ().with_message("not a typed array"))?;
    let typed = JsTypedArray::from_object(object.clone())?;
    let length = typed.length(context)? as u64;
    look(length, context)?;
    let items = (0..length).map(|index| object.get(index, context)).collect::<JsResult<_>>()?;
    Ok((object, items))
}

fn constructor(kind: boa_engine::builtins::typed_array::TypedArrayKind, context: &Context) -> JsObject {
    use boa_engine::builtins::typed_array::TypedArrayKind as Kind;
    let all = context.intrinsics().constructors();
    match kind {
        Kind::Int8 => all.typed_int8_array(),
        Kind::Uint8 => all.typed_uint8_array(),
        Kind::Uint8Clamped => all.typed_uint8clamped_array(),
        Kind::Int16 => all.typed_int16_array(),
        Kind::Uint16 => all.typed_uint16_array(),
        Kind::Int32 => all.typed_int32_array(),
        Kind::Uint32 => all.typed_uint32_array(),
        Kind::BigInt64 => all.typed_bigint64_array(),
        Kind::BigUint64 => all.typed_biguint64_array(),
        Kind::Float32 => all.typed_float32_array(),
        Kind::Float64 => all.typed_float64_array(),
    }
    .constructor()
}

fn order(compare: Option<&JsObject>, a: &JsValue, b: &JsValue, context: &mut Context) -> JsResult<Ordering> {
    match (a.is_undefined(), b.is_undefined()) {
        (true, true) => return Ok(Ordering::Equal),
        (true, false) => return Ok(Ordering::Greater),
        (false, true) => return Ok(Ordering::Less),
        (false, false) => {}
    }
    if let Some(compare) = compare {
        return asked(compare, a, b, context);
    }
    let (a, b) = (a.to_string(context)?, b.to_string(context)?);
    Ok(a.iter().cmp(b.iter()))
}

fn numeric(compare: Option<&JsObject>, a: &JsValue, b: &JsValue, context: &mut Context) -> JsResult<Ordering> {
    if let Some(compare) = compare {
        return asked(compare, a, b, context);
    }
    if let (Some(a), Some(b)) = (a.as_bigint(), b.as_bigint()) {
        return Ok(a.cmp(&b));
    }
    let (a, b) = (a.to_number(context)?, b.to_number(context)?);
    Ok(match (a.is_nan(), b.is_nan()) {
        // -0 comes before 0.
        (false, false) => a.total_cmp(&b),
        (nan, other) => nan.cmp(&other),
    })
}

fn asked(compare: &JsObject, a: &JsValue, b: &JsValue, context: &mut Context) -> JsResult<Ordering> {
    let answer = compare.call(&JsValue::undefined(), &[a.clone(), b.clone()], context)?.to_number(context)?;
    Ok(answer.partial_cmp(&0.0).unwrap_or(Ordering::Equal))
}

/// The items of an array in order. Texts of what is no object are made once: nobody sees when.
fn in_order(items: Vec<JsValue>, compare: Option<&JsObject>, context: &mut Context) -> JsResult<Vec<JsValue>> {
    if compare.is_some() || items.iter().any(|item| item.is_object() || item.is_symbol()) {
        return ordered(items, context, &mut |a, b, context| order(compare, a, b, context));
    }
    let count = items.len() as u64;
    look(count * u64::from(count.checked_ilog2().unwrap_or_default()), context)?;
    let (undefined, items): (Vec<_>, Vec<_>) = items.into_iter().partition(JsValue::is_undefined);
    let mut keyed = Vec::with_capacity(items.len());
    for item in items {
        keyed.push((item.to_string(context)?.to_vec(), item));
        Host::of(context).room()?;
    }
    keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(keyed.into_iter().map(|(_, item)| item).chain(undefined).collect())
}

type Compare<'c> = dyn FnMut(&JsValue, &JsValue, &mut Context) -> JsResult<Ordering> + 'c;

/// The items in order: runs of 1, 2, 4, … are merged until one is left.
fn ordered(mut items: Vec<JsValue>, context: &mut Context, compare: &mut Compare<'_>) -> JsResult<Vec<JsValue>> {
    let mut run = 1;
    while run < items.len() {
        let mut merged = Vec::with_capacity(items.len());
        for pair in items.chunks(2 * run) {
            let (left, right) = pair.split_at(run.min(pair.len()));
            merge(left, right, &mut merged, context, compare)?;
        }
        items = merged;
        run *= 2;
    }
    Ok(items)
}

/// Of equal items the left one comes first.
fn merge(
    mut left: &[JsValue],
    mut right: &[JsValue],
    merged: &mut Vec<JsValue>,
    context: &mut Context,
    compare: &mut Compare<'_>,
) -> JsResult<()> {
    while let ([l, rest_left @ ..], [r, rest_right @ ..]) = (left, right) {
        look(1, context)?;
        if compare(l, r, context)? == Ordering::Greater {
            merged.push(r.clone());
            right = rest_right;
        } else {
            merged.push(l.clone());
            left = rest_left;
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
    Ok(())
}
