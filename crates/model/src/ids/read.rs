//! IDS files as XML, read into [`Ids`].
//!
//! Invariant: what opens can be checked: patterns compile, words are the standard's, nothing unknown was skipped.

use holdpoint_check::{Args, Code, Sentence, args};
use roxmltree::{Document, Node, ParsingOptions};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::allowed::{Allowed, Limit, Side, double};
use super::codes::{
    BOUND, COUNT, DTD, MISSING, NO_RESTRICTION, NOT_TEXT, NOT_XML, OTHER_ROOT, PATTERN, TOO_LARGE, UNKNOWN, WORD,
};
use super::pattern::Pattern;
use super::{Entity, Facet, Occurs, Property, Requirement, Specification};

/// The longest file that is read, in MiB.
const MAX_MIB: usize = 10;
/// Elements, texts and attributes that a file may hold.
const MAX_NODES: u32 = 1_000_000;

const IDS: &str = "http://standards.buildingsmart.org/IDS";
const XS: &str = "http://www.w3.org/2001/XMLSchema";

/// As files name schemas, and as models do.
const SCHEMAS: &[(&str, &str)] =
    &[("IFC2X3", "IFC2X3"), ("IFC4", "IFC4"), ("IFC4X3_ADD2", "IFC4X3"), ("IFC4X3", "IFC4X3")];

const RELATIONS: &[&str] = &[
    "IFCRELAGGREGATES",
    "IFCRELASSIGNSTOGROUP",
    "IFCRELCONTAINEDINSPATIALSTRUCTURE",
    "IFCRELNESTS",
    "IFCRELVOIDSELEMENT IFCRELFILLSELEMENT",
];

/// What a model has to hold, as one file says it.
#[derive(Debug, Clone)]
pub struct Ids {
    pub title: String,
    pub specifications: Vec<Specification>,
}

/// The file cannot be checked with: `IDS_INVALID`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("line {line}, column {column}: {message}")]
pub struct InvalidIdsError {
    /// Line in the file, from 1.
    pub line: u32,
    /// Character in the line, from 1.
    pub column: u32,
    /// What is wrong and what to do.
    pub message: String,
    /// What the message is said from in other languages.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub args: Map<String, Value>,
}

impl InvalidIdsError {
    /// The stable code of the error.
    pub const CODE: &'static str = "IDS_INVALID";

    fn of(code: &'static Code, args: Args<'_>, (line, column): (u32, u32)) -> Self {
        let Sentence { message, args, .. } = Sentence::of(code, args);
        Self { line, column, message, args }
    }
}

type Read<T> = Result<T, InvalidIdsError>;

impl Ids {
    /// Reads a file of at most 10 MiB in UTF-8. Errors: it is no IDS 1.0, with the place.
    pub fn read(bytes: &[u8]) -> Read<Self> {
        if bytes.len() > MAX_MIB << 20 {
            return Err(InvalidIdsError::of(&TOO_LARGE, args! { limit: MAX_MIB }, (1, 1)));
        }
        let text = std::str::from_utf8(bytes).map_err(|_| InvalidIdsError::of(&NOT_TEXT, args! {}, (1, 1)))?;
        let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
        let document = Document::parse_with_options(text.trim_start_matches('\u{feff}'), options).map_err(|error| {
            let place = (error.pos().row, error.pos().col);
            match error {
                roxmltree::Error::DtdDetected => InvalidIdsError::of(&DTD, args! {}, place),
                error => InvalidIdsError::of(&NOT_XML, args! { why: error.to_string() }, place),
            }
        })?;
        let root = document.root_element();
        if !root.has_tag_name((IDS, "ids")) {
            return Err(fail(root, &OTHER_ROOT, args! {}));
        }
        let mut parts = Parts::of(root, &["info", "specifications"])?;
        let title = parts.needed("info")?.children().find(|node| node.has_tag_name((IDS, "title"))).map(text_of);
        let specifications = parts.needed("specifications")?;
        let specifications = elements(specifications)
            .map(|node| {
                known(node, specifications, &["specification"])?;
                specification(node)
            })
            .collect::<Read<Vec<_>>>()?;
        Ok(Self { title: title.unwrap_or_default(), specifications })
    }
}

