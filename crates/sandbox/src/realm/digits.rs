//! `Number.prototype.toPrecision` and `toExponential` (ECMAScript §21.1.3.5, §21.1.3.2): the digits of the exact value,
//! ties away from zero.
//!
//! The engine counts the places of numbers below 1e-6 wrongly, and rounds ties of exponents to even digits. Invariant:
//! total over every number and precision.

use boa_engine::{Context, JsNativeError, JsResult, JsString, JsValue, object::builtins::JsFunction};

use super::around;

/// No double has more digits than this.
const ALL_DIGITS: usize = 770;
/// Numbers below 1e-6 are written with an exponent.
const LEAST_EXPONENT: i32 = -6;

/// Puts the functions of this module before the engine's own.
pub(super) fn replace(context: &Context) {
    let prototype = context.intrinsics().constructors().number().prototype();
    around::replace(&prototype, "toPrecision", to_precision, context);
    around::replace(&prototype, "toExponential", to_exponential, context);
}

/// The engine answers what no digits are asked of: no number, not finite, as many digits as there are.
fn to_precision(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    let Some((number, precision)) = asked(this, args, context)? else { return own.call(this, &[], context) };
    let precision = precision.filter(|precision| (1..=100).contains(precision));
    let precision = precision.ok_or_else(|| JsNativeError::range().with_message("a precision is from 1 to 100"))?;
    Ok(JsString::from(written(number, precision)).into())
}

fn to_exponential(this: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    let Some((number, places)) = asked(this, args, context)? else { return own.call(this, &[], context) };
    let places = places.filter(|places| *places <= 100);
    let places = places.ok_or_else(|| JsNativeError::range().with_message("places are from 0 to 100"))?;
    let (digits, exponent) = rounded(number.abs(), places + 1);
    Ok(JsString::from(with_exponent(number, &digits, exponent)).into())
}

/// A finite number, and how many digits of it are asked for, if that is a number of digits at all.
fn asked(this: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<Option<(f64, Option<usize>)>> {
    let boxed = || this.as_object().and_then(|object| object.downcast_ref::<f64>().map(|number| *number));
    let number = this.as_number().or_else(boxed);
    let (Some(number), Some(asked)) = (number, args.first().filter(|asked| !asked.is_undefined())) else {
        return Ok(None);
    };
    let digits = asked.to_integer_or_infinity(context)?;
    let digits = digits.as_integer().and_then(|digits| usize::try_from(digits).ok());
    Ok(number.is_finite().then_some((number, digits)))
}

/// A finite number with so many digits.
fn written(number: f64, precision: usize) -> String {
    let (digits, exponent) = rounded(number.abs(), precision);
    if exponent < LEAST_EXPONENT || exponent >= precision as i32 {
        return with_exponent(number, &digits, exponent);
    }
    let sign = minus(number);
    let Ok(whole) = usize::try_from(exponent + 1) else {
        return format!("{sign}0.{}{digits}", "0".repeat((-exponent - 1) as usize));
    };
    let (whole, rest) = digits.split_at(whole);
    let (whole, point) = (if whole.is_empty() { "0" } else { whole }, if rest.is_empty() { "" } else { "." });
    format!("{sign}{whole}{point}{rest}")
}

fn with_exponent(number: f64, digits: &str, exponent: i32) -> String {
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    format!("{}{first}{point}{rest}e{exponent:+}", minus(number))
}

fn minus(number: f64) -> &'static str {
    if number < 0.0 { "-" } else { "" }
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
