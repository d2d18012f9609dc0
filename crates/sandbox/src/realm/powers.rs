//! Powers (ECMAScript §6.1.6.1.3), for `**` and `Math.pow`.
//!
//! The engine takes 1 to the power of what is no number for 1, and counts whole powers by steps that round each time.

use boa_engine::{
    Context, JsResult, JsString, JsValue, NativeFunction, object::FunctionObjectBuilder, property::PropertyDescriptor,
    value::Numeric,
};

/// Puts the function of this module before the engine's `Math.pow`.
pub(super) fn replace(context: &mut Context) -> JsResult<()> {
    let name = JsString::from("pow");
    let function = NativeFunction::from_fn_ptr(math_pow);
    let function = FunctionObjectBuilder::new(context.realm(), function).name(name.clone()).length(2).build();
    let property = PropertyDescriptor::builder().value(function).writable(true).enumerable(false).configurable(true);
    let math = context.global_object().get(JsString::from("Math"), context)?;
    if let Some(math) = math.as_object() {
        math.insert_property(name, property);
    }
    Ok(())
}

/// What `**` is in metered code.
pub(super) fn power(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let base = argument(args, 0).to_numeric(context)?;
    let exponent = argument(args, 1).to_numeric(context)?;
    match (base, exponent) {
        (Numeric::Number(base), Numeric::Number(exponent)) => Ok(raised(base, exponent).into()),
        (base, exponent) => JsValue::from(base).pow(&JsValue::from(exponent), context),
    }
}

fn math_pow(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let base = argument(args, 0).to_number(context)?;
    let exponent = argument(args, 1).to_number(context)?;
    Ok(raised(base, exponent).into())
}

pub(super) fn argument(args: &[JsValue], index: usize) -> JsValue {
    args.get(index).cloned().unwrap_or_default()
}

#[allow(clippy::float_cmp)] // one and minus one are exact
fn raised(base: f64, exponent: f64) -> f64 {
    let undecided = exponent.is_nan() || (base.abs() == 1.0 && exponent.is_infinite());
    if undecided { f64::NAN } else { base.powf(exponent) }
}
