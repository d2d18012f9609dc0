//! What a call spends, and the limits that it cannot catch (spec: ifc-sdk.md §6.2).
//!
//! Owns the count of fuel and the memory of a passed limit. The engine forgets an error here and there: behind an
//! `await`, in the executor of a promise, where the host reads a thrown value. This does not: once a limit is passed,
//! every further charge fails, no job begins, and whatever the call came to is that limit. Invariant: the same code
//! with the same model spends the same, on every machine.

use std::cell::Cell;

use boa_engine::{
    Context, JsError, JsResult, JsString, JsValue, NativeFunction, RuntimeLimitError, object::FunctionObjectBuilder,
    property::PropertyDescriptor,
};
use holdpoint_check::args;
use holdpoint_sdk::{
    codes::{CALL, CALLS, FUEL},
    run::Failure,
};

use crate::{
    budget::{Budget, MAX_CALL_DEPTH},
    failure,
    host::Host,
};

/// Units of an SDK call; each entity or row that it answers is one more.
pub(crate) const OF_CALL: u64 = 5;
/// Units of a promise job.
pub(crate) const OF_JOB: u64 = 50;

/// Items that a built-in looks at for one unit.
pub(crate) const ITEMS_OF_UNIT: u64 = 8;

/// A limit of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    Fuel,
    Memory,
    Stack,
}

impl Limit {
    /// The failure of a call that passed it.
    pub(crate) fn failure(self) -> Failure {
        match self {
            Self::Fuel => failure::of_code(&FUEL, args! {}),
            Self::Memory => failure::of_code(&CALL, args! {}),
            Self::Stack => failure::of_code(&CALLS, args! {}),
        }
    }
}

/// The exit status of a process that ran out of memory behind this limit, which its engine had forgotten.
#[cfg(not(target_arch = "wasm32"))]
impl Limit {
    const ALL: [Self; 3] = [Self::Memory, Self::Fuel, Self::Stack];

    fn exit_status(self) -> i32 {
        let place = Self::ALL.iter().position(|limit| *limit == self).unwrap_or_default();
        holdpoint_heap::EXIT_EXHAUSTED + place as i32
    }

    /// The limit behind which a process ended so.
    pub(crate) fn of_exit_status(status: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|limit| limit.exit_status() == status)
    }
}

thread_local! {
    /// The limit that the last call passed: what a broken engine leaves to be read.
    static LAST: Cell<Option<Limit>> = const { Cell::new(None) };
}

/// The limit that the last call on this thread passed.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn last_passed() -> Option<Limit> {
    LAST.get()
}

/// The code of the limit that the last call on this thread passed, for a host whose engine broke behind it.
pub fn passed() -> Option<&'static str> {
    LAST.get().map(|limit| match limit {
        Limit::Fuel => "FUEL",
        Limit::Memory => "MEMORY",
        Limit::Stack => "STACK",
    })
}

/// The meter of one call.
#[derive(Debug)]
pub(crate) struct Meter {
    fuel: u64,
    left: Cell<u64>,
    /// Items that were looked at and not yet paid for.
    looked: Cell<u64>,
    passed: Cell<Option<Limit>>,
}

impl Meter {
    pub(crate) fn new(budget: &Budget) -> Self {
        LAST.set(None);
        #[cfg(not(target_arch = "wasm32"))]
        holdpoint_heap::end_with(Limit::Memory.exit_status());
        Self { fuel: budget.fuel, left: Cell::new(budget.fuel), looked: Cell::new(0), passed: Cell::new(None) }
    }

    /// The call goes on after others ran.
    pub(crate) fn go_on(&self) {
        LAST.set(self.passed.get());
        #[cfg(not(target_arch = "wasm32"))]
        holdpoint_heap::end_with(self.passed.get().unwrap_or(Limit::Memory).exit_status());
    }

    pub(crate) fn spent(&self) -> u64 {
        self.fuel - self.left.get()
    }

    /// The first limit that was passed.
    pub(crate) fn passed(&self) -> Option<Limit> {
        self.passed.get()
    }

    /// Remembers a passed limit, if it is the first, and answers what nothing in the realm catches.
    pub(crate) fn pass(&self, limit: Limit) -> JsError {
        let first = self.passed.get().unwrap_or(limit);
        self.passed.set(Some(first));
        LAST.set(Some(first));
        #[cfg(not(target_arch = "wasm32"))]
        holdpoint_heap::end_with(first.exit_status());
        RuntimeLimitError::LoopIteration.into()
    }

    /// Spends for so many items that a built-in looks at.
    pub(crate) fn look(&self, items: u64) -> JsResult<()> {
        let looked = self.looked.get().saturating_add(items);
        self.looked.set(looked % ITEMS_OF_UNIT);
        self.spend(looked / ITEMS_OF_UNIT)
    }

    pub(crate) fn spend(&self, units: u64) -> JsResult<()> {
        if let Some(limit) = self.passed.get() {
            return Err(self.pass(limit));
        }
        let Some(left) = self.left.get().checked_sub(units) else {
            self.left.set(0);
            return Err(self.pass(Limit::Fuel));
        };
        self.left.set(left);
        Ok(())
    }
}

/// Makes the functions that the metering of a program calls.
pub(crate) fn install(prefix: &str, context: &mut Context) {
    let steps = NativeFunction::from_fn_ptr(|_, args, context| charge(args, &Host::of(context)));
    let enter = NativeFunction::from_fn_ptr(|_, args, context| {
        let host = Host::of(context);
        if context.stack_trace().nth(MAX_CALL_DEPTH).is_some() {
            return Err(host.meter.pass(Limit::Stack));
        }
        charge(args, &host)
    });
    for (name, function) in [("s", steps), ("e", enter)] {
        let function = FunctionObjectBuilder::new(context.realm(), function).build();
        let property =
            PropertyDescriptor::builder().value(function).writable(false).enumerable(false).configurable(false);
        context.global_object().insert_property(JsString::from(format!("{prefix}{name}")), property);
    }
}

fn charge(args: &[JsValue], host: &Host) -> JsResult<JsValue> {
    let steps = args.first().and_then(JsValue::as_i32).unwrap_or(1);
    host.meter.spend(u64::from(steps.unsigned_abs()))?;
    host.room()?;
    Ok(JsValue::undefined())
}
