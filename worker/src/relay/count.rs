//! What a message would take as input, where its provider counts nothing (spec: gateway.md §2).

use holdpoint_gateway::{Code, GatewayError};
use serde_json::json;
use worker::ResponseBuilder;

use super::call::{Admitted, Ending};
use super::give::Give;
use super::ledger::CloseOrder;
use crate::answer::EdgeError;

/// Marks a count that is an estimate.
const ESTIMATED_HEADER: &str = "holdpoint-estimated";

/// Answers an estimate by the bytes of the compact body; nothing is charged.
pub(super) async fn estimate(call: &Admitted, give: Give) {
    let ending = Ending { outcome: "released", status: 200, disconnect: None, ttfb_ms: None, output_bytes: 0 };
    call.ledger.close(&CloseOrder::Release, &call.report(&ending, None)).await;
    let tokens = call.input_bytes.div_ceil(call.shared.settings.limits.estimate_bytes_per_token.max(1));
    let body = json!({ "input_tokens": tokens }).to_string();
    let headers = call.headers_of(None, 0).and_then(|headers| {
        headers.set(ESTIMATED_HEADER, "1")?;
        Ok(headers)
    });
    match (headers, give) {
        (Ok(headers), Give::Later(later)) => {
            let _ =
                later.give.send(ResponseBuilder::new().with_status(200).with_headers(headers).fixed(body.into_bytes()));
        }
        (_, give) => {
            give.refuse(&EdgeError::from(GatewayError::new(Code::LedgerUnavailable)), &call.order.request_id).await;
        }
    }
}
