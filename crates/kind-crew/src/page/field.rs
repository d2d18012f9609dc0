//! One member of the head of a step file gets another value; every other byte stays.
//!
//! Invariant: what comes out is read again before it is answered. Where it would not mean what was wanted, or the head
//! cannot be read, the text stays as it was.

use std::collections::HashMap;
use std::ops::Range;

use holdpoint_check::json::{Inside, Place};
use serde_json::Value;

use super::step::Parts;
use crate::dialect::generate::json;
use crate::documents::yaml::Mapping;

/// The text with another value for a member of its head; null takes the member away.
pub fn set_field(text: &str, name: &str, value: &Value) -> String {
    changed(text, name, value).unwrap_or_else(|| text.to_owned())
}

fn changed(text: &str, name: &str, value: &Value) -> Option<String> {
    let parts = Parts::of(text);
    let (head, yaml) = (parts.head.as_ref()?, parts.yaml.as_ref()?);
    let mut wanted = head.value.clone();
    let members = wanted.as_object_mut()?;
    if value.is_null() {
        members.shift_remove(name)?;
    } else {
        members.insert(name.to_owned(), value.clone());
    }
    if wanted == head.value {
        return None;
    }
    let head = Head { text, yaml, mapping: head };
    let held = |text: String| (Parts::of(&text).head?.value == wanted).then_some(text);
    held(head.with(name, value)).or_else(|| held(head.without_notes(name, value)?))
}

/// A head that is changed.
struct Head<'h> {
    text: &'h str,
    yaml: &'h Range<usize>,
    mapping: &'h Mapping,
}

/// A member where it stands.
struct Standing<'h> {
    name: &'h str,
    key: &'h Range<usize>,
    /// Behind its colon, or behind its key where it has none.
    colon: usize,
    place: &'h Place,
    end: usize,
}

