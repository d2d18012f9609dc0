/** Swedish of conversations and of the field in which a person asks. */
import type { talk as english } from "./en.talk.js";
import type { Translation } from "./translation.js";

export const talk = {
  "talk.label": "Samtal",
  "talk.loading": "Läser samtalet",
  "talk.unread": "Samtalet kunde inte läsas",
  "talk.offline": "Samtalet finns på servern; det kommer tillbaka med anslutningen.",
  "talk.you": "Du",
  "talk.assistant": "Assistent",
  "talk.holdpoint": "Holdpoint",
  "talk.writing": "skriver, {time}",
  "talk.cancelled": "stoppat av dig",
  "talk.failed": "misslyckades",
  "talk.can_ask": "Du kan fråga",
  "talk.make_tool": "Gör det till ett verktyg",
  "talk.clear": "Rensa samtalet",
} as const satisfies Translation<typeof english>;
