//! Values by member: what stood there, what stands there now.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Map, Value};

/// Characters of a text that is shown as it is; a longer one, or one of several lines, is told by its lines.
const MAX_SHOWN: usize = 200;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MemberCompared {
    /// Its name; members of members with dots.
    pub member: String,
    /// Null where it was not there, or is told by its lines.
    pub before: Option<Value>,
    /// The same of the later package.
    pub after: Option<Value>,
    /// Of a long text, instead of the text.
    pub lines: Option<Lines>,
}

/// How long a text was and is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Lines {
    pub before: usize,
    pub after: usize,
    /// Lines that are new or gone, whichever are more; at least one.
    pub changed: usize,
}

impl MemberCompared {
    pub fn named(member: &str) -> Self {
        Self { member: member.to_owned(), before: None, after: None, lines: None }
    }
}

/// What differs between two values, member by member; lists are compared whole. Some members are left out.
pub fn by_member(before: &Value, after: &Value, without: &[&str]) -> Vec<MemberCompared> {
    let mut found = Vec::new();
    let none = Map::new();
    let (old, new) = (before.as_object().unwrap_or(&none), after.as_object().unwrap_or(&none));
    for name in new.keys().chain(old.keys().filter(|name| !new.contains_key(*name))) {
        if !without.contains(&name.as_str()) {
            differ(name, old.get(name), new.get(name), &mut found);
        }
    }
    found
}

/// Documents nest to a limit, so this does.
fn differ(member: &str, before: Option<&Value>, after: Option<&Value>, found: &mut Vec<MemberCompared>) {
    if before == after {
        return;
    }
    let is_object =
        |value: Option<&Value>| value.is_none_or(|value| value.as_object().is_some_and(|it| !it.is_empty()));
    if is_object(before) && is_object(after) {
        let none = Value::Null;
        for inner in by_member(before.unwrap_or(&none), after.unwrap_or(&none), &[]) {
            found.push(MemberCompared { member: format!("{member}.{}", inner.member), ..inner });
        }
        return;
    }
    let text = |value: Option<&Value>| value.map_or(Some(""), Value::as_str).map(str::to_owned);
    if let (Some(old), Some(new)) = (text(before), text(after))
        && (is_long(&old) || is_long(&new))
    {
        found.extend(counted_lines(member, &old, &new));
        return;
    }
    found.push(MemberCompared { before: before.cloned(), after: after.cloned(), ..MemberCompared::named(member) });
}

fn is_long(text: &str) -> bool {
    text.trim_end().contains('\n') || text.chars().nth(MAX_SHOWN).is_some()
}

/// Two texts as a member: as they are where they are short.
pub fn lines(member: &str, before: &str, after: &str) -> Option<MemberCompared> {
    let mut found = Vec::new();
    let some = |text: &str| Some(text).filter(|text| !text.is_empty()).map(Value::from);
    differ(member, some(before).as_ref(), some(after).as_ref(), &mut found);
    found.pop()
}

/// Two texts as a member, by their lines however short they are.
pub fn counted_lines(member: &str, before: &str, after: &str) -> Option<MemberCompared> {
    if before == after {
        return None;
    }
    let mut balance: HashMap<&str, isize> = HashMap::new();
    before.lines().for_each(|line| *balance.entry(line).or_default() -= 1);
    after.lines().for_each(|line| *balance.entry(line).or_default() += 1);
    let sum = |sign: isize| balance.values().map(|count| (count * sign).max(0)).sum::<isize>();
    let changed = usize::try_from(sum(1).max(sum(-1))).unwrap_or_default().max(1);
    let lines = Lines { before: before.lines().count(), after: after.lines().count(), changed };
    Some(MemberCompared { lines: Some(lines), ..MemberCompared::named(member) })
}

/// Texts by name, blanks around them left out.
pub fn of_texts<const N: usize>(before: &[(&str, String); N], after: &[(&str, String); N]) -> Vec<MemberCompared> {
    let pairs = before.iter().zip(after);
    pairs.filter_map(|((name, old), (_, new))| lines(name, old.trim(), new.trim())).collect()
}
