//! An opened file: where each instance stands, what class it is, how instances relate.
//!
//! Owns opening and its verdict (spec: ifc-sdk.md §7.1). Keeps the bytes and decodes an instance when it is asked
//! for, so that memory stays near the size of the file. Invariant: a [`Model`] has a known schema and at least one
//! instance; everything that was left out stands in [`Model::warnings`].

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use holdpoint_check::{Sentence, args};
use ifc_lite_core::SchemaVersion;

use crate::codes::{CUT_OFF, DANGLING, MORE, NO_INSTANCE, NO_SCHEMA, OTHER_SCHEMA, TWICE, UNKNOWN_CLASS};
use crate::lists::Lists;
use crate::query::Units;
use crate::relations::Relations;
use crate::schema::{self, Class, schema_name};
use crate::shapes::{Entity, EntityRef, ExpressId, InvalidModelError, ModelInfo, Warning};
use crate::step::file::{Finding, MAX_FILE_BYTES, Open, Record, Scan, scan};
use crate::step::header::Header;
use crate::step::lex::Cursor;
use crate::step::line::lines;
use crate::step::{Arg, grammar, text, value};

mod place;

pub use place::RecordPlace;

/// More warnings than this are counted, not listed.
const MAX_WARNINGS: usize = 100;

#[derive(Debug, Clone)]
pub struct Model {
    id: String,
    filename: String,
    bytes: Vec<u8>,
    /// Records that were written since the file was opened, one behind the other; their places follow the file's.
    written: Vec<u8>,
    schema: SchemaVersion,
    header: Header,
    /// The highest number of an instance, or that a reference names.
    highest: ExpressId,
    classes: Vec<Class>,
    /// Ascending by id, one for each id.
    records: Vec<Record>,
    products: Vec<ExpressId>,
    relations: Relations,
    warnings: Vec<Warning>,
    global_ids: OnceLock<HashMap<String, ExpressId>>,
    units: OnceLock<Units>,
    /// Sets that a type object lists.
    sets_of_types: OnceLock<HashSet<ExpressId>>,
    owner_history: OnceLock<Option<ExpressId>>,
    lists: Lists,
}

