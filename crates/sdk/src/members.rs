//! Everything that extension code can reach (spec: ifc-sdk.md §2, §3; data: `sdk-v1.json`).
//!
//! The prompt, the static rules and the run-time gate read this one table.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::need::Need;
use crate::schemas;

#[derive(Debug)]
pub struct Sdk {
    pub version: String,
    /// Members of `ctx`, in the order of the data.
    pub ctx: Vec<CtxMember>,
    /// Members of `ctx.bim`, in the order of the data.
    pub namespaces: Vec<Namespace>,
}

#[derive(Debug)]
pub struct CtxMember {
    pub name: String,
    pub kind: CtxKind,
}

/// What a member of `ctx` is.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)] // eleven of them exist, in one static table
pub enum CtxKind {
    /// `bim`, the root of the namespaces.
    Bim,
    Method(Method),
    /// An object of functions (`log storage commands ui`).
    Group(Vec<Method>),
    /// An object of plain values (`meta`).
    Fields(Vec<String>),
}

#[derive(Debug)]
pub struct Namespace {
    pub name: String,
    pub summary: String,
    pub methods: Vec<Method>,
}

/// A function that extension code may call.
#[derive(Debug)]
pub struct Method {
    pub name: String,
    pub args: Vec<Argument>,
    /// What it answers, as a type for people.
    pub returns: String,
    /// The capability that a call needs.
    pub need: Need,
    /// `read view mutate build export`, where the data says it.
    pub effect: Option<String>,
    /// What it does; empty where the data has none.
    pub summary: String,
    /// Required members of the parameter object; `|` separates alternatives.
    pub requires: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    pub name: String,
    /// Its type, for people and the gate.
    pub kind: String,
    pub optional: bool,
    /// Takes all further arguments, also none.
    pub rest: bool,
}

impl Method {
    /// How many arguments a call needs at least.
    pub fn required(&self) -> usize {
        self.args.iter().filter(|argument| !argument.optional && !argument.rest).count()
    }

    /// `name(a: T, b?: U) -> R`, as the prompt shows it.
    pub fn signature(&self) -> String {
        let args: Vec<String> = self.args.iter().map(Argument::text).collect();
        format!("{}({}) -> {}", self.name, args.join(", "), self.returns)
    }
}

impl Argument {
    /// As the data writes it.
    pub fn text(&self) -> String {
        let (rest, optional) = (if self.rest { "..." } else { "" }, if self.optional { "?" } else { "" });
        format!("{rest}{}{optional}: {}", self.name, self.kind)
    }

    fn read(text: &str) -> Self {
        let (name, kind) = text.split_once(':').unwrap_or((text, "any"));
        let (rest, name) = name.strip_prefix("...").map_or((false, name), |name| (true, name));
        let (optional, name) = name.strip_suffix('?').map_or((false, name), |name| (true, name));
        Self { name: name.to_owned(), kind: kind.trim().to_owned(), optional, rest }
    }
}

impl Sdk {
    /// The member of `ctx` with this name.
    pub fn ctx_member(&self, name: &str) -> Option<&CtxMember> {
        self.ctx.iter().find(|member| member.name == name)
    }

    /// Names of the members of `ctx`.
    pub fn ctx_names(&self) -> Vec<&str> {
        self.ctx.iter().map(|member| member.name.as_str()).collect()
    }

    /// The namespace of `bim` with this name.
    pub fn namespace(&self, name: &str) -> Option<&Namespace> {
        self.namespaces.iter().find(|namespace| namespace.name == name)
    }

    /// Names of the namespaces of `bim`.
    pub fn namespace_names(&self) -> Vec<&str> {
        self.namespaces.iter().map(|namespace| namespace.name.as_str()).collect()
    }

    pub fn method(&self, namespace: &str, method: &str) -> Option<&Method> {
        self.namespace(namespace)?.method(method)
    }
}

impl Namespace {
    /// The method with this name.
    pub fn method(&self, name: &str) -> Option<&Method> {
        self.methods.iter().find(|method| method.name == name)
    }

    pub fn method_names(&self) -> Vec<&str> {
        self.methods.iter().map(|method| method.name.as_str()).collect()
    }
}

impl CtxMember {
    /// The member of this group with this name.
    pub fn method(&self, name: &str) -> Option<&Method> {
        match &self.kind {
            CtxKind::Group(methods) => methods.iter().find(|method| method.name == name),
            _ => None,
        }
    }

    /// Names of the members of a group or of the fields; empty for a function and for `bim`.
    pub fn member_names(&self) -> Vec<&str> {
        match &self.kind {
            CtxKind::Group(methods) => methods.iter().map(|method| method.name.as_str()).collect(),
            CtxKind::Fields(fields) => fields.iter().map(String::as_str).collect(),
            CtxKind::Bim | CtxKind::Method(_) => Vec::new(),
        }
    }
}

static SDK: LazyLock<Sdk> = LazyLock::new(|| read().expect("sdk-v1.json has the shape that `members` reads"));

/// The table of the built-in SDK.
pub fn sdk() -> &'static Sdk {
    &SDK
}

fn read() -> Option<Sdk> {
    let data: Value = serde_json::from_str(schemas::SDK).ok()?;
    let ctx = data.get("ctx")?.as_object()?.iter().map(|(name, value)| {
        let value = value.as_object()?;
        let kind = if value.contains_key("kind") {
            CtxKind::Bim
        } else if let Some(fields) = value.get("fields").and_then(Value::as_array) {
            CtxKind::Fields(fields.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        } else if let Some(group) = value.get("methods") {
            CtxKind::Group(methods(group)?)
        } else {
            CtxKind::Method(method(name, value)?)
        };
        Some(CtxMember { name: name.clone(), kind })
    });
    let namespaces = data.get("bim")?.as_object()?.iter().map(|(name, value)| {
        let summary = value.get("summary").and_then(Value::as_str).unwrap_or_default().to_owned();
        Some(Namespace { name: name.clone(), summary, methods: methods(value.get("methods")?)? })
    });
    Some(Sdk {
        version: data.get("sdk")?.as_str()?.to_owned(),
        ctx: ctx.collect::<Option<_>>()?,
        namespaces: namespaces.collect::<Option<_>>()?,
    })
}

fn methods(value: &Value) -> Option<Vec<Method>> {
    value.as_object()?.iter().map(|(name, value)| method(name, value.as_object()?)).collect()
}

fn method(name: &str, value: &Map<String, Value>) -> Option<Method> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let args = value.get("args")?.as_array()?;
    Some(Method {
        name: name.to_owned(),
        args: args.iter().map(|argument| argument.as_str().map(Argument::read)).collect::<Option<_>>()?,
        returns: text("returns")?,
        need: Need::read(value.get("capability")?.as_str())?,
        effect: text("effect"),
        summary: text("summary").unwrap_or_default(),
        requires: text("requires"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_whole_table() {
        let sdk = sdk();
        assert_eq!(sdk.version, "1.0.0");
        assert_eq!(sdk.namespace_names().len(), 10);
        let set = sdk.method("mutate", "setProperty").unwrap();
        assert_eq!(set.required(), 4);
        assert_eq!(sdk.method("query", "byType").unwrap().required(), 0);
        assert_eq!(sdk.method("query", "related").unwrap().required(), 2);
        assert_eq!(
            sdk.method("query", "related").unwrap().signature(),
            "related(entity: Entity, relType: string, direction?: 'forward'|'inverse') -> Entity[]"
        );
        assert_eq!(sdk.ctx_member("meta").unwrap().member_names().len(), 4);
    }
}
