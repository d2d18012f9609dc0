//! A route of the edge as data: what the router, the logs, the OpenAPI document and the reference are made of (ENGINE §8).
//!
//! Owns how a path is matched. Knows no handler and no HTTP library: a table gives each row an id of its own, and
//! whoever answers matches the ids exhaustively. Invariants: a fixed word goes before a place; a path with an empty
//! segment is no path; what is gone answers so to every method.
//!
//! ```
//! use holdpoint_check::route::{Errors, Found, Method, PLAIN, Route, Table};
//!
//! holdpoint_check::routes! {
//!     Notes => Route { path: "/notes", ..PLAIN },
//!     Note => Route { path: "/notes/{id}", ..PLAIN },
//!     Newest => Route { path: "/notes/newest", ..PLAIN },
//! }
//! const TABLE: Table<Id> = Table::new("/v1", Errors::House, ROUTES);
//!
//! let Found::Row(id, route, places) = TABLE.find("GET", "/v1/notes/a%20b") else { panic!() };
//! assert_eq!((id, route.name().as_str(), places.get("id")), (Id::Note, "GET /notes/{id}", "a b"));
//! assert!(matches!(TABLE.find("GET", "/v1/notes/newest"), Found::Row(Id::Newest, ..)));
//! assert!(matches!(TABLE.find("PUT", "/v1/notes"), Found::NotAllowed));
//! assert!(matches!(TABLE.find("GET", "/v1/notes/"), Found::Nowhere));
//! ```

mod find;
mod shape;

pub use find::{Found, Places, Table};
pub use shape::{Described, Page, Shape, WithFiles};

/// The methods that routes have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

impl Method {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// What is read behind the head of a request, once its sender is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    None,
    /// A JSON object of at most so many bytes.
    Json(u64),
    /// The same, unless the query has this member: then nothing.
    Unless(&'static str, u64),
    /// The same, or nothing at all.
    Maybe(u64),
    /// A form with a file, of at most so many bytes (`multipart/form-data`).
    Form(u64),
    /// The bytes of a model's call: at most what the deployment takes, and passed on as they are.
    Call,
}

/// Whose object answers a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// The account's: the Worker asks it and answers.
    Account,
    /// A relay, which makes the call of a model.
    Relay,
    /// The project of whoever asks.
    User,
    /// The project that a place of the path names.
    Path(&'static str),
    /// The same of one that its account may list no more: the project itself says whose it is.
    Unlisted(&'static str),
    /// The project that a top-level member of the body names.
    Body(&'static str),
    /// A project that is about to be made.
    New,
    /// That of an address, which a place of the path names: the Worker asks it and answers.
    Slug(&'static str),
}

/// What a request costs those who wait beside it: its class is counted apart from the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rate {
    Reads,
    /// Sends a body, checks or changes something.
    Writes,
    Calls,
}

#[derive(Debug, Clone, Copy)]
pub enum Returns {
    Nothing,
    Json(Shape),
    /// An event stream, in words.
    Events(&'static str),
    /// What a provider answered, in words: JSON, or its event stream.
    Passed(&'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errors {
    /// `{"error": {code, message, details?}}` (spec: facade.md "Shapes").
    House,
    /// That of the model protocol.
    Protocol,
    /// `{"error": …, "correlation_id"}`: every answer names its request, in a header too.
    Correlated,
    /// `{"data", "error"}` of every answer, in the language of its reader; a header names the request
    /// (spec: ai-sessions.md §1).
    Envelope,
}

/// A route that was: its code and what to do instead. It answers 410 before anybody is asked who they are.
pub type Gone = (&'static str, &'static str);

/// One method of one path.
#[derive(Debug, Clone, Copy)]
pub struct Route {
    pub method: Method,
    /// Below the root of its table; `{name}` stands for one segment, `{name*}` at the end for all that are left.
    pub path: &'static str,
    /// Set where it answers no more.
    pub gone: Option<Gone>,
    /// What the key must be allowed to do; `None`: no key is sent.
    pub scope: Option<&'static str>,
    /// Whether pages of every origin may ask: nothing of its answers depends on who they are.
    pub open: bool,
    pub home: Home,
    pub body: Body,
    /// What it is counted with.
    pub rate: Rate,
    pub does: &'static str,
    /// File and heading of the specification.
    pub spec: &'static str,
    /// Members of the query, and what they mean.
    pub query: &'static [(&'static str, &'static str)],
    /// The shape of the body.
    pub asks: Option<Shape>,
    pub status: u16,
    pub answer: Returns,
    /// Codes of refusals, beside those that every route with a key, a body or a list answers.
    pub codes: &'static [&'static str],
}

impl Route {
    pub fn name(&self) -> String {
        format!("{} {}", self.method.name(), self.path)
    }
}

/// What most rows leave out.
pub const PLAIN: Route = Route {
    method: Method::Get,
    path: "",
    gone: None,
    scope: None,
    open: false,
    home: Home::Account,
    body: Body::None,
    rate: Rate::Reads,
    does: "",
    spec: "",
    query: &[],
    asks: None,
    status: 200,
    answer: Returns::Nothing,
    codes: &[],
};

/// The query of every list.
pub const CURSOR: &[(&str, &str)] = &[("cursor", "`next_cursor` of the page before."), ("limit", "1 to 500; 50.")];

/// Declares the rows of a table and their ids: `Id` with one variant a row, and `ROUTES`, in the order of the document.
#[macro_export]
macro_rules! routes {
    ($($id:ident => $route:expr),+ $(,)?) => {
        /// What the rows of this table are matched by.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Id {
            $($id),+
        }

        pub const ROUTES: &[(Id, $crate::route::Route)] = &[$((Id::$id, $route)),+];
    };
}
