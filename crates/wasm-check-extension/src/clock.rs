//! The page's clock.

/// Milliseconds since 1970, as the events of a run carry them.
pub fn now() -> u64 {
    // Dates are exact integers below 2^53.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let now = js_sys::Date::now() as u64;
    now
}

/// Milliseconds from now to a time, 0 when it is over; timers of a browser take at most 31 bits.
pub fn until(at: u64) -> u32 {
    u32::try_from(at.saturating_sub(now())).unwrap_or(u32::MAX).min(i32::MAX as u32)
}
