//! `String.fromCharCode` of numbers that no 64 bits hold (ECMAScript §7.1.8): what is left of them by 65,536.
//!
//! The engine takes the greatest number of 64 bits for these.

use boa_engine::{Context, JsResult, JsValue, object::builtins::JsFunction};

use super::around;

const UNITS: f64 = 65_536.0;

/// Puts the function of this module before the engine's own.
pub(super) fn replace(context: &Context) {
    let constructor = context.intrinsics().constructors().string().constructor();
    around::replace(&constructor, "fromCharCode", from_char_code, context);
}

fn from_char_code(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    let units = args.iter().map(|unit| Ok(JsValue::from(unit.to_number(context)? % UNITS)));
    let units = units.collect::<JsResult<Vec<_>>>()?;
    own.call(this, &units, context)
}
