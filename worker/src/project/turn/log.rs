//! The log of a turn: its events in their order, and how it ended (ENGINE §6; spec: ai-sessions.md §9).
//!
//! The events of a turn that goes on without its client are rows of the store; those of a turn that ends with its client
//! live in memory, and end with it. Invariants: a turn ends once, in one transaction with its last event where that is
//! stored; who misses a call finds the event in the log, so readers look there first, and again after each call.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures_channel::oneshot;
use holdpoint_check::ApiError;
use holdpoint_engine::turn::Close;
use holdpoint_kind::protocol::{Frame, LogEnd, OnDisconnect, Protocol, Stamp, TokenUse, TurnStatus};
use holdpoint_store::session::{self, Begun, LastEvent, LoggedEvent, Sessions, Status};
use serde::Deserialize;
use serde_json::{Value, json};

use super::host::TurnResult;
use crate::answer::EdgeError;
use crate::envelope::DataEnvelope;
use crate::js::{iso, now_ms};
use crate::project::Object;
use crate::sql::ObjectSql;

/// The last event of a stored turn that has a result.
pub const RESULT: &str = "result";
/// The last event of any other.
pub const ERROR: &str = "error";
/// How long stored events are kept behind the end of their turn.
pub const KEEP_MS: i64 = 600_000;

/// What comes of a request, for whoever waits for all of it.
#[derive(Debug, Clone)]
pub struct TurnOutcome {
    pub answer: Result<Value, EdgeError>,
    /// The protocol's word, where it has one.
    pub word: Option<String>,
}

impl From<EdgeError> for TurnOutcome {
    fn from(fault: EdgeError) -> Self {
        Self { answer: Err(fault), word: None }
    }
}

