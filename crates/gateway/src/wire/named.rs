//! What an answer says of itself: which event it is, its id, its model, and whether it has the words of one.

use serde::de::{DeserializeSeed as _, IgnoredAny, MapAccess, SeqAccess};

use super::protocol::Protocol;
use super::read::{Fill, Place, member};

#[derive(Debug, Default)]
pub(super) struct Named {
    /// Of an event of Anthropic's protocol.
    pub kind: Option<String>,
    pub id: Option<String>,
    pub model: Option<String>,
    /// Whether there are blocks of a message, as a whole answer of Anthropic's protocol has them.
    has_blocks: bool,
    /// Whether the first choice has a message, as that of a whole answer of OpenAI's protocol has one.
    has_choice: bool,
}

impl Named {
    /// Reads a text that is known to be an object.
    pub fn read(text: &str) -> Self {
        let mut named = Self::default();
        // What cannot be read says nothing.
        let _ = Fill(&mut named).deserialize(&mut serde_json::Deserializer::from_str(text));
        named
    }

    /// Whether it is a whole answer of that protocol.
    pub fn is_answer(&self, protocol: Protocol) -> bool {
        match protocol {
            Protocol::OpenAi => self.has_choice,
            Protocol::Anthropic => self.has_blocks,
        }
    }
}

/// Whether a body is a whole answer of that protocol, as far as its shape says.
pub fn is_answer(protocol: Protocol, body: &[u8]) -> bool {
    std::str::from_utf8(body).is_ok_and(|text| Named::read(text).is_answer(protocol))
}

impl Place for Named {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        match name {
            "type" => member(&mut self.kind, value),
            "id" => member(&mut self.id, value),
            "model" => member(&mut self.model, value),
            // The message that begins a stream.
            "message" => {
                let mut message = Self::default();
                member(&mut message, value)?;
                (self.id, self.model) = (message.id, message.model);
                Ok(true)
            }
            "content" => {
                let mut blocks = IsList(false);
                member(&mut blocks, value)?;
                self.has_blocks = blocks.0;
                Ok(true)
            }
            "choices" => {
                let mut choices = Choices::default();
                member(&mut choices, value)?;
                self.has_choice = choices.first.message.0;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

#[derive(Default)]
struct IsList(bool);

impl Place for IsList {
    fn items<'de, A: SeqAccess<'de>>(&mut self, mut items: A) -> Result<(), A::Error> {
        self.0 = true;
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

#[derive(Default)]
struct Choices {
    first: WithMessage,
}

impl Place for Choices {
    fn items<'de, A: SeqAccess<'de>>(&mut self, mut items: A) -> Result<(), A::Error> {
        items.next_element_seed(Fill(&mut self.first))?;
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

#[derive(Default)]
struct WithMessage {
    message: IsObject,
}

impl Place for WithMessage {
    fn member<'de, A: MapAccess<'de>>(&mut self, name: &str, value: &mut A) -> Result<bool, A::Error> {
        match name {
            "message" => member(&mut self.message, value),
            _ => Ok(false),
        }
    }
}

#[derive(Default)]
struct IsObject(bool);

impl Place for IsObject {
    fn object(&mut self) {
        self.0 = true;
    }
}
