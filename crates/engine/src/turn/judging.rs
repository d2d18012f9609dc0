//! From a whole reply to what stands: gates in their order, and whether the model is asked again.
//!
//! Invariants: a change passes its gates in the protocol's order, and none behind the first that finds something; the
//! model is asked again only with findings that it can be told.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use holdpoint_gateway::wire;
use holdpoint_kind::protocol::{
    Cause, Content, Ending, EndsWith, Feedback, Finding, Key, MeantCall, Phase, Reading, Said, TurnStatus,
};

use super::{Awaits, Call, Effect, Turn};
use crate::attempt::{Attempted, Limits, Stop, Told, another, better};

/// A reply that was judged.
#[derive(Debug, Clone, Default)]
pub(super) struct Attempt {
    /// `None`: it said nothing usable.
    pub reply: Option<Content>,
    pub passed: usize,
    /// What the next one found.
    pub findings: Vec<Finding>,
    /// What the model wrote, or the change that it meant.
    pub what: String,
}

/// A change at a gate that the driver asks.
#[derive(Debug)]
pub(super) struct Judging {
    reply: Content,
    gate: usize,
}

impl Attempted for Attempt {
    fn stands(&self) -> bool {
        self.reply.is_some()
    }

    fn rank(&self) -> impl Ord {
        (self.passed, Reverse(self.findings.len()))
    }

    fn keys(&self) -> BTreeSet<Key> {
        self.findings.iter().map(|finding| finding.key.clone()).collect()
    }

    fn hash(&self) -> String {
        self.what.clone()
    }
}

impl Turn {
    /// The model is done with its answer.
    pub(super) fn finished(&mut self, calls: Vec<wire::Tool>) -> Vec<Effect> {
        let mut effects = self.rest_of_words();
        effects.extend(if calls.is_empty() || self.protocol.tools().is_empty() {
            self.replied()
        } else {
            self.called(calls)
        });
        effects
    }

    /// The model answered in words.
    fn replied(&mut self) -> Vec<Effect> {
        match self.request.read(self.words.text(), self.finish.as_deref()) {
            Reading::Said(reply) if self.continues() => self.told(reply),
            Reading::Said(reply) if reply.wire.is_some() => self.judge(reply, 0),
            // Words instead of another change: the change before them stands.
            Reading::Said(reply) => match self.best {
                Some(best) => self.stand(best),
                None => self.conclude(reply),
            },
            Reading::Calls(meant) => {
                let call = |MeantCall { name, arguments }: MeantCall| wire::Tool {
                    id: String::new(),
                    name: name.to_owned(),
                    arguments: arguments.to_string(),
                };
                self.called(meant.into_iter().map(call).collect())
            }
            Reading::Bad { outcome, code, findings, words } => {
                let what = self.words.text().to_owned();
                self.attempts.push(Attempt { findings, what, ..Attempt::default() });
                if let Some(effects) = self.again() {
                    return effects;
                }
                if let Some(best) = self.best {
                    return self.stand(best);
                }
                let ending = Ending { outcome, status: TurnStatus::Failed };
                self.end_empty(ending, code.as_deref(), &Cause::Unread, words)
            }
        }
    }

    /// Goes on with a reply of whose words those who read along hear before they are judged.
    fn told(&mut self, reply: Content) -> Vec<Effect> {
        let mut effects = self.say(&Said::Summary(&reply));
        effects.extend(if reply.wire.is_some() {
            let mut judging = self.say_phase(Phase::Judging);
            judging.extend(self.judge(reply, 0));
            judging
        } else {
            self.conclude(reply)
        });
        effects
    }

    /// Ends with a reply that nothing is wrong with.
    pub(super) fn conclude(&mut self, reply: Content) -> Vec<Effect> {
        let passed = self.protocol.gates().len();
        self.attempts.push(Attempt { reply: Some(reply), passed, ..Attempt::default() });
        self.stand(self.attempts.len() - 1)
    }

