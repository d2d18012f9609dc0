//! What an administrator who asked is told of a call beside its answer (spec: gateway.md §13 "Eval headers").
//!
//! Invariant: names and counts only, and nothing unless the order says that the call is measured.

use holdpoint_gateway::usage::Observer;
use worker::Headers;

use super::call::{Admitted, Ending};
use super::order::Measuring;
use crate::answer::EdgeError;

impl Admitted {
    /// What is known before the answer is there.
    pub(super) fn measures(&self) -> Vec<(&'static str, String)> {
        if self.order.measuring == Measuring::Off {
            return Vec::new();
        }
        let limits = &self.shared.settings.limits;
        let estimate = Observer::new().estimate(self.input_bytes, limits.estimate_bytes_per_token).usage.input;
        let mut measures = vec![
            ("holdpoint-eval-input-bytes", self.ask.facts.input_bytes.to_string()),
            ("holdpoint-eval-estimate", estimate.to_string()),
            ("holdpoint-eval-hold", self.held.tokens.to_string()),
        ];
        measures.extend(self.order.template.clone().map(|template| ("holdpoint-eval-template", template)));
        measures
    }

    /// The same of an answer that was read whole.
    pub(super) fn measure_end(&self, headers: &Headers, ending: &Ending) -> Result<(), EdgeError> {
        if self.order.measuring == Measuring::On {
            headers.set("holdpoint-eval-output-bytes", &ending.output_bytes.to_string())?;
            headers.set("holdpoint-eval-outcome", ending.outcome)?;
        }
        Ok(())
    }
}
