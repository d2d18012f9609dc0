//! Reading of a method's input (spec: facade.md "Shapes").

use holdpoint_check::ApiError;
use holdpoint_check::read::read;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads a method's input; a wrong shape is `INVALID_INPUT` with the pointer of the first wrong value, a missing
/// member with the pointer that it would have.
pub fn input<T: DeserializeOwned>(value: Value) -> Result<T, ApiError> {
    #[cfg(test)]
    crate::test::reads::<T>();
    Ok(read(value)?)
}
