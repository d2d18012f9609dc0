//! One call's host: what it may see, what it did, what it may still do.
//!
//! Owns the state that SDK functions share. It hangs on the engine's context, so no JavaScript value leads to it.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use boa_engine::{Context, JsResult, object::builtins::JsFunction};
use holdpoint_model::{EntityRef, Model, ModelInfo};
use holdpoint_sdk::{
    capability::{Capability, parse},
    run::{Effects, LogEntry, Program, Selected},
};

use crate::{
    bim::{create::Creations, viewer::View, working::Working},
    budget::{MAX_LOG_BYTES, MAX_LOG_CHARS, MAX_LOG_ENTRIES},
    entity::Entities,
    heap::Watch,
    meter::{Limit, Meter},
    requests::Requests,
    texts::Texts,
};

/// What the one model was called before several could be open: in what an extension wrote or kept then, it is the
/// active one.
const FORMER_ID: &str = "model-1";

/// What `ModelInfo.loadedAt` says in tests.
const TEST_LOADED_AT: &str = "2026-01-01T00:00:00.000Z";

/// The host of one call.
pub(crate) struct Host {
    pub(crate) working: Rc<Working>,
    /// When what the call loads is loaded.
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
    pub(crate) texts: Texts,
}

/// Objects of the realm that SDK code uses, taken before extension code runs.
#[derive(Debug, Clone)]
pub(crate) struct Captured {
    pub(crate) entities: Rc<Entities>,
    pub(crate) stack: Option<JsFunction>,
}

impl Host {
    /// A host for one call; grants that are no capability give nothing.
    pub(crate) fn new(working: Rc<Working>, program: Rc<Program>, loaded_at: String, heap: Watch) -> Self {
        working.begin();
        let grants = program.grants.iter().filter_map(|grant| parse(grant).ok()).collect();
        let effects = Effects { storage: program.storage.clone(), ..Effects::default() };
        let host = Self {
            working,
            loaded_at,
            program,
            grants,
            meter: Meter::new(&heap.budget()),
            heap,
            effects: RefCell::new(effects),
            selection: RefCell::default(),
            logs: RefCell::default(),
            export_bytes: Cell::new(0),
            creations: Creations::default(),
            depth: Cell::new(0),
            keeps: Cell::new(false),
            sends: Cell::new(false),
            requests: Requests::default(),
            view: RefCell::default(),
            captured: RefCell::default(),
            texts: Texts::default(),
        };
        *host.selection.borrow_mut() = selected(&host.models(), &host.program.selection);
        host
    }

    /// The host that hangs on a context.
    pub(crate) fn of(context: &Context) -> Rc<Self> {
        context.get_data::<Rc<Self>>().expect("the sandbox hangs its host on every context that it makes").clone()
    }

    /// How Entities of the realm are made, while a call runs in it.
    pub(crate) fn entities(&self) -> Option<Rc<Entities>> {
        self.captured.borrow().as_ref().map(|captured| captured.entities.clone())
    }

    /// Fails the call when its heap is over the limit.
    pub(crate) fn room(&self) -> JsResult<()> {
        if self.heap.fits() { Ok(()) } else { Err(self.meter.pass(Limit::Memory)) }
    }

    /// Fails the call when so many bytes more are over the limit.
    pub(crate) fn room_for(&self, bytes: u64) -> JsResult<()> {
        if self.heap.fits_more(bytes) { Ok(()) } else { Err(self.meter.pass(Limit::Memory)) }
    }

    /// The model with this id, where the call sees it.
    pub(crate) fn model(&self, id: &str) -> Option<Rc<Model>> {
        self.working.model(id, self.program.models.as_deref())
    }

    /// The models that the call sees, as they are now.
    pub(crate) fn models(&self) -> Vec<Rc<Model>> {
        self.working.models(self.program.models.as_deref())
    }

    /// The one that is meant where none is named.
    pub(crate) fn active(&self) -> Option<Rc<Model>> {
        let named = self.program.active_model.as_deref().and_then(|id| self.model(id));
        named.or_else(|| self.models().first().cloned())
    }

    /// What `bim.model` says of a model.
    pub(crate) fn info(&self, model: &Model) -> ModelInfo {
        match self.program.seed {
            Some(_) => model.info(TEST_LOADED_AT),
            None => model.info(&self.working.loaded_at(model.id())),
        }
    }

    /// The id that is meant by what an extension calls a model.
    pub(crate) fn id_of(&self, called: String) -> String {
        if called != FORMER_ID {
            return called;
        }
        self.active().map_or(called, |model| model.id().to_owned())
    }
}

/// The elements that a program selects; names and ids that no model has are left out.
fn selected(models: &[Rc<Model>], wanted: &[Selected]) -> Vec<EntityRef> {
    let find = |wanted: &Selected| match wanted {
        Selected::Ref { model_id, express_id } => {
            let model = models.iter().find(|model| model.id() == model_id)?;
            model.entity(*express_id).map(|entity| entity.r#ref)
        }
        Selected::Name(name) => models.iter().find_map(|model| {
            let express_id = model.by_name(name)?;
            Some(EntityRef { model_id: model.id().to_owned(), express_id })
        }),
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
