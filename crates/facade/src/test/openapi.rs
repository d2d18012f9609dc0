//! `docs/reference/openapi.json`: the routes with the schemas of their Rust types.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_check::route::{Body, Errors, Returns, Route};
use holdpoint_gateway::{Code, GatewayError, Protocol, codes};
use holdpoint_store::routes::{gateway, models, operator};
use holdpoint_store::wire::ErrorBody;
use regex::Regex;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::root;

/// What every route with a key may answer.
const WITH_KEY: &[Code] = &[
    Code::AuthMissingToken,
    Code::AuthInvalidToken,
    Code::KeyExpired,
    Code::KeyRevoked,
    Code::ScopeDenied,
    Code::OriginDenied,
    Code::OtherSigner,
    Code::TooManyInFlight,
    Code::LedgerUnavailable,
];
/// What every route with a body may answer.
const WITH_BODY: &[Code] =
    &[Code::InvalidJson, Code::DuplicateKey, Code::InvalidRequest, Code::RequestTooLarge, Code::UnsupportedMediaType];

const ABOUT: &str = "\
The edge of Holdpoint: metered model access over the OpenAI protocol, its administration, what a user installed, and the \
script editor. Codes are listed in codes.md; messages are for people. Every path answers 405 `METHOD_NOT_ALLOWED` to other \
methods; what is not listed answers 404 `NOT_FOUND`; with HOLDPOINT_DEV set in production all answer 503 \
`DEV_IN_PRODUCTION`. Written by `cargo xtask generate` from the rows that the Worker's router matches.";

/// A row, and what its table says of it.
struct Row {
    path: String,
    errors: Errors,
    route: &'static Route,
}

/// Every row of the Worker's router that answers.
fn documented() -> impl Iterator<Item = Row> {
    let rows = models::TABLE
        .all()
        .chain(operator::TABLE.all())
        .chain(gateway::TABLE.all())
        .chain(holdpoint_kinds::routes::all());
    rows.filter(|(.., route)| route.gone.is_none()).map(|(root, errors, route)| {
        let path = format!("{root}{}", route.path.replace("*}", "}"));
        Row { path, errors, route }
    })
}

#[test]
fn export_openapi() {
    let text = serde_json::to_string_pretty(&document()).unwrap();
    super::export("openapi.json", &format!("{text}\n"));
}

#[test]
fn every_reference_leads_to_a_schema() {
    let document = document();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let text = document.to_string();
    for name in text.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(schemas.contains_key(name), "{name} has no schema");
    }
}

fn document() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut bodies = settings.clone().for_deserialize().into_generator();
    let mut answers = settings.for_serialize().into_generator();
    let mut paths: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
    drop(answers.subschema_for::<ErrorBody>());
    for row in documented() {
        let operation = operation(&row, &mut bodies, &mut answers);
        let same = paths.entry(row.path.clone()).or_default().insert(method(row.route), operation);
        assert!(same.is_none(), "{} {} stands twice", method(row.route), row.path);
    }
    let mut schemas = answers.take_definitions(true);
    for (name, schema) in bodies.take_definitions(true) {
        let same = schemas.get(&name).is_none_or(|other| *other == schema);
        assert!(same, "{name} is read and written in different shapes: give the two a name each");
        schemas.insert(name, schema);
    }
    schemas.insert("ProtocolError".to_owned(), protocol_error());
    schemas.insert("EditorError".to_owned(), editor_error());
    schemas.insert("EnvelopeError".to_owned(), envelope_error());
    let schemas: BTreeMap<String, Value> = schemas.into_iter().collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Holdpoint edge",
            "version": env!("CARGO_PKG_VERSION"),
            "description": ABOUT,
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "http://localhost:8787", "description": "`cargo xtask dev`"}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "description": "`authorization: Bearer hp_…`"},
                "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
            },
        },
    })
}

/// As the document writes it.
fn method(route: &Route) -> String {
    route.method.name().to_lowercase()
}

