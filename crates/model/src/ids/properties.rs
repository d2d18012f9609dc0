//! Properties and quantities as an IDS file asks for them: by set, name, type and value.
//!
//! Invariant: of a member that occurrence and type both have, the occurrence's value counts where it has one.

use std::collections::HashMap;

use holdpoint_check::args;

use super::Property;
use super::allowed::Fact;
use super::codes::{EMPTY_MEMBER, NO_MEMBER, NO_SET, NOT_COMPARED, OTHER_TYPE, OTHER_VALUE};
use super::facets::{Checker, Found, Met, absent, fact, wrong};
use crate::model::{Instance, Model};
use crate::shapes::ExpressId;
use crate::step::Arg;

/// Attributes of every set that stand before the values of a predefined one.
const ROOT_ATTRIBUTES: usize = 4;

/// Quantity classes and the measures that their values have.
const QUANTITIES: &[(&str, &str)] = &[
    ("IfcQuantityLength", "IFCLENGTHMEASURE"),
    ("IfcQuantityArea", "IFCAREAMEASURE"),
    ("IfcQuantityVolume", "IFCVOLUMEMEASURE"),
    ("IfcQuantityWeight", "IFCMASSMEASURE"),
    ("IfcQuantityTime", "IFCTIMEMEASURE"),
    ("IfcQuantityCount", "IFCCOUNTMEASURE"),
    ("IfcQuantityNumber", "IFCNUMERICMEASURE"),
];

struct Set {
    name: String,
    members: Vec<Member>,
}

struct Member {
    name: String,
    values: Vec<Value>,
    /// The class, where its values are none that could be compared.
    beyond: Option<String>,
}

/// A value with its type in capitals; a predefined set does not say the type.
struct Value {
    arg: Arg,
    measure: Option<String>,
    unit: Option<ExpressId>,
}

impl Member {
    fn has_value(&self) -> bool {
        self.beyond.is_some() || self.values.iter().any(|value| !matches!(fact(&value.arg, None), Found::Nothing))
    }
}

impl Checker<'_> {
    pub(crate) fn property(&self, asked: &Property, id: ExpressId) -> Met {
        let sets = self.sets(id);
        let mut named = sets.iter().filter(|set| asked.set.accepts_text(&set.name)).peekable();
        if named.peek().is_none() {
            return absent(&NO_SET, args! { set: asked.set.to_string() });
        }
        named.fold(Met::Yes, |met, set| met.and(self.set(asked, set)))
    }

    fn set(&self, asked: &Property, set: &Set) -> Met {
        let members = || set.members.iter().filter(|member| asked.name.accepts_text(&member.name));
        let mut valued = members().filter(|member| member.has_value()).peekable();
        if valued.peek().is_none() {
            let (set, name) = (&set.name, asked.name.to_string());
            return match members().next() {
                Some(member) => absent(&EMPTY_MEMBER, args! { set: set, name: member.name }),
                None => absent(&NO_MEMBER, args! { set: set, name: name }),
            };
        }
        valued.fold(Met::Yes, |met, member| met.and(self.member(asked, &set.name, member)))
    }

    fn member(&self, asked: &Property, set: &str, member: &Member) -> Met {
        let name = &member.name;
        if let Some(class) = &member.beyond {
            return wrong(&NOT_COMPARED, args! { set: set, name: name, found: class });
        }
        let of_type = |value: &&Value| match (&asked.data_type, &value.measure) {
            (Some(wanted), Some(measure)) => wanted == measure,
            (Some(wanted), None) => wanted.ends_with("ENUM") == matches!(value.arg, Arg::Enum(_)),
            (None, _) => true,
        };
        let mut typed = member.values.iter().filter(of_type).peekable();
        if let (None, Some(allowed)) = (typed.peek(), &asked.data_type) {
            let found = member.values.iter().find_map(|value| value.measure.as_deref()).unwrap_or("…");
            return wrong(&OTHER_TYPE, args! { set: set, name: name, found: found, allowed: allowed });
        }
        let mut last = None;
        for value in typed {
            let Found::Value(found) = fact(&value.arg, None) else { continue };
            let found = self.in_si(found, value);
            match &asked.value {
                Some(allowed) if !allowed.accepts(&found) => last = Some(found),
                _ => return Met::Yes,
            }
        }
        match (last, &asked.value) {
            (Some(found), Some(allowed)) => {
                let (found, allowed) = (found.to_string(), allowed.to_string());
                wrong(&OTHER_VALUE, args! { set: set, name: name, found: found, allowed: allowed })
            }
            _ => wrong(&EMPTY_MEMBER, args! { set: set, name: name }),
        }
    }

    fn in_si(&self, found: Fact, value: &Value) -> Fact {
        let Some(measure) = &value.measure else { return found };
        let scale = self.scales.of(self.model, measure, value.unit);
        let is_real = measure.ends_with("MEASURE") && measure != "IFCCOUNTMEASURE" || measure == "IFCREAL";
        match found {
            Fact::Real(number) => Fact::Real(scale.of(number)),
            // Files write whole numbers without a dot, against the schema.
            Fact::Integer(number) if is_real => Fact::Real(scale.of(number as f64)),
            other => other,
        }
    }

    /// Of the occurrence, with what only its type has behind it.
    fn sets(&self, id: ExpressId) -> Vec<Set> {
        let mut sets = self.own(id);
        let of_type = self.model.type_of(id).map(|found| self.own(found)).unwrap_or_default();
        for set in of_type {
            let Some(there) = sets.iter_mut().find(|there| there.name == set.name) else {
                sets.push(set);
                continue;
            };
            for member in set.members {
                match there.members.iter_mut().find(|own| own.name == member.name) {
                    Some(own) if own.has_value() => {}
                    Some(own) => *own = member,
                    None => there.members.push(member),
                }
            }
        }
        sets
    }

    fn own(&self, id: ExpressId) -> Vec<Set> {
        let resources = self.sets_of_resources().get(&id).into_iter().flatten().copied();
        let sets = self.model.own_sets(id).into_iter().chain(resources);
        sets.filter_map(|set| self.model.instance(set)).map(|set| set_of(self.model, &set)).collect()
    }

    fn sets_of_resources(&self) -> &HashMap<ExpressId, Vec<ExpressId>> {
        self.sets_of_resources.get_or_init(|| {
            let mut sets: HashMap<ExpressId, Vec<ExpressId>> = HashMap::new();
            for (class, of) in [("IfcMaterialProperties", "Material"), ("IfcProfileProperties", "ProfileDefinition")] {
                for record in self.model.instances_of(class) {
                    let resource = self.model.instance(record.id).and_then(|set| set.get(of).as_ref());
                    sets.entry(resource.unwrap_or_default()).or_default().push(record.id);
                }
            }
            sets
        })
    }
}

