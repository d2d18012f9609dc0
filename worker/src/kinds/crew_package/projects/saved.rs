//! Who changed what of a package since somebody looked, and when: told with every conflict (spec: crew-package.md §7
//! "HTTP", §10.1 step 3).

use holdpoint_kind_crew::wire::projects::Revision;
use holdpoint_store::Workspace;
use holdpoint_store::workspace;

use super::perform::fault;
use super::shown::revision;
use crate::answer::EdgeError;
use crate::sql::ObjectSql;

const MOST: usize = 20;
/// Revisions that are looked through.
const MAX_LOOKED_THROUGH: usize = 400;
const PAGE: u32 = 100;

/// The newest revisions down to the last one that somebody saw, as far as they touch what that is about.
pub fn saved(
    workspace: &Workspace<ObjectSql>,
    id: &str,
    was_seen: impl Fn(&workspace::Revision) -> bool,
    touches: impl Fn(&workspace::Revision) -> bool,
) -> Result<Vec<Revision>, EdgeError> {
    let (mut found, mut looked, mut cursor) = (Vec::new(), 0, None::<String>);
    while looked < MAX_LOOKED_THROUGH {
        let page = workspace.revisions(id, cursor.as_deref(), PAGE).map_err(fault)?;
        looked += page.items.len();
        for one in page.items {
            if was_seen(&one) || found.len() == MOST {
                return Ok(found);
            }
            if touches(&one) {
                found.push(revision(one));
            }
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    Ok(found)
}
