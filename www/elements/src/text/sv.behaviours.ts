/** Swedish texts of behaviours. */
import type { behaviours as english } from "./en.behaviours.js";
import type { Translation } from "./translation.js";

export const behaviours = {
  "behaviours.title": "Beteenden",
  "behaviours.new": "Nytt",
  "behaviours.new.text": "Att tillämpa godkänner dem: varje senare ändring testas med dem.",
  "behaviours.lost": "Förlorat",
  "behaviours.kept": {
    one: "{n} är kvar som det godkändes",
    other: "{n} är kvar som de godkändes",
  },
} as const satisfies Translation<typeof english>;
