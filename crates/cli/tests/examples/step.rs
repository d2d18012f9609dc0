//! A reader of STEP text, written for these tests alone: it shares no code, table or idea with the product's model.
//!
//! It reads the whole file into a map of instances; what the tests want to know is found by plain walks over it.

use std::collections::BTreeMap;

/// One parameter of an instance.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg {
    Absent,
    Ref(u32),
    Number(f64),
    Text(String),
    Enum(String),
    List(Vec<Arg>),
}

impl Arg {
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub fn number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// One reference, or those of a list.
    pub fn refs(&self) -> Vec<u32> {
        match self {
            Self::Ref(id) => vec![*id],
            Self::List(list) => list.iter().flat_map(Self::refs).collect(),
            _ => Vec::new(),
        }
    }
}

/// Instances by number: class in capitals, parameters.
pub struct Step(pub BTreeMap<u32, (String, Vec<Arg>)>);

impl Step {
    pub fn read(text: &str) -> Self {
        let data = text.split("DATA;").nth(1).expect("a DATA section");
        let mut reader = Reader { rest: data };
        let mut found = BTreeMap::new();
        while let Some((id, class, args)) = reader.instance() {
            found.insert(id, (class, args));
        }
        Self(found)
    }

    /// Numbers of the instances of these classes, ascending.
    pub fn of(&self, classes: &[&str]) -> Vec<u32> {
        self.0.iter().filter(|(_, (class, _))| classes.contains(&class.as_str())).map(|(id, _)| *id).collect()
    }

    pub fn class(&self, id: u32) -> &str {
        &self.0[&id].0
    }

    pub fn arg(&self, id: u32, at: usize) -> &Arg {
        self.0.get(&id).and_then(|(_, args)| args.get(at)).unwrap_or(&Arg::Absent)
    }

    /// Text at a position, empty where there is none.
    pub fn text(&self, id: u32, at: usize) -> String {
        self.arg(id, at).text().unwrap_or_default().to_owned()
    }

    /// Over a relationship: where `id` stands at `from`, what stands at `to`.
    pub fn across(&self, class: &str, from: usize, id: u32, to: usize) -> Vec<u32> {
        let relations = self.of(&[class]).into_iter().filter(|relation| self.arg(*relation, from).refs().contains(&id));
        relations.flat_map(|relation| self.arg(relation, to).refs()).collect()
    }

    /// The storey above an element: its container, its whole, what it fills, what it is cut into.
    pub fn storey(&self, id: u32) -> Option<u32> {
        let mut at = id;
        for _ in 0..32 {
            if self.class(at) == "IFCBUILDINGSTOREY" {
                return Some(at);
            }
            let up = [
                self.across("IFCRELCONTAINEDINSPATIALSTRUCTURE", 4, at, 5),
                self.across("IFCRELAGGREGATES", 5, at, 4),
                self.across("IFCRELFILLSELEMENT", 5, at, 4),
                self.across("IFCRELVOIDSELEMENT", 5, at, 4),
            ];
            at = up.into_iter().flatten().next()?;
        }
        None
    }

    /// Name of the storey, empty where there is none.
    pub fn storey_name(&self, id: u32) -> String {
        self.storey(id).map(|storey| self.text(storey, 2)).unwrap_or_default()
    }

    /// Sets of the occurrence, then of its type.
    fn sets(&self, id: u32) -> Vec<u32> {
        let own = self.across("IFCRELDEFINESBYPROPERTIES", 4, id, 5);
        let kind = self.across("IFCRELDEFINESBYTYPE", 4, id, 5);
        own.into_iter().chain(kind.into_iter().flat_map(|kind| self.arg(kind, 5).refs())).collect()
    }

    /// All values of a property, occurrence before type.
    pub fn properties(&self, id: u32, set: &str, name: &str) -> Vec<Arg> {
        self.members(id, set, "IFCPROPERTYSET", 4, name, 2)
    }

    /// All values of a quantity, occurrence before type.
    pub fn quantities(&self, id: u32, set: &str, name: &str) -> Vec<f64> {
        let found = self.members(id, set, "IFCELEMENTQUANTITY", 5, name, 3);
        found.iter().filter_map(Arg::number).collect()
    }

