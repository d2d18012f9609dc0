//! The machine, event by event: with a protocol of its own, and with those of a kind.

mod apps;
mod kept;
mod laws;
mod notes;
mod scripts;
mod tools;

use super::Event;

fn text(text: &str, now: i64) -> Event {
    Event::Text { text: text.to_owned(), now }
}

fn finished(reason: &str) -> Event {
    Event::Finished { reason: Some(reason.to_owned()), calls: Vec::new() }
}
