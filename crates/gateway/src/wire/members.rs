//! What a request may hold, by protocol: an allow list of members at every depth (spec: gateway.md §2 "Fidelity", §5).
//!
//! Why: a server may read `Max_Tokens` where the gateway metered none, and may take money for a member that nobody here
//! has heard of. Owns the shapes of requests (`openai`, `anthropic`) and the walk over a body; refuses to know prices.
//! Invariants: a member that is not listed, and that the provider's `passes` do not name, is found, however it is
//! spelled and wherever it stands; of media only the payload is left out of the size, and only where a server reads
//! media.

mod anthropic;
mod openai;

use holdpoint_text::pointer::join;
use serde_json::{Map, Value};

use super::protocol::Protocol;

/// Members that are told of at most; a body may have a hundred thousand.
const MAX_TOLD: usize = 100;
/// Characters of a member's name that are told.
const MAX_NAME: usize = 200;

/// What a value may be. A text, a number, a truth value and null never hold a member, so they pass wherever they are not
/// looked at themselves.
enum Shape {
    /// No list and no object.
    Plain,
    /// A list of such values, or one of them.
    Plains,
    Word(&'static [&'static str]),
    /// A list of these texts.
    Words(&'static [&'static str]),
    /// A service tier whose price is that of the row; these where the row names none.
    Tier(&'static [&'static str]),
    /// How long a cache keeps something: five minutes or one hour, which have prices.
    Ttl,
    /// Null alone: its price has no bound.
    Nothing,
    /// Names of the caller's own, with plain values.
    Labels,
    /// Any JSON that no server reads members in: schemas, arguments. It counts by its bytes.
    Free,
    Object(Listed),
    List(&'static Shape),
    /// An object whose `type` says what else it may have.
    Kinds(&'static Kinds),
}

type Listed = &'static [(&'static str, Shape)];

struct Kinds {
    /// The kind of an object without `type`.
    untyped: Option<&'static str>,
    /// Whether one of another kind is content, which may be media.
    content: bool,
    listed: &'static [(&'static str, Kind)],
}

struct Kind {
    payload: Option<Payload>,
    members: Listed,
}

impl Kind {
    const fn plain(members: Listed) -> Self {
        Self { payload: None, members }
    }

    const fn media(payload: Payload, members: Listed) -> Self {
        Self { payload: Some(payload), members }
    }
}

/// Media that a part carries, by where its payload stands.
#[derive(Clone, Copy)]
enum Payload {
    ImageUrl,
    Audio,
    File,
    /// `source.data` and `source.url` of an image.
    Image,
    /// The same of a document that is no text.
    Document,
}

/// A kind of media, as price rows and refusals name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Media {
    Image,
    Document,
    Audio,
    /// One that no price row knows.
    Other(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MediaPart {
    pub media: Media,
    pub pointer: String,
}

/// What lets more pass than the list.
#[derive(Clone, Copy, Default)]
pub(crate) struct Rules<'r> {
    /// Of the provider: `top_k`, `messages.prefix`.
    pub passes: &'r [String],
    pub tiers: Option<&'r [String]>,
}

/// What a walk over a body found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Pointers of members that have no price here, sorted.
    pub unmetered: Vec<String>,
    /// In the order of the document.
    pub media: Vec<MediaPart>,
    /// Bytes of the compact body that are payloads of media.
    pub payload_bytes: u64,
    /// Whether something is kept for an hour.
    pub hour: bool,
}

/// Walks over a body. One that is no object holds nothing.
pub(crate) fn read(protocol: Protocol, body: &Value, rules: Rules<'_>) -> Found {
    let mut walk = Walk { rules, path: Vec::new(), found: Found::default() };
    if let Value::Object(members) = body {
        walk.members(listed(protocol), members);
    }
    walk.found.unmetered.sort();
    walk.found
}

fn listed(protocol: Protocol) -> Listed {
    match protocol {
        Protocol::OpenAi => openai::REQUEST,
        Protocol::Anthropic => anthropic::REQUEST,
    }
}

/// Why a provider may not let a member pass: the gateway reads the one that is answered.
pub(crate) fn decided(protocol: Protocol, path: &str) -> Option<&'static str> {
    let names: Vec<&str> = path.split('.').collect();
    beside(listed(protocol), &names)
}

/// A listed member that stands where a path leads and is called alike.
fn beside(listed: Listed, names: &[&str]) -> Option<&'static str> {
    let (name, rest) = names.split_first()?;
    if rest.is_empty() {
        return listed.iter().map(|(known, _)| *known).find(|known| fold(known) == fold(name));
    }
    let (_, shape) = listed.iter().find(|(known, _)| known == name)?;
    below(shape, rest)
}

fn below(shape: &Shape, names: &[&str]) -> Option<&'static str> {
    match shape {
        Shape::Object(listed) => beside(listed, names),
        Shape::List(item) => below(item, names),
        Shape::Kinds(Kinds { listed, .. }) => listed.iter().find_map(|(_, kind)| beside(kind.members, names)),
        _ => None,
    }
}

/// A name without what a lenient reader overlooks.
fn fold(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

struct Walk<'b> {
    rules: Rules<'b>,
    path: Vec<Step<'b>>,
    found: Found,
}

#[derive(Clone, Copy)]
enum Step<'b> {
    Name(&'b str),
    Index(usize),
}