    /// All values of a quantity of the occurrence itself, in the sets that exporters write.
    pub fn own_quantities(&self, id: u32, name: &str) -> Vec<f64> {
        let sets = self.across("IFCRELDEFINESBYPROPERTIES", 4, id, 5).into_iter();
        let usual = |set: &u32| self.text(*set, 2).starts_with("Qto_") || self.text(*set, 2) == "BaseQuantities";
        let sets = sets.filter(|set| self.class(*set) == "IFCELEMENTQUANTITY").filter(usual);
        let members = sets.flat_map(|set| self.arg(set, 5).refs()).filter(|member| self.text(*member, 0) == name);
        members.filter_map(|member| self.arg(member, 3).number()).collect()
    }

    fn members(&self, id: u32, set: &str, class: &str, list: usize, name: &str, value: usize) -> Vec<Arg> {
        let sets = self.sets(id).into_iter().filter(|found| self.class(*found) == class && self.text(*found, 2) == set);
        let members = sets.flat_map(|found| self.arg(found, list).refs());
        let named = members.filter(|member| self.text(*member, 0) == name);
        named.map(|member| self.arg(member, value).clone()).filter(|value| *value != Arg::Absent).collect()
    }
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    /// `#12=IFCWALL(…);`
    fn instance(&mut self) -> Option<(u32, String, Vec<Arg>)> {
        let start = self.rest.find('#')?;
        if self.rest.trim_start().starts_with("ENDSEC") {
            return None;
        }
        self.rest = &self.rest[start + 1..];
        let id = self.word().parse().ok()?;
        self.skip('=');
        let class = self.word().to_owned();
        let Arg::List(args) = self.value() else { panic!("#{id} has no parameters") };
        self.skip(';');
        Some((id, class, args))
    }

    fn blank(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn skip(&mut self, wanted: char) {
        self.blank();
        self.rest = self.rest.strip_prefix(wanted).unwrap_or_else(|| panic!("{wanted} before {:.40}", self.rest));
    }

    fn word(&mut self) -> &str {
        self.blank();
        let end = self.rest.find(|at: char| !at.is_ascii_alphanumeric() && at != '_').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn value(&mut self) -> Arg {
        self.blank();
        match self.rest.as_bytes()[0] {
            b'$' | b'*' => {
                self.rest = &self.rest[1..];
                Arg::Absent
            }
            b'#' => {
                self.rest = &self.rest[1..];
                Arg::Ref(self.word().parse().expect("a number"))
            }
            b'(' => self.list(),
            b'\'' => self.quoted(),
            b'.' => {
                let end = self.rest[1..].find('.').expect("an end of the enumeration") + 1;
                let item = self.rest[1..end].to_owned();
                self.rest = &self.rest[end + 1..];
                Arg::Enum(item)
            }
            first if first.is_ascii_alphabetic() => {
                self.word();
                match self.list() {
                    Arg::List(mut inner) if inner.len() == 1 => inner.remove(0),
                    other => other,
                }
            }
            _ => self.number(),
        }
    }

    fn list(&mut self) -> Arg {
        let mut items = Vec::new();
        self.skip('(');
        loop {
            self.blank();
            if let Some(rest) = self.rest.strip_prefix(')') {
                self.rest = rest;
                return Arg::List(items);
            }
            items.push(self.value());
            self.blank();
            self.rest = self.rest.strip_prefix(',').unwrap_or(self.rest);
        }
    }

    fn number(&mut self) -> Arg {
        let end = self.rest.find([',', ')']).expect("an end of the number");
        let number = self.rest[..end].trim().parse().unwrap_or_else(|_| panic!("no number: {:.40}", self.rest));
        self.rest = &self.rest[end..];
        Arg::Number(number)
    }

    fn quoted(&mut self) -> Arg {
        let bytes = self.rest.as_bytes();
        let mut end = 1;
        while bytes[end] != b'\'' || bytes.get(end + 1) == Some(&b'\'') {
            end += if bytes[end] == b'\'' { 2 } else { 1 };
        }
        let text = decoded(&self.rest[1..end].replace("''", "'"));
        self.rest = &self.rest[end + 1..];
        Arg::Text(text)
    }
}

/// `\X2\00E5\X0\` and `\X\E5` as letters; nothing else is written in the files of these tests.
fn decoded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\X") {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(wide) = rest.strip_prefix("\\X2\\") {
            let (digits, behind) = wide.split_once("\\X0\\").expect("an end of the letters");
            let units: Vec<u16> =
                (0..digits.len()).step_by(4).map(|at| u16::from_str_radix(&digits[at..at + 4], 16).unwrap()).collect();
            out.push_str(&String::from_utf16(&units).expect("letters"));
            rest = behind;
        } else {
            let code = u8::from_str_radix(&rest[3..5], 16).expect("a letter");
            out.push(char::from(code));
            rest = &rest[5..];
        }
    }
    out + rest
}
