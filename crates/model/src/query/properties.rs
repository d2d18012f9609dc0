//! Property and quantity sets of occurrences and types, and the effective value.
//!
//! Invariant: an occurrence's value wins over its type's; what has no value is as if it were absent.

use serde_json::{Map, Value, json};

use crate::lists::ColumnKey;
use crate::model::{Instance, Model};
use crate::relations::Role;
use crate::schema::measure_name;
use crate::shapes::{ExpressId, Property, PropertySet, Quantity, QuantitySet, TypeProperties};
use crate::step::Arg;

/// Complex properties and quantities may nest this deep.
const MAX_COMPLEX_DEPTH: usize = 8;

impl Model {
    /// Property sets of the occurrence (of a type object: its own).
    pub fn properties(&self, id: ExpressId) -> Vec<PropertySet> {
        self.own_sets(id).into_iter().filter_map(|set| self.property_set(set)).collect()
    }

    /// Quantity sets of the occurrence (of a type object: its own).
    pub fn quantities(&self, id: ExpressId) -> Vec<QuantitySet> {
        self.own_sets(id).into_iter().filter_map(|set| self.quantity_set(set)).collect()
    }

    /// The type object of an occurrence with its sets.
    pub fn type_properties(&self, id: ExpressId) -> Option<TypeProperties> {
        let type_id = self.type_of(id)?;
        let instance = self.instance(type_id)?;
        Some(TypeProperties {
            type_id,
            type_name: instance.text("Name"),
            r#type: instance.class.name.clone(),
            global_id: instance.text("GlobalId"),
            properties: self.properties(type_id),
            quantities: self.quantities(type_id),
        })
    }

    /// The effective value of a property: the occurrence's, else its type's, else null.
    pub fn property(&self, id: ExpressId, set: &str, name: &str) -> Value {
        let value = |member: &Instance<'_>| Some(property_value(self, member, 0).0).filter(has_value);
        self.effective(id, set, "HasProperties", name, value).unwrap_or_default()
    }

    /// The effective value of a quantity: the occurrence's, else its type's, else null.
    pub fn quantity(&self, id: ExpressId, set: &str, name: &str) -> Value {
        let value = |member: &Instance<'_>| Some(quantity_value(self, member)).filter(has_value);
        self.effective(id, set, "Quantities", name, value).unwrap_or_default()
    }

    /// The effective property, else the effective quantity, with the symbol that a number is measured in.
    pub(crate) fn effective_value(&self, id: ExpressId, key: &ColumnKey) -> Option<(Value, Option<String>)> {
        let property = self.effective(id, &key.set, "HasProperties", &key.name, |member| {
            let (value, measure) = property_value(self, member, 0);
            let unit = || self.units().of_property(self, member, measure.as_deref());
            has_value(&value).then(|| (value.is_number().then(unit).flatten(), value))
        });
        let found = property.or_else(|| {
            self.effective(id, &key.set, "Quantities", &key.name, |member| {
                let value = quantity_value(self, member);
                has_value(&value).then(|| (self.units().of_quantity(self, member), value))
            })
        });
        found.map(|(unit, value)| (value, unit))
    }

    /// The type object of an occurrence.
    pub fn type_of(&self, id: ExpressId) -> Option<ExpressId> {
        self.relations().inverse(id, Role::Type).find(|found| self.class_of(*found).is_some())
    }

