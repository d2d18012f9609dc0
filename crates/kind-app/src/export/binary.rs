//! Bytes as git writes them in a patch: names of blobs, `literal` hunks (gitformat-pack, `git help apply`).

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use holdpoint_text::hex;
use sha1::{Digest, Sha1};

/// The digits of base 85, in git's order.
const DIGITS: &[u8; 85] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
/// Bytes that one line stands for, at most.
const LINE: usize = 52;

/// The name that git gives bytes as a blob.
pub fn blob_name(bytes: &[u8]) -> String {
    let mut hash = Sha1::new();
    hash.update(format!("blob {}\0", bytes.len()));
    hash.update(bytes);
    hex(&hash.finalize())
}

/// The hunk that makes a file these bytes, whatever it was before.
pub fn literal(bytes: &[u8]) -> String {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    let _ = packed.write_all(bytes);
    let packed = packed.finish().unwrap_or_default();
    let mut text = format!("literal {}\n", bytes.len());
    for line in packed.chunks(LINE) {
        text.push(length(line.len()));
        line.chunks(4).for_each(|group| push_group(&mut text, group));
        text.push('\n');
    }
    text.push('\n');
    text
}

/// How many bytes a line stands for: `A` is 1, `Z` 26, `a` 27, `z` 52.
fn length(bytes: usize) -> char {
    let at = bytes as u8;
    char::from(if at <= 26 { b'A' + at - 1 } else { b'a' + at - 27 })
}

/// Four bytes as five digits; what a last group lacks is zero.
fn push_group(text: &mut String, group: &[u8]) {
    let mut four = [0; 4];
    four[..group.len()].copy_from_slice(group);
    let mut value = u32::from_be_bytes(four);
    let mut digits = [0; 5];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[value as usize % DIGITS.len()];
        value /= DIGITS.len() as u32;
    }
    text.extend(digits.map(char::from));
}
