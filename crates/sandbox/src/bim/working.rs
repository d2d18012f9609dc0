//! The working copy: the loaded models, what was changed in them, and the way back (spec: ifc-sdk.md §3 "Mutations").
//!
//! Owns every change of a model while calls run. Invariants: who reads sees every change made before; a call that fails
//! leaves the models as they were; an extension takes back what it changed itself, and only while nobody changed the
//! same records since.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use holdpoint_model::{EditError, Model, ModelEdit, TooLargeError};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Bytes of a hash that are a model's id, as hex.
const ID_BYTES: usize = 8;

/// A change, and what is said of it and of its way back.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) edits: Vec<ModelEdit>,
    pub(crate) said: Value,
    pub(crate) said_back: Value,
}

/// A change that was made.
#[derive(Debug)]
struct Step {
    extension: String,
    model: String,
    /// The call that made it: all changes of a call are one step for people.
    call: u64,
    change: Change,
}

/// What the current call did.
#[derive(Debug, Default)]
struct Done {
    said: Vec<(Rc<Step>, Value)>,
    /// Model and edits, in order.
    edits: Vec<(String, Vec<ModelEdit>)>,
    /// The steps as they were before.
    before: (Vec<Rc<Step>>, Vec<Rc<Step>>),
    /// How many models calls had made before.
    made: usize,
}

/// What a call did to the models.
#[derive(Debug, Default)]
pub(crate) struct Changed {
    /// `{op, set?, name?, value?, element?, ref?}` each.
    pub(crate) mutations: Vec<Value>,
    /// `{modelId, edits}` each, in order: what another copy of the models has to do.
    pub(crate) changes: Vec<Value>,
}

/// A model, and who brought it.
#[derive(Debug, Clone)]
struct Loaded {
    model: Rc<Model>,
    /// ISO 8601, the host's clock.
    since: String,
    /// A call made it: every call sees it, and the host does not know it.
    by_call: bool,
}

/// The models of a sandbox while calls run.
#[derive(Debug, Default)]
pub(crate) struct Working {
    models: RefCell<Vec<Loaded>>,
    steps: RefCell<Vec<Rc<Step>>>,
    undone: RefCell<Vec<Rc<Step>>>,
    call: Cell<u64>,
    done: RefCell<Done>,
}

impl Working {
    /// The models as they are now: those that the host names in that order, behind them what calls made. Without names
    /// all, in load order.
    pub(crate) fn models(&self, named: Option<&[String]>) -> Vec<Rc<Model>> {
        let models = self.models.borrow();
        let Some(named) = named else { return models.iter().map(|loaded| loaded.model.clone()).collect() };
        let of_id = |id: &String| models.iter().find(|loaded| !loaded.by_call && loaded.model.id() == id);
        let made = models.iter().filter(|loaded| loaded.by_call);
        named.iter().filter_map(of_id).chain(made).map(|loaded| loaded.model.clone()).collect()
    }

    /// The one of [`Working::models`] that has this id.
    pub(crate) fn model(&self, id: &str, named: Option<&[String]>) -> Option<Rc<Model>> {
        let models = self.models.borrow();
        let found = models.iter().find(|loaded| loaded.model.id() == id)?;
        let seen = found.by_call || named.is_none_or(|named| named.iter().any(|one| one == id));
        seen.then(|| found.model.clone())
    }

    /// When a model was loaded.
    pub(crate) fn loaded_at(&self, id: &str) -> String {
        let models = self.models.borrow();
        let found = models.iter().find(|loaded| loaded.model.id() == id);
        found.map(|loaded| loaded.since.clone()).unwrap_or_default()
    }

    /// One more model of the host, last in load order, in the place of what had its id.
    pub(crate) fn open(&self, model: Model, loaded_at: String) {
        self.close(model.id());
        self.models.borrow_mut().push(Loaded { model: Rc::new(model), since: loaded_at, by_call: false });
    }

    /// Forgets a model with its steps.
    pub(crate) fn close(&self, id: &str) {
        self.models.borrow_mut().retain(|loaded| loaded.model.id() != id);
        for steps in [&self.steps, &self.undone] {
            steps.borrow_mut().retain(|step| step.model != id);
        }
    }

    /// One more model of a call, last in load order. Answers its id: what is there already gets a number behind it.
    pub(crate) fn load(&self, model: Model, bytes: &[u8], loaded_at: String) -> String {
        let own = id_of(bytes);
        let again = (2..).map(|n: u32| format!("{own}-{n}"));
        let free = |id: &String| self.model(id, None).is_none();
        let id = std::iter::once(own.clone()).chain(again).find(free).unwrap_or(own);
        let model = Rc::new(model.with_id(id.as_str()));
        self.models.borrow_mut().push(Loaded { model, since: loaded_at, by_call: true });
        id
    }

    /// How many models calls have made.
    pub(crate) fn made(&self) -> usize {
        self.models.borrow().iter().filter(|loaded| loaded.by_call).count()
    }

    pub(crate) fn begin(&self) {
        self.call.set(self.call.get() + 1);
        let before = (self.steps.borrow().clone(), self.undone.borrow().clone());
        *self.done.borrow_mut() = Done { before, made: self.made(), ..Done::default() };
    }

