/** Swedish texts of what a new version of the SDK does to installed extensions. */
import type { drift as english } from "./en.drift.js";
import type { Translation } from "./translation.js";

export const drift = {
  "drift.notice.title": "Holdpoint har nu SDK {sdk}.",
  "drift.notice.tried": {
    one: "{n} tillägg prövades på nytt: {what}.",
    other: "{n} tillägg prövades på nytt: {what}.",
  },
  "drift.notice.work": { one: "{n} fungerar", other: "{n} fungerar" },
  "drift.notice.need": {
    one: "{n} behöver en ny version",
    other: "{n} behöver en ny version",
  },
  "drift.notice.off": { one: "{n} är avstängt", other: "{n} är avstängda" },
  "drift.notice.tweak": "{name} behöver anpassas till SDK {sdk}. Laga nu?",
  "drift.notice.broken": "{name} fungerar inte med SDK {sdk}.",
  "drift.notice.open": "Vad som ändrats",
  "drift.head": "Tillägg",
  "drift.sub": { one: "{n} installerat", other: "{n} installerade" },
  "drift.title": "Tillägg med SDK {sdk}",
  "drift.tried": "prövade {time}, {s} s",
  "drift.off": "Avstängda",
  "drift.need": "Behöver en ny version",
  "drift.work": "Fungerar som förut",
  "drift.tweak": "Behöver anpassas till SDK {sdk}:",
  "drift.broken": "Fungerar inte med SDK {sdk}:",
  "drift.fails": {
    one: "{n} av {of} tester går inte igenom",
    other: "{n} av {of} tester går inte igenom",
  },
  "drift.pass": {
    one: "{n} av {of} tester går igenom",
    other: "{n} av {of} tester går igenom",
  },
  "drift.untested": "det har inga tester, och manifestet nämner inte denna SDK",
  "drift.range": "Fungerar med {sdk}, men säger ”{range}”",
  "drift.range.sub": {
    one: "Testet går igenom. Ändrar två rader i manifest.json.",
    other: "Alla {n} tester går igenom. Ändrar två rader i manifest.json.",
  },
  "drift.unknown": "Förblir på, oprövat: det har inga tester",
  "drift.repair": "Laga nu",
  "drift.most": "högst {most}",
  "drift.edit": "Ändra för hand",
  "drift.leave": "Låt det vara av",
  "drift.remove": "Avinstallera",
  "drift.review": "Granska",
  "drift.test": "Lägg till ett test",
  "drift.promise":
    "En lagning behåller delar, behörigheter och tester; du granskar den som alla ändringar.",
  "drift.left": "Det förblir av. Ingen frågar igen.",
  "drift.asked": "Anpassa {name} till SDK {sdk}",
  "drift.test.words": "Lägg till ett test i {name}",
} as const satisfies Translation<typeof english>;
