/** Swedish texts of a diff. */
import type { diff as english } from "./en.diff.js";
import type { Translation } from "./translation.js";

export const diff = {
  "diff.place": "Ställe {n} av {of}",
  "diff.place.short": "Ställe {n}",
  "diff.lines": { one: "rad {from}", other: "rad {from}–{to}" },
  "diff.fold": { one: "{n} oförändrad rad", other: "{n} oförändrade rader" },
  "diff.more": { one: "Visa {n} rad till", other: "Visa {n} rader till" },
  "diff.more.places": { one: "Visa {n} ställe till", other: "Visa {n} ställen till" },
  "diff.passed": { one: "{n} rad som förr", other: "{n} rader som förr" },
  "diff.caption.split": "Ställe {n}, {path}. Till vänster nu, till höger föreslaget",
  "diff.caption.uni": "Ställe {n}, {path}, en kolumn",
  "diff.caption.one": "{path}, {status}",
  "diff.changed": "Ändrad sedan dess",
  "diff.file.fold": "Fäll ihop {path}",
  "diff.file.added": "Ny",
  "diff.file.deleted": "Borttagen",
  "diff.file.renamed": "Omdöpt",
  "diff.file.modified": "Ändrad",
  "diff.now": "Nu",
  "diff.proposed": "Föreslaget",
  "diff.layout": "Jämförelsens form",
  "diff.layout.split": "Sida vid sida",
  "diff.layout.uni": "En kolumn",
  "diff.too_large": "Texterna är för stora för att jämföras här.",
  "diff.take": "Ta med",
  "diff.leave": "Lämna",
  "diff.mine": "Min",
  "diff.theirs": "Deras",
} as const satisfies Partial<Translation<typeof english>>;
