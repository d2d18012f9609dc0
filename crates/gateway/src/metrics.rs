//! What is counted of an account's calls, and of what its projects tell, in the text format of Prometheus (spec: gateway.md
//! §13 "Metrics", app-builder.md §13).
//!
//! Counts live as long as their holder; whoever reads them takes a fall for a new beginning. Invariant: a label's value
//! is a word of ours or an id of the configuration, so that no request makes a series.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

/// Upper ends of the buckets of a time, in milliseconds.
const BUCKETS_MS: [u64; 12] = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000, 60_000, 300_000];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Counter,
    Gauge,
    Histogram,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}

macro_rules! families {
    ($($id:ident $kind:ident $name:literal $help:literal;)+) => {
        /// A family of series, as Prometheus names it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Family {
            $($id),+
        }

        impl Family {
            const ALL: &'static [Self] = &[$(Self::$id),+];

            fn told(self) -> (Kind, &'static str, &'static str) {
                match self {
                    $(Self::$id => (Kind::$kind, $name, $help)),+
                }
            }
        }
    };
}

families! {
    Requests Counter "hp_requests_total" "Tries of calls that ended.";
    Refused Counter "hp_refused_total" "Calls that the account refused.";
    Tokens Counter "hp_tokens_total" "Tokens by class; cached, written and reasoning ones apart.";
    Cost Counter "hp_cost_micros_total" "Millionths of the currency that were charged.";
    Overrun Counter "hp_overrun_micros_total" "Millionths that were charged above what was held.";
    Admit Histogram "hp_admit_seconds" "From a call's arrival to its admission.";
    FirstByte Histogram "hp_first_byte_seconds" "From admission to the first byte of an answer.";
    Total Histogram "hp_total_seconds" "From admission to the end.";
    InFlight Gauge "hp_in_flight" "Calls that are open.";
    Held Gauge "hp_held_micros" "Millionths that open calls hold.";
    Expired Counter "hp_expired_total" "Holds and runs that ended without a word: by their time, or with a relay that is gone.";
    Orphans Counter "hp_orphans_total" "Holds that no relay knew any more.";
    ClientGone Counter "hp_client_gone_total" "Calls whose client left, by what was done with their upstream.";
    Estimated Counter "hp_estimated_total" "Tries that were charged as an estimate.";
    CacheRead Counter "hp_cache_read_tokens_total" "Input tokens that a provider read from its cache.";
    BreakerOpen Gauge "hp_breaker_open" "1 where a provider is left alone.";
    SettleRetry Counter "hp_settle_retry_total" "Settlements that had to be sent again.";
    Turns Counter "hp_turns_total" "Turns of models that ended, by outcome, code, model and template.";
    TurnsRepaired Counter "hp_turns_repaired_total" "Turns in which a gate said no, by outcome.";
    TurnsResumed Counter "hp_turns_resumed_total" "Times that somebody read on in the events of a turn.";
    TurnTokens Counter "hp_turn_tokens_total" "Tokens of turns by class, model and template.";
    TurnCost Counter "hp_turn_cost_micros_total" "Millionths that the calls of turns were charged.";
    TurnFirst Histogram "hp_turn_first_seconds" "From a request to the first word or tool of its turn.";
    TurnProposal Histogram "hp_turn_proposal_seconds" "From a request to what its turn proposes.";
    TurnTotal Histogram "hp_turn_seconds" "From a request to the end of its turn.";
    Builds Counter "hp_builds_total" "Attempts of builds, by kind, result and code.";
    BuildWait Histogram "hp_build_wait_seconds" "From when a build may start to its start.";
    BuildTime Histogram "hp_build_seconds" "From the start of a build to its end.";
    Applied Counter "hp_applied_total" "Proposals of turns that were applied.";
    TakenBack Counter "hp_taken_back_total" "Applied proposals that were taken back within a day.";
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Histogram {
    buckets: [u64; BUCKETS_MS.len()],
    count: u64,
    sum_ms: u64,
}

/// How a try of a call ended, beside what the ledger keeps.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ClosedTry {
    pub protocol: String,
    /// An id of the configuration.
    pub provider: String,
    pub payer: String,
    pub admit_ms: u64,
    pub total_ms: u64,
    /// Times that this was said before without an answer.
    pub repeated: u64,
}

/// What a project tells of itself, to be counted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct News {
    counts: Vec<(Family, String, u64)>,
    times: Vec<(Family, u64)>,
}

impl News {
    /// With `more` of a series.
    #[must_use]
    pub fn count(mut self, family: Family, pairs: &[(&str, &str)], more: u64) -> Self {
        self.counts.push((family, labels(pairs), more));
        self
    }

    /// With how long something took.
    #[must_use]
    pub fn took(mut self, family: Family, ms: u64) -> Self {
        self.times.push((family, ms));
        self
    }
}

/// Counts, by family and labels.
#[derive(Debug, Clone, Default)]
pub struct CallMetrics {
    counts: BTreeMap<(Family, String), u64>,
    times: BTreeMap<Family, Histogram>,
}

