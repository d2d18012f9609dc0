//! One activation of an installed extension: a realm that lives over several calls (spec: ifc-sdk.md §1, §6.1).
//!
//! Owns the realm between the first call and the end. Invariants: a realm in which a limit was passed is thrown away at
//! once, and with it everything that the extension kept; what a realm holds between its calls counts as its heap.

use std::rc::Rc;

use boa_engine::gc::force_collect;
use holdpoint_sdk::run::{Failure, Outcome, Program, SandboxUsage};
use serde_json::Value;

use crate::{
    budget::Budget,
    call::{self, Opened},
    heap::{Heap, peak_above},
    host::Host,
    sandbox::Sandbox,
};

/// Failures after which a realm is not used again.
const FATAL: [&str; 4] = ["FUEL", "MEMORY", "STACK", "NEVER_SETTLED"];

/// A realm over several calls; the first call opens it.
#[derive(Default)]
pub struct Activation {
    opened: Option<Opened>,
    /// Live bytes of the realm after its last call.
    own: usize,
}

impl Activation {
    /// One call on the models that are loaded now. All programs of an activation have the same modules.
    pub fn call(&mut self, sandbox: &Sandbox, program: &Program) -> Outcome {
        let outcome = self.measured(sandbox, program, Opened::call);
        if FATAL.iter().any(|code| failed_with(&outcome, code)) {
            *self = Self::default();
        }
        outcome
    }

    /// The end: `deactivate`, where the program names a module, then what `ctx.onDispose` was given, last first.
    pub fn end(mut self, sandbox: &Sandbox, program: &Program) -> Outcome {
        self.measured(sandbox, program, |opened, host| {
            let answer = if program.entry.module.is_empty() { Ok(Value::Null) } else { opened.call(host) };
            if answer.as_ref().is_err_and(|failure| FATAL.contains(&failure.code.as_str())) {
                return answer;
            }
            opened.dispose(host).and(answer)
        })
    }

    fn measured(
        &mut self,
        sandbox: &Sandbox,
        program: &Program,
        work: impl FnOnce(&mut Opened, &Rc<Host>) -> Result<Value, Failure>,
    ) -> Outcome {
        let base = holdpoint_heap::live().saturating_sub(self.own);
        let heap = Heap::above(base, Budget::of(program.profile));
        let host = sandbox.host(program, &heap);
        host.keeps.set(true);
        let opened = match self.opened.take() {
            Some(opened) => Ok(opened),
            None => Opened::new(program),
        };
        let result = opened.and_then(|opened| work(self.opened.insert(opened), &host));
        let made = call::outcome(result, &host);
        let fuel = host.meter.spent();
        drop((host, heap));
        // What is answered is the caller's: a copy is weighed, so that it does not count as the realm's.
        let before = holdpoint_heap::live();
        let mut outcome = made.clone();
        let answered = holdpoint_heap::live().saturating_sub(before);
        drop(made);
        outcome.usage = SandboxUsage { fuel, peak_bytes: peak_above(base) };
        force_collect();
        self.own = holdpoint_heap::live().saturating_sub(answered).saturating_sub(base);
        outcome
    }
}

fn failed_with(outcome: &Outcome, code: &str) -> bool {
    outcome.failure.as_ref().is_some_and(|failure| failure.code == code)
}
