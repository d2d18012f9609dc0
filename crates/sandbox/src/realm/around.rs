//! A function of this realm before one of the engine's own, which it may ask.

use boa_engine::{
    Context, JsObject, JsResult, JsString, JsValue, NativeFunction,
    object::{FunctionObjectBuilder, builtins::JsFunction},
    property::{PropertyDescriptor, PropertyKey},
};

/// A built-in with the one that was there before it.
pub(super) type BuiltIn = fn(&JsValue, &[JsValue], &JsFunction, &mut Context) -> JsResult<JsValue>;

/// Puts a function in the place of a method, with the method's name and length.
pub(super) fn replace(holder: &JsObject, name: &str, function: BuiltIn, context: &Context) {
    if let Some(own) = method(holder, name) {
        replace_with(holder, name, function, own, context);
    }
}

/// A method that is a plain member.
pub(super) fn method(holder: &JsObject, name: &str) -> Option<JsFunction> {
    let own = holder.borrow().properties().get(&PropertyKey::from(JsString::from(name)));
    own.and_then(|property| property.value().and_then(JsValue::as_function))
}

/// The same with another function of the engine's to ask.
pub(super) fn replace_with(holder: &JsObject, name: &str, function: BuiltIn, asked: JsFunction, context: &Context) {
    let key = PropertyKey::from(JsString::from(name));
    let Some(own) = method(holder, name) else { return };
    let length = own.borrow().properties().get(&PropertyKey::from(JsString::from("length")));
    let length = length.and_then(|property| property.value().and_then(JsValue::as_number)).unwrap_or(0.0) as usize;
    let call = NativeFunction::from_copy_closure_with_captures(
        move |this, args, asked: &JsFunction, context| function(this, args, asked, context),
        asked,
    );
    let call = FunctionObjectBuilder::new(context.realm(), call).name(JsString::from(name)).length(length).build();
    let property = PropertyDescriptor::builder().value(call).writable(true).enumerable(false).configurable(true);
    holder.insert_property(key, property);
}
