//! The capability that a call needs, by its arguments (spec: ifc-sdk.md §4, ifc-extension.md §6.3 "Targets").
//!
//! A template of `sdk-v1.json` such as `model.mutate:{1}.{2}` is read once; [`Need::resolve`] puts arguments in. The
//! static rules give `None` for what they do not know, the run-time gate always knows.

use crate::capability::{
    Capability, CapabilityError, CatalogueEntry, Segment, Target, TargetKind, entry, is_format, parse,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need {
    Nothing,
    Fixed(Capability),
    /// One whose target comes from the arguments.
    Targeted {
        /// The row of the catalogue.
        entry: &'static CatalogueEntry,
        /// Where the target comes from.
        source: Source,
    },
}

/// Where a target comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Set and name of a property.
    Property(Part, Part),
    /// The ending of the file name in this argument.
    Ending(usize),
    /// The host of the URL in this argument.
    Host(usize),
    /// The command id in this argument. The bundle's own commands need nothing; the caller knows them.
    Command(usize),
}

/// A half of a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The same for all calls.
    Literal(String),
    /// The text in this argument.
    Argument(usize),
}

impl Need {
    /// Reads a template; `None` when it is none.
    pub(crate) fn read(template: Option<&str>) -> Option<Self> {
        let Some(template) = template else { return Some(Self::Nothing) };
        if !template.contains('{') {
            return parse(template).ok().map(Self::Fixed);
        }
        let (head, target) = template.split_once(':')?;
        let entry = entry(head)?;
        let index =
            |text: &str, tag: &str| text.strip_prefix('{')?.strip_suffix('}')?.strip_prefix(tag)?.parse::<usize>().ok();
        let part = |text: &str| index(text, "").map_or_else(|| Part::Literal(text.to_owned()), Part::Argument);
        let source = match entry.target? {
            TargetKind::Property => {
                let (set, name) = target.split_once('.')?;
                Source::Property(part(set), part(name))
            }
            TargetKind::Format => Source::Ending(index(target, "ext:")?),
            TargetKind::Host => Source::Host(index(target, "host:")?),
            TargetKind::Command => Source::Command(index(target, "")?),
        };
        Some(Self::Targeted { entry, source })
    }

    /// Indexes of the arguments that decide the target.
    pub fn arguments(&self) -> Vec<usize> {
        match self {
            Self::Nothing | Self::Fixed(_) => Vec::new(),
            Self::Targeted { source, .. } => match source {
                Source::Property(set, name) => [set, name].into_iter().filter_map(Part::argument).collect(),
                Source::Ending(index) | Source::Host(index) | Source::Command(index) => vec![*index],
            },
        }
    }

    /// The capability of a call. `argument` gives the text of an argument, `None` where it is not known: that half of
    /// the target is then everything. Without a known set the whole target is (`*`).
    ///
    /// Errors: an ending outside the catalogue, a URL without a public host, a text that is no command id.
    pub fn resolve(&self, argument: impl Fn(usize) -> Option<String>) -> Result<Option<Capability>, CapabilityError> {
        let (entry, source) = match self {
            Self::Nothing => return Ok(None),
            Self::Fixed(capability) => return Ok(Some(capability.clone())),
            Self::Targeted { entry, source } => (*entry, source),
        };
        let target = match source {
            Source::Property(set, name) => {
                let set = set.segment(&argument);
                let name = if set == Segment::Any { Segment::Any } else { name.segment(&argument) };
                Target::new(TargetKind::Property, vec![set, name])
            }
            Source::Ending(index) => match argument(*index) {
                None => Target::new(TargetKind::Format, vec![Segment::Any]),
                Some(file_name) => {
                    let ending = file_ending(&file_name);
                    if !is_format(&ending) {
                        return parse(&format!("{}:{}", entry.name, if ending.is_empty() { "?" } else { &ending }))
                            .map(Some);
                    }
                    Target::new(TargetKind::Format, vec![Segment::Literal(ending)])
                }
            },
            Source::Host(index) => {
                let host = argument(*index).map_or_else(|| "*".to_owned(), |url| url_host(&url).to_owned());
                return parse(&format!("{}:{}", entry.name, if host.is_empty() { "?" } else { &host })).map(Some);
            }
            Source::Command(index) => match argument(*index) {
                None => Target::new(TargetKind::Command, vec![Segment::Any]),
                Some(id) => Target::new(TargetKind::Command, vec![Segment::Literal(id)]),
            },
        };
        Ok(Some(Capability::of(entry, Some(target), None)))
    }
}

impl Part {
    fn argument(&self) -> Option<usize> {
        match self {
            Self::Literal(_) => None,
            Self::Argument(index) => Some(*index),
        }
    }

    fn segment(&self, argument: impl Fn(usize) -> Option<String>) -> Segment {
        match self {
            Self::Literal(text) => Segment::Literal(text.clone()),
            Self::Argument(index) => argument(*index).map_or(Segment::Any, Segment::Literal),
        }
    }
}

/// The text behind the last dot, in lower case; empty without a dot.
pub fn file_ending(file_name: &str) -> String {
    file_name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default()
}

/// What stands between `https://` and the next `/`, `?`, `#`; empty for another scheme.
pub fn url_host(url: &str) -> &str {
    url.strip_prefix("https://").and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use crate::members::sdk;

    fn need(namespace: &str, method: &str, args: &[Option<&str>]) -> Result<String, String> {
        let need = &sdk().method(namespace, method).unwrap().need;
        match need.resolve(|index| args.get(index).copied().flatten().map(str::to_owned)) {
            Ok(found) => Ok(found.map(|capability| capability.canonical().to_owned()).unwrap_or_default()),
            Err(fault) => Err(fault.finding.code.into_owned()),
        }
    }

    #[test]
    fn targets_from_arguments() {
        let cases = [
            (("query", "all", vec![]), Ok("model.read")),
            (("mutate", "undo", vec![]), Ok("")),
            (("mutate", "setProperty", vec![None, Some("A"), Some("B c")]), Ok("model.mutate:A.\"B c\"")),
            (("mutate", "setProperty", vec![None, Some("A"), None]), Ok("model.mutate:A.*")),
            (("mutate", "setProperty", vec![None, None, Some("B")]), Ok("model.mutate:*")),
            (("mutate", "setAttribute", vec![None, Some("Name")]), Ok("model.mutate:Attribute.Name")),
            (("store", "setPositionalAttribute", vec![]), Ok("model.mutate:*")),
            (("export", "download", vec![None, Some("a.b.CSV")]), Ok("export.create:csv")),
            (("export", "download", vec![None, None]), Ok("export.create:*")),
            (("export", "download", vec![None, Some("a.exe")]), Err("CAPABILITY_TARGET_INVALID")),
            (("export", "download", vec![None, Some("csv")]), Err("CAPABILITY_TARGET_INVALID")),
        ];
        for ((namespace, method, args), want) in cases {
            let have = need(namespace, method, &args);
            assert_eq!(have.as_deref().map_err(String::as_str), want, "{namespace}.{method} {args:?}");
        }
    }
}
