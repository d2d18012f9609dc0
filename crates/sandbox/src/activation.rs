//! One activation of an installed extension: a realm that lives over several calls (spec: ifc-sdk.md §1, §6.1).
//!
//! Owns the realm between the first call and the end, and a call that waits for its host. Invariants: a realm in which
//! a limit was passed is thrown away at once, and with it everything that the extension kept; what a realm holds between
//! its calls, or while a call waits, counts as its heap; a call that never goes on leaves the models as they were.

use std::rc::Rc;

use boa_engine::gc::force_collect;
use holdpoint_sdk::run::{Failure, Outcome, Program, SandboxUsage};
use serde_json::Value;

use crate::{
    budget::Budget,
    call::{self, Opened, Progress, Stage},
    heap::{Heap, peak_above},
    host::Host,
    requests::{CallStep, NetworkReply, Waits},
    sandbox::Sandbox,
};

/// Failures after which a realm is not used again.
const FATAL: [&str; 4] = ["FUEL", "MEMORY", "STACK", "NEVER_SETTLED"];

/// A reply for an activation in which no call waits for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no call of this activation waits")]
pub struct NoCallWaitsError;

/// A realm over several calls; the first call opens it.
#[derive(Default)]
pub struct Activation {
    opened: Option<Opened>,
    /// Live bytes of the realm after its last call.
    own: usize,
    waiting: Option<Waiting>,
}

/// A call that waits: its host knows what it has done and spent.
struct Waiting {
    stage: Stage,
    host: Rc<Host>,
    /// It has changed a model, as [`Waits::alone`] tells.
    alone: bool,
    peak: u64,
}

impl Activation {
    /// One call on the models that are loaded now. All programs of an activation have the same modules. A call that
    /// still waits is cut off, and its realm with it.
    pub fn call(&mut self, sandbox: &Sandbox, program: &Program) -> CallStep {
        self.cut_off();
        self.measured(0, program, |heap| hosting(sandbox, program, heap, true), Opened::call)
    }

    /// Goes on with the call that waits. Its fuel, memory and effects are those of the whole call. The replies are the
    /// caller's: what the realm makes of them counts as its own.
    pub fn resume(&mut self, replies: &[NetworkReply]) -> Result<CallStep, NoCallWaitsError> {
        let Waiting { stage, host, alone, peak } = self.waiting.take().ok_or(NoCallWaitsError)?;
        let program = host.program.clone();
        let again = |heap: &Heap| {
            host.heap.go_on(heap);
            host.meter.go_on();
            if !alone {
                host.working.begin();
            }
            host
        };
        Ok(self.measured(peak, &program, again, |opened, host| opened.resume(stage, replies, host)))
    }

    /// The end: `deactivate`, where the program names a module, then what `ctx.onDispose` was given, last first. Nobody
    /// sends requests any more.
    pub fn end(mut self, sandbox: &Sandbox, program: &Program) -> Outcome {
        self.cut_off();
        let work = |opened: &mut Opened, host: &Rc<Host>| {
            let answer = if program.entry.module.is_empty() { Ok(Value::Null) } else { opened.run(host) };
            if answer.as_ref().is_err_and(|failure| FATAL.contains(&failure.code.as_str())) {
                return answer.map(Progress::Ended);
            }
            opened.dispose(host).and(answer.map(Progress::Ended))
        };
        match self.measured(0, program, |heap| hosting(sandbox, program, heap, false), work) {
            CallStep::Ended(outcome) => *outcome,
            CallStep::Waits(_) => Outcome::default(),
        }
    }

    /// Throws a call away that waits: what it changed is taken back, and its realm is not used again.
    fn cut_off(&mut self) {
        if let Some(Waiting { host, alone, .. }) = self.waiting.take() {
            if alone {
                host.working.end(false);
            }
            (self.opened, self.own) = (None, 0);
        }
    }

    /// One step of a call whose earlier ones had this peak.
    fn measured(
        &mut self,
        earlier: u64,
        program: &Program,
        host: impl FnOnce(&Heap) -> Rc<Host>,
        work: impl FnOnce(&mut Opened, &Rc<Host>) -> Result<Progress, Failure>,
    ) -> CallStep {
        let base = holdpoint_heap::live().saturating_sub(self.own);
        let heap = Heap::above(base, Budget::of(program.profile));
        let host = host(&heap);
        let opened = match self.opened.take() {
            Some(opened) => Ok(opened),
            None => Opened::new(program),
        };
        let result = opened.and_then(|opened| work(self.opened.insert(opened), &host));
        let peak = || peak_above(base).max(earlier);
        let made = match result {
            Ok(Progress::Waits(stage)) => {
                let alone = host.working.pause();
                let waits = Waits { requests: host.requests.hand_out(&host), alone };
                self.waiting = Some(Waiting { stage, host: host.clone(), alone, peak: peak() });
                CallStep::Waits(waits)
            }
            Ok(Progress::Ended(value)) => CallStep::Ended(Box::new(call::outcome(Ok(value), &host))),
            Err(failure) => CallStep::Ended(Box::new(call::outcome(Err(failure), &host))),
        };
        let fuel = host.meter.spent();
        drop((host, heap));
        // What is answered is the caller's: a copy is weighed, so that it does not count as the realm's.
        let before = holdpoint_heap::live();
        let mut step = made.clone();
        let answered = holdpoint_heap::live().saturating_sub(before);
        drop(made);
        let mut lost = false;
        if let CallStep::Ended(outcome) = &mut step {
            outcome.usage = SandboxUsage { fuel, peak_bytes: peak() };
            lost = outcome.failure.as_ref().is_some_and(|failure| FATAL.contains(&failure.code.as_str()));
        }
        force_collect();
        self.own = holdpoint_heap::live().saturating_sub(answered).saturating_sub(base);
        if lost {
            *self = Self::default();
        }
        step
    }
}

impl Drop for Activation {
    fn drop(&mut self) {
        self.cut_off();
    }
}

/// The host of a call whose changes stay.
fn hosting(sandbox: &Sandbox, program: &Program, heap: &Heap, sends: bool) -> Rc<Host> {
    let host = sandbox.host(program, heap);
    host.keeps.set(true);
    host.sends.set(sends);
    host
}
