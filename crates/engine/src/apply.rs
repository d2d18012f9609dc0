//! The gate (DESIGN §3, ENGINE §4): what a person asks to be written is staged on what is stored, compared with what the
//! person saw, and written in one transaction.
//!
//! Invariants: nothing else signs, and nothing else writes what was signed; a refusal carries the fresh preview and leaves
//! the database as it was.

use holdpoint_bundle::{Files, text_hash};
use holdpoint_change::{Approved, Base, Person, Preview, Signature, Why, sign};
use holdpoint_check::ApiError;
use holdpoint_kind::{Given, Stage};
use holdpoint_store::workspace::{Beside, Bundle, By, Head, WriteError};
use holdpoint_store::{Sql, SqlError, Workspace};

/// The code of a choice of hunks that a change does not have.
const UNKNOWN_HUNK: &str = "UNKNOWN_HUNK";

/// What a person asks to be applied.
pub struct ApplyRequest<'a, K: Stage> {
    /// Its title and owner are those of a first write.
    pub bundle: Bundle<'a>,
    pub request: &'a K::Request,
    pub signature: &'a Signature,
    pub revision: SeenRevision<'a>,
    /// Texts that the person looked at, where they are sent: what the change touches must stand as it does there.
    pub texts: Option<&'a Files>,
    pub given: Given<'a>,
    /// The clock, and the turn that proposed the change.
    pub by: By<'a>,
}

/// Which revision the person must have looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeenRevision<'a> {
    /// The tokens alone say what was seen.
    Any,
    /// One that the bundle has or had.
    Known(&'a str),
    /// The newest; `None`: the bundle was never there.
    Newest(Option<&'a str>),
}

/// What was written, and what the person signed of it.
#[derive(Debug)]
pub struct Applied {
    pub head: Head,
    pub preview: Preview,
}

#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// The request alone is wrong.
    #[error("{}", .0.message)]
    Request(ApiError),
    #[error("this is not what was seen: look at the fresh preview")]
    Stale { why: Why, fresh: Box<Preview> },
    #[error("this has to be confirmed: look at its reasons")]
    NeedsConfirmation { fresh: Box<Preview> },
    #[error("this cannot be written: mend what the preview finds")]
    Invalid { fresh: Box<Preview> },
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl From<ApiError> for ApplyError {
    fn from(error: ApiError) -> Self {
        Self::Request(error)
    }
}

impl From<SqlError> for ApplyError {
    fn from(error: SqlError) -> Self {
        Self::Write(error.into())
    }
}

/// Stages the request on what is stored, signs and writes it. `beside` says what is written in the same transaction.
pub fn apply<'b, K: Stage, S: Sql>(
    workspace: &Workspace<S>,
    kind: &K,
    asked: &ApplyRequest<'_, K>,
    person: Person,
    beside: impl FnOnce(&Preview) -> Beside<'b>,
) -> Result<Applied, ApplyError> {
    let base = workspace.base(asked.bundle.id)?;
    let fresh = crate::preview(kind, base.clone(), asked.request, asked.given);
    let fresh = match fresh {
        Err(error) if error.code == UNKNOWN_HUNK => return Err(chosen_elsewhere(kind, &base, asked, error)?),
        fresh => fresh?,
    };
    let was_seen = match asked.revision {
        SeenRevision::Any => true,
        SeenRevision::Known(revision) => workspace.knows(asked.bundle.id, revision)?,
        SeenRevision::Newest(revision) => revision == base.revision.as_deref(),
    };
    let moved = |texts: &Files| !fresh.staged.moved(|path| texts.get(path).map(|text| text_hash(text))).is_empty();
    if !was_seen || asked.texts.is_some_and(moved) {
        return Err(ApplyError::Stale { why: Why::Base, fresh: Box::new(fresh) });
    }
    let approved: Approved = sign(fresh, asked.signature, person, K::BLOCKS).map_err(|(why, fresh)| {
        let fresh = Box::new(fresh);
        match why {
            Why::Confirmation => ApplyError::NeedsConfirmation { fresh },
            Why::Invalid => ApplyError::Invalid { fresh },
            why => ApplyError::Stale { why, fresh },
        }
    })?;
    let preview = approved.preview().clone();
    match workspace.apply(&asked.bundle, &base, approved, &asked.by, beside(&preview)) {
        Ok(head) => Ok(Applied { head, preview }),
        Err(WriteError::Token) => Err(ApplyError::NeedsConfirmation { fresh: Box::new(preview) }),
        Err(refused) => Err(refused.into()),
    }
}

/// A choice of hunks that this base does not have: where the base moved, the fresh preview shows all of them.
fn chosen_elsewhere<K: Stage>(
    kind: &K,
    base: &Base,
    asked: &ApplyRequest<'_, K>,
    error: ApiError,
) -> Result<ApplyError, ApiError> {
    let Some(whole) = kind.whole(asked.request) else { return Ok(error.into()) };
    let fresh = crate::preview(kind, base.clone(), &whole, asked.given)?;
    let texts = |path: &str| asked.texts.and_then(|texts| texts.get(path)).map(|text| text_hash(text));
    let moved = if asked.texts.is_some() {
        !fresh.staged.moved(texts).is_empty()
    } else {
        asked.signature.base() != fresh.staged.tokens.base.as_deref()
    };
    Ok(if moved { ApplyError::Stale { why: Why::Base, fresh: Box::new(fresh) } } else { error.into() })
}
