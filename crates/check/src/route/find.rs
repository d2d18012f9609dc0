//! From a method and a path to a row.

use percent_encoding::percent_decode_str;

use super::{Errors, Gone, Route};

/// The routes below one root.
#[derive(Debug, Clone, Copy)]
pub struct Table<I: 'static> {
    /// What all paths begin with.
    pub root: &'static str,
    /// How it says what went wrong, also of a path that is not there.
    pub errors: Errors,
    pub rows: &'static [(I, Route)],
}

/// What a request leads to.
#[derive(Debug)]
pub enum Found<I> {
    /// A row, and what stood in the places of its path.
    Row(I, &'static Route, Places),
    /// What is said, and whether pages of every origin may hear it.
    Gone(Gone, bool),
    /// The path is there, with other methods.
    NotAllowed,
    Nowhere,
}

/// What stood in the places of a path, decoded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places(Vec<(&'static str, String)>);

impl Places {
    /// What stood in a place; nothing where the path has no such place.
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(place, _)| *place == name).map_or("", |(_, text)| text)
    }
}

impl<I> Found<I> {
    /// The same under another id.
    pub fn map<J>(self, to: impl FnOnce(I) -> J) -> Found<J> {
        match self {
            Self::Row(id, route, places) => Found::Row(to(id), route, places),
            Self::Gone(gone, open) => Found::Gone(gone, open),
            Self::NotAllowed => Found::NotAllowed,
            Self::Nowhere => Found::Nowhere,
        }
    }
}

impl<I: Copy> Table<I> {
    pub const fn new(root: &'static str, errors: Errors, rows: &'static [(I, Route)]) -> Self {
        Self { root, errors, rows }
    }

