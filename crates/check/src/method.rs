//! A pure capability as a method: JSON in, JSON out (spec: facade.md).
//!
//! Owns how an input is read and how a method is described. What a method means stands where it is declared.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::ApiError;
use crate::read::read;

/// Input to output, or an error answer.
pub type Method = fn(Value) -> Result<Value, ApiError>;
/// Methods of one subject, by name.
pub type Group = &'static [(&'static str, Method)];

/// Reads a method's input; a wrong shape is `INVALID_INPUT` with the pointer of the first wrong value, a missing
/// member with the pointer that it would have.
pub fn input<T: DeserializeOwned>(value: Value) -> Result<T, ApiError> {
    #[cfg(feature = "schema")]
    reference::reads::<T>();
    Ok(read(value)?)
}

#[cfg(feature = "schema")]
pub mod reference;
