//! A scripted reply as blocks and the words between them. Invariant: joined again they are the reply.

/// A part of a reply, with its line ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// Whole lines outside of fences.
    Words(String),
    /// A fenced block: what stands behind its opening marks, and its lines.
    Code { info: String, text: String },
}

impl Block {
    /// The path that the block names.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::Words(_) => None,
            Self::Code { info, .. } => info.split_once("path=\"")?.1.split('"').next(),
        }
    }
}

const FENCE: &str = "```";

/// Cuts a reply; a block that does not end is words.
pub fn blocks(reply: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut words = String::new();
    let mut open: Option<(String, String)> = None;
    for line in reply.split_inclusive('\n') {
        match (&mut open, line.trim_end()) {
            (Some((info, text)), FENCE) => {
                found.push(Block::Code { info: std::mem::take(info), text: std::mem::take(text) });
                open = None;
            }
            (Some((_, text)), _) => text.push_str(line),
            (None, start) if start.starts_with("```hp:") => {
                if !words.is_empty() {
                    found.push(Block::Words(std::mem::take(&mut words)));
                }
                open = Some((start[FENCE.len()..].to_owned(), String::new()));
            }
            (None, _) => words.push_str(line),
        }
    }
    if let Some((info, text)) = open {
        words.extend([FENCE, &info, "\n", &text]);
    }
    if !words.is_empty() {
        found.push(Block::Words(words));
    }
    found
}

/// The reply of these blocks.
pub fn joined(blocks: Vec<Block>) -> String {
    blocks.into_iter().fold(String::new(), |reply, block| match block {
        Block::Words(words) => reply + &words,
        Block::Code { info, text } => format!("{reply}{FENCE}{info}\n{text}{FENCE}\n"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_again_it_is_the_reply() {
        let reply =
            "Here.\n\n```hp:file path=\"a.json\"\n{}\n```\n\n```hp:edit path=\"b.js\"\n<<<<<<< SEARCH\n```\nEnd\n";
        let found = blocks(reply);
        assert_eq!(found.len(), 5, "{found:?}");
        assert_eq!((found[1].path(), found[0].path()), (Some("a.json"), None));
        assert_eq!(joined(found), reply);
        for cut in ["", "words", "```hp:file path=\"a\"\nno end", "```js\nno block\n```\n"] {
            assert_eq!(joined(blocks(cut)), cut);
            assert!(blocks(cut).iter().all(|block| matches!(block, Block::Words(_))), "{cut}");
        }
    }
}