    /// Occurrence first, then type; only the members of that name are decoded.
    fn effective<T>(
        &self,
        id: ExpressId,
        set: &str,
        members: &str,
        name: &str,
        value: impl Fn(&Instance<'_>) -> Option<T>,
    ) -> Option<T> {
        let sources = std::iter::once(id).chain(self.type_of(id));
        let sets = sources.flat_map(|source| self.own_sets(source));
        let fitting = sets.filter(|set| self.class_of(*set).is_some_and(|class| class.position(members).is_some()));
        let mut found = fitting
            .filter_map(|set| self.instance(set))
            .filter(|found| found.get("Name").as_text() == Some(set))
            .flat_map(|found| found.get(members).references())
            .filter_map(|member| self.instance(member))
            .filter(|member| member.get("Name").as_text() == Some(name));
        found.find_map(|member| value(&member))
    }

    /// Numbers of the sets that belong to the object itself, in the order of the file.
    pub(crate) fn own_sets(&self, id: ExpressId) -> Vec<ExpressId> {
        let mut sets: Vec<ExpressId> = Vec::new();
        let Some(class) = self.class_of(id) else { return sets };
        let object = class.is_a("IfcTypeObject").then(|| self.instance(id)).flatten();
        let listed = object.map(|object| object.get("HasPropertySets").references()).unwrap_or_default();
        for set in listed.into_iter().chain(self.relations().inverse(id, Role::Properties)) {
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
        sets
    }

    fn property_set(&self, id: ExpressId) -> Option<PropertySet> {
        let set = self.instance(id).filter(|set| set.class.is_a("IfcPropertySet"))?;
        let members = set.get("HasProperties").references().into_iter().filter_map(|member| self.instance(member));
        let properties = members.map(|member| {
            let (value, measure) = property_value(self, &member, 0);
            let unit =
                if value.is_number() { self.units().of_property(self, &member, measure.as_deref()) } else { None };
            Property { name: member.text("Name").unwrap_or_default(), value, r#type: measure, unit }
        });
        Some(PropertySet {
            name: set.text("Name").unwrap_or_default(),
            global_id: set.text("GlobalId"),
            properties: properties.collect(),
        })
    }

    fn quantity_set(&self, id: ExpressId) -> Option<QuantitySet> {
        let set = self.instance(id).filter(|set| set.class.is_a("IfcElementQuantity"))?;
        let members = set.get("Quantities").references().into_iter().filter_map(|member| self.instance(member));
        let quantities = members.map(|member| Quantity {
            name: member.text("Name").unwrap_or_default(),
            value: quantity_value(self, &member),
            unit: self.units().of_quantity(self, &member),
            r#type: member.class.name.clone(),
        });
        Some(QuantitySet {
            name: set.text("Name").unwrap_or_default(),
            global_id: set.text("GlobalId"),
            quantities: quantities.collect(),
        })
    }
}

/// Whether a value counts as one: an empty text does, null and an empty list do not.
pub(crate) fn has_value(value: &Value) -> bool {
    !value.is_null() && value.as_array().is_none_or(|items| !items.is_empty())
}

/// A value of a record as JSON; references become refs.
pub(crate) fn json(model: &Model, arg: &Arg) -> Value {
    match arg {
        Arg::Null | Arg::Derived => Value::Null,
        Arg::Integer(number) => json!(number),
        Arg::Real(number) => json!(number),
        Arg::Text(text) | Arg::Binary(text) => json!(text),
        Arg::Enum(item) => match item.to_ascii_uppercase().as_str() {
            "T" => json!(true),
            "F" => json!(false),
            "U" => json!("UNKNOWN"),
            _ => json!(item),
        },
        Arg::Ref(id) => json!(model.reference(*id)),
        Arg::List(items) => items.iter().map(|item| json(model, item)).collect(),
        Arg::Typed(_, inner) => json(model, inner),
    }
}

/// Value and measure of an `IfcProperty`.
fn property_value(model: &Model, property: &Instance<'_>, depth: usize) -> (Value, Option<String>) {
    let single = |attribute: &str| {
        let arg = property.get(attribute);
        (json(model, arg), measure(arg))
    };
    let class = || Some(property.class.name.clone());
    let parts = |members: &[(&str, &str)]| {
        let named = members.iter().map(|(name, attribute)| ((*name).to_owned(), single(attribute).0));
        let named: Map<String, Value> = named.collect();
        if named.values().any(has_value) { Value::Object(named) } else { Value::Null }
    };
    match property.class.name.as_str() {
        "IfcPropertySingleValue" => single("NominalValue"),
        "IfcPropertyEnumeratedValue" => single("EnumerationValues"),
        "IfcPropertyListValue" => single("ListValues"),
        "IfcPropertyBoundedValue" => {
            let bounds = [("lower", "LowerBoundValue"), ("upper", "UpperBoundValue"), ("setPoint", "SetPointValue")];
            (parts(&bounds), class())
        }
        "IfcPropertyTableValue" => (parts(&[("defining", "DefiningValues"), ("defined", "DefinedValues")]), class()),
        "IfcPropertyReferenceValue" => (single("PropertyReference").0, class()),
        "IfcComplexProperty" if depth < MAX_COMPLEX_DEPTH => {
            let members = property.get("HasProperties").references();
            let named = members
                .into_iter()
                .filter_map(|member| model.instance(member))
                .map(|member| (member.text("Name").unwrap_or_default(), property_value(model, &member, depth + 1).0));
            let named: Map<String, Value> = named.collect();
            (if named.is_empty() { Value::Null } else { Value::Object(named) }, class())
        }
        _ => (Value::Null, class()),
    }
}

/// The measure of a value; of a list, that of its first item.
fn measure(arg: &Arg) -> Option<String> {
    match arg {
        Arg::Typed(keyword, _) => Some(measure_name(keyword)),
        Arg::List(items) => items.first().and_then(measure),
        _ => None,
    }
}

/// The number of an `IfcPhysicalSimpleQuantity`: its attribute is called like its class.
fn quantity_value(model: &Model, quantity: &Instance<'_>) -> Value {
    let value = quantity.class.attributes.iter().position(|name| name.ends_with("Value"));
    value.and_then(|position| quantity.args.get(position)).map_or(Value::Null, |arg| json(model, arg))
}
