//! The one table of the kinds' routes: whoever answers them matches [`Id`] exhaustively.

use holdpoint_check::route::{Errors, Found, Route};

use holdpoint_kind_app as vite_app;
use holdpoint_kind_crew as crew_package;
use holdpoint_kind_extension as ifc_extension;
use holdpoint_kind_script as script_tool;

/// A route of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Id {
    IfcExtension(ifc_extension::routes::Id),
    ScriptTool(script_tool::routes::Id),
    CrewPackage(crew_package::routes::CrewRoute),
    ViteApp(vite_app::routes::AppRoute),
}

/// The row of a request; `None` where the path belongs to no kind.
pub fn find(method: &str, path: &str) -> Option<(Errors, Found<Id>)> {
    let (extensions, scripts) = (ifc_extension::routes::TABLE, script_tool::routes::TABLE);
    if extensions.owns(path) {
        return Some((extensions.errors, extensions.find(method, path).map(Id::IfcExtension)));
    }
    if scripts.owns(path) {
        return Some((scripts.errors, scripts.find(method, path).map(Id::ScriptTool)));
    }
    if let Some((errors, found)) = vite_app::routes::find(method, path) {
        return Some((errors, found.map(Id::ViteApp)));
    }
    crew_package::routes::find(method, path).map(|(errors, found)| (errors, found.map(Id::CrewPackage)))
}

/// Every row, with what its path begins with.
pub fn all() -> impl Iterator<Item = (&'static str, Errors, &'static Route)> {
    let scripts = ifc_extension::routes::TABLE.all().chain(script_tool::routes::TABLE.all());
    scripts.chain(crew_package::routes::all()).chain(vite_app::routes::all())
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use holdpoint_check::route::{Body, Found, Home, Method, Table};

    use super::{Id, find};
    use crate::routes::{ifc_extension, script_tool, vite_app};
    use holdpoint_kind_crew::routes as crew;

    fn leads_to_its_rows<I: Copy + Debug + PartialEq>(table: Table<I>, of: impl Fn(I) -> Id) {
        for (id, route) in table.rows.iter().filter(|(_, route)| route.gone.is_none()) {
            let path: Vec<&str> =
                route.path.split('/').map(|word| if word.starts_with('{') { "x" } else { word }).collect();
            let path = format!("{}{}", table.root, path.join("/"));
            let found = find(route.method.name(), &path).map(|(_, found)| found);
            assert!(matches!(found, Some(Found::Row(other, ..)) if other == of(*id)), "{id:?}: {found:?}");
            assert!(route.scope.is_some() || route.body == Body::None, "{id:?} reads a body of nobody");
            match route.home {
                Home::Path(place) | Home::Unlisted(place) => {
                    assert!(route.path.contains(&format!("{{{place}}}")), "{id:?} has no {place}");
                }
                Home::Body(_) => assert!(matches!(route.body, Body::Json(_)), "{id:?} names its bundle in no body"),
                Home::New => assert_eq!(route.method, Method::Post, "{id:?} makes something"),
                Home::Slug(place) => assert!(route.open && route.path.contains(&format!("{{{place}}}")), "{id:?}"),
                Home::Account | Home::User => {}
                Home::Relay => panic!("{id:?} is no call of a model"),
            }
            assert_eq!(route.asks.is_some(), route.body != Body::None, "{id:?}: a body has a shape");
        }
    }

    #[test]
    fn every_row_is_found_by_its_own_path() {
        leads_to_its_rows(ifc_extension::routes::TABLE, Id::IfcExtension);
        leads_to_its_rows(script_tool::routes::TABLE, Id::ScriptTool);
        for table in crew::projects::TABLES {
            leads_to_its_rows(table, |id| Id::CrewPackage(crew::CrewRoute::Project(id)));
        }
        for table in crew::sessions::TABLES {
            leads_to_its_rows(table, |id| Id::CrewPackage(crew::CrewRoute::Session(id)));
        }
        for table in crew::turns::TABLES {
            leads_to_its_rows(table, |id| Id::CrewPackage(crew::CrewRoute::Turn(id)));
        }
        leads_to_its_rows(crew::imports::TABLE, |id| Id::CrewPackage(crew::CrewRoute::Import(id)));
        leads_to_its_rows(crew::profile::TABLE, |id| Id::CrewPackage(crew::CrewRoute::Profile(id)));
        leads_to_its_rows(vite_app::routes::ADMIN, |id| Id::ViteApp(vite_app::routes::AppRoute::Admin(id)));
        leads_to_its_rows(vite_app::routes::PUBLIC, |id| Id::ViteApp(vite_app::routes::AppRoute::Public(id)));
        assert!(find("GET", "/api/v1/others").is_none(), "what belongs to no kind");
    }
}
