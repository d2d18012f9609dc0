//! `when` conditions (spec: ifc-extension.md §2.2).
//!
//! Owns grammar and meaning; `when.eval` and the manifest check are this one parser. Invariant: at most
//! [`MAX_WHEN_DEPTH`] levels, so no input overflows the stack.

use serde_json::Value;

use super::limits::{MAX_WHEN_CHARS, MAX_WHEN_DEPTH};

/// Keys that every host supplies.
pub const KEYS: [&str; 8] = [
    "model.loaded",
    "model.schema",
    "model.count",
    "selection.count",
    "selection.type",
    "viewer.open",
    "desktop",
    "embed",
];

/// A condition that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct When(Node);

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Or(Vec<Node>),
    And(Vec<Node>),
    Not(Box<Node>),
    Compare(Box<Node>, Operator, Box<Node>),
    Text(String),
    Number(f64),
    Bool(bool),
    Key(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Equal,
    Unequal,
    AtMost,
    AtLeast,
    Below,
    Above,
}

/// What a part of a condition stands for.
#[derive(Debug, Clone, PartialEq)]
enum Term {
    Undefined,
    Json(Value),
}

/// UTF-16 offset of the first character that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidWhen(pub u32);

impl When {
    pub fn parse(text: &str) -> Result<Self, InvalidWhen> {
        let units = |bytes: usize| text.get(..bytes).map_or(0, |lead| lead.encode_utf16().count()) as u32;
        if let Some((beyond, _)) = text.char_indices().nth(MAX_WHEN_CHARS) {
            return Err(InvalidWhen(units(beyond)));
        }
        let mut parser = Parser { text, at: 0, depth: 0 };
        let whole = parser.or().and_then(|node| {
            parser.skip_space();
            if parser.at == text.len() { Ok(node) } else { Err(parser.at) }
        });
        whole.map(Self).map_err(|at| InvalidWhen(units(at)))
    }

    /// Its truth in a context (key → value).
    pub fn eval(&self, context: &Value) -> bool {
        truth(&term(&self.0, context))
    }

    /// Keys that no host supplies, in order of appearance.
    pub fn unknown_keys(&self) -> Vec<&str> {
        let mut keys = Vec::new();
        collect(&self.0, &mut keys);
        keys.retain(|key| !KEYS.contains(key));
        keys
    }
}

fn collect<'n>(node: &'n Node, keys: &mut Vec<&'n str>) {
    match node {
        Node::Or(nodes) | Node::And(nodes) => nodes.iter().for_each(|node| collect(node, keys)),
        Node::Not(node) => collect(node, keys),
        Node::Compare(left, _, right) => {
            collect(left, keys);
            collect(right, keys);
        }
        Node::Key(key) if !keys.contains(&key.as_str()) => keys.push(key),
        _ => {}
    }
}

fn term(node: &Node, context: &Value) -> Term {
    let of = |value: bool| Term::Json(Value::Bool(value));
    match node {
        Node::Or(nodes) => of(nodes.iter().any(|node| truth(&term(node, context)))),
        Node::And(nodes) => of(nodes.iter().all(|node| truth(&term(node, context)))),
        Node::Not(node) => of(!truth(&term(node, context))),
        Node::Compare(left, operator, right) => of(compare(&term(left, context), *operator, &term(right, context))),
        Node::Text(text) => Term::Json(Value::String(text.clone())),
        Node::Number(number) => Term::Json(Value::from(*number)),
        Node::Bool(value) => of(*value),
        Node::Key(key) => context.get(key.as_str()).map_or(Term::Undefined, |value| Term::Json(value.clone())),
    }
}

fn truth(term: &Term) -> bool {
    match term {
        Term::Json(Value::Bool(value)) => *value,
        Term::Json(Value::Number(number)) => number.as_f64().is_some_and(|number| number != 0.0),
        Term::Json(Value::String(text)) => !text.is_empty(),
        _ => false,
    }
}

