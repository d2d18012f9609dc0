//! `GRAPH_LABEL_DUPLICATE`: two ways out of a node that are called the same, so that nobody can choose.

use std::collections::HashSet;

use holdpoint_check::{Diagnostic, args, codes};

use crate::documents::graph::Graph;

codes! {
    /// an earlier edge of the same source has the same trimmed label
    GRAPH_LABEL_DUPLICATE: Warning, "Give the way a label of its own: `{name}` leaves `{node}` already." [name, node];
}

pub fn check(graph: &Graph<'_>) -> Vec<Diagnostic> {
    let mut seen = HashSet::new();
    let again = graph.sound_edges().filter(|(_, edge)| !seen.insert((edge.from, edge.label.trim())));
    let finding = |at: usize, name: &str, node: &str| {
        Diagnostic::of(&GRAPH_LABEL_DUPLICATE, args! { name, node }).at_pointer(format!("/edges/{at}"))
    };
    again.map(|(at, edge)| finding(at, edge.label.trim(), edge.from)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::test::{found, graph};

    #[test]
    fn labels_of_one_source() {
        let mut value = graph(3, &[(0, 1), (0, 2), (1, 2), (0, 9), (0, 1)]);
        value["edges"][1]["label"] = json!(" x ");
        value["edges"][4]["label"] = json!("X");
        assert_eq!(found(&check(&Graph::of(&value))), "GRAPH_LABEL_DUPLICATE /edges/1");
    }
}