    /// Every row, with what its path begins with and how it says what went wrong.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, Errors, &'static Route)> + use<I> {
        let (root, errors) = (self.root, self.errors);
        self.rows.iter().map(move |(_, route)| (root, errors, route))
    }

    /// Whether a path is below the root.
    pub fn owns(&self, path: &str) -> bool {
        path.strip_prefix(self.root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The row of a request. Where several paths fit, the one whose fixed words come first.
    pub fn find(&self, method: &str, path: &str) -> Found<I> {
        let Some(segments) = path.strip_prefix(self.root).and_then(segments) else { return Found::Nowhere };
        let fitting = |(id, route): &(I, Route)| Some((*id, places(route.path, &segments)?));
        let fits: Vec<_> = self.rows.iter().filter_map(|row| Some((fitting(row)?, &row.1))).collect();
        let Some(path) = fits.iter().map(|(_, route)| route.path).max_by_key(|path| fixed(path)) else {
            return Found::Nowhere;
        };
        for ((id, places), route) in fits {
            if route.path == path && (route.gone.is_some() || route.method.name() == method) {
                return route.gone.map_or(Found::Row(id, route, places), |gone| Found::Gone(gone, route.open));
            }
        }
        Found::NotAllowed
    }
}

/// The segments below a root, decoded; what cannot be decoded stays as it came, and names nothing. An empty segment is
/// none: a slash too many is another path.
fn segments(rest: &str) -> Option<Vec<String>> {
    if rest.is_empty() {
        return Some(Vec::new());
    }
    let decoded = |segment: &str| {
        let text = percent_decode_str(segment).decode_utf8();
        (!segment.is_empty()).then(|| text.map_or_else(|_| segment.to_owned(), Into::into))
    };
    rest.strip_prefix('/')?.split('/').map(decoded).collect()
}

/// Which words of a path are fixed, from the first on.
fn fixed(path: &str) -> Vec<bool> {
    path.split('/').map(|word| !word.starts_with('{')).collect()
}

/// What stands in the places of a path, where the segments fit it.
fn places(path: &'static str, segments: &[String]) -> Option<Places> {
    let mut places = Vec::new();
    let mut left = segments;
    for word in path.split('/').skip(1) {
        let (segment, rest) = left.split_first()?;
        let place = word.strip_prefix('{').and_then(|word| word.strip_suffix('}'));
        if let Some(name) = place.and_then(|name| name.strip_suffix('*')) {
            places.push((name, left.join("/")));
            return Some(Places(places));
        }
        match place {
            Some(name) => places.push((name, segment.clone())),
            None if segment == word => {}
            None => return None,
        }
        left = rest;
    }
    left.is_empty().then_some(Places(places))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Found, Table};
    use crate::route::{Errors, Method, PLAIN, Route};

    crate::routes! {
        Root => Route { path: "", ..PLAIN },
        Tools => Route { path: "/tools", ..PLAIN },
        Make => Route { path: "/tools", method: Method::Post, ..PLAIN },
        Tool => Route { path: "/tools/{id}", ..PLAIN },
        Drop => Route { path: "/tools/{id}", method: Method::Delete, ..PLAIN },
        Review => Route { path: "/tools/review", method: Method::Post, ..PLAIN },
        Old => Route { path: "/draft", gone: Some(("DRAFT_GONE", "Make a tool.")), ..PLAIN },
        Revision => Route { path: "/tools/{id}/revisions/{revision}", ..PLAIN },
        Model => Route { path: "/models/{id*}", ..PLAIN },
    }
    const TABLE: Table<Id> = Table::new("/api/v1", Errors::House, ROUTES);

    fn answer(method: &str, path: &str) -> String {
        match TABLE.find(method, path) {
            Found::Row(id, _, places) => {
                format!("{id:?} {}", places.0.iter().map(|(name, text)| format!("{name}={text}")).collect::<String>())
            }
            Found::Gone((code, _), _) => code.to_owned(),
            Found::NotAllowed => "405".to_owned(),
            Found::Nowhere => "404".to_owned(),
        }
    }

    #[test]
    fn a_request_leads_to_one_row() {
        let cases = [
            ("GET", "/api/v1", "Root "),
            ("GET", "/api/v1/tools", "Tools "),
            ("POST", "/api/v1/tools", "Make "),
            ("PUT", "/api/v1/tools", "405"),
            ("HEAD", "/api/v1/tools", "405"),
            ("GET", "/api/v1/tools/a", "Tool id=a"),
            ("DELETE", "/api/v1/tools/a", "Drop id=a"),
            ("GET", "/api/v1/tools/a/revisions/rev_1", "Revision id=arevision=rev_1"),
            ("GET", "/api/v1/tools/a/revisions", "404"),
            ("GET", "/api/v1/models/org/name", "Model id=org/name"),
            ("GET", "/api/v1/models", "404"),
        ];
        for (method, path, want) in cases {
            assert_eq!(answer(method, path), want, "{method} {path}");
        }
    }

    #[test]
    fn a_fixed_word_goes_before_a_place_with_all_its_methods() {
        assert_eq!(answer("POST", "/api/v1/tools/review"), "Review ");
        assert_eq!(answer("GET", "/api/v1/tools/review"), "405");
        assert_eq!(answer("DELETE", "/api/v1/tools/review"), "405");
    }

    #[test]
    fn what_is_gone_says_so_to_every_method() {
        for method in ["GET", "POST", "PATCH", "HEAD"] {
            assert_eq!(answer(method, "/api/v1/draft"), "DRAFT_GONE");
        }
    }

    #[test]
    fn segments_are_decoded_and_never_empty() {
        let cases = [
            ("/api/v1/tools/%61%20b", "Tool id=a b"),
            ("/api/v1/%74ools/a", "Tool id=a"),
            // A slash that is written as a code is part of its segment.
            ("/api/v1/tools/a%2frevisions", "Tool id=a/revisions"),
            ("/api/v1/tools/%ff", "Tool id=%ff"),
            ("/api/v1/tools/%zz", "Tool id=%zz"),
            ("/api/v1/", "404"),
            ("/api/v1//tools", "404"),
            ("/api/v1/tools/", "404"),
            ("/api/v1/tools//revisions/x", "404"),
            ("/api/v1/models/a//b", "404"),
            ("/api/v1/toolsy", "404"),
            ("/api/v1x/tools", "404"),
            ("/api", "404"),
        ];
        for (path, want) in cases {
            assert_eq!(answer("GET", path), want, "{path}");
        }
        assert!(TABLE.owns("/api/v1") && TABLE.owns("/api/v1/x") && !TABLE.owns("/api/v1x") && !TABLE.owns("/api"));
    }

    proptest! {
        #[test]
        fn whatever_stands_in_a_place_comes_out_of_it(text in "\\PC{1,20}") {
            let written: String = text.bytes().map(|byte| format!("%{byte:02x}")).collect();
            let Found::Row(_, _, places) = TABLE.find("DELETE", &format!("/api/v1/tools/{written}")) else {
                return Err(TestCaseError::reject("a fixed word"));
            };
            prop_assert_eq!(places.get("id"), text);
        }

        #[test]
        fn no_path_is_too_strange(method in "[A-Z]{0,6}", path in "[/%a-z0-9.{}*\\PC]{0,40}") {
            let found = TABLE.find(&method, &path);
            prop_assert!(TABLE.owns(&path) || matches!(found, Found::Nowhere));
        }
    }
}
