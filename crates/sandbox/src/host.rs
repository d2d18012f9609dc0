//! One call's host: what it may see, what it did, what it may still do.
//!
//! Owns the state that SDK functions share. It hangs on the engine's context, so no JavaScript value leads to it.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use boa_engine::{Context, JsObject, JsResult, object::builtins::JsFunction};
use holdpoint_model::{EntityRef, Model};
use holdpoint_sdk::{
    capability::{Capability, parse},
    run::{Effects, LogEntry, Program, Selected},
};

use crate::{
    bim::{create::Creations, viewer::View, working::Working},
    budget::{MAX_LOG_BYTES, MAX_LOG_CHARS, MAX_LOG_ENTRIES},
    heap::Watch,
    meter::{Limit, Meter},
    requests::Requests,
};

/// The host of one call.
pub(crate) struct Host {
    pub(crate) working: Rc<Working>,
    pub(crate) loaded_at: String,
    pub(crate) program: Rc<Program>,
    pub(crate) grants: Vec<Capability>,
    pub(crate) heap: Watch,
    pub(crate) meter: Meter,
    pub(crate) effects: RefCell<Effects>,
    pub(crate) selection: RefCell<Vec<EntityRef>>,
    pub(crate) logs: RefCell<Logs>,
    pub(crate) export_bytes: Cell<usize>,
    pub(crate) creations: Creations,
    /// How many commands the running code is inside of, whichever `ctx` it uses.
    pub(crate) depth: Cell<usize>,
    /// Whether changes of models outlive the call.
    pub(crate) keeps: Cell<bool>,
    /// Whether somebody sends its requests and answers them.
    pub(crate) sends: Cell<bool>,
    pub(crate) requests: Requests,
    pub(crate) view: RefCell<View>,
    pub(crate) captured: RefCell<Option<Captured>>,
}

/// Objects of the realm that SDK code uses, taken before extension code runs.
#[derive(Debug, Clone)]
pub(crate) struct Captured {
    /// Prototype of every Entity: the IFC spellings as getters.
    pub(crate) entity: JsObject,
    pub(crate) stack: Option<JsFunction>,
}

impl Host {
    /// A host for one call; grants that are no capability give nothing.
    pub(crate) fn new(working: Rc<Working>, program: Rc<Program>, loaded_at: String, heap: Watch) -> Self {
        working.begin();
        let grants = program.grants.iter().filter_map(|grant| parse(grant).ok()).collect();
        let selection = selected(&working.models(), &program.selection);
        let effects = Effects { storage: program.storage.clone(), ..Effects::default() };
        Self {
            working,
            loaded_at,
            program,
            grants,
            meter: Meter::new(&heap.budget()),
            heap,
            effects: RefCell::new(effects),
            selection: RefCell::new(selection),
            logs: RefCell::default(),
            export_bytes: Cell::new(0),
            creations: Creations::default(),
            depth: Cell::new(0),
            keeps: Cell::new(false),
            sends: Cell::new(false),
            requests: Requests::default(),
            view: RefCell::default(),
            captured: RefCell::default(),
        }
    }

    /// The host that hangs on a context.
    pub(crate) fn of(context: &Context) -> Rc<Self> {
        context.get_data::<Rc<Self>>().expect("the sandbox hangs its host on every context that it makes").clone()
    }

    /// Fails the call when its heap is over the limit.
    pub(crate) fn room(&self) -> JsResult<()> {
        if self.heap.fits() { Ok(()) } else { Err(self.meter.pass(Limit::Memory)) }
    }

    /// Fails the call when so many bytes more are over the limit.
    pub(crate) fn room_for(&self, bytes: u64) -> JsResult<()> {
        if self.heap.fits_more(bytes) { Ok(()) } else { Err(self.meter.pass(Limit::Memory)) }
    }

    /// The loaded model with this id.
    pub(crate) fn model(&self, id: &str) -> Option<Rc<Model>> {
        self.working.model(id)
    }

    /// The loaded models as they are now.
    pub(crate) fn models(&self) -> Vec<Rc<Model>> {
        self.working.models()
    }
}

/// The elements that a program selects; names and ids that no model has are left out.
fn selected(models: &[Rc<Model>], wanted: &[Selected]) -> Vec<EntityRef> {
    let find = |wanted: &Selected| {
        models.iter().find_map(|model| {
            let id = match wanted {
                Selected::Id(id) => model.entity(*id).map(|entity| entity.r#ref.express_id),
                Selected::Name(name) => model.by_name(name),
            }?;
            Some(EntityRef { model_id: model.id().to_owned(), express_id: id })
        })
    };
    wanted.iter().filter_map(find).collect()
}

/// The log of a call, within its limits (spec: ifc-sdk.md §6.4).
#[derive(Debug, Default)]
pub(crate) struct Logs {
    entries: Vec<LogEntry>,
    bytes: usize,
    dropped: usize,
}

impl Logs {
    /// Adds a line, cut to its limit, or counts it as dropped.
    pub(crate) fn push(&mut self, level: &str, text: &str) {
        let mut text = match text.char_indices().nth(MAX_LOG_CHARS) {
            Some((end, _)) => text[..end].to_owned(),
            None => text.to_owned(),
        };
        if self.dropped > 0 || self.entries.len() >= MAX_LOG_ENTRIES || self.bytes + text.len() > MAX_LOG_BYTES {
            self.dropped += 1;
            return;
        }
        text.shrink_to_fit();
        self.bytes += text.len();
        self.entries.push(LogEntry { level: level.to_owned(), text });
    }

    /// The lines, and one more that says how many were dropped.
    pub(crate) fn take(&mut self) -> Vec<LogEntry> {
        let mut entries = std::mem::take(&mut self.entries);
        if self.dropped > 0 {
            entries.push(LogEntry {
                level: "warn".to_owned(),
                text: format!("{} more entries were dropped", self.dropped),
            });
        }
        entries
    }
}
