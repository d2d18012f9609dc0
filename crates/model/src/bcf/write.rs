//! An archive with one folder a topic: what is asked, and the elements that it is about.

use std::fmt::Write as _;
use std::io::{self, Cursor, Write as _};

use serde::Deserialize;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::model::Model;
use crate::shapes::ExpressId;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BcfVersion {
    V2_1,
    V3_0,
}

impl BcfVersion {
    /// The version of this name, `2.1` or `3.0`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "2.1" => Some(Self::V2_1),
            "3.0" => Some(Self::V3_0),
            _ => None,
        }
    }
}

/// A topic as the page asks for it.
#[derive(Debug, Clone, Deserialize)]
pub struct TopicRequest {
    /// UUIDs of the topic and of its viewpoint.
    pub guid: String,
    pub viewpoint: String,
    pub title: String,
    pub description: String,
    /// Who says it, as a mail address or a name.
    pub author: String,
    /// ISO 8601, with its zone.
    pub created: String,
    /// The elements that it is about, by their numbers in the model.
    pub ids: Vec<ExpressId>,
}

/// How a topic is put beside others; readers of the format know these words.
const TYPE: &str = "Issue";
const STATUS: &str = "Open";

/// Writes topics about elements of a model. Elements without a `GlobalId` are left out of the viewpoint. Errors: the
/// archive does not take them, which memory alone can cause.
pub fn write(model: &Model, topics: &[TopicRequest], version: BcfVersion) -> io::Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    // The time is 1980-01-01, the first that the format knows: equal topics are equal bytes.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default());
    let mut add = |path: &str, text: &str| {
        archive.start_file(path, options)?;
        archive.write_all(XML.as_bytes())?;
        archive.write_all(text.as_bytes())
    };
    add("bcf.version", version_file(version))?;
    if version == BcfVersion::V3_0 {
        add("extensions.xml", &extensions(topics))?;
    }
    for topic in topics {
        let folder = plain_id(&topic.guid);
        add(&format!("{folder}/markup.bcf"), &markup(model, topic, version))?;
        add(&format!("{folder}/viewpoint.bcfv"), &viewpoint(model, topic, version))?;
    }
    Ok(archive.finish()?.into_inner())
}

const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

fn version_file(version: BcfVersion) -> &'static str {
    match version {
        BcfVersion::V2_1 => "<Version VersionId=\"2.1\"><DetailedVersion>2.1</DetailedVersion></Version>\n",
        BcfVersion::V3_0 => "<Version VersionId=\"3.0\"/>\n",
    }
}

fn extensions(topics: &[TopicRequest]) -> String {
    let mut users: Vec<&str> = topics.iter().map(|topic| topic.author.as_str()).collect();
    users.sort_unstable();
    users.dedup();
    let users: String = users.into_iter().map(|user| format!("<User>{}</User>", escaped(user))).collect();
    format!(
        "<Extensions><TopicTypes><TopicType>{TYPE}</TopicType></TopicTypes><TopicStatuses>\
         <TopicStatus>{STATUS}</TopicStatus></TopicStatuses><Users>{users}</Users></Extensions>\n"
    )
}

fn markup(model: &Model, topic: &TopicRequest, version: BcfVersion) -> String {
    let project = model.first_of("IfcProject").and_then(|id| model.entity(id)).and_then(|project| project.global_id);
    let project = project.map_or_else(String::new, |id| format!(" IfcProject=\"{}\"", escaped(&id)));
    let name = escaped(model.filename());
    let file = |external: &str| format!("<File{project} {external}=\"true\"><Filename>{name}</Filename></File>");
    let description = match topic.description.trim() {
        "" => String::new(),
        text => format!("<Description>{}</Description>", escaped(text)),
    };
    let (guid, viewpoint) = (plain_id(&topic.guid), plain_id(&topic.viewpoint));
    let said = format!(
        "<Title>{}</Title><CreationDate>{}</CreationDate><CreationAuthor>{}</CreationAuthor>{description}",
        escaped(&topic.title),
        escaped(&topic.created),
        escaped(&topic.author)
    );
    let head = format!("<Topic Guid=\"{guid}\" TopicType=\"{TYPE}\" TopicStatus=\"{STATUS}\">{said}");
    let view = "<Viewpoint>viewpoint.bcfv</Viewpoint>";
    match version {
        BcfVersion::V2_1 => format!(
            "<Markup><Header>{}</Header>{head}</Topic><Viewpoints Guid=\"{viewpoint}\">{view}</Viewpoints></Markup>\n",
            file("isExternal")
        ),
        BcfVersion::V3_0 => format!(
            "<Markup><Header><Files>{}</Files></Header>{head}<Viewpoints><ViewPoint Guid=\"{viewpoint}\">{view}\
             </ViewPoint></Viewpoints></Topic></Markup>\n",
            file("IsExternal")
        ),
    }
}

/// The elements selected, all others in sight. The camera is where no viewer stays once it shows what is selected.
fn viewpoint(model: &Model, topic: &TopicRequest, version: BcfVersion) -> String {
    let elements = topic.ids.iter().filter_map(|id| model.entity(*id));
    let mut selection = String::new();
    for id in elements.filter_map(|element| element.global_id) {
        let _ = write!(selection, "<Component IfcGuid=\"{}\"/>", escaped(&id));
    }
    if !selection.is_empty() {
        selection = format!("<Selection>{selection}</Selection>");
    }
    let point = |name: &str, [x, y, z]: [&str; 3]| format!("<{name}><X>{x}</X><Y>{y}</Y><Z>{z}</Z></{name}>");
    let aspect = if version == BcfVersion::V3_0 { "<AspectRatio>1.5</AspectRatio>" } else { "" };
    format!(
        "<VisualizationInfo Guid=\"{}\"><Components>{selection}<Visibility DefaultVisibility=\"true\"/></Components>\
         <PerspectiveCamera>{}{}{}<FieldOfView>60</FieldOfView>{aspect}</PerspectiveCamera></VisualizationInfo>\n",
        plain_id(&topic.viewpoint),
        point("CameraViewPoint", ["-20", "-20", "20"]),
        point("CameraDirection", ["0.577350269", "0.577350269", "-0.577350269"]),
        point("CameraUpVector", ["0.408248290", "0.408248290", "0.816496581"]),
    )
}

/// A UUID names a folder: nothing else may stand in it.
fn plain_id(id: &str) -> String {
    id.chars().filter(|character| character.is_ascii_hexdigit() || *character == '-').collect()
}

/// As XML writes it; characters that XML does not know are left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(character),
            '\u{FFFE}' | '\u{FFFF}' => {}
            other if other.is_control() => {}
            other => out.push(other),
        }
    }
    out
}
