//! The functions that the metering writes into code beside its charges: members of instances, iterators of loops in
//! generators, names with a default, what waits beside a pattern or an operator (`h`), what patterns take apart, powers,
//! quotients and dates.
//!
//! Invariant: no function or object of this module can be reached by a name or a value of extension code.

use boa_engine::{
    Context, JsNativeError, JsObject, JsResult, JsString, JsSymbol, JsValue, NativeFunction,
    native_function::NativeFunctionPointer, object::FunctionObjectBuilder, property::PropertyDescriptor,
};

use super::{dates, powers, quotients};

/// Whether the body of the loop has begun with what the iterator gave.
const BEGUN: &str = "b";
/// Whether the iterator was closed.
const CLOSED: &str = "c";
/// The loop's own iterator, and its `next`.
const ITERATOR: &str = "i";
const NEXT: &str = "n";

/// Makes the functions for a program.
pub(super) fn install(prefix: &str, context: &Context) {
    let all: [(&str, NativeFunctionPointer); 12] = [
        ("d", define),
        ("g", made),
        ("i", iterable),
        ("k", async_iterable),
        ("o", is_open),
        ("c", close),
        ("t", target),
        ("p", powers::power),
        ("q", quotients::quotient),
        ("x", gone_through),
        ("y", dates::given),
        ("z", taken_apart),
    ];
    for (name, function) in all {
        let function = FunctionObjectBuilder::new(context.realm(), NativeFunction::from_fn_ptr(function)).build();
        let property =
            PropertyDescriptor::builder().value(function).writable(false).enumerable(false).configurable(false);
        context.global_object().insert_property(JsString::from(format!("{prefix}{name}")), property);
    }
    let holder = PropertyDescriptor::builder().value(JsObject::with_null_proto());
    let holder = holder.writable(false).enumerable(false).configurable(false);
    context.global_object().insert_property(JsString::from(format!("{prefix}h")), holder);
}

/// What a pattern takes apart.
fn taken_apart(_: &JsValue, args: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    there(args, |value| format!("Cannot destructure '{value}' value"))
}

/// What a loop goes through.
fn gone_through(_: &JsValue, args: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    there(args, |value| format!("'{value}' is not iterable"))
}

/// A value that is neither null nor undefined; the call is the place of what is said of these.
fn there(args: &[JsValue], said: impl FnOnce(&str) -> String) -> JsResult<JsValue> {
    let value = args.first().cloned().unwrap_or_default();
    if !value.is_null_or_undefined() {
        return Ok(value);
    }
    let name = if value.is_null() { "null" } else { "undefined" };
    Err(JsNativeError::typ().with_message(said(name)).into())
}

/// Gives an instance the one member of another object.
fn define(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (Some(instance), Some(field)) = (object(args, 0), object(args, 1)) else { return Ok(JsValue::undefined()) };
    for key in field.own_property_keys(context)? {
        let value = field.get(key.clone(), context)?;
        instance.create_data_property_or_throw(key, value, context)?;
    }
    Ok(JsValue::undefined())
}

/// What a constructor of a derived class answers: an object or nothing (ECMAScript §10.2.2).
fn made(_: &JsValue, args: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    match args.first().cloned().unwrap_or_default() {
        value if value.is_object() || value.is_undefined() => Ok(value),
        _ => Err(JsNativeError::typ().with_message("a derived constructor returns an object or nothing").into()),
    }
}

fn iterable(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let given = args.first().cloned().unwrap_or_default();
    let method = given.to_object(context)?.get(JsSymbol::iterator(), context)?;
    guarded(&given, &method, JsSymbol::iterator(), context)
}

fn async_iterable(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let given = args.first().cloned().unwrap_or_default();
    let method = given.to_object(context)?.get(JsSymbol::async_iterator(), context)?;
    if method.is_null_or_undefined() {
        return iterable(&given, args, context);
    }
    guarded(&given, &method, JsSymbol::async_iterator(), context)
}

