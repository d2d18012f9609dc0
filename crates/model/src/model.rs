//! An opened file: where each instance stands, what class it is, how instances relate.
//!
//! Owns opening and its verdict (spec: ifc-sdk.md §7.1). Keeps the bytes and decodes an instance when it is asked
//! for, so that memory stays near the size of the file. Invariant: a [`Model`] has a known schema and at least one
//! instance; everything that was left out stands in [`Model::warnings`].

use std::collections::HashMap;
use std::sync::OnceLock;

use holdpoint_check::{Sentence, args};
use ifc_lite_core::SchemaVersion;

use crate::codes::{DANGLING, MORE, NO_INSTANCE, NO_SCHEMA, OTHER_SCHEMA, TWICE, UNKNOWN_CLASS};
use crate::query::Units;
use crate::relations::Relations;
use crate::schema::{Class, schema_name};
use crate::shapes::{Entity, EntityRef, ExpressId, ModelInfo, ModelInvalid, Warning};
use crate::step::file::{Finding, Record, Scan, scan};
use crate::step::lex::Cursor;
use crate::step::line::lines;
use crate::step::{Arg, grammar, text, value};

/// More warnings than this are counted, not listed.
const MAX_WARNINGS: usize = 100;

/// The id that a model has until the host gives it another.
const DEFAULT_ID: &str = "model-1";

/// An IFC model, opened.
#[derive(Debug)]
pub struct Model {
    id: String,
    filename: String,
    bytes: Vec<u8>,
    schema: SchemaVersion,
    classes: Vec<Class>,
    /// Ascending by id, one for each id.
    records: Vec<Record>,
    products: Vec<ExpressId>,
    relations: Relations,
    warnings: Vec<Warning>,
    global_ids: OnceLock<HashMap<String, ExpressId>>,
    units: OnceLock<Units>,
}

/// One decoded instance.
pub(crate) struct Instance<'m> {
    pub(crate) class: &'m Class,
    pub(crate) args: Vec<Arg>,
}

impl Instance<'_> {
    /// The attribute of this name; `Null` where class or file lack it.
    pub(crate) fn get(&self, attribute: &str) -> &Arg {
        let position = self.class.position(attribute);
        position.and_then(|position| self.args.get(position)).unwrap_or(&Arg::Null)
    }

    pub(crate) fn text(&self, attribute: &str) -> Option<String> {
        self.get(attribute).as_text().map(str::to_owned)
    }
}

impl Model {
    /// Opens an IFC2X3, IFC4 or IFC4X3 file. What can be read opens; what cannot is warned about.
    pub fn open(bytes: impl Into<Vec<u8>>, filename: &str) -> Result<Self, ModelInvalid> {
        Self::open_with(bytes, filename, &mut |_, _| {})
    }

    /// [`Model::open`], telling now and then how many of the file's bytes are done: `(done, total)`.
    pub fn open_with(
        bytes: impl Into<Vec<u8>>,
        filename: &str,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, ModelInvalid> {
        let bytes = bytes.into();
        let mut scan = scan(&bytes, progress).map_err(|finding| invalid(&bytes, &finding))?;
        let schema = schema_of(&scan).map_err(|finding| invalid(&bytes, &finding))?;
        if scan.records.is_empty() {
            return Err(invalid(&bytes, &Finding::new(scan.data_at, &NO_INSTANCE, args! {})));
        }
        let classes: Vec<Class> = scan.keywords.iter().map(|keyword| Class::of(schema, keyword)).collect();
        judge_classes(&mut scan, &classes, schema);
        let records = by_id(&mut scan);
        judge_references(&mut scan, &records);

        let is_product: Vec<bool> = classes.iter().map(|class| class.is_a("IfcProduct")).collect();
        let products = records.iter().filter(|record| is_product[record.keyword as usize]).map(|record| record.id);
        let mut model = Self {
            id: DEFAULT_ID.to_owned(),
            filename: filename.to_owned(),
            schema,
            products: products.collect(),
            relations: Relations::default(),
            warnings: warnings(&bytes, scan.findings),
            global_ids: OnceLock::new(),
            units: OnceLock::new(),
            bytes,
            classes,
            records,
        };
        model.relations = Relations::of(&model);
        Ok(model)
    }

    /// Gives the model the id that its refs carry.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// `modelId` of every ref that the model answers.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name that it was opened with.
    pub fn filename(&self) -> &str {
        &self.filename
    }

    /// `IFC2X3`, `IFC4` or `IFC4X3`, whatever addendum the file names.
    pub fn schema(&self) -> &'static str {
        schema_name(self.schema)
    }

    /// Instances in the data section.
    pub fn entity_count(&self) -> usize {
        self.records.len()
    }

    /// Bytes of the file.
    pub fn file_size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// What could not be read, by line.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// `bim.model`'s view; `loaded_at` is the host's clock in ISO 8601.
    pub fn info(&self, loaded_at: &str) -> ModelInfo {
        ModelInfo {
            id: self.id.clone(),
            name: self.filename.clone(),
            schema: self.schema().to_owned(),
            entity_count: self.entity_count(),
            file_size: self.file_size(),
            loaded_at: loaded_at.to_owned(),
        }
    }

    /// One instance, product or not; `None` when the file has no such number.
    pub fn entity(&self, id: ExpressId) -> Option<Entity> {
        let instance = self.instance(id)?;
        Some(Entity {
            r#ref: self.reference(id),
            global_id: instance.text("GlobalId"),
            r#type: instance.class.name.clone(),
            name: instance.text("Name"),
            description: instance.text("Description"),
            object_type: instance.text("ObjectType"),
            tag: instance.text("Tag"),
            predefined_type: instance.get("PredefinedType").as_enum().map(str::to_owned),
        })
    }