fn specification(node: Node<'_, '_>) -> Read<Specification> {
    let mut parts = Parts::of(node, &["applicability", "requirements"])?;
    let applicability = parts.needed("applicability")?;
    let requirements = parts.taken("requirements");
    let versions = attribute(node, "ifcVersion")?;
    let schemas = versions.split_whitespace().map(|version| {
        let known = SCHEMAS.iter().find(|(name, _)| *name == version);
        let allowed = || "IFC2X3, IFC4, IFC4X3_ADD2";
        known
            .map(|(_, schema)| (*schema).to_owned())
            .ok_or_else(|| fail(node, &WORD, args! { name: "ifcVersion", found: version, allowed: allowed() }))
    });
    let said = |name: &str| node.attribute(name).map(str::to_owned);
    Ok(Specification {
        name: attribute(node, "name")?.to_owned(),
        identifier: said("identifier"),
        description: said("description"),
        instructions: said("instructions"),
        occurs: specification_occurs(applicability)?,
        schemas: schemas.collect::<Read<_>>()?,
        applicability: elements(applicability).map(facet).collect::<Read<_>>()?,
        requirements: requirements.into_iter().flat_map(elements).map(requirement).collect::<Read<_>>()?,
    })
}

/// From the counts that XML Schema gives elements; one is what it means where nothing is said.
fn specification_occurs(applicability: Node<'_, '_>) -> Read<Occurs> {
    let count = |name: &str, unbounded: bool| match applicability.attribute(name) {
        None => Ok(1),
        Some("unbounded") if unbounded => Ok(usize::MAX),
        Some(found) => found.parse().map_err(|_| fail(applicability, &COUNT, args! { name: name, found: found })),
    };
    Ok(match (count("minOccurs", false)?, count("maxOccurs", true)?) {
        (_, 0) => Occurs::Prohibited,
        (0, _) => Occurs::Optional,
        _ => Occurs::Required,
    })
}

fn requirement(node: Node<'_, '_>) -> Read<Requirement> {
    let occurs = match node.attribute("cardinality") {
        None | Some("required") => Occurs::Required,
        Some("optional") => Occurs::Optional,
        Some("prohibited") => Occurs::Prohibited,
        Some(found) => {
            let allowed = "required, optional, prohibited";
            return Err(fail(node, &WORD, args! { name: "cardinality", found: found, allowed: allowed }));
        }
    };
    Ok(Requirement { facet: facet(node)?, occurs, instructions: node.attribute("instructions").map(str::to_owned) })
}

fn facet(node: Node<'_, '_>) -> Read<Facet> {
    let parent = node.parent().unwrap_or(node);
    known(node, parent, &["entity", "partOf", "classification", "attribute", "property", "material"])?;
    Ok(match node.tag_name().name() {
        "entity" => Facet::Entity(entity(node)?),
        "partOf" => {
            let relation = node.attribute("relation").map(|found| {
                let known = RELATIONS.iter().find(|relation| **relation == found).copied();
                let allowed = RELATIONS.join(", ");
                known.ok_or_else(|| fail(node, &WORD, args! { name: "relation", found: found, allowed: allowed }))
            });
            Facet::Part {
                relation: relation.transpose()?,
                entity: entity(Parts::of(node, &["entity"])?.needed("entity")?)?,
            }
        }
        "classification" => {
            let mut parts = Parts::of(node, &["value", "system"])?;
            Facet::Classification { system: allowed(parts.needed("system")?)?, value: parts.allowed("value")? }
        }
        "attribute" => {
            let mut parts = Parts::of(node, &["name", "value"])?;
            Facet::Attribute { name: allowed(parts.needed("name")?)?, value: parts.allowed("value")? }
        }
        "property" => {
            let mut parts = Parts::of(node, &["propertySet", "baseName", "value"])?;
            Facet::Property(Property {
                set: allowed(parts.needed("propertySet")?)?,
                name: allowed(parts.needed("baseName")?)?,
                data_type: node.attribute("dataType").map(|name| name.trim().to_owned()),
                value: parts.allowed("value")?,
            })
        }
        _ => Facet::Material { value: Parts::of(node, &["value"])?.allowed("value")? },
    })
}

fn entity(node: Node<'_, '_>) -> Read<Entity> {
    let mut parts = Parts::of(node, &["name", "predefinedType"])?;
    Ok(Entity { name: allowed(parts.needed("name")?)?, predefined: parts.allowed("predefinedType")? })
}

/// What stands in `simpleValue` or `xs:restriction`.
fn allowed(node: Node<'_, '_>) -> Read<Allowed> {
    let Some(value) = elements(node).next() else {
        return Err(fail(node, &MISSING, args! { parent: node.tag_name().name(), name: "simpleValue" }));
    };
    if value.has_tag_name((IDS, "simpleValue")) {
        return Ok(Allowed::Simple(text_of(value)));
    }
    if !value.has_tag_name((XS, "restriction")) {
        return Err(unknown(value, node));
    }
    restriction(value).map(Allowed::Restriction)
}

