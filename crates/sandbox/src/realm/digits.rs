//! `Number.prototype.toPrecision` (ECMAScript §21.1.3.5): the digits of the exact value, ties away from zero.
//!
//! The engine counts the places of numbers below 1e-6 wrongly. Invariant: total over every number and precision.

use boa_engine::{
    Context, JsNativeError, JsResult, JsString, JsValue, NativeFunction, object::FunctionObjectBuilder,
    property::PropertyDescriptor,
};

/// No double has more digits than this.
const ALL_DIGITS: usize = 770;
/// Numbers below 1e-6 are written with an exponent.
const LEAST_EXPONENT: i32 = -6;

/// Puts the function of this module before the engine's own.
pub(super) fn replace(context: &Context) {
    let function = NativeFunction::from_fn_ptr(to_precision);
    let name = JsString::from("toPrecision");
    let function = FunctionObjectBuilder::new(context.realm(), function).name(name.clone()).length(1).build();
    let property = PropertyDescriptor::builder().value(function).writable(true).enumerable(false).configurable(true);
    context.intrinsics().constructors().number().prototype().insert_property(name, property);
}

fn to_precision(this: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let boxed = || this.as_object().and_then(|object| object.downcast_ref::<f64>().map(|number| *number));
    let number = this.as_number().or_else(boxed);
    let number = number.ok_or_else(|| JsNativeError::typ().with_message("`toPrecision` is called on a number"))?;
    let Some(asked) = args.first().filter(|asked| !asked.is_undefined()) else {
        return Ok(JsValue::from(number).to_string(context)?.into());
    };
    let precision = asked.to_integer_or_infinity(context)?;
    if !number.is_finite() {
        return Ok(JsValue::from(number).to_string(context)?.into());
    }
    let precision = precision.as_integer().and_then(|precision| usize::try_from(precision).ok());
    let precision = precision.filter(|precision| (1..=100).contains(precision));
    let precision = precision.ok_or_else(|| JsNativeError::range().with_message("a precision is from 1 to 100"))?;
    Ok(JsString::from(written(number, precision)).into())
}

/// A finite number with so many digits.
fn written(number: f64, precision: usize) -> String {
    let (digits, exponent) = rounded(number.abs(), precision);
    let sign = if number < 0.0 { "-" } else { "" };
    if exponent < LEAST_EXPONENT || exponent >= precision as i32 {
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        return format!("{sign}{first}{point}{rest}e{exponent:+}");
    }
    let Ok(whole) = usize::try_from(exponent + 1) else {
        return format!("{sign}0.{}{digits}", "0".repeat((-exponent - 1) as usize));
    };
    let (whole, rest) = digits.split_at(whole);
    let (whole, point) = (if whole.is_empty() { "0" } else { whole }, if rest.is_empty() { "" } else { "." });
    format!("{sign}{whole}{point}{rest}")
}

/// The first digits of a number, and the exponent of the first one.
fn rounded(number: f64, precision: usize) -> (String, i32) {
    let exact = format!("{number:.ALL_DIGITS$e}");
    let (digits, exponent) = exact.split_once('e').unwrap_or((&exact, "0"));
    let mut digits: Vec<u8> = digits.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    let mut exponent: i32 = exponent.parse().unwrap_or_default();
    let up = digits.get(precision).is_some_and(|next| *next >= 5);
    digits.truncate(precision);
    if up {
        let kept = digits.iter().rposition(|digit| *digit < 9);
        if let Some(place) = kept {
            digits[place] += 1;
            digits[place + 1..].fill(0);
        } else {
            digits.fill(0);
            digits[0] = 1;
            exponent += 1;
        }
    }
    (digits.iter().map(|digit| char::from(b'0' + digit)).collect(), exponent)
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn as_the_language_writes_them() {
        let cases = [
            (0.0, 3, "0.00"),
            (0.000_001_5, 1, "0.000002"),
            (1.5e-7, 1, "1e-7"),
            (5e-324, 3, "4.94e-324"),
            (0.000_123, 2, "0.00012"),
            (123.456, 4, "123.5"),
            (99.99, 2, "1.0e+2"),
            (2.5, 1, "3"),
            (-2.5, 1, "-3"),
            (1e21, 3, "1.00e+21"),
            (123_456.0, 6, "123456"),
            (0.1, 21, "0.100000000000000005551"),
        ];
        for (number, precision, want) in cases {
            assert_eq!(written(number, precision), want);
        }
    }
}
