//! Addresses that lead where nobody may call, in every spelling that somebody may try (spec: gateway.md §11 `url.check`).

use holdpoint_gateway::url_check::{Address, check};

fn judged(url: &str, private: bool) -> Result<String, &'static str> {
    let own_hosts = vec!["holdpoint.example.com".to_owned()];
    let address =
        Address { url: url.to_owned(), allow_http: private, allow_private: private, own_hosts, ..Address::default() };
    check(&address).map(|allowed| allowed.normalized).map_err(|blocked| blocked.code)
}

/// Hosts that are this machine or its neighbours, however they are written.
const NEAR: &[&str] = &[
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "0x7F.0x0.0x0.0x1",
    "127.0.0.1.",
    "127.0.0.1..",
    "１２７.０.０.１",
    "127。0。0。1",
    "①②⑦.0.0.1",
    "%31%32%37.0.0.1",
    "0",
    "0.0.0.0",
    "10.0.0.1",
    "192.168.1.1",
    "172.31.255.255",
    "100.127.0.1",
    "255.255.255.255",
    "224.0.0.1",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::1]",
    "[2002:7f00:1::]",
    "[2001::1]",
    "[fe80::1]",
    "[fe80::1%25eth0]",
    "[fc00::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[100::1]",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "localhost..",
    "local%68ost",
    "ｌｏｃａｌｈｏｓｔ",
    "local\u{ad}host",
    "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "a.localhost",
    "a.localhost..",
    "intranet",
    "db.internal",
    "db.internal.",
    "db.internal..",
    "db.INTERNAL",
    "printer.local",
    "a.home.arpa",
    "a..internal",
    ".internal",
    "x.onion",
    "holdpoint.example.com",
    "HOLDPOINT.example.com.",
    "holdpoint.example.com..",
    "holdpoint．example．com",
];

/// Services that give away the credentials of a machine.
const METADATA: &[&str] = &[
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "169.254.170.2",
    "100.100.100.200",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[64:ff9b::a9fe:a9fe]",
    "[2002:a9fe:a9fe::]",
    "[fd00:ec2::254]",
    "metadata.google.internal",
    "metadata.google.internal.",
    "metadata.google.internal..",
    "METADATA.goog",
    "instance-data",
];

#[test]
fn no_spelling_leads_near() {
    for host in NEAR.iter().chain(METADATA) {
        for url in [format!("https://{host}/v1"), format!("https://{host}:8443"), format!("HTTPS://{host}")] {
            assert!(judged(&url, false).is_err(), "{url}: {:?}", judged(&url, false));
        }
    }
}

#[test]
fn metadata_services_are_never_called() {
    for host in METADATA {
        let url = format!("http://{host}/latest");
        let code = judged(&url, true).unwrap_err();
        let want = if host.ends_with("..") { "URL_INVALID" } else { "URL_METADATA" };
        assert_eq!(code, want, "{url}");
    }
}

#[test]
fn what_reads_as_another_address_is_none() {
    let cases = [
        ("https://llm.example.com@127.0.0.1/", "URL_CREDENTIALS"),
        ("https://@llm.example.com/", "URL_CREDENTIALS"),
        ("https://llm.example.com:443@10.0.0.1/", "URL_CREDENTIALS"),
        ("https://127.0.0.1#@llm.example.com/", "URL_HAS_QUERY"),
        ("https://llm.example.com/?x=https://a", "URL_HAS_QUERY"),
        ("https://llm.example.com\\@127.0.0.1/", "URL_INVALID"),
        ("https:\\\\127.0.0.1", "URL_INVALID"),
        ("https:/127.0.0.1", "URL_INVALID"),
        ("https:127.0.0.1", "URL_INVALID"),
        ("https:///127.0.0.1", "URL_INVALID"),
        ("https://", "URL_INVALID"),
        ("https://127.0.0.1\t.example.com", "URL_INVALID"),
        ("https://llm.example.com/\r\nX-Key: 1", "URL_INVALID"),
        (" https://llm.example.com", "URL_INVALID"),
        ("https://llm.example.com\u{a0}", "URL_INVALID"),
        ("https://llm.example.com:99999", "URL_INVALID"),
        ("https://llm.example.com:22/", "URL_PORT"),
        ("https://llm.example.com:80/", "URL_PORT"),
        ("http://llm.example.com/", "URL_SCHEME"),
        ("file:///etc/passwd", "URL_SCHEME"),
        ("gopher://127.0.0.1:6379/_x", "URL_SCHEME"),
        ("data:text/plain,x", "URL_SCHEME"),
        ("blob:https://llm.example.com/1", "URL_SCHEME"),
    ];
    for (url, want) in cases {
        assert_eq!(judged(url, false), Err(want), "{url:?}");
    }
}

#[test]
fn an_address_has_one_spelling() {
    let cases = [
        ("HTTPS://LLM.Example.COM./v1//", "https://llm.example.com/v1"),
        ("https://llm.example.com:443/a/../v1/%2e%2e/v2", "https://llm.example.com/v2"),
        ("https://bücher.example/v1", "https://xn--bcher-kva.example/v1"),
        ("https://[2606:4700:0:0::1111]:8443", "https://[2606:4700::1111]:8443"),
        ("https://0x08.8.8.8", "https://8.8.8.8"),
    ];
    for (url, want) in cases {
        assert_eq!(judged(url, false).as_deref(), Ok(want), "{url}");
        assert_eq!(judged(want, false).as_deref(), Ok(want), "{want} again");
    }
}

#[test]
fn names_of_our_own_are_no_providers() {
    let own_hosts = ["desk.example.com", "*.Apps.example.com.", "*"].map(str::to_owned).to_vec();
    for (url, is_own) in [
        ("https://desk.example.com/v1", true),
        ("https://DESK.example.com.:8443", true),
        ("https://llm.desk.example.com", false),
        ("https://one.apps.example.com", true),
        ("https://a.b.apps.example.com", true),
        ("https://apps.example.com", false),
        ("https://otherapps.example.com", false),
        ("https://example.com", false),
    ] {
        let address = Address { url: url.to_owned(), own_hosts: own_hosts.clone(), ..Address::default() };
        assert_eq!(check(&address).err().map(|blocked| blocked.code), is_own.then_some("URL_SELF"), "{url}");
    }
}