/// An iterable and iterator that asks another one, and knows where its loop is.
fn guarded(given: &JsValue, method: &JsValue, symbol: JsSymbol, context: &mut Context) -> JsResult<JsValue> {
    let no_iterable = || JsNativeError::typ().with_message("the value is not iterable");
    let method = method.as_callable().ok_or_else(no_iterable)?;
    let iterator = method.call(given, &[], context)?.as_object().ok_or_else(no_iterable)?;
    let next = iterator.get(JsString::from("next"), context)?;
    let guard = JsObject::with_null_proto();
    let own = |function: NativeFunctionPointer, context: &Context| {
        FunctionObjectBuilder::new(context.realm(), NativeFunction::from_fn_ptr(function)).build()
    };
    let held =
        |value: JsValue| PropertyDescriptor::builder().value(value).writable(true).enumerable(false).configurable(true);
    let itself = own(|this, _, _| Ok(this.clone()), context);
    guard.insert_property(symbol, held(itself.into()));
    guard.insert_property(JsString::from("next"), held(own(go_on, context).into()));
    guard.insert_property(
        JsString::from("return"),
        PropertyDescriptor::builder().get(own(ending, context)).enumerable(false).configurable(true),
    );
    guard.insert_property(JsString::from(ITERATOR), held(iterator.into()));
    guard.insert_property(JsString::from(NEXT), held(next));
    guard.insert_property(JsString::from(BEGUN), held(false.into()));
    guard.insert_property(JsString::from(CLOSED), held(false.into()));
    Ok(guard.into())
}

fn go_on(this: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let Some(guard) = this.as_object() else { return Ok(JsValue::undefined()) };
    guard.set(JsString::from(BEGUN), false, true, context)?;
    let iterator = guard.get(JsString::from(ITERATOR), context)?;
    let next = guard.get(JsString::from(NEXT), context)?;
    let next = next.as_callable().ok_or_else(|| JsNativeError::typ().with_message("`next` is no function"))?;
    next.call(&iterator, &[], context)
}

/// `return` of a guard: there when its iterator has one.
fn ending(this: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let Some(guard) = this.as_object() else { return Ok(JsValue::undefined()) };
    guard.set(JsString::from(CLOSED), true, true, context)?;
    let iterator = guard.get(JsString::from(ITERATOR), context)?;
    let method = iterator.to_object(context)?.get(JsString::from("return"), context)?;
    if method.as_callable().is_none() {
        return Ok(method);
    }
    let end = NativeFunction::from_copy_closure_with_captures(
        |_, _, (iterator, method): &(JsValue, JsValue), context| {
            method.as_callable().map_or(Ok(JsValue::undefined()), |method| method.call(iterator, &[], context))
        },
        (iterator, method),
    );
    Ok(FunctionObjectBuilder::new(context.realm(), end).build().into())
}

/// Whether a loop was left inside its body and its iterator was not closed.
fn is_open(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let Some(guard) = object(args, 0) else { return Ok(false.into()) };
    let begun = guard.get(JsString::from(BEGUN), context)?.to_boolean();
    let closed = guard.get(JsString::from(CLOSED), context)?.to_boolean();
    Ok((begun && !closed).into())
}

/// Closes the iterator of a guard; an async one answers what is to be awaited.
fn close(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let Some(guard) = object(args, 0) else { return Ok(JsValue::undefined()) };
    let method = guard.get(JsString::from("return"), context)?;
    if method.is_null_or_undefined() {
        return Ok(method);
    }
    let method = method.as_callable().ok_or_else(|| JsNativeError::typ().with_message("`return` is no function"))?;
    let answer = method.call(&JsValue::undefined(), &[], context)?;
    if answer.is_object() {
        return Ok(answer);
    }
    Err(JsNativeError::typ().with_message("`return` of an iterator answers an object").into())
}

/// An object whose member `v` is set by a function.
fn target(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let target = JsObject::with_null_proto();
    let set = NativeFunction::from_copy_closure_with_captures(
        |_, args, set: &JsValue, context| {
            set.as_callable().map_or(Ok(JsValue::undefined()), |set| set.call(&JsValue::undefined(), args, context))
        },
        args.first().cloned().unwrap_or_default(),
    );
    let set = FunctionObjectBuilder::new(context.realm(), set).build();
    target.insert_property(
        JsString::from("v"),
        PropertyDescriptor::builder().set(set).enumerable(false).configurable(true),
    );
    Ok(target.into())
}

fn object(args: &[JsValue], index: usize) -> Option<JsObject> {
    args.get(index).and_then(JsValue::as_object)
}
