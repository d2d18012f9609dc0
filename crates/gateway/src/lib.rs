//! Metered model access: wire formats, streams, usage, prices, quotes, budgets (spec: gateway.md).
//!
//! Pure: no I/O, no clock, no randomness; time and random bytes come in as arguments. Money is whole micros, never a
//! float. Only this crate knows the providers' wire formats; it knows nothing of HTTP servers, SQL or the page.

pub mod body;
pub mod budget;
pub mod cipher;
pub mod codes;
pub mod config;
pub mod form;
pub mod in_flight;
pub mod indicator;
pub mod instant;
pub mod json;
pub mod jwt;
pub mod key;
pub mod limits;
pub mod mask;
pub mod metrics;
pub mod passage;
pub mod price;
pub mod profile;
pub mod quote;
pub mod recent;
pub mod redact;
pub mod refusal;
pub mod request;
pub mod route;
pub mod splice;
pub mod url_check;
pub mod usage;
pub mod verify;
pub mod webhook;
pub mod wire;

pub use limits::Limits;
pub use refusal::{Code, GatewayError};
pub use request::ModelCall;
pub use wire::{Protocol, sse};