fn compare(left: &Term, operator: Operator, right: &Term) -> bool {
    let equal = match (left, right) {
        (Term::Undefined, Term::Undefined) => true,
        (Term::Json(left), Term::Json(right)) => holdpoint_check::subset::equal(left, right),
        _ => false,
    };
    let order = match (left, right) {
        (Term::Json(Value::Number(left)), Term::Json(Value::Number(right))) => {
            left.as_f64().partial_cmp(&right.as_f64())
        }
        // As JavaScript orders strings: by UTF-16 code unit.
        (Term::Json(Value::String(left)), Term::Json(Value::String(right))) => {
            Some(left.encode_utf16().cmp(right.encode_utf16()))
        }
        _ => None,
    };
    match operator {
        Operator::Equal => equal,
        Operator::Unequal => !equal,
        Operator::AtMost => order.is_some_and(std::cmp::Ordering::is_le),
        Operator::AtLeast => order.is_some_and(std::cmp::Ordering::is_ge),
        Operator::Below => order.is_some_and(std::cmp::Ordering::is_lt),
        Operator::Above => order.is_some_and(std::cmp::Ordering::is_gt),
    }
}

/// Errors are byte offsets of the first character that does not fit.
struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
    }

    fn take(&mut self, token: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn or(&mut self) -> Result<Node, usize> {
        let mut nodes = vec![self.and()?];
        while self.take("||") {
            nodes.push(self.and()?);
        }
        Ok(if nodes.len() == 1 { nodes.remove(0) } else { Node::Or(nodes) })
    }

    fn and(&mut self) -> Result<Node, usize> {
        let mut nodes = vec![self.not()?];
        while self.take("&&") {
            nodes.push(self.not()?);
        }
        Ok(if nodes.len() == 1 { nodes.remove(0) } else { Node::And(nodes) })
    }

    fn deeper(&mut self, start: usize, read: fn(&mut Self) -> Result<Node, usize>) -> Result<Node, usize> {
        if self.depth == MAX_WHEN_DEPTH {
            return Err(start);
        }
        self.depth += 1;
        let node = read(self)?;
        self.depth -= 1;
        Ok(node)
    }

    fn not(&mut self) -> Result<Node, usize> {
        self.skip_space();
        let start = self.at;
        if self.rest().starts_with('!') && !self.rest().starts_with("!=") {
            self.at += 1;
            return Ok(Node::Not(Box::new(self.deeper(start, Self::not)?)));
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Result<Node, usize> {
        const OPERATORS: [(&str, Operator); 6] = [
            ("==", Operator::Equal),
            ("!=", Operator::Unequal),
            ("<=", Operator::AtMost),
            (">=", Operator::AtLeast),
            ("<", Operator::Below),
            (">", Operator::Above),
        ];
        let left = self.primary()?;
        for (token, operator) in OPERATORS {
            if self.take(token) {
                return Ok(Node::Compare(Box::new(left), operator, Box::new(self.primary()?)));
            }
        }
        Ok(left)
    }

    fn primary(&mut self) -> Result<Node, usize> {
        self.skip_space();
        let start = self.at;
        match self.rest().chars().next() {
            Some('(') => {
                self.at += 1;
                let node = self.deeper(start, Self::or)?;
                if self.take(")") { Ok(node) } else { Err(self.at) }
            }
            Some(quote @ ('"' | '\'')) => self.string(quote),
            Some('0'..='9') => self.number(),
            Some(c) if c.is_ascii_alphabetic() || c == '_' => self.word(),
            _ => Err(self.at),
        }
    }

    fn string(&mut self, quote: char) -> Result<Node, usize> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let next = self.rest().chars().next().ok_or(self.at)?;
            self.at += next.len_utf8();
            if next == quote {
                return Ok(Node::Text(out));
            }
            if next == '\\' {
                let escaped = self.rest().chars().next().ok_or(self.at)?;
                self.at += escaped.len_utf8();
                out.push(escaped);
            } else {
                out.push(next);
            }
        }
    }

    fn digits(&mut self) -> Result<(), usize> {
        let rest = self.rest();
        let count = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        self.at += count;
        if count == 0 { Err(self.at) } else { Ok(()) }
    }

    fn number(&mut self) -> Result<Node, usize> {
        let start = self.at;
        self.digits()?;
        if self.rest().starts_with('.') {
            self.at += 1;
            self.digits()?;
        }
        if self.rest().starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.') {
            return Err(self.at);
        }
        Ok(Node::Number(number(&self.text[start..self.at])))
    }

    fn word(&mut self) -> Result<Node, usize> {
        let start = self.at;
        loop {
            let rest = self.rest();
            if !rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
                return Err(self.at);
            }
            self.at += rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
            if !self.rest().starts_with('.') {
                break;
            }
            self.at += 1;
        }
        Ok(match &self.text[start..self.at] {
            "true" => Node::Bool(true),
            "false" => Node::Bool(false),
            key => Node::Key(key.to_owned()),
        })
    }
}