/// Labels as they are written; their values are plain words.
fn labels(pairs: &[(&str, &str)]) -> String {
    let plain = |c: &char| c.is_ascii_alphanumeric() || "_.:-".contains(*c);
    pairs
        .iter()
        .map(|(name, value)| format!("{name}=\"{}\"", value.chars().filter(plain).collect::<String>()))
        .collect::<Vec<_>>()
        .join(",")
}

impl CallMetrics {
    /// Counts `more` of a series.
    pub fn count(&mut self, family: Family, pairs: &[(&str, &str)], more: u64) {
        self.add(family, labels(pairs), more);
    }

    fn add(&mut self, family: Family, labels: String, more: u64) {
        let count = self.counts.entry((family, labels)).or_default();
        *count = count.saturating_add(more);
    }

    /// Counts what a project told.
    pub fn hear(&mut self, news: News) {
        for (family, labels, more) in news.counts {
            self.add(family, labels, more);
        }
        for (family, ms) in news.times {
            self.took(family, ms);
        }
    }

    /// Says how much there is now.
    pub fn set(&mut self, family: Family, pairs: &[(&str, &str)], now: u64) {
        self.counts.insert((family, labels(pairs)), now);
    }

    /// Notes how long something took.
    pub fn took(&mut self, family: Family, ms: u64) {
        let times = self.times.entry(family).or_default();
        times.count += 1;
        times.sum_ms = times.sum_ms.saturating_add(ms);
        for (bucket, _) in times.buckets.iter_mut().zip(BUCKETS_MS).filter(|(_, end)| ms <= *end) {
            *bucket += 1;
        }
    }

    /// All families as Prometheus reads them.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for family in Family::ALL {
            let (kind, name, help) = family.told();
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {}", kind.name());
            if kind == Kind::Histogram {
                self.times.get(family).cloned().unwrap_or_default().write(name, &mut text);
            }
            for ((_, labels), count) in
                self.counts.range((*family, String::new())..).take_while(|(at, _)| at.0 == *family)
            {
                let labels = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
                let _ = writeln!(text, "{name}{labels} {count}");
            }
        }
        text
    }
}

impl Histogram {
    fn write(&self, name: &str, text: &mut String) {
        for (bucket, end) in self.buckets.iter().zip(BUCKETS_MS) {
            let _ = writeln!(text, "{name}_bucket{{le=\"{}\"}} {bucket}", seconds(end));
        }
        let Self { count, sum_ms, .. } = self;
        let _ = writeln!(
            text,
            "{name}_bucket{{le=\"+Inf\"}} {count}\n{name}_sum {}\n{name}_count {count}",
            seconds(*sum_ms)
        );
    }
}

/// Milliseconds as seconds, without rounding.
fn seconds(ms: u64) -> String {
    format!("{}.{:03}", ms / 1_000, ms % 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_is_told() {
        let text = CallMetrics::default().text();
        for family in Family::ALL {
            let (kind, name, _) = family.told();
            assert!(text.contains(&format!("# TYPE {name} {}\n", kind.name())), "{name}");
        }
        assert_eq!(text.matches("# HELP").count(), 30);
    }

    #[test]
    fn counts_add_up_and_labels_are_plain() {
        let mut metrics = CallMetrics::default();
        metrics.count(Family::Requests, &[("protocol", "openai"), ("provider", "a\"b\n{}")], 1);
        metrics.count(Family::Requests, &[("protocol", "openai"), ("provider", "ab")], 2);
        metrics.set(Family::InFlight, &[], 7);
        let text = metrics.text();
        assert!(text.contains("\nhp_requests_total{protocol=\"openai\",provider=\"ab\"} 3\n"), "{text}");
        assert!(text.contains("\nhp_in_flight 7\n"));
    }

    #[test]
    fn news_of_a_project_count_as_if_they_were_counted_here() {
        let told = News::default().count(Family::Builds, &[("result", "b\"uilt")], 2).took(Family::BuildTime, 40);
        let mut metrics = CallMetrics::default();
        for _ in 0..2 {
            let sent = serde_json::to_string(&told).unwrap();
            metrics.hear(serde_json::from_str(&sent).unwrap());
        }
        let text = metrics.text();
        assert!(text.contains("\nhp_builds_total{result=\"built\"} 4\n"), "{text}");
        assert!(text.contains("\nhp_build_seconds_count 2\n"));
    }

    #[test]
    fn buckets_hold_those_below_them() {
        let mut metrics = CallMetrics::default();
        for ms in [3, 5, 6, 900_000] {
            metrics.took(Family::Admit, ms);
        }
        let text = metrics.text();
        for line in
            ["_bucket{le=\"0.005\"} 2", "_bucket{le=\"0.010\"} 3", "_bucket{le=\"+Inf\"} 4", "_sum 900.014", "_count 4"]
        {
            assert!(text.contains(&format!("\nhp_admit_seconds{line}\n")), "{line} in {text}");
        }
    }
}
