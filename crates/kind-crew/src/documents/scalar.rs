//! Plain scalars of YAML 1.2, core schema (spec: crew-package.md §4).
//!
//! Everything that is no null, truth value or number is text: `yes`, `off`, `2026-02-08`. JSON has no infinity: a number
//! beyond its range is the largest there is, and `.nan` is zero; no rule looks at what they are worth.

use serde_json::{Number, Value};

/// What a plain scalar means.
pub fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        ".nan" | ".NaN" | ".NAN" => return Value::from(0),
        _ => {}
    }
    number(text).map_or_else(|| Value::from(text), Value::Number)
}

fn number(text: &str) -> Option<Number> {
    let based = |prefix: &str, radix: u32| {
        let digits = text.strip_prefix(prefix)?;
        let all = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
        all.then(|| u64::from_str_radix(digits, radix).map_or_else(|_| float(f64::MAX), Number::from))
    };
    if let Some(number) = based("0o", 8).or_else(|| based("0x", 16)) {
        return Some(number);
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
        return Some(float(sign * f64::MAX));
    }
    let (whole, part, exponent) = decimal(unsigned)?;
    let digits = text.strip_prefix('+').unwrap_or(text);
    let plain = digits.parse::<i64>().map(Number::from).or_else(|_| digits.parse::<u64>().map(Number::from));
    plain.ok().or_else(|| {
        let or_zero = |digits: &'_ str| if digits.is_empty() { "0".to_owned() } else { digits.to_owned() };
        let json = format!("{}.{}e{}", or_zero(whole.trim_start_matches('0')), or_zero(part), or_zero(exponent));
        // As JSON: its reader is linked in any case, tables of the standard library's own are not.
        let size = json.parse::<Number>().ok().and_then(|number| number.as_f64()).unwrap_or(f64::MAX);
        Some(float(sign * size))
    })
}

fn float(value: f64) -> Number {
    Number::from_f64(value.clamp(f64::MIN, f64::MAX)).unwrap_or_else(|| Number::from(0))
}

/// `[0-9]+`, `.[0-9]+` or `[0-9]+.[0-9]*`, with an exponent or without: digits in front of the point, behind it, and of
/// the exponent.
fn decimal(text: &str) -> Option<(&str, &str, &str)> {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            (!unsigned.is_empty() && digits(unsigned)).then_some((mantissa, exponent))?
        }
        None => (text, ""),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_number = digits(whole) && digits(part) && !(whole.is_empty() && part.is_empty());
    is_number.then_some((whole, part, exponent))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::plain;

    #[test]
    fn what_plain_scalars_mean() {
        let cases = [
            ("", json!(null)),
            ("~", json!(null)),
            ("Null", json!(null)),
            ("true", json!(true)),
            ("FALSE", json!(false)),
            ("12", json!(12)),
            ("+12", json!(12)),
            ("-12", json!(-12)),
            ("007", json!(7)),
            ("0o17", json!(15)),
            ("0x1F", json!(31)),
            ("1.1", json!(1.1)),
            ("1.", json!(1.0)),
            (".5", json!(0.5)),
            ("-1e3", json!(-1000.0)),
            ("1E+2", json!(100.0)),
            ("18446744073709551615", json!(u64::MAX)),
            (".inf", json!(f64::MAX)),
            ("-.INF", json!(f64::MIN)),
            ("1e999", json!(f64::MAX)),
            ("-00.25E-1", json!(-0.025)),
            ("1e-999", json!(0.0)),
            (".NaN", json!(0)),
        ];
        for (text, want) in cases {
            assert_eq!(plain(text), want, "{text}");
        }
    }

    #[test]
    fn everything_else_is_text() {
        for text in [
            "yes",
            "no",
            "off",
            "On",
            "y",
            "2026-02-08",
            "1.1.0",
            "1_000",
            "0b1",
            "0o8",
            "0xG",
            "0x",
            "-0x1",
            "e3",
            ".",
            "-",
            "+",
            "1e",
            "1e+",
            "tRUE",
            "nULL",
            ".inF",
            "++1",
            "12:30",
            "- 1",
            "١",
        ] {
            assert_eq!(plain(text), json!(text), "{text}");
        }
    }
}
