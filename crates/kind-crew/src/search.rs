//! Searching a whole package: every text file, every line (spec: crew-package.md §7).
//!
//! Owns what counts as a hit and which object it stands in; ranks nothing. Invariants: letter case does not count; hits come
//! by path, then by place; binary assets are not looked into; no more than [`MAX_HITS`] are told.

use holdpoint_bundle::Files;
use holdpoint_check::ApiError;
use holdpoint_check::json::Document;
use holdpoint_check::method::input;
use serde::Deserialize;
use serde_json::{Value, json};

use super::check::bounded;
use super::dialect::operation::Object;
use super::documents::json;
use super::documents::markdown::{FileRole, Markdown};
use super::documents::{items, text};
use super::places::{ListedWorkflow, PackagePart, Places};
use super::rules::assets::is_binary;
use super::wire::projects::{Hit, Hits};

pub const MAX_HITS: usize = 500;
/// Characters of what is searched.
pub const MAX_QUERY: usize = 200;
/// Characters that are shown of a line, about a third of them before the hit.
const SHOWN: usize = 200;

#[derive(Deserialize)]
struct Wanted {
    files: Files,
    words: String,
}

/// `crew.search`: what the edge finds in what is stored, a page finds in what it has.
pub fn crew_search(value: Value) -> Result<Value, ApiError> {
    let Wanted { files, words } = input(value)?;
    bounded(&files)?;
    let Hits { items, truncated } = search(&files, words.trim());
    let told = |hit: &Hit| {
        json!({
            "file": hit.file,
            "line": hit.line,
            "column": hit.column,
            "text": hit.text,
            "object": hit.object,
            "workflow_id": hit.workflow_id,
        })
    };
    Ok(json!({"items": items.iter().map(told).collect::<Vec<_>>(), "truncated": truncated}))
}

/// Finds a text in all files.
pub fn search(files: &Files, query: &str) -> Hits {
    let wanted = folded(query);
    let mut found = Hits { items: Vec::new(), truncated: false };
    if wanted.is_empty() {
        return found;
    }
    let places = Places::of(files);
    for (path, content) in files.iter().filter(|(_, content)| !is_binary(content)) {
        let mut objects = None;
        for (at, line) in content.lines().enumerate() {
            for column in columns(line, &wanted) {
                if found.items.len() >= MAX_HITS {
                    found.truncated = true;
                    return found;
                }
                let objects = objects.get_or_insert_with(|| Objects::of(&places, path, content));
                let (object, workflow_id) = objects.at(at + 1);
                found.items.push(Hit {
                    file: path.clone(),
                    line: at + 1,
                    column: column + 1,
                    text: shown(line, column),
                    object,
                    workflow_id,
                });
            }
        }
    }
    found
}

