//! How a model's window is shared between the context and the answer (spec: ai-sessions.md §7.3 "Budget").

use holdpoint_check::{ApiError, args, codes};
use serde::Deserialize;

codes! {
    INVALID_INPUT / TOO_FEW_TOKENS: Error, "Give a whole number of tokens, {least} or more." [least];
    INVALID_INPUT / OVER_WINDOW: Error,
        "Share the window: context and answer need more than its {window} tokens." [window];
}

/// Tokens of a model of which nothing is known.
const DEFAULT_WINDOW: u64 = 16_000;

/// What a host says of its budget.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct BudgetAsked {
    pub model_window: Option<u64>,
    pub context_token_budget: Option<u64>,
    pub reserve_for_response: Option<u64>,
}

/// Tokens of the context, and those that are kept for the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowShares {
    pub context: u64,
    pub reserve: u64,
}

impl WindowShares {
    /// The shares of a window. A context of a given size in no given window leaves nothing to share.
    pub fn of(asked: BudgetAsked) -> Result<Self, ApiError> {
        let members = [
            ("model_window", asked.model_window, 1),
            ("context_token_budget", asked.context_token_budget, 1),
            ("reserve_for_response", asked.reserve_for_response, 0),
        ];
        for (name, given, least) in members {
            if given.is_some_and(|given| given < least) {
                return Err(refused(&format!("/budget/{name}"), ApiError::of(&TOO_FEW_TOKENS, args! { least })));
            }
        }
        let window = asked.model_window.unwrap_or(DEFAULT_WINDOW);
        let over = || refused("/budget", ApiError::of(&OVER_WINDOW, args! { window }));
        let context = match (asked.context_token_budget, asked.reserve_for_response) {
            (Some(context), _) => context,
            (None, Some(reserve)) => window.checked_sub(reserve).ok_or_else(over)?,
            (None, None) => window / 10 * 7 + window % 10 * 7 / 10,
        };
        let shared = asked.model_window.is_some() || asked.context_token_budget.is_none();
        let left = if shared { window.checked_sub(context).ok_or_else(over)? } else { 0 };
        let reserve = asked.reserve_for_response.unwrap_or(left);
        if context == 0 || (shared && reserve > left) {
            return Err(over());
        }
        Ok(Self { context, reserve })
    }
}

fn refused(pointer: &str, error: ApiError) -> ApiError {
    error.with("pointer", pointer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_given_follows_from_the_rest() {
        let cases = [
            ((None, None, None), Ok((11_200, 4_800))),
            ((Some(8_001), None, None), Ok((5_600, 2_401))),
            ((Some(2), None, None), Ok((1, 1))),
            ((None, Some(500), None), Ok((500, 0))),
            ((None, Some(20_000), None), Ok((20_000, 0))),
            ((None, Some(500), Some(7)), Ok((500, 7))),
            ((None, None, Some(4_000)), Ok((12_000, 4_000))),
            ((Some(1_000), Some(900), None), Ok((900, 100))),
            ((Some(1_000), Some(1_000), None), Ok((1_000, 0))),
            ((Some(1_000), None, Some(0)), Ok((1_000, 0))),
            ((Some(1_000), Some(900), Some(100)), Ok((900, 100))),
            ((Some(1_000), Some(900), Some(50)), Ok((900, 50))),
            ((Some(1_000), Some(900), Some(101)), Err("/budget")),
            ((Some(1_000), Some(1_001), None), Err("/budget")),
            ((Some(1_000), None, Some(1_000)), Err("/budget")),
            ((Some(1_000), None, Some(1_001)), Err("/budget")),
            ((None, None, Some(16_000)), Err("/budget")),
            ((Some(1), None, None), Err("/budget")),
            ((Some(0), None, None), Err("/budget/model_window")),
            ((None, Some(0), None), Err("/budget/context_token_budget")),
            ((Some(u64::MAX), None, None), Ok((12_912_720_851_596_686_130, u64::MAX - 12_912_720_851_596_686_130))),
            ((Some(9), Some(u64::MAX), Some(u64::MAX)), Err("/budget")),
        ];
        for ((model_window, context_token_budget, reserve_for_response), want) in cases {
            let asked = BudgetAsked { model_window, context_token_budget, reserve_for_response };
            let have = WindowShares::of(asked).map(|budget| (budget.context, budget.reserve));
            let have = have.map_err(|error| error.details["pointer"].as_str().unwrap_or_default().to_owned());
            assert_eq!(have, want.map_err(str::to_owned), "{asked:?}");
        }
    }
}
