//! What the tests of a project do in a line: bundles, signed changes, ways back.

use holdpoint_bundle::{content_hash, text_hash};
use holdpoint_change::{
    Approved, Base, Change, Confirm, Facts, Hand, HandCause, Person, Preview, Signature, Staged, Tokens, Unit, sign,
};
use holdpoint_check::Report;
use holdpoint_store::workspace::{Asked, Bundle, By, Files, Head, OnLater, Restored, Way, Workspace, WriteError};
use holdpoint_store::{Sql, SqlError};
use serde_json::{Value, json};

/// A script of ann's.
pub const TOOL: Bundle<'static> =
    Bundle { id: "tool_1", kind: "notes", title: "Doors", owner: "ann", account: Some("acme") };
/// A bundle that no account lists.
pub const PLAIN: Bundle<'static> = Bundle { id: "plain", kind: "notes", title: "plain", owner: "ann", account: None };

pub const BY: By<'static> = By { user: "ann", now: 1_000, asked: None };
/// A write that the turn `c1` proposed.
pub const ASKED: By<'static> =
    By { user: "ann", now: 1_000, asked: Some(Asked { protocol: "edit-ops", correlation: "c1" }) };

pub fn files(pairs: &[(&str, &str)]) -> Files {
    pairs.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

pub fn ann() -> Person {
    Person::authenticated("ann")
}

/// A signed change to these files, with the paths that differ as its units.
pub fn signed(base: &Base, after: Files, facts: Value) -> Change<Restored> {
    let before = base.files.clone().unwrap_or_default();
    let paths = before.keys().chain(after.keys());
    let hash = |files: &Files, path: &str| files.get(path).map(|text| text_hash(text));
    let unit = |path: &String| Unit { key: path.clone(), before: hash(&before, path), after: hash(&after, path) };
    let units = paths.map(unit).filter(|unit| unit.before != unit.after).collect();
    change(Staged { base: base.clone(), after: Some(after), facts: Facts(facts), units, ..Staged::default() })
}

/// A signed change of the whole bundle.
pub fn signed_whole(base: &Base, after: Files, facts: Value) -> Change<Restored> {
    let unit = Unit {
        key: Unit::WHOLE.to_owned(),
        before: base.files.as_ref().map(content_hash),
        after: Some(content_hash(&after)),
    };
    change(Staged {
        base: base.clone(),
        after: Some(after),
        facts: Facts(facts),
        units: vec![unit],
        ..Staged::default()
    })
}

/// Signs what is staged.
pub fn change(staged: Staged) -> Change<Restored> {
    let tokens = Tokens { base: Some("b".to_owned()), patch: Some("p".to_owned()), result: Some("r".to_owned()) };
    let claim = (staged.confirm == Confirm::Issued).then_some("claim");
    let preview = Preview { staged: Staged { tokens, ..staged }, report: Report::new(vec![], Value::Null) };
    let seen = json!({"base_hash": "b", "patch_id": "p", "result_hash": "r", "confirm_token": claim});
    let signature: Signature = serde_json::from_value(seen).unwrap();
    Change::Approved(sign(preview, &signature, ann(), true).ok().unwrap())
}

/// What stands signed in a change.
pub fn approved(change: Change<Restored>) -> Approved {
    match change {
        Change::Approved(approved) => approved,
        _ => panic!("nobody signed it"),
    }
}

pub fn hand(cause: HandCause, files: Files) -> Change<Restored> {
    Change::Hand(Hand { files, facts: Facts::default(), cause, by: ann() })
}

/// What a person does to a bundle, each on what stands.
pub struct Doing<'w, S> {
    pub workspace: &'w Workspace<S>,
    pub bundle: Bundle<'w>,
}

impl<S: Sql> Doing<'_, S> {
    pub fn base(&self) -> Base {
        self.workspace.base(self.bundle.id).unwrap()
    }

    pub fn write(&self, change: Change<Restored>) -> Result<Head, WriteError> {
        self.workspace.write(&self.bundle, &self.base_or()?, change, &BY)
    }

    /// Installs files with grants.
    pub fn install(&self, text: &str, granted: &[&str]) -> Result<Head, WriteError> {
        let base = self.base_or()?;
        let change = signed_whole(&base, files(&[("a", text), ("readme", "same")]), json!({"granted": granted}));
        self.workspace.write(&self.bundle, &base, change, &BY)
    }

    /// Applies what a turn proposed.
    pub fn apply(&self, pairs: &[(&str, &str)]) -> Result<Head, WriteError> {
        let base = self.base_or()?;
        let mut after = base.files.clone().unwrap_or_default();
        after.extend(files(pairs));
        let change = signed(&base, after, json!({"verdict": "apply"}));
        self.workspace.write(&self.bundle, &base, change, &ASKED)
    }

    pub fn save(&self, pairs: &[(&str, &str)]) -> Result<Head, WriteError> {
        let base = self.base_or()?;
        let mut after = base.files.clone().unwrap_or_default();
        after.extend(files(pairs));
        self.workspace.write(&self.bundle, &base, hand(HandCause::Save, after), &BY)
    }

    pub fn step(&self, way: &Way) -> Result<Head, WriteError> {
        self.write(Change::Restored(self.workspace.step(self.bundle.id, way)?))
    }

    pub fn restore(&self, revision: &str) -> Result<Head, WriteError> {
        self.step(&Way::Revision(revision.to_owned()))
    }

    /// Takes the newest standing apply back.
    pub fn undo(&self) -> Result<Head, WriteError> {
        self.inverse(self.workspace.standing(self.bundle.id)?, "undo")
    }

    /// Takes the newest undo back.
    pub fn redo(&self) -> Result<Head, WriteError> {
        self.inverse(self.workspace.taken_back(self.bundle.id)?, "redo")
    }

    fn inverse(&self, of: Option<String>, word: &'static str) -> Result<Head, WriteError> {
        let of = of.ok_or(WriteError::NothingTo(word))?;
        self.write(Change::Restored(self.workspace.inverse(self.bundle.id, &of, OnLater::Refuse)?))
    }

    pub fn remove(&self) -> Result<Head, WriteError> {
        self.write(Change::Removed(ann()))
    }

    pub fn facts(&self, facts: Value) -> Result<Head, WriteError> {
        self.write(Change::Facts(Facts(facts), ann()))
    }

    pub fn can_undo(&self) -> bool {
        let of = self.workspace.standing(self.bundle.id).unwrap();
        of.is_some_and(|of| self.workspace.inverse(self.bundle.id, &of, OnLater::Refuse).is_ok())
    }

    pub fn can_redo(&self) -> bool {
        let of = self.workspace.taken_back(self.bundle.id).unwrap();
        of.is_some_and(|of| self.workspace.inverse(self.bundle.id, &of, OnLater::Refuse).is_ok())
    }

    pub fn files(&self) -> Option<Files> {
        self.workspace.files(self.bundle.id).unwrap()
    }

    /// Causes of all revisions, newest first.
    pub fn causes(&self) -> Vec<&'static str> {
        let page = self.workspace.revisions(self.bundle.id, None, 500).unwrap();
        page.items.iter().map(|revision| revision.cause.as_str()).collect()
    }

    fn base_or(&self) -> Result<Base, SqlError> {
        self.workspace.base(self.bundle.id)
    }
}

/// The script of the tests, with its first files.
pub fn created<S: Sql>(workspace: &Workspace<S>) -> Doing<'_, S> {
    let tool = Doing { workspace, bundle: TOOL };
    tool.write(hand(HandCause::Create, files(&[("tool.py", "a"), ("usage.md", "u")]))).unwrap();
    tool
}
