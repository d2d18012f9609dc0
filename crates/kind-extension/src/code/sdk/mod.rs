//! The SDK in the code (ifc-extension.md §6.3): where `ctx` goes, which members are used, what each use needs.
//!
//! `trace` follows values and records facts; `needs` turns facts into findings and needed capabilities. Nothing here
//! says what is declared.

pub mod needs;
pub mod trace;

use holdpoint_sdk::members::{CtxKind, CtxMember, Method, Namespace, sdk};

/// A part of the SDK that a value is.
#[derive(Clone, Copy)]
pub enum Part {
    Ctx,
    Bim,
    Namespace(&'static Namespace),
    Group(&'static CtxMember),
    /// The method and what stands before its name: `bim.query`.
    Method(Holder, &'static Method),
}

/// What a method belongs to.
#[derive(Clone, Copy)]
pub enum Holder {
    Ctx,
    Group(&'static CtxMember),
    Namespace(&'static Namespace),
}

/// What a name under a part of the SDK is.
pub enum Member {
    Part(Part),
    /// A plain value, no longer the SDK.
    Value,
    Unknown,
}

impl Part {
    pub fn member(self, name: &str) -> Member {
        let found = match self {
            Self::Ctx => sdk().ctx_member(name).map(|member| match &member.kind {
                CtxKind::Bim => Member::Part(Self::Bim),
                CtxKind::Method(method) => Member::Part(Self::Method(Holder::Ctx, method)),
                CtxKind::Group(_) | CtxKind::Fields(_) => Member::Part(Self::Group(member)),
            }),
            Self::Bim => sdk().namespace(name).map(|namespace| Member::Part(Self::Namespace(namespace))),
            Self::Namespace(namespace) => {
                namespace.method(name).map(|method| Member::Part(Self::Method(Holder::Namespace(namespace), method)))
            }
            Self::Group(member) => match &member.kind {
                CtxKind::Fields(fields) => fields.iter().any(|field| field == name).then_some(Member::Value),
                _ => member.method(name).map(|method| Member::Part(Self::Method(Holder::Group(member), method))),
            },
            Self::Method(..) => Some(Member::Value),
        };
        found.unwrap_or(Member::Unknown)
    }

    pub fn names(self) -> Vec<&'static str> {
        match self {
            Self::Ctx => sdk().ctx_names(),
            Self::Bim => sdk().namespace_names(),
            Self::Namespace(namespace) => namespace.method_names(),
            Self::Group(member) => member.member_names(),
            Self::Method(..) => Vec::new(),
        }
    }

    /// `bim.query.all`, `ctx.storage`: also the identity of a part.
    pub fn text(self) -> String {
        match self {
            Self::Ctx => "ctx".to_owned(),
            Self::Bim => "bim".to_owned(),
            Self::Namespace(namespace) => format!("bim.{}", namespace.name),
            Self::Group(member) => format!("ctx.{}", member.name),
            Self::Method(holder, method) => {
                let holder = match holder {
                    Holder::Ctx => Self::Ctx,
                    Holder::Group(member) => Self::Group(member),
                    Holder::Namespace(namespace) => Self::Namespace(namespace),
                };
                format!("{}.{}", holder.text(), method.name)
            }
        }
    }

    pub fn is_method(self) -> bool {
        matches!(self, Self::Method(..))
    }

    /// Whether unknown members here are fields of `ctx` (and not members of `bim`).
    pub fn is_context(self) -> bool {
        matches!(self, Self::Ctx | Self::Group(_))
    }
}
