//! The artifact store: what builds left, and captures (spec: app-builder.md §7 "Artifact store").
//!
//! It is any S3-compatible store where the deployment names one, else the binding `ARTIFACTS`: an R2 bucket, or locally a
//! directory that answers by HTTP. Invariant: what is not there and what cannot be read are told apart.

use std::time::Duration;

use js_sys::Uint8Array;
use rusty_s3::{Bucket, Credentials, S3Action as _, UrlStyle};
use wasm_bindgen::JsValue;
use worker::{Env, Fetch, Method, Request, RequestInit, Response, Result};

const BINDING: &str = "ARTIFACTS";
/// Where a directory answers; never leaves the isolate.
const INSIDE: &str = "http://artifacts";
/// What an S3-compatible store says where not the key but everything is missing.
const NO_BUCKET: &str = "NoSuchBucket";
/// How long a signed request to an S3-compatible store may be on its way.
const SIGNED_FOR: Duration = Duration::from_mins(5);

/// Stores bytes under a key; what lay there before is replaced.
pub async fn put(env: &Env, key: &str, bytes: Vec<u8>) -> Result<()> {
    if let Some(store) = S3::of(env)? {
        return store.put(key, bytes).await;
    }
    match env.bucket(BINDING) {
        Ok(bucket) => bucket.put(key, bytes).execute().await.map(drop),
        Err(_) => kept(directory(env, key, Method::Put, Some(bytes)).await?),
    }
}

/// The bytes of a key; `None`: nothing lies there.
pub async fn get(env: &Env, key: &str) -> Result<Option<Vec<u8>>> {
    if let Some(store) = S3::of(env)? {
        return store.get(key).await;
    }
    match env.bucket(BINDING) {
        Ok(bucket) => match bucket.get(key).execute().await? {
            Some(object) => match object.body() {
                Some(body) => body.bytes().await.map(Some),
                None => Ok(None),
            },
            None => Ok(None),
        },
        Err(_) => directory(env, key, Method::Get, None).await,
    }
}

/// Takes out what lies under a key; nothing there needs no taking out.
pub async fn delete(env: &Env, key: &str) -> Result<()> {
    if let Some(store) = S3::of(env)? {
        return store.delete(key).await;
    }
    match env.bucket(BINDING) {
        Ok(bucket) => bucket.delete(key).await,
        Err(_) => directory(env, key, Method::Delete, None).await.map(drop),
    }
}

/// An S3-compatible store, as `APPS_BUNDLE_…` name it.
struct S3 {
    bucket: Bucket,
    credentials: Credentials,
}

impl S3 {
    /// The one that the deployment names; `None`: it names no endpoint.
    fn of(env: &Env) -> Result<Option<Self>> {
        let variable = |name: &str| env.var(name).map(|value| value.to_string()).ok().filter(|text| !text.is_empty());
        let Some(endpoint) = variable("APPS_BUNDLE_ENDPOINT") else { return Ok(None) };
        let needed = |name: &str| variable(name).ok_or_else(|| unusable(&format!("{name} is not set")));
        let endpoint = endpoint.parse().map_err(|error| unusable(&format!("APPS_BUNDLE_ENDPOINT: {error}")))?;
        let (name, region) = (needed("APPS_BUNDLE_BUCKET")?, needed("APPS_BUNDLE_REGION")?);
        let bucket = Bucket::new(endpoint, UrlStyle::Path, name, region)
            .map_err(|error| unusable(&format!("APPS_BUNDLE_BUCKET: {error}")))?;
        let credentials = Credentials::new(needed("APPS_BUNDLE_ACCESS_KEY")?, needed("APPS_BUNDLE_SECRET_KEY")?);
        Ok(Some(Self { bucket, credentials }))
    }

    async fn put(&self, key: &str, bytes: Vec<u8>) -> Result<()> {
        let action = self.bucket.put_object(Some(&self.credentials), key);
        kept(self.ask(Method::Put, action.sign(SIGNED_FOR).as_str(), Some(bytes)).await?)
    }

    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let action = self.bucket.get_object(Some(&self.credentials), key);
        self.ask(Method::Get, action.sign(SIGNED_FOR).as_str(), None).await
    }

    async fn delete(&self, key: &str) -> Result<()> {
        let action = self.bucket.delete_object(Some(&self.credentials), key);
        self.ask(Method::Delete, action.sign(SIGNED_FOR).as_str(), None).await.map(drop)
    }

    async fn ask(&self, method: Method, address: &str, body: Option<Vec<u8>>) -> Result<Option<Vec<u8>>> {
        let mut response = Fetch::Request(request(method, address, body)?).send().await?;
        match response.status_code() {
            404 if response.text().await?.contains(NO_BUCKET) => Err(unusable("it has no such bucket")),
            404 => Ok(None),
            _ => answered(response).await,
        }
    }
}

fn unusable(why: &str) -> worker::Error {
    worker::Error::RustError(format!("the artifact store cannot be used: {why}"))
}

fn request(method: Method, address: &str, body: Option<Vec<u8>>) -> Result<Request> {
    let body = body.map(|bytes| JsValue::from(Uint8Array::from(bytes.as_slice())));
    Request::new_with_init(address, RequestInit::new().with_method(method).with_body(body))
}

/// What a store that found no place for something did not keep.
fn kept(answer: Option<Vec<u8>>) -> Result<()> {
    answer.map(drop).ok_or_else(|| unusable("it has no place for the key"))
}

/// The bytes that a store answered.
async fn answered(mut response: Response) -> Result<Option<Vec<u8>>> {
    match response.status_code() {
        200..=299 => response.bytes().await.map(Some),
        404 => Ok(None),
        status => Err(unusable(&format!("it answered {status}"))),
    }
}

async fn directory(env: &Env, key: &str, method: Method, body: Option<Vec<u8>>) -> Result<Option<Vec<u8>>> {
    let request = request(method, &format!("{INSIDE}/{}", address(key)), body)?;
    answered(env.service(BINDING)?.fetch_request(request).await?).await
}

/// A key as the path of an address: each byte that means something there is written as a code. A directory hides names
/// that begin with a dot, so that dot is stored as its code, which no key has.
fn address(key: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let written = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    let segment = |segment: &str| {
        let (dot, rest) = segment.strip_prefix('.').map_or(("", segment), |rest| ("%252E", rest));
        format!("{dot}{}", rest.bytes().map(written).collect::<String>())
    };
    key.split('/').map(segment).collect::<Vec<_>>().join("/")
}
