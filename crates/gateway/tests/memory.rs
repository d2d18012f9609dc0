//! What hostile bytes cost once they are read: a request's by the limit of nodes, an answer's because nothing is built of
//! what nobody asked for. One test: the allocator counts for the whole process.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

use holdpoint_gateway::json::read;
use holdpoint_gateway::wire::{Chunk, Error, Reply, Stream};
use holdpoint_gateway::{Limits, Protocol};

#[global_allocator]
static HEAP: holdpoint_heap::Counting = holdpoint_heap::Counting;

/// A quarter of what an isolate may hold.
const MOST_BYTES: usize = 32 << 20;

#[test]
fn no_bytes_of_a_client_or_an_upstream_take_more_than_a_part_of_an_isolate() {
    no_shape_of_nodes_takes_more();
    no_answer_takes_more_than_its_words();
    no_stream_takes_more_than_an_answer();
}

fn no_shape_of_nodes_takes_more() {
    let nodes = Limits::default().json().nodes;
    let repeated = |part: &str, each: usize| format!("[{}0]", part.repeat((nodes - 2) / each));
    let members: String = (0..(nodes - 1) / 2).map(|n| format!(",\"{n}\":0")).collect();
    let shapes = [
        ("numbers", repeated("0,", 1)),
        ("texts", repeated("\"a\",", 1)),
        ("empty arrays", repeated("[],", 1)),
        ("empty objects", repeated("{},", 1)),
        ("arrays of one", repeated("[0],", 2)),
        ("objects of one", repeated("{\"a\":0},", 3)),
        ("objects of four", repeated("{\"a\":0,\"b\":0,\"c\":0,\"d\":0},", 9)),
        ("members", format!("{{{}}}", &members[1..])),
        ("nests", repeated(&format!("{}{},", "[".repeat(60), "]".repeat(60)), 60)),
    ];
    for (name, text) in shapes {
        let before = holdpoint_heap::live();
        holdpoint_heap::reset_peak();
        let value = read(&text, Limits::default().json()).unwrap();
        let (peak, kept) = (holdpoint_heap::peak() - before, holdpoint_heap::live() - before);
        println!("{name}: {} MB at most, {} bytes a node", peak >> 20, kept / nodes);
        assert!(peak < MOST_BYTES, "{name}: {peak} bytes");
        drop(value);
    }
}

/// How far the heap rose while something was done.
fn peak<T>(work: impl FnOnce() -> T) -> usize {
    let before = holdpoint_heap::live();
    holdpoint_heap::reset_peak();
    let kept = work();
    let peak = holdpoint_heap::peak() - before;
    drop(kept);
    peak
}

fn no_answer_takes_more_than_its_words() {
    const BYTES: usize = 4 << 20;
    let filled = |head: &str, part: &str, tail: &str| format!("{head}{}{tail}", part.repeat(BYTES / part.len()));
    let bodies = [
        filled("{\"logprobs\":[0", ",0", "]}"),
        filled("{\"a\":[[]", ",[]", "]}"),
        filled("{\"choices\":[{}", ",{}", "]}"),
        filled("{\"choices\":[{\"message\":{\"tool_calls\":[{}", ",{}", "]}}]}"),
        filled("{\"choices\":[{\"message\":{\"content\":[0", ",{\"text\":\"\"}", "]}}]}"),
        filled("{\"error\":{\"details\":{\"a\":[0", ",0", "]}}}"),
        filled("{\"error\":{\"details\":{\"a\":0", ",\"a\":0", "}}}"),
        filled("{\"content\":[{}", ",{}", "]}"),
        filled("{\"content\":[{\"input\":{\"a\":[0", ",[]", "]}}]}"),
        filled("{\"a\":", "[", ""),
    ];
    for body in &bodies {
        let name = &body[..40];
        for protocol in [Protocol::OpenAi, Protocol::Anthropic] {
            let bytes = peak(|| Chunk::body(protocol, body.as_bytes()));
            println!("{name} {protocol:?}: {} KB", bytes >> 10);
            assert!(bytes < MOST_BYTES, "{name}: {bytes} bytes");
        }
        assert!(peak(|| Error::body(body.as_bytes())) < MOST_BYTES, "{name}");
    }
}

fn no_stream_takes_more_than_an_answer() {
    let limits = Limits::default();
    let word = format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{}\"}}}}]}}\n\n", "x".repeat(1 << 20));
    let id = word.replace("\"content\":", "\"tool_calls\":[{\"id\":").replace("}}]}", "}]}}]}");
    let open = "data: ".to_owned() + &"x".repeat(1 << 20);
    for (name, event) in [("words", word), ("ids", id), ("one line", open)] {
        let mut heard = 0;
        let bytes = peak(|| {
            let (mut stream, mut reply) = (Stream::new(Protocol::OpenAi, &limits), Reply::default());
            for _ in 0..64 {
                let pushed = stream.push(event.as_bytes(), |chunk| {
                    heard += 1;
                    reply.take(chunk);
                });
                if pushed.is_err() {
                    break;
                }
            }
            reply
        });
        println!("{name}: {} KB, {heard} chunks", bytes >> 10);
        assert!(bytes < 2 * MOST_BYTES, "{name}: {bytes} bytes");
    }
}
