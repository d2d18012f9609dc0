//! Whether an address that a user gave may be called (spec: gateway.md §11 `url.check`).
//!
//! Invariant: fails closed; a metadata service is never admitted, whatever is allowed.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use serde::{Deserialize, Serialize};
use url::{Host, Url};

const MAX_CHARS: usize = 2_048;
/// Ports from here on may be used.
const FIRST_FREE_PORT: u16 = 1_024;

/// An address and what is allowed of it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Address {
    pub url: String,
    pub allow_http: bool,
    /// Also loopback and private ranges.
    pub allow_private: bool,
    /// Origins that pass scheme, port and class.
    pub allow_origins: Vec<String>,
    /// Names of our own; `*.` in front of one stands for all names below it.
    pub own_hosts: Vec<String>,
    /// What the name resolved to.
    pub resolved: Vec<String>,
}

/// How far an address reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    Public,
    Loopback,
    Private,
    LinkLocal,
    Multicast,
    Metadata,
    Reserved,
}

/// An address that may be called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Allowed {
    /// Scheme, host, port if not the default, path without trailing slashes.
    pub normalized: String,
    /// Lower case, without brackets or a trailing dot.
    pub host: String,
    /// Also when it is the default.
    pub port: u16,
    /// It is one of `name`, `ipv4`, `ipv6`.
    pub kind: &'static str,
    pub category: Category,
}

/// Why an address may not be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Blocked {
    pub code: &'static str,
    /// How far it would reach, where that is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
}

impl Blocked {
    const fn plain(code: &'static str) -> Self {
        Self { code, category: None }
    }
}

pub fn check(address: &Address) -> Result<Allowed, Blocked> {
    let url = parse(&address.url)?;
    let scheme = url.scheme();
    let trusted =
        address.allow_origins.iter().filter_map(|text| Url::parse(text).ok()).any(|o| o.origin() == url.origin());
    if !(scheme == "https" || scheme == "http" && (address.allow_http || trusted)) {
        return Err(Blocked::plain("URL_SCHEME"));
    }
    let authority =
        address.url.split_once("//").map_or("", |(_, rest)| rest.split(['/', '?', '#']).next().unwrap_or(""));
    if authority.contains('@') {
        return Err(Blocked::plain("URL_CREDENTIALS"));
    }
    if address.url.contains(['?', '#']) {
        return Err(Blocked::plain("URL_HAS_QUERY"));
    }
    let port = url.port_or_known_default().unwrap_or_default();
    let usual = port == 443 || port >= FIRST_FREE_PORT || (port == 80 && scheme == "http");
    if !(usual || address.allow_private || trusted) {
        return Err(Blocked::plain("URL_PORT"));
    }

    let (host, kind, category, code) = match url.host() {
        Some(Host::Ipv4(address)) => (address.to_string(), "ipv4", ipv4(address), "URL_PRIVATE_ADDRESS"),
        Some(Host::Ipv6(address)) => (address.to_string(), "ipv6", ipv6(address), "URL_PRIVATE_ADDRESS"),
        Some(Host::Domain(name)) => {
            let name = name.strip_suffix('.').unwrap_or(name).to_owned();
            // A second dot at the end would hide what stands before it.
            if name.split('.').any(str::is_empty) {
                return Err(Blocked::plain("URL_INVALID"));
            }
            let category = of_name(&name);
            (name, "name", category, "URL_PRIVATE_NAME")
        }
        None => return Err(Blocked::plain("URL_INVALID")),
    };
    let judge = |category: Category, code: &'static str| match category {
        Category::Metadata => Err(Blocked { code: "URL_METADATA", category: Some(category) }),
        Category::Public => Ok(()),
        _ if trusted => Ok(()),
        Category::Loopback | Category::Private if address.allow_private => Ok(()),
        _ => Err(Blocked { code, category: Some(category) }),
    };
    judge(category, code)?;
    if address.own_hosts.iter().any(|own| is_own(own, &host)) {
        return Err(Blocked::plain("URL_SELF"));
    }
    for address in &address.resolved {
        // What cannot be read cannot be trusted.
        judge(address.parse().map_or(Category::Reserved, of_address), "URL_PRIVATE_ADDRESS")?;
    }

    let shown = if kind == "ipv6" { format!("[{host}]") } else { host.clone() };
    let explicit = url.port().map_or(String::new(), |port| format!(":{port}"));
    let path = url.path().trim_end_matches('/');
    Ok(Allowed { normalized: format!("{scheme}://{shown}{explicit}{path}"), host, port, kind, category })
}

