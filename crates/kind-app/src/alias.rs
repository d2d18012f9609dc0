//! Aliases of imports: those of the Vite configuration, and paths of TypeScript where a plugin makes them count (spec:
//! vite-app.md §5.3).

use serde_json::Value;

use crate::resolve::join;

#[derive(Debug, Clone, PartialEq)]
pub struct Alias {
    key: Key,
    targets: Vec<AliasTarget>,
    /// Where no target is there, what follows is asked.
    pub falls_through: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Key {
    /// The name itself and what lies below it.
    Prefix(String),
    /// What stands before and behind a `*`.
    Pattern(String, String),
    Exact(String),
}

/// Where an alias leads in the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AliasTarget {
    /// A path from the root of the project; `None`: above it.
    Path(Option<String>),
    /// Only a run of the configuration would know.
    Unknown,
}

impl Alias {
    /// `target`: from the root of the project; `None`: computed.
    pub fn prefix(key: String, target: Option<String>) -> Self {
        let target = target.map_or(AliasTarget::Unknown, |path| AliasTarget::Path(Some(path)));
        Self { key: Key::Prefix(key), targets: vec![target], falls_through: false }
    }

    /// Where a specifier leads, if the alias fits it.
    pub fn leads(&self, specifier: &str) -> Option<Vec<AliasTarget>> {
        let with = |rest: &str| {
            let lead = |target: &AliasTarget| match target {
                AliasTarget::Path(Some(path)) => AliasTarget::Path(join("", &path.replacen('*', rest, 1))),
                other => other.clone(),
            };
            self.targets.iter().map(lead).collect()
        };
        match &self.key {
            Key::Prefix(key) => {
                let rest = specifier.strip_prefix(key.as_str())?;
                let fits = rest.is_empty() || rest.starts_with('/') || key.ends_with('/');
                let below = |target: &AliasTarget| match target {
                    AliasTarget::Path(Some(path)) => AliasTarget::Path(join(path, rest)),
                    other => other.clone(),
                };
                fits.then(|| self.targets.iter().map(below).collect())
            }
            Key::Exact(key) => (specifier == key).then(|| with("")),
            Key::Pattern(start, end) => {
                let fits = specifier.len() >= start.len() + end.len();
                let rest = specifier.strip_prefix(start.as_str()).filter(|_| fits)?.strip_suffix(end.as_str())?;
                Some(with(rest))
            }
        }
    }

    fn weight(&self) -> (bool, usize) {
        match &self.key {
            Key::Exact(_) => (true, 0),
            Key::Pattern(start, _) | Key::Prefix(start) => (false, start.len()),
        }
    }
}

/// The aliases of `compilerOptions` of files that lie at the root; the first file that has a key decides what it means.
pub fn of_compiler_options<'v>(all: impl Iterator<Item = &'v Value>) -> Vec<Alias> {
    let mut aliases: Vec<Alias> = Vec::new();
    for options in all {
        let base = join("", options.get("baseUrl").and_then(Value::as_str).unwrap_or("."));
        let (Some(base), Some(paths)) = (base, options.get("paths").and_then(Value::as_object)) else { continue };
        for (key, targets) in paths {
            let texts = targets.as_array().into_iter().flatten().filter_map(Value::as_str);
            let targets = texts.map(|text| AliasTarget::Path(join(&base, text))).collect();
            let falls_through = key == "*";
            let key = match key.split_once('*') {
                Some((start, end)) => Key::Pattern(start.to_owned(), end.to_owned()),
                None => Key::Exact(key.clone()),
            };
            if aliases.iter().all(|alias| alias.key != key) {
                aliases.push(Alias { key, targets, falls_through });
            }
        }
    }
    // An exact key first, then the longest text before the `*`.
    aliases.sort_by_key(|alias| std::cmp::Reverse(alias.weight()));
    aliases
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn path(alias: &Alias, specifier: &str) -> Option<String> {
        alias.leads(specifier).map(|targets| match &targets[0] {
            AliasTarget::Path(path) => path.clone().unwrap_or_else(|| "outside".to_owned()),
            AliasTarget::Unknown => "unknown".to_owned(),
        })
    }

    #[test]
    fn keys_fit_themselves_and_what_lies_below() {
        let alias = Alias::prefix("@".to_owned(), Some("src".to_owned()));
        assert_eq!(path(&alias, "@/a"), Some("src/a".to_owned()));
        assert_eq!(path(&alias, "@"), Some("src".to_owned()));
        assert_eq!(path(&alias, "@acme/kit"), None);
        assert_eq!(path(&alias, "@/../../a"), Some("outside".to_owned()));
        let slashed = Alias::prefix("~/".to_owned(), None);
        assert_eq!(path(&slashed, "~/a"), Some("unknown".to_owned()));
    }

    #[test]
    fn paths_of_typescript_prefer_the_longer_key() {
        let options =
            json!({"baseUrl": "src", "paths": {"*": ["x/*"], "@/*": ["./*"], "@/ui/*": ["ui/*"], "one": ["a/one.ts"]}});
        let aliases = of_compiler_options([options].iter());
        let first = |specifier: &str| aliases.iter().find_map(|alias| path(alias, specifier)).unwrap();
        assert_eq!(first("@/ui/b"), "src/ui/b");
        assert_eq!(first("@/b"), "src/b");
        assert_eq!(first("one"), "src/a/one.ts");
        assert!(aliases.last().unwrap().falls_through);
    }
}
