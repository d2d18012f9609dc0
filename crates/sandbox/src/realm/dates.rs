//! Dates in other texts than the language asks for, as V8 reads them: `2024/02/29`, `29 Feb 2024 10:00`, `2/29/2024`.
//!
//! The language leaves these to its engines, and this one reads none of them. The zone is UTC.

use boa_engine::{
    Context, JsResult, JsValue,
    builtins::date::Date,
    object::builtins::{JsDate, JsFunction},
    value::PreferredType,
};

use super::{around, powers::argument};

const MONTHS: &[&str] = &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const ZONES: &[(&str, i64)] = &[
    ("z", 0),
    ("ut", 0),
    ("utc", 0),
    ("gmt", 0),
    ("edt", -4),
    ("est", -5),
    ("cdt", -5),
    ("cst", -6),
    ("mdt", -6),
    ("mst", -7),
    ("pdt", -7),
    ("pst", -8),
];
const KEYWORD: usize = 3;
const DIGITS: usize = 9;

/// Puts the function of this module before the engine's own.
pub(super) fn replace(context: &Context) {
    around::replace(&context.intrinsics().constructors().date().constructor(), "parse", parse, context);
}

fn parse(_: &JsValue, args: &[JsValue], own: &JsFunction, context: &mut Context) -> JsResult<JsValue> {
    let text = argument(args, 0).to_string(context)?;
    let time = own.call(&JsValue::undefined(), &[text.clone().into()], context)?;
    let unread = time.as_number().is_some_and(f64::is_nan);
    Ok(if unread { read(&text.to_std_string_lossy()).map_or(time, JsValue::from) } else { time })
}

