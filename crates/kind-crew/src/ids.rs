//! Ids of turns, messages and change sets: a number in the store, sixteen hex digits outside (spec: ai-sessions.md §1
//! "Ids").
//!
//! Invariant: each number has one id of each sort, and nothing else is read as it.

/// How many hex digits an id has.
const DIGITS: usize = 16;

/// What an id is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdOf {
    Turn,
    Message,
    ChangeSet,
    Event,
}

impl IdOf {
    fn prefix(self) -> &'static str {
        match self {
            Self::Turn => "turn_",
            Self::Message => "msg_",
            Self::ChangeSet => "cs_",
            Self::Event => "evt_",
        }
    }

    /// The id of a number.
    pub fn outside(self, number: i64) -> String {
        format!("{}{number:0DIGITS$x}", self.prefix())
    }

    /// The number of an id; `None`: it is none of ours.
    pub fn number(self, id: &str) -> Option<i64> {
        let digits = id.strip_prefix(self.prefix())?;
        let plain = digits.len() == DIGITS && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if plain { i64::from_str_radix(digits, 16).ok() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_and_its_id_lead_to_each_other() {
        for number in [0, 1, 255, i64::MAX] {
            let id = IdOf::Turn.outside(number);
            assert_eq!((id.len(), IdOf::Turn.number(&id)), (21, Some(number)));
        }
        assert_eq!(IdOf::ChangeSet.outside(26), "cs_000000000000001a");
        let none = ["", "turn_", "turn_1", "cs_000000000000001a", "turn_000000000000001A", "turn_ffffffffffffffff"];
        for id in none {
            assert_eq!(IdOf::Turn.number(id), None, "{id}");
        }
    }
}