fn set_of(model: &Model, set: &Instance<'_>) -> Set {
    let listed = ["HasProperties", "Quantities", "Properties", "ExtendedProperties"];
    let ids: Vec<ExpressId> = listed.iter().flat_map(|name| set.get(name).references()).collect();
    let members = ids.into_iter().filter_map(|id| model.instance(id)).map(|member| member_of(&member));
    let name = set.text("Name").unwrap_or_default();
    if set.class.position("HasProperties").is_some() || set.class.position("Quantities").is_some() {
        return Set { name, members: members.collect() };
    }
    // A predefined set: its values are attributes of its own.
    let attributes = set.class.attributes.iter().zip(&set.args).skip(ROOT_ATTRIBUTES);
    let own = attributes.map(|(name, arg)| {
        let measure = if let Arg::Typed(keyword, _) = arg { Some(keyword.to_ascii_uppercase()) } else { None };
        let value = Value { arg: arg.clone(), measure, unit: None };
        Member { name: (*name).to_owned(), values: vec![value], beyond: None }
    });
    let is_predefined = set.class.is_a("IfcPropertySetDefinition");
    Set { name, members: members.chain(own.filter(|_| is_predefined)).collect() }
}

fn member_of(member: &Instance<'_>) -> Member {
    let class = member.class.name.as_str();
    let name = member.text("Name").unwrap_or_default();
    let unit = |attribute: &str| member.get(attribute).as_ref();
    let values = |attributes: &[(&str, &str)]| -> Vec<Value> {
        let args = attributes.iter().flat_map(|(attribute, of)| {
            let arg = member.get(attribute).clone();
            let items = if let Arg::List(items) = arg { items } else { vec![arg] };
            items.into_iter().map(|item| (item, unit(of)))
        });
        args.map(|(arg, unit)| {
            let measure = if let Arg::Typed(keyword, _) = &arg { Some(keyword.to_ascii_uppercase()) } else { None };
            Value { arg, measure, unit }
        })
        .collect()
    };
    let values = match class {
        "IfcPropertySingleValue" => values(&[("NominalValue", "Unit")]),
        "IfcPropertyEnumeratedValue" => values(&[("EnumerationValues", "Unit")]),
        "IfcPropertyListValue" => values(&[("ListValues", "Unit")]),
        "IfcPropertyBoundedValue" => {
            values(&[("LowerBoundValue", "Unit"), ("UpperBoundValue", "Unit"), ("SetPointValue", "Unit")])
        }
        "IfcPropertyTableValue" => values(&[("DefiningValues", "DefiningUnit"), ("DefinedValues", "DefinedUnit")]),
        _ => {
            let Some((_, measure)) = QUANTITIES.iter().find(|(quantity, _)| *quantity == class) else {
                return Member { name, values: Vec::new(), beyond: Some(class.to_owned()) };
            };
            let value = member.class.attributes.iter().find(|attribute| attribute.ends_with("Value"));
            let arg = value.map_or(Arg::Null, |attribute| member.get(attribute).clone());
            vec![Value { arg, measure: Some((*measure).to_owned()), unit: unit("Unit") }]
        }
    };
    Member { name, values, beyond: None }
}
