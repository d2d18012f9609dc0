//! The few things that Rust asks the platform for: the clock, random bytes, an abort that was heard, waiting for the
//! first of several things.

use std::time::Duration;

use futures_channel::oneshot;
use futures_util::{FutureExt as _, future::Fuse, pin_mut, select_biased};
use js_sys::futures::JsFuture;
use serde_json::Value;
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use worker::{Delay, Headers};

use crate::answer::EdgeError;

/// In milliseconds since 1970, UTC.
pub fn now_ms() -> i64 {
    js_sys::Date::now() as i64
}

/// A moment, ms since 1970, as ISO 8601 in UTC with milliseconds.
pub fn iso(ms: i64) -> String {
    js_sys::Date::new(&JsValue::from_f64(ms as f64)).to_iso_string().into()
}

/// Random bytes for ids and secrets.
pub fn random<const N: usize>() -> Result<[u8; N], EdgeError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| EdgeError::internal("the platform gave no random bytes"))?;
    Ok(bytes)
}

/// Headers of these names and values, in one step: each step into the platform costs as much as what it does here.
pub fn headers(members: &[(&str, &str)]) -> Result<Headers, EdgeError> {
    let record: serde_json::Map<String, Value> =
        members.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect();
    let refused = |_| EdgeError::internal("a header does not fit");
    let record = js_sys::JSON::parse(&Value::Object(record).to_string()).map_err(refused)?;
    Ok(Headers(web_sys::Headers::new_with_record_from_str_to_str(record.unchecked_ref()).map_err(refused)?))
}

/// Hears, once, that a client left: the abort signal of the request that an object's own `fetch` was given.
pub struct Gone {
    signal: Option<web_sys::AbortSignal>,
    listener: Closure<dyn FnMut()>,
    heard: Fuse<oneshot::Receiver<()>>,
}

impl Gone {
    /// Hears nothing: no client's leaving ends the work.
    pub fn never() -> Self {
        let (tell, heard) = oneshot::channel::<()>();
        // As long as the sender is there, nobody left.
        let listener = Closure::new(move || {
            let _ = tell.is_canceled();
        });
        Self { signal: None, listener, heard: heard.fuse() }
    }

    /// Listens from now on. Do this before anything is awaited.
    pub fn listen(request: &web_sys::Request) -> Self {
        let (tell, heard) = oneshot::channel();
        let mut tell = Some(tell);
        let listener = Closure::new(move || {
            if let Some(tell) = tell.take() {
                let _ = tell.send(());
            }
        });
        let signal = request.signal();
        let listens = signal.add_event_listener_with_callback("abort", listener.as_ref().unchecked_ref()).is_ok();
        Self { signal: listens.then_some(signal), listener, heard: heard.fuse() }
    }
}

impl Drop for Gone {
    fn drop(&mut self) {
        if let Some(signal) = &self.signal {
            let _ = signal.remove_event_listener_with_callback("abort", self.listener.as_ref().unchecked_ref());
        }
    }
}

pub enum First<T> {
    Done(T),
    /// The client left. Told once.
    Gone,
    /// Somebody stopped the call. Told once.
    Cancelled,
    /// The patience for this piece of work ended.
    Late,
    /// The time of the whole call ended.
    Over,
}

/// Everything that can end a call from outside.
pub struct Watch {
    gone: Gone,
    cancelled: Fuse<oneshot::Receiver<()>>,
    over: Fuse<Delay>,
}

impl Watch {
    /// Watches a call that may last `total_ms`.
    pub fn new(gone: Gone, cancelled: oneshot::Receiver<()>, total_ms: u64) -> Self {
        Self { gone, cancelled: cancelled.fuse(), over: Delay::from(Duration::from_millis(total_ms)).fuse() }
    }

    /// Ends the whole call in `ms` from now.
    pub fn end_in(&mut self, ms: u64) {
        self.over = Delay::from(Duration::from_millis(ms)).fuse();
    }

    /// Awaits a promise, unless something ends it first; `patience_ms` is how long it may take by itself. The promise
    /// goes on in any case and can be awaited again.
    pub async fn first(&mut self, promise: &js_sys::Promise, patience_ms: u64) -> First<Result<JsValue, JsValue>> {
        self.race(JsFuture::from(promise.clone()), patience_ms).await
    }

    /// The same for any work, which is dropped when something else ends it.
    pub async fn race<T>(&mut self, work: impl Future<Output = T>, patience_ms: u64) -> First<T> {
        let work = work.fuse();
        let late = Delay::from(Duration::from_millis(patience_ms)).fuse();
        let (over, mut cancelled, mut heard) = (&mut self.over, &mut self.cancelled, &mut self.gone.heard);
        pin_mut!(work, late, over);
        select_biased! {
            done = work => First::Done(done),
            _ = cancelled => First::Cancelled,
            _ = heard => First::Gone,
            () = over => First::Over,
            () = late => First::Late,
        }
    }
}
