//! Seeded changes of JSON values and texts: what a fuzzer without coverage tries, the same on every run and machine.

use serde_json::{Map, Value, json};

/// Texts that readers of JSON, paths, versions, numbers, markup or code stumble over.
const NASTY: &[&str] = &[
    "",
    "\0",
    "\u{feff}",
    "../x",
    "a//b",
    "\u{202e}",
    "\u{1f600}",
    "e\u{301}",
    "\r",
    "[[[[[[[[",
    "{\"a\":{\"a\":",
    "1e999",
    "-0",
    "0x",
    "99999999999999999999",
    "=>",
    "`${",
    "/*",
    "\\u",
    "&lt;",
    "@@",
    "~1",
    "$ref",
    "__proto__",
    "*",
    "**:*",
    "&a *a",
    "!!str ",
    "<<: {}",
    "---\n",
    "\n## Goal\n",
    "```py\n@pkg/",
    "assets/",
    "? [",
    "%YAML 1.2\n",
];

/// xorshift64*: small, and the same walk on every machine.
#[derive(Debug, Clone)]
pub struct Walk(pub u64);

impl Walk {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`, 0 when `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// One of them.
    pub fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }
}

/// Changes one place of a value: the deeper the value, the more often below its root.
pub fn mutate(value: &mut Value, walk: &mut Walk) {
    match value {
        Value::Object(members) if !members.is_empty() && walk.below(8) > 0 => member(members, walk),
        Value::Array(items) if !items.is_empty() && walk.below(8) > 0 => match walk.below(6) {
            0 => drop(items.remove(walk.below(items.len()))),
            1 => items.push(items[walk.below(items.len())].clone()),
            _ => {
                let at = walk.below(items.len());
                mutate(&mut items[at], walk);
            }
        },
        Value::String(text) if walk.below(8) > 0 => *text = mutate_text(text, walk),
        Value::Number(_) => {
            *value = [json!(-1), json!(0), json!(1.5), json!(u64::MAX), json!(1e300)][walk.below(5)].clone();
        }
        _ => *value = [json!(null), json!([]), json!({}), json!(true), json!("x"), json!([[]])][walk.below(6)].clone(),
    }
}

fn member(members: &mut Map<String, Value>, walk: &mut Walk) {
    let at = walk.below(members.len());
    let name = members.keys().nth(at).expect("a member that was counted").clone();
    match walk.below(12) {
        0 => drop(members.remove(&name)),
        1 => {
            let value = members.remove(&name).expect("a member that was counted");
            members.insert(mutate_text(&name, walk), value);
        }
        _ => mutate(members.get_mut(&name).expect("a member that was counted"), walk),
    }
}

/// Cuts, doubles, swaps, or puts a nasty piece in. A text that is JSON (a manifest, a widget) is often changed as one.
pub fn mutate_text(text: &str, walk: &mut Walk) -> String {
    if let (Ok(mut inner @ (Value::Object(_) | Value::Array(_))), true) =
        (serde_json::from_str(text), walk.below(3) > 0)
    {
        mutate(&mut inner, walk);
        return inner.to_string();
    }
    let mut chars: Vec<char> = text.chars().collect();
    let (a, b) = (walk.below(chars.len() + 1), walk.below(chars.len() + 1));
    let (from, to) = (a.min(b), a.max(b));
    match walk.below(5) {
        0 => drop(chars.drain(from..to)),
        1 => chars.truncate(from),
        2 => chars.splice(from..from, chars[from..to.min(from + 200)].to_vec()).for_each(drop),
        3 if from < to => chars.swap(from, to - 1),
        _ => chars.splice(from..from, walk.one(NASTY).chars()).for_each(drop),
    }
    chars.into_iter().collect()
}