impl<'b> Walk<'b> {
    fn value(&mut self, shape: &Shape, value: &'b Value) {
        let fits = match (shape, value) {
            (_, Value::Null) | (Shape::Free, _) => true,
            (Shape::Word(words), value) => value.as_str().is_some_and(|word| words.contains(&word)),
            (Shape::Words(words), Value::Array(items)) => {
                items.iter().all(|item| item.as_str().is_some_and(|word| words.contains(&word)))
            }
            (Shape::Tier(usual), value) => value.as_str().is_some_and(|tier| match self.rules.tiers {
                Some(tiers) => tiers.iter().any(|known| known == tier),
                None => usual.contains(&tier),
            }),
            (Shape::Ttl, value) => {
                self.found.hour |= value == "1h";
                value == "5m" || value == "1h"
            }
            (Shape::Nothing | Shape::Words(_), _) => false,
            (Shape::Plains, Value::Array(items)) => {
                self.items(&Shape::Plain, items);
                true
            }
            (Shape::Labels, Value::Object(members)) => {
                self.each(members, |walk, _, member| walk.value(&Shape::Plain, member));
                true
            }
            (Shape::Object(listed), Value::Object(members)) => {
                self.members(listed, members);
                true
            }
            (Shape::List(item), Value::Array(items)) => {
                self.items(item, items);
                true
            }
            (Shape::Kinds(kinds), Value::Object(members)) => {
                self.kind(kinds, value, members);
                true
            }
            (_, value) => !(value.is_array() || value.is_object()),
        };
        if !fits {
            self.unmetered(None);
        }
    }

    fn items(&mut self, shape: &Shape, items: &'b [Value]) {
        for (index, item) in items.iter().enumerate() {
            self.path.push(Step::Index(index));
            self.value(shape, item);
            self.path.pop();
        }
    }

    fn each(&mut self, members: &'b Map<String, Value>, mut then: impl FnMut(&mut Self, &'b str, &'b Value)) {
        for (name, member) in members {
            self.path.push(Step::Name(name));
            then(self, name, member);
            self.path.pop();
        }
    }

    fn members(&mut self, listed: Listed, members: &'b Map<String, Value>) {
        self.each(members, |walk, name, member| match listed.iter().find(|(known, _)| *known == name) {
            Some((_, shape)) => walk.value(shape, member),
            None if walk.passes() => {}
            None => walk.unmetered(None),
        });
    }

    fn kind(&mut self, kinds: &Kinds, value: &'b Value, members: &'b Map<String, Value>) {
        let name = match &value["type"] {
            Value::String(name) => Some(name.as_str()),
            Value::Null => kinds.untyped,
            _ => None,
        };
        let kind = kinds.listed.iter().find(|(known, _)| Some(*known) == name);
        match kind {
            Some((_, kind)) => {
                if let Some(payload) = kind.payload {
                    self.payload(payload, value);
                }
                self.members(kind.members, members);
            }
            // What a server's own tools were asked and gave is no media.
            None if kinds.content && !name.is_some_and(|name| name.contains("tool")) => {
                let media = name.map_or("unknown", bare).to_owned();
                self.media(Media::Other(media));
            }
            None => self.unmetered(Some("type")),
        }
    }

    fn payload(&mut self, payload: Payload, part: &'b Value) {
        // What is left of each is `""` or `{}`.
        let mut empty = |value: &Value| {
            if value.is_string() || value.is_object() {
                self.found.payload_bytes += (value.to_string().len() as u64).saturating_sub(2);
            }
        };
        let media = match payload {
            Payload::ImageUrl => {
                empty(&part["image_url"]["url"]);
                Media::Image
            }
            Payload::Audio => {
                empty(object(&part["input_audio"]));
                Media::Audio
            }
            Payload::File => {
                empty(object(&part["file"]));
                Media::Document
            }
            Payload::Document if !matches!(part["source"]["type"].as_str(), Some("base64" | "url" | "file")) => return,
            Payload::Image | Payload::Document => {
                empty(&part["source"]["data"]);
                empty(&part["source"]["url"]);
                if matches!(payload, Payload::Image) { Media::Image } else { Media::Document }
            }
        };
        self.media(media);
    }

    fn media(&mut self, media: Media) {
        let pointer = self.pointer(None);
        self.found.media.push(MediaPart { media, pointer });
    }

    /// Whether the provider lets the member pass that the walk stands at.
    fn passes(&self) -> bool {
        let names = || self.path.iter().filter_map(|step| if let Step::Name(name) = step { Some(*name) } else { None });
        self.rules.passes.iter().any(|pass| pass.split('.').eq(names()))
    }

    /// Notes the value that the walk stands at, or a member of it.
    fn unmetered(&mut self, member: Option<&'b str>) {
        if self.found.unmetered.len() < MAX_TOLD {
            let pointer = self.pointer(member);
            self.found.unmetered.push(pointer);
        }
    }

    fn pointer(&self, member: Option<&'b str>) -> String {
        let steps = self.path.iter().copied().chain(member.map(Step::Name));
        steps.fold(String::new(), |pointer, step| match step {
            Step::Name(name) => join(&pointer, name.chars().take(MAX_NAME).collect::<String>()),
            Step::Index(index) => join(&pointer, index),
        })
    }
}

/// The value where it is an object, else nothing.
fn object(value: &Value) -> &Value {
    if value.is_object() { value } else { &Value::Null }
}

impl Media {
    pub fn name(&self) -> &str {
        match self {
            Self::Image => "image",
            Self::Document => "document",
            Self::Audio => "audio",
            Self::Other(name) => name,
        }
    }
}

/// What a part's type says of its media: `video` of `video_url` and `input_video`.
fn bare(kind: &str) -> &str {
    let kind = kind.strip_prefix("input_").unwrap_or(kind);
    let kind = kind.strip_suffix("_url").unwrap_or(kind);
    kind.char_indices().nth(MAX_NAME).map_or(kind, |(end, _)| &kind[..end])
}