fn operation(row: &Row, bodies: &mut SchemaGenerator, answers: &mut SchemaGenerator) -> Value {
    let Row { path, route, .. } = row;
    let in_path = path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
    let parameter = |name: &str, place: &str, about: &str| {
        let kind = if name == "limit" {
            let most: u32 = about.split([' ', ';']).nth(2).and_then(|most| most.parse().ok()).unwrap_or(500);
            json!({"type": "integer", "minimum": 1, "maximum": most})
        } else {
            json!({"type": "string"})
        };
        let mut shown = json!({"name": name, "in": place, "required": place == "path", "schema": kind});
        if !about.is_empty() {
            shown["description"] = about.into();
        }
        shown
    };
    let mut parameters: Vec<Value> = in_path.map(|name| parameter(name, "path", "")).collect();
    parameters.extend(route.query.iter().map(|(name, about)| parameter(name, "query", about)));
    if row.errors == Errors::Correlated {
        parameters.push(parameter("X-Correlation-ID", "header", "A UUID; anything else is replaced by a fresh one."));
        parameters.push(parameter(
            "X-Skriptoteket-Eval",
            "header",
            "`1`: an administrator measures, outside production.",
        ));
    }
    let mut operation = json!({
        "operationId": operation_id(row),
        "tags": [path.split('/').nth(if path.starts_with("/v1") { 1 } else { 3 })],
        "summary": route.does.split_inclusive(". ").next().unwrap_or_default().trim_end(),
        "description": format!("{} Specification: {}.", route.does, route.spec),
        "security": route.scope.map_or_else(|| json!([]), |_| json!([{"bearer": []}, {"key": []}])),
    });
    if let Some(scope) = route.scope {
        operation["x-scope"] = scope.into();
    }
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    let asks = match route.body {
        Body::Call => Some(json!({"type": "object", "description": "A request of the OpenAI protocol."})),
        Body::None | Body::Json(_) | Body::Unless(..) | Body::Maybe(_) | Body::Form(_) => {
            route.asks.map(|shape| json!(shape.schema(bodies)))
        }
    };
    if let Some(schema) = asks {
        let required = !matches!(route.body, Body::Unless(..) | Body::Maybe(_));
        let kind = if matches!(route.body, Body::Form(_)) { "multipart/form-data" } else { "application/json" };
        operation["requestBody"] = json!({"required": required, "content": {kind: {"schema": schema}}});
    }
    operation["responses"] = responses(row, answers).into();
    operation
}

/// `post` and `/gateway/v1/keys/{id}/revoke` make `postGatewayKeysIdRevoke`.
fn operation_id(row: &Row) -> String {
    let words = row.path.split(['/', '{', '}']).filter(|word| !["", "v1", "api"].contains(word));
    words.fold(method(row.route), |mut id, word| {
        let mut letters = word.chars();
        id.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        id.extend(letters);
        id
    })
}

fn responses(row: &Row, answers: &mut SchemaGenerator) -> Map<String, Value> {
    let mut responses = Map::new();
    let good = match row.route.answer {
        Returns::Json(shape) => {
            let schema = json!(shape.schema(answers));
            let schema = if row.errors == Errors::Envelope { in_envelope(&schema) } else { schema };
            json!({"description": "Done.", "content": {"application/json": {"schema": schema}}})
        }
        Returns::Nothing => json!({"description": "Done."}),
        Returns::Events(about) => json!({
            "description": about,
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        }),
        Returns::Passed(about) => json!({
            "description": about,
            "content": {
                "application/json": {"schema": {"type": "object"}},
                "text/event-stream": {"schema": {"type": "string"}},
            },
        }),
    };
    responses.insert(row.route.status.to_string(), good);
    for (status, codes) in refusals(row) {
        let told = codes.iter().map(|code| format!("`{code}`")).collect::<Vec<_>>().join(", ");
        let shapes: BTreeSet<&str> = codes.iter().map(|code| error_shape(row.errors, code)).collect();
        let mut shapes: Vec<Value> =
            shapes.iter().map(|name| json!({"$ref": format!("#/components/schemas/{name}")})).collect();
        let schema = if shapes.len() == 1 { shapes.remove(0) } else { json!({ "anyOf": shapes }) };
        responses.insert(
            status.to_string(),
            json!({"description": told, "x-codes": codes, "content": {"application/json": {"schema": schema}}}),
        );
    }
    responses
}

/// Origins are looked at before anything else is; a fault of ours has no shape of a protocol.
fn error_shape(errors: Errors, code: &str) -> &'static str {
    match errors {
        Errors::Envelope => "EnvelopeError",
        Errors::Correlated if code != "ORIGIN_DENIED" => "EditorError",
        Errors::Protocol if !["ORIGIN_DENIED", "INTERNAL"].contains(&code) => "ProtocolError",
        _ => "ErrorBody",
    }
}

