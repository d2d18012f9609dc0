//! Quotients (ECMAScript §6.1.6.1.5), for `/` in metered code.
//!
//! The engine divides whole numbers as such, and forgets the sign of 0 divided by a negative one.

use boa_engine::{Context, JsResult, JsValue, value::Numeric};

use super::powers::argument;

pub(super) fn quotient(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let dividend = argument(args, 0).to_numeric(context)?;
    let divisor = argument(args, 1).to_numeric(context)?;
    match (dividend, divisor) {
        (Numeric::Number(dividend), Numeric::Number(divisor)) => Ok((dividend / divisor).into()),
        (dividend, divisor) => JsValue::from(dividend).div(&JsValue::from(divisor), context),
    }
}
