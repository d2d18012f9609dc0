//! What was said on the way to what is installed, and what happened to everything that is or was (spec: authoring.md §9.1
//! "Conversation").
//!
//! Invariants: words are written with the revision that they led to, or not at all; they are shown to their user only, go
//! with their extension, and stand in no log.

use holdpoint_change::Facts;
use holdpoint_kind::Kind;
use holdpoint_kind_extension::IfcExtension;
use holdpoint_kind_extension::conversation::{Conversation, ConversationTurn, entries, turns};
use holdpoint_kind_extension::wire::{HistoryEntry, ToldChange};
use holdpoint_store::session::{self, ToldSession, ToldTurn};
use holdpoint_store::workspace::{self, WriteError};
use holdpoint_store::{Page, Sql, Workspace};
use serde_json::json;

use super::{fault, granted, revision};
use crate::answer::EdgeError;

/// What is spoken in the run of a page.
const PROTOCOL: &str = "run";

/// What was said on the way to a change, as the store takes it.
pub(super) struct Words<'t> {
    change: &'t str,
    turns: Vec<ToldTurn>,
}

impl<'t> Words<'t> {
    pub fn new(talk: &'t Conversation) -> Self {
        Self { change: &talk.change.change, turns: turns(&talk.entries).into_iter().map(stored).collect() }
    }

    pub fn session(&self) -> ToldSession<'_> {
        ToldSession { protocol: PROTOCOL, correlation: self.change, turns: &self.turns }
    }
}

/// What led to the revisions of an extension, newest first.
pub fn conversation_of<S: Sql>(
    workspace: &Workspace<S>,
    (id, user): (&str, &str),
    cursor: Option<&str>,
    limit: u32,
) -> Result<Page<ToldChange>, EdgeError> {
    workspace.head(id)?.ok_or_else(|| fault(WriteError::NotFound))?;
    let sessions = workspace.sessions(0);
    let page = match sessions.told((id, user), PROTOCOL, cursor, limit) {
        Err(WriteError::Cursor) => sessions.told((id, user), PROTOCOL, None, limit),
        page => page,
    };
    let page = page.map_err(fault)?;
    let items = page.items.into_iter().map(|change| shown(workspace, id, change)).collect::<Result<_, _>>()?;
    Ok(Page { items, next_cursor: page.next_cursor })
}

/// What happened to everything that is or was installed, newest first.
pub fn history<S: Sql>(
    workspace: &Workspace<S>,
    cursor: Option<&str>,
    limit: u32,
) -> Result<Page<HistoryEntry>, EdgeError> {
    let page = match workspace.history(IfcExtension::ID, cursor, limit) {
        Err(WriteError::Cursor) => workspace.history(IfcExtension::ID, None, limit),
        page => page,
    };
    Ok(page.map_err(fault)?.map(|(extension, change)| entry(extension, change)))
}

fn shown<S: Sql>(workspace: &Workspace<S>, id: &str, change: session::ToldChange) -> Result<ToldChange, EdgeError> {
    let (led, _) = workspace.revision(id, &change.revision).map_err(fault)?;
    let facts = granted(&led.facts).change.unwrap_or_default();
    let said: Vec<ConversationTurn> = change.turns.into_iter().map(told).collect();
    Ok(ToldChange {
        conversation: Conversation { change: facts, entries: entries(&said) },
        signed: entry(id.to_owned(), led),
    })
}

fn entry(extension: String, change: workspace::Revision) -> HistoryEntry {
    // What was taken away is named by what stood before.
    let facts: &Facts =
        if change.stands { &change.facts } else { change.facts_before.as_ref().unwrap_or(&change.facts) };
    let facts = granted(facts);
    let (told, granted) = if change.stands { (facts.change, facts.granted) } else { (None, Vec::new()) };
    let told = told.filter(|_| change.cause == workspace::Cause::Apply);
    HistoryEntry {
        name: if facts.name.is_empty() { extension.clone() } else { facts.name },
        extension,
        granted,
        number: told.as_ref().map(|told| told.number),
        change: told.as_ref().map(|told| told.change.clone()),
        spent: told.and_then(|told| told.spent),
        revision: revision(change),
    }
}

fn stored(said: ConversationTurn) -> ToldTurn {
    let at = i64::try_from(said.at).unwrap_or(i64::MAX);
    ToldTurn { at, said: said.words, answer: said.answer, record: json!(said.record).to_string() }
}

fn told(turn: ToldTurn) -> ConversationTurn {
    ConversationTurn {
        at: u64::try_from(turn.at).unwrap_or_default(),
        words: turn.said,
        answer: turn.answer,
        record: serde_json::from_str(&turn.record).unwrap_or_default(),
    }
}
