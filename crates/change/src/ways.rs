//! The ways into a workspace: there are no others (ENGINE §4, §5).
//!
//! A model's change comes in as [`Approved`], so a person signed it. Everything else is a person's own deed, or a
//! revision that stood before.

use holdpoint_bundle::Files;

use crate::{Approved, Facts, Person};

/// What a workspace is asked to write.
///
/// `R` is what the store says of a revision that stood: its ways back give one, and it keeps the parts of the type to
/// itself, so that no other crate makes one. It is a parameter because the store lies above this crate; its `write` takes
/// `Change<Restored>` with its own `Restored` and nothing else.
///
/// ```
/// mod store {
///     use holdpoint_change::Change;
///     pub struct Restored { about: i64 }
///     pub fn step() -> Restored { Restored { about: 7 } }
///     pub fn write(change: Change<Restored>) -> Option<i64> {
///         match change {
///             Change::Restored(Restored { about }) => Some(about),
///             _ => None,
///         }
///     }
/// }
/// use holdpoint_change::Change;
/// assert_eq!(store::write(Change::Restored(store::step())), Some(7));
/// ```
/// ```compile_fail
/// mod store {
///     use holdpoint_change::Change;
///     pub struct Restored { about: i64 }
///     pub fn step() -> Restored { Restored { about: 7 } }
///     pub fn write(change: Change<Restored>) -> Option<i64> {
///         match change {
///             Change::Restored(Restored { about }) => Some(about),
///             _ => None,
///         }
///     }
/// }
/// use holdpoint_change::Change;
/// assert_eq!(store::write(Change::Restored(store::Restored { about: 7 })), Some(7));
/// ```
pub enum Change<R> {
    /// A change that a person signed.
    Approved(Approved),
    Hand(Hand),
    Restored(R),
    /// Nothing: the bundle goes, its revisions stay.
    Removed(Person),
    /// Other facts of the bundle; its files stay.
    Facts(Facts, Person),
}

/// What a person wrote or brought, whole.
///
/// ```
/// # use holdpoint_change::*;
/// let by = Person::authenticated("ada");
/// let hand = Hand { files: Default::default(), facts: Facts::default(), cause: HandCause::Save, by };
/// ```
/// ```compile_fail
/// # use holdpoint_change::*;
/// let by = "ada".to_owned();
/// let hand = Hand { files: Default::default(), facts: Facts::default(), cause: HandCause::Save, by };
/// ```
pub struct Hand {
    pub files: Files,
    pub facts: Facts,
    pub cause: HandCause,
    pub by: Person,
}

/// Why a person's own text comes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandCause {
    /// The first files of a bundle.
    Create,
    Save,
    Import,
    Reset,
    /// A save and what came meanwhile, joined.
    Merge,
}