    /// [`Model::entity`] of each; numbers that do not exist are left out.
    pub fn entities(&self, ids: &[ExpressId]) -> Vec<Entity> {
        ids.iter().filter_map(|id| self.entity(*id)).collect()
    }

    /// The instance with this `GlobalId`; the first where a file has it twice.
    pub fn by_global_id(&self, global_id: &str) -> Option<ExpressId> {
        let index = self.global_ids.get_or_init(|| {
            let rooted = self.records.iter().filter(|record| self.class(**record).is_a("IfcRoot"));
            let mut index = HashMap::new();
            for record in rooted {
                if let Some(id) = self.instance(record.id).and_then(|instance| instance.text("GlobalId")) {
                    index.entry(id).or_insert(record.id);
                }
            }
            index
        });
        index.get(global_id).copied()
    }

    pub(crate) fn units(&self) -> &Units {
        self.units.get_or_init(|| Units::of(self))
    }

    pub(crate) fn reference(&self, id: ExpressId) -> EntityRef {
        EntityRef { model_id: self.id.clone(), express_id: id }
    }

    pub(crate) fn products(&self) -> &[ExpressId] {
        &self.products
    }

    pub(crate) fn relations(&self) -> &Relations {
        &self.relations
    }

    pub(crate) fn records(&self) -> &[Record] {
        &self.records
    }

    pub(crate) fn class(&self, record: Record) -> &Class {
        &self.classes[record.keyword as usize]
    }

    pub(crate) fn class_of(&self, id: ExpressId) -> Option<&Class> {
        self.record(id).map(|record| self.class(record))
    }

    /// Whether the instance is of the class or of a subtype.
    pub(crate) fn is_a(&self, id: ExpressId, class: &str) -> bool {
        self.class_of(id).is_some_and(|found| found.is_a(class))
    }

    pub(crate) fn instance(&self, id: ExpressId) -> Option<Instance<'_>> {
        let record = self.record(id)?;
        let mut cursor = Cursor::new(&self.bytes, record.at as usize);
        grammar::record_head(&mut cursor).ok()?;
        let args = value::decode(&mut cursor).ok()?;
        Some(Instance { class: self.class(record), args })
    }

    fn record(&self, id: ExpressId) -> Option<Record> {
        self.records.binary_search_by_key(&id, |record| record.id).ok().map(|index| self.records[index])
    }
}

fn invalid(bytes: &[u8], finding: &Finding) -> ModelInvalid {
    let Sentence { message, args, .. } = finding.said();
    ModelInvalid { line: lines(bytes, &[finding.at])[0], message, args }
}

fn schema_of(scan: &Scan) -> Result<SchemaVersion, Finding> {
    let Some((at, names)) = &scan.schemas else {
        return Err(Finding::new(scan.data_at, &NO_SCHEMA, args! {}));
    };
    names
        .iter()
        .find_map(|name| SchemaVersion::from_file_schema(name))
        .ok_or_else(|| Finding::new(*at, &OTHER_SCHEMA, args! { found: names.join(", ") }))
}

/// Warns of the first instance of each class that no schema has.
fn judge_classes(scan: &mut Scan, classes: &[Class], schema: SchemaVersion) {
    let mut seen = vec![false; classes.len()];
    for record in &scan.records {
        let keyword = record.keyword as usize;
        if !seen[keyword] && !classes[keyword].is_known() {
            let name = text::unicode(scan.keywords[keyword].as_bytes());
            let values = args! { name, schema: schema_name(schema) };
            scan.findings.push(Finding::new(record.at as usize, &UNKNOWN_CLASS, values));
        }
        seen[keyword] = true;
    }
}

/// The records by id; the first of each number stays.
fn by_id(scan: &mut Scan) -> Vec<Record> {
    let mut records = scan.records.clone();
    records.sort_by_key(|record| record.id);
    let findings = &mut scan.findings;
    records.dedup_by(|later, first| {
        let double = later.id == first.id;
        if double {
            findings.push(Finding::new(later.at as usize, &TWICE, args! { id: later.id }));
        }
        double
    });
    records
}

/// Warns of references to numbers that the file does not have, once for each instance and number.
fn judge_references(scan: &mut Scan, records: &[Record]) {
    let mut from = 0;
    for (record, to) in scan.records.iter().zip(&scan.reference_ends) {
        let targets = &scan.references[from..*to];
        from = *to;
        for (index, target) in targets.iter().enumerate() {
            // Ids are mostly dense from 1, so the guess at their own place mostly hits.
            let guess = records.get((*target as usize).wrapping_sub(records[0].id as usize));
            let there = guess.is_some_and(|guess| guess.id == *target)
                || records.binary_search_by_key(target, |record| record.id).is_ok();
            if !there && !targets[..index].contains(target) {
                scan.findings.push(Finding::new(record.at as usize, &DANGLING, args! { id: record.id, target }));
            }
        }
    }
    scan.references = Vec::new();
    scan.reference_ends = Vec::new();
}

fn warnings(bytes: &[u8], mut findings: Vec<Finding>) -> Vec<Warning> {
    findings.sort_by_key(|finding| finding.at);
    let more = findings.len().saturating_sub(MAX_WARNINGS);
    findings.truncate(MAX_WARNINGS);
    let offsets: Vec<usize> = findings.iter().map(|finding| finding.at).collect();
    let warning = |line, Sentence { code, message, args }| Warning { code: code.into_owned(), line, message, args };
    let mut warnings: Vec<Warning> =
        lines(bytes, &offsets).into_iter().zip(findings).map(|(line, found)| warning(line, found.said())).collect();
    if let (1.., Some(last)) = (more, warnings.last()) {
        let line = last.line;
        warnings.push(warning(line, Sentence::of(&MORE, args! { count: more })));
    }
    warnings
}
