//! Random edits, undos and redos against models of a few lines.

use std::collections::BTreeMap;

use holdpoint_store::workspace::{Files, Way, Workspace, WriteError};
use proptest::prelude::*;

use crate::kit::{Doing, PLAIN, created, files};
use crate::support::Native;

/// What a person can do to a bundle whose way back is its list.
#[derive(Debug, Clone)]
enum Walk {
    Install(u8),
    Remove,
    Back,
    Forth,
    Restore(usize),
}

fn walks() -> impl Strategy<Value = Vec<Walk>> {
    let step = prop_oneof![
        2 => (0..4u8).prop_map(Walk::Install),
        1 => Just(Walk::Remove),
        3 => Just(Walk::Back),
        2 => Just(Walk::Forth),
        1 => (0..6usize).prop_map(Walk::Restore),
    ];
    proptest::collection::vec(step, 1..40)
}

/// The list as a person thinks of it: what stood, with a cursor; place 0 is the time before.
struct List {
    places: Vec<Option<u8>>,
    cursor: usize,
    /// What each revision left, in order.
    past: Vec<Option<u8>>,
}

impl List {
    /// What stands after a step; `None`: it is refused.
    fn take(&mut self, walk: &Walk) -> Option<()> {
        let stands = self.places[self.cursor];
        match walk {
            Walk::Install(text) => self.append(Some(*text)),
            Walk::Remove => {
                stands?;
                self.append(None);
            }
            Walk::Back => self.cursor = self.cursor.checked_sub(1)?,
            Walk::Forth if self.cursor + 1 < self.places.len() => self.cursor += 1,
            Walk::Forth => return None,
            Walk::Restore(at) => {
                let to = *self.past.get(at % self.past.len().max(1))?;
                self.append(to);
            }
        }
        self.past.push(self.places[self.cursor]);
        Some(())
    }

    fn append(&mut self, text: Option<u8>) {
        self.places.truncate(self.cursor + 1);
        self.places.push(text);
        self.cursor += 1;
    }
}

/// What a person can do to a bundle whose way back is the inverse.
#[derive(Debug, Clone)]
enum Edit {
    Save(u8, u8),
    Apply(u8, u8, Option<u8>),
    Undo,
    Redo,
    Restore(usize),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let step = prop_oneof![
        2 => (0..2u8, 0..4u8).prop_map(|(path, text)| Edit::Save(path, text)),
        3 => (0..2u8, 0..4u8, prop::option::of(0..4u8)).prop_map(|(path, text, other)| Edit::Apply(path, text, other)),
        4 => Just(Edit::Undo),
        3 => Just(Edit::Redo),
        1 => (0..6usize).prop_map(Edit::Restore),
    ];
    proptest::collection::vec(step, 1..40)
}

type Changed = BTreeMap<String, (Option<String>, Option<String>)>;

/// The applies that stand and those that were undone, each with its own files.
#[derive(Default)]
struct Inverses {
    files: Files,
    standing: Vec<Changed>,
    undone: Vec<Changed>,
    past: Vec<Files>,
}

impl Inverses {
    fn take(&mut self, edit: &Edit) -> Option<()> {
        match edit {
            Edit::Save(path, text) => {
                let after = with(&self.files, *path, *text, None);
                if after == self.files {
                    return Some(());
                }
                self.undone.clear();
                self.files = after;
            }
            Edit::Apply(path, text, other) => {
                let after = with(&self.files, *path, *text, *other);
                let paths = after.keys().chain(self.files.keys());
                let change = |path: &String| (path.clone(), (self.files.get(path).cloned(), after.get(path).cloned()));
                self.standing.push(paths.map(change).filter(|(_, (old, new))| old != new).collect());
                self.undone.clear();
                self.files = after;
            }
            Edit::Undo => {
                let changed = self.standing.last()?.clone();
                self.swap(&changed, |(before, after)| (after, before))?;
                self.undone.extend(self.standing.pop());
            }
            Edit::Redo => {
                let changed = self.undone.last()?.clone();
                self.swap(&changed, |(before, after)| (before, after))?;
                self.standing.extend(self.undone.pop());
            }
            Edit::Restore(at) => {
                self.files = self.past[at % self.past.len()].clone();
                self.undone.clear();
            }
        }
        self.past.push(self.files.clone());
        Some(())
    }

    /// Puts the files of a change as they are to be, if they are as they must be.
    fn swap<'c>(
        &mut self,
        changed: &'c Changed,
        way: impl Fn(&'c (Option<String>, Option<String>)) -> (&'c Option<String>, &'c Option<String>),
    ) -> Option<()> {
        let as_it_must_be = changed.iter().all(|(path, texts)| self.files.get(path) == way(texts).0.as_ref());
        for (path, texts) in changed.iter().filter(|_| as_it_must_be) {
            match way(texts).1 {
                Some(text) => self.files.insert(path.clone(), text.clone()),
                None => self.files.remove(path),
            };
        }
        as_it_must_be.then_some(())
    }
}