    /// Takes a change through the gates from the one at `from`.
    fn judge(&mut self, reply: Content, from: usize) -> Vec<Effect> {
        let wire = reply.wire.clone().unwrap_or_default();
        for (at, gate) in self.protocol.gates().iter().enumerate().skip(from) {
            match self.request.judge(*gate, &wire) {
                None => {
                    self.awaits = Awaits::Gate(Judging { reply, gate: at });
                    return vec![Effect::Gate { gate: *gate, wire }];
                }
                Some(findings) if findings.is_empty() => {}
                Some(findings) => return self.judged(reply, at, findings),
            }
        }
        self.conclude(reply)
    }

    /// The driver asked a gate.
    pub(super) fn gated(&mut self, findings: Vec<Finding>) -> Vec<Effect> {
        let Awaits::Gate(Judging { reply, gate }) = std::mem::replace(&mut self.awaits, Awaits::Words) else {
            return Vec::new();
        };
        if findings.is_empty() { self.judge(reply, gate + 1) } else { self.judged(reply, gate, findings) }
    }

    /// A gate found something: the model is asked again, or the best so far is shown with what is wrong with it.
    fn judged(&mut self, reply: Content, passed: usize, findings: Vec<Finding>) -> Vec<Effect> {
        let what = reply.wire.as_ref().map(ToString::to_string).unwrap_or_default();
        self.attempts.push(Attempt { reply: Some(reply), passed, findings, what });
        let index = self.attempts.len() - 1;
        if self.protocol.ends_with() == EndsWith::Best {
            self.best = better(&self.attempts, self.best, index);
            return self.again().unwrap_or_else(|| self.stand(self.best.unwrap_or(index)));
        }
        self.again().unwrap_or_else(|| {
            if passed == 0 {
                self.end_empty(self.protocol.ending(&Cause::Unread), None, &Cause::Unread, String::new())
            } else {
                self.stand(index)
            }
        })
    }

    /// Counts an end that a tool refused as an attempt; why no other is made, if none is.
    pub(super) fn end_refused(&mut self, findings: Vec<Finding>) -> Option<Cause<'static>> {
        let bounds = self.protocol.bounds();
        let what = self.attempts.len().to_string();
        let last = Attempt { findings, what, ..Attempt::default() };
        let limits = Limits { attempts: bounds.attempts, same: bounds.same };
        let next = another(&self.attempts, &last, self.attempts.len() as u32 + 1, limits);
        self.attempts.push(last);
        next.err().map(|stop| match stop {
            Stop::Attempts => Cause::Limit("repairs"),
            Stop::Stalled => Cause::Limit("same"),
        })
    }

    /// Asks the model again with what is wrong with its last reply; `None`: that makes no sense, or does not fit.
    fn again(&mut self) -> Option<Vec<Effect>> {
        let bounds = self.protocol.bounds();
        let (last, earlier) = self.attempts.split_last()?;
        let limits = Limits { attempts: bounds.attempts, same: bounds.same };
        let newest = self.protocol.ends_with() == EndsWith::Newest;
        if last.findings.is_empty() || self.calls >= bounds.calls && !newest {
            return None;
        }
        another(earlier, last, self.attempts.len() as u32, limits).ok()?;
        if self.calls >= bounds.calls {
            return Some(self.fail(&Cause::Limit("calls"), None));
        }
        let mut told = Told::default();
        for Finding { key: (code, path, place), told: row } in &last.findings {
            told.push(format!("{code} {path} {place}"), row.clone());
        }
        match self.request.feedback(&self.model, &self.history, &told.rows())? {
            Feedback::Anew(prompt) => self.call = Call::new(self.protocol, &self.model, &prompt),
            Feedback::Behind(words) => {
                wire::tools::say(&mut self.call.body, "assistant", self.words.text());
                wire::tools::say(&mut self.call.body, "user", &words);
            }
        }
        let mut effects = self.say_phase(Phase::Repair);
        effects.extend(self.ask());
        Some(effects)
    }
}