fn folded(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Where a line holds what is wanted, in characters from 0; places do not overlap.
fn columns(line: &str, wanted: &str) -> Vec<usize> {
    let low = folded(line);
    if !low.contains(wanted) {
        return Vec::new();
    }
    // A character may fold to several: each folded byte leads to its own.
    let places: Vec<usize> = line
        .chars()
        .enumerate()
        .flat_map(|(at, letter)| {
            let bytes: usize = letter.to_lowercase().map(char::len_utf8).sum();
            std::iter::repeat_n(at, bytes)
        })
        .collect();
    low.match_indices(wanted).map(|(byte, _)| places[byte]).collect()
}

/// A line, cut around a place where it is long.
fn shown(line: &str, column: usize) -> String {
    let from = column.saturating_sub(SHOWN / 3);
    line.chars().skip(from).take(SHOWN).collect()
}

/// Which object stands on which lines of a file.
struct Objects {
    whole: String,
    workflow: Option<u64>,
    /// First and last line, and the object that stands there.
    parts: Vec<(usize, usize, String)>,
}

impl Objects {
    fn of(places: &Places, path: &str, content: &str) -> Self {
        let whole = |whole: String, workflow| Self { whole, workflow, parts: Vec::new() };
        match places.part(path) {
            Some(PackagePart::Assets) => whole(Object::Asset(path.to_owned()).object(), None),
            Some(PackagePart::Agents) => {
                let agent = |agent: &Value| Object::Agent(text(agent, "id").to_owned());
                Self { parts: parts(content, "agents", agent), ..whole("agents".to_owned(), None) }
            }
            Some(PackagePart::Workflow(id)) => {
                let Some(workflow) = places.workflow(id) else { return whole("package".to_owned(), None) };
                Self::of_workflow(workflow, path, content)
            }
            None => whole("package".to_owned(), None),
        }
    }

    fn of_workflow(workflow: &ListedWorkflow, path: &str, content: &str) -> Self {
        let id = workflow.id;
        let step = |node: &str| Object::Step { workflow: id, node: node.to_owned() };
        let whole = |object: Object, parts| Self { whole: object.object(), workflow: Some(id), parts };
        if path == workflow.graph {
            return whole(Object::Workflow(id), parts(content, "nodes", |node| step(text(node, "id"))));
        }
        if path == workflow.document {
            return whole(Object::Workflow(id), Vec::new());
        }
        let head = Markdown::read(content, FileRole::Step).ok().and_then(|step| step.head.ok());
        let named = head.as_ref().and_then(|head| head.value.get("nodeId")?.as_str());
        let name = path.rsplit('/').next().unwrap_or(path);
        whole(step(named.unwrap_or_else(|| name.strip_suffix(".md").unwrap_or(name))), Vec::new())
    }

    fn at(&self, line: usize) -> (String, Option<u64>) {
        let part = self.parts.iter().find(|(first, last, _)| (*first..=*last).contains(&line));
        (part.map_or(&self.whole, |(.., object)| object).clone(), self.workflow)
    }
}

/// The items of a list in a JSON file, with their lines.
fn parts(content: &str, list: &str, object: impl Fn(&Value) -> Object) -> Vec<(usize, usize, String)> {
    let Ok(Ok(document)) = json::read(content) else { return Vec::new() };
    let lines = |document: &Document<'_>, at: usize| {
        let range = document.range(&format!("/{list}/{at}"));
        (range.start.line as usize, range.end.line as usize)
    };
    let one = |(at, item): (usize, &Value)| {
        let (first, last) = lines(&document, at);
        (first, last, object(item).object())
    };
    items(&document.value, list).iter().enumerate().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::package::package;

    fn said(hits: &Hits) -> Vec<String> {
        let one = |hit: &Hit| format!("{}:{}:{} {}", hit.file, hit.line, hit.column, hit.object);
        hits.items.iter().map(one).collect()
    }

    fn sample() -> Files {
        let mut files = package("workflows/1/", &[("1", "workflows/1/")]);
        let agents: Value = serde_json::from_str(&files["agents.json"]).unwrap();
        files.insert("agents.json".to_owned(), format!("{agents:#}\n"));
        let graph: Value = serde_json::from_str(&files["workflows/1/workflow.graph.json"]).unwrap();
        files.insert("workflows/1/workflow.graph.json".to_owned(), format!("{graph:#}\n"));
        files.insert("assets/a.md".to_owned(), "Ärende ÄRENDE\nİstanbul ärende\n".to_owned());
        files.insert("assets/b.png".to_owned(), "base64:YWJj".to_owned());
        files
    }

    #[test]
    fn each_hit_names_its_file_its_place_and_its_object() {
        let files = sample();
        assert_eq!(
            said(&search(&files, "ärende")),
            [
                "assets/a.md:1:1 asset:assets/a.md",
                "assets/a.md:1:8 asset:assets/a.md",
                "assets/a.md:2:10 asset:assets/a.md",
            ]
        );
        let agent = said(&search(&files, "\"ONE\""));
        assert_eq!(agent.len(), 3, "its id, its name and its title: {agent:?}");
        assert!(agent.iter().all(|hit| hit.starts_with("agents.json:") && hit.ends_with("agent:one")), "{agent:?}");
        let node = said(&search(&files, "\"type\": \"end\""));
        assert!(matches!(node.as_slice(), [hit] if hit.ends_with(" step:z")), "{node:?}");
        let step = search(&files, "nodeId: a");
        assert_eq!(said(&step), ["workflows/1/steps/a.md:3:1 step:a", "workflows/1/workflow.md:4:8 workflow:1"]);
        assert_eq!(step.items[0].workflow_id, Some(1));
        assert_eq!(said(&search(&files, "# w")), ["workflows/1/workflow.md:7:1 workflow:1"]);
        assert!(said(&search(&files, "0.1.0"))[0].ends_with(" package"));
        assert_eq!(said(&search(&files, "YWJj")), [""; 0], "bytes are no text");
        assert_eq!(said(&search(&files, "")), [""; 0]);
    }

    #[test]
    fn a_page_finds_what_the_edge_finds() {
        let (files, wanted) = (sample(), " ÄRENDE ");
        let found = crew_search(json!({"files": files, "words": wanted})).unwrap();
        let edge = json!(search(&files, "ärende"));
        assert!(found["items"].as_array().unwrap().len() > 1);
        for (page, edge) in found["items"].as_array().unwrap().iter().zip(edge["items"].as_array().unwrap()) {
            for name in ["file", "line", "column", "text", "object"] {
                assert_eq!(page[name], edge[name]);
            }
            assert_eq!(page["workflow_id"], edge["workflowId"]);
        }
        assert_eq!(crew_search(json!({"files": {}, "words": ""})).unwrap(), json!({"items": [], "truncated": false}));
        assert_eq!(crew_search(json!({"files": {}})).unwrap_err().code.as_str(), "INVALID_INPUT");
    }

    #[test]
    fn a_broken_document_is_searched_too() {
        let mut files = sample();
        files.insert("agents.json".to_owned(), "{ \"needle\n".to_owned());
        assert_eq!(said(&search(&files, "needle")), ["agents.json:1:4 agents"]);
    }

    #[test]
    fn many_hits_and_long_lines_are_cut() {
        let mut files = Files::new();
        files.insert("assets/a.md".to_owned(), format!("{}x{}\n", "å".repeat(1_000), "y".repeat(1_000)));
        let long = search(&files, "xyy");
        assert_eq!((long.items[0].column, long.items[0].text.chars().count()), (1_001, 200));
        assert!(long.items[0].text.contains("åxyy"));
        files.insert("assets/a.md".to_owned(), "a ".repeat(501));
        let many = search(&files, "a");
        assert_eq!((many.items.len(), many.truncated), (500, true));
        files.insert("assets/a.md".to_owned(), "a ".repeat(500));
        assert!(!search(&files, "a").truncated);
    }
}