/// The last that is said in a turn.
pub enum LastWord<'l> {
    /// The last event of a stream.
    Frame(&'l Frame),
    Result(&'l TurnResult),
    Error(&'l ApiError),
}

impl LastWord<'_> {
    /// For who waits for all of it; `None`: the events said it.
    pub fn outcome(&self, word: Option<&str>) -> Option<TurnOutcome> {
        let answer = match self {
            Self::Frame(_) => return None,
            Self::Result(result) => Ok(result.data.clone()),
            Self::Error(error) => Err(EdgeError((*error).clone())),
        };
        Some(TurnOutcome { answer, word: word.map(str::to_owned) })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogState {
    Runs,
    Over,
    /// Its session was cleared meanwhile.
    Deleted,
}

/// Who waits for the next event, by the number of the turn.
#[derive(Default)]
pub struct Waiting(RefCell<BTreeMap<i64, Vec<oneshot::Sender<()>>>>);

impl Waiting {
    fn wait(&self, turn: i64) -> oneshot::Receiver<()> {
        let (tell, heard) = oneshot::channel();
        self.0.borrow_mut().entry(turn).or_default().push(tell);
        heard
    }

    pub fn call(&self, turn: i64) {
        for tell in self.0.borrow_mut().remove(&turn).unwrap_or_default() {
            let _ = tell.send(());
        }
    }
}

#[derive(Clone)]
pub struct TurnLog {
    object: Rc<Object>,
    session: String,
    turn: i64,
    memory: Option<Rc<RefCell<Memory>>>,
    /// Whose events are written, and the correlation of their request; who only reads has none.
    writer: Option<(&'static dyn Protocol, String)>,
}

#[derive(Default)]
struct Memory {
    /// Those that its one client does not have yet.
    events: Vec<LoggedEvent>,
    /// The number of the last event.
    last: i64,
    outcome: Option<TurnOutcome>,
    is_over: bool,
}

impl Memory {
    fn push(&mut self, frame: &Frame) {
        self.last += 1;
        self.events.push(LoggedEvent { seq: self.last, name: frame.name.to_owned(), data: frame.data.to_string() });
    }
}

impl TurnLog {
    /// The log of a turn that begins.
    pub fn new(
        object: &Rc<Object>,
        session: &str,
        turn: i64,
        (protocol, correlation): (&'static dyn Protocol, &str),
    ) -> Self {
        let memory = (protocol.on_disconnect() == OnDisconnect::Stop).then(Rc::default);
        Self { memory, writer: Some((protocol, correlation.to_owned())), ..Self::stored(object, session, turn) }
    }

    /// A log that is read again, whether or not its turn runs.
    pub fn stored(object: &Rc<Object>, session: &str, turn: i64) -> Self {
        Self { object: object.clone(), session: session.to_owned(), turn, memory: None, writer: None }
    }

    pub fn object(&self) -> &Object {
        &self.object
    }

    /// The number of its turn.
    pub fn turn(&self) -> i64 {
        self.turn
    }

    pub fn wait(&self) -> oneshot::Receiver<()> {
        self.object.waiting.wait(self.turn)
    }

    /// The events behind a number; in memory, those before it are dropped.
    pub fn events(&self, after: i64) -> Result<Vec<LoggedEvent>, EdgeError> {
        if let Some(memory) = &self.memory {
            let events = &mut memory.borrow_mut().events;
            events.retain(|event| event.seq > after);
            return Ok(events.clone());
        }
        let workspace = self.object.workspace()?;
        Ok(self.object.sessions(&workspace).events(self.turn, after)?)
    }

    /// A log that cannot be read is over.
    pub fn state(&self) -> LogState {
        if let Some(memory) = &self.memory {
            return if memory.borrow().is_over { LogState::Over } else { LogState::Runs };
        }
        let logged = self
            .object
            .workspace()
            .and_then(|workspace| Ok(self.object.sessions(&workspace).logged(&self.session, self.turn)?));
        match logged {
            Ok(None) => LogState::Deleted,
            Ok(Some(logged)) if logged.pending => LogState::Runs,
            _ => LogState::Over,
        }
    }

    /// What came of a turn that is over; `None`: its events say it.
    pub fn outcome(&self) -> Result<Option<TurnOutcome>, EdgeError> {
        if let Some(memory) = &self.memory {
            return Ok(memory.borrow().outcome.clone());
        }
        let workspace = self.object.workspace()?;
        let sessions = self.object.sessions(&workspace);
        let Some(last) = sessions.last_event(self.turn)? else { return Ok(None) };
        let DataEnvelope { data, error } = serde_json::from_str(&last.data)?;
        let Some(error) = error.filter(|_| last.name != RESULT) else {
            return Ok(Some(TurnOutcome { answer: Ok(data), word: None }));
        };
        let record = sessions.record(self.turn)?;
        let record: ErrorRecord =
            record.map_or_else(|| Ok(ErrorRecord::default()), |text| serde_json::from_str(&text))?;
        Ok(Some(EdgeError(error.status(record.status.unwrap_or(500))).into()))
    }

    pub fn append(&self, sessions: &Sessions<'_, ObjectSql>, frame: &Frame) -> Result<(), EdgeError> {
        if let Some(memory) = &self.memory {
            memory.borrow_mut().push(frame);
        } else {
            let frame = match &self.writer {
                Some((protocol, correlation)) => stamped(sessions, *protocol, (self.turn, correlation), frame.clone())?,
                None => frame.clone(),
            };
            sessions.emit(self.turn, frame.name, &frame.data.to_string())?;
        }
        self.object.waiting.call(self.turn);
        Ok(())
    }

    /// Closes the turn, with its last event where the log is stored. Nobody hears of it yet.
    pub fn close(
        &self,
        sessions: &Sessions<'_, ObjectSql>,
        (begun, correlation): (&Begun, &str),
        close: &Close,
        last: &LastWord<'_>,
        (keep_ms, usage): (i64, TokenUse),
    ) -> Result<(), EdgeError> {
        if let (None, Some((protocol, _))) = (&self.memory, &self.writer) {
            let turn = (self.turn, correlation);
            return close_stored(sessions, *protocol, turn, close, last, (keep_ms, usage)).map(drop);
        }
        let ending = ending(close, |status| status == Status::Failed);
        sessions.close(now_ms(), &begun.turn_id, correlation, &ending)?;
        Ok(())
    }

    /// Tells readers how a turn ended that is closed.
    pub fn end(&self, last: &LastWord<'_>, word: Option<&str>) {
        if let Some(memory) = &self.memory {
            let mut memory = memory.borrow_mut();
            if let LastWord::Frame(frame) = last {
                memory.push(frame);
            }
            memory.outcome = last.outcome(word);
            memory.is_over = true;
        }
        self.object.waiting.call(self.turn);
    }
}

/// What is kept of a turn that failed.
#[derive(Default, Deserialize)]
struct ErrorRecord {
    status: Option<u16>,
}

/// An event as the log has it.
fn stamped(
    sessions: &Sessions<'_, ObjectSql>,
    protocol: &dyn Protocol,
    (turn, correlation): (i64, &str),
    frame: Frame,
) -> Result<Frame, EdgeError> {
    let at = iso(now_ms());
    Ok(protocol.stamped(frame, &Stamp { correlation, seq: sessions.next_event(turn)?, at: &at }))
}

/// Closes a turn with the last events of its log. `false`: it was closed before.
pub fn close_stored(
    sessions: &Sessions<'_, ObjectSql>,
    protocol: &dyn Protocol,
    (turn, correlation): (i64, &str),
    close: &Close,
    last: &LastWord<'_>,
    (keep_ms, usage): (i64, TokenUse),
) -> Result<bool, EdgeError> {
    let frame = |name, data: &DataEnvelope| Frame { name, data: json!(data), last: true };
    let (own, record, change_set) = match last {
        LastWord::Frame(frame) => ((*frame).clone(), None, None),
        LastWord::Result(result) => {
            let own = frame(RESULT, &DataEnvelope::of_data(result.data.clone()));
            (own, result.record.clone(), result.change_set)
        }
        // An envelope says no status, and lists of messages read no events.
        LastWord::Error(error) => {
            let record = json!({"status": error.status, "code": error.code, "error": error});
            (frame(ERROR, &DataEnvelope::of_error((*error).clone())), Some(record), None)
        }
    };
    let said = match last {
        LastWord::Frame(_) => None,
        LastWord::Result(result) => Some(Ok(&result.data)),
        LastWord::Error(error) => Some(Err(*error)),
    };
    let frames = said.and_then(|said| protocol.last(&LogEnd { turn, ending: &close.ending, said, usage }));
    let frames = frames.filter(|frames| !frames.is_empty()).unwrap_or_else(|| vec![own]);
    let record = record.map(|record| record.to_string());
    let ending = ending(close, |status| status != Status::Complete);
    let (first, at) = (sessions.next_event(turn)?, iso(now_ms()));
    let mut events = Vec::new();
    for (seq, frame) in (first..).zip(frames) {
        let frame = protocol.stamped(frame, &Stamp { correlation, seq, at: &at });
        events.push((frame.name, frame.data.to_string()));
    }
    let Some((name, data)) = events.pop() else { return Ok(false) };
    let last = LastEvent { ending: &ending, name, data: &data, record: record.as_deref(), change_set, keep_ms };
    Ok(sessions.close_behind(now_ms(), (turn, correlation), &events, &last)?)
}

/// How a turn ends, as its row says it; `says_why`: whether that has the protocol's word.
fn ending(Close { ending, text }: &Close, says_why: impl Fn(Status) -> bool) -> session::Ending {
    let status = match ending.status {
        TurnStatus::Complete => Status::Complete,
        TurnStatus::Cancelled => Status::Cancelled,
        TurnStatus::Failed | TurnStatus::Pending => Status::Failed,
    };
    let outcome = says_why(status).then(|| ending.outcome.to_owned());
    session::Ending { status, outcome, text: text.clone() }
}
