//! `covers` against a matcher that knows nothing of segments: it spells every target out and asks for each one
//! (spec: ifc-extension.md §3.3).
#![allow(clippy::unwrap_used)] // a test stops where its ground gives way

use holdpoint_sdk::capability::parse;
use proptest::prelude::*;

/// A part of a target as a person writes it, and as a set of names.
#[derive(Debug, Clone)]
enum Part {
    Any,
    Prefix(String),
    Name(String),
}

impl Part {
    fn has(&self, name: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Prefix(lead) => name.starts_with(lead.as_str()),
            Self::Name(own) => own == name,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Any => "*".to_owned(),
            Self::Prefix(lead) => format!("{lead}*"),
            Self::Name(own) => own.clone(),
        }
    }
}

/// Names of patterns are made of `a` and `B`; the letter `c` stands for everything that no pattern names.
const LETTERS: [char; 3] = ['a', 'B', 'c'];
/// One letter more than the longest name of a pattern.
const LONGEST: usize = 3;

/// Every name of up to [`LONGEST`] letters.
fn names() -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut last = vec![String::new()];
    for _ in 0..LONGEST {
        last = last.iter().flat_map(|lead| LETTERS.map(|letter| format!("{lead}{letter}"))).collect();
        all.extend(last.clone());
    }
    all
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        1 => Just(Part::Any),
        3 => "[aB]{1,2}".prop_map(Part::Prefix),
        3 => "[aB]{1,2}".prop_map(Part::Name),
    ]
}

fn covers(grant: &str, request: &str) -> bool {
    parse(grant).unwrap().covers(&parse(request).unwrap())
}

proptest! {
    #[test]
    fn properties(set in part(), name in part(), wanted_set in part(), wanted_name in part()) {
        let head = "model.mutate";
        let grant = format!("{head}:{}.{}", set.text(), name.text());
        let request = format!("{head}:{}.{}", wanted_set.text(), wanted_name.text());
        let all = names();
        let mut want = true;
        for one in all.iter().filter(|one| wanted_set.has(one)) {
            for other in all.iter().filter(|other| wanted_name.has(other)) {
                want &= set.has(one) && name.has(other);
            }
        }
        prop_assert_eq!(covers(&grant, &request), want, "{} for {}", grant, request);
    }

    #[test]
    fn commands(own in "[aB](\\.[aB]){0,2}(\\.\\*)?|\\*", wanted in "[aB](\\.[aB]){0,2}(\\.\\*)?|\\*") {
        let has = |pattern: &str, id: &str| match pattern.strip_suffix('*') {
            Some(lead) => id.starts_with(lead),
            None => pattern == id,
        };
        let names = LETTERS.map(String::from);
        let longer = |ids: &[String]| -> Vec<String> {
            ids.iter().flat_map(|id| names.iter().map(move |name| format!("{id}.{name}"))).collect()
        };
        let mut ids = names.to_vec();
        let mut last = ids.clone();
        for _ in 0..3 {
            last = longer(&last);
            ids.extend(last.clone());
        }
        let want = ids.iter().filter(|id| has(&wanted, id)).all(|id| has(&own, id));
        let (grant, request) = (format!("command.invoke:{own}"), format!("command.invoke:{wanted}"));
        prop_assert_eq!(covers(&grant, &request), want, "{} for {}", grant, request);
    }

    #[test]
    fn hosts_are_equal_but_for_case(own in "[aB]{1,2}\\.[aB]{2}", wanted in "[aB]{1,2}\\.[aB]{2}") {
        let (grant, request) = (format!("network.fetch:{own}"), format!("network.fetch:{wanted}"));
        prop_assert_eq!(covers(&grant, &request), own.eq_ignore_ascii_case(&wanted));
    }
}

#[test]
fn another_action_is_never_covered() {
    let heads = ["model.read", "model.delete", "viewer.read", "model.mutate:*", "export.create:*", "command.invoke:*"];
    for grant in heads {
        for request in heads {
            assert_eq!(covers(grant, request), grant == request, "{grant} for {request}");
        }
    }
}