const PATHS: [&str; 2] = ["tool.py", "usage.md"];
const TEXTS: [&str; 4] = ["a", "b", "c", "d"];

fn with(before: &Files, path: u8, text: u8, other: Option<u8>) -> Files {
    let mut after = before.clone();
    after.insert(PATHS[usize::from(path)].to_owned(), TEXTS[usize::from(text)].to_owned());
    after.extend(other.map(|text| ("new.md".to_owned(), TEXTS[usize::from(text)].to_owned())));
    after
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is done in whatever order: what stands is what the list says, back and forth is possible exactly where
    /// the list goes on, and what is refused changes no byte.
    #[test]
    fn steps_walk_the_list_of_the_model(walks in walks()) {
        let sql = Native::new();
        let workspace = Workspace::open(&sql).unwrap();
        let plain = Doing { workspace: &workspace, bundle: PLAIN };
        let mut model = List { places: vec![None], cursor: 0, past: Vec::new() };
        for walk in walks {
            let before = sql.bytes();
            let done = match &walk {
                Walk::Install(text) => plain.install(TEXTS[usize::from(*text)], &[]),
                Walk::Remove => plain.remove(),
                Walk::Back => plain.step(&Way::Back),
                Walk::Forth => plain.step(&Way::Forth),
                Walk::Restore(at) => plain.restore(&format!("rev_{}", at % model.past.len().max(1) + 1)),
            };
            let taken = model.take(&walk);
            prop_assert_eq!(done.is_ok(), taken.is_some(), "{:?}: {:?}", walk, done);
            let Ok(head) = done else {
                prop_assert!(sql.bytes() == before);
                continue;
            };
            let text = plain.files().map(|files| files["a"].clone());
            prop_assert_eq!(text.as_deref(), model.places[model.cursor].map(|text| TEXTS[usize::from(text)]));
            prop_assert_eq!(head.can_go_back, model.cursor > 0);
            prop_assert_eq!(head.can_go_forth, model.cursor + 1 < model.places.len());
            prop_assert_eq!(head.revision.id, format!("rev_{}", model.past.len()));
        }
    }

    /// Whatever is done in whatever order: undo takes the newest standing apply back in its files only, redo mirrors it
    /// until something else comes, neither overwrites what came after, and what is refused changes no byte.
    #[test]
    fn inverses_take_back_what_the_model_says(edits in edits()) {
        let sql = Native::new();
        let workspace = Workspace::open(&sql).unwrap();
        let tool = created(&workspace);
        let first = files(&[("tool.py", "a"), ("usage.md", "u")]);
        let mut model = Inverses { files: first.clone(), past: vec![first], ..Inverses::default() };
        for edit in edits {
            let before = sql.bytes();
            let (can_undo, can_redo) = (tool.can_undo(), tool.can_redo());
            let done = match &edit {
                Edit::Save(path, text) => tool.save(&changes(*path, *text, None)),
                Edit::Apply(path, text, other) => tool.apply(&changes(*path, *text, *other)),
                Edit::Undo => tool.undo(),
                Edit::Redo => tool.redo(),
                Edit::Restore(at) => tool.restore(&format!("rev_{}", at % model.past.len() + 1)),
            };
            match &edit {
                Edit::Undo => prop_assert_eq!(done.is_ok(), can_undo),
                Edit::Redo => prop_assert_eq!(done.is_ok(), can_redo),
                _ => {}
            }
            let taken = model.take(&edit);
            prop_assert_eq!(done.is_ok(), taken.is_some(), "{:?}: {:?}", edit, done);
            let Ok(head) = done else {
                prop_assert!(sql.bytes() == before);
                continue;
            };
            prop_assert_eq!(tool.files(), Some(model.files.clone()));
            prop_assert_eq!(&head.revision.id, &format!("rev_{}", model.past.len()));
            let (_, left) = workspace.revision("tool_1", &head.revision.id).unwrap();
            prop_assert_eq!(left.as_ref(), Some(&model.files));
        }
    }
}

fn changes(path: u8, text: u8, other: Option<u8>) -> Vec<(&'static str, &'static str)> {
    let one = (PATHS[usize::from(path)], TEXTS[usize::from(text)]);
    [one].into_iter().chain(other.map(|text| ("new.md", TEXTS[usize::from(text)]))).collect()
}

#[test]
fn the_models_refuse_for_the_reasons_of_the_store() {
    let sql = Native::new();
    let workspace = Workspace::open(&sql).unwrap();
    let plain = Doing { workspace: &workspace, bundle: PLAIN };
    assert_eq!(plain.step(&Way::Back), Err(WriteError::NotFound));
    assert_eq!(plain.restore("rev_1"), Err(WriteError::NotFound));
    assert_eq!(plain.remove(), Err(WriteError::NotFound));
}