impl Head<'_> {
    fn with(&self, name: &str, value: &Value) -> String {
        match (self.mapping.keys.iter().position(|(key, _)| key == name), value) {
            (None, value) => self.added(name, value),
            (Some(at), Value::Null) => self.removed(at),
            (Some(at), value) => self.replaced(at, value),
        }
    }

    /// A member goes with the comments behind it, which a text in lines above it would take for its own.
    fn without_notes(&self, name: &str, value: &Value) -> Option<String> {
        let at = self.mapping.keys.iter().position(|(key, _)| key == name && value.is_null())?;
        let next = self.mapping.keys.get(at + 1).map_or(self.yaml.end, |(_, next)| self.line_of(next.start));
        Some(self.spliced(self.line_of(self.mapping.keys[at].1.start)..next, ""))
    }

    fn is_flow(&self) -> bool {
        self.text[self.mapping.place.start..].starts_with('{')
    }

    fn line_end(&self) -> &'static str {
        if self.text[self.yaml.clone()].contains("\r\n") { "\r\n" } else { "\n" }
    }

    fn spliced(&self, place: Range<usize>, by: &str) -> String {
        format!("{}{by}{}", &self.text[..place.start], &self.text[place.end..])
    }

    /// Where the line of a byte begins.
    fn line_of(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |end| end + 1)
    }

    /// Where the line of a byte ends, in front of its line end.
    fn rest_of(&self, at: usize) -> usize {
        let line = self.text[at..].split('\n').next().unwrap_or_default();
        at + line.strip_suffix('\r').unwrap_or(line).len()
    }

    fn standing(&self, at: usize) -> Option<Standing<'_>> {
        let (name, key) = self.mapping.keys.get(at)?;
        let Inside::Members(places) = &self.mapping.place.inside else { return None };
        let place = places.get(name)?;
        let rest = &self.text[key.end..self.yaml.end];
        let colon = rest.trim_start().strip_prefix(':').map_or(key.end, |behind| self.yaml.end - behind.len());
        Some(Standing { name, key, colon, place, end: place.end.max(colon) })
    }

    fn added(&self, name: &str, value: &Value) -> String {
        let member = format!("{}: {}", written_key(name), json(value));
        if self.is_flow() {
            let last = self.mapping.keys.len().checked_sub(1).and_then(|last| self.standing(last));
            return match last {
                Some(Standing { end, .. }) => self.spliced(end..end, &format!(", {member}")),
                None => self.spliced(self.mapping.place.start..self.mapping.place.end, &format!("{{{member}}}")),
            };
        }
        let yaml = &self.text[self.yaml.clone()];
        let first = self.mapping.keys.first().map_or(self.yaml.start, |(_, key)| key.start);
        let line = &self.text[self.line_of(first)..];
        let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
        let end = self.line_end();
        let open = if yaml.is_empty() || yaml.ends_with('\n') { "" } else { end };
        self.spliced(self.yaml.end..self.yaml.end, &format!("{open}{indent}{member}{end}"))
    }

    fn removed(&self, at: usize) -> String {
        let Some(Standing { key, end, .. }) = self.standing(at) else { return String::new() };
        let before = at.checked_sub(1).and_then(|before| self.standing(before));
        if !self.is_flow() {
            let line = self.rest_of(end);
            let next = self.text[line..].find('\n').map_or(line, |found| line + found + 1);
            let nothing = if self.mapping.keys.len() == 1 { format!("{{}}{}", self.line_end()) } else { String::new() };
            return self.spliced(self.line_of(key.start)..next, &nothing);
        }
        match (self.mapping.keys.get(at + 1), before) {
            (Some((_, next)), _) => self.spliced(key.start..next.start, ""),
            (None, Some(before)) => self.spliced(before.end..end, ""),
            // A comma may stand behind it.
            (None, None) => self.spliced(self.mapping.place.start..self.mapping.place.end, "{}"),
        }
    }

    fn replaced(&self, at: usize, value: &Value) -> String {
        let Some(member) = self.standing(at) else { return String::new() };
        if let Some(lines) = self.lines(&member, value) {
            return lines;
        }
        if member.colon == member.key.end {
            return self.spliced(member.colon..member.end, &format!(": {}", json(value)));
        }
        // A value that began below its key may have left a comment beside it.
        let gap = &self.text[member.colon..member.place.start.max(member.colon)];
        let beside = gap.lines().next().unwrap_or_default().trim();
        let beside = if beside.starts_with('#') { format!(" {beside}") } else { String::new() };
        self.spliced(member.colon..member.end, &format!(" {}{beside}", json(value)))
    }

    /// A list that stood in lines stays in lines, each item with what it had around it.
    fn lines(&self, member: &Standing<'_>, value: &Value) -> Option<String> {
        let wanted = value.as_array().filter(|wanted| !wanted.is_empty())?;
        let Inside::Items(places) = &member.place.inside else { return None };
        let old = self.mapping.value.get(member.name)?.as_array()?;
        let start = self.line_of(places.first()?.start);
        let (lead, item) = self.text[start..].split_once('-')?;
        // In brackets no item has a dash before it.
        if !lead.trim_start_matches([' ', '\t']).is_empty() || !item.starts_with([' ', '\t', '\r', '\n']) {
            return None;
        }
        let mut had = HashMap::new();
        let mut from = start;
        for (item, place) in old.iter().zip(places) {
            let to = self.rest_of(place.end);
            had.entry(item.to_string()).or_insert(from..to);
            from = (to + self.text[to..].find('\n')? + 1).min(self.yaml.end);
        }
        let line = |item: &Value| match had.get(&item.to_string()) {
            Some(place) => self.text[place.clone()].to_owned(),
            None => format!("{lead}- {}", json(item)),
        };
        let lines: Vec<String> = wanted.iter().map(line).collect();
        Some(self.spliced(start..self.rest_of(member.end), &lines.join(self.line_end())))
    }
}

/// A key as it is, where every reader takes it for text.
fn written_key(name: &str) -> String {
    let plain = name.starts_with(|first: char| first.is_ascii_alphabetic());
    let plain = plain && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if plain { name.to_owned() } else { Value::from(name).to_string() }
}
