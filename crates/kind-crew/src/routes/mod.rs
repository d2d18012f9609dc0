//! The routes of crew packages (spec: crew-package.md §7 "HTTP", ai-sessions.md §3).
//!
//! One list of rows a part, and two roots: `/packages/{project_id}` is an alias of `/projects/{project_id}` with the same
//! answers. Every answer is an envelope. Invariant: a path belongs to one part only, so parts may be asked in any order.

pub mod codes;
pub mod imports;
pub mod profile;
pub mod projects;
pub mod sessions;
pub mod turns;

use holdpoint_check::route::{Body, Errors, Found, Home, Method, PLAIN, Rate, Route, Table};

pub const PROJECTS: &str = "/projects";
/// The same under another name.
pub const PACKAGES: &str = "/packages";

/// Bytes of a JSON body (spec: ai-sessions.md §1 "Bodies").
pub const MAX_BODY: u64 = 4 << 20;
const BODY: Body = Body::Json(MAX_BODY);
/// The query of a list (spec: ai-sessions.md §3 "Pagination").
const PAGE: &[(&str, &str)] = &[("cursor", "`nextCursor` of the page before."), ("limit", "1 to 100; 50.")];

const READ: Route = Route { scope: Some("edit"), home: Home::Path("project_id"), spec: "crew-package.md §7", ..PLAIN };
/// A route that changes something and has no body.
const WRITE: Route = Route { method: Method::Post, rate: Rate::Writes, ..READ };

/// A route of crew packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrewRoute {
    Project(projects::Id),
    Import(imports::Id),
    Session(sessions::Id),
    Turn(turns::Id),
    Profile(profile::Id),
}

/// The row of a request; `None` where the path belongs to none of these.
pub fn find(method: &str, path: &str) -> Option<(Errors, Found<CrewRoute>)> {
    let mut owned = false;
    if let Some(found) = seen(&imports::TABLE, method, path, &mut owned) {
        return Some((Errors::Envelope, found.map(CrewRoute::Import)));
    }
    for ((projects, sessions), turns) in projects::TABLES.iter().zip(&sessions::TABLES).zip(&turns::TABLES) {
        if let Some(found) = seen(projects, method, path, &mut owned) {
            return Some((Errors::Envelope, found.map(CrewRoute::Project)));
        }
        if let Some(found) = seen(sessions, method, path, &mut owned) {
            return Some((Errors::Envelope, found.map(CrewRoute::Session)));
        }
        if let Some(found) = seen(turns, method, path, &mut owned) {
            return Some((Errors::Envelope, found.map(CrewRoute::Turn)));
        }
    }
    if let Some(found) = seen(&profile::TABLE, method, path, &mut owned) {
        return Some((Errors::Envelope, found.map(CrewRoute::Profile)));
    }
    owned.then_some((Errors::Envelope, Found::Nowhere))
}

fn seen<I: Copy>(table: &Table<I>, method: &str, path: &str, owned: &mut bool) -> Option<Found<I>> {
    if !table.owns(path) {
        return None;
    }
    *owned = true;
    let found = table.find(method, path);
    (!matches!(found, Found::Nowhere)).then_some(found)
}

/// Every row once, with what its path begins with: the alias says nothing new.
pub fn all() -> impl Iterator<Item = (&'static str, Errors, &'static Route)> {
    let projects = projects::TABLES[0].all().chain(imports::TABLE.all());
    let talk = sessions::TABLES[0].all().chain(turns::TABLES[0].all());
    projects.chain(talk).chain(profile::TABLE.all())
}

#[cfg(test)]
mod tests {
    use holdpoint_check::route::Found;

    use super::{CrewRoute, find, imports, projects};

    fn said(method: &str, path: &str) -> String {
        match find(method, path).map(|(_, found)| found) {
            None => "of nobody".to_owned(),
            Some(Found::Row(id, ..)) => format!("{id:?}"),
            Some(Found::Gone((code, _), _)) => code.to_owned(),
            Some(Found::NotAllowed) => "405".to_owned(),
            Some(Found::Nowhere) => "404".to_owned(),
        }
    }

    #[test]
    fn the_alias_leads_to_the_same_rows() {
        for (_, route) in projects::ROUTES {
            let filled = route.path.replace("{project_id}", "prj_1").replace(['{', '}'], "");
            let (project, package) = (format!("/projects{filled}"), format!("/packages{filled}"));
            assert_eq!(said(route.method.name(), &project), said(route.method.name(), &package), "{filled}");
        }
        assert_eq!(said("POST", "/packages/import"), format!("{:?}", CrewRoute::Import(imports::Id::Import)));
        assert_eq!(said("POST", "/projects/import"), "405", "an id that no project has");
    }

    #[test]
    fn the_draft_is_gone_for_every_method() {
        for root in ["/projects/p", "/packages/p"] {
            for below in ["", "/workflows/3"] {
                for method in ["GET", "POST", "PUT", "DELETE", "PATCH"] {
                    assert_eq!(said(method, &format!("{root}{below}/ai/step-draft")), "AI_STEP_DRAFT_DEPRECATED");
                }
            }
        }
    }

    #[test]
    fn what_is_not_there_is_an_envelope_too() {
        assert_eq!(said("GET", "/projects/p/nothing"), "404");
        assert_eq!(said("GET", "/users/me"), "404");
        assert_eq!(said("GET", "/projectsx"), "of nobody");
    }
}
