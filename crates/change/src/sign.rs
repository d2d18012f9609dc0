//! Signing: the only way from a preview to an approval (DESIGN §3, ENGINE §4).
//!
//! Compares what a person named with what a fresh preview says, member by member and exactly: a member that the preview
//! has and the signature lacks is another one. Invariant: a refusal gives back the preview that it was given.
//!
//! The comparisons take the time they take: every token here is a hash of what the signer saw, so there is nothing to
//! learn from how long one takes. A token that is a secret is [`Confirm::Issued`], and the store looks that one up.

use holdpoint_check::Report;
use holdpoint_text::ConflictReason;

use crate::{Confirm, Person, Preview, Signature, Staged};

/// A change that a person signed, good for one write.
///
/// ```
/// # use holdpoint_change::*;
/// # fn look() -> (Preview, Signature) {
/// #     let staged = Staged { after: Some(Default::default()), ..Staged::default() };
/// #     let report = holdpoint_check::Report::new(Vec::new(), serde_json::Value::Null);
/// #     (Preview { staged, report }, serde_json::from_str("{}").unwrap())
/// # }
/// let (preview, signature) = look();
/// let approved: Approved = sign(preview, &signature, Person::authenticated("ada"), true).ok().unwrap();
/// ```
/// ```compile_fail
/// # use holdpoint_change::*;
/// # fn look() -> (Preview, Signature) {
/// #     let staged = Staged { after: Some(Default::default()), ..Staged::default() };
/// #     let report = holdpoint_check::Report::new(Vec::new(), serde_json::Value::Null);
/// #     (Preview { staged, report }, serde_json::from_str("{}").unwrap())
/// # }
/// let (preview, signature) = look();
/// let approved: Approved = Approved { preview, by: Person::authenticated("ada"), claim: None };
/// ```
///
/// As a [`Person`], it neither goes out nor comes in nor is copied; what it approves may.
///
/// ```
/// # use holdpoint_change::*;
/// fn is_copied<T: Clone>() {}
/// is_copied::<Preview>();
/// ```
/// ```compile_fail
/// # use holdpoint_change::*;
/// fn is_copied<T: Clone>() {}
/// is_copied::<Approved>();
/// ```
/// ```compile_fail
/// # use holdpoint_change::*;
/// fn goes_out<T: serde::Serialize>() {}
/// goes_out::<Approved>();
/// ```
/// ```compile_fail
/// # use holdpoint_change::*;
/// fn comes_in<T: serde::de::DeserializeOwned>() {}
/// comes_in::<Approved>();
/// ```
#[must_use = "an approval that is not written changes nothing"]
pub struct Approved {
    preview: Preview,
    by: Person,
    claim: Option<String>,
}

impl Approved {
    pub fn preview(&self) -> &Preview {
        &self.preview
    }

    /// The change; its `after` is there.
    pub fn staged(&self) -> &Staged {
        &self.preview.staged
    }

    /// What the check said of it.
    pub fn report(&self) -> &Report {
        &self.preview.report
    }

    pub fn by(&self) -> &Person {
        &self.by
    }

    /// The issued token that the write must spend for this user, in its own transaction.
    pub fn claim(&self) -> Option<&str> {
        self.claim.as_deref()
    }
}

/// Why a signature does not count, in the order in which it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The base is not the one that was seen.
    Base,
    /// The change is another one.
    Patch,
    Result,
    /// A confirmation is missing or is that of another preview.
    Confirmation,
    /// There is nothing to write: the change cannot be made (asked right behind the base, for it has no other names),
    /// or its result has errors and errors block (asked last).
    Invalid,
}

impl Why {
    /// `details.reason` of a conflict; `None` where the refusal is none.
    pub fn conflict(self) -> Option<ConflictReason> {
        match self {
            Self::Base => Some(ConflictReason::BaseChanged),
            Self::Patch => Some(ConflictReason::PatchChanged),
            Self::Result => Some(ConflictReason::ResultChanged),
            Self::Confirmation | Self::Invalid => None,
        }
    }
}

/// Approves what `by` signed, if it is what `fresh` shows; `blocks`: errors of the report refuse. A kind whose spec
/// answers errors before stale tokens finds them in the report of the preview that comes back.
///
/// An issued token is only noted: the write spends it or answers that a confirmation is needed.
pub fn sign(fresh: Preview, signature: &Signature, by: Person, blocks: bool) -> Result<Approved, (Why, Preview)> {
    if let Some(why) = refusal(&fresh, signature, blocks) {
        return Err((why, fresh));
    }
    let issued = fresh.staged.confirm == Confirm::Issued;
    Ok(Approved { claim: signature.confirm.clone().filter(|_| issued), preview: fresh, by })
}

fn refusal(fresh: &Preview, signature: &Signature, blocks: bool) -> Option<Why> {
    let Preview { staged, report } = fresh;
    if signature.base != staged.tokens.base {
        Some(Why::Base)
    } else if staged.after.is_none() {
        Some(Why::Invalid)
    } else if signature.patch != staged.tokens.patch {
        Some(Why::Patch)
    } else if signature.result != staged.tokens.result {
        Some(Why::Result)
    } else if !is_confirmed(staged, signature) {
        Some(Why::Confirmation)
    } else if blocks && !report.ok {
        Some(Why::Invalid)
    } else {
        None
    }
}

fn is_confirmed(staged: &Staged, signature: &Signature) -> bool {
    let token = match &staged.confirm {
        Confirm::None => staged.reasons.is_empty(),
        Confirm::Derived(token) => signature.confirm.as_ref() == Some(token),
        Confirm::Issued => signature.confirm.as_ref().is_some_and(|claim| !claim.is_empty()),
    };
    token && (staged.typed.is_none() || signature.typed == staged.typed)
}

#[cfg(test)]
mod tests;