/// A model cannot grow over what its places can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a model has at most 4 GiB with its changes")]
pub struct TooLargeError;

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
    pub fn open(bytes: impl Into<Vec<u8>>, filename: &str) -> Result<Self, InvalidModelError> {
        Self::open_with(bytes, filename, &mut |_, _| {})
    }

    /// [`Model::open`], telling now and then how many of the file's bytes are done: `(done, total)`.
    pub fn open_with(
        bytes: impl Into<Vec<u8>>,
        filename: &str,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, InvalidModelError> {
        let bytes = bytes.into();
        let mut scan = scan(&bytes, progress).map_err(|finding| invalid(&bytes, &finding))?;
        let schema = schema_of(&scan).map_err(|finding| invalid(&bytes, &finding))?;
        if scan.records.is_empty() {
            return Err(invalid(&bytes, &Finding::new(scan.data_at, &NO_INSTANCE, args! {})));
        }
        let classes: Vec<Class> = scan.keywords.iter().map(|keyword| Class::of(schema, keyword)).collect();
        judge_classes(&mut scan, &classes, schema);
        let records = by_id(&mut scan);
        let highest = records.last().map_or(0, |record| record.id).max(scan.farthest);

        let is_product: Vec<bool> = classes.iter().map(|class| class.is_a("IfcProduct")).collect();
        let products = records.iter().filter(|record| is_product[record.keyword as usize]).map(|record| record.id);
        let mut model = Self {
            id: String::new(),
            filename: filename.to_owned(),
            schema,
            header: std::mem::take(&mut scan.header),
            highest,
            products: products.collect(),
            relations: Relations::default(),
            warnings: warnings(&bytes, scan.findings),
            global_ids: OnceLock::new(),
            units: OnceLock::new(),
            sets_of_types: OnceLock::new(),
            owner_history: OnceLock::new(),
            lists: Lists::default(),
            written: Vec::new(),
            bytes,
            classes,
            records,
        };
        model.relations = Relations::of(&model);
        Ok(model)
    }

    /// The model as its file was opened.
    #[must_use]
    pub fn unchanged(&self) -> Self {
        let opened = Self::open(self.bytes.clone(), &self.filename);
        opened.map_or_else(|_| self.clone(), |model| model.with_id(self.id.as_str()))
    }

    /// Gives the model the id that its refs carry.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// `modelId` of every ref that the model answers; empty until it is given one.
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

    /// It counts the bytes of the file.
    pub fn file_size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// What could not be read, by line.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Whether the file ends before its end: what is missing can be asked for nothing.
    pub fn is_cut_off(&self) -> bool {
        self.warnings.iter().any(|warning| warning.args.get("case").is_some_and(|case| *case == *CUT_OFF.case))
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
            predefined_type: instance.get(place::PREDEFINED_TYPE).as_enum().map(str::to_owned),
        })
    }

    /// [`Model::entity`] of each; numbers that do not exist are left out.
    pub fn entities(&self, ids: &[ExpressId]) -> Vec<Entity> {
        ids.iter().filter_map(|id| self.entity(*id)).collect()
    }

    /// The instance with this `GlobalId`; the first where a file has it twice.
    pub fn by_global_id(&self, global_id: &str) -> Option<ExpressId> {
        let index = self.global_ids.get_or_init(|| {
            let mut index = HashMap::new();
            for record in self.instances_of("IfcRoot") {
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

    /// Whether a type object lists the set as its own.
    pub(crate) fn is_set_of_type(&self, set: ExpressId) -> bool {
        let sets = self.sets_of_types.get_or_init(|| {
            let types = self.instances_of("IfcTypeObject").filter_map(|record| self.instance(record.id));
            types.flat_map(|found| found.get("HasPropertySets").references()).collect()
        });
        sets.contains(&set)
    }

    /// The first owner history of the file, which new objects share.
    pub(crate) fn owner_history(&self) -> Option<ExpressId> {
        *self.owner_history.get_or_init(|| self.first_of("IfcOwnerHistory"))
    }

    /// The first instance of a class or of its subtypes.
    pub(crate) fn first_of(&self, class: &str) -> Option<ExpressId> {
        self.instances_of(class).next().map(|record| record.id)
    }

    /// The highest number that an instance has or had, or that a reference names: what is new is numbered above it, so
    /// that no reference to nowhere begins to mean something.
    pub(crate) fn highest(&self) -> ExpressId {
        self.highest
    }

    /// A refused change uses up no numbers.
    pub(crate) fn set_highest(&mut self, number: ExpressId) {
        self.highest = number;
    }

    /// What the file says of itself.
    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    /// The schema, as the tables know it.
    pub(crate) fn schema_version(&self) -> SchemaVersion {
        self.schema
    }

    /// Puts the text of a record (`#12=IFCWALL(…);`) in the place of what the number was, or takes it away. The caller
    /// answers for the record's form. Errors: the model is as large as can be.
    pub(crate) fn put(&mut self, id: ExpressId, record: Option<&str>) -> Result<(), TooLargeError> {
        let before = self.instance(id).map(|instance| instance.class.clone());
        let old_global_id = self.instance(id).and_then(|instance| instance.text("GlobalId"));
        let place = self.records.binary_search_by_key(&id, |found| found.id);
        match (record, place) {
            (Some(text), place) => {
                let at = self.bytes.len() + self.written.len();
                let end = at.checked_add(text.len()).filter(|end| *end < MAX_FILE_BYTES).ok_or(TooLargeError)?;
                debug_assert!(end > at);
                self.written.extend_from_slice(text.as_bytes());
                let keyword = self.keyword_of(at);
                let record = Record { id, at: at as u32, keyword };
                match place {
                    Ok(index) => self.records[index] = record,
                    Err(index) => self.records.insert(index, record),
                }
            }
            (None, Ok(index)) => {
                self.records.remove(index);
            }
            (None, Err(_)) => {}
        }
        let named = self.instance(id).into_iter().flat_map(|found| found.args).flat_map(|arg| arg.references());
        self.highest = named.chain([id]).fold(self.highest, ExpressId::max);
        self.follow(id, before.as_ref(), old_global_id.as_deref());
        Ok(())
    }

    /// The class of a record that was just written.
    fn keyword_of(&mut self, at: usize) -> u32 {
        let mut cursor = Cursor::new(&self.written, at - self.bytes.len());
        let keyword = grammar::record_head(&mut cursor).map(|(_, keyword)| keyword.to_ascii_uppercase());
        let keyword = String::from_utf8_lossy(&keyword.unwrap_or_default()).into_owned();
        let known = self.classes.iter().position(|class| class.name.eq_ignore_ascii_case(&keyword));
        known.unwrap_or_else(|| {
            self.classes.push(Class::of(self.schema, &keyword));
            self.classes.len() - 1
        }) as u32
    }

    /// What was derived from a record follows its change.
    fn follow(&mut self, id: ExpressId, before: Option<&Class>, old_global_id: Option<&str>) {
        let now = self.class_of(id).cloned();
        self.lists = Lists::default();
        let is = |base: &str| [before, now.as_ref()].into_iter().flatten().any(|class| class.is_a(base));
        if is("IfcProduct") {
            let place = self.products.binary_search(&id);
            match (place, now.as_ref().is_some_and(|class| class.is_a("IfcProduct"))) {
                (Err(index), true) => self.products.insert(index, id),
                (Ok(index), false) => {
                    self.products.remove(index);
                }
                _ => {}
            }
        }
        if is("IfcRelationship") {
            let relation = self.instance(id).map(|instance| Relations::sides(&instance));
            self.relations.replace(id, before.is_some(), relation);
        }
        if is("IfcTypeObject") {
            self.sets_of_types = OnceLock::new();
        }
        let named_unit = |class: &Class| class.name.contains("Unit");
        if [before, now.as_ref()].into_iter().flatten().any(named_unit) {
            self.units = OnceLock::new();
        }
        let global_id = self.instance(id).and_then(|instance| instance.text("GlobalId"));
        if global_id.as_deref() != old_global_id {
            self.global_ids = OnceLock::new();
        }
    }

    pub(crate) fn products(&self) -> &[ExpressId] {
        &self.products
    }

    pub(crate) fn lists(&self) -> &Lists {
        &self.lists
    }

    pub(crate) fn relations(&self) -> &Relations {
        &self.relations
    }

    pub(crate) fn records(&self) -> &[Record] {
        &self.records
    }

    /// Instances of a class or of its subtypes, by number; each class is asked once.
    pub(crate) fn instances_of(&self, class: &str) -> impl Iterator<Item = Record> {
        self.instances_where(|known| known.is_a(class))
    }

    /// Instances of the classes that fit, by number; each class is asked once.
    pub(crate) fn instances_where(&self, fits: impl Fn(&Class) -> bool) -> impl Iterator<Item = Record> {
        let fits: Vec<bool> = self.classes.iter().map(fits).collect();
        self.records.iter().copied().filter(move |record| fits[record.keyword as usize])
    }

    pub(crate) fn classes(&self) -> &[Class] {
        &self.classes
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
        let place = self.place(id)?;
        let args = value::decode(&mut self.cursor_at(place)?).ok()?;
        Some(Instance { class: self.class_at(place)?, args })
    }

    pub(crate) fn record(&self, id: ExpressId) -> Option<Record> {
        place(&self.records, id).map(|index| self.records[index])
    }
}

fn invalid(bytes: &[u8], finding: &Finding) -> InvalidModelError {
    let Sentence { message, args, .. } = finding.said();
    InvalidModelError { line: lines(bytes, &[finding.at])[0], message, args }
}

fn schema_of(scan: &Scan) -> Result<SchemaVersion, Finding> {
    let Some((at, names)) = &scan.schemas else {
        return Err(Finding::new(scan.data_at, &NO_SCHEMA, args! {}));
    };
    names
        .iter()
        .find_map(|name| schema::schema_of(name))
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

/// The records by id, the first of each number; what refers to numbers that the file does not have is warned about.
fn by_id(scan: &mut Scan) -> Vec<Record> {
    let records = std::mem::take(&mut scan.records);
    let findings = &mut scan.findings;
    if records.is_sorted_by(|one, next| one.id < next.id) {
        judge_references(&scan.open, &records, &records, findings);
        return records;
    }
    let mut sorted = records.clone();
    sorted.sort_by_key(|record| record.id);
    sorted.dedup_by(|later, first| {
        let double = later.id == first.id;
        if double {
            findings.push(Finding::new(later.at as usize, &TWICE, args! { id: later.id }));
        }
        double
    });
    judge_references(&scan.open, &records, &sorted, findings);
    sorted
}

/// Where the record of a number stands. Numbers are mostly dense, so the guess at their own place mostly hits.
fn place(records: &[Record], id: ExpressId) -> Option<usize> {
    let guess = id.checked_sub(records.first()?.id)? as usize;
    match records.get(guess) {
        Some(record) if record.id == id => Some(guess),
        _ => records.binary_search_by_key(&id, |record| record.id).ok(),
    }
}

/// Warns of references to numbers that the file does not have, once for each instance and number; `written` as the file has
/// them.
fn judge_references(open: &Open, written: &[Record], records: &[Record], findings: &mut Vec<Finding>) {
    let mut from = 0;
    for (record, to) in &open.records {
        let targets = &open.targets[from..*to as usize];
        from = *to as usize;
        let record = written[*record as usize];
        for (index, target) in targets.iter().enumerate() {
            if place(records, *target).is_none() && !targets[..index].contains(target) {
                findings.push(Finding::new(record.at as usize, &DANGLING, args! { id: record.id, target }));
            }
        }
    }
}

fn warnings(bytes: &[u8], mut findings: Vec<Finding>) -> Vec<Warning> {
    findings.sort_by_key(|finding| finding.at);
    let more = findings.len().saturating_sub(MAX_WARNINGS);
    // The end of the file comes last, and whether it is there decides what the file is good for.
    let end = findings.pop_if(|last| more > 0 && last.is(&CUT_OFF));
    findings.truncate(MAX_WARNINGS - usize::from(end.is_some()));
    findings.extend(end);
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