/// What `new Date(value)` is given in metered code: the time of a text that the engine does not read.
pub(super) fn given(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let value = argument(args, 0);
    if value.as_object().is_some_and(|object| object.is::<Date>()) {
        return Ok(value);
    }
    let value = value.to_primitive(context, PreferredType::Default)?;
    let Some(text) = value.as_string() else { return Ok(value) };
    let time = JsDate::parse(value.clone(), context)?;
    let unread = time.as_number().is_some_and(f64::is_nan);
    Ok(if unread { read(&text.to_std_string_lossy()).map_or(value, JsValue::from) } else { value })
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Token<'t> {
    Number { value: i64, length: usize },
    Word(&'t str),
    Sign(char),
}

/// The parts of a text; a parenthesis is one sign with all that is in it.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let run = |is: fn(&char) -> bool| rest.chars().take_while(is).map(char::len_utf8).sum::<usize>();
        let length = match first {
            '0'..='9' => {
                let length = run(char::is_ascii_digit);
                let digits = rest[..length].trim_start_matches('0');
                let value = digits[..digits.len().min(DIGITS)].parse().unwrap_or(0);
                tokens.push(Token::Number { value, length });
                length
            }
            _ if is_of_word(first) => {
                let length = run(|c| is_of_word(*c));
                tokens.push(Token::Word(&rest[..length]));
                length
            }
            '(' => {
                let mut open = 0_usize;
                let closed = rest.char_indices().find(|(_, c)| {
                    open = if *c == '(' { open + 1 } else { open - usize::from(*c == ')') };
                    open == 0
                });
                tokens.push(Token::Sign(' '));
                closed.map_or(rest.len(), |(at, _)| at + 1)
            }
            _ => {
                tokens.push(Token::Sign(if first.is_whitespace() { ' ' } else { first }));
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    tokens
}

/// Whether V8 takes a character for a part of a word.
fn is_of_word(c: char) -> bool {
    c >= 'A' && !c.is_whitespace()
}

#[derive(Debug, Default)]
struct Reading {
    day: Vec<i64>,
    month: Option<i64>,
    time: Vec<i64>,
    /// Hours that `AM` or `PM` adds.
    half: Option<i64>,
    zone_sign: Option<i64>,
    zone_hour: Option<i64>,
    zone_minute: Option<i64>,
    /// Whether a `T` stands before the time.
    is_iso: bool,
}

impl Reading {
    fn expects_time(&self, value: i64) -> bool {
        match self.time.len() {
            1 | 2 => value < 60,
            3 => value < 1000,
            _ => false,
        }
    }

    fn finish_time(&mut self, value: i64) {
        self.time.push(value);
        self.time.resize(4, 0);
    }

    fn expects_zone(&self, value: i64) -> bool {
        self.zone_hour.is_some() && self.zone_minute.is_none() && value < 60
    }
}

/// Whether a text begins as the language asks for.
fn is_iso(before: &[Token<'_>]) -> bool {
    let minus = Token::Sign('-');
    let is_wide = |token: &Token<'_>, digits| matches!(token, Token::Number { length, .. } if *length == digits);
    let [year, first, month, second, day] = before else { return false };
    [first, second] == [&minus; 2] && is_wide(year, 4) && is_wide(month, 2) && is_wide(day, 2)
}

/// The time that a text means.
fn read(text: &str) -> Option<f64> {
    let tokens = tokens(text);
    let mut at = 0;
    let mut reading = Reading::default();
    let mut has_number = false;
    while let Some(token) = tokens.get(at).copied() {
        let (before, behind) = tokens.split_at(at);
        at += 1;
        let next = tokens.get(at).copied();
        let mut skip = |sign: char| {
            let found = tokens.get(at) == Some(&Token::Sign(sign));
            at += usize::from(found);
            found
        };
        match token {
            Token::Number { value, .. } => {
                has_number = true;
                if skip(':') {
                    if reading.time.len() == 4 {
                        return None;
                    }
                    reading.time.push(value);
                    if skip(':') {
                        if reading.time.len() > 1 {
                            return None;
                        }
                        reading.time.push(0);
                    } else {
                        skip('.');
                    }
                } else if skip('.') && reading.expects_time(value) {
                    reading.time.push(value);
                    let Some(Token::Number { value, length }) = tokens.get(at).copied() else { return None };
                    at += 1;
                    let thousandths = match length {
                        1 => value * 100,
                        2 => value * 10,
                        _ => value / 10_i64.pow(length.min(DIGITS) as u32 - 3),
                    };
                    reading.finish_time(thousandths);
                } else if reading.expects_zone(value) {
                    reading.zone_minute = Some(value);
                } else if reading.expects_time(value) {
                    reading.finish_time(value);
                    let may_follow = match tokens.get(at) {
                        None | Some(Token::Sign(' ' | '+' | '-')) => true,
                        Some(Token::Word(word)) => word.eq_ignore_ascii_case("z"),
                        _ => false,
                    };
                    if !may_follow {
                        return None;
                    }
                } else {
                    if reading.day.len() == 3 {
                        return None;
                    }
                    reading.day.push(value);
                    skip('-');
                }
            }
            Token::Word(word) => {
                let word = word.to_ascii_lowercase();
                let month = MONTHS.iter().position(|own| word.starts_with(own));
                let zone = ZONES.iter().find(|(name, _)| *name == word);
                match (&*word, month, zone) {
                    ("t", ..) if is_iso(before) && !behind.contains(&Token::Sign(' ')) => reading.is_iso = true,
                    ("am" | "pm", ..) if !reading.time.is_empty() => {
                        reading.half = Some(if word == "pm" { 12 } else { 0 });
                    }
                    (_, Some(month), _) if word.len() >= KEYWORD => {
                        reading.month = Some(month as i64 + 1);
                        skip('-');
                    }
                    (_, _, Some((_, hours))) if has_number => {
                        reading.zone_sign = Some(if *hours < 0 { -1 } else { 1 });
                        (reading.zone_hour, reading.zone_minute) = (Some(hours.abs()), Some(0));
                    }
                    _ if has_number || matches!(next, Some(Token::Number { .. })) => return None,
                    _ => {}
                }
            }
            Token::Sign(sign @ ('+' | '-')) => {
                let is_utc = (reading.zone_hour, reading.zone_minute) == (Some(0), Some(0));
                if is_utc || !reading.time.is_empty() {
                    reading.zone_sign = Some(if sign == '-' { -1 } else { 1 });
                    let (mut value, mut length) = (0, 0);
                    if let Some(Token::Number { value: own, length: digits }) = next {
                        (value, length) = (own, digits);
                        at += 1;
                    }
                    has_number = true;
                    let (hour, minute) = match length {
                        _ if tokens.get(at) == Some(&Token::Sign(':')) => (value, None),
                        1 | 2 => (value, Some(0)),
                        3 | 4 => (value / 100, Some(value % 100)),
                        _ => return None,
                    };
                    (reading.zone_hour, reading.zone_minute) = (Some(hour), minute);
                } else if has_number {
                    return None;
                }
            }
            Token::Sign(')') if has_number => return None,
            Token::Sign(_) => {}
        }
    }
    reading.time()
}

impl Reading {
    fn time(mut self) -> Option<f64> {
        if self.day.is_empty() || (self.is_iso && self.zone_hour.is_some_and(|hour| hour > 23)) {
            return None;
        }
        self.day.resize(3, 1);
        let is_day = |value: i64| (1..=31).contains(&value);
        let (first, second, third) = (self.day[0], self.day[1], self.day[2]);
        let (year, month, day) = match self.month {
            Some(month) if is_day(first) => (second, month, first),
            Some(month) => (first, month, second),
            None if is_day(first) => (third, first, second),
            None => (first, second, third),
        };
        let year = match year {
            0..=49 => year + 2000,
            50..=99 => year + 1900,
            _ => year,
        };
        self.time.resize(4, 0);
        let &[mut hour, minute, second, thousandth] = &self.time[..] else { return None };
        if let Some(half) = self.half {
            if hour > 12 {
                return None;
            }
            hour = hour % 12 + half;
        }
        let in_day = hour < 24 || (hour == 24 && minute + second + thousandth == 0);
        if !(1..=12).contains(&month) || !is_day(day) || !in_day || minute > 59 || second > 59 || thousandth > 999 {
            return None;
        }
        let zone = self.zone_sign.unwrap_or(0) * (self.zone_hour.unwrap_or(0) * 60 + self.zone_minute.unwrap_or(0));
        let minutes = (days(year, month) + day - 1) * 1_440 + hour * 60 + minute - zone;
        let time = (minutes * 60 + second) as f64 * 1_000.0 + thousandth as f64;
        (time.abs() <= 8.64e15).then_some(time)
    }
}

/// Days from 1970 to the first of a month.
fn days(year: i64, month: i64) -> i64 {
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (month * 153 + 2) / 5 - 719_468
}
