//! Topics of an archive that somebody else wrote, with the elements of this model that they name.

use std::collections::HashSet;
use std::io::{Cursor, Read};

use holdpoint_check::{Args, Code, Sentence, args};
use roxmltree::{Document, Node, ParsingOptions};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use zip::ZipArchive;

use super::codes::{NO_ARCHIVE, NO_TOPIC, NOT_XML, TOO_LARGE, TOO_MANY};
use crate::model::Model;
use crate::shapes::ExpressId;

/// Files in an archive, pictures among them.
const MAX_FILES: usize = 20_000;
/// What the XML of an archive may unpack to, in MiB.
const MAX_MIB: u64 = 64;
/// Elements, texts and attributes that a file may hold.
const MAX_NODES: u32 = 1_000_000;

/// A topic as the viewer shows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BcfTopic {
    pub guid: String,
    pub title: String,
    pub description: Option<String>,
    pub status: Option<String>,
    pub author: Option<String>,
    /// As the file says it.
    pub created: Option<String>,
    pub comments: Vec<Comment>,
    /// What it is about, as its viewpoints select.
    pub global_ids: Vec<String>,
    /// Those of them that the model has, by number.
    pub ids: Vec<ExpressId>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comment {
    pub author: String,
    /// As the file says it.
    pub date: String,
    pub text: String,
}

/// The file cannot be read: `BCF_INVALID`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct InvalidBcfError {
    /// What is wrong and what to do.
    pub message: String,
    /// What the message is said from in other languages.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub args: Map<String, Value>,
}

impl InvalidBcfError {
    /// The stable code of the error.
    pub const CODE: &'static str = "BCF_INVALID";

    fn of(code: &'static Code, args: Args<'_>) -> Self {
        let Sentence { message, args, .. } = Sentence::of(code, args);
        Self { message, args }
    }
}

/// Reads an archive, topics in the order of their folders. Errors: it is none, it is too large, or its XML is broken.
pub fn read(model: &Model, bytes: &[u8]) -> Result<Vec<BcfTopic>, InvalidBcfError> {
    let files = files(bytes)?;
    let mut topics = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with("/markup.bcf")) {
        let document = parsed(path, text)?;
        let folder = &path[..path.len() - "markup.bcf".len()];
        let (mut topic, mut known) = (topic(document.root_element()), HashSet::new());
        let views = files.iter().filter(|(path, _)| path.starts_with(folder) && path.ends_with(".bcfv"));
        for (path, text) in views {
            let view = parsed(path, text)?;
            topic.global_ids.extend(selected(view.root_element()).filter(|id| known.insert(id.clone())));
        }
        topic.ids = topic.global_ids.iter().filter_map(|id| model.by_global_id(id)).collect();
        topics.push(topic);
    }
    if topics.is_empty() { Err(InvalidBcfError::of(&NO_TOPIC, args! {})) } else { Ok(topics) }
}

/// The XML of the archive, by path.
fn files(bytes: &[u8]) -> Result<Vec<(String, String)>, InvalidBcfError> {
    let no_archive = |why: &dyn std::fmt::Display| InvalidBcfError::of(&NO_ARCHIVE, args! { why: why.to_string() });
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| no_archive(&error))?;
    if archive.len() > MAX_FILES {
        return Err(InvalidBcfError::of(&TOO_MANY, args! { limit: MAX_FILES }));
    }
    let (mut files, mut room) = (Vec::new(), MAX_MIB << 20);
    for at in 0..archive.len() {
        let file = archive.by_index(at).map_err(|error| no_archive(&error))?;
        // Writers on Windows part folders with a backslash.
        let path = file.name().replace('\\', "/");
        if !(path.ends_with("/markup.bcf") || path.ends_with(".bcfv")) {
            continue;
        }
        let mut text = Vec::new();
        file.take(room + 1).read_to_end(&mut text).map_err(|error| no_archive(&error))?;
        room = room
            .checked_sub(text.len() as u64)
            .ok_or_else(|| InvalidBcfError::of(&TOO_LARGE, args! { limit: MAX_MIB as usize }))?;
        files.push((path, String::from_utf8_lossy(&text).into_owned()));
    }
    files.sort_unstable();
    Ok(files)
}

fn parsed<'t>(path: &str, text: &'t str) -> Result<Document<'t>, InvalidBcfError> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let read = Document::parse_with_options(text.trim_start_matches('\u{feff}'), options);
    read.map_err(|why| InvalidBcfError::of(&NOT_XML, args! { file: path, why: why.to_string() }))
}

fn topic(markup: Node<'_, '_>) -> BcfTopic {
    let topic = inside(markup, "Topic").next().unwrap_or(markup);
    // Comments stand beside the topic in 2.1, inside it in 3.0.
    let beside = inside(markup, "Comment").chain(inside(topic, "Comments").flat_map(|list| inside(list, "Comment")));
    let comments = beside.map(|comment| Comment {
        author: text(comment, "Author").unwrap_or_default(),
        date: text(comment, "Date").unwrap_or_default(),
        text: text(comment, "Comment").unwrap_or_default(),
    });
    BcfTopic {
        guid: topic.attribute("Guid").unwrap_or_default().to_owned(),
        title: text(topic, "Title").unwrap_or_default(),
        description: text(topic, "Description"),
        status: topic.attribute("TopicStatus").map(str::to_owned),
        author: text(topic, "CreationAuthor"),
        created: text(topic, "CreationDate"),
        comments: comments.filter(|comment| !comment.text.is_empty()).collect(),
        global_ids: Vec::new(),
        ids: Vec::new(),
    }
}

/// What a viewpoint selects; 2.0 marks it at each component.
fn selected<'a, 'input: 'a>(view: Node<'a, 'input>) -> impl Iterator<Item = String> + 'a {
    let components = || inside(view, "Components");
    let listed = components().flat_map(|list| inside(list, "Selection")).flat_map(|list| inside(list, "Component"));
    let marked = components().flat_map(|list| inside(list, "Component"));
    let marked = marked.filter(|component| component.attribute("Selected") == Some("true"));
    listed.chain(marked).filter_map(|component| component.attribute("IfcGuid").map(str::to_owned))
}

fn inside<'a, 'input>(node: Node<'a, 'input>, name: &'static str) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(move |child| child.tag_name().name() == name)
}

fn text(node: Node<'_, '_>, name: &'static str) -> Option<String> {
    let text: String =
        inside(node, name).next()?.descendants().filter(Node::is_text).filter_map(|part| part.text()).collect();
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
