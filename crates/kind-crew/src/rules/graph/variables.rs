//! `GRAPH_VARIABLE_UNSET`: a condition that reads what nothing sets.

use std::collections::{BTreeSet, HashSet};

use holdpoint_check::{Diagnostic, args, codes};
use serde_json::Value;

use crate::documents::graph::Graph;

codes! {
    /// a variable that neither the document nor a step sets
    GRAPH_VARIABLE_UNSET: Warning, "Set `{name}` in a step's `setsVariables` or in the document's `variables`." [name];
}

/// Findings with pointers; one a variable and edge.
#[allow(clippy::implicit_hasher)] // sets of names have one hasher
pub fn check(graph: &Graph<'_>, set: &HashSet<&str>) -> Vec<Diagnostic> {
    let finding = |at: usize, name: &str| {
        Diagnostic::of(&GRAPH_VARIABLE_UNSET, args! { name }).at_pointer(format!("/edges/{at}/conditionExpr"))
    };
    let conditions = graph.sound_edges().filter_map(|(at, edge)| Some((at, edge.condition?)));
    let unset = conditions.flat_map(|(at, condition)| read(condition).into_iter().map(move |name| (at, name)));
    unset.filter(|(_, name)| !set.contains(name)).map(|(at, name)| finding(at, name)).collect()
}

/// The variables that a condition reads: each `var`, a text or the first item of a list, up to its first dot.
pub fn read(condition: &Value) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    let mut waiting = vec![condition];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(items) => waiting.extend(items),
            Value::Object(members) => {
                names.extend(named(value));
                waiting.extend(members.iter().map(|(_, value)| value));
            }
            _ => {}
        }
    }
    names
}

/// The variable that an object reads itself.
pub fn named(value: &Value) -> Option<&str> {
    let name = value.get("var")?;
    let name = name.get(0).unwrap_or(name).as_str()?;
    name.split('.').next().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::test::{found, graph};

    #[test]
    fn variables_of_a_condition() {
        let cases = [
            (json!({"var": "a.b.c"}), vec!["a"]),
            (json!({"and": [{"==": [{"var": ["b", 1]}, {"var": "a"}]}, {"!": {"var": "c"}}]}), vec!["a", "b", "c"]),
            (json!({"var": ""}), vec![]),
            (json!({"var": 3}), vec![]),
            (json!({"var": []}), vec![]),
            (json!({"var": [{"var": "x"}]}), vec!["x"]),
            (json!({"vars": "a", "x": "var"}), vec![]),
            (json!({}), vec![]),
        ];
        for (condition, want) in cases {
            assert_eq!(read(&condition).into_iter().collect::<Vec<_>>(), want, "{condition}");
        }
    }

    #[test]
    fn what_is_read_is_set() {
        let mut value = graph(2, &[(0, 1), (0, 9), (1, 1)]);
        for edge in value["edges"].as_array_mut().unwrap() {
            edge["conditionExpr"] = json!({"or": [{"var": "a"}, {"var": "b.x"}, {"var": "b.y"}]});
        }
        let graph = Graph::of(&value);
        assert_eq!(found(&check(&graph, &HashSet::from(["a", "b"]))), "");
        let want = "GRAPH_VARIABLE_UNSET /edges/0/conditionExpr, GRAPH_VARIABLE_UNSET /edges/2/conditionExpr";
        assert_eq!(found(&check(&graph, &HashSet::from(["a"]))), want);
    }
}
