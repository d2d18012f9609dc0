//! Capabilities: grammar, catalogue, coverage, difference (spec: ifc-extension.md §3).
//!
//! Raw text is read by [`parse`] and nowhere else; everything downstream holds a [`Capability`].
//! Invariant: two capabilities are the same exactly when their canonical forms are equal.
//!
//! ```
//! use holdpoint_sdk::capability::{Risk, parse};
//! let grant = parse("model.mutate:Pset_WallCommon").unwrap();
//! let need = parse("model.mutate:Pset_WallCommon.FireRating").unwrap();
//! assert!(grant.covers(&need) && !need.covers(&grant));
//! assert_eq!((grant.canonical(), grant.risk()), ("model.mutate:Pset_WallCommon.*", Risk::Red));
//! ```

mod catalogue;
mod diff;
mod grammar;
mod sentence;

pub use catalogue::{CatalogueEntry, TargetKind, catalogue, entry, is_format};
pub use diff::{CapabilityChange, CapabilityDiff, Confirmation, Consent, diff};
pub use grammar::{CODES, CapabilityError, MAX_CAPABILITY_CHARS, is_command_id, is_host, parse};
pub use sentence::{CODES as SENTENCES, PERMISSION};

use holdpoint_check::Sentence;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

/// How much harm a capability can do, lowest first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Risk {
    #[default]
    Green,
    Yellow,
    Red,
}

/// One part of a target.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "kind", content = "value", rename_all = "lowercase")]
pub enum Segment {
    Literal(String),
    /// Everything that begins so; the star is not part of it.
    Prefix(String),
    Any,
}

impl Segment {
    /// Whether everything that `other` stands for is also meant here.
    pub fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Any, _) => true,
            (Self::Prefix(lead), Self::Literal(text) | Self::Prefix(text)) => text.starts_with(lead.as_str()),
            (Self::Literal(own), Self::Literal(text)) => own == text,
            _ => false,
        }
    }
}

/// What a capability reaches. A property has two segments, set and name; every other kind one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Target {
    pub kind: TargetKind,
    /// Whether it means every target.
    pub universal: bool,
    pub segments: Vec<Segment>,
}

impl Target {
    /// A target of these parts.
    pub fn new(kind: TargetKind, segments: Vec<Segment>) -> Self {
        let universal = segments.iter().all(|segment| *segment == Segment::Any);
        Self { kind, universal, segments }
    }
}

/// A capability that stands in the catalogue. `Serialize` gives the answer of `capability.parse`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capability {
    raw: String,
    canonical: String,
    entry: &'static CatalogueEntry,
    target: Option<Target>,
    risk: Risk,
}

impl Serialize for Capability {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (scope, action) = self.entry.name.split_once('.').unwrap_or((&self.entry.name, ""));
        let mut row = serializer.serialize_struct("Capability", 8)?;
        row.serialize_field("raw", &self.raw)?;
        row.serialize_field("canonical", &self.canonical)?;
        row.serialize_field("scope", scope)?;
        row.serialize_field("action", action)?;
        row.serialize_field("target", &self.target)?;
        row.serialize_field("wildcard", &self.wildcard())?;
        row.serialize_field("risk", &self.risk)?;
        row.serialize_field("sentence", &self.said().message)?;
        row.end()
    }
}

impl Capability {
    /// A capability of a catalogue entry with a target that is already known; no text is read, so that values that the
    /// grammar cannot write (a control character in a property name) still have a capability, which only `*` covers.
    pub fn of(entry: &'static CatalogueEntry, target: Option<Target>, raw: Option<&str>) -> Self {
        let canonical = match &target {
            None => entry.name.clone(),
            Some(target) => format!("{}:{}", entry.name, grammar::canonical_target(target)),
        };
        Self {
            raw: raw.map_or_else(|| canonical.clone(), str::to_owned),
            risk: entry.risk(target.as_ref()),
            entry,
            target,
            canonical,
        }
    }

    /// The text as it was written.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// The one spelling: equal forms are the same capability.
    pub fn canonical(&self) -> &str {
        &self.canonical
    }

    pub fn head(&self) -> &str {
        &self.entry.name
    }

    /// What it reaches, where the entry takes a target.
    pub fn target(&self) -> Option<&Target> {
        self.target.as_ref()
    }

    /// Whether the target stands for more than one.
    pub fn wildcard(&self) -> bool {
        let wild = |segment: &Segment| !matches!(segment, Segment::Literal(_));
        self.target.as_ref().is_some_and(|target| target.segments.iter().any(wild))
    }

    pub fn risk(&self) -> Risk {
        self.risk
    }

    pub fn said(&self) -> Sentence {
        sentence::of(self.entry, self.target.as_ref())
    }

    /// Whether it need not be declared and gives no authority (`ui.*`).
    pub fn implicit(&self) -> bool {
        self.entry.implicit
    }

    /// Whether every concrete target of `request` is one of this grant.
    pub fn covers(&self, request: &Self) -> bool {
        if self.entry.name != request.entry.name {
            return false;
        }
        match (&self.target, &request.target) {
            (None, None) => true,
            (Some(own), Some(theirs)) => {
                own.segments.len() == theirs.segments.len()
                    && own.segments.iter().zip(&theirs.segments).all(|(own, theirs)| own.covers(theirs))
            }
            _ => false,
        }
    }
}

/// The first grant, in byte order of canonical forms, that covers the request.
pub fn covering<'g>(grants: impl IntoIterator<Item = &'g Capability>, request: &Capability) -> Option<&'g Capability> {
    grants.into_iter().filter(|grant| grant.covers(request)).min_by(|a, b| a.canonical.cmp(&b.canonical))
}

/// The tier of a list: the highest; green when empty.
pub fn overall<'g>(capabilities: impl IntoIterator<Item = &'g Capability>) -> Risk {
    capabilities.into_iter().map(Capability::risk).max().unwrap_or_default()
}