fn restriction(node: Node<'_, '_>) -> Read<Vec<Limit>> {
    let (mut one_of, mut like, mut limits) = (Vec::new(), Vec::new(), Vec::new());
    for limit in elements(node) {
        if limit.tag_name().namespace() != Some(XS) {
            return Err(unknown(limit, node));
        }
        let name = limit.tag_name().name();
        if name == "annotation" {
            continue;
        }
        let value = attribute(limit, "value")?;
        let count = || {
            let count = value.trim().parse::<usize>();
            count.map_err(|_| fail(limit, &COUNT, args! { name: name, found: value }))
        };
        let side = |side| {
            let begins = value.starts_with(|first: char| first.is_ascii_digit() || matches!(first, 'P' | '-'));
            if double(value).is_some() || begins {
                Ok(Limit::Bound(side, value.to_owned()))
            } else {
                Err(fail(limit, &BOUND, args! { name: name, found: value }))
            }
        };
        limits.push(match name {
            "enumeration" => {
                one_of.push(value.to_owned());
                continue;
            }
            "pattern" => {
                let read = Pattern::read(value);
                like.push(read.map_err(|why| fail(limit, &PATTERN, args! { pattern: value, why: why }))?);
                continue;
            }
            "minExclusive" => side(Side::Above)?,
            "minInclusive" => side(Side::From)?,
            "maxExclusive" => side(Side::Below)?,
            "maxInclusive" => side(Side::To)?,
            "length" => Limit::Length(count()?, Some(count()?)),
            "minLength" => Limit::Length(count()?, None),
            "maxLength" => Limit::Length(0, Some(count()?)),
            "totalDigits" => Limit::Digits(Some(count()?), None),
            "fractionDigits" => Limit::Digits(None, Some(count()?)),
            // It says how blanks are read before the others look; values of models are compared as they stand.
            "whiteSpace" => continue,
            _ => return Err(unknown(limit, node)),
        });
    }
    limits.extend((!like.is_empty()).then_some(Limit::Like(like)));
    limits.extend((!one_of.is_empty()).then_some(Limit::OneOf(one_of)));
    if limits.is_empty() { Err(fail(node, &NO_RESTRICTION, args! {})) } else { Ok(limits) }
}

/// The elements inside one, each taken once by its name.
struct Parts<'a, 'input> {
    node: Node<'a, 'input>,
    inside: Vec<Node<'a, 'input>>,
}

impl<'a, 'input> Parts<'a, 'input> {
    fn of(node: Node<'a, 'input>, names: &[&str]) -> Read<Self> {
        let inside: Vec<_> = elements(node).collect();
        for (at, one) in inside.iter().enumerate() {
            known(*one, node, names)?;
            if inside[..at].iter().any(|before| before.tag_name() == one.tag_name()) {
                return Err(unknown(*one, node));
            }
        }
        Ok(Self { node, inside })
    }

    fn taken(&mut self, name: &str) -> Option<Node<'a, 'input>> {
        self.inside.iter().find(|one| one.tag_name().name() == name).copied()
    }

    fn needed(&mut self, name: &str) -> Read<Node<'a, 'input>> {
        let parent = self.node.tag_name().name();
        self.taken(name).ok_or_else(|| fail(self.node, &MISSING, args! { parent: parent, name: name }))
    }

    fn allowed(&mut self, name: &str) -> Read<Option<Allowed>> {
        self.taken(name).map(allowed).transpose()
    }
}

fn elements<'a, 'input>(node: Node<'a, 'input>) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(Node::is_element)
}

fn text_of(node: Node<'_, '_>) -> String {
    node.children().filter_map(|child| child.text().filter(|_| child.is_text())).collect()
}

fn attribute<'a>(node: Node<'a, '_>, name: &str) -> Read<&'a str> {
    let parent = node.tag_name().name();
    node.attribute(name).ok_or_else(|| fail(node, &MISSING, args! { parent: parent, name: name }))
}

fn known(node: Node<'_, '_>, parent: Node<'_, '_>, names: &[&str]) -> Read<()> {
    let fits = names.iter().any(|name| node.has_tag_name((IDS, *name)));
    if fits { Ok(()) } else { Err(unknown(node, parent)) }
}

fn unknown(node: Node<'_, '_>, parent: Node<'_, '_>) -> InvalidIdsError {
    fail(node, &UNKNOWN, args! { parent: parent.tag_name().name(), name: node.tag_name().name() })
}

fn fail(node: Node<'_, '_>, code: &'static Code, args: Args<'_>) -> InvalidIdsError {
    let place = node.document().text_pos_at(node.range().start);
    InvalidIdsError::of(code, args, (place.row, place.col))
}
