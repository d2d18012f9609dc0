//! What the engine asks its host: refuses to compile strings, remembers rejections that nobody handles, and looks at
//! the heap before large buffers.

use std::{cell::RefCell, rc::Rc};

use boa_engine::{
    Context, JsNativeError, JsObject, JsResult, JsString, JsValue,
    builtins::promise::{OperationType, Promise},
    context::HostHooks,
    job::JobCallback,
    object::builtins::JsFunction,
    realm::Realm,
};

use crate::host::Host;

/// The hooks of a realm.
#[derive(Debug, Default)]
pub(crate) struct Hooks {
    rejected: RefCell<Vec<JsObject<Promise>>>,
}

impl Hooks {
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

    /// What waits goes on as deep in commands as it was when it began to wait, whoever wakes it.
    fn make_job_callback(&self, callback: JsFunction, context: &mut Context) -> JobCallback {
        let depth = context.get_data::<Rc<Host>>().map_or(0, |host| host.depth.get());
        JobCallback::new(callback, depth as f64)
    }

    fn call_job_callback(
        &self,
        job: &JobCallback,
        this: &JsValue,
        args: &[JsValue],
        context: &mut Context,
    ) -> JsResult<JsValue> {
        let depth = job.host_defined().downcast_ref::<f64>().map_or(0, |depth| *depth as usize);
        let host = Host::of(context);
        let before = host.depth.replace(depth);
        let answer = job.callback().call(this, args, context);
        host.depth.set(before);
        answer
    }

    fn local_timezone_offset_seconds(&self, _: i64) -> i32 {
        0
    }

    fn max_buffer_size(&self, context: &mut Context) -> u64 {
        let host = Host::of(context);
        if host.room().is_ok() { host.heap.buffer_bytes() } else { 0 }
    }
}
