//! The few requests that a launcher makes on loopback: plain HTTP/1.1, no client library.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::process::Fault;

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The body of an answer, whatever its status.
pub fn get(origin: &str, path: &str) -> Result<String, Fault> {
    send(origin, &format!("GET {path} HTTP/1.1"), "")
}

/// The same with a bearer token.
pub fn get_with(origin: &str, path: &str, bearer: &str) -> Result<String, Fault> {
    send(origin, &format!("GET {path} HTTP/1.1"), &format!("authorization: Bearer {bearer}\r\n"))
}

/// The body of an answer to an empty request with a bearer token.
pub fn post(origin: &str, path: &str, bearer: &str) -> Result<String, Fault> {
    send(origin, &format!("POST {path} HTTP/1.1"), &format!("authorization: Bearer {bearer}\r\ncontent-length: 0\r\n"))
}

fn send(origin: &str, line: &str, headers: &str) -> Result<String, Fault> {
    let host = origin.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    write!(stream, "{line}\r\nhost: {host}\r\n{headers}connection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(|| Fault::told("the answer has no body"))?;
    if head.to_ascii_lowercase().contains("transfer-encoding: chunked") {
        return Ok(unchunked(body));
    }
    Ok(body.to_owned())
}

fn unchunked(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        let Some(chunk) = rest.get(..size).filter(|chunk| !chunk.is_empty()) else { break };
        text.push_str(chunk);
        body = rest.get(size + 2..).unwrap_or_default();
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn chunks_are_joined() {
        assert_eq!(super::unchunked("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"), "abcde");
    }
}
