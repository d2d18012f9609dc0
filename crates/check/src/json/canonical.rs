//! JSON as a hash sees it: RFC 8785.

use serde_json::{Number, Value};

/// RFC 8785: members by UTF-16 code units, numbers as ECMAScript writes them, no white space.
pub fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, &mut out);
    out
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Number(number) => out.push_str(&number_text(number)),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_value(item, out);
            }
            out.push(']');
        }
        Value::Object(object) => {
            let mut members: Vec<_> = object.iter().collect();
            members.sort_by_cached_key(|(key, _)| key.encode_utf16().collect::<Vec<u16>>());
            out.push('{');
            for (index, (key, value)) in members.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write_value(value, out);
            }
            out.push('}');
        }
        Value::Null | Value::Bool(_) | Value::String(_) => out.push_str(&value.to_string()),
    }
}

/// ECMAScript's `Number::toString`: shortest digits, exponent from 1e21 and below 1e-6.
fn number_text(number: &Number) -> String {
    let value = number.as_f64().unwrap_or(0.0);
    if value == 0.0 {
        return "0".to_owned();
    }
    let sign = if value < 0.0 { "-" } else { "" };
    let scientific = format!("{:e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let count = digits.len() as i32;
    let point = exponent + 1;
    let body = if (count..=21).contains(&point) {
        format!("{digits}{}", "0".repeat((point - count) as usize))
    } else if (1..=21).contains(&point) {
        let (whole, rest) = digits.split_at(point as usize);
        format!("{whole}.{rest}")
    } else if (-5..=0).contains(&point) {
        format!("0.{}{digits}", "0".repeat(-point as usize))
    } else {
        let shift = point - 1;
        let mark = if shift < 0 { '-' } else { '+' };
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        format!("{first}{dot}{rest}e{mark}{}", shift.abs())
    };
    format!("{sign}{body}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn rfc_8785() {
        let cases = [
            (json!({"b": 1, "a": [true, null, "é\n"]}), "{\"a\":[true,null,\"é\\n\"],\"b\":1}"),
            (
                json!([1.0, 1e21, 1e20, 0.000_001, 1e-7, -0.0, 333_333_333.333_333_3]),
                "[1,1e+21,100000000000000000000,0.000001,1e-7,0,333333333.3333333]",
            ),
            (json!({"\u{20ac}": 1, "\u{1f600}": 2, "\u{fb33}": 3}), "{\"€\":1,\"😀\":2,\"\u{fb33}\":3}"),
        ];
        for (value, want) in cases {
            assert_eq!(super::canonical(&value), want);
        }
    }
}
