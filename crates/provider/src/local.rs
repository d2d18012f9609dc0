//! Whether a request comes from a program of this machine that means this machine.
//!
//! The address of the peer alone does not say so: a page of any site runs in a browser of this machine. A name of that
//! site that was made to lead here stands in `Host` (DNS rebinding), the site itself in `Origin`.

use std::net::{IpAddr, SocketAddr};

use hyper::header::{HOST, HeaderName, ORIGIN};
use hyper::http::uri::Authority;
use hyper::{Request, Uri};

pub(crate) fn is_from_here<B>(peer: SocketAddr, request: &Request<B>) -> bool {
    let named = request.uri().authority().is_none_or(is_loopback);
    peer.ip().to_canonical().is_loopback()
        && named
        && one(request, &HOST).is_some_and(|host| host.parse().is_ok_and(|host| is_loopback(&host)))
        && (!request.headers().contains_key(ORIGIN) || one(request, &ORIGIN).is_some_and(is_loopback_origin))
}

/// The value of a header that stands there once.
fn one<'r, B>(request: &'r Request<B>, name: &HeaderName) -> Option<&'r str> {
    let mut values = request.headers().get_all(name).iter();
    values.next().filter(|_| values.next().is_none())?.to_str().ok()
}

fn is_loopback_origin(origin: &str) -> bool {
    origin.parse::<Uri>().is_ok_and(|uri| uri.authority().is_some_and(is_loopback))
}

/// A loopback address or `localhost`, with any port: a port may be forwarded.
fn is_loopback(authority: &Authority) -> bool {
    let host = authority.host();
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    !authority.as_str().contains('@')
        && (host.eq_ignore_ascii_case("localhost")
            || address.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_program_of_this_machine_that_means_it_is_from_here() {
        type Case = (&'static str, &'static [(&'static str, &'static str)], bool);
        let cases: &[Case] = &[
            ("127.0.0.1:9", &[("host", "127.0.0.1:80")], true),
            ("127.0.0.1:9", &[("host", "localhost:8123")], true),
            ("127.0.0.1:9", &[("host", "LocalHost")], true),
            ("127.8.9.1:9", &[("host", "127.0.0.2")], true),
            ("[::1]:9", &[("host", "[::1]:80")], true),
            ("[::ffff:127.0.0.1]:9", &[("host", "127.0.0.1")], true),
            ("127.0.0.1:9", &[("host", "127.0.0.1"), ("origin", "http://localhost:5173")], true),
            ("10.0.0.4:9", &[("host", "127.0.0.1")], false),
            ("[::ffff:10.0.0.4]:9", &[("host", "127.0.0.1")], false),
            ("[2001:db8::1]:9", &[("host", "localhost")], false),
            ("127.0.0.1:9", &[], false),
            ("127.0.0.1:9", &[("host", "")], false),
            ("127.0.0.1:9", &[("host", "evil.example:80")], false),
            ("127.0.0.1:9", &[("host", "127.0.0.1.evil.example")], false),
            ("127.0.0.1:9", &[("host", "localhost.evil.example")], false),
            ("127.0.0.1:9", &[("host", "localhost@evil.example")], false),
            ("127.0.0.1:9", &[("host", "evil.example@localhost")], false),
            ("127.0.0.1:9", &[("host", "10.0.0.4")], false),
            ("127.0.0.1:9", &[("host", "127.0.0.1"), ("host", "evil.example")], false),
            ("127.0.0.1:9", &[("host", "127.0.0.1"), ("origin", "https://evil.example")], false),
            ("127.0.0.1:9", &[("host", "127.0.0.1"), ("origin", "null")], false),
            ("127.0.0.1:9", &[("host", "127.0.0.1"), ("origin", "http://127.0.0.1.evil.example")], false),
        ];
        for (peer, headers, want) in cases {
            let mut request = Request::get("/__scripted/log");
            for (name, value) in *headers {
                request = request.header(*name, *value);
            }
            let request = request.body(()).unwrap();
            assert_eq!(is_from_here(peer.parse().unwrap(), &request), *want, "{peer} {headers:?}");
        }
        let absolute = Request::get("http://evil.example/__scripted/log").header("host", "127.0.0.1").body(()).unwrap();
        assert!(!is_from_here("127.0.0.1:9".parse().unwrap(), &absolute));
    }
}
