//! Which members of `sdk-v1.json` are built: the one list, so that the prompt can say it.
//!
//! Everything else throws `SDK_UNAVAILABLE`.

/// Members of `ctx` and `bim` that work, as dotted paths (`bim.query.byType`, `ctx.notify`).
pub const BUILT: &[&str] = &[];
