//! The facade with a sandbox: `bundle.test` becomes one function, as DESIGN §2 says of native programs.

use holdpoint_facade::Shell;
use holdpoint_sandbox::child::Runner;
use serde_json::Value;

use crate::exit::CommandError;

static SHELL: Shell = holdpoint_facade::native_shell!(holdpoint_kinds);
/// The method that needs a sandbox.
const TEST: &str = "bundle.test";

/// Answers methods; keeps the sandbox process between tests.
pub struct Facade {
    runner: Runner,
}

impl Facade {
    pub fn new() -> Result<Self, CommandError> {
        Ok(Self { runner: Runner::new()? })
    }

    /// Every method in the order of the reference.
    pub fn methods() -> impl Iterator<Item = &'static str> {
        SHELL.names().into_iter().chain([TEST])
    }

    pub fn call(&mut self, method: &str, input: Value) -> Value {
        if method == TEST { crate::test::answer(&mut self.runner, input) } else { SHELL.call(method, input) }
    }
}