fn is_own(own: &str, host: &str) -> bool {
    let own = own.trim_end_matches('.').to_ascii_lowercase();
    own.strip_prefix('*').map_or(own == host, |zone| zone.starts_with('.') && host.ends_with(zone))
}

fn parse(text: &str) -> Result<Url, Blocked> {
    let invalid = Blocked::plain("URL_INVALID");
    let odd = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
    if text.is_empty() || text.chars().count() > MAX_CHARS || text.contains(odd) {
        return Err(invalid);
    }
    let url = Url::parse(text).map_err(|_| invalid)?;
    let rest = text.split_once(':').map_or("", |(_, rest)| rest);
    let has_host = rest.strip_prefix("//").is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'));
    if matches!(url.scheme(), "http" | "https") && !has_host { Err(invalid) } else { Ok(url) }
}

fn of_address(address: IpAddr) -> Category {
    match address {
        IpAddr::V4(address) => ipv4(address),
        IpAddr::V6(address) => ipv6(address),
    }
}

fn ipv4(address: Ipv4Addr) -> Category {
    match address.octets() {
        [169, 254, 169, 254] | [169, 254, 170, 2] | [100, 100, 100, 200] => Category::Metadata,
        [127, ..] => Category::Loopback,
        [10, ..] | [100, 64..=127, ..] | [172, 16..=31, ..] | [192, 168, ..] => Category::Private,
        [169, 254, ..] => Category::LinkLocal,
        [224..=239, ..] => Category::Multicast,
        [0 | 240..=255, ..]
        | [192, 0, 0 | 2, _]
        | [192, 88, 99, _]
        | [198, 18 | 19, ..]
        | [198, 51, 100, _]
        | [203, 0, 113, _] => Category::Reserved,
        _ => Category::Public,
    }
}

fn ipv6(address: Ipv6Addr) -> Category {
    let embedded = |high: u16, low: u16| {
        let [[a, b], [c, d]] = [high.to_be_bytes(), low.to_be_bytes()];
        ipv4(Ipv4Addr::new(a, b, c, d))
    };
    match address.segments() {
        [0xFD00, 0x0EC2, 0, 0, 0, 0, 0, 0x0254] => Category::Metadata,
        [0, 0, 0, 0, 0, 0, 0, 1] => Category::Loopback,
        [0, 0, 0, 0, 0, 0xFFFF, high, low] | [0x64, 0xFF9B, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
            embedded(high, low)
        }
        [0xFC00..=0xFDFF | 0xFEC0..=0xFEFF, ..] | [0x64, 0xFF9B, 1, ..] => Category::Private,
        [0xFE80..=0xFEBF, ..] => Category::LinkLocal,
        [0xFF00..=0xFFFF, ..] => Category::Multicast,
        [0x2001, 0 | 0x0DB8, ..] | [0x3FFF, 0..=0x0FFF, ..] => Category::Reserved,
        [0x2000..=0x3FFF, ..] => Category::Public,
        _ => Category::Reserved,
    }
}

fn of_name(name: &str) -> Category {
    const METADATA: &[&str] = &["metadata.google.internal", "metadata.goog", "instance-data"];
    const PRIVATE: &[&str] =
        &["local", "internal", "intranet", "lan", "home", "corp", "private", "localdomain", "home.arpa", "onion"];
    let below = |zone: &str| name.strip_suffix(zone).is_some_and(|lead| lead.is_empty() || lead.ends_with('.'));
    if METADATA.contains(&name) {
        Category::Metadata
    } else if below("localhost") {
        Category::Loopback
    } else if !name.contains('.') || PRIVATE.iter().any(|zone| below(zone)) {
        Category::Private
    } else {
        Category::Public
    }
}
