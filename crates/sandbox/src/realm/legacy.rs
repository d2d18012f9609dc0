//! Methods of texts that only the language's annex for web browsers has (ECMAScript §B.2.2), and that every browser and
//! Node have: `substr`, `trimLeft`, `trimRight`.

use boa_engine::{
    Context, JsNativeError, JsResult, JsString, JsValue, NativeFunction,
    object::FunctionObjectBuilder,
    property::{PropertyDescriptor, PropertyKey},
};

pub(super) fn install(context: &Context) {
    let prototype = context.intrinsics().constructors().string().prototype();
    let hidden =
        |value: JsValue| PropertyDescriptor::builder().value(value).writable(true).enumerable(false).configurable(true);
    for (name, same) in [("trimLeft", "trimStart"), ("trimRight", "trimEnd")] {
        let own = prototype.borrow().properties().get(&PropertyKey::from(JsString::from(same)));
        if let Some(function) = own.and_then(|property| property.value().cloned()) {
            prototype.insert_property(JsString::from(name), hidden(function));
        }
    }
    let name = JsString::from("substr");
    let function = NativeFunction::from_fn_ptr(substr);
    let function = FunctionObjectBuilder::new(context.realm(), function).name(name.clone()).length(2).build();
    prototype.insert_property(name, hidden(function.into()));
}

fn substr(this: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    if this.is_null_or_undefined() {
        return Err(JsNativeError::typ().with_message("`substr` is called on a text").into());
    }
    let text = this.to_string(context)?;
    let length = text.len() as f64;
    let integer = |value: f64| if value.is_nan() { 0.0 } else { value.trunc() };
    let start = integer(args.first().map_or(Ok(f64::NAN), |start| start.to_number(context))?);
    let count = match args.get(1) {
        Some(count) if !count.is_undefined() => integer(count.to_number(context)?),
        _ => length,
    };
    let start = if start < 0.0 { (length + start).max(0.0) } else { start.min(length) };
    let end = (start + count.clamp(0.0, length)).min(length);
    let units: Vec<u16> = text.iter().skip(start as usize).take((end - start) as usize).collect();
    Ok(JsString::from(&units[..]).into())
}
