/** Texts of conversations and of the field in which a person asks. */
export const talk = {
  "talk.label": "Conversation",
  "talk.loading": "Reading the conversation",
  "talk.unread": "The conversation could not be read",
  "talk.offline": "The conversation is on the server; it comes back with the connection.",
  "talk.you": "You",
  "talk.assistant": "Assistant",
  "talk.holdpoint": "Holdpoint",
  "talk.writing": "writing, {time}",
  "talk.cancelled": "stopped by you",
  "talk.failed": "failed",
  "talk.can_ask": "You can ask",
  "talk.make_tool": "Make it a tool",
  "talk.clear": "Clear the conversation",
} as const;
