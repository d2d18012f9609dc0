//! What the engine asks its host: refuses to compile strings, remembers rejections that nobody handles, and looks at
//! the heap before large buffers and at each promise job.

use std::cell::{Cell, RefCell};

use boa_engine::{
    Context, JsNativeError, JsObject, JsResult, JsString, JsValue,
    builtins::promise::{OperationType, Promise},
    context::HostHooks,
    job::JobCallback,
    realm::Realm,
};

use crate::heap::Watch;

/// The hooks of a realm.
#[derive(Debug)]
pub(crate) struct Hooks {
    heap: Cell<Watch>,
    rejected: RefCell<Vec<JsObject<Promise>>>,
}

impl Hooks {
    /// Hooks that keep a call inside its heap.
    pub(crate) fn new(heap: Watch) -> Self {
        Self { heap: Cell::new(heap), rejected: RefCell::default() }
    }

    /// The next call has a heap of its own.
    pub(crate) fn watch(&self, heap: Watch) {
        self.heap.set(heap);
    }

    /// Rejected promises without a handler, oldest first. Forgets them.
    pub(crate) fn take_rejected(&self) -> Vec<JsObject<Promise>> {
        self.rejected.take()
    }
}

impl HostHooks for Hooks {
    fn ensure_can_compile_strings(
        &self,
        _: Realm,
        _: &[JsString],
        _: &JsString,
        _: bool,
        _: &mut Context,
    ) -> JsResult<()> {
        Err(JsNativeError::eval().with_message("text is never run as code here; write the function out").into())
    }

    fn promise_rejection_tracker(&self, promise: &JsObject<Promise>, operation: OperationType, _: &mut Context) {
        let mut rejected = self.rejected.borrow_mut();
        match operation {
            OperationType::Reject => rejected.push(promise.clone()),
            OperationType::Handle => rejected.retain(|other| !JsObject::equals(other, promise)),
        }
    }

    fn call_job_callback(
        &self,
        job: &JobCallback,
        this: &JsValue,
        args: &[JsValue],
        context: &mut Context,
    ) -> JsResult<JsValue> {
        self.heap.get().check();
        job.callback().call(this, args, context)
    }

    fn local_timezone_offset_seconds(&self, _: i64) -> i32 {
        0
    }

    fn max_buffer_size(&self, _: &mut Context) -> u64 {
        self.heap.get().check();
        self.heap.get().buffer_bytes()
    }
}