/// The nearest number to digits with or without a fraction. Read as JSON, whose reader is there anyway: that of the
/// standard library brings tables of its own.
fn number(digits: &str) -> f64 {
    let lead = digits.bytes().take_while(|digit| *digit == b'0').count();
    let digits = match digits.get(lead..) {
        Some(rest) if rest.starts_with(|first: char| first.is_ascii_digit()) => rest,
        _ => &digits[lead.saturating_sub(1)..],
    };
    // JSON refuses what is too large for a number.
    serde_json::from_str(digits).unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn meaning() {
        let context = json!({"model.loaded": true, "model.count": 2, "model.schema": "IFC4", "selection.type": ""});
        let cases = [
            ("model.loaded", true),
            ("!model.loaded || model.count > 1", true),
            ("!model.count == 2", false),
            ("model.count == 2.0", true),
            ("model.count == '2'", false),
            ("model.count < '3'", false),
            ("nothing == nowhere", true),
            ("nothing == false", false),
            ("nothing != false", true),
            ("nothing < 1", false),
            ("selection.type", false),
            ("constructor", false),
            ("'a\\'b' == \"a'b\"", true),
            ("(true || true) && !(1 == 2)", true),
            ("true || true && false", true),
            ("0.5", true),
            ("0", false),
        ];
        for (text, want) in cases {
            assert_eq!(When::parse(text).unwrap().eval(&context), want, "{text}");
        }
    }

    #[test]
    fn the_first_character_that_does_not_fit() {
        let deep = |levels: usize| format!("{}true{}", "(".repeat(levels), ")".repeat(levels));
        assert!(When::parse(&deep(32)).is_ok());
        assert_eq!(When::parse(&deep(33)), Err(InvalidWhen(32)));
        assert_eq!(When::parse(&format!("'{}'", "a".repeat(499))), Err(InvalidWhen(500)));
        let cases = [
            ("", 0),
            ("  ", 2),
            ("a &&", 4),
            ("a & b", 2),
            ("a == b == c", 7),
            ("a b", 2),
            ("(a", 2),
            ("a)", 1),
            ("'🙂", 3),
            ("1.", 2),
            ("1a", 1),
            ("-1", 0),
            ("a.", 2),
            ("a..b", 2),
            ("a = b", 2),
            ("!", 1),
            ("'🙂' ?", 5),
        ];
        for (text, offset) in cases {
            assert_eq!(When::parse(text), Err(InvalidWhen(offset)), "{text}");
        }
    }

    #[test]
    fn numbers_are_the_nearest() {
        let huge = "9".repeat(400);
        for digits in
            ["0", "00", "0.5", "00.50", "007", "1", "9007199254740993", "0.1", "3.14159265358979323846", &huge]
        {
            assert_eq!(Some(number(digits)), digits.parse().ok(), "{digits}");
        }
    }

    proptest! {
        #[test]
        fn any_number_is_the_nearest(digits in "[0-9]{1,30}(\\.[0-9]{1,30})?") {
            prop_assert_eq!(Some(number(&digits)), digits.parse().ok());
        }

        #[test]
        fn total(text in "[a-c.0-9'\"!&|=<>() \\\\🙂]{0,60}") {
            match When::parse(&text) {
                Ok(when) => { when.eval(&json!({})); }
                Err(InvalidWhen(offset)) => prop_assert!(offset as usize <= text.encode_utf16().count()),
            }
        }
    }
}
