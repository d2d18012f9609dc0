//! The one table of the kinds' routes: whoever answers them matches [`Id`] exhaustively.

use holdpoint_check::route::{Errors, Found, Route};

use crate::{ifc_extension, script_tool};

/// A route of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Id {
    IfcExtension(ifc_extension::routes::Id),
    ScriptTool(script_tool::routes::Id),
}

/// The row of a request; `None` where the path belongs to no kind.
pub fn find(method: &str, path: &str) -> Option<(Errors, Found<Id>)> {
    let (extensions, scripts) = (ifc_extension::routes::TABLE, script_tool::routes::TABLE);
    if extensions.owns(path) {
        return Some((extensions.errors, extensions.find(method, path).map(Id::IfcExtension)));
    }
    scripts.owns(path).then(|| (scripts.errors, scripts.find(method, path).map(Id::ScriptTool)))
}

/// Every row, with what its path begins with.
pub fn all() -> impl Iterator<Item = (&'static str, Errors, &'static Route)> {
    ifc_extension::routes::TABLE.all().chain(script_tool::routes::TABLE.all())
}