    /// The call ended; `kept` says whether its changes stay.
    pub(crate) fn end(&self, kept: bool) -> Changed {
        let done = self.done.take();
        if !kept {
            for (model, edits) in done.edits.iter().rev() {
                // What was there before is never larger than what the model can hold.
                let _ = self.write(model, &inverse(edits));
            }
            let mut made = 0;
            self.models.borrow_mut().retain(|loaded| {
                made += usize::from(loaded.by_call);
                !loaded.by_call || made <= done.made
            });
            *self.steps.borrow_mut() = done.before.0;
            *self.undone.borrow_mut() = done.before.1;
        }
        Changed {
            mutations: done.said.into_iter().map(|(_, said)| said).collect(),
            changes: done.edits.into_iter().map(|(model, edits)| json!({"modelId": model, "edits": edits})).collect(),
        }
    }

    /// The call waits. Whether it has changed something by now: then no other call may run before it has ended, because
    /// what a failure takes back would no longer be what others saw.
    pub(crate) fn pause(&self) -> bool {
        let done = self.done.borrow();
        !done.edits.is_empty() || self.made() != done.made
    }

    /// Changes a model. What comes out is noted, and what was taken back before can't be done again.
    pub(crate) fn change<T>(
        &self,
        extension: &str,
        model: &str,
        work: impl FnOnce(&mut Model) -> Result<(T, Change), EditError>,
    ) -> Result<Option<T>, EditError> {
        let made = self.with(model, work).transpose()?;
        let Some((answer, change)) = made else { return Ok(None) };
        if change.edits.is_empty() {
            return Ok(Some(answer));
        }
        let step = Step { extension: extension.to_owned(), model: model.to_owned(), call: self.call.get(), change };
        let step = Rc::new(step);
        let mut done = self.done.borrow_mut();
        done.edits.push((model.to_owned(), step.change.edits.clone()));
        done.said.push((step.clone(), step.change.said.clone()));
        self.undone.borrow_mut().retain(|undone| undone.model != model || undone.extension != extension);
        self.steps.borrow_mut().push(step);
        Ok(Some(answer))
    }

    /// Does on a model what was done elsewhere.
    pub(crate) fn replay(&self, model: &str, edits: &[ModelEdit]) -> Result<(), TooLargeError> {
        self.write(model, edits)
    }

    /// Takes back the latest change of an extension in these models: one of this call, else all of an earlier call.
    pub(crate) fn undo(&self, extension: &str, models: &[String]) -> bool {
        self.move_last(&self.steps, &self.undone, extension, models, false)
    }

    /// Does again what was taken back last.
    pub(crate) fn redo(&self, extension: &str, models: &[String]) -> bool {
        self.move_last(&self.undone, &self.steps, extension, models, true)
    }

    fn move_last(
        &self,
        from: &RefCell<Vec<Rc<Step>>>,
        to: &RefCell<Vec<Rc<Step>>>,
        extension: &str,
        models: &[String],
        forward: bool,
    ) -> bool {
        let is_own = |step: &Rc<Step>| step.extension == extension && models.contains(&step.model);
        let Some(last) = from.borrow().iter().rev().find(|step| is_own(step)).cloned() else { return false };
        let one = last.call == self.call.get();
        let group: Vec<Rc<Step>> = if one {
            vec![last]
        } else {
            from.borrow().iter().rev().filter(|step| is_own(step) && step.call == last.call).cloned().collect()
        };
        let edits: Vec<(String, Vec<ModelEdit>)> = group
            .iter()
            .map(|step| {
                let edits = &step.change.edits;
                (step.model.clone(), if forward { edits.clone() } else { inverse(edits) })
            })
            .collect();
        if !self.fits(&edits) {
            return false;
        }
        for (model, edits) in &edits {
            if self.write(model, edits).is_err() {
                return false;
            }
        }
        let mut done = self.done.borrow_mut();
        done.edits.extend(edits);
        for step in &group {
            let known = done.said.iter().position(|(said, _)| Rc::ptr_eq(said, step));
            match known {
                Some(at) if !forward => {
                    done.said.remove(at);
                }
                _ => {
                    let said = if forward { &step.change.said } else { &step.change.said_back };
                    done.said.push((step.clone(), said.clone()));
                }
            }
        }
        from.borrow_mut().retain(|step| !group.iter().any(|moved| Rc::ptr_eq(moved, step)));
        to.borrow_mut().extend(group);
        true
    }

    /// Whether the records are what the first edit of each expects.
    fn fits(&self, edits: &[(String, Vec<ModelEdit>)]) -> bool {
        let mut seen = std::collections::BTreeSet::new();
        let all = edits.iter().flat_map(|(model, edits)| edits.iter().map(move |edit| (model, edit)));
        all.into_iter().all(|(id, edit)| {
            !seen.insert((id, edit.id)) || self.model(id, None).is_some_and(|model| model.holds(edit))
        })
    }

    fn write(&self, model: &str, edits: &[ModelEdit]) -> Result<(), TooLargeError> {
        self.with(model, |model| model.apply(edits)).unwrap_or(Ok(()))
    }

    /// Works on a model; a reader that still holds the model keeps it as it was.
    fn with<T>(&self, id: &str, work: impl FnOnce(&mut Model) -> T) -> Option<T> {
        let mut models = self.models.borrow_mut();
        let loaded = models.iter_mut().find(|loaded| loaded.model.id() == id)?;
        Some(work(Rc::make_mut(&mut loaded.model)))
    }
}

/// What a file is called wherever it is opened: 16 hex of the SHA-256 of its bytes.
pub(crate) fn id_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes)[..ID_BYTES].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn inverse(edits: &[ModelEdit]) -> Vec<ModelEdit> {
    let back = |edit: &ModelEdit| ModelEdit { id: edit.id, before: edit.after.clone(), after: edit.before.clone() };
    edits.iter().rev().map(back).collect()
}