/// Status to codes, both in order.
fn refusals(row: &Row) -> BTreeMap<u16, BTreeSet<String>> {
    let route = row.route;
    let with_key: &[Code] = if route.scope.is_some() { WITH_KEY } else { &[] };
    let with_body: &[Code] = if route.body == Body::None { &[] } else { WITH_BODY };
    let with_query: &[Code] = if route.query.iter().any(|(name, _)| *name == "limit" || row.errors == Errors::Envelope)
    {
        &[Code::InvalidRequest]
    } else {
        &[]
    };
    let (table, renamed) = match row.errors {
        Errors::Correlated => (codes::EDITOR, renamed()),
        Errors::Envelope => (codes::ENVELOPE, in_envelopes()),
        Errors::House | Errors::Protocol => (codes::EDGE, BTreeMap::new()),
    };
    let mut found: BTreeMap<u16, BTreeSet<String>> = BTreeMap::new();
    let shared = [with_key, with_body, with_query].concat().into_iter().map(Code::name);
    let is_of_apps = route.spec.starts_with("app-builder");
    // What is wrong with a body or a list is said there in the editor's words.
    let of_bodies = if is_of_apps { self::renamed() } else { BTreeMap::new() };
    for code in shared.chain(route.codes.iter().copied()) {
        let of_apps = || holdpoint_kind_app::routes::codes::ANSWERS.iter().find(|row| row.0 == code).map(|row| row.1);
        let own = || table.iter().find(|row| row.0 == code).map(|row| row.1);
        let own = || if is_of_apps { of_apps().or_else(own) } else { own() };
        let status =
            || own().or_else(|| Code::parse(code).map(Code::status)).unwrap_or_else(|| panic!("{code} has no row"));
        let own_words = renamed.get(code).or_else(|| of_bodies.get(code).filter(|_| code != "LEDGER_UNAVAILABLE"));
        let (status, name) = own_words.cloned().unwrap_or_else(|| (status(), code.to_owned()));
        found.entry(status).or_default().insert(name);
    }
    found.entry(500).or_default().insert("INTERNAL".to_owned());
    found
}

/// The same as the routes with envelopes say them.
fn in_envelopes() -> BTreeMap<String, (u16, String)> {
    let rows = codes::ENVELOPE_RENAMED.iter();
    rows.map(|(from, status, to)| ((*from).to_owned(), (*status, (*to).to_owned()))).collect()
}

/// Codes of other families as the editor says them: from the Worker, which renames them in one place.
fn renamed() -> BTreeMap<String, (u16, String)> {
    let source = std::fs::read_to_string(root().join("worker/src/project/reply.rs")).unwrap();
    let renames = source.split_once("\npub fn as_editor(").unwrap().1.split_once("\n}").unwrap().0;
    let arm = Regex::new(r#"((?:"[A-Z_]+"[\s|]*)+)=>\s*\{?\s*as_code\((\d+), "([A-Z_]+)"\)"#).unwrap();
    let code = Regex::new("[A-Z_]+").unwrap();
    let mut found = BTreeMap::new();
    for arm in arm.captures_iter(renames) {
        let named = (arm[2].parse().unwrap(), arm[3].to_owned());
        found.extend(code.find_iter(&arm[1]).map(|code| (code.as_str().to_owned(), named.clone())));
    }
    assert_eq!(arm.captures_iter(renames).count(), renames.matches("as_code(").count(), "a rename was not read");
    found
}

#[test]
fn codes_of_the_editor_are_those_of_its_table() {
    let table: BTreeMap<&str, u16> = holdpoint_gateway::codes::EDITOR.iter().map(|row| (row.0, row.1)).collect();
    for (from, (status, to)) in renamed() {
        assert_eq!(table.get(to.as_str()), Some(&status), "{from} becomes {to}");
    }
    let mut told: BTreeSet<String> = documented()
        .filter(|row| row.errors == Errors::Correlated)
        .flat_map(|row| refusals(&row).into_values().flatten())
        .collect();
    // In answers with status 200.
    told.extend(["FEATURE_OFF", "SYSTEM_OVER_BUDGET"].map(str::to_owned));
    let untold: Vec<&&str> = table.keys().filter(|code| !told.contains(**code)).collect();
    assert!(untold.is_empty(), "no route answers {untold:?}");
}

/// The error of the OpenAI protocol, from one that the gateway gives.
fn protocol_error() -> Value {
    let sample = GatewayError::new(Code::RateLimited).body(Protocol::OpenAi, "req_1");
    let members = sample["error"].as_object().unwrap();
    let member = |name: &String| {
        let kind = match name.as_str() {
            "details" => json!({"type": "object"}),
            "param" => json!({"type": ["string", "null"]}),
            _ => json!({"type": "string"}),
        };
        (name.clone(), kind)
    };
    let properties: Map<String, Value> = members.keys().map(member).collect();
    json!({
        "type": "object",
        "required": ["error"],
        "properties": {"error": {"type": "object", "required": ["message", "type", "code"], "properties": properties}},
    })
}

/// What was asked for, as routes with envelopes give it.
fn in_envelope(data: &Value) -> Value {
    json!({"type": "object", "required": ["data", "error"], "properties": {"data": data, "error": {"type": "null"}}})
}

/// An error of the same routes.
fn envelope_error() -> Value {
    let error = json!({"$ref": "#/components/schemas/ErrorShape"});
    json!({"type": "object", "required": ["data", "error"], "properties": {"data": {"type": "null"}, "error": error}})
}

/// The error of the editor: every one names its request.
fn editor_error() -> Value {
    json!({
        "type": "object",
        "required": ["error", "correlation_id"],
        "properties": {
            "error": {"$ref": "#/components/schemas/ErrorShape"},
            "correlation_id": {"type": "string", "format": "uuid"},
        },
    })
}
