//! The constants of the gateway (spec: gateway.md §1), in one place.
//!
//! Invariant: a limit can be lowered by a variable of its name, never raised.

use crate::budget::{DAY_MS, Ms, RunBounds};
use crate::json::JsonBounds;

macro_rules! limits {
    ($($(#[$doc:meta])* $field:ident $name:literal = $value:expr;)*) => {
        /// Every limit with its value. Times are milliseconds.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Limits {
            $($(#[$doc])* pub $field: u64,)*
        }

        impl Default for Limits {
            fn default() -> Self {
                Self { $($field: $value,)* }
            }
        }

        impl Limits {
            /// The names of all limits, as the variables that lower them are called.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// Lowers the limit of that name; a larger value and an unknown name change nothing.
            pub fn lower(&mut self, name: &str, value: u64) {
                match name {
                    $($name => self.$field = self.$field.min(value),)*
                    _ => {}
                }
            }
        }
    };
}

limits! {
    /// Bytes of a request body.
    max_body_bytes "MAX_BODY_BYTES" = 8 << 20;
    /// Requests of one key that read what is stored, in flight in one isolate.
    max_reads_in_flight "MAX_READS_IN_FLIGHT" = 128;
    /// Requests of one key that send a body, check or change something, in flight in one isolate.
    max_writes_in_flight "MAX_WRITES_IN_FLIGHT" = 64;
    /// Requests of one key that wait for a model's first words, in flight in one isolate.
    max_calls_in_flight "MAX_CALLS_IN_FLIGHT" = 256;
    max_messages "MAX_MESSAGES" = 2_000;
    /// Content parts of all messages.
    max_parts "MAX_PARTS" = 5_000;
    max_tools "MAX_TOOLS" = 256;
    /// Nesting of a JSON body.
    max_json_depth "MAX_JSON_DEPTH" = 64;
    /// Values and member names of a JSON body. One takes up to some 290 bytes once it is built, whatever it took on the
    /// way; a request at every other limit of shape has about half as many.
    max_json_nodes "MAX_JSON_NODES" = 100_000;
    /// Characters of a model name.
    max_model_name "MAX_MODEL_NAME" = 128;
    /// Characters of a tag or template name.
    max_tag "MAX_TAG" = 64;
    /// Bytes of an answer that is not streamed.
    max_response_bytes "MAX_RESPONSE_BYTES" = 16 << 20;
    /// Bytes of one line and of one event's data.
    sse_event_bytes "SSE_EVENT_BYTES" = 4 << 20;
    /// Bytes that may wait for a client.
    stream_buffer_bytes "STREAM_BUFFER_BYTES" = 256 << 10;
    /// How long a client may take nothing while its buffer is full.
    client_stall_ms "CLIENT_STALL_MS" = 60_000;
    /// Within which a reset of the client must be noticed.
    gone_detect_ms "GONE_DETECT_MS" = 5_000;
    /// Relay objects of an account.
    relay_shards "RELAY_SHARDS" = 4;
    /// Output tokens when a request names no maximum.
    default_max_output "DEFAULT_MAX_OUTPUT" = 4_096;
    /// Bytes of a token when usage is estimated.
    estimate_bytes_per_token "ESTIMATE_BYTES_PER_TOKEN" = 3;
    /// Tokens that a protocol adds to any request.
    overhead_tokens "OVERHEAD_TOKENS" = 64;
    /// Tokens that the tools' schemas add.
    tools_overhead_tokens "TOOLS_OVERHEAD_TOKENS" = 1_024;
    /// Bytes of system and tools from which a translated request is marked for the provider's cache.
    auto_cache_bytes "AUTO_CACHE_BYTES" = 4_096;
    connect_ms "CONNECT_MS" = 10_000;
    /// Time to the first byte of a stream.
    first_byte_ms "FIRST_BYTE_MS" = 120_000;
    /// Time between two upstream reads.
    idle_ms "IDLE_MS" = 60_000;
    /// Time of a whole call.
    total_ms "TOTAL_MS" = 600_000;
    /// How long a stream without a client is read on.
    drain_max_ms "DRAIN_MAX_MS" = 120_000;
    hold_ttl_ms "HOLD_TTL_MS" = 900_000;
    /// How often an account with open holds asks their relays whether the calls still run.
    look_ms "LOOK_MS" = 20_000;
    progress_ms "PROGRESS_MS" = 5_000;
    /// Between two alarms of a relay that has no client.
    heartbeat_ms "HEARTBEAT_MS" = 20_000;
    /// Tries to deliver a settlement.
    settle_retries "SETTLE_RETRIES" = 8;
    /// Calls of one key within a second from which a relay asks for a slice of its budgets.
    slice_from_calls "SLICE_FROM_CALLS" = 8;
    /// Mean calls that a slice is enough for; 0: none is lent.
    slice_needs "SLICE_NEEDS" = 8;
    max_attempts "MAX_ATTEMPTS" = 3;
    /// Longest `Retry-After` that is waited for.
    retry_after_max_ms "RETRY_AFTER_MAX_MS" = 5_000;
    /// Runs of one key that are open at once.
    max_open_runs "MAX_OPEN_RUNS" = 16;
    /// Thousandths of a budget that all open runs together may hold, where several keys draw on it.
    run_share_permille "RUN_SHARE_PERMILLE" = 800;
    /// How long a run stays open without a call in flight.
    run_idle_ms "RUN_IDLE_MS" = 300_000;
    /// How long the row of a closed run is kept.
    run_keep_ms "RUN_KEEP_MS" = 86_400_000;
    /// Rows of runs, open and closed; beyond that the oldest closed ones go.
    max_run_rows "MAX_RUN_ROWS" = 10_000;
    /// Days for which ledger rows are kept.
    ledger_days "LEDGER_DAYS" = 400;
    max_keys "MAX_KEYS" = 1_000;
    max_budgets "MAX_BUDGETS" = 16;
}

impl Limits {
    /// The limits of an environment: every variable with a limit's name and a number lowers it.
    pub fn from_env(variable: impl Fn(&str) -> Option<String>) -> Self {
        let mut limits = Self::default();
        for name in Self::NAMES {
            if let Some(value) = variable(name).and_then(|text| text.trim().parse().ok()) {
                limits.lower(name, value);
            }
        }
        limits
    }

    /// How much JSON a body may be.
    pub fn json(&self) -> JsonBounds {
        JsonBounds { depth: self.max_json_depth as usize, nodes: self.max_json_nodes as usize }
    }

    /// How old a hold is when its relay is asked, as the ledger counts time.
    pub fn look(&self) -> Ms {
        self.look_ms as Ms
    }

    /// What open runs may hold.
    pub fn runs(&self) -> RunBounds {
        RunBounds {
            max_open: self.max_open_runs,
            share_permille: self.run_share_permille,
            idle_ms: self.run_idle_ms as Ms,
        }
    }

    /// How long a ledger keeps its rows, as it counts time.
    pub fn ledger(&self) -> Ms {
        self.ledger_days as Ms * DAY_MS
    }

    /// Life of a hold, as the ledger counts time.
    pub fn hold_ttl(&self) -> Ms {
        self.hold_ttl_ms as Ms
    }
}

/// How long to wait before something is said again that got no answer (`SETTLE_RETRIES`).
pub fn retry_after_ms(tries: u64) -> u64 {
    const FIRST_MS: u64 = 100;
    const MOST_MS: u64 = 10_000;
    FIRST_MS.saturating_mul(1 << tries.min(20)).min(MOST_MS)
}

#[cfg(test)]
mod tests {
    use super::Limits;

    /// Whoever starts the Worker reads off this list what to hand on.
    const VARIABLES: &str = include_str!("../../../worker/variables.txt");

    #[test]
    fn every_limit_is_a_variable_of_the_worker() {
        let missing: Vec<_> =
            Limits::NAMES.iter().filter(|name| VARIABLES.lines().all(|line| line != **name)).collect();
        assert!(missing.is_empty(), "worker/variables.txt lacks {missing:?}");
    }

    #[test]
    fn variables_lower_and_never_raise() {
        let variables = |name: &str| match name {
            "IDLE_MS" => Some("700".to_owned()),
            "MAX_TOOLS" => Some("99999".to_owned()),
            "TOTAL_MS" => Some("soon".to_owned()),
            _ => None,
        };
        let limits = Limits::from_env(variables);
        assert_eq!(limits, Limits { idle_ms: 700, ..Limits::default() });
    }
}
