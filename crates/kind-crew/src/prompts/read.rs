//! Reading what a host gives for a prompt (spec: ai-sessions.md §7.3, §7.4).
//!
//! The specification fixes which fault is told first, so the members are asked for one by one and not as they come.
//! Invariants: null is the same as absent; nothing is turned from one type into another.

use holdpoint_check::json::join;
use serde_json::{Map, Value};

/// Where a value is of the wrong shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongMember(pub String);

/// A value and where it stands.
#[derive(Debug, Clone)]
pub struct At<'v> {
    /// Absent, or null, is none.
    value: Option<&'v Value>,
    pointer: String,
}

impl<'v> At<'v> {
    pub fn root(value: &'v Value) -> Self {
        Self::new(Some(value), String::new())
    }

    fn new(value: Option<&'v Value>, pointer: String) -> Self {
        Self { value: value.filter(|value| !value.is_null()), pointer }
    }

    /// A member; none of what is no object.
    pub fn member(&self, name: &str) -> Self {
        Self::new(self.value.and_then(|value| value.get(name)), join(&self.pointer, name))
    }

    /// Itself, where it is there.
    pub fn given(self) -> Option<Self> {
        self.value.is_some().then_some(self)
    }

    /// The fault that it has.
    pub fn fault(&self) -> WrongMember {
        WrongMember(self.pointer.clone())
    }

    /// The value, when it is there and holds.
    pub fn read<T>(&self, holds: impl FnOnce(&'v Value) -> Option<T>) -> Result<T, WrongMember> {
        self.value.and_then(holds).ok_or_else(|| self.fault())
    }

    pub fn text(&self) -> Result<&'v str, WrongMember> {
        self.read(Value::as_str)
    }

    pub fn object(&self) -> Result<&'v Map<String, Value>, WrongMember> {
        self.read(Value::as_object)
    }

    /// The items of a list; none where it is absent.
    pub fn items(&self) -> Result<Vec<Self>, WrongMember> {
        let Some(value) = self.value else { return Ok(Vec::new()) };
        let items = value.as_array().ok_or_else(|| self.fault())?;
        // An item that is null stands there, and is of the wrong type.
        let item = |(index, value)| Self { value: Some(value), pointer: join(&self.pointer, index) };
        Ok(items.iter().enumerate().map(item).collect())
    }

    pub fn each<T>(&self, read: impl Fn(&Self) -> Result<T, WrongMember>) -> Result<Vec<T>, WrongMember> {
        self.items()?.iter().map(read).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn null_is_absent_but_not_in_a_list() {
        let value = json!({"a": null, "b": ["x", null, 1], "c": 1, "d/e": {}});
        let root = At::root(&value);
        assert_eq!(root.member("a").items().map(|items| items.len()), Ok(0));
        assert!(root.member("a").given().is_none());
        let texts = |name: &str| root.member(name).each(|item| item.text().map(str::to_owned));
        assert_eq!(texts("b"), Err(WrongMember("/b/1".to_owned())));
        assert_eq!(texts("c"), Err(WrongMember("/c".to_owned())));
        assert_eq!(texts("none"), Ok(Vec::new()));
        assert_eq!(root.member("d/e").member("f").text(), Err(WrongMember("/d~1e/f".to_owned())));
    }
}
