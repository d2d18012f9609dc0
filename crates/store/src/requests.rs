//! Bodies of the gateway's own routes, resolved (spec: gateway.md §6, §13).
//!
//! Invariant: a wrong value is refused with 400 and named by its JSON Pointer.

use holdpoint_check::{ApiError, Args, Code, args};
use holdpoint_gateway::budget::{Amount, Budget, DAY_MS, Ms, Payers, Period, Unit};
use holdpoint_gateway::instant::day_start;
use holdpoint_gateway::key::SCOPES;
use serde::Deserialize as _;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::codes::{
    BETWEEN, BODY, CHOICE, DAY, DAYS, GROUPS, LABEL, NAME, PRINTABLE, REASON, TEXTS, TIME, TOKENS, WHOLE,
};
use crate::ledger::{CallDays, Clamp, KeyEdit, KeyEnd, LimitAsk, NewKey, UsageAsk, UsageGroup};

const MAX_LABEL: usize = 128;
const MAX_NAME: usize = 64;
const MAX_REASON: usize = 500;
/// The most days that may be asked for.
const MAX_DAYS: u32 = 400;
const MAX_GROUPS: usize = 3;
/// What every end of the wire and every database carries alike (spec: gateway.md, "Words").
const MAX_AMOUNT: u64 = (1 << 53) - 1;

fn invalid(pointer: impl Into<String>, code: &'static Code, args: Args<'_>) -> ApiError {
    ApiError::at(pointer, code, args).status(400)
}

/// A list of words, each without white space.
fn texts(body: &Value, name: &str) -> Result<Vec<String>, ApiError> {
    let pointer = format!("/{name}");
    match &body[name] {
        Value::Null => Ok(Vec::new()),
        Value::Array(items) => items
            .iter()
            .map(|item| match item.as_str() {
                Some(text) if !text.is_empty() && !text.contains(char::is_whitespace) => Ok(text.to_owned()),
                _ => Err(invalid(&pointer, &TEXTS, args! {})),
            })
            .collect(),
        _ => Err(invalid(&pointer, &TEXTS, args! {})),
    }
}

fn label(body: &Value) -> Result<String, ApiError> {
    let label = body["label"].as_str().unwrap_or_default();
    if label.is_empty() || label.chars().count() > MAX_LABEL || label.chars().any(char::is_control) {
        return Err(invalid("/label", &LABEL, args! { most: MAX_LABEL }));
    }
    Ok(label.to_owned())
}

fn clamp(body: &Value) -> Result<Option<Clamp>, ApiError> {
    let wrong = || invalid("/clamp", &CHOICE, args! { allowed: "never, allowed, always" });
    match &body["clamp"] {
        Value::Null => Ok(None),
        value => Clamp::deserialize(value).map(Some).map_err(|_| wrong()),
    }
}

fn expires_at(body: &Value) -> Result<Option<i64>, ApiError> {
    match &body["expires_at"] {
        Value::Null => Ok(None),
        value => value.as_i64().map(Some).ok_or_else(|| invalid("/expires_at", &TIME, args! {})),
    }
}

/// The first and the last day of a query, which counts too.
pub fn days(query: impl Fn(&str) -> Option<String>) -> Result<CallDays, ApiError> {
    let day = |name: &str| {
        let start = |text: String| day_start(&text).ok_or_else(|| invalid(format!("/{name}"), &DAY, args! {}));
        query(name).map(start).transpose()
    };
    let days = CallDays { from: day("from")?, to: day("to")? };
    if let CallDays { from: Some(from), to: Some(to) } = days {
        check_days(from, to)?;
    }
    Ok(days)
}

fn check_days(from: Ms, to: Ms) -> Result<(), ApiError> {
    if (0..Ms::from(MAX_DAYS) * DAY_MS).contains(&(to - from)) {
        return Ok(());
    }
    Err(invalid("/from", &DAYS, args! { most: MAX_DAYS }))
}

