//! The jobs of a call, in the order in which they came, each charged, none behind a passed limit.

use std::{
    cell::RefCell,
    collections::VecDeque,
    pin::pin,
    rc::Rc,
    task::{Poll, Waker},
};

use boa_engine::{
    Context, JsError, JsNativeError, JsResult, JsValue,
    job::{Job, JobExecutor},
};

use crate::{failure, host::Host, meter::OF_JOB};

/// The queue of a realm.
#[derive(Debug, Default)]
pub(crate) struct Jobs(RefCell<VecDeque<Job>>);

impl Jobs {
    fn run(&self, context: &mut Context) -> JsResult<()> {
        let host = Host::of(context);
        loop {
            let Some(job) = self.0.borrow_mut().pop_front() else { return Ok(()) };
            host.meter.spend(OF_JOB)?;
            host.room()?;
            let done = call(job, context);
            if let Err(error) = &done {
                failure::remember(error, &host);
            }
            // A limit that the engine forgot.
            host.meter.spend(0)?;
            done?;
        }
    }
}

fn call(job: Job, context: &mut Context) -> JsResult<JsValue> {
    match job {
        Job::PromiseJob(job) => job.call(context),
        Job::GenericJob(job) => job.call(context),
        Job::AsyncJob(job) => {
            let context = RefCell::new(context);
            let mut future = pin!(job.call(&context));
            match future.as_mut().poll(&mut std::task::Context::from_waker(Waker::noop())) {
                Poll::Ready(done) => done,
                // Only modules are loaded so, and they are there.
                Poll::Pending => Err(JsError::from(JsNativeError::error().with_message("a module did not load"))),
            }
        }
        // Nothing in the realm waits for a time or for garbage.
        _ => Ok(JsValue::undefined()),
    }
}

impl JobExecutor for Jobs {
    fn enqueue_job(self: Rc<Self>, job: Job, _: &mut Context) {
        self.0.borrow_mut().push_back(job);
    }

    fn run_jobs(self: Rc<Self>, context: &mut Context) -> JsResult<()> {
        let done = self.run(context);
        if done.is_err() {
            self.0.take();
        }
        done
    }
}
