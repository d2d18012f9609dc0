//! Lines of places in a file, counted once for all places that are asked for.

/// The line (from 1) of each offset; CRLF, LF and a lone CR end a line.
pub(crate) fn lines(bytes: &[u8], offsets: &[usize]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..offsets.len()).collect();
    order.sort_by_key(|index| offsets[*index]);
    let mut answer = vec![1; offsets.len()];
    let (mut line, mut at) = (1_u32, 0);
    for index in order {
        let end = offsets[index].min(bytes.len());
        while at < end {
            let crlf = bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
            if bytes[at] == b'\n' || bytes[at] == b'\r' && !crlf {
                line = line.saturating_add(1);
            }
            at += 1;
        }
        answer[index] = line;
    }
    answer
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_line_ends_count_once() {
        assert_eq!(super::lines(b"a\r\nb\nc\rd", &[7, 0, 3, 5, 99]), [4, 1, 2, 3, 4]);
    }
}