/// The days and groups of a query; without days those of the present month that began.
pub fn usage(query: impl Fn(&str) -> Option<String>, now: Ms) -> Result<UsageAsk, ApiError> {
    let CallDays { from, to } = days(&query)?;
    let to = to.unwrap_or_else(|| Period::Day.start(now));
    let from = from.unwrap_or_else(|| Period::Month.start(to));
    check_days(from, to)?;
    let mut groups = Vec::new();
    for word in query("group_by").iter().flat_map(|words| words.split(',')) {
        let Some((_, group)) = UsageGroup::NAMED.into_iter().find(|(name, _)| *name == word) else {
            let allowed = UsageGroup::NAMED.map(|(name, _)| name).join(", ");
            return Err(invalid("/group_by", &CHOICE, args! { allowed }));
        };
        if groups.contains(&group) || groups.len() == MAX_GROUPS {
            return Err(invalid("/group_by", &GROUPS, args! { most: MAX_GROUPS }));
        }
        groups.push(group);
    }
    Ok(UsageAsk { from, to, groups })
}

/// What an administrator changes of a key; null makes it last for ever.
pub fn key_edit(body: &Value) -> Result<KeyEdit, ApiError> {
    let given = |name: &str| body.get(name).is_some();
    let some = |name: &str| given(name).then(|| texts(body, name)).transpose();
    Ok(KeyEdit {
        label: given("label").then(|| label(body)).transpose()?,
        models: some("models")?,
        origins: some("origins")?,
        clamp: clamp(body)?,
        end: match expires_at(body)? {
            Some(at) => Some(KeyEnd::At(at)),
            None => given("expires_at").then_some(KeyEnd::Never),
        },
    })
}

/// How long the secret before a rotation still works, in milliseconds.
pub fn grace_ms(body: &Value) -> Result<i64, ApiError> {
    const DEFAULT_S: u64 = 86_400;
    const MOST_S: u64 = 7 * 86_400;
    let seconds = match &body["grace_seconds"] {
        Value::Null => DEFAULT_S,
        value => value
            .as_u64()
            .filter(|seconds| *seconds <= MOST_S)
            .ok_or_else(|| invalid("/grace_seconds", &BETWEEN, args! { least: 0, most: MOST_S }))?,
    };
    Ok(seconds.cast_signed() * 1_000)
}

/// The key that an administrator asks for.
pub fn new_key(body: &Value) -> Result<NewKey, ApiError> {
    let label = label(body)?;
    let user_id = body["user_id"].as_str().unwrap_or_default();
    check_name("/user_id", user_id)?;
    let scopes = match texts(body, "scopes")? {
        none if none.is_empty() => vec!["llm".to_owned(), "usage".to_owned()],
        scopes => scopes,
    };
    if let Some(index) = scopes.iter().position(|scope| !SCOPES.contains(&scope.as_str())) {
        return Err(invalid(format!("/scopes/{index}"), &CHOICE, args! { allowed: SCOPES.join(", ") }));
    }
    Ok(NewKey {
        label,
        user_id: user_id.to_owned(),
        scopes,
        models: texts(body, "models")?,
        origins: texts(body, "origins")?,
        clamp: clamp(body)?.unwrap_or_default(),
        expires_at: expires_at(body)?,
    })
}

/// What a run may use, and how many milliseconds it stays open: at most `longest`.
pub fn run(body: &Value, longest: i64) -> Result<(Amount, i64), ApiError> {
    let whole = |name: &str| match &body[name] {
        Value::Null => Ok(None),
        value => match value.as_u64().filter(|n| *n < 1 << 53) {
            Some(number) => Ok(Some(number)),
            None => Err(invalid(format!("/{name}"), &WHOLE, args! {})),
        },
    };
    let tokens = whole("tokens")?.ok_or_else(|| invalid("/tokens", &TOKENS, args! {}))?;
    let ttl_ms = whole("ttl_ms")?.map_or(longest, |ttl| ttl.cast_signed().clamp(1, longest));
    Ok((Amount { tokens, cost: whole("cost")?.unwrap_or(0) }, ttl_ms))
}

