//! A request on its way to its handler: its path is known, its sender, and as much of its body as may be read.

use holdpoint_check::args;
use holdpoint_check::route::{Places, Route};
use holdpoint_gateway::Protocol;
use holdpoint_gateway::json::JsonBounds;
use holdpoint_store::codes::BETWEEN;
use serde_json::Value;
use worker::{Request, Url};

use crate::account::{Caller, Slice};
use crate::answer::EdgeError;
use crate::body;

pub struct RouteRequest {
    pub(super) request: Request,
    pub(super) route: &'static Route,
    pub(super) places: Places,
    pub(super) id: String,
    pub(super) protocol: Protocol,
    pub(super) caller: Option<Caller>,
    /// What pages call whoever asks.
    pub(super) principal: Option<String>,
    /// Its bytes; `None` where nothing is read.
    pub(super) body: Result<Option<Vec<u8>>, EdgeError>,
    pub(super) bounds: JsonBounds,
}

impl RouteRequest {
    /// The row that it matched.
    pub fn route(&self) -> &'static Route {
        self.route
    }

    /// The request, without its body.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// What names it in its answers: a correlation id, or the id of a model's call.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whose shapes its answers have, where it is for a model.
    pub fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// What stood in a place of its path.
    pub fn place(&self, name: &str) -> String {
        self.places.get(name).to_owned()
    }

    /// Who asks, as far as the Worker can say. A moment ago the account said yes.
    pub fn caller(&self) -> Result<Caller, EdgeError> {
        self.caller.clone().ok_or_else(|| EdgeError::internal("a route without a scope asks for its caller"))
    }

    /// What pages call whoever asks; empty where nobody is asked for.
    pub fn principal_name(&self) -> &str {
        self.principal.as_deref().unwrap_or_default()
    }

    /// A text at the top of its body, before anything is said of the body.
    pub fn member(&self, name: &str) -> Option<String> {
        let bytes = self.body.as_ref().ok()?.as_ref()?;
        holdpoint_gateway::json::top_text(bytes, name).filter(|text| !text.is_empty())
    }

    /// The object in its body, or what is wrong with it; null where none is read. The body is read once.
    pub fn json(&mut self) -> Result<Value, EdgeError> {
        self.take()?.map_or(Ok(Value::Null), |bytes| body::parsed(bytes, self.bounds))
    }

    /// The bytes of its body, or what is wrong with them.
    pub fn bytes(&mut self) -> Result<Vec<u8>, EdgeError> {
        self.take().map(Option::unwrap_or_default)
    }

    pub(super) fn take(&mut self) -> Result<Option<Vec<u8>>, EdgeError> {
        std::mem::replace(&mut self.body, Ok(None))
    }

    /// A member of its query.
    pub fn query(&self, name: &str) -> Result<Option<String>, EdgeError> {
        Ok(query(&self.request.url()?, name))
    }

    /// `cursor` and `limit` of a list (spec: authoring.md §9.1, gateway.md §13).
    pub fn slice(&self) -> Result<Slice, EdgeError> {
        const MOST: u32 = 500;
        self.slice_of(MOST)
    }

    /// The same, of at most so many items.
    pub fn slice_of(&self, most: u32) -> Result<Slice, EdgeError> {
        const DEFAULT: u32 = 50;
        self.slice_by(DEFAULT, most)
    }

    /// The same, with this many where none are asked for.
    pub fn slice_by(&self, default: u32, most: u32) -> Result<Slice, EdgeError> {
        let limit = match self.query("limit")? {
            None => default,
            Some(text) => match text.parse::<u32>() {
                Ok(limit) if (1..=most).contains(&limit) => limit,
                _ => return Err(EdgeError::invalid("/limit", &BETWEEN, args! { least: 1, most })),
            },
        };
        Ok(Slice { cursor: self.query("cursor")?, limit })
    }
}

pub(super) fn query(url: &Url, name: &str) -> Option<String> {
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}
