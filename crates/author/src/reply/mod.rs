//! Replies of a model: blocks, edits, tool calls (spec: authoring.md §5).