/// Reads a budget from the body of a PUT (spec: gateway.md §6 "Budgets").
pub fn budget(id: &str, body: &Value) -> Result<Budget, ApiError> {
    let word = |name: &str| body[name].as_str().map(|text| Value::String(text.to_owned())).unwrap_or_default();
    let unit = serde_json::from_value::<Unit>(word("unit"))
        .map_err(|_| invalid("/unit", &CHOICE, args! { allowed: "`tokens`, `cost`, `requests`" }))?;
    let period = serde_json::from_value::<Period>(word("period"))
        .map_err(|_| invalid("/period", &CHOICE, args! { allowed: "`minute`, `day`, `month`, `total`" }))?;
    let payer = match body.get("payer") {
        None => Payers::Platform,
        Some(_) => serde_json::from_value::<Payers>(word("payer"))
            .map_err(|_| invalid("/payer", &CHOICE, args! { allowed: "`platform`, `byok`, `any`" }))?,
    };
    let limit = body["limit"].as_u64().filter(|limit| *limit < 1 << 53);
    Ok(Budget {
        id: id.to_owned(),
        scope: body["scope"].as_str().unwrap_or_default().to_owned(),
        unit,
        period,
        limit: limit.ok_or_else(|| invalid("/limit", &WHOLE, args! {}))?,
        payer,
        generation: 0,
        grants: Vec::new(),
    })
}

/// A body of the shape that its route names.
pub fn typed<T: DeserializeOwned>(body: Value) -> Result<T, ApiError> {
    serde_json::from_value(body).map_err(|error| invalid("", &BODY, args! { error: error.to_string() }))
}

/// An amount that somebody asks for or grants.
pub fn check_amount(amount: u64) -> Result<(), ApiError> {
    if (1..=MAX_AMOUNT).contains(&amount) {
        return Ok(());
    }
    Err(invalid("/amount", &BETWEEN, args! { least: 1, most: MAX_AMOUNT }))
}

/// Words of a person about a request.
pub fn check_reason(reason: &str) -> Result<(), ApiError> {
    let written = !reason.trim().is_empty() && reason.chars().count() <= MAX_REASON;
    if written && !reason.chars().any(|c| c.is_control() && c != '\n') {
        return Ok(());
    }
    Err(invalid("/reason", &REASON, args! { most: MAX_REASON }))
}

/// Limits that can be kept: of a rate, each number is at least 1.
pub fn limits(body: Value) -> Result<LimitAsk, ApiError> {
    let ask: LimitAsk = typed(body)?;
    let none = ask.rate.and_then(|rate| {
        let members = [("count", Some(rate.count)), ("per_ms", Some(rate.per_ms)), ("burst", rate.burst)];
        members.into_iter().find(|(_, value)| *value == Some(0))
    });
    match none {
        Some((name, _)) => Err(invalid(format!("/rate/{name}"), &BETWEEN, args! { least: 1, most: u32::MAX })),
        None => Ok(ask),
    }
}

/// A name that stands in paths and scopes.
/// A provider's key: printable, and whole as a header carries it.
pub fn check_key(key: &str) -> Result<(), ApiError> {
    const MOST: usize = 1_000;
    let whole = (1..=MOST).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    if whole { Ok(()) } else { Err(invalid("/key", &PRINTABLE, args! { most: MOST })) }
}

pub fn check_name(pointer: &str, name: &str) -> Result<(), ApiError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._:@-".contains(c);
    if !name.is_empty() && name.len() <= MAX_NAME && name.chars().all(plain) {
        return Ok(());
    }
    Err(invalid(pointer, &NAME, args! { most: MAX_NAME }))
}
