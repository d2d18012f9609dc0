//! What a hostile body costs once it is read: the limit of nodes keeps it within an isolate.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

use holdpoint_gateway::Limits;
use holdpoint_gateway::json::read;

#[global_allocator]
static HEAP: holdpoint_heap::Counting = holdpoint_heap::Counting;

/// A quarter of what an isolate may hold.
const MOST_BYTES: usize = 32 << 20;

#[test]
fn no_shape_of_nodes_takes_more_than_a_part_of_an_isolate() {
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
